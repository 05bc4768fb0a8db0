"""Errors of the queue."""

from sluicegate.vet.errors import VetError


class QueueError(VetError):
    """The queue cannot be read or written, or what is asked of it cannot be done."""

    code = "queue"
