"""Offsets of bytes as offsets of characters."""

from __future__ import annotations

from collections.abc import Iterable


def in_characters(data: bytes, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of UTF-8 as spans of its characters; their edges stand between characters."""
    spans = list(spans)
    if data.isascii():
        return spans
    at = count = 0
    of_byte: dict[int, int] = {}
    for byte in sorted({edge for span in spans for edge in span}):
        count += len(data[at:byte].decode("utf-8", "ignore"))
        at, of_byte[byte] = byte, count
    return [(of_byte[start], of_byte[end]) for start, end in spans]
