"""A command, defined once and filled many times.

Defining reads the template, finds the programs, and reads the arguments of each stage as its program would,
so that everything a value must not be is known before there is one. Filling puts values into holes:

1. a value is text (or a number, a path); a list fills ``{name...}``, and is not empty;
2. it stays in its argument: the number of arguments is that of the template, and of the list;
3. it holds no NUL, encodes, and fits into one argument;
4. it is refused where it would be more than data: as an option, a file to read, a pattern (the guards that
   reading the arguments has left);
5. if the author let a value be an option, the arguments are read again with it, and the effects are those
   found then.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.operations.commands.lookups import Lookups
from sluicegate.flow.operations.commands.programs import ProgramFile, Programs
from sluicegate.flow.operations.commands.reading import ArgumentCheck, Effect, Scene
from sluicegate.flow.operations.commands.template import CommandTemplate, parse
from sluicegate.flow.operations.commands.words import ArgumentWord, Hole, literal
from sluicegate.flow.operations.standard_input import INHERITED, Fed, piped
from sluicegate.tuples import NamedTuple

LONGEST: Final = 131_071
"""Bytes that one argument of a program can have (Linux, ``MAX_ARG_STRLEN``)."""

Text = str | tuple[str, ...]
"""What fills a hole: one text, or those of a list."""

_Piece = tuple[str, str]  # literal text and nothing, or nothing and the name of a hole


class Slot(NamedTuple):
    """One argument to be filled: its pieces, whether a list fills it, and what it must not be."""

    pieces: tuple[_Piece, ...]
    many: bool
    guards: tuple[ArgumentCheck, ...]


class CommandStage(NamedTuple):
    """One stage of a command: its words, what it does, and how its arguments are filled.

    ``shown`` is for people: for each argument its pieces, each with whether it is a hole. ``stdin`` is what is known of its
    standard input; ``fed``: a shell in it reads its code from that of the operation.
    """

    words: tuple[ArgumentWord, ...]
    effects: tuple[Effect, ...]
    plan: tuple[str | Slot, ...]
    holes: tuple[str, ...]
    shown: tuple[tuple[tuple[bool, str], ...], ...]
    programs: Programs
    cwd: str
    options: bool = False
    stdin: Fed = INHERITED
    fed: bool = False

    @property
    def program(self) -> ProgramFile:
        """The program that the stage names."""
        found = self.effects[0].program
        assert found is not None  # noqa: S101 - the first effect is the program
        return found


class Filled(NamedTuple):
    """A stage with its values: what is run. ``argv[0]`` is the name as written, ``program`` the file to
    execute.
    """

    argv: tuple[str, ...]
    program: ProgramFile
    values: dict[str, Text]
    stage: CommandStage
    lookups: Lookups

    def __repr__(self) -> str:
        return f"Filled({self.program.name}, {len(self.argv)} arguments)"


def define(text: str | CommandTemplate, *, programs: Programs, cwd: str) -> tuple[CommandStage, ...]:
    """The stages of a command. Raises CommandError for what cannot be a command, or is not safe to be one."""
    if not cwd.startswith("/"):
        raise CommandError("the working directory is not absolute", hint="give an absolute path")
    template = text if isinstance(text, CommandTemplate) else parse(text)
    found: list[CommandStage] = []
    stdin = INHERITED
    for words in template.stages:
        found.append(_stage(words, programs, cwd, stdin))
        stdin = piped(words, stdin)
    return tuple(found)


def reading_code(stage: CommandStage, text: str) -> CommandStage:
    """The stage whose shell reads its code from this text. Raises CommandError where that cannot be read."""
    return _stage(stage.words, stage.programs, stage.cwd, Fed((text,), True))


def _stage(words: tuple[ArgumentWord, ...], programs: Programs, cwd: str, stdin: Fed) -> CommandStage:
    from sluicegate.flow.operations.commands.analysis import effects

    scene = Scene(programs=programs, cwd=cwd, analyse=effects, stdin=stdin)
    found = tuple(effects(scene, words))
    holes = dict.fromkeys(hole.name for word in words for hole in word.holes)
    return CommandStage(
        words,
        found,
        tuple(_slot(word, scene.guards.get(word, [])) for word in words),
        tuple(holes),
        tuple(_shown(word) for word in words),
        programs,
        cwd,
        options=any(word.option for word in words),
        stdin=stdin,
        fed=bool(scene.asked),
    )


def _slot(word: ArgumentWord, guards: list[ArgumentCheck]) -> str | Slot:
    if word.text is not None:
        return word.text
    pieces = tuple((part, "") if isinstance(part, str) else ("", part.name) for part in word.parts)
    return Slot(pieces, word.many, tuple(dict.fromkeys(guards)))


def _shown(word: ArgumentWord) -> tuple[tuple[bool, str], ...]:
    return tuple(
        (isinstance(part, Hole), part.name if isinstance(part, Hole) else part) for part in word.parts
    )


def fill(stage: CommandStage, contents: Mapping[str, object]) -> Filled:
    """The stage with these contents in its holes. Raises CommandError; no message quotes a value."""
    values = {name: _texts(name, contents[name]) for name in stage.holes}  # 1
    argv: list[str] = []
    for part in stage.plan:
        if isinstance(part, str):
            argv.append(part)
        elif part.many:  # 2
            name = part.pieces[0][1]
            for text in values[name]:
                argv.append(_checked(part, text, values))
        else:
            argv.append(
                _checked(part, "".join([text or _one(values, name) for text, name in part.pieces]), values)
            )
    used = _reread(stage, values) if stage.options else stage  # 5
    return Filled(tuple(argv), used.program, values, used, used.programs.lookups)


def _texts(name: str, content: object) -> Text:
    if type(content) is str:
        return _text(name, content)
    if isinstance(content, (list, tuple)):
        if not content:
            raise CommandError(
                f"the list for the hole {shown(name)} is empty",
                hint="leave the command out when there is nothing to name",
            )
        return tuple(_text(name, each) for each in content)
    return _text(name, content)


def _text(name: str, content: object) -> str:
    """The text of one value (3)."""
    if type(content) is not str:
        content = _plain(name, content)
    if content.isascii():
        size = len(content)
    else:
        try:
            size = len(content.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise CommandError(
                f"the value for the hole {shown(name)} cannot be encoded", hint="give valid text"
            ) from None
    if size > LONGEST:
        raise CommandError(
            f"the value for the hole {shown(name)} is longer than {LONGEST} bytes",
            hint="give it as standard input",
        )
    if "\0" in content:
        raise CommandError(
            f"the value for the hole {shown(name)} holds a NUL", hint="no argument can hold one"
        )
    return content


def _plain(name: str, content: object) -> str:
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, (str, int, float)):
        return str(content)
    if isinstance(content, os.PathLike):
        return os.fsdecode(content)
    raise CommandError(
        f"the value for the hole {shown(name)} is a {type(content).__name__}",
        hint="a hole takes text, a number or a path",
    )


def _one(values: dict[str, Text], name: str) -> str:
    text = values[name]
    if isinstance(text, str):
        return text
    raise CommandError(
        f"the hole {shown(name)} takes one value, and was given a list",
        hint=f"write {{{name}...}} for a list",
    )


def _checked(slot: Slot, text: str, values: dict[str, Text]) -> str:
    """The argument itself, if nothing forbids it (4)."""
    for guard in slot.guards:
        if guard.inside:
            parts = [values[name] for _, name in slot.pieces if name]
            texts = [text for part in parts for text in ((part,) if isinstance(part, str) else part)]
            hit = any(each in text for each in guard.refused for text in texts)
        else:
            hit = text.startswith(guard.refused, guard.offset)
        if hit:
            names = ", ".join(shown(name) for _, name in slot.pieces if name)
            raise CommandError(f"the value for the hole {names} {guard.why}", hint=guard.hint)
    if (
        len(slot.pieces) > 1
        and len(text) > LONGEST // 4
        and len(text.encode("utf-8", "surrogateescape")) > LONGEST
    ):
        raise CommandError(
            f"an argument is longer than {LONGEST} bytes", hint="give long text as standard input"
        )
    return text


def _reread(stage: CommandStage, values: dict[str, Text]) -> CommandStage:
    """The stage with the values that may be options written out; every other hole stays a hole."""
    words: list[ArgumentWord] = []
    for word in stage.words:
        if not word.option:
            words.append(word)
        elif word.many:
            words += (literal(text) for text in values[word.holes[0].name])
        else:
            words.append(
                literal(
                    "".join(part if isinstance(part, str) else _one(values, part.name) for part in word.parts)
                )
            )
    return _stage(tuple(words), stage.programs, stage.cwd, stage.stdin)
