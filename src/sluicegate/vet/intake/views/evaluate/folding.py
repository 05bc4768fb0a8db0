"""Evaluating expressions that are made of constants, without a syntax tree.

A recursive descent over the text itself, so that broken programs are read too. Every position is evaluated
once (results are kept), depth and sizes are bounded, and nothing but the operations listed here is done.
"""

from __future__ import annotations

import re

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.views.evaluate import fold_calls, fold_lists
from sluicegate.vet.intake.views.evaluate.fold_calls import LIST_MOST, Value
from sluicegate.vet.intake.views.evaluate.literals import (
    PYTHON_END,
    PYTHON_STRING,
    SCRIPT_END,
    SCRIPT_STRING,
    body_of,
    unescape,
)
from sluicegate.vet.lazy import lazy

EFFORT_MOST = 15_000
"""Terms looked at in one program; the rest is not folded."""
_DEPTH_MOST = 24
_CHAIN_MOST = 16  # methods called one after the other
_NAME = lazy(
    r"([A-Za-z_$][\w$]{0,80}+)(?:\s{0,20}+\.\s{0,20}+([A-Za-z_$][\w$]{0,80}+)){0,6}+(?P<call>(?:[ \t\r\f]++|\\\r?\n)*+\()?+"
)
_NUMBER = lazy(r"0[xX][0-9A-Fa-f]{1,8}\b|\d{1,9}\b(?!\.\d)")
_SPACE = {
    True: lazy(r"(?:[ \t\r\n\f]++|\\\r?\n|#[^\n]*+)*+"),
    False: lazy(r"(?:[ \t\r\f]++|\\\r?\n)*+"),
}
_SCRIPT_SPACE = lazy(r"(?:[ \t\r\n\f]++|//[^\n]*+)*+")
_CHAIN = lazy(r"[ \t\r\n]{0,200}+\+[ \t\r\n]{0,200}+(?:\"([^\"\\\n]*+)\"|'([^'\\\n]*+)')(?![ \t]*+[.\[%])")
_LITERAL = frozenset("\"'`rRbBuUfF")
"""Characters that a literal may start with."""
_BLANK = frozenset(" \t\r\n\f#\\/")
"""Characters that white space or a comment may start with."""
_ON = lazy(r"\[|\s*+[.?%#\\]")
"""Begins what may be done to a value: an index, a method, a ``%``, or what may stand in front of that."""
_METHOD = lazy(r"\s{0,40}+\??\.\s{0,40}+([A-Za-z]\w{0,40}+)\s{0,20}+\(")
_SLICE = lazy(r"\s{0,9}\[\s*+(-?\d{0,6})\s*+(:)?\s*+(-?\d{0,6})\s*+(:)?\s*+(-?\d{0,3})\s*+\]")
_NUMBERS = lazy(
    r"\s*+((?:(?:0[xX][0-9A-Fa-f]{1,6}|\d{1,7})\s*+,\s*+)*+(?:0[xX][0-9A-Fa-f]{1,6}|\d{1,7})\s*+,?)\s*+(?=[\])])"
)
_HOLE = lazy(r"\{\{|\}\}|\{\s*+([A-Za-z_]\w*+|'[^'{}\\]*+'|\"[^\"{}\\]*+\")\s*+\}|[{}]")
_SCRIPT_HOLE = lazy(r"\$\{\s*+([A-Za-z_$][\w$]*+|'[^'{}\\]*+'|\"[^\"{}\\]*+\")\s*+\}|\$\{")
_PLAIN_PATTERN = lazy(
    r"\s*+/([^\\/\n\[\](){}.*+?^$|]{1,40}+)/g?\s*+,\s*+(?:\"([^\"\\\n]*+)\"|'([^'\\\n]*+)')\s*+\)"
)
"""The arguments of JavaScript's ``replace`` with a pattern that stands for itself."""


