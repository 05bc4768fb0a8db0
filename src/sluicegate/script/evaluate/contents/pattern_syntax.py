"""How regular expressions are written, and the programs that they become."""

from __future__ import annotations

from typing import Final

from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.tuples import NamedTuple

LONGEST: Final = 10_000
"""Instructions of a program."""
_DEEPEST: Final = 50
_MOST_TIMES: Final = 1_000
_LAST: Final = 0x10FFFF

Range = tuple[int, int]


class One(NamedTuple):
    """Takes one character of these ranges, or, ``negated``, of none of them."""

    ranges: tuple[Range, ...]
    negated: bool
    fold: bool

    def accepts(self, char: str) -> bool:
        """Whether a character is one of them."""
        if self.fold:
            found = any(self._has(each) for each in {char, *_one(char.lower()), *_one(char.upper())})
        else:
            found = self._has(char)
        return found != self.negated

    def _has(self, char: str) -> bool:
        code = ord(char)
        return any(low <= code <= high for low, high in self.ranges)


def _one(text: str) -> str:
    return text if len(text) == 1 else ""


class Split(NamedTuple):
    """Goes on at two places, the first preferred."""

    first: int
    other: int


class Jump(NamedTuple):
    """Goes on elsewhere."""

    to: int


class Save(NamedTuple):
    """Notes the place in the text."""

    slot: int


class Assert(NamedTuple):
    """Goes on where this holds of the place."""

    kind: str


class Accept(NamedTuple):
    """The end of the pattern."""


Instruction = One | Split | Jump | Save | Assert | Accept

_DIGITS: Final[tuple[Range, ...]] = ((48, 57),)
_WORDS: Final[tuple[Range, ...]] = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACES: Final[tuple[Range, ...]] = ((9, 13), (32, 32), (0xA0, 0xA0), (0x2028, 0x2029))
_CLASSES: Final = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}


def compiled(source: str, flags: str) -> tuple[Instruction, ...]:
    """The program of a pattern. Raises ScriptError for what is none."""
    reader = _Reader(source, flags)
    body = reader.alternatives(0)
    if reader.at < len(source):
        raise reader.wrong("a `)` without its `(`")
    return (Save(0), *_moved(body, 1), Save(1), Accept())


def _moved(code: list[Instruction], by: int) -> list[Instruction]:
    """A piece of a program that begins so much further on."""
    made: list[Instruction] = []
    for each in code:
        if isinstance(each, Split):
            made.append(Split(each.first + by, each.other + by))
        elif isinstance(each, Jump):
            made.append(Jump(each.to + by))
        else:
            made.append(each)
    return made


