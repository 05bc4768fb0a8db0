"""From the words of a command to everything that it does: the program itself, and what it starts in turn.

``effects(words, scene)``:

1. The program is the first word, and literal. Its file is found (``programs.py``).
2. What is known of it is looked up: by the name it is called by, else by that of its file. A script that is
   called by its path is read like its interpreter.
3. A reader for programs that tables cannot describe, or the walk over the options (``walk.py``), gives the
   rest: subcommands, flags, paths, hosts, code, inner commands. Each inner command is read the same way.
4. Where nothing is known of the program, its first plain words may be subcommands, and any word may be a
   path.
"""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import leaves, readers
from sluicegate.flow.operations.commands import roles
from sluicegate.flow.operations.commands.programs import ProgramFile
from sluicegate.flow.operations.commands.reading import CommandReading, Effect, Scene, Use
from sluicegate.flow.operations.commands.registry import READERS
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.whole import reached
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.flow.policy.rules.commands import usual
from sluicegate.known.commands.spec import Spec, spec
from sluicegate.patterns import late

_PLAIN = late(r"[A-Za-z0-9][A-Za-z0-9_.:@+-]{0,47}\Z")
_DEEPEST: Final = 3
_INTERPRETERS: Final = frozenset("python node perl ruby php lua deno bun".split())
_NO_CODE: Final = frozenset("-V --version -v -h --help -m --help-all --test --run".split())
_PROMPTING: Final = ("python", "node")
"""Interpreters that go on at a prompt behind their file with ``-i``."""
_SAYS_ONLY: Final = frozenset("-V --version --help".split())
_SHELLS: Final = frozenset("sh bash dash zsh ksh mksh ash fish".split())
_RUNNERS: Final = frozenset(
    "pytest py.test tox nox make npm npx pnpm yarn jest vitest mocha rspec phpunit ctest ninja".split()
)
_RUNNING: Final = ("op:py", "op:node", "op:js", "op:sh", "op:interpreter:")
_LOADED: Final = (readers, roles)  # importing them registers what they define


def effects(
    scene: Scene, words: tuple[ArgumentWord, ...], program: ProgramFile | None = None
) -> list[Effect]:
    """What running these words does; the named program first. Raises CommandError."""
    first = words[0] if words else None
    if first is None or not first.text:
        what = "nothing" if first is None else quoted(first)
        where = f"in {scene.via}: " if scene.via else ""
        raise CommandError(
            f"{where}the program is {what}",
            hint="the program is part of the template: a value never names it",
        )
    program = program or scene.find(first.text)  # 1
    known = _known(program)  # 2
    reading = CommandReading(scene, program, known)
    for language in known.runs if known else ():
        reading.mark_program(language)
    reader = READERS.get(known.reader) if known else None
    if reader is not None and known is not None:  # 3
        reader(reading, words[1:], known)
    else:
        ArgumentWalk(reading, words[1:], known).walk()
    _interpreted(reading)
    if known is not None and _reads_its_code(reading):
        reading.written_here()
        _asks_later(reading)
    elif known is not None and "-i" in reading.flags and known.name.startswith(_PROMPTING):
        _asks_later(reading)
    return [_effect(reading, words), *reading.effects]


def _known(program: ProgramFile) -> Spec | None:
    name = program.name if program.trusted else program.basename
    own = program.real.rpartition("/")[2]
    return spec(name) or (spec(own) if own else None)


def _reads_its_code(reading: CommandReading) -> bool:
    """Whether it is an interpreter that takes its code from standard input."""
    named = [word.text for word in reading.operands if word.text not in ("-", "/dev/stdin", "/dev/fd/0")]
    return (
        reading.spec is not None
        and reading.spec.name.rstrip("0123456789.") in _INTERPRETERS
        and not named
        and not reading.flags & _NO_CODE
        and leaves.INLINE not in reading.marks
    )


def _asks_later(reading: CommandReading) -> None:
    if reading.scene.stdin.inherited:
        reading.scene.asked.append(reading.program.basename)