class Folded(NamedTuple):
    """A value, where its expression ends, and how many operations made it (0: a literal as it stands)."""

    value: Value
    end: int
    work: int


_NEW = Folded(value=None, end=-1, work=0)
"""Stands for a result that is not there yet."""


class ConstantFolder:
    """Evaluates constant expressions of one text.

    ``known`` are names with one constant value, ``built`` those of them that get it piece by piece, and ``places``
    say from where to where in the text each of them gets it.
    """

    def __init__(self, text: str, *, python: bool) -> None:
        self.text = text
        self.python = python
        self.known: dict[str, Value] = {}
        self.built: set[str] = set()
        self.places: dict[str, tuple[int, int]] = {}
        self.effort = EFFORT_MOST
        self._string = PYTHON_STRING if python else SCRIPT_STRING
        self._end = PYTHON_END if python else SCRIPT_END
        self._memo: dict[tuple[int, bool], Folded | None] = {}

    def forget(self) -> None:
        """Drop the results kept, because ``known`` has changed."""
        self._memo.clear()

    def skip(self, at: int, inside: bool) -> int:
        """The first position from ``at`` on that is not white space or a comment."""
        if self.text[at : at + 1] not in _BLANK:
            return at
        found = (_SPACE[inside] if self.python else _SCRIPT_SPACE).match(self.text, at)
        return found.end() if found else at

    def expression(self, at: int, inside: bool = False, depth: int = 0) -> Folded | None:
        """The constant expression that starts at ``at``; ``inside`` brackets line breaks do not end it."""
        key = (at, inside)
        found = self._memo.get(key, _NEW)
        if found is _NEW:
            if depth > _DEPTH_MOST:
                return None
            found = self._memo[key] = self._sum(at, inside, depth)
        return found

    def _sum(self, at: int, inside: bool, depth: int) -> Folded | None:
        literal = self._string.match(self.text, at) if self.text[at : at + 1] in _LITERAL else None
        if literal and self._end.match(self.text, literal.end()):
            return self._alone(literal)
        first = self._term(at, inside, depth, literal)
        if first is None or not isinstance(first.value, (str, bytes, int)):
            return first
        parts: list[Value] = [first.value]
        end, work = first.end, first.work
        while True:
            chained = _CHAIN.match(self.text, end) if isinstance(first.value, str) else None
            if chained and (inside or not self.python or "\n" not in chained[0]):
                parts.append(chained[1] if chained[1] is not None else chained[2])
                end, work = chained.end(), work + 1
                continue
            plus = self.skip(end, inside)
            if self.text[plus : plus + 1] != "+" or self.text[plus + 1 : plus + 2] in ("=", "+"):
                break
            following = self._term(self.skip(plus + 1, inside), inside, depth)
            if following is None:
                break
            parts.append(following.value)
            end, work = following.end, work + following.work + 1
        value = fold_calls.add(parts, python=self.python) if len(parts) > 1 else first.value
        return Folded(value=value, end=end, work=work) if value is not None else None

    def _alone(self, literal: re.Match[str]) -> Folded | None:
        """The value of a literal that is the whole expression: what ``_term`` would make of it, by more steps."""
        self.effort -= 1
        value = self._value(literal) if self.effort >= 0 else None
        if value is None:
            return None
        text, work = value
        made: Value = text.encode("latin-1", "replace") if "b" in literal["prefix"].lower() else text
        return Folded(value=made, end=literal.end(), work=work)

    def _term(self, at: int, inside: bool, depth: int, literal: re.Match[str] | None = None) -> Folded | None:
        """A term, and what is done to it; ``literal`` is the one that stands there, where that is known."""
        self.effort -= 1
        if self.effort < 0:
            return None
        found = self._literal(literal, inside) if literal else self._primary(at, inside, depth)
        for _ in range(_CHAIN_MOST):
            if found is None:
                return None
            following = self._postfix(found, inside, depth)
            if following is None:
                return found
            found = following
        return found

    def _primary(self, at: int, inside: bool, depth: int) -> Folded | None:
        mark = self.text[at : at + 1]
        literal = self._string.match(self.text, at) if mark in _LITERAL else None
        if literal:
            return self._literal(literal, inside)
        if mark == "(":
            inner = self.expression(self.skip(at + 1, True), True, depth + 1)
            end = self.skip(inner.end, True) if inner else 0
            if inner is not None and self.python and self.text[end : end + 1] == ",":
                items = self.items(at + 1, ")", depth + 1)
                return Folded(value=items[0], end=items[1], work=0) if items else None
            if inner is None or self.text[end : end + 1] != ")":
                return None
            return Folded(value=inner.value, end=end + 1, work=inner.work)
        if mark == "[":
            items = self.items(at + 1, "]", depth + 1)
            return Folded(value=items[0], end=items[1], work=0) if items else None
        number = _NUMBER.match(self.text, at) if mark.isdecimal() else None
        if number:
            return Folded(
                value=int(number[0], 0) if number[0][:1] != "0" or "x" in number[0].lower() else 0,
                end=number.end(),
                work=0,
            )
        return self._name(at, depth)

    def _literal(self, literal: re.Match[str], inside: bool) -> Folded | None:
        parts, end, work = [], literal.end(), 0
        prefix = literal["prefix"].lower()
        first = self._value(literal)
        if first is None:
            return None
        parts.append(first[0])
        work += first[1]
        while self.python and len(parts) < LIST_MOST:
            at = self.skip(end, True)
            if self.text[at : at + 1] not in _LITERAL:
                break
            following = self._string.match(self.text, at)
            if not following or (
                "\n" in self.text[end:at] and not inside and following[0][-3:] in ('"""', "'''")
            ):
                break
            value = self._value(following)
            if value is None or ("b" in following["prefix"].lower()) != ("b" in prefix):
                break
            left, right = parts[-1][-1:], value[0][:1]
            same_line = "\n" not in self.text[end:at]
            work += value[1] + (1 if same_line or (left.isalnum() and right.isalnum()) else 0)
            parts.append(value[0])
            end = following.end()
        text = "".join(parts)
        if "b" in prefix:
            return Folded(value=text.encode("latin-1", "replace"), end=end, work=work)
        return Folded(value=text, end=end, work=work)

    def _value(self, literal: re.Match[str]) -> tuple[str, int] | None:
        body, prefix = body_of(literal), literal["prefix"].lower()
        if "f" in prefix or (not self.python and literal[0][:1] == "`" and "${" in body):
            return self._filled(body)
        return (body if "r" in prefix else unescape(body)), 0

    def _filled(self, body: str) -> tuple[str, int] | None:
        """A formatted literal whose holes are all constants."""
        out, last, work = [], 0, 0
        for hole in (_HOLE if self.python else _SCRIPT_HOLE).finditer(body):
            out.append(unescape(body[last : hole.start()]))
            last = hole.end()
            if hole[0] in ("{{", "}}"):
                out.append(hole[0][0])
                continue
            name = hole[1]
            value = None if not name else name[1:-1] if name[0] in "\"'" else self.known.get(name)
            if not isinstance(value, (str, int)):
                return None
            out.append(str(value))
            work += 1
        out.append(unescape(body[last:]))
        return "".join(out), work

    def items(self, at: int, close: str, depth: int) -> tuple[list[Value], int] | None:
        """The constant items up to ``close``, and the position after it."""
        numbers = _NUMBERS.match(self.text, at)
        if numbers:
            end = self.skip(numbers.end(), True)
            if self.text[end : end + 1] == close:
                return [
                    int(n, 16 if "x" in n.lower() else 10)
                    for n in re.findall(r"0[xX][0-9A-Fa-f]+|\d+", numbers[1])
                ], end + 1
        out: list[Value] = []
        at = self.skip(at, True)
        while len(out) < LIST_MOST:
            if self.text[at : at + 1] == close:
                return out, at + 1
            item = self.expression(at, True, depth + 1)
            if item is None:
                return None
            out.append(item.value)
            at = self.skip(item.end, True)
            mark = self.text[at : at + 1]
            if mark == ",":
                at = self.skip(at + 1, True)
            elif mark != close:
                return None
        return None

    def _name(self, at: int, depth: int) -> Folded | None:
        found = _NAME.match(self.text, at)
        if not found:
            return None
        called = found["call"]
        if called and (self.python or called == "(") and (found[2] or found[1]) in fold_calls.CALLS:
            self.effort -= 4
            arguments = self.items(found.end(), ")", depth + 1)
            name = re.sub(r"\s", "", found[0][: -len(called)])
            value = fold_calls.call(name, arguments[0]) if arguments else None
            if arguments and value is not None:
                return Folded(value=value, end=arguments[1], work=1)
            spelled = fold_lists.spelled(self, found.end(), depth) if name in ("bytes", "bytearray") else None
            if spelled and max(spelled[0], default="") < "\u0100":
                return Folded(value=spelled[0].encode("latin-1"), end=spelled[1], work=1)
        if found[1] in self.known:
            return Folded(value=self.known[found[1]], end=found.end(1), work=found[1] in self.built)
        return None

    def _postfix(self, found: Folded, inside: bool, depth: int) -> Folded | None:
        value, end = found.value, found.end
        if not _ON.match(self.text, end):
            return None
        mark = self.text[end : end + 1]
        if mark == "[" and isinstance(value, (str, bytes, list)):
            part = _SLICE.match(self.text, end)
            cut = fold_calls.cut(value, part) if part else None
            return (
                Folded(value=cut, end=part.end(), work=found.work + 1) if part and cut is not None else None
            )
        method = (
            _METHOD.match(self.text, end) if self.text[end : end + 41].lstrip()[:1] in (".", "?") else None
        )
        if method and (inside or not self.python or "\n" not in method[0]):
            special = self._special(method, found, depth)
            if special:
                return Folded(value=special[0], end=special[1], work=found.work + 1)
            arguments = self.items(method.end(), ")", depth + 1)
            made = fold_calls.method(method[1], value, arguments[0]) if arguments else None
            if arguments and made is not None:
                return Folded(value=made, end=arguments[1], work=found.work + 1)
            return None
        at = self.skip(end, inside)
        if self.python and self.text[at : at + 1] == "%" and isinstance(value, str) and "%" in value:
            at = self.skip(at + 1, inside)
            if self.text[at : at + 1] == "(":
                many = self.items(at + 1, ")", depth + 1)
                text = fold_calls.percent(value, many[0]) if many else None
                return (
                    Folded(value=text, end=many[1], work=found.work + 1)
                    if many and text is not None
                    else None
                )
            one = self._primary(at, inside, depth + 1)
            text = fold_calls.percent(value, [one.value]) if one else None
            return Folded(value=text, end=one.end, work=found.work + 1) if one and text is not None else None
        return None

    def _special(self, method: re.Match[str], found: Folded, depth: int) -> tuple[Value, int] | None:
        """The value of a call whose arguments are not constants themselves: of ``join``, ``map`` and ``replace``."""
        name, value = method[1], found.value
        if name == "join" and isinstance(value, str):
            return fold_lists.spelled(self, method.end(), depth, value)
        if self.python:
            return None
        if name == "map":
            return fold_lists.mapped(self, value, found.end)
        if name in ("replace", "replaceAll") and isinstance(value, str):
            pattern = _PLAIN_PATTERN.match(self.text, method.end())
            if pattern:
                new = pattern[2] if pattern[2] is not None else pattern[3]
                made = fold_calls.method("replaceAll", value, [pattern[1], new])
                return (made, pattern.end()) if made is not None else None
        return None
