"""What the ledger says, drawn: the tree of what an event follows from, lists of events, and graphs for Graphviz."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import one_line, printable
from sluicegate.reach.report.text.columns import wrap
from sluicegate.record.ledger.describe import details, headline
from sluicegate.record.ledger.events import Denial

if TYPE_CHECKING:
    from sluicegate.record.ledger.query import LedgerEntry, Node

_WIDEST = 100
_LINES = 1000
_DEEPEST = 24


def _columns() -> int:
    return max(60, min(_WIDEST, shutil.get_terminal_size((80, 24)).columns))


def tree(nodes: Mapping[int, Node], root: int) -> list[str]:
    """The tree below ``root``, escaped. An event that stands in it twice is drawn once."""
    lines: list[str] = []
    drawn: set[int] = set()
    waiting = [(root, "", "", 0)]
    while waiting:
        if len(lines) > _LINES:
            lines.append(
                f"... and more: {len(nodes) - len(drawn)} events are not shown; --format json has all"
            )
            break
        number, first, rest, depth = waiting.pop()
        node = nodes[number]
        if number in drawn:
            lines.append(f"{first}#{number} (see above)")
            continue
        drawn.add(number)
        below = list(reversed(node.follows))  # what is nearest in time first
        if depth >= _DEEPEST and below:
            lines += _event(node.entry, first, rest, bar=False)
            lines.append(f"{rest}... more: sluicegate audit why {below[0]}")
            continue
        lines += _event(node.entry, first, rest, bar=bool(below))
        for at, child in enumerate(reversed(below)):
            last = at == 0
            waiting.append(
                (child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "), depth + 1)
            )
    return lines


def _event(entry: LedgerEntry, first: str, rest: str, *, bar: bool) -> Iterator[str]:
    columns = _columns()
    under = f"{rest}{'│  ' if bar else '   '}"
    mark = "" if entry.authentic else " [not authentic]"
    title = f"#{entry.seq} {one_line(headline(entry.event, below=os.path.realpath('.')))}{mark}"
    yield from wrap(title, columns, first=first, rest=f"{under}  ")
    yield f"{under}{entry.ts[:19].replace('T', ' ')}"
    for detail in details(entry.event):
        yield from wrap(one_line(detail), columns, first=under, rest=f"{under}  ")


def listing(entries: Sequence[LedgerEntry]) -> Iterator[str]:
    """One paragraph for each event, escaped, in order."""
    for entry in entries:
        yield from _event(entry, "", "", bar=False)


def lines(entries: Sequence[LedgerEntry]) -> Iterator[str]:
    """One line for each event, escaped, in order; longer ones go on below."""
    columns = _columns()
    digits = len(str(entries[-1].seq)) if entries else 1
    for entry in entries:
        mark = "" if entry.authentic else " [not authentic]"
        why = f" [{entry.event.code}]" if isinstance(entry.event, Denial) else ""
        title = one_line(f"{headline(entry.event, below=os.path.realpath('.'))}{why}{mark}")
        first = f"#{entry.seq:<{digits}} {entry.ts[:19].replace('T', ' ')} "
        yield from wrap(title, columns, first=first, rest=" " * len(first))


def dot(nodes: Mapping[int, Node]) -> str:
    """A graph for Graphviz: an arrow leads from each event to those that follow from it."""
    lines = ["digraph provenance {", "  rankdir=BT;", '  node [shape=box, fontname="sans-serif"];']
    for number in sorted(nodes):
        entry = nodes[number].entry
        text = [f"#{number} {headline(entry.event, below=os.path.realpath('.'))}", *details(entry.event)]
        lines.append(f'  n{number} [label="{_quoted(text)}"];')
        lines += [f"  n{origin} -> n{number};" for origin in nodes[number].follows]
    return "\n".join([*lines, "}"])


def _quoted(text: Sequence[str]) -> str:
    """Lines as the inside of a quoted DOT string, left-aligned; nothing in it ends the string or is markup."""
    plain = [printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in text]
    return "".join(f"{line}\\l" for line in plain)
