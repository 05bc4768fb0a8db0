"""awk and sed: small languages that can run commands and write files.

Their programs are read just far enough to know whether they do. What cannot be read is taken to do so.
"""

from __future__ import annotations

import re
from typing import Final

from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.known.commands.spec import Spec
from sluicegate.patterns import late

_AWK_HINT: Final = "give the value with -v name={value} and write name in the program"
_SED_HINT: Final = "no value can be part of a sed script: a value with a '/' or a line end would add commands"
_AWK_TOKEN = late(
    r"""
    (?P<blank>[ \t\r\n]+|\#[^\n]*|\\\r?\n) | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<word>[A-Za-z_@][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*|[0-9.]+)
  | (?P<sign>\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|\|&|[-+*/%^=!<>|~?:,;(){}\[\]$])
    """,
    re.VERBOSE | re.DOTALL,
)
_AWK_REGEX = late(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\])*/")
_AFTER_VALUE: Final = frozenset({")", "]", "$", "++", "--"})
_BEFORE_REGEX: Final = frozenset(
    {"return", "print", "printf", "in", "else", "do", "case", "getline", "length"}
)
_CONDITION: Final = frozenset({"if", "while", "for", "switch"})
_GOES_ON: Final = frozenset({",", "&&", "||", "{", "else", "do"})


@role("awk")
def awk(reading: CommandReading, word: ArgumentWord) -> None:
    """A program of awk: ``system``, pipes, ``getline`` from a command, files that it writes or reads."""
    text = reading.written(word, "a program of awk", _AWK_HINT)
    if not _Awk(reading, text).read():
        reading.code("with a program that cannot be read")


class _Awk:
    """The state of reading a program: the token before, whether it prints or gets a line, and how deep it is."""

    def __init__(self, reading: CommandReading, text: str) -> None:
        self.reading, self.text, self.at = reading, text, 0
        self.previous, self.depth = "", 0
        self.printing = self.getting = False
        self.conditions: list[bool] = []  # for each '(' that is open: whether a condition is in it

    def read(self) -> bool:
        """Read all of it; false if it cannot be read."""
        while self.at < len(self.text):
            if self.text[self.at] == "/" and self.previous in ("getline", "length"):
                return False  # a division, or an expression that hides what is behind it
            regex = self.text[self.at] == "/" and _regex_here(self.previous)
            found = (_AWK_REGEX if regex else _AWK_TOKEN).match(self.text, self.at)
            if found is None:
                return False
            self.at = found.end()
            if regex:
                self.previous = ")"
            elif found.lastgroup != "blank":
                self.token(found)
            elif "\n" in found[0] and found[0][0] != "\\" and self.previous not in _GOES_ON:
                self.printing = self.getting = False
                self.previous = ";"  # a statement has ended
        return True

    def token(self, found: re.Match[str]) -> None:
        token = found[0]
        kind = _kind(found)
        if token == "(":
            self.conditions.append(self.previous in _CONDITION)
        elif token == ")" and self.conditions and self.conditions.pop():
            kind = ";"  # a statement begins, perhaps with a regular expression
        self.depth += (token == "(") - (token == ")")
        if token in ("print", "printf"):
            self.printing, self.depth = True, 0
        elif token == "getline":
            self.getting = True
        elif token in (";", "}", "{"):
            self.printing = self.getting = False
        elif token in ("|", "|&") or token[0] == "@" or token.rpartition(":")[2] == "system":
            self.reading.code("with a program that runs commands")
        elif token in ("ARGV", "ARGC"):
            self.reading.use("r", None)
        elif token == ">>" or (token == ">" and self.printing and self.depth == 0):
            _file(self.reading, self.text, self.at, "w")
        elif token == "<" and self.getting:
            _file(self.reading, self.text, self.at, "r")
        if found.lastgroup == "word" and token in _CONDITION:
            kind = token
        self.previous = kind


def _regex_here(previous: str) -> bool:
    """Whether a slash begins a regular expression here, and is not a division."""
    return previous != "value" and previous not in _AFTER_VALUE


def _kind(found: re.Match[str]) -> str:
    if found.lastgroup == "sign" or found[0] in _BEFORE_REGEX:
        return found[0]
    return "value"


def _file(reading: CommandReading, text: str, at: int, mode: str) -> None:
    """A file that a program names; one that it puts together is not known, and may be ``/inet/tcp/0/HOST/PORT``."""
    found = re.compile(r'[ \t]*"([^"\\]*)"[ \t]*(?=[);}\n]|\Z)').match(text, at)
    reading.use(mode, literal(found[1]) if found else None)
    if found is None or found[1].startswith("/inet"):
        reading.contact("unknown", None)


_ADDRESS = late(r"(?:[0-9]+(?:~[0-9]+)?|\$|[+~][0-9]+)")
_BRACKETS = late(r"\[\^?\]?(?:\[[.=:].*?[.=:]\]|[^\]])*\]", re.DOTALL)
_PLAIN_COMMANDS: Final = frozenset("=dDgGhHnNpPxFz")
_FLAGS = late(r"[gpiImM0-9]*")


class _Unread(Exception):
    """A script of sed that is not understood."""


@role("sed")
def sed(reading: CommandReading, word: ArgumentWord) -> None:
    """A script of sed: ``e`` and the flag ``e`` run commands, ``r R w W`` name files."""
    text = reading.written(word, "a script of sed", _SED_HINT)
    try:
        _Sed(reading, text).read()
    except _Unread:
        reading.code("with a script that cannot be read")


