"""``@mlld.audit`` (``@sluicegate.audit``): a script asks the ledger.

1. ``why(@x)`` is what a value follows from, nearest first; ``history(@x)`` the events that it comes from directly. Given a text that
   comes from no event (a path, a name, an operation, the number of none), both are about the last event of that name. ``signed()`` and
   ``blessed()`` list what was.
2. An answer has the labels of whatever it may tell of: of all values that the ledger has events about; of all conditions that
   this run has asked so far, since which events there are tells how they came out, whichever way they went (``control``); and
   of what is asked about.
3. Numbers and ids of events are not given: they count those that nobody may know of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow.labels import Labels, events_of, head
from sluicegate.flow.values import Labeled, asked
from sluicegate.record.errors import RecordError
from sluicegate.script.evaluate.callables import SpecialValue
from sluicegate.script.evaluate.contents.texts import kind_of
from sluicegate.script.evaluate.control import settled, within
from sluicegate.script.evaluate.faults import ScriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sluicegate.record.ledger.query import History, LedgerEntry
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import Value

    LoadHistory = Callable[[], History | None]

QUERIES: Final = ("why", "history", "signed", "blessed")
_MOST: Final = 10_000


class LedgerQuery(SpecialValue):
    """A question to the ledger that can be called."""

    __slots__ = ("load", "word")

    def __init__(self, word: str, load: LoadHistory) -> None:
        self.word, self.load = word, load

    def __str__(self) -> str:
        return f"<audit.{self.word}>"


def queries(load: LoadHistory) -> Value:
    """What ``@mlld`` is."""
    return Labeled({"audit": Labeled({word: Labeled(LedgerQuery(word, load)) for word in QUERIES})})


def ask(run: Run, query: LedgerQuery, given: tuple[Value, ...]) -> Value:
    """Answer a question. Raises ScriptError."""
    wanted = int(query.word in ("why", "history"))
    if len(given) != wanted:
        raise ScriptError("bad-argument", f"`{query.word}` takes {wanted} arguments, and gets {len(given)}")
    history = _loaded(run, query)
    if history is None:
        return Labeled([], run.conditions.labels)
    values, _ = history.labels()
    labels = Labels.of(*(name for name in values if head(name) != "dir")) | run.conditions.labels
    if not given:
        from sluicegate.record.ledger.events import Bless, Sign

        found = history.of_kind(Sign if query.word == "signed" else Bless)
        return _told(run, found, labels)
    about = given[0]
    return settled(run, within(run, about.labels, lambda: _about(run, query, history, about, labels)))


def _loaded(run: Run, query: LedgerQuery) -> History | None:
    ledger = run.monitor.parts.ledger
    try:
        if ledger is not None:
            ledger.flush()
        return query.load()
    except RecordError as error:
        raise ScriptError(
            "no-ledger", f"the ledger cannot be read: {error.message}", hint=error.hint
        ) from None


def _about(run: Run, query: LedgerQuery, history: History, about: Value, labels: Labels) -> Value:
    """What there is about a value, or by the name that it is (1)."""
    ids = events_of(about.trail)
    by_id = {str(entry.id): entry for entry in history.entries.values()}
    entries = [by_id[each] for each in ids if each in by_id]
    if not entries:
        entries = _named(run, query, history, asked(about))
    if query.word == "history":
        return _told(run, entries, labels)
    nodes: dict[int, LedgerEntry] = {}
    for entry in entries:
        nodes.update((seq, node.entry) for seq, node in history.why(entry).items())
    return _told(run, list(nodes.values()), labels)


def _named(run: Run, query: LedgerQuery, history: History, what: Any) -> list[LedgerEntry]:
    from sluicegate.record.ledger.query import NotFound

    if not isinstance(what, str):
        raise ScriptError(
            "wrong-type",
            f"`{query.word}` takes a value that comes from an event, or a name, not {kind_of(what)}",
        )
    if not what.strip() or what.isdigit():
        return []
    folder = run.monitor.parts.cwd
    try:
        found = history.about(what, directory=folder, root=folder)
    except NotFound:
        return []
    return list(found) if query.word == "history" else [found[-1]]


def _told(run: Run, entries: Sequence[LedgerEntry], labels: Labels) -> Value:
    """Events as a script sees them (3)."""
    from sluicegate.record.ledger.describe import headline

    made: list[dict[str, Any]] = [
        {
            "event": type(entry.event).__name__.lower(),
            "ts": entry.ts,
            "what": headline(entry.event),
            "var": getattr(entry.event, "var", ""),
            "authentic": entry.authentic,
        }
        for entry in entries[:_MOST]
    ]
    run.budget.making(sum(len(each["what"]) + 100 for each in made))
    return Labeled(made, labels)