class _Reader:
    """Where the reading of a pattern is."""

    def __init__(self, source: str, flags: str) -> None:
        self.source, self.flags = source, flags
        self.at = self.groups = 0

    def wrong(self, what: str, hint: str = "") -> ScriptError:
        """The error for what cannot be read."""
        return ScriptError("bad-pattern", f"a pattern holds {what}", hint=hint)

    def take(self, sign: str) -> bool:
        """Go on behind a sign, if it stands here."""
        if self.source.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def alternatives(self, depth: int) -> list[Instruction]:
        """``a|b``"""
        if depth > _DEEPEST:
            raise self.wrong(f"more than {_DEEPEST} groups inside each other")
        code = self.row(depth)
        while self.take("|"):
            other = self.row(depth)
            first = [*_moved(code, 1), Jump(len(code) + 2 + len(other))]
            code = self.bounded([Split(1, len(code) + 2), *first, *_moved(other, len(code) + 2)])
        return code

    def bounded(self, code: list[Instruction]) -> list[Instruction]:
        """The code, unless it is too long."""
        if len(code) > LONGEST:
            raise self.wrong("more than a pattern may", "Make the numbers in `{…}` smaller.")
        return code

    def row(self, depth: int) -> list[Instruction]:
        """Pieces one after another."""
        code: list[Instruction] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            piece = self.repeated(self.piece(depth))
            code = self.bounded([*code, *_moved(piece, len(code))])
        return code

    def repeated(self, piece: list[Instruction]) -> list[Instruction]:
        """A piece, as often as the sign behind it says."""
        times = self.times()
        if times is None:
            return piece
        least, most = times
        lazy = self.take("?")
        if self.source[self.at : self.at + 1] in ("*", "+", "?") and self.at < len(self.source):
            raise self.wrong("two signs of repetition in a row")
        code: list[Instruction] = []
        for _ in range(least):
            code = self.bounded([*code, *_moved(piece, len(code))])
        if most is None:
            here, behind = len(code), len(code) + len(piece) + 2
            split = Split(behind, here + 1) if lazy else Split(here + 1, behind)
            return self.bounded([*code, split, *_moved(piece, here + 1), Jump(here)])
        end = len(code) + (most - least) * (len(piece) + 1)
        for _ in range(most - least):
            here = len(code)
            split = Split(end, here + 1) if lazy else Split(here + 1, end)
            code = self.bounded([*code, split, *_moved(piece, here + 1)])
        return code

    def times(self) -> tuple[int, int | None] | None:
        """``*``, ``+``, ``?``, ``{2}``, ``{2,}``, ``{2,5}``; None where none stands here. A brace that begins nothing of this
        is a character."""
        for sign, found in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return found
        if self.source[self.at : self.at + 1] != "{":
            return None
        inner, close, _ = self.source[self.at + 1 :].partition("}")
        low, comma, high = inner.partition(",")
        if not close or not low.isdecimal() or not (high.isdecimal() or not high):
            return None
        self.at += len(inner) + 2
        least = int(low)
        most = least if not comma else int(high) if high else None
        if max(least, most or 0) > _MOST_TIMES or (most is not None and most < least):
            raise self.wrong(f"`{{{inner}}}`", f"Numbers go up to {_MOST_TIMES}, the smaller one first.")
        return least, most

    def piece(self, depth: int) -> list[Instruction]:
        """One character, class, assertion or group."""
        sign = self.source[self.at]
        self.at += 1
        if sign == "(":
            return self.group(depth)
        if sign == "[":
            return [self.choice()]
        if sign == ".":
            return [One((), True, False) if "s" in self.flags else One(((10, 10), (13, 13)), True, False)]
        if sign in "^$":
            name = "start" if sign == "^" else "end"
            return [Assert(f"line-{name}" if "m" in self.flags else name)]
        if sign == "\\":
            return [self.escaped()]
        if sign in "*+?":
            raise self.wrong(f"a `{sign}` with nothing before it")
        return [self.char(sign)]

    def char(self, sign: str) -> One:
        """One character."""
        return One(((ord(sign), ord(sign)),), False, "i" in self.flags)

    def group(self, depth: int) -> list[Instruction]:
        """``(…)``, ``(?:…)``"""
        if self.take("?:"):
            code = self.alternatives(depth + 1)
        elif self.source.startswith("?", self.at):
            raise self.wrong("a look-around or a named group", "There are `(…)` and `(?:…)`.")
        else:
            self.groups += 1
            slot = 2 * self.groups
            inner = self.alternatives(depth + 1)
            code = [Save(slot), *_moved(inner, 1), Save(slot + 1)]
        if not self.take(")"):
            raise self.wrong("a `(` that nothing closes")
        return code

    def escaped(self) -> Instruction:
        """What stands behind a backslash."""
        sign = self.source[self.at : self.at + 1]
        self.at += 1
        if not sign:
            raise self.wrong("a backslash at its end")
        if sign in "bB":
            return Assert("edge" if sign == "b" else "no-edge")
        if sign.lower() in _CLASSES:
            return One(_CLASSES[sign.lower()], sign.isupper(), False)
        if sign.isdigit() and sign != "0":
            raise self.wrong("a back-reference", "Accept the parts one after another.")
        return self.char(self.code(sign))

    def code(self, sign: str) -> str:
        """The character that an escape stands for."""
        if sign in "xu":
            digits = self.source[self.at : self.at + (2 if sign == "x" else 4)]
            self.at += len(digits)
            try:
                return chr(int(digits, 16))
            except ValueError:
                raise self.wrong(f"`\\{sign}` without its digits") from None
        return _ESCAPES.get(sign, sign)

    def choice(self) -> One:
        """``[a-z]``"""
        negated = self.take("^")
        ranges: list[Range] = []
        first = True
        while not self.take("]") or first:
            if self.at >= len(self.source):
                raise self.wrong("a `[` that nothing closes")
            if first and self.source[self.at - 1] == "]":
                return One((), not negated, False)  # ``[]`` is nothing, ``[^]`` is everything
            first = False
            ranges += self.member()
        return One(tuple(ranges), negated, "i" in self.flags)

    def member(self) -> tuple[Range, ...]:
        """A character, a range of them, or a class, in brackets."""
        low = self.source[self.at]
        self.at += 1
        if low == "\\":
            low = self.source[self.at : self.at + 1]
            self.at += 1
            if low.lower() in _CLASSES and low:
                found = _CLASSES[low.lower()]
                return _outside(found) if low.isupper() else found
            low = "\b" if low == "b" else self.code(low)
        following = self.source[self.at : self.at + 2]
        if len(following) < 2 or following[0] != "-" or following[1] == "]":
            return ((ord(low), ord(low)),) if low else ()
        self.at += 2
        high = following[1]
        if high == "\\":
            high = self.code(self.source[self.at : self.at + 1])
            self.at += 1
        if not high or ord(high) < ord(low):
            raise self.wrong("a range whose end stands before its start")
        return ((ord(low), ord(high)),)


def _outside(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """All characters of none of these ranges."""
    made, at = [], 0
    for low, high in ranges:
        if low > at:
            made.append((at, low - 1))
        at = high + 1
    return (*made, (at, _LAST))