class _Sed:
    """The state of reading a script."""

    def __init__(self, reading: CommandReading, text: str) -> None:
        self.reading, self.text, self.at = reading, text, 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip(self, chars: str) -> None:
        while self.peek() and self.peek() in chars:
            self.at += 1

    def read(self) -> None:
        while True:
            self.skip(" \t\n;{}")
            if not self.peek():
                return
            if self.peek() == "#":
                self.line()
                continue
            self.addresses()
            self.skip(" \t!")
            self.command()

    def addresses(self) -> None:
        self.address()
        self.skip(" \t")
        if self.peek() == ",":
            self.at += 1
            self.skip(" \t")
            self.address()
            self.skip(" \t")

    def address(self) -> None:
        if self.peek() == "/":
            self.delimited("/", 1)
        elif self.peek() == "\\":
            self.at += 1
            self.delimited(self.peek(), 1)
        elif found := _ADDRESS.match(self.text, self.at):
            self.at = found.end()
            return
        else:
            return
        self.skip("IM")

    def delimited(self, mark: str, count: int, *, brackets: bool = True) -> None:
        """``count`` parts that each end with ``mark``, from the mark on that opens the first, which is a regular
        expression if it may have ``brackets``.
        """
        if not mark or mark in "\n\\":
            raise _Unread
        self.at += 1
        while count:
            char = self.peek()
            if not char:
                raise _Unread
            if char == "\\":
                self.at += 1
            elif char == "[" and mark != "[" and brackets:
                # Inside brackets the delimiter ends the part for some programs and not for others.
                closed = _BRACKETS.match(self.text, self.at)
                if mark in (closed[0] if closed else self.text[self.at :]):
                    raise _Unread
            elif char == mark:
                count, brackets = count - 1, False
            self.at += 1

    def command(self) -> None:
        char = self.peek()
        self.at += 1
        if char in _PLAIN_COMMANDS or char in "{}":
            return
        if char in ("q", "Q", "l", "L"):
            self.skip(" \t0123456789")
        elif char == "s":
            self.substitute()
        elif char == "y":
            self.delimited(self.peek(), 2, brackets=False)
        elif char in (":", "b", "t", "T", "v"):
            self.label()
        elif char in ("a", "i", "c"):
            self.text_block()
        elif char in ("r", "R", "w", "W"):
            self.skip(" \t")
            self.reading.use("r" if char in "rR" else "w", literal(self.line()))
        elif char == "e":
            self.line()
            self.reading.code("with a script that runs commands")
        else:
            raise _Unread

    def substitute(self) -> None:
        self.delimited(self.peek(), 2)
        while self.peek() and self.peek() not in " \t\n;}#":
            found = _FLAGS.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.peek() == "e":
                self.at += 1
                self.reading.code("with a script that runs commands")
            elif self.peek() == "w":
                self.at += 1
                self.skip(" \t")
                self.reading.use("w", literal(self.line()))
            elif self.peek() and self.peek() not in " \t\n;}#":
                raise _Unread

    def label(self) -> None:
        while self.peek() and self.peek() not in "\n;}":
            self.at += 1

    def line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        found, self.at = self.text[self.at : end], end
        return found

    def text_block(self) -> None:
        """Text to the end of the line; a backslash continues it, two are one that is text."""
        while self.peek():
            line = self.line()
            if (len(line) - len(line.rstrip("\\"))) % 2 == 0 or not self.peek():
                return
            self.at += 1


@role("filter-file")
def filter_file(reading: CommandReading, word: ArgumentWord) -> None:
    """A program of awk or sed in a file: it may run commands."""
    reading.written(word, "a file of commands", NEVER)
    reading.use("r", word)
    reading.code("with a file of commands", given=False)


@reader("in-place")
def in_place(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``sed -i``, ``yq -i``: the files that are read are also written."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    if walk.given & {"-i", "--in-place", "--inplace"}:
        reading.uses += [use._replace(mode="w") for use in reading.uses if use.mode == "r"]


_YQ_VERBS: Final = frozenset({"e", "eval", "ea", "eval-all"})
_LOADS = late(r"\bload\w*\s*\(|\b(?:import|include)\b")


@role("code:jq")
def jq(reading: CommandReading, word: ArgumentWord) -> None:
    """A filter of jq: ``import`` and ``include`` read files of other directories."""
    text = reading.written(
        word, "code of jq", "give the value with --arg name {value} and write $name in the filter"
    )
    if _LOADS.search(text):
        reading.use("r", None)


@role("split")
def split(reading: CommandReading, word: ArgumentWord) -> None:
    """``yq -s EXPRESSION``: files are written under names that the expression makes."""
    jq(reading, word)
    reading.use("w", None)


@reader("yq")
def yq(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``yq [eval] [options] EXPRESSION [FILE...]``."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    rest = list(reading.operands)
    if rest and rest[0].text in _YQ_VERBS:
        rest = rest[1:]
    if rest and not walk.given & {"-f", "--from-file", "--expression-file"}:
        jq(reading, rest.pop(0))
    changed = bool(walk.given & {"-i", "--inplace", "--in-place"})
    for word in reading.operands[:2]:  # what one yq takes for the value of an option is a filter to another
        for mode in "mn" if changed else "m":
            reading.use(mode, word)
    for word in rest:
        for mode in "rw" if changed else "r":
            reading.use(mode, word)
