"""The lists of all servers as one: names that two servers have are prefixed, and what is stopped is left out.

1. A list is asked for page by page to its end. What is shown is one page, in a fixed order.
2. A tool or prompt keeps its name where no other server has one that reads the same; else all of them are called ``SERVER__NAME``.
   One whose own name is such a name of another is left out; stopped are two of one server that have one name.
3. A resource that two servers claim is read from neither.
4. Entries are compared with their pins before they are shown or called (``Examine``). What came of that holds until the list is
   asked for again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Raw, Struct, field

from sluicegate.patterns import late
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.happenings import Command, EntriesExamined, Examine, Notice, TakeIn
from sluicegate.reach.mcp.gateway.http.message_headers import Repeats, repeats_of
from sluicegate.reach.mcp.gateway.upstream import Answer, NoReply, Upstream

MOST_ENTRIES: Final = 10_000
MOST_PAGES: Final = 1_000
_NAME: Final = late(r"[A-Za-z0-9_./-]{1,128}", re.ASCII)


class ListKind(Struct, frozen=True):
    """A kind of list: its method, the field that holds it, what names an entry, and the capability of a server that has it."""

    method: str
    field: str
    named: str
    capability: str
    pinned: bool
    prefixed: bool


TOOLS = ListKind("tools/list", "tools", "name", "tools", pinned=True, prefixed=True)
PROMPTS = ListKind("prompts/list", "prompts", "name", "prompts", pinned=True, prefixed=True)
RESOURCES = ListKind("resources/list", "resources", "uri", "resources", pinned=False, prefixed=False)
TEMPLATES = ListKind(
    "resources/templates/list", "resourceTemplates", "uriTemplate", "resources", pinned=True, prefixed=False
)
KINDS: Final = {kind.method: kind for kind in (TOOLS, PROMPTS, RESOURCES, TEMPLATES)}


class ListedEntry(Struct, frozen=True):
    """An entry of a list. ``shown`` is its name for the client; ``stopped`` why it is not to be used; ``repeats``: the headers that
    repeat arguments of a tool."""

    server: str
    name: str
    shown: str
    entry: Mapping[str, Any]
    stopped: str = ""
    repeats: Repeats = field(default_factory=dict)


class _OfServer(Struct):
    """What one server listed; ``rest`` are the other fields of its answer."""

    entries: dict[str, Mapping[str, Any]]
    rest: Mapping[str, Any]
    stopped: dict[str, str]
    hidden: frozenset[str]
    fresh: bool = True
    error: Raw | None = None


class WholeList(Struct, frozen=True):
    """A list of all servers, by the names that the client knows. ``rest``: the other fields of the answer; ``complete``: whether
    nothing was left out or renamed. ``error``: of the one server there is, or of all; ``missing``: servers that did not answer."""

    found: Mapping[str, ListedEntry]
    rest: Mapping[str, Any]
    complete: bool
    error: Raw | None
    missing: tuple[str, ...] = ()


class Catalogue:
    """The lists of all servers, and asking for them."""

    def __init__(
        self,
        servers: Mapping[str, Upstream],
        emit: Callable[[Command], None],
        new_key: Callable[[Callable[[Any], None]], int],
    ) -> None:
        self._servers, self._emit, self._new_key = servers, emit, new_key
        self._of: dict[tuple[str, str], _OfServer] = {}
        self._whole: dict[str, WholeList] = {}
        self._waiting: dict[str, list[Callable[[WholeList], None]]] = {}

    def stale(self, server: str, methods: Iterable[str] = tuple(KINDS)) -> None:
        """A server says that its lists are others now, or has ended."""
        for method in methods:
            found = self._of.get((server, method))
            if found is not None:
                found.fresh = False
            self._whole.pop(method, None)

    def known(self, kind: ListKind) -> WholeList | None:
        """The list, if it was asked for and nothing has changed since."""
        return self._whole.get(kind.method)

    def ask(
        self, kind: ListKind, meta: Mapping[str, Any], then: Callable[[WholeList], None], *, anew: bool
    ) -> None:
        """Have the list; ``anew``: ask every server again."""
        known = self.known(kind)
        if known is not None and not anew:
            then(known)
            return
        waiting = self._waiting.setdefault(kind.method, [])
        waiting.append(then)
        if len(waiting) > 1:
            return
        asked = [
            server
            for name, server in self._servers.items()
            if _may_have(server, kind) and (anew or not self._is_fresh(name, kind))
        ]
        left = {server.name for server in asked}

        def done(name: str, found: _OfServer) -> None:
            self._of[name, kind.method] = found
            left.discard(name)
            if not left:
                self._complete(kind)

        if not asked:
            self._complete(kind)
        for server in asked:
            _Listing(self, server, kind, meta, done).page(None)

    def _is_fresh(self, name: str, kind: ListKind) -> bool:
        found = self._of.get((name, kind.method))
        return found is not None and found.fresh

    def _complete(self, kind: ListKind) -> None:
        several = {
            name: found for name in self._servers if (found := self._of.get((name, kind.method))) is not None
        }
        whole = merged(kind, several)
        if all(each.fresh and each.error is None for each in several.values()):
            self._whole[kind.method] = whole
        for then in self._waiting.pop(kind.method, ()):
            then(whole)

    def examine(
        self, server: str, kind: ListKind, entries: dict[str, Mapping[str, Any]],
        rest: Mapping[str, Any], twice: Sequence[str], done: Callable[[str, _OfServer], None],
    ) -> None:  # fmt: skip
        """Compare what a server listed with what is pinned (4)."""
        stopped = dict.fromkeys(twice, f"the server {server} has two of this name")

        def examined(found: Any) -> None:
            answer: EntriesExamined = found
            done(server, _OfServer(entries, rest, {**answer.stopped, **stopped}, answer.hidden))

        if kind.pinned:
            self._emit(Examine(self._new_key(examined), server, kind.field, entries))
            return
        if entries:
            self._emit(TakeIn(f"{server}:{kind.field}", list(entries.values())))
        done(server, _OfServer(entries, rest, dict(stopped), frozenset()))

    def notice(self, text: str) -> None:
        """Tell whoever runs the gateway."""
        self._emit(Notice(text))


class _Listing:
    """Asking one server for one list, to its end (1)."""

    def __init__(
        self, catalogue: Catalogue, server: Upstream, kind: ListKind, meta: Mapping[str, Any],
        done: Callable[[str, _OfServer], None],
    ) -> None:  # fmt: skip
        self.catalogue, self.server, self.kind, self.meta, self.done = catalogue, server, kind, meta, done
        self.entries: dict[str, Mapping[str, Any]] = {}
        self.twice: list[str] = []
        self.rest: Mapping[str, Any] | None = None
        self.pages = self.size = self.unusable = 0

    def page(self, cursor: str | None) -> None:
        params: dict[str, Any] = {"_meta": self.meta} if self.meta else {}
        if cursor is not None:
            params["cursor"] = cursor
        self.pages += 1
        self.server.ask(self.kind.method, messages.encoded(params), self.answered)

    def answered(self, answer: Answer) -> None:
        if isinstance(answer, NoReply):
            self.failed(messages.error(messages.INTERNAL_ERROR, answer.why))
            return
        if answer.result is None:
            self.failed(answer.error)
            return
        self.size += len(bytes(answer.result))
        try:
            found = messages.members(answer.result)
            several = found.pop(self.kind.field, None)
            cursor = found.pop("nextCursor", None)
            if not isinstance(several, list) or not isinstance(cursor, str | None):
                raise ValueError("it is not a list")
        except ValueError as error:
            self.failed(
                messages.error(
                    messages.INTERNAL_ERROR,
                    f"the server {self.server.name} answered {self.kind.method} with what cannot be read: {error}",
                )
            )
            return
        if self.rest is None:
            self.rest = found
        for entry in several:
            self.add(entry)
        if cursor is None:
            if self.unusable:
                self.catalogue.notice(
                    f"{self.server.name}: {self.unusable} entries of {self.kind.method} have names that cannot be used, and are left out"
                )
            self.catalogue.examine(
                self.server.name, self.kind, self.entries, self.rest, self.twice, self.done
            )
        elif len(self.entries) > MOST_ENTRIES or self.pages >= MOST_PAGES or self.size > messages.MOST_BYTES:
            self.failed(
                messages.error(messages.INTERNAL_ERROR, f"the server {self.server.name} lists without end")
            )
        else:
            self.page(cursor)

    def add(self, entry: object) -> None:
        name = entry.get(self.kind.named) if isinstance(entry, dict) else None
        right = isinstance(name, str) and (
            _NAME.fullmatch(name) is not None if self.kind.prefixed else 0 < len(name) <= 8_000
        )
        if not isinstance(entry, dict) or not isinstance(name, str) or not right:
            self.unusable += 1
        elif name in self.entries:
            self.twice.append(name)
        else:
            self.entries[name] = entry

    def failed(self, error: Raw | None) -> None:
        found = error or messages.error(messages.INTERNAL_ERROR, "no answer")
        self.done(self.server.name, _OfServer({}, {}, {}, frozenset(), fresh=False, error=found))


def _may_have(server: Upstream, kind: ListKind) -> bool:
    return server.capabilities is None or kind.capability in server.capabilities


def merged(kind: ListKind, several: Mapping[str, _OfServer]) -> WholeList:
    """One list of those of all servers (2, 3)."""
    count = Counter(
        _reads(name) for each in several.values() for name in each.entries if name not in each.hidden
    )
    twins = {
        f"{server}__{name}"
        for server, each in several.items()
        for name in each.entries
        if count[_reads(name)] > 1
    }
    found: dict[str, ListedEntry] = {}
    complete = True
    for server, each in several.items():
        complete = complete and not each.hidden
        for name in sorted(each.entries):
            if name in each.hidden:
                continue
            stopped, shown, entry = each.stopped.get(name, ""), name, each.entries[name]
            if kind.prefixed and count[_reads(name)] > 1:
                shown = f"{server}__{name}"
                entry = {**entry, kind.named: shown}
            elif kind.prefixed and name in twins:  # it would pass for the other one
                complete = False
                continue
            elif count[_reads(name)] > 1:
                stopped = stopped or "two servers claim it"
            complete = complete and not stopped and shown == name
            repeats = repeats_of(entry.get("inputSchema")) if kind is TOOLS else {}
            found[shown] = ListedEntry(server, name, shown, entry, stopped, repeats)
    errors = [each.error for each in several.values() if each.error is not None]
    rest: dict[str, Any] = {}
    for each in several.values():
        for key, value in each.rest.items():
            if key == "ttlMs" and isinstance(value, int) and isinstance(rest.get(key), int):
                rest[key] = min(rest[key], value)
            else:
                rest.setdefault(key, value)
    if "resultType" in rest and (not complete or len(several) > 1):
        rest["cacheScope"] = "private"
    return WholeList(
        found,
        rest,
        complete,
        errors[0] if errors and len(errors) == len(several) else None,
        tuple(name for name, each in several.items() if each.error is not None),
    )


def _reads(name: str) -> str:
    """What a name reads as: letters differ by more than their case."""
    return name.casefold()
