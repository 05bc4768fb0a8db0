"""Shell code, of an author or a model: which commands are in it.

The reading is that of ``known.shell``; here is decided what it means for an operation. What the reader marks is refused,
and so is what changes what later commands mean, or runs what it is given: code that cannot be read could do anything. What
an expansion will give is seldom known (``expansions``); else it is a hole that nothing of ours fills (``words.Hole.unknown``),
several arguments long where it is not quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands import variables
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.flow.operations.expansions import Expansions, Meaning, ShellSurroundings
from sluicegate.flow.operations.standard_input import UNKNOWN, Fed, StandardInputs
from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.known.shell import script as read_text

LONGEST: Final = 128 * 1024
"""Characters; one argument of a program, as the text after ``sh -c``, holds no more bytes."""
MOST_MOVES: Final = 64
MOST_DOUBTS: Final = 3

_INSTEAD: Final = "run the commands one by one as operations, or run the code as a whole with an sh operation"
_NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
_DESCRIPTOR = late(r"[0-9]+-?|-")
_SILENT: Final = frozenset(
    ": break continue exit export jobs local read readonly return set shift times umask unset wait".split()
)
_SETTING: Final = frozenset("export local readonly unset read set".split())
_REFUSED: Final = frozenset(
    "alias autoload bind builtin complete coproc declare emulate enable eval fc float foreach hash history integer let mapfile "
    "nameref nocorrect noglob popd pushd readarray repeat sched setopt shopt source . trap typeset unalias unsetopt vared "
    "zcompile zmodload".split()
)
"""What changes the meaning of later commands, or runs what it is given, in bash, ksh, mksh, yash or zsh."""
_OPTIONS: Final = {
    "local": late(r"-r"),
    "export": late(r"-[np]"),
    "readonly": late(r"-p"),
    "unset": late(r"-[fv]"),
    "read": late(r"-[aAdenNprstu]*[0-9.]*"),
}
"""Options that give a variable no other kind. What is put into a number, an array or the name of another can be code."""
_SET: Final = frozenset("abeefhmnuvx")
_SET_BY_NAME: Final = frozenset(
    "allexport errexit noclobber noexec noglob notify nounset pipefail verbose xtrace".split()
)
"""What ``set`` may switch: how errors end and what is shown. Others change how words and commands are read."""
_NUMBERS: Final = frozenset(
    "BASHPID COLUMNS EGID ERRNO EUID FUNCNEST GID HISTCMD HISTSIZE KEYTIMEOUT LINENO LINES LISTMAX OPTIND PGRP PPID RANDOM "
    "SAVEHIST SECONDS SHLVL SRANDOM TMOUT UID USER_ID".split()
)
"""Variables that are numbers in some shell, where the text that is put into one is worked out, and so can be code."""
_TABLES: Final = frozenset(
    "aliases commands dis_aliases dis_functions functions galiases nameddirs saliases userdirs".split()
)
"""What an array of this name is in zsh: what the names of commands mean."""
_NAMING: Final = {"printf": "-v", "test": "-v -R", "[": "-v -R", "jobs": "-x", "wait": "-p"}
"""Options of the shell's own commands that name a variable, whose index can be code, or a command to run."""
_COUNTING: Final = frozenset("-eq -ne -lt -le -gt -ge -v -R".split())
"""Operators of ``[[`` that take a text for arithmetic, in which an index can be code."""
_APART: Final = frozenset({"top", "$(", "`", "(", "<("})
"""Lists from which a change of directory does not come out; or the whole text."""
_PIPES: Final = frozenset({"|", "|&"})


class ShellCommand(NamedTuple):
    """One simple command: its words (none if it only assigns or redirects), what it redirects, where it stands.

    ``defined``: the code itself defines a function of this name, whose commands are found as well. ``stdin``: what it can
    read on its standard input. ``name``: the command as it is written, also of those of the shell itself. ``end``: where it
    ends in the text.
    """

    words: tuple[ArgumentWord, ...]
    redirections: tuple[tuple[str, ArgumentWord], ...]
    chdirs: tuple[ArgumentWord, ...]
    defined: bool = False
    stdin: Fed = UNKNOWN
    name: str = ""
    end: int = 0


