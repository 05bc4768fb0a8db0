"""``sluicegate hook HOST``: one event of a host on standard input, and the answer in its words.

1. Whatever goes wrong here refuses, with a reason on standard error: most hosts run the tool when a hook fails. So does a
   deadline of our own, which is well before a host's: when that is over, a host runs the tool.
2. Nobody is ever allowed. What is permitted gets no answer, which leaves the host's own rules and questions in force.
3. A skill that vetting decides against is not loaded (``skills``). Before a tool every operation of it is decided on
   (``tool_operations``), in the order in which it does them; the first refusal counts.
4. After it, each is settled with the result. What settles nothing, because nobody was asked before, is taken in as what it is:
   from ``src:earlier``.
5. Prompts that a person has typed are the user's words, and nothing else is.
6. A session that goes on with what nobody has seen here has taken in something from ``src:earlier``. So has one of a sub-agent.
7. Copilot CLI reads the settings of Claude Code and calls its hooks, which is seen by the time that its events tell. They are read and
   answered as its own. Both hooks are then told the same, and what is the same is the same call (``session.runner_call``).
8. Where a host has no names for calls, a result that is told twice, or that nobody asked about, is decided on as a call of its own.
9. Settings that have changed are kept from being in force where our hooks would not be called any more.
"""

from __future__ import annotations

import os
import sys

from sluicegate.flow.daemon.client import answered, is_permit, with_packages
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.small_json import dumps, loads
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HookInputError, HostEvent
from sluicegate.reach.hooks.tool_operations import ToolOperation, operations_of

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn, Protocol

    from sluicegate.known.agent_tools import Tool

    class Host(Protocol):
        """The module of a host (``hosts``)."""

        TOOLS: Mapping[str, Tool]

        def read(self, event: Mapping[str, object]) -> HostEvent: ...
        def server(self, tool: str) -> tuple[str, str] | None: ...
        def refused(self, reason: str) -> HookAnswer: ...
        def withheld(self, reason: str) -> HookAnswer: ...


HOSTS = ("claude", "codex", "gemini", "copilot", "cursor", "opencode", "openclaw")
DEADLINE = 25.0
"""Seconds. The hosts are told to wait for a minute."""

STANDARD = "agent"
MOST_BYTES = 32 * 1024 * 1024
_REFUSED = 2
_SKILL = "src:skill:"


def answer_host(host: str) -> NoReturn:
    """Answer one event, and end the process."""
    answer = HookAnswer(_REFUSED, err="sluicegate: the hook has failed, so the call is refused")
    try:
        import _signal  # type: ignore[import-not-found]  # ``signal`` takes a tenth of a hook to import

        _signal.signal(_signal.SIGALRM, _late)
        _signal.setitimer(_signal.ITIMER_REAL, DEADLINE)  # 1
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        answer = (
            HookAnswer(_REFUSED, err=_failed("the event is too large"))
            if len(data) > MOST_BYTES
            else run(host, data)
        )
    except BaseException as error:  # noqa: BLE001 - the border: whatever is raised refuses
        answer = HookAnswer(_REFUSED, err=_failed(f"an error of its own ({type(error).__name__})"))
    _say(answer)


def run(host: str, data: bytes) -> HookAnswer:
    """The answer to an event, as it comes."""
    if host not in HOSTS:
        return HookAnswer(
            _REFUSED, err=f"sluicegate: there is no host {host!a}. There are: {', '.join(HOSTS)}"
        )
    spoken = _module(host)
    try:
        event = loads(data)
        if not isinstance(event, dict):
            raise HookInputError("it is not an object")
        if host == "openclaw" and "targetType" in event:
            with_packages()
            from sluicegate.reach.hooks.install_policy import answer_install

            return answer_install(event)
        if host == "claude" and "timestamp" in event:  # 7
            spoken = _module("copilot")
        found = spoken.read(event)
        _enter(event)
        return _answer(spoken, found)
    except (HookInputError, ValueError, RecursionError) as error:  # 1
        return HookAnswer(_REFUSED, err=_failed(f"the event cannot be read: {error}"))


def _module(host: str) -> Host:
    """The module of a host; one is imported, and the others are not."""
    name = f"sluicegate.reach.hooks.hosts.{host}"
    __import__(name)  # ``importlib`` is a module of its own
    found: Any = sys.modules[name]
    module: Host = found
    return module


def _enter(event: dict[str, object]) -> None:
    """Stand where the agent stands: paths are seen from there."""
    where = told.text(event, "cwd")
    if where:
        try:
            os.chdir(where)
        except OSError as error:
            raise HookInputError(f"its directory cannot be entered: {error.strerror}") from None


def _answer(spoken: Host, event: HostEvent) -> HookAnswer:
    if isinstance(event, AfterTool):
        return _after(spoken, event)
    if isinstance(event, BeforeTool):
        return _before(spoken, event)
    if isinstance(event, told.Prompt):
        ask = {"ask": "heard", "text": event.text, "if_first": not event.typed}  # 5
        heard = _taken(spoken, event, ask)
        return heard if heard.code or not event.files else _referred(spoken, event)
    if isinstance(event, told.ConfigChanged):  # 9
        with_packages()
        from sluicegate.reach.hooks.changed_settings import against as against_settings

        wrong = against_settings(event.path)
        return spoken.refused(f"sluicegate: {wrong}") if wrong else HookAnswer()
    if isinstance(event, told.Loaded):
        against = _against(event.source.removeprefix("/")) if event.label == "src:skill" else ""
        if against:
            return spoken.refused(against)
        return _taken(spoken, event, _took(event.text, event.source, event.label))
    if isinstance(event, told.Started) and event.resumed:
        return _taken(spoken, event, {"ask": "resumed"})  # 6
    return HookAnswer()


