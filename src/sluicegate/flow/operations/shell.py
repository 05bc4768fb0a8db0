"""Reading shell code that the author wrote, to see which commands are in it.

A small part of the language is read: simple commands with quotes and expansions, ``;`` ``&`` ``&&`` ``||``
``|``, groups and subshells, ``if``, ``while``, ``until``, ``for ... in``, redirections, command substitution.
Whatever else stands in the code is refused: code that cannot be read could do anything. What an expansion
will give is not known, so it is a hole that nothing of ours fills (``words.Hole.unknown``), several arguments
long where it is not quoted.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import variables
from sluicegate.flow.operations.words import Hole, Part, Word, quoted

LONGEST: Final = 16 * 1024
MOST_DEEP: Final = 12

_INSTEAD: Final = "run the commands one by one as operations, or run the code as a whole with an sh operation"
_NAMED = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]|\{[A-Za-z_0-9]+\}|\{[@*#?$!-]\})")
_NUMBERS = re.compile(r"\$\(\([0-9+\-*/% ()]*\)\)")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=")
_REDIRECTION = re.compile(r"[0-9]*(<<<|<<|<>|>>|>\||>&|<&|&>>|&>|<|>)")
_DESCRIPTOR = re.compile(r"[0-9]+-?|-")
_SKIPPED: Final = frozenset("! { } if then elif else fi while until do done time".split())
_UNREAD: Final = frozenset("case esac function select coproc [[ ((".split())
_SILENT: Final = frozenset(
    ": break continue exit export jobs local read readonly return set shift times umask unset wait".split()
)
_REFUSED: Final = frozenset(
    "alias bind builtin cd complete declare enable eval fc hash history let mapfile popd pushd readarray shopt source "
    ". trap typeset unalias".split()
)
_SEPARATORS: Final = ("&&", "||", ";;", "|&", ";", "|", "&", "\n")


class ShellCommand(NamedTuple):
    """One simple command: its words (none if it only assigns or redirects), what it redirects, where it
    stands.
    """

    words: tuple[Word, ...]
    redirections: tuple[tuple[str, Word], ...]
    chdirs: tuple[Word, ...]


def read(text: str, *, where: str) -> tuple[ShellCommand, ...]:
    """All commands in the code, in order. Raises CommandError for code that is not read; ``where`` is for
    messages.
    """
    if len(text) > LONGEST:
        raise CommandError(f"in {where}: the shell code is longer than {LONGEST} characters", hint=_INSTEAD)
    reader = _Shell(text, where, 0)
    reader.read("")
    return tuple(reader.commands)


class _Shell:
    """The state of reading: the position, the simple command being read, and what was read."""

    def __init__(self, text: str, where: str, depth: int) -> None:
        self.text = text
        self.where = where
        self.depth = depth
        self.at = 0
        self.commands: list[ShellCommand] = []
        self.words: list[Word] = []
        self.redirections: list[tuple[str, Word]] = []
        self.chdirs: tuple[Word, ...] = ()
        self.groups = 0
        if depth > MOST_DEEP:
            raise self.unread("nesting that is too deep")

    def read(self, end: str) -> None:
        """Read up to ``end`` (empty: the end of the text)."""
        while True:
            self.blanks()
            if self.at >= len(self.text):
                break
            char = self.text[self.at]
            if end and char == end and self.groups == 0:
                break
            if char == "(":
                self.open()
            elif char == ")":
                self.close()
            elif found := _REDIRECTION.match(self.text, self.at):
                self.redirect(found)
            elif separator := next((each for each in _SEPARATORS if self.text.startswith(each, self.at)), ""):
                self.separate(separator)
            else:
                self.take()
        if end and self.at >= len(self.text):
            raise self.unread(f"no {end!r} where one is needed")
        if self.groups:
            raise self.unread("a '(' that does not end")
        self.finish("")

    def blanks(self) -> None:
        """Skip blanks, continued lines and comments."""
        while self.at < len(self.text):
            if self.text[self.at] in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return

    def open(self) -> None:
        if self.words or self.chdirs or self.text.startswith("((", self.at):
            raise self.unread("a function, an array, arithmetic, or a group after cd")
        self.groups += 1
        self.at += 1

    def close(self) -> None:
        if not self.groups:
            raise self.unread("a ')' without its '('")
        self.finish(")")
        self.groups -= 1
        self.at += 1

    def separate(self, separator: str) -> None:
        if separator == ";;":
            raise self.unread("a case")
        self.finish(separator)
        self.at += len(separator)

    def finish(self, separator: str) -> None:
        """End a simple command."""
        words, redirections = tuple(self.words), tuple(self.redirections)
        self.words, self.redirections = [], []
        moved = bool(self.chdirs)
        if words and words[0].text == "cd":
            self.change(words, separator)
        elif words or redirections:
            words = self.plain(words)
            if words or redirections:
                self.commands.append(ShellCommand(words, redirections, self.chdirs))
        if moved and separator not in ("&&", "|", ""):
            raise self.unread("a cd that is followed by something else than &&")

    def change(self, words: tuple[Word, ...], separator: str) -> None:
        """``cd DIRECTORY && ...``: known to hold for what follows, and for nothing else."""
        if len(words) != 2 or words[1].text is None or words[1].head.startswith("-") or self.groups:
            raise self.unread("a cd to a directory that is not known, or inside a group")
        if separator not in ("&&", ""):
            raise self.unread("a cd that is followed by something else than &&")
        if not words[1].head.startswith(("/", "./", "../")) and words[1].head not in (".", ".."):
            raise self.unread("a cd that CDPATH could lead elsewhere: write ./ in front of the directory")
        self.chdirs = (*self.chdirs, words[1])

    def plain(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """The words of a command, without what the shell itself does."""
        name = words[0].text if words else None
        if name in _REFUSED:
            raise self.unread(f"{name}, which changes what later commands mean or runs what it is given")
        if name in ("export", "local", "readonly", "unset", "read", "set"):
            self.names(name, words[1:])
        if name in _SILENT:
            return ()
        if name == "exec":
            if words[1:2] and words[1].head.startswith("-"):
                raise self.unread("exec with an option")
            return words[1:]
        if name == "command" and words[1:]:
            return (
                ()
                if words[1].text in ("-v", "-V")
                else self.plain(words[2:] if words[1].text == "--" else words[1:])
            )
        return words

    def names(self, builtin: str, words: tuple[Word, ...]) -> None:
        """What the shell's own commands set: never a variable that makes programs run others."""
        for word in words:
            if word.text is None and not _ASSIGNMENT.match(word.head):
                raise self.unread(f"{builtin} with an expansion")
            variables.check(word.head.partition("=")[0])

    def redirect(self, found: re.Match[str]) -> None:
        operator = found[1]
        if operator == "<<":
            raise self.unread("a here-document")
        if operator in ("&>", "&>>"):
            raise self.unread("'&>', which some shells read as '&' and '>'")
        self.at = found.end()
        self.blanks()
        if self.text.startswith("(", self.at):
            raise self.unread("a process substitution")
        target, _ = self.word()
        if operator in (">&", "<&") and target.text is not None and _DESCRIPTOR.fullmatch(target.text):
            return
        if operator == "<<<":
            return
        if operator in ("<", "<>"):
            self.redirections.append(("r", target))
        if operator != "<":
            self.redirections.append(("w", target))

    def take(self) -> None:
        """One word of a simple command, a reserved word, or an assignment in front of one."""
        word, bare = self.word()
        if not self.words and bare and str(word) in _UNREAD:
            raise self.unread(str(word))
        if self.words and bare and word.text in ("{", "}"):
            raise self.unread("a brace among arguments, which some shells take for a group")
        if not self.words and bare and word.text is not None:
            if word.text in _SKIPPED:
                if self.chdirs:
                    raise self.unread("control flow after cd")
                return
            if word.text == "for":
                self.loop()
                return
        assignment = _ASSIGNMENT.match(word.head) if not self.words else None
        if assignment:
            variables.check(assignment[1])
            if self.text[self.at : self.at + 1] == "(":
                raise self.unread("an array")
            return
        self.words.append(word)

    def loop(self) -> None:
        """``for NAME in WORDS``; the words are read for the commands in them."""
        self.blanks()
        name, _ = self.word()
        variables.check(name.text or "")
        self.blanks()
        if self.at < len(self.text) and self.text[self.at] not in ";\n":
            keyword, _ = self.word()
            if keyword.text != "in":
                raise self.unread("a for that is not for NAME in WORDS")
            self.blanks()
            while self.at < len(self.text) and self.text[self.at] not in ";\n":
                self.word()
                self.blanks()

    # Words

    def word(self) -> tuple[Word, bool]:
        """One word, and whether nothing in it was quoted."""
        parts: list[Part] = []
        bare, start = True, self.at
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\n;&|<>()":
                break
            if char in "'\"\\":
                bare = False
            parts += self.piece(char, first=self.at == start)
        if self.at == start:
            raise self.unread(f"{self.text[self.at : self.at + 1]!r} where a word is needed")
        return Word(_joined(parts)), bare

    def piece(self, char: str, *, first: bool) -> list[Part]:
        """The next piece of a word outside quotes."""
        if char == "'":
            end = self.text.find("'", self.at + 1)
            if end < 0:
                raise self.unread("a quote ' that does not end")
            text = self.text[self.at + 1 : end]
            self.at = end + 1
            return [text]
        if char == '"':
            return self.double()
        if char == "\\":
            text = self.text[self.at + 1 : self.at + 2]
            if text == "\n":
                raise self.unread("a line that goes on inside a word")
            self.at += 2
            return [text]
        if char in "$`":
            return self.expansion(in_quotes=False)
        self.at += 1
        if char == "[" and self.text[self.at : self.at + 1] in ("", " ", "\t", "\n"):
            return [char]  # the program of this name
        if char in "*?[":
            return [Hole(char, many=True, unknown=True, operand=not first)]
        if char == "~" and first:
            return [Hole("~", unknown=True, operand=True)]
        if char == "{" and self.text[self.at : self.at + 1] not in ("", " ", "\t", "\n", "}", ";"):
            raise self.unread("a brace expansion")
        return [char]

    def double(self) -> list[Part]:
        """``"..."``"""
        parts: list[Part] = [""]
        self.at += 1
        while self.text[self.at : self.at + 1] != '"':
            char = self.text[self.at : self.at + 1]
            if not char:
                raise self.unread('a quote " that does not end')
            following = self.text[self.at + 1 : self.at + 2]
            if char == "\\" and following == "\n":
                raise self.unread("a line that goes on inside a word")
            if char == "\\" and following and following in '"\\$`':
                parts.append(following)
                self.at += 2
            elif char in "$`":
                parts += self.expansion(in_quotes=True)
            else:
                parts.append(char)
                self.at += 1
        self.at += 1
        return parts

    def expansion(self, *, in_quotes: bool) -> list[Part]:
        """``$name``, ``$(...)``, backticks: not known, and the commands inside are read."""
        start = self.at
        if found := _NAMED.match(self.text, self.at):
            self.at = found.end()
            many = not in_quotes or found[0] in ("$@", "${@}")
            return [Hole(found[0], many=many, unknown=True)]
        if found := _NUMBERS.match(self.text, self.at):
            self.at = found.end()
            return [Hole(found[0], unknown=True)]
        if self.text.startswith("$((", self.at):
            raise self.unread("arithmetic on variables")
        if self.text.startswith("$(", self.at):
            self.substitution(self.text[self.at + 2 :], self.at + 2, ")")
            return [Hole(self.text[start : self.at], many=not in_quotes, unknown=True)]
        if self.text[self.at] == "`":
            end = re.compile(r"(?:[^`\\]|\\.)*`", re.DOTALL).match(self.text, self.at + 1)
            if end is None:
                raise self.unread("a backtick that does not end")
            inside = re.sub(
                r'\\([`\\$"])' if in_quotes else r"\\([`\\$])", r"\1", self.text[self.at + 1 : end.end() - 1]
            )
            self.inner(inside, "")
            self.at = end.end()
            return [Hole(self.text[start : self.at], many=not in_quotes, unknown=True)]
        following = self.text[self.at + 1 : self.at + 2]
        if following in ("{", "'", '"', "[") and not (in_quotes and following in "'\""):
            raise self.unread("an expansion with rules of its own")
        self.at += 1
        return ["$"]

    def substitution(self, rest: str, start: int, end: str) -> None:
        self.at = start + self.inner(rest, end) + 1

    def inner(self, text: str, end: str) -> int:
        """Read code inside code; gives how far it went."""
        reader = _Shell(text, self.where, self.depth + 1)
        reader.read(end)
        if self.chdirs and reader.commands:
            reader.commands = [each._replace(chdirs=(*self.chdirs, *each.chdirs)) for each in reader.commands]
        self.commands += reader.commands
        return reader.at

    def unread(self, what: str) -> CommandError:
        return CommandError(f"in {self.where}: the shell code holds {quoted(what)[1:-1]}", hint=_INSTEAD)


def _joined(parts: list[Part]) -> list[Part]:
    """Neighbouring literal pieces as one."""
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "" or not joined:
            joined.append(part)
    return joined
