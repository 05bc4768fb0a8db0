"""What a guard is shown.

Values are ``Labeled``: a guard asks them things (``context.input.map(lambda text: "--force" in text)``), and
what it decides by is noted, so that the decision carries the labels of what it depended on.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import final

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import EMPTY, ConflictMode, Labels
from sluicegate.flow.values import Labeled, combine


class Timing(StrEnum):
    """When a guard is asked.

    BEFORE: about the inputs. AFTER: about the output. ALWAYS: both times, after the other guards, and also
    when policy or a guard has denied (``context.denial``); for keeping account.
    """

    BEFORE = "before"
    AFTER = "after"
    ALWAYS = "always"


class OperationView(Struct, frozen=True, kw_only=True):
    """The operation as guards see it.

    ``kind`` is ``cmd``, ``call``, ``show``...; ``name`` the command's or function's name; ``function`` the
    name of the function through which it was reached (``send``, ``mail.send``), if one was. ``labels`` are all
    labels of the operation: ``op:...``, declared ones, risks; prefixes need not be listed. ``shown`` is the
    operation in one line without values, for denials.

    ``arguments`` are the inputs, in the order of ``GuardContext.values``, and ``command`` is the whole command,
    labelled. ``spell`` makes the command of given inputs: when a guard has changed one, the guards after it
    see the command that would now run. Without it, they see a command that failed, so a rule that asks for
    the command denies, rather than judge one that is not the one.
    """

    kind: str
    name: str
    labels: tuple[str, ...]
    shown: str
    function: str = ""
    command: Labeled[str] | None = None
    arguments: tuple[Labeled[object], ...] = ()
    spell: Callable[[tuple[Labeled[object], ...]], Labeled[str]] | None = None

    def with_inputs(self, values: tuple[Labeled[object], ...]) -> OperationView:
        """The operation, with other inputs."""
        command = self.command
        if self.spell is not None:
            command = self.spell(values)
        elif command is not None:
            command = combine(_unspelled, command, *values)
        return replace(self, arguments=values, command=command)


def _unspelled(*_: object) -> str:
    raise LookupError("the command is not known for inputs that a guard has changed")


@final
class ToolsView:
    """The tools of this scope: names called so far, names allowed (None: all), names denied.

    Which calls were made tells of the branches that they were made in. ``told`` are the labels of that, once somebody
    has looked at ``calls``: what a guard decides then has them.
    """

    __slots__ = ("_asked", "_calls", "_labels", "allowed", "denied")

    def __init__(
        self,
        *,
        calls: tuple[str, ...] = (),
        allowed: tuple[str, ...] | None = None,
        denied: tuple[str, ...] = (),
        labels: Labels = EMPTY,
    ) -> None:
        self._calls, self._labels, self._asked = calls, labels, False
        self.allowed, self.denied = allowed, denied

    @property
    def calls(self) -> tuple[str, ...]:
        """The names called so far, in their order."""
        self._asked = True
        return self._calls

    @property
    def told(self) -> Labels:
        """What those who have looked at ``calls`` were told of."""
        return self._labels if self._asked else EMPTY


NO_TOOLS = ToolsView()


class GuardContext(Struct, frozen=True, kw_only=True):
    """One operation, at one time, for one guard.

    ``values`` are the inputs (BEFORE) or the output alone (AFTER); ``taints`` what policy makes of each, in
    the same order. ``attempt`` counts the retries so far, from 0. ``denial`` is set for ALWAYS guards when the
    operation was denied. ``place`` is the one value a guard is asked about, None for all.
    """

    operation: OperationView
    timing: Timing
    values: tuple[Labeled[object], ...]
    taints: tuple[Labels, ...]
    profile: str = ""
    policy: tuple[str, ...] = ()
    tools: ToolsView = NO_TOOLS
    attempt: int = 0
    denial: Denial | None = None
    place: int | None = None
    conflict: ConflictMode = ConflictMode.WARN

    @property
    def input(self) -> Labeled[object]:
        """The value the guard is asked about; if there are several, a labelled tuple of them."""
        if self.place is not None:
            return self.values[self.place]
        together: Labeled[object] = self.values[0] if len(self.values) == 1 else Labeled(self.values)
        return together

    @property
    def output(self) -> Labeled[object] | None:
        """The result of the operation, in AFTER guards."""
        return self.values[0] if self.timing is Timing.AFTER and self.values else None

    @property
    def taint(self) -> Labels:
        """The labels of what the guard is asked about, and what policy makes of them."""
        if self.place is not None:
            return self.taints[self.place]
        return Labels.join_all(self.taints) if self.taints else EMPTY

    def has(self, prefix: str) -> bool:
        """Whether that taint has a label, or one under it."""
        return self.taint.has(prefix)
