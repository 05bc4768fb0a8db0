"""What the client asks of a server and flow decides: before it is sent, and when the answer is there.

1. How often may it be called? The place is reserved before anything else, and is not given back.
2. ``decide``. What is refused is answered at once; nothing reaches the server.
3. What is sent has the values of the permit, and is written anew.
4. Whatever comes of it is settled: an answer, an error, the end of the server, nothing in time. Only then does the client
   have it, unless it is withheld.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Raw, Struct, field

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    CallSettled,
    Command,
    TellFlow,
)
from sluicegate.reach.mcp.gateway.http.message_headers import Repeats, repeated
from sluicegate.reach.mcp.gateway.messages import Id, RpcReply
from sluicegate.reach.mcp.gateway.upstream import Answer, NoReply, Upstream


class CallLimit(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """How often tools may be called. ``calls``: while the gateway runs."""

    calls: int | None = None
    per_minute: int | None = None


class JudgedCall(Struct, frozen=True):
    """One thing that the client wants. ``named`` is what it is called at the server; ``put`` makes the params of the values that
    may flow; ``what`` is the kind of text that comes back, for who looks through it. ``agreed``: a person has seen it and agreed;
    ``confirm`` asks one, if that can be done, and says whether it does. ``repeats``:
    the headers that repeat arguments."""

    client: Id
    server: Upstream
    method: str
    named: str
    values: Mapping[str, Any]
    put: Callable[[Mapping[str, Any]], dict[str, Any]]
    refuse: Callable[[Id, CallRefused], None]
    answer: Callable[[Id, RpcReply], None]
    labels: tuple[str, ...] = ()
    what: str = ""
    token: object = None
    agreed: bool = False
    confirm: Callable[[CallRefused, Callable[[bool], None]], bool] | None = None
    repeats: Repeats = field(default_factory=dict)


class CallLimits:
    """Places for calls, by server and pattern of names."""

    def __init__(self, of: Mapping[str, Mapping[str, CallLimit]]) -> None:
        self._of = of
        self._calls: dict[tuple[str, str], int] = {}
        self._recent: dict[tuple[str, str], deque[float]] = {}

    def reserve(self, server: str, name: str, now: float) -> str:
        """Take a place in each limit that holds of a tool; the rule where there is none left (1)."""
        held = [
            (pattern, limit)
            for pattern, limit in self._of.get(server, {}).items()
            if fnmatchcase(name, pattern)
        ]
        for pattern, limit in held:
            recent = self._recent.setdefault((server, pattern), deque())
            while recent and recent[0] <= now - 60:
                recent.popleft()
            if limit.per_minute is not None and len(recent) >= limit.per_minute:
                return f'limits."{pattern}".perMinute = {limit.per_minute}'
            if limit.calls is not None and self._calls.get((server, pattern), 0) >= limit.calls:
                return f'limits."{pattern}".calls = {limit.calls}'
        for pattern, limit in held:
            self._calls[server, pattern] = self._calls.get((server, pattern), 0) + 1
            if limit.per_minute is not None:
                self._recent[server, pattern].append(now)
        return ""


class Judging:
    """Asks flow before and tells it after."""

    def __init__(
        self,
        emit: Callable[[Command], None],
        new_key: Callable[[Callable[[Any], None]], int],
        limits: CallLimits,
        timeout: float,
    ) -> None:
        self._emit, self._new_key, self._limits, self._timeout = emit, new_key, limits, timeout

    def begin(self, one: JudgedCall) -> None:
        """Have it decided on, and do it."""
        rule = self._limits.reserve(one.server.name, one.named, one.server.now)  # 1
        if rule:
            text = f"Operation denied\n\n  Rule: {rule}\n\n  Reason: it was called as often as may be"
            one.refuse(one.client, CallRefused(0, text, "CALL_LIMIT", rule))
            return
        self._ask(one, agreed=one.agreed)

    def _ask(self, one: JudgedCall, *, agreed: bool) -> None:
        """Ask flow (2), and a person where flow says no and that may help."""
        name = f"{one.server.name}:{one.named}"

        def decided(found: Any) -> None:
            if isinstance(found, CallPermitted):
                self._send(one, found)
                return
            refused: CallRefused = found

            def answered(yes: bool) -> None:
                if yes:
                    self._ask(one, agreed=True)
                else:
                    one.refuse(one.client, refused)

            if agreed or one.confirm is None or not one.confirm(refused, answered):
                one.refuse(one.client, refused)

        key = self._new_key(decided)
        self._emit(AskFlow(key, name, one.values, one.labels, f"src:mcp:{name}", agreed))

    def _send(self, one: JudgedCall, given: CallPermitted) -> None:
        try:
            sent = one.put(given.values)
            params = messages.encoded(sent)  # 3
            headers = repeated(one.repeats, sent.get("arguments")) if one.repeats else None
        except ValueError as error:
            why = str(error)
            self.settle(
                given.permit, None, "", lambda _: one.refuse(one.client, CallRefused(0, why, "REQUEST"))
            )
            return
        one.server.ask(
            one.method,
            params,
            lambda answer: self._answered(one, given, answer),
            patience=self._timeout,
            client=one.client,
            token=one.token,
            headers=headers,
        )

    def _answered(self, one: JudgedCall, given: CallPermitted, answer: Answer) -> None:
        content: object
        if isinstance(answer, NoReply):
            reply = RpcReply(one.client, None, messages.error(messages.INTERNAL_ERROR, answer.why))
            content = None
        else:
            reply = answer
            try:
                found = messages.decoded(answer.error if answer.result is None else answer.result)
                content = content_of(found) if answer.result is not None else found
            except ValueError as error:
                reply = RpcReply(
                    one.client, None, messages.error(messages.INTERNAL_ERROR, f"the answer is none: {error}")
                )
                content = None

        def settled(withheld: str) -> None:
            if withheld:
                one.refuse(one.client, CallRefused(0, withheld, "WITHHELD"))
            else:
                one.answer(one.client, reply)

        self.settle(given.permit, content, one.what, settled)  # 4

    def settle(self, permit: object, content: object, what: str, then: Callable[[str], None]) -> None:
        """Tell what came of a permit."""

        def settled(found: Any) -> None:
            told: CallSettled = found
            then(told.withheld)

        self._emit(TellFlow(self._new_key(settled), permit, content, what))


def content_of(result: object) -> object:
    """What a result says, for policy: where it is structured, its fields, and behind them the texts.

    The fields stand at the top, as in a table of results of policy; texts have no fields. A result of one text that is JSON is
    structured, too: that is how servers of older revisions say it.
    """
    if not isinstance(result, dict) or not ("content" in result or "structuredContent" in result):
        return result
    blocks = result.get("content")
    texts = [
        each["text"] if isinstance(each, dict) and isinstance(each.get("text"), str) else _told(each)
        for each in (blocks if isinstance(blocks, list) else ())
    ]
    fields = result.get("structuredContent")
    if fields is None and len(texts) == 1 and isinstance(texts[0], str):
        fields = _as_json(texts[0])
        if fields is not None:
            return fields
    if fields is None:
        return texts
    several = fields if isinstance(fields, list) else [fields]
    rest = [text for text in texts if not (isinstance(text, str) and _as_json(text) == fields)]
    return fields if not rest else [*several, *rest]


def _told(block: object) -> object:
    """The texts of a block that is none itself, without their names: no field of it is one of policy's."""
    found: list[object] = []
    waiting = [block]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(value for key, value in one.items() if key not in ("data", "blob"))
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, str):
            found.append(one)
    return found


def _as_json(text: str) -> object:
    """The objects that a text says in JSON, if it does."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return messages.decoded(Raw(text.encode()))
    except (ValueError, UnicodeEncodeError):
        return None