def _before(spoken: Host, event: BeforeTool) -> HookAnswer:
    if event.delegated:  # 6
        unseen = _taken(spoken, event, {"ask": "resumed"})
        if unseen.code:
            return unseen
    for name, one in _named(spoken, event):  # 3
        if one.source.startswith(_SKILL):
            against = _against(one.source.removeprefix(_SKILL))
            if against:
                return spoken.refused(against)
        reply = _asked(event, {"ask": "decide", "call": name, **_of(one)})
        said = loads(reply[1:])
        if not is_permit(reply):
            return spoken.refused(_text(said))
        if said["values"] != dict(one.values):
            return spoken.refused(
                "sluicegate: a guard has changed what may flow, and this host cannot be told to do something else"
            )
    return HookAnswer()  # 2


def _referred(spoken: Host, event: told.Prompt) -> HookAnswer:
    """The files that a prompt names are read, as by the agent; what is not a file comes from nobody knows where."""
    for name in event.files:
        if not os.path.isfile(os.path.expanduser(name)):  # noqa: PTH111, PTH113 - no ``pathlib`` here
            taken = _taken(spoken, event, _took(event.added, name, "src:earlier"))
            if taken.code:
                return taken
            continue
        read = {"operation": "read", "values": {"path": os.path.expanduser(name)}, "call": None}  # noqa: PTH111
        reply = _asked(event, {"ask": "decide", **read})
        if not is_permit(reply):
            return spoken.refused(_text(loads(reply[1:])))
        reply = _asked(event, {"ask": "settle-call", **read, "result": event.added})
        if reply[:1] != b"T":
            return spoken.refused(_text(loads(reply[1:])))
    return HookAnswer()


def _against(skill: str) -> str:
    """Why a skill is not to be loaded; empty where nothing is known against it."""
    with_packages()
    from sluicegate.reach.hooks.skills import refused

    why = refused(skill)
    return f"sluicegate: {why}" if why else ""


def _after(spoken: Host, event: AfterTool) -> HookAnswer:
    for name, one in _named(spoken, event):  # 4
        asked = {"ask": "settle-call", "call": name, "result": event.result, **_of(one)}
        reply = _asked(event, asked)
        said = loads(reply[1:])
        if name is None and reply[:1] == b"E" and said.get("code") == "session":  # 8
            if is_permit(_asked(event, {"ask": "decide", "call": None, **_of(one)})):
                reply = _asked(event, asked)
                said = loads(reply[1:])
        if reply[:1] == b"E" and said.get("code") == "session":
            reply = _asked(event, _took(event.result, one.operation, "src:earlier"))
            said = loads(reply[1:])
        if reply[:1] != b"T":
            return spoken.withheld(_text(said))
    return HookAnswer()


def _named(spoken: Host, event: BeforeTool) -> list[tuple[str | None, ToolOperation]]:
    """The operations of a call, each with a name of its own where the call has one."""
    several = operations_of(event.tool, event.given, spoken.TOOLS, spoken.server(event.tool))
    return [
        ((f"{event.call} {at}" if at else event.call) if event.call else None, one)
        for at, one in enumerate(several)
    ]


def _of(one: ToolOperation) -> dict[str, object]:
    return {
        "operation": one.operation,
        "values": one.values,
        "labels": one.labels,
        "source": one.source,
    }


def _took(value: object, source: str, label: str) -> dict[str, object]:
    return {"ask": "took-in", "value": value, "labels": [label], "source": source or "unknown"}


def _taken(spoken: Host, event: HostEvent, asked: dict[str, object]) -> HookAnswer:
    reply = _asked(event, asked)
    return HookAnswer() if reply[:1] == b"T" else spoken.refused(_text(loads(reply[1:])))


def _asked(event: HostEvent, what: dict[str, object]) -> bytes:
    """What flow answers. A session of an agent has the name that its host gives it, whichever program tells of it."""
    session = "".join(c if c.isalnum() or c in "-_." else "_" for c in event.session)[:150]
    asked = {"session": f"agent-{session}", "standard": STANDARD, **what}
    return answered(dumps(asked).encode())


def _text(said: dict[str, object]) -> str:
    """A denial or an error, for the model and for people."""
    if "text" in said:
        return f"sluicegate: {said['text']}"
    hint = f" ({said['hint']})" if said.get("hint") else ""
    return _failed(f"{said.get('message', 'no answer')}{hint}")


def _failed(why: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in why)
    return f"sluicegate: this is refused, since the hook has not decided: {shown}"


def _late(*_: object) -> NoReturn:
    _say(HookAnswer(_REFUSED, err=_failed(f"it took more than {DEADLINE:.0f} seconds")))


def _say(answer: HookAnswer) -> NoReturn:
    """Write an answer and end at once: what would still be done at the end could fail, or take too long."""
    code = answer.code
    try:
        for descriptor, text in ((1, answer.out), (2, answer.err)):
            left = text.encode("utf-8", "backslashreplace")
            while left:
                left = left[os.write(descriptor, left) :]
    except OSError:
        code = _REFUSED
    finally:
        os._exit(code)
