"""A policy as it was read: what it says, what it is called, and where its keys stand."""

from __future__ import annotations

from msgspec import Struct, field

from sluicegate.flow.policy.text.positions import Lines
from sluicegate.flow.policy.text.schema import Policy


class Document(Struct, frozen=True, kw_only=True):
    """A policy that has been checked. ``file`` is the path for people, empty when it came from no file.

    ``base`` and ``projectname`` are those of the project that it belongs to; None: the project in force. ``narrows``: it can
    only narrow, so it vouches for nothing.
    """

    policy: Policy
    name: str
    file: str = ""
    lines: Lines = field(default_factory=dict)
    base: str | None = None
    projectname: str | None = None
    narrows: bool = False
