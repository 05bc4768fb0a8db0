"""Repetition in long texts: what repeats is searched once, and no match is lost.

Whoever repeats one word a million times wants a scanner to try at each of them. So blocks that have stood
before are blanked, and what was matched where they stood first is matched where they stand again:

1. A *window* is a block and the two in front of it. One that has been seen twice before is a repetition.
2. A block is blanked when all windows that it is part of are repetitions. So any bytes that are no longer than
   two blocks and are touched by a blank stand in a window that is one, and stood first where nothing is blank.
3. A match that begins in a window begins as well in every repetition of it: the same words may be an example
   in one place and an order in another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.near import Span

THIN = 1 << 15
"""Bytes from which on a text is made thin."""
BLOCK = 256


class Thinned(NamedTuple):
    """``data`` with line breaks in place of what is blanked; offsets stay.

    ``copies`` says, for the first of equal windows, where the repetitions are; a window has the number of its
    last block.
    """

    data: bytes
    copies: Mapping[int, Sequence[int]]

    def again(self, spans: Iterable[Span], most: int) -> list[Span]:
        """The spans of matches with those of the same bytes in repetitions, in order; ``most`` of them, if so many.

        Where less of a match is repeated than it is long, what is repeated of it stands for it.
        """
        found = dict(sorted(spans))  # of those that begin together, the longest
        for start, end in tuple(found.items()):
            for window in range(start // BLOCK, start // BLOCK + 3):
                for copy in self.copies.get(window, ()):
                    if len(found) >= most:
                        return sorted(found.items())
                    by = (copy - window) * BLOCK
                    stop = min(end, (window + 1) * BLOCK) + by
                    found[start + by] = max(stop, found.get(start + by, 0))
        return sorted(found.items())


def thinned(data: bytes) -> Thinned:
    """``data`` with its repetitions blanked, and where they are."""
    if len(data) < THIN:
        return Thinned(data, {})
    places: defaultdict[bytes, list[int]] = defaultdict(list)
    number = -(-len(data) // BLOCK)
    for window in range(number):
        places[data[max(0, window - 2) * BLOCK : (window + 1) * BLOCK]].append(window)
    copies = {seen[0]: seen[2:] for seen in places.values() if len(seen) > 2}
    if not copies:
        return Thinned(data, {})
    new = {window for seen in places.values() for window in seen[:2]}
    parts: list[bytes] = []
    for at in range(number):
        block = data[at * BLOCK : (at + 1) * BLOCK]
        kept = at in new or at + 1 in new or at + 2 in new
        parts.append(block if kept else b"\n" * len(block))
    return Thinned(b"".join(parts), copies)