def read(
    text: str, *, where: str, every: bool = False, around: ShellSurroundings | None = None, plain_cd: bool = False,
) -> tuple[ShellCommand, ...]:  # fmt: skip
    """All commands in the code, in order; with ``every`` also those that the shell itself does. Raises CommandError for code
    that is not read; ``where`` is for messages, ``around`` is what a runner says of its shell, ``plain_cd`` that it has no
    CDPATH.
    """
    if len(text) > LONGEST:
        raise CommandError(f"in {where}: the shell code is longer than {LONGEST} characters", hint=_INSTEAD)
    from sluicegate.known.shell.exact import Exact  # most commands have no shell in them

    script = Exact(text).read()
    if script.marks:
        raise _unread(script.marks[0].what, script.marks[0].start, text, where)
    found = _Commands(text, where, script, around, plain_cd=plain_cd).found()
    return found if every else tuple([each for each in found if each.words or each.redirections])


def _unread(what: str, at: int, text: str, where: str) -> CommandError:
    line = f" (line {text.count(chr(10), 0, at) + 1})" if "\n" in text else ""
    told = "".join(char if char.isprintable() else "?" for char in what[:200])
    return CommandError(f"in {where}: the shell code holds {told}{line}", hint=_INSTEAD)


class _Moved(NamedTuple):
    """``cd DIRECTORY``: holds for what stands between two offsets; unless it is ``sure``, as behind ``&&``, or not."""

    start: int
    end: int
    word: read_text.Word | None
    sure: bool = True


