"""Reading a command's template into argument vectors, once, when it is defined.

A template looks like a shell command and is not one. It has words, quotes, holes and pipes; each word becomes
one argument, each stage between pipes one program. Nothing is expanded, substituted, redirected or chained:
what a shell would do with a construct that is not listed here is refused, with the way to say it instead.

1. Blanks separate words. ``'...'`` is literal. In ``"..."`` holes are read, and ``\\`` escapes ``" \\ $ ` @ {
   }``. Outside quotes ``\\`` makes the next character literal.
2. ``{name}`` is a hole, ``{name...}`` one for a list, ``{name:option}`` one that may be an option. ``@name``
   is the same hole where neither a letter, a digit nor a hole stands before the ``@``. ``{{``, ``}}``, ``@@``
   are literal, and so is ``{}``.
3. ``|`` ends a stage.
4. Everything else that a shell would act on is refused.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from sluicegate.flow.errors import CommandError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.operations.commands.words import ArgumentWord, Hole, Part
from sluicegate.patterns import late

LONGEST: Final = 64 * 1024
MOST_STAGES: Final = 64

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_BRACED = late(r"\{(" + _NAME + r")(\.\.\.)?(?::([A-Za-z]+))?\}")
_SIGNED = late("@(" + _NAME + ")")
_EXPANSION = late(r"\$[A-Za-z0-9_({@*#?$!'\"-]")
_ASSIGNMENT = late(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_IN_QUOTES: Final = frozenset('"\\$`@{}')
_BLANK: Final = frozenset(" \t")

_CHAIN = "write each command as its own operation"
_REFUSED: Final = {
    "\n": ("a line end between commands", _CHAIN),
    "\r": ("a carriage return", _CHAIN),
    ";": ("';' between commands", f"{_CHAIN}; write '\\;' where the program itself reads a semicolon"),
    "&": ("'&'", f"{_CHAIN}; in a URL, put the whole argument between quotes"),
    "`": ("a command substitution", "run that command first and put its result into a hole"),
    "<": ("a redirection of input", "give the text as standard input of the operation"),
    ">": (
        "a redirection of output",
        "write the result with an operation of its own: output, append or write",
    ),
    "*": ("a file pattern", "nothing expands it here: name the files with {files...}, or quote it"),
    "?": ("a file pattern", "nothing expands it here: name the files with {files...}, or quote it"),
    "[": ("a file pattern", "nothing expands it here: quote it; instead of '[ ... ]' write 'test ...'"),
    "(": ("a subshell", f"{_CHAIN}; quote the bracket where it is text"),
    ")": ("a subshell", f"{_CHAIN}; quote the bracket where it is text"),
}
_RESERVED: Final = frozenset(
    "! if then else elif fi for while until do done case esac function select in".split()
)


class CommandTemplate(Struct, frozen=True):
    """A command as it was written: the stages of its pipeline, each a list of words, the program first."""

    text: str
    stages: tuple[tuple[ArgumentWord, ...], ...]
    holes: tuple[str, ...]


def parse(text: str) -> CommandTemplate:
    """Read a template. Raises CommandError for what is not one, naming the construct and the alternative."""
    if len(text) > LONGEST:
        raise CommandError(
            f"the command is longer than {LONGEST} characters", hint="give long text as standard input"
        )
    if "\0" in text:
        raise CommandError("the command holds a NUL character", hint="no argument of a program can hold one")
    reader = _Reader(text.strip(" \t\r\n"), text)
    stages = reader.read()
    names: dict[str, Hole] = {}
    for hole in (hole for stage in stages for word in stage for hole in word.holes):
        if names.setdefault(hole.name, hole) != hole:
            raise CommandError(
                f"the hole {shown(hole.name)} is written in two ways",
                hint="a hole takes one value or a list: give the two different names",
            )
    return CommandTemplate(text, stages, tuple(names))


class _Reader:
    """The state of reading: where it is, the word it is in, the stages it has."""

    def __init__(self, source: str, whole: str) -> None:
        self.source = source
        self.whole = whole
        self.at = 0
        self.stages: list[tuple[ArgumentWord, ...]] = []
        self.words: list[ArgumentWord] = []
        self.parts: list[Part] | None = None
        self.bare = True  # the word so far holds nothing that was quoted or escaped

    def read(self) -> tuple[tuple[ArgumentWord, ...], ...]:
        while self.at < len(self.source):
            char = self.source[self.at]
            if char in _BLANK:
                self.end_word()
                self.at += 1
            elif char == "\\":
                self.escape()
            elif char == "'":
                self.single()
            elif char == '"':
                self.double()
            elif char == "|":
                self.pipe()
            else:
                self.plain(char)
        self.end_stage("the end")
        return tuple(self.stages)

    def add(self, part: Part) -> None:
        """One more piece of the word that is being read."""
        if self.parts is None:
            self.parts = []
        if isinstance(part, str) and self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += part
        else:
            self.parts.append(part)

    def end_word(self) -> None:
        if self.parts is None:
            return
        word = ArgumentWord(self.parts)
        if word.many and len(word.parts) > 1:
            raise self.wrong(
                "a hole for a list with text around it",
                "a list fills whole arguments: set it apart by blanks",
            )
        if not self.words:
            self.check_program(word)
        self.words.append(word)
        self.parts, self.bare = None, True

    def check_program(self, word: ArgumentWord) -> None:
        """The first word of a stage names the program, and nothing but the author does."""
        if word.text is None:
            raise self.wrong(
                f"the program is {word}", "the program is part of the template: a value never names it"
            )
        if not word.text:
            raise self.wrong("the name of the program is empty", "write the name of a program first")
        if _ASSIGNMENT.match(word.text):
            raise self.wrong(
                f"an assignment ({shown(word.text)}) before the program",
                "give environment variables beside the command, or write 'env NAME=value program'",
            )
        if self.bare and word.text in _RESERVED:
            raise self.wrong(f"{word.text!r}, a word of the shell's language", _CHAIN)

    def end_stage(self, where: str) -> None:
        self.end_word()
        if not self.words:
            what = (
                "the command is empty"
                if where == "the end" and not self.stages
                else f"no program before {where}"
            )
            raise CommandError(what, hint="write a program and its arguments, as in: git status")
        self.stages.append(tuple(self.words))
        self.words = []
        if len(self.stages) > MOST_STAGES:
            raise self.wrong(f"more than {MOST_STAGES} stages", "run them as separate operations")

    def pipe(self) -> None:
        following = self.source[self.at + 1 : self.at + 2]
        if following == "|":
            raise self.wrong("'||' between commands", _CHAIN)
        if following == "&":
            raise self.wrong("'|&'", "standard error is kept apart: write '|'")
        self.end_stage("'|'")
        self.at += 1
        while self.source[self.at : self.at + 1] in (" ", "\t", "\n"):
            self.at += 1

    def escape(self) -> None:
        following = self.source[self.at + 1 : self.at + 2]
        if not following:
            raise self.wrong("'\\' at the end", "write '\\\\' for the character itself")
        if following != "\n":
            self.bare = False
            self.add(following)
        elif self.parts is not None:
            raise self.wrong("a line that goes on inside a word", "put a blank before the '\\' at its end")
        self.at += 2

    def single(self) -> None:
        end = self.source.find("'", self.at + 1)
        if end < 0:
            raise self.wrong("a quote ' that does not end", "close it, or write \\' for the character itself")
        self.bare = False
        self.add(self.source[self.at + 1 : end])
        self.at = end + 1

    def double(self) -> None:
        self.bare = False
        self.add("")
        self.at += 1
        while (char := self.source[self.at : self.at + 1]) != '"':
            if not char:
                raise self.wrong(
                    'a quote " that does not end', 'close it, or write \\" for the character itself'
                )
            if char == "\\" and self.source[self.at + 1 : self.at + 2] in _IN_QUOTES:
                self.add(self.source[self.at + 1])
                self.at += 2
            elif char == "\\" and self.source[self.at + 1 : self.at + 2] == "\n":
                raise self.wrong(
                    "a line that goes on inside a word", "end the quotes before the end of the line"
                )
            elif char == "`":
                raise self.wrong(*_REFUSED["`"])
            elif not self.expansion(char) and not self.hole(char):
                self.add(char)
                self.at += 1
        self.at += 1

    def plain(self, char: str) -> None:
        """A character outside quotes."""
        if char in _REFUSED:
            raise self.wrong(*_REFUSED[char])
        if char == "~" and self.parts is None:
            raise self.wrong(
                "'~' for a home directory", "nothing expands it here: write the path, or put it into a hole"
            )
        if char == "#" and self.parts is None:
            raise self.wrong("a comment", "leave it out, or put the argument between quotes")
        if not char.isprintable() or char.isspace():
            raise self.wrong(
                f"an invisible character (U+{ord(char):04X}) outside quotes", "write a blank, or quote it"
            )
        if not self.expansion(char) and not self.hole(char):
            self.add(char)
            self.at += 1

    def expansion(self, char: str) -> bool:
        """Refuse a variable or substitution, in quotes and outside; never true."""
        if char == "$" and _EXPANSION.match(self.source, self.at):
            following = self.source[self.at + 1]
            if following == "(":
                raise self.wrong("a command substitution", _REFUSED["`"][1])
            if following in "'\"":
                if self.bare:
                    raise self.wrong("a '$' before a quote", "write the characters themselves, or '\\$'")
                return False
            raise self.wrong(
                "a variable of the shell", "write a hole, {name}, or '\\$' for the character itself"
            )
        return False

    def hole(self, char: str) -> bool:
        """Read a hole, ``{{``, ``}}``, ``@@`` or ``{}`` if one stands here."""
        pair = self.source[self.at : self.at + 2]
        if pair in ("{{", "}}", "@@"):
            self.add(char)
            self.at += 2
            return True
        if pair == "{}":
            self.add(pair)
            self.at += 2
            return True
        if char == "{":
            self.braced()
            return True
        if char == "}":
            raise self.wrong(
                "a '}' without its '{'", "write '}}' for the character itself, or use single quotes"
            )
        before = self.source[self.at - 1 : self.at] if self.at else ""
        after_hole = self.parts is not None and isinstance(self.parts[-1], Hole)
        if (
            char == "@"
            and not before.isalnum()
            and not after_hole
            and (found := _SIGNED.match(self.source, self.at))
        ):
            self.add(Hole(found[1]))
            self.at = found.end()
            return True
        return False

    def braced(self) -> None:
        found = _BRACED.match(self.source, self.at)
        if found is None:
            raise self.wrong(
                "a '{' that begins no hole",
                "a hole is {name}, {name...} or {name:option}; write '{{' for the character itself, or use single quotes",
            )
        name, many, use = found.groups()
        if use not in (None, "option"):
            raise self.wrong(
                f"the hole {found[0]}",
                f"{shown(use)} is not a kind of hole: write {{{name}}} or {{{name}:option}}",
            )
        self.add(Hole(name, many=bool(many), option=use == "option"))
        self.at = found.end()

    def wrong(self, what: str, instead: str) -> CommandError:
        """The error for a construct: what it is, where, and what to write instead."""
        return CommandError(f"the command {shown(self.whole)} holds {what}", hint=instead)
