"""What is asked and what is answered: JSON, closed, and the same with and without a daemon.

    {"ask": "decide", "session": "chat-4711", "operation": "github:close_issue", "values": {"number": 17}}
    {"ask": "settle", "permit": "...", "result": {...}}
    {"ask": "settle-call", "session": "chat-4711", "call": "toolu_1", "values": {"number": 17}, "result": {...}}
    {"ask": "heard", "session": "chat-4711", "text": "what a person typed"}
    {"ask": "took-in", "session": "chat-4711", "value": {...}, "labels": ["src:file"], "source": "AGENTS.md"}

A decision that names its ``call`` is made once, and its permit is found again by that name (``session.runner_call``). A runner that
has no names says ``"call": null``, and asks to settle the same operation.

A reply is one byte, and JSON behind it: ``P`` a permit, ``D`` a denial, ``T`` taken in or settled, ``E`` an error. Only
``P`` permits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from sluicegate.errors import SluicegateError
from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.monitor.assembly import open_here
from sluicegate.flow.monitor.monitor import Monitor
from sluicegate.flow.session.permit import Permit
from sluicegate.flow.session.session import USER_SOURCE, Session
from sluicegate.flow.session.store import SessionError


class InSession(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of a session. ``standard``: the policy of ours that is in force where nobody has written one."""

    session: str
    standard: str = ""


class Decide(InSession, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="decide"):
    """``Monitor.decide``. ``labels`` are those that the tool's author declares, ``source`` is where results come from, ``call`` is
    what the runner calls it."""

    operation: str
    values: dict[str, Any]
    labels: tuple[str, ...] = ()
    source: str = ""
    call: str | None = ""


class Settle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="settle"):
    """``Monitor.settle``, with the token of a permit."""

    permit: str
    result: Any


class SettleCall(
    InSession, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="settle-call"
):
    """``Monitor.settle``, with the permit of a call that the runner has named, and the values that were used."""

    values: dict[str, Any]
    result: Any
    call: str | None = None
    operation: str = ""
    labels: tuple[str, ...] = ()
    source: str = ""


class SessionHeard(
    InSession, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="heard"
):
    """``Session.heard``: only what a person typed. ``if_first``: the runner does not say who typed it, and whoever began the
    session did, if nothing was heard before and nothing permitted; else it is taken in as a prompt of nobody's."""

    text: str
    if_first: bool = False


class TookIn(
    InSession, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="took-in"
):
    """``Session.took_in``."""

    value: Any
    labels: tuple[str, ...]
    source: str


class Resumed(
    InSession, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask", tag="resumed"
):
    """An agent goes on with what it took in before: where nothing is known of the session, nobody has seen what that was."""


Asked = Decide | Settle | SettleCall | SessionHeard | TookIn | Resumed
_requests = msgspec.json.Decoder(Asked)
_replies = msgspec.json.Encoder()


class _Log:
    """Takes what a monitor says to people, for the reply."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def write(self, text: str, /) -> object:
        self.said.append(text)
        return None


def answer(request: bytes) -> bytes:
    """The answer about the project of the current directory, under the environment of this process."""
    log = _Log()
    try:
        asked = _requests.decode(request)
        with open_here(
            program="daemon",
            log=lambda: log,
            session=_session(asked),
            cwd=Path.cwd(),
            standard="" if isinstance(asked, Settle) else asked.standard,
            runner=True,
        ) as monitor:
            kind, body = _answered(monitor, asked)
    except Denied as denied:
        kind, body = b"D", _denial(denied.denial)
    except SluicegateError as error:
        kind, body = b"E", {"code": error.code, "message": error.message, "hint": error.hint}
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        kind, body = b"E", {"code": "request", "message": f"the request is none: {error}"[:400], "hint": ""}
    return kind + _replies.encode({**body, "log": "".join(log.said)})


def _session(asked: Asked) -> str:
    """The session that is spoken of."""
    return Permit.read(asked.permit).session if isinstance(asked, Settle) else asked.session


def _answered(monitor: Monitor, asked: Asked) -> tuple[bytes, dict[str, object]]:
    match asked:
        case Decide():
            session = monitor.session(asked.session)
            found = monitor.decide(
                asked.operation,
                asked.values,
                session,
                labels=asked.labels,
                source=asked.source,
                call=_call(session, asked),
            )
            if isinstance(found, Denial):
                return b"D", _denial(found)
            return b"P", {"permit": found.token(), "values": found.values}
        case Settle():
            return b"T", {"labels": monitor.settle(asked.permit, asked.result).labels.names()}
        case SettleCall():
            session = monitor.session(asked.session)
            permit = session.permit_of(_call(session, asked), asked.values)
            if permit is None:
                raise SessionError(
                    "nobody has asked about this call", hint="ask before each call, and settle it by its name"
                )
            return b"T", {"labels": monitor.settle(permit, asked.result).labels.names()}
        case SessionHeard():
            session = monitor.session(asked.session)
            if asked.if_first and (session.look().grants or USER_SOURCE in session.sources):
                session.took_in(asked.text, "src:prompt", source="prompt")
            else:
                session.heard(asked.text)
        case TookIn():
            session = monitor.session(asked.session)
            session.took_in(asked.value, *asked.labels, source=asked.source)
        case Resumed():
            session = monitor.session(asked.session)
            look = session.look()
            if not look.taken and not look.grants:
                session.took_in("", "src:earlier", source="before")
    return b"T", {"labels": session.labels.names()}


def _call(session: Session, asked: Decide | SettleCall) -> str:
    """What the runner calls a call, or we do where it has no names."""
    if asked.call is not None:
        return asked.call
    done = isinstance(asked, SettleCall)
    return session.name_of_call(asked.operation, asked.values, asked.labels, asked.source, done=done)


def _denial(denial: Denial) -> dict[str, object]:
    return {"code": str(denial.code), "rule": denial.rule, "text": denial.render()}
