"""Coq's text as text: comments, strings, sentences, and the commands that a development here may use.

Coq itself is not needed. What could assume something without a proof is not listed and looked for, since such a
list is never complete; every command that is not among the few in use is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

COMMANDS = frozenset(
    "From Require Import Open Definition Fixpoint Inductive Record Arguments Ltac Lemma Theorem Proof Qed "
    "Defined".split()
)
"""The commands that a file may use. None of them can state something without a proof."""
_EXTRACTS = COMMANDS | {"Extraction"}
"""Those of ``Extract.v``; ``Extract Constant``, which replaces a function, is not among them."""
_MEANINGS = frozenset(
    "False True not and or iff eq ex all le lt ge gt In incl nat Z bool list option string negb andb orb".split()
)
"""Names of Coq that statements are read by, which a file may not give a meaning of its own."""
_DEFINES = frozenset("Definition Fixpoint Inductive Record Lemma Theorem".split())
_TACTICS = re.compile(r"\b(admit|give_up|native_compute|native_cast_no_check|bypass_check)\b")
_MARK = re.compile(r'"|\(\*')
_MARK_INSIDE = re.compile(r'"|\(\*|\*\)')
_LEAD = re.compile(r"(?:[-+*{}\s]+|(?:\d[\d,\s-]*|all|par|!)\s*:)*")
_WORD = re.compile(r"[^\W\d]\w*")
_SOURCE = re.compile(r"(?:From\s+(?P<root>[\w.]+)\s+)?Require\b")
_ROOTS = ("Coq", "Sluicegate")


class Piece(NamedTuple):
    """A part of a text: ``code``, ``comment`` or ``string``, and where it begins."""

    kind: str
    text: str
    start: int


@lru_cache(maxsize=256)
def pieces(text: str) -> tuple[Piece, ...]:
    """A text cut where comments and strings begin and end, as Coq's own lexer does.

    Comments nest. A string inside a comment is a string there too, so that a mark in it ends no comment.
    """
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    start = 0
    while mark := _MARK.search(text, start):
        at = mark.start()
        if at > start:
            yield Piece("code", text[start:at], start)
        if mark[0] == '"':
            kind, end = "string", _string_end(text, at)
        else:
            kind, end = "comment", _comment_end(text, at)
        yield Piece(kind, text[at:end], at)
        start = end
    if len(text) > start:
        yield Piece("code", text[start:], start)


def _string_end(text: str, at: int) -> int:
    """Where the string that begins here ends; two quotes in a row are a quote in it and end nothing."""
    end = text.find('"', at + 1)
    return len(text) if end < 0 else end + 1


def _comment_end(text: str, at: int) -> int:
    """Where the comment that begins here ends."""
    depth = 0
    while mark := _MARK_INSIDE.search(text, at):
        if mark[0] == '"':
            at = _string_end(text, mark.start())
            continue
        depth, at = depth + (1 if mark[0] == "(*" else -1), mark.end()
        if depth == 0:
            return at
    return len(text)


@lru_cache(maxsize=256)
def code(text: str) -> str:
    """A text with comments and what stands in strings blanked, every other character where it was."""
    return "".join(
        piece.text if piece.kind == "code" else re.sub(r"[^\n]", " ", piece.text) for piece in pieces(text)
    )


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Every sentence of a file with its line; bullets and goal selectors left out."""
    blank = code(text)
    at = 0
    for end in re.finditer(r"\.(?=\s|$)", blank):
        sentence = blank[at : end.start()]
        lead = _LEAD.match(sentence)
        assert lead is not None  # it matches nothing as well
        begin = at + lead.end()
        yield blank.count("\n", 0, begin) + 1, blank[begin : end.start()].strip()
        at = end.end()
    if rest := blank[at:].strip():
        yield blank.count("\n", 0, at) + 1, rest


def problems(text: str, *, extracts: bool = False) -> list[str]:
    """What a file uses that it may not, each with its line."""
    found = []
    allowed = _EXTRACTS if extracts else COMMANDS
    for line, sentence in sentences(text):
        word = _WORD.match(sentence)
        first = word[0] if word else ""
        if first == "Local":
            second = _WORD.match(sentence[len(first) :].lstrip())
            first = second[0] if second and second[0] == "Open" else first
        if sentence.startswith("#"):
            found.append(f"line {line}: attributes may not be used here")
        elif first[:1].isupper() and first not in allowed:
            found.append(f"line {line}: {first} may not be used here")
        defined = _WORD.match(sentence[len(first) :].lstrip()) if first in _DEFINES else None
        if defined and defined[0] in _MEANINGS:
            found.append(f"line {line}: {defined[0]} may not be given another meaning")
        required = _SOURCE.match(sentence)
        if required and required["root"] and required["root"].split(".")[0] not in _ROOTS:
            found.append(f"line {line}: {required['root']} may not be imported here")
        if required and not required["root"]:
            found.append(f"line {line}: Require without From may not be used here")
        found += [f"line {line}: {match[0]} may not be used here" for match in _TACTICS.finditer(sentence)]
    return found
