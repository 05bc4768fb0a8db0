"""What expansions in shell text stand for, as far as that is known.

A runner says where its shell stands and what some of its variables hold (``ShellSurroundings``). Where nobody says so, nothing is
known but what the text itself says for certain.

1. ``~``, ``$HOME`` and ``$PWD`` are what the runner says, unless the text changes them. Another variable may be unset in the
   shell itself: it holds what the runner says, or nothing.
2. A variable that the text sets once, in the list that it is used from and unconditionally, holds that. The variable of a
   ``for`` holds each of its words in turn.
3. ``$(cat <<'END' ...)`` is that text, and ``$(pwd)`` is ``$PWD``.
4. What is not quoted is only known where no shell would split it or take it for a pattern.
5. A pattern at the beginning of a word could give a name that is an option. It counts as ``./`` and the pattern where no such
   name stands in the directory and none is made by the text.

Where a command has several meanings by this, each is read (``meanings``), up to a bound. Whatever else is a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from posixpath import join, normpath
from typing import TYPE_CHECKING, Final

from sluicegate.flow.operations.commands.lookups import DISK, Lookups
from sluicegate.flow.operations.commands.words import ArgumentWord, Hole, Part, joined
from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.known.shell import script as read_text

MOST_MEANINGS: Final = 8

_SURE: Final = frozenset({"HOME", "PWD"})
_SPLIT: Final = late(r"[\s*?\[\]\\~]")
_PLAIN_LISTS: Final = frozenset({"top", "(", "$(", "{"})
_SETTING: Final = frozenset(
    "export local readonly unset read getopts declare typeset mapfile readarray printf".split()
)
_ELEMENT: Final = late(r"([A-Za-z_][A-Za-z0-9_]*)\[")
_MAKES_AN_OPTION: Final = late(r"/-|\s--\s+-|[>\"'\s]-[^\s|;&]*\s*<<")

Meaning = Mapping[str, tuple[Part, ...]]
"""What variables hold, as parts of an argument."""

NOTHING: Final[Meaning] = {}


class ShellSurroundings(NamedTuple):
    """Where the shell of a runner stands: what its variables hold, and its directory."""

    variables: Mapping[str, str]
    cwd: str
    lookups: Lookups = DISK


class Expansions:
    """The expansions of one text."""

    def __init__(self, text: str, script: read_text.Script, around: ShellSurroundings | None) -> None:
        self._text, self._script, self._around = text, script, around
        self._moves = any(each.words[:1] == ["cd"] for each in script.commands)
        self._changed: dict[str, int] = {}
        self._inner: dict[int, list[read_text.ScriptCommand]] = {}
        self._opaque = False
        for command in script.commands:
            self._inner.setdefault(command.scope, []).append(command)
            for name in _set_by(command):
                self._changed[name] = self._changed.get(name, 0) + 1
            self._opaque |= any(map(_assigns, _parts_of(command)))
        self._set: dict[str, tuple[int, int, Sequence[tuple[Part, ...]]]] = {}
        for name, held in () if script.functions or self._opaque else self._settings():
            self._set[name] = held

    # Which meanings a command has.

    def meanings(self, command: read_text.ScriptCommand, words: Sequence[read_text.Word]) -> list[Meaning]:
        """What the variables in these words of a command may hold, each reading by itself."""
        names = {part.text for word in words for part in word.parts if _is_variable(part)}
        found = {name: several for name in sorted(names) if (several := self._holds(name, command))}
        count = 1
        for name in list(found):
            count *= len(found[name])
            if count > MOST_MEANINGS:
                del found[name]
                count = MOST_MEANINGS
        return [dict(zip(found, each, strict=True)) for each in product(*found.values())]

    def _holds(self, name: str, command: read_text.ScriptCommand) -> Sequence[tuple[Part, ...]]:
        """What a variable may hold where a command stands; nothing where that is not known."""
        if name in self._changed:
            held = self._set.get(name)
            return held[2] if held is not None and held[0] <= command.start < held[1] else ()
        if self._around is None or self._opaque:
            return ()
        if name == "PWD":
            return () if self._moves else ((self._around.cwd,),)
        value = self._around.variables.get(name)
        if value is None:
            return ()
        return ((value,),) if name in _SURE else ((value,), ())

    def _settings(self) -> Iterator[tuple[str, tuple[int, int, Sequence[tuple[Part, ...]]]]]:
        """The variables that the text sets once (2): from where to where they hold what."""
        for scope, commands in self._inner.items():
            end = commands[-1].end
            if commands[0].kind == "for" and len(commands[0].words) > 2 and commands[0].words[1] == "in":
                name = commands[0].words[0]
                words = [
                    self.word(commands[0].woven[at], meaning)
                    for at in range(2, len(commands[0].words))
                    for meaning in self.meanings(commands[0], [commands[0].woven[at]])
                ]
                if self._changed.get(name) == 1 and len(words) <= MOST_MEANINGS:
                    yield name, (commands[0].end, end, [_one_level(word) for word in words])
            if self._script.scopes[scope].kind not in _PLAIN_LISTS:
                continue
            before = ""
            for command in commands:
                if command.kind == "simple" and not command.words and before not in ("&&", "||", "|", "|&"):
                    plain = command.after in (";", "\n", "&&", "")
                    for name, word in command.assigns:
                        if self._changed.get(name) == 1 and plain:
                            values = [
                                self.word(word, each, assigned=True)
                                for each in self.meanings(command, [word])
                            ]
                            yield name, (command.end, end, [value.parts for value in values])
                before = command.after

    # Words.

    def word(
        self, word: read_text.Word, meaning: Meaning = NOTHING, *, assigned: bool = False
    ) -> ArgumentWord:
        """A word with holes for what is not known; ``assigned``: the value of a variable, which is not split."""
        parts: list[Part] = []
        for at, part in enumerate(word.parts):
            behind = word.parts[at + 1] if at + 1 < len(word.parts) else None
            parts += self._part(part, behind, bool(any(parts)), meaning, assigned=assigned)
        if parts and isinstance(parts[0], Hole) and parts[0].name in "*?[" and self._no_options():
            parts = ["./", *(each if isinstance(each, str) else _as(each, operand=True) for each in parts)]
        return ArgumentWord(joined(parts))

    def _part(
        self, part: read_text.WordPart, behind: read_text.WordPart | None, within: bool, meaning: Meaning, *, assigned: bool,
    ) -> Sequence[Part]:  # fmt: skip
        quoted = part.quoted or assigned
        if part.kind == "lit":
            return (part.text,)
        if part.kind == "glob":
            return (Hole(part.text, many=True, unknown=True, operand=within),)
        if part.kind == "home":
            ends = behind is None or (behind.kind == "lit" and behind.text[:1] == "/")
            known = self._holds("HOME", self._script.commands[-1]) if ends and self._script.commands else ()
            return known[0] if known else (Hole("~", unknown=True, operand=True),)
        if _is_variable(part) and part.text in meaning:
            held = meaning[part.text]
            if quoted:
                return held
            if not any(isinstance(each, str) and _SPLIT.search(each) for each in held):
                return tuple(each if isinstance(each, str) else _as(each, many=True) for each in held)
        if part.kind == "sub":
            text = self._substituted(part.scope)
            if text is not None and (quoted or not _SPLIT.search(text)):
                return (text,)
        many = part.kind != "sum" and (not quoted or part.text == "@")
        return (Hole(part.written, many=many, unknown=True),)

    def _substituted(self, scope: int) -> str | None:
        """What a command writes in whose place its output stands (3)."""
        commands = self._inner.get(scope, ())
        if len(commands) != 1 or commands[0].kind != "simple" or commands[0].assigns:
            return None
        command = commands[0]
        if command.words == ["pwd"] and not command.redirects:
            known = self._holds("PWD", command)
            return str(known[0][0]) if known else None
        if command.words != ["cat"] or len(command.redirects) != 1 or command.redirects[0].operator != "<<":
            return None
        from sluicegate.flow.operations.standard_input import here

        text = here(command.redirects[0])
        return None if text is None else text.rstrip("\n")

    def _no_options(self) -> bool:
        """Whether no name in the directory is an option (5)."""
        around = self._around
        if around is None or not around.cwd or _MAKES_AN_OPTION.search(self._text):
            return False
        places, at = {around.cwd}, around.cwd
        for command in self._script.commands if self._moves else ():
            if command.words[:1] == ["cd"]:
                text = command.woven[1].text if len(command.words) == 2 else None
                if text is None:
                    return False
                at = normpath(join(at, text))
                places |= {at, normpath(join(around.cwd, text))}
        return not any(name[:1] == "-" for place in places for name in around.lookups.names(place))


def _is_variable(part: read_text.WordPart) -> bool:
    return part.kind == "var" and part.written in (f"${part.text}", f"${{{part.text}}}")


def _parts_of(command: read_text.ScriptCommand) -> Iterator[read_text.WordPart]:
    for word in (
        *command.woven.values(),
        *(word for _, word in command.assigns),
        *(r.word for r in command.redirects),
    ):
        yield from word.pieces if word.text is None else ()


def _assigns(part: read_text.WordPart) -> bool:
    """Whether an expansion sets a variable: ``${x:=y}``, ``$((x = 1))``."""
    return part.kind in ("var", "sum") and "=" in part.written


def _set_by(command: read_text.ScriptCommand) -> Iterator[str]:
    """The variables that a command may set."""
    yield from (name.removesuffix("+") for name, _ in command.assigns)
    yield from (found[1] for word in command.words if (found := _ELEMENT.match(word)))
    if command.kind == "for":
        yield command.words[0]
    elif command.words and command.words[0].lstrip("\\") in _SETTING:
        yield from (word.partition("=")[0].removesuffix("+") for word in command.words[1:])


def _one_level(word: ArgumentWord) -> tuple[Part, ...]:
    """A word of a ``for`` as one value: a pattern stands for one name at a time, if it is one of names in one directory; what a
    shell may split stands for anything."""
    if any(isinstance(part, Hole) and part.many and part.name not in "*?[" for part in word.parts):
        return (Hole(str(word), many=True, unknown=True),)
    after = "".join(part for part in word.parts[1:] if isinstance(part, str))
    return tuple(
        part
        if isinstance(part, str)
        else Hole(part.name, unknown=True, operand=part.operand, many=part.name not in "*?[" or "/" in after)
        for part in word.parts
    )


def _as(hole: Hole, *, many: bool | None = None, operand: bool | None = None) -> Hole:
    return Hole(
        hole.name,
        many=hole.many if many is None else many,
        unknown=True,
        operand=hole.operand if operand is None else operand,
    )
