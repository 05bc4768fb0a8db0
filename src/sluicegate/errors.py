"""The base of all errors: a stable code, a message that names the thing, and the way forward."""

from __future__ import annotations


class SluicegateError(Exception):
    """Something could not be done.

    ``code`` is stable and fit for programs; ``message`` names the thing and never quotes a labelled value or a key;
    ``hint`` is the way forward. Message and hint may quote untrusted names: escape them before showing.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def diagnostics(self) -> str:
        """The error and the way forward, for people; one or two lines."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message
