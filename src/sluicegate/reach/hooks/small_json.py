"""JSON for a hook: what ``json`` reads and writes, by the part of it that is written in C, without ``re`` and what that imports.

A hook starts before each call of a tool, and ``import json`` takes a quarter of it. The parts in C are not documented. So
wherever one of them is missing, is called otherwise, or does not like what it is given, ``json`` does it, and says what is
wrong. What both give is the same; a test compares.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing
if TYPE_CHECKING:
    from typing import Any


_OTHERWISE = (ImportError, AttributeError, TypeError, ValueError, StopIteration, RecursionError)
"""Then ``json`` does it. What is wrong with a text or a value, it finds as well, and says it in its words."""


class _Settings:
    """What ``json.JSONDecoder`` tells its scanner where nobody asks for anything else."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner in C has one of its own


def loads(data: bytes) -> Any:
    """What a JSON text says. Raises ValueError and RecursionError, as ``json.loads``."""
    if data[:1] == b"{" and data[1:2] != b"\0":  # else it may be another encoding than UTF-8
        try:
            import _json

            text = data.decode("utf-8", "surrogatepass")
            found, end = _json.make_scanner(_Settings)(text, 0)  # type: ignore[arg-type]
            if not text[end:].strip(" \t\n\r"):
                return found
        except _OTHERWISE:
            pass
    import json

    return json.loads(data)


def dumps(value: object) -> str:
    """A value as JSON. Raises ValueError, TypeError and RecursionError, as ``json.dumps``."""
    try:
        import _json

        write = _json.make_encoder(
            {}, _unknown, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True
        )
        return "".join(write(value, 0))
    except _OTHERWISE:
        import json

        return json.dumps(value)


def _unknown(value: object) -> object:
    raise TypeError
