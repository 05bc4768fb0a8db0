"""The calls of one agent's tools in a program that runs it: asked about before, told of after, in one session.

1. A call is the operations that ``reach.hooks.tool_operations`` makes of it. Each is decided on, in order; the first refusal counts.
2. A tool is given what the permit says: a guard may have changed it. Where a call is several operations, or is not called
   by its own arguments, nothing can be changed, and a change refuses.
3. What is refused is put before a person, where the program has one (``confirm``). What the person agrees to is asked again as agreed,
   that once.
4. Each permit is settled with the result, and the model is given what guards leave of it. What does not settle is withheld.
5. Whatever goes wrong here refuses, or withholds: an error of ours never lets a tool run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sluicegate.errors import SluicegateError
from sluicegate.flow.denial import Denial, Denied
from sluicegate.reach.hooks.told import HookInputError
from sluicegate.reach.hooks.tool_operations import ToolOperation, operations_of

if TYPE_CHECKING:
    from sluicegate.flow.monitor.monitor import Monitor
    from sluicegate.flow.session.permit import Permit
    from sluicegate.flow.session.session import Session
    from sluicegate.known.agent_tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class PermittedCall:
    """A call that may happen, with ``arguments``; ``permits`` are to be settled."""

    tool: str
    arguments: dict[str, object]
    permits: tuple[Permit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """A call that may not happen, or a result that is not to be used. ``text`` is for the model and holds no value; ``denial``
    is policy's, where it was policy that refused."""

    text: str
    denial: Denial | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What the model may be given."""

    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """What a person is asked to agree to: what policy refused, and with which arguments. They are the model's word: escape them."""

    tool: str
    arguments: Mapping[str, object]
    denial: Denial


Confirm = Callable[[AskedCall], bool]
"""Puts a call before a person, and says whether that person agrees."""


class ToolCalls:
    """The tools of one agent under a monitor, in one session.

    ``server`` is the name by which policy knows the tools (``SERVER:TOOL``); without one they are tools of the program itself.
    ``labels`` says what a tool does, by its name: ``{"delete": {"destructive"}}``. ``tools`` and ``server_of`` are for hosts whose
    own tools are known (``known.agent_tools``). ``session`` is a session, or the name of one.
    """

    def __init__(
        self,
        monitor: Monitor,
        session: Session | str,
        *,
        server: str = "",
        labels: Mapping[str, Collection[str]] | None = None,
        tools: Mapping[str, Tool] | None = None,
        server_of: Callable[[str], tuple[str, str] | None] | None = None,
        confirm: Confirm | None = None,
    ) -> None:
        self.monitor = monitor
        self.session = monitor.session(session) if isinstance(session, str) else session
        self._server, self._labels, self._tools = server, labels or {}, tools
        self._server_of, self._confirm = server_of, confirm

    def heard(self, text: str) -> None:
        """Take in what a person typed, and nothing that a program or a file says in that place."""
        self.session.heard(text)

    def ask(self, tool: str, arguments: Mapping[str, object]) -> PermittedCall | RefusedCall:
        """Whether a call may happen. Never raises."""
        try:
            found = self._decided(tool, arguments)
            if isinstance(found, RefusedCall) and found.denial is not None and self._confirm is not None:  # 3
                asked = AskedCall(tool=tool, arguments=arguments, denial=found.denial)
                if self._confirm(asked) is True:
                    found = self._decided(tool, arguments, agreed=True)
            return found
        except Exception as error:  # noqa: BLE001 - the border to a framework (5)
            return RefusedCall(text=_failed("call", error))

    def tell(self, call: PermittedCall, result: object) -> CallResult | RefusedCall:
        """What the model may be given of a result. Never raises."""
        try:
            value = result
            for permit in call.permits:  # 4
                settled = self.monitor.settle(permit, result)
                if not self.monitor.parts.guards.empty:
                    value = self.monitor.return_(settled)
            return CallResult(value=value)
        except Denied as denied:
            return RefusedCall(text=_refusal(denied.denial), denial=denied.denial)
        except Exception as error:  # noqa: BLE001 - the border to a framework (5)
            return RefusedCall(text=_failed("result", error))

    def _decided(
        self, tool: str, arguments: Mapping[str, object], *, agreed: bool = False
    ) -> PermittedCall | RefusedCall:
        several = self._operations(tool, arguments)
        permits: list[Permit] = []
        changed = False
        for one in several:  # 1
            found = self.monitor.decide(
                one.operation, one.values, self.session, labels=one.labels, source=one.source, agreed=agreed
            )
            if isinstance(found, Denial):
                return RefusedCall(text=_refusal(found), denial=found)
            changed = changed or found.values != dict(one.values)
            permits.append(found)
        if not changed:
            return PermittedCall(tool=tool, arguments=dict(arguments), permits=tuple(permits))
        if len(several) != 1 or several[0].values != arguments:  # 2
            return RefusedCall(
                text="sluicegate: a guard has changed what may flow, and this tool cannot be told"
            )
        return PermittedCall(tool=tool, arguments=dict(permits[0].values), permits=tuple(permits))

    def _operations(self, tool: str, arguments: Mapping[str, object]) -> list[ToolOperation]:
        if not isinstance(tool, str) or not tool:
            raise HookInputError("a tool has no name")
        if self._tools is not None:
            server = self._server_of(tool) if self._server_of is not None else None
            return operations_of(tool, arguments, self._tools, server)
        name = f"{self._server}:{tool}" if self._server else tool
        source = f"src:mcp:{name}" if self._server else ""
        return [ToolOperation(name, arguments, tuple(self._labels.get(tool, ())), source)]


def _refusal(denial: Denial) -> str:
    """A denial for the model: rule, reason and way forward, and no value."""
    return f"sluicegate refused this.\n{denial.render()}"


def _failed(what: str, error: Exception) -> str:
    """An error of ours, which says nothing of values: the messages of our own errors do not, and others are not shown."""
    why = str(error) if isinstance(error, (SluicegateError, HookInputError)) else type(error).__name__
    shown = "".join(c if c.isprintable() else "?" for c in why)
    return f"sluicegate refused this {what}, since it could not be decided: {shown}"
