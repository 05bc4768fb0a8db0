"""What can be taken out of the queue, so that it does not grow for ever: nothing that anything rests on.

1. An item on which nobody ruled, that was queued before a day, and only when that is asked for: the skill stays as it was
   decided, and the next scan or review of the same queues it again. An item on which a ruling holds stays.
2. An approval that a later ruling by the same key on the same docket replaced; and a rejection that has ended and that a
   later rejection replaced. Another stays: it ends earlier approvals of the same content, and when the key of a later approval
   is revoked, it counts again. Keys and not persons are compared: whose a key is, and whether it counts, can be other tomorrow.
3. The newest ruling of each key on each docket stays, also one that has ended: without it, an older one that comes from
   another machine would count.
4. Flags stay, and so does every ruling that cannot be read here: the key that signed it may be trusted tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.queue.statements import SignedRuling
from sluicegate.vet.rulings import last_day


class Prunable(NamedTuple):
    """What can be taken out: the dockets of items, and the digests of signed rulings."""

    items: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


def replaced(rulings: Iterable[SignedRuling], before: int) -> Iterator[str]:
    """The digests of the rulings that can be taken out; ``before`` in seconds. ``rulings`` are all that can be read."""
    every = tuple(rulings)
    day = datetime.fromtimestamp(before, UTC).date()
    newest: dict[tuple[str, str], str] = {}
    rejected: dict[tuple[str, str], str] = {}
    for each in every:
        newest[_of(each)] = max(newest.get(_of(each), ""), each.statement.time)
        if not each.statement.approves:
            rejected[_of(each)] = max(rejected.get(_of(each), ""), each.statement.time)
    for each in every:
        if each.statement.time == newest[_of(each)]:  # 3
            continue
        rejected_again = each.statement.time < rejected.get(_of(each), "")
        if each.statement.approves or (_ended(each, day) and rejected_again):  # 2
            yield each.digest


def _of(each: SignedRuling) -> tuple[str, str]:
    return each.statement.docket, each.statement.key


def _ended(each: SignedRuling, day: date) -> bool:
    last = last_day(each.statement.expires)
    return last is not None and last < day