class _Commands:
    """What the commands of a script are to an operation."""

    def __init__(
        self, text: str, where: str, script: read_text.Script, around: ShellSurroundings | None, *, plain_cd: bool
    ) -> None:  # fmt: skip
        self.text, self.where, self.script, self.around = text, where, script, around
        self.plain_cd = plain_cd or (around is not None and not around.variables.get("CDPATH"))
        self.expansions = Expansions(text, script, around)
        self.moved: list[_Moved] = []
        self.inputs = StandardInputs(script)

    def found(self) -> tuple[ShellCommand, ...]:
        lists: dict[int, list[read_text.ScriptCommand]] = {}
        for command in self.script.commands:
            lists.setdefault(command.scope, []).append(command)
        for scope, commands in lists.items():
            self.directories(self.script.scopes[scope].kind, commands)
        for name in self.script.functions:
            if (
                self.moved
                or name in _SILENT
                or name in _REFUSED
                or name in ("cd", "command", "exec", *_NAMING)
            ):
                raise self.unread(
                    "a function beside cd, or with the name of one of the shell's own commands", 0
                )
        return tuple([each for command in self.script.commands for each in self.readings(command)])

    def unread(self, what: str, at: int) -> CommandError:
        return _unread(what, at, self.text, self.where)

    # Directories

    def directories(self, kind: str, commands: Sequence[read_text.ScriptCommand]) -> None:
        """``cd DIRECTORY && ...`` in one list holds for what follows up to the end, and for nothing else. Where it may have
        failed, both directories count, if a runner says where it stands."""
        found: list[_Moved] = []
        before, sure, end = "", True, commands[-1].end
        for command in commands:
            name = _name(command)
            if name == "cd" and kind not in _APART:
                raise self.unread("a cd inside a group or control flow", command.start)
            if name == "cd":
                negated = self.text[: command.start].rstrip().endswith("!")
                if before in _PIPES or command.after in (*_PIPES, "&") or negated:
                    raise self.unread("a cd that is followed by something else than &&", command.start)
                self.directory(command)
                found.append(_Moved(command.end, end, command.woven.get(1)))
                if len(self.moved) + len(found) > MOST_MOVES:
                    raise self.unread(f"more than {MOST_MOVES} changes of directory", command.start)
            if found and command.after not in (("&&", "") if name == "cd" else ("&&", "", *_PIPES)):
                if self.around is None:
                    raise self.unread("a cd that is followed by something else than &&", command.start)
                sure = False
            if found and any(each.operator in ("&>", "&>>") for each in command.redirects):
                raise self.unread("'&>' after a cd, which some shells read as the end of it", command.start)
            before = command.after
        if not sure and len(found) > MOST_DOUBTS:
            raise self.unread(
                f"more than {MOST_DOUBTS} changes of directory that may fail", commands[0].start
            )
        self.moved += (each._replace(sure=sure) for each in found)

    def directory(self, command: read_text.ScriptCommand) -> None:
        """Raise CommandError where it is not known where a cd leads."""
        words = [each for meaning in self.meant(command) for each in (self.words(command, meaning),)]
        if self.around is not None and all(len(each) == 1 for each in words):  # home
            if "HOME" in self.around.variables:
                return
        for each in words:
            # ``+1`` is of the stack of directories in zsh.
            if len(each) != 2 or each[1].text is None or each[1].head.startswith(("-", "+")):
                raise self.unread("a cd to a directory that is not known", command.start)
            if each[1].head.startswith(("/", "./", "../")) or each[1].head in (".", ".."):
                continue
            nothing = not each[1].text and self.around is None  # shells differ in what it stands for
            if nothing or not self.plain_cd:
                raise self.unread(
                    "a cd that CDPATH could lead elsewhere: write ./ in front of the directory", command.start
                )

    def held(self, command: read_text.ScriptCommand) -> list[_Moved]:
        """The changes of directory before a command."""
        held = [each for each in self.moved if each.start <= command.start < each.end]
        return sorted(held, key=lambda each: each.start)

    def chdirs(self, held: Sequence[_Moved], meaning: Meaning) -> list[tuple[ArgumentWord, ...]]:
        """The directories that a command may have been led through."""
        found: list[tuple[ArgumentWord, ...]] = [()]
        for each in held:
            word = self.home if each.word is None else self.expansions.word(each.word, meaning)
            into = [(*before, word) for before in found]
            found = into if each.sure else [*found, *into]
        return found

    @property
    def home(self) -> ArgumentWord:
        return ArgumentWord((self.around.variables["HOME"] if self.around is not None else "~",))

    # Commands

    def meant(self, command: read_text.ScriptCommand, more: Sequence[read_text.Word] = ()) -> list[Meaning]:
        """What the variables that a command and its redirections use may hold."""
        redirected = [each.word for each in command.redirects]
        return self.expansions.meanings(command, [*command.woven.values(), *redirected, *more])

    def readings(self, command: read_text.ScriptCommand) -> list[ShellCommand]:
        """One command, once for each of its meanings and each directory that it may run in."""
        held = self.held(command)
        meanings = self.meant(command, [each.word for each in held if each.word is not None])
        return [
            self.command(command, meaning, chdirs)
            for meaning in meanings
            for chdirs in self.chdirs(held, meaning)
        ]

    def command(
        self, command: read_text.ScriptCommand, meaning: Meaning, chdirs: tuple[ArgumentWord, ...]
    ) -> ShellCommand:
        """One command, without what the shell itself does."""
        for name, word in command.assigns:
            self.assigned(name, word.text, command.start)
            if name in _TABLES and any(part.kind == "sub" and not part.written for part in word.parts):
                raise self.unread(
                    f"an array of the name {name}, which zsh takes for a table of its own", command.start
                )
        redirections = tuple(self.redirections(command, meaning))
        if command.kind == "for":
            self.assigned(command.words[0], None, command.start)
            return ShellCommand((), redirections, chdirs)
        words = () if command.kind in ("array", "group") else self.words(command, meaning)
        if words and words[0].text == "[[" and command.woven[0].bare:
            if any(word.text in _COUNTING for word in words):
                raise self.unread("a number in [[, which can be code", command.start)
            words = ()
        here = any(each.operator in ("<<", "<<<") for each in command.redirects)
        words = self.plain(words, command.start, here=here)
        defined = bool(words) and words[0].text in self.script.functions
        stdin = self.inputs.of(command)
        return ShellCommand(words, redirections, chdirs, defined, stdin, _name(command) or "", command.end)

    def plain(
        self, words: tuple[ArgumentWord, ...], at: int, *, here: bool = False
    ) -> tuple[ArgumentWord, ...]:
        """The words of a command that is a program's; none for what the shell does by itself."""
        name = words[0].text if words else None
        if name in ("source", ".") and self.around is not None and _is_activation(words[1:]):
            return (literal("sh"), words[1])
        if name in _REFUSED:
            raise self.unread(f"{name}, which changes what later commands mean or runs what it is given", at)
        if name in _NAMING:
            self.unnamed(name or "", words[1:], at)
        if name in _SETTING:
            self.names(name or "", words[1:], at)
        if name == "shift" and not all((word.text or "-").isdigit() for word in words[1:]):
            raise self.unread("a shift by what is not a number, which can be code", at)
        if name in _SILENT or name == "cd":
            return ()
        if name == "exec":
            if words[1:2] and words[1].head.startswith("-"):
                raise self.unread("exec with an option", at)
            if not words[1:] and here:
                raise self.unread("exec that gives a text to all commands behind it", at)
            return words[1:]
        if name == "command" and words[1:]:
            if words[1].text in ("-v", "-V"):
                return ()
            return self.plain(words[2:] if words[1].text == "--" else words[1:], at, here=here)
        return words

    def unnamed(self, builtin: str, words: Sequence[ArgumentWord], at: int) -> None:
        """Without the options with which a command of the shell's own takes a name, or a command."""
        options = tuple(_NAMING[builtin].split())
        for word in words:
            unknown = builtin in ("jobs", "wait") and any(hole.name != "$!" for hole in word.holes)
            if word.head.startswith(options) or unknown:
                raise self.unread(f"{builtin} with {options[0]}, or with what is not known", at)

    def names(self, builtin: str, words: Sequence[ArgumentWord], at: int) -> None:
        """What the shell's own commands set: never a variable that makes programs run others."""
        for word in words:
            if word.text is None and "=" not in word.head:
                raise self.unread(f"{builtin} with an expansion", at)
        if builtin == "set":
            self.switched([word.head for word in words], at)
            return
        for word in words:
            name, equals, value = word.head.partition("=")
            name = name.removesuffix("+")
            if name.startswith("-"):
                if name != "--" and _OPTIONS[builtin].fullmatch(word.head) is None:
                    raise self.unread(f"{builtin} with an option that is not known: {word.head}", at)
            elif _NAME.fullmatch(name) is not None:
                given = builtin == "read" or bool(equals)
                self.assigned(name, (value if word.text is not None else None) if given else "0", at)
            elif not (builtin == "read" and name.isdigit()):
                raise self.unread(f"{builtin} of what is not a plain name", at)

    def switched(self, words: Sequence[str], at: int) -> None:
        """The options of ``set``, up to the first word that is none."""
        left = iter(words)
        for word in left:
            if word[:1] not in ("-", "+") or word in ("--", "-"):
                return
            known = set(word[1:]) <= _SET | {"o"}
            named = [next(left, "") for letter in word[1:] if letter == "o"]
            if not known or not all(name in _SET_BY_NAME for name in named if name):
                raise self.unread(f"set {' '.join([word, *named])}, which can change how code is read", at)

    def assigned(self, name: str, value: str | None, at: int) -> None:
        """A variable that gets a value, or one that is not known."""
        variables.check(name)
        if name in _NUMBERS and not (value is not None and value.isascii() and value.isdigit()):
            raise self.unread(f"{name}, a number in some shells, with a value that can be code", at)

    def redirections(
        self, command: read_text.ScriptCommand, meaning: Meaning
    ) -> list[tuple[str, ArgumentWord]]:
        found: list[tuple[str, ArgumentWord]] = []
        for operator, word, *_ in command.redirects:
            target = self.expansions.word(word, meaning)
            if operator in ("<<", "<<<"):
                continue
            if operator in (">&", "<&") and target.text is not None and _DESCRIPTOR.fullmatch(target.text):
                continue
            if operator in ("<", "<>"):
                found.append(("r", target))
            if operator != "<":
                found.append(("w", target))
        return found

    # Words

    def words(self, command: read_text.ScriptCommand, meaning: Meaning) -> tuple[ArgumentWord, ...]:
        return tuple([self.expansions.word(command.woven[at], meaning) for at in range(len(command.words))])


def _is_activation(words: Sequence[ArgumentWord]) -> bool:
    """Whether it is the script of a virtual environment, whose commands mean what they meant before: as code it is judged."""
    return len(words) == 1 and (words[0].text or "").endswith("/bin/activate")


def _name(command: read_text.ScriptCommand) -> str | None:
    """The name of a simple command, if it is plain."""
    if command.kind != "simple" or not command.words:
        return None
    first = command.woven[0]
    return first.text
