"""Parse hostile JavaScript and TypeScript within bounds that do not depend on the clock.

The parser's repair of broken text, and its search among readings of ``<`` in TypeScript, take time and memory
that grow with the square of the text (24 KB of ``)!&>}`` take 17 s). It reports its progress by a count of
operations, which is the same on every machine: a text that takes more of them than code does is cut into short
pieces, and each piece is given a few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

REPORTS = 100
"""Reports of progress that every text is given, and one more for each ``BYTES`` bytes; code needs one for 40."""
BYTES = 25
REPAIR = 150
"""Reports after the first error; enough for 6 KB of text that is wrong from its first line."""
WHOLE = 16 * 1024
"""Bytes that are parsed at once; a longer text is cut between its statements, and nowhere else."""
PIECE = 4096
"""Bytes of a piece of what took too long."""
LONGER = 16
"""How many times longer a piece may be that cannot be cut before a mark."""
LONG, SHORT = 8, 2
"""How many times the bytes of a piece with errors count: more than ``PIECE`` bytes long, and shorter."""
ANGLES = 800
"""Opening angle brackets above which TypeScript is read with the grammar of JavaScript, which has one reading."""

_TOP = lazy(rb"\n(?=[A-Za-z_$@/(])")
_LINE = lazy(rb"\n")


class Pieces:
    """Parses texts one after the other. ``left`` bounds their bytes; those that do not parse count many times."""

    def __init__(self, left: int) -> None:
        self.left = left

    def trees(self, source: bytes, kind: Kind) -> Iterator[tuple[Tree | None, int, bytes]]:
        """The trees of the pieces of a text, with the offset and text of each; None for one not parsed."""
        if kind is Kind.TYPESCRIPT and source.count(b"<") > ANGLES:
            kind = Kind.JAVASCRIPT
        parser = _parser(kind)
        for at, piece in _cut(source, 0, WHOLE, _TOP):
            tree = self._tree(parser, piece)
            if tree is not None or len(piece) <= PIECE:
                yield tree, at, piece
                continue
            yield None, at, b""  # what runs over a cut is not seen
            for inner, part in _cut(piece, at, PIECE, _LINE):
                yield self._tree(parser, part), inner, part

    def _tree(self, parser: Parser, piece: bytes) -> Tree | None:
        if self.left <= 0:
            return None
        tree = _bounded(parser, piece)
        broken = tree is None or tree.root_node.has_error
        self.left -= len(piece) * (1 if not broken else SHORT if len(piece) <= PIECE else LONG)
        return tree


def _cut(source: bytes, base: int, most: int, mark: re.Pattern[bytes]) -> Iterator[tuple[int, bytes]]:
    """Pieces of at most ``most`` bytes, cut before a mark in the last half; one without a mark there is longer."""
    at = 0
    while at < len(source):
        end = at + most
        if end < len(source):
            marks = [found.start() + 1 for found in mark.finditer(source, at + most // 2, end)]
            later = None if marks else mark.search(source, end, at + most * LONGER)
            end = marks[-1] if marks else later.start() + 1 if later is not None else at + most * LONGER
        yield base + at, source[at:end]
        at = end


def _bounded(parser: Parser, source: bytes) -> Tree | None:
    """The tree, or None when it takes more operations than code of this length does."""
    most = REPORTS + len(source) // BYTES
    reports = repairs = 0

    def progress(_offset: int, has_error: bool) -> bool:
        nonlocal reports, repairs
        reports += 1
        repairs += has_error
        return reports > most or repairs > REPAIR

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + 65_536]

    try:
        return parser.parse(read, progress_callback=progress)
    except ValueError:  # how the binding says that parsing was stopped
        parser.reset()
        return None


@cache
def _parser(kind: Kind) -> Parser:
    from tree_sitter import Language, Parser  # only when a text of the language is there

    if kind is Kind.TYPESCRIPT:
        import tree_sitter_typescript

        return Parser(Language(tree_sitter_typescript.language_tsx()))
    import tree_sitter_javascript

    return Parser(Language(tree_sitter_javascript.language()))
