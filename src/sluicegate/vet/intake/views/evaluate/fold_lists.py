"""Text spelled item by item from constants: ``"".join(chr(c ^ 7) for c in codes)``, ``bytes(a ^ b for a, b in
zip(data, cycle(key)))``, ``"".join(table[i] for i in places)``, ``codes.map(c => String.fromCharCode(c - 3))``.

A program that carries its text so has the key with it, so that the text can be read without running anything.
"""

from __future__ import annotations

import re
from itertools import cycle
from typing import TYPE_CHECKING

from sluicegate.vet.intake.views.evaluate.fold_calls import LIST_MOST, SIZE_MOST, Value, spell
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.intake.views.evaluate.folding import ConstantFolder

_NAME = r"[A-Za-z_]\w{0,40}+"
_OPEN = r"\s*+[\[(]?\s*+(?:chr\(\s*+)?\(?\s*+"
_WITHIN = r"\s*+(?:[%&]\s*+(?:256|255|0[xX](?:[fF]{2}|100))\s*+)?\)?\s*+\)?\s*+for\s++"
"""What keeps a code within a byte, and what closes the item."""


def _code(name: str) -> str:
    return rf"(?:ord\(\s*+)?(?P<{name}>{_NAME})\s*+\)?"


_ONE_KEY = lazy(
    rf"{_OPEN}{_code('item')}\s*+(?:(?P<operation>[-+^])\s*+(?P<key>0[xX][0-9A-Fa-f]{{1,4}}|\d{{1,4}}|{_NAME})\s*+)?\)?"
    rf"{_WITHIN}(?P=item)\s++in\s++"
)
_KEYS = rf"(?:ord\(\s*+)?(?P<keys>{_NAME})\[\s*+(?P<at>{_NAME})\s*+%\s*+(?:len\(\s*+(?P=keys)\s*+\)|\d{{1,4}})\s*+\]\s*+\)?"
_ENUMERATED = lazy(
    rf"{_OPEN}{_code('item')}\s*+\^\s*+{_KEYS}\s*+\)?{_WITHIN}(?P=at)\s*+,\s*+(?P=item)\s++in\s++enumerate\(\s*+"
)
_INDEXED = lazy(
    rf"{_OPEN}(?:ord\(\s*+)?(?P<data>{_NAME})\[\s*+{_NAME}\s*+\]\s*+\)?\s*+\^\s*+{_KEYS}\s*+\)?"
    rf"{_WITHIN}(?P=at)\s++in\s++range\(\s*+len\(\s*+(?P=data)\s*+\)"
)
_PAIRED = lazy(
    rf"{_OPEN}{_code('item')}\s*+\^\s*+{_code('other')}\s*+\)?{_WITHIN}(?P=item)\s*+,\s*+(?P=other)\s++in\s++zip\(\s*+"
)
_CYCLE = lazy(r"\s*+,\s*+(?:itertools\.)?cycle\(\s*+")
_TABLE = lazy(rf"\s*+\[?\s*+(?P<table>{_NAME})\[\s*+(?P<place>{_NAME})\s*+\]\s*+for\s++(?P=place)\s++in\s++")
_MAP_CHR = lazy(r"\s*+map\(\s*+chr\s*+,\s*+")
_FOR = lazy(r"[^\n\"'#]{0,160}?\sfor\s|\s*+map\(")
_SCRIPT_MAP = lazy(
    r"\s*+\.\s*+map\(\s*+(?:\(?\s*+(?P<item>[A-Za-z_$][\w$]{0,40}+)\s*+\)?\s*+=>\s*+|function\s*+\(\s*+(?P<given>[A-Za-z_$][\w$]{0,40}+)\s*+\)\s*+\{\s*+return\s++)"
    r"String\.from(?:CharCode|CodePoint)\(\s*+(?P<used>[A-Za-z_$][\w$]{0,40}+)\s*+(?:(?P<operation>[-+^])\s*+(?P<key>0[xX][0-9A-Fa-f]{1,4}|\d{1,4})\s*+)?\)"
    r"\s*+;?\s*+\}?\s*+\)"
)
_SCRIPT_TABLE = lazy(
    r"\s*+\.\s*+map\(\s*+\(?\s*+(?P<place>[A-Za-z_$][\w$]{0,40}+)\s*+\)?\s*+=>\s*+(?P<table>[A-Za-z_$][\w$]{0,40}+)\[\s*+(?P=place)\s*+\]\s*+\)"
)


def spelled(folder: ConstantFolder, at: int, depth: int, separator: str = "") -> tuple[str, int] | None:
    """The text that a comprehension over constants spells, from after its opening bracket, and where it ends."""
    text = folder.text
    if not _FOR.match(text, at):
        return None
    if found := _TABLE.match(text, at):
        return _closed(folder, _from_table(folder, found, depth, separator), 0)
    if separator:
        return None
    if found := _MAP_CHR.match(text, at):
        return _closed(folder, _over(folder, found, depth), 1)
    if found := _ONE_KEY.match(text, at):
        key = _number(folder, found["key"]) if found["key"] else 0
        made = _over(folder, found, depth, operation=found["operation"] or "", key=key)
        return _closed(folder, made, 0) if key is not None else None
    if found := _ENUMERATED.match(text, at):
        return _closed(folder, _over(folder, found, depth, keys=folder.known.get(found["keys"])), 1)
    if found := _INDEXED.match(text, at):
        out = _unlocked(_codes(folder.known.get(found["data"])), folder.known.get(found["keys"]))
        return _closed(folder, (out, found.end()) if out is not None else None, 1)
    if found := _PAIRED.match(text, at):
        return _paired(folder, found, depth)
    return None