def _code(reading: CommandReading) -> tuple[Use, ...]:
    """The places that a command of an agent takes code from: files that it names, and where it stands, since code there is
    looked for; the program itself, where it is none of the system's."""
    scene, program = reading.scene, reading.program
    if scene.programs.variables is None or scene.elsewhere:
        return ()
    found = tuple(use for use in reading.uses if use.mode == "r")
    own = (Use("r", literal(program.real)),) if program.real and not program.trusted else ()
    name = program.basename
    if reading.flags & _SAYS_ONLY:
        return own
    if name in _SHELLS and ("-c" in reading.flags or not found):
        return (*own, *found)
    if name in _RUNNERS or any(leaf.startswith(_RUNNING) for leaf in reading.marks):
        return (*own, *found, Use("r", literal("."), scene.chdirs))
    return own


def _interpreted(reading: CommandReading) -> None:
    """A script that is called by its path runs code of its interpreter's language."""
    for word in reading.program.shebang:
        known = spec(word.rpartition("/")[2])
        if known is None:
            continue
        for language in known.runs:
            reading.mark(language if language != "self" else known.name)


def _effect(reading: CommandReading, words: tuple[ArgumentWord, ...]) -> Effect:
    program = reading.program
    if reading.spec is None:
        readings, open_words = subcommands(words[1:])  # 4
    else:
        readings, open_words = _meant(program, tuple(reading.subcommands)), False
        if reading.scene.programs.variables is not None and not readings and reading.spec.runs:
            readings = (
                *subcommands(words[1:])[0],
                (),
            )  # of an agent: what it does may be all that is known of it
    return Effect(
        "cmd",
        tuple(dict.fromkeys((*leaves.command(program, readings), *reading.marks))),
        program,
        arguments=words[1:],
        words=(*map(literal, reading.subcommands), *reading.operands),
        flags=frozenset(reading.flags),
        words_known=reading.known,
        open_words=open_words,
        marks=tuple(reading.marks),
        uses=tuple(reading.uses),
        whole=reached(reading),
        contacts=tuple(reading.contacts),
        via=reading.scene.via,
        code=_code(reading),
        chdirs=reading.scene.chdirs,
    )


def _meant(program: ProgramFile, words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The subcommands as they are written, and by the usual name."""
    if not words:
        return ()
    name = usual(program.basename, words[0])
    return (words,) if name == words[0] else (words, (*name.split(), *words[1:]))


def settled(effect: Effect, words: tuple[ArgumentWord, ...]) -> tuple[str, ...]:
    """The leaves of an effect whose subcommand is among the values, now that they are known."""
    assert effect.program is not None  # noqa: S101 - only programs have subcommands
    readings, _ = subcommands(words)
    return tuple(dict.fromkeys((*leaves.command(effect.program, readings), *effect.marks)))


def subcommands(words: tuple[ArgumentWord, ...]) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The ways in which the first plain words can be subcommands, and whether a value could be one.

    An option that is not known may take the next word as its value, or not: both readings count.
    """
    found: list[tuple[str, ...]] = []
    open_words = doubtful = False
    for index, word in enumerate(words):
        if word.text == "--":
            break
        if word.head.startswith("-"):
            doubtful = "=" not in word.head
            continue
        if word.text is not None and _PLAIN.match(word.text):
            run = _plain_run(words[index:])
            found.append(run)
            beyond = words[index + len(run) : index + len(run) + 1]
            open_words |= len(run) < _DEEPEST and bool(beyond) and beyond[0].whole
        open_words |= word.whole
        if not doubtful:
            break
        doubtful = False
    return tuple(found), open_words


def _plain_run(words: tuple[ArgumentWord, ...]) -> tuple[str, ...]:
    run: list[str] = []
    for word in words[:_DEEPEST]:
        if word.text is None or not _PLAIN.match(word.text):
            break
        run.append(word.text)
    return tuple(run)
