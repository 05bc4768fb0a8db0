"""Frames: quoted text between two lines that hold a boundary, which nothing inside can hold.

1. The boundary is made of a digest of the content, of a nonce that whoever asks chooses for each request, and of a count.
2. It is looked for in the content; where it stands there, the count goes up by one, and it is made anew.
3. Each row of a frame begins with its own margin, so that none of them begins as a line of ours does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.tokens import estimate

DIGITS = 32
_UNKNOWN = "0" * DIGITS


class Said(NamedTuple):
    """Lines of ours. They hold nothing that the skill wrote."""

    text: str


class QuotedRow(NamedTuple):
    """One row of a frame: its text (visible, masked), its line, and whether a finding is about it.

    ``line`` is 0 for what has no number. ``goes_on``: the row is more of the line of the row before it.
    """

    text: str
    line: int = 0
    marked: bool = False
    goes_on: bool = False


class Quote(NamedTuple):
    """A frame: what it holds, in words of ours, and its rows, which are the skill's."""

    label: str
    rows: tuple[QuotedRow, ...]


Part = Said | Quote


class Framed(NamedTuple):
    """A package as a model reads it."""

    boundary: str
    text: str


def framed(parts: Sequence[Part], content: str, nonce: str) -> Framed:
    """The parts as one text. ``content`` is the digest of them that ``digest_of`` gives."""
    quoted = [row.text for part in parts if isinstance(part, Quote) for row in part.rows]
    count = 0
    while True:
        boundary = _boundary(content, nonce, count)  # 1
        if not any(boundary in text for text in quoted):  # 2
            return Framed(boundary=boundary, text=_rendered(parts, boundary))
        count += 1


def _boundary(content: str, nonce: str, count: int) -> str:
    said = f"sluicegate-boundary-1\0{content}\0{len(nonce)}\0{nonce}\0{count}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def digest_of(role: str, parts: Sequence[Part]) -> str:
    """A digest of what a package says and quotes, whatever boundary it will have."""
    return hashlib.sha256(f"{role}\n{_rendered(parts, _UNKNOWN)}".encode()).hexdigest()


def tokens_of(parts: Sequence[Part]) -> int:
    """The estimated tokens of the parts in their frames."""
    return estimate(_rendered(parts, _UNKNOWN))


def _rendered(parts: Sequence[Part], boundary: str) -> str:
    lines: list[str] = []
    number = 0
    for part in parts:
        if isinstance(part, Said):
            lines.append(part.text)
            continue
        number += 1
        lines.append(f"=== begin {boundary} {number}: {part.label} ===")
        lines += map(_row, part.rows)
        lines.append(f"=== end {boundary} {number} ===")
    return "\n".join(lines) + "\n"


def _row(row: QuotedRow) -> str:
    """3: a mark, a number or a sign that the line goes on, and a bar before the text."""
    number = "+" if row.goes_on else str(row.line) if row.line else ""
    return f"{'>' if row.marked else ' '}{number:>6} | {row.text}".rstrip(" ")