def mapped(folder: ConstantFolder, value: Value, at: int) -> tuple[list[Value], int] | None:
    """The letters that JavaScript's ``map`` makes of a list of codes, and where the call ends."""
    if (picked := _SCRIPT_TABLE.match(folder.text, at)) and isinstance(value, list):
        table = folder.known.get(picked["table"])
        if not isinstance(table, (str, list)):
            return None
        pieces = [table[n] for n in value if isinstance(n, int) and 0 <= n < len(table)]
        return (pieces, picked.end()) if len(pieces) == len(value) else None
    found = _SCRIPT_MAP.match(folder.text, at)
    if not found or found["used"] != (found["item"] or found["given"]) or not isinstance(value, list):
        return None
    text = spell(value, found["operation"] or "", int(found["key"] or "0", 0))
    return (list(text), found.end()) if text is not None else None


def _number(folder: ConstantFolder, key: str) -> int | None:
    if key[0].isdigit():
        return int(key, 16) if key[:2] in ("0x", "0X") else int(key)
    known = folder.known.get(key)
    return known if isinstance(known, int) else None


def _codes(value: Value) -> list[Value] | bytes | None:
    if isinstance(value, str):
        return [ord(c) for c in value[:SIZE_MOST]]
    return value if isinstance(value, (list, bytes)) and len(value) <= LIST_MOST else None


def _unlocked(codes: list[Value] | bytes | None, key: Value) -> str | None:
    """The codes, each changed by ``^`` with that of a key that is repeated."""
    keys = _codes(key)
    if not codes or not keys:
        return None
    pairs = list(zip(codes, cycle(keys), strict=False))
    numbers = [a ^ b for a, b in pairs if isinstance(a, int) and isinstance(b, int)]
    return spell([*numbers], "", 0) if len(numbers) == len(pairs) else None


def _iterated(folder: ConstantFolder, at: int, depth: int) -> tuple[list[Value] | bytes, int] | None:
    found = folder.expression(folder.skip(at, True), True, depth + 1)
    codes = _codes(found.value) if found else None
    return (codes, found.end) if found and codes is not None else None


def _over(
    folder: ConstantFolder,
    found: re.Match[str],
    depth: int,
    *,
    operation: str = "",
    key: int | None = 0,
    keys: Value = None,
) -> tuple[str, int] | None:
    codes = _iterated(folder, found.end(), depth)
    if codes is None or key is None:
        return None
    text = _unlocked(codes[0], keys) if keys is not None else _spell(codes[0], operation, key)
    return (text, codes[1]) if text is not None else None


def _spell(codes: list[Value] | bytes, operation: str, key: int) -> str | None:
    """As ``spell``, and within a byte where only that gives characters."""
    text = spell(codes, operation, key)
    if text is None and operation in ("+", "-"):
        signed = key if operation == "+" else -key
        text = spell([(c + signed) % 256 for c in codes if isinstance(c, int)], "", 0)
    return text


def _paired(folder: ConstantFolder, found: re.Match[str], depth: int) -> tuple[str, int] | None:
    codes = _iterated(folder, found.end(), depth)
    around = _CYCLE.match(folder.text, codes[1]) if codes else None
    keys = _iterated(folder, around.end(), depth) if around else None
    if codes is None or keys is None:
        return None
    text = _unlocked(codes[0], [*keys[0]])
    return _closed(folder, (text, keys[1]), 2) if text is not None else None


def _from_table(
    folder: ConstantFolder, found: re.Match[str], depth: int, separator: str
) -> tuple[str, int] | None:
    table = folder.known.get(found["table"])
    places = _iterated(folder, found.end(), depth)
    if places is None or not isinstance(table, (str, list)):
        return None
    size = len(table)
    pieces = [table[n] for n in places[0] if isinstance(n, int) and -size <= n < size]
    texts = [piece for piece in pieces if isinstance(piece, str)]
    whole = len(texts) == len(places[0]) and sum(len(t) + len(separator) for t in texts) <= SIZE_MOST
    return (separator.join(texts), places[1]) if whole else None


def _closed(folder: ConstantFolder, made: tuple[str, int] | None, brackets: int) -> tuple[str, int] | None:
    """The same behind what closes the calls around the constants, a list, and the call that reads it."""
    if made is None or len(made[0]) > SIZE_MOST:
        return None
    end = folder.skip(made[1], True)
    for mark in ")" * brackets + "])":
        if folder.text[end : end + 1] == mark:
            closes = mark == ")" and folder.text[made[1] : end].count(")") >= brackets
            end = end + 1 if closes else folder.skip(end + 1, True)
    return made[0], end
