"""What is found out about one command while its arguments are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import leaves
from sluicegate.flow.operations.commands.programs import ProgramFile, Programs, elsewhere
from sluicegate.flow.operations.commands.words import ArgumentWord, quoted
from sluicegate.flow.operations.standard_input import UNKNOWN, Fed
from sluicegate.known.commands.spec import Spec
from sluicegate.tuples import NamedTuple

MOST_DEEP: Final = 12
MOST_EFFECTS: Final = 64


class Use(NamedTuple):
    """A path that a command uses.

    ``r`` it is read, ``w`` written; ``d`` what is written lies beside it; ``m`` it is read if it turns out to
    be a path, ``o`` or ``REVISION:PATH``, ``n`` written if it is one; ``p`` ``q`` read, written unless it names another machine; ``i`` written,
    or what is put into it if it is a directory, ``I`` which it is: a file named like ``inner``. ``word`` is None
    where what is used cannot be known; ``chdirs`` are the directories gone into before, in order.
    """

    mode: str
    word: ArgumentWord | None
    chdirs: tuple[ArgumentWord, ...] = ()
    inner: ArgumentWord | None = None


class Contact(Struct, frozen=True):
    """A host that a command speaks to: ``form`` says how ``word`` names it (see ``hosts.py``); None is
    unknown.
    """

    form: str
    word: ArgumentWord | None


class ArgumentCheck(Struct, frozen=True):
    """What a filled argument must not begin with (from ``offset`` on), or, if ``inside``, hold in any value."""

    offset: int
    refused: tuple[str, ...]
    why: str
    hint: str
    inside: bool = False


class Effect(NamedTuple):
    """One thing that a command does: run a program, or code of a language.

    The first effect of a command is the program that it names; others are those that it starts. ``via`` says
    how. ``code`` are the places that it takes the code from which it runs. ``words`` are the arguments that are not options or values of options; with ``open_words`` a value may
    turn out to be a subcommand. ``marks`` are the labels of languages among the leaves. ``whole`` are the uses that are
    about everything below what they name (see ``whole.py``). ``chdirs`` were gone into before, in order.
    """

    kind: str
    leaves: tuple[str, ...]
    program: ProgramFile | None = None
    arguments: tuple[ArgumentWord, ...] = ()
    words: tuple[ArgumentWord, ...] = ()
    flags: frozenset[str] = frozenset()
    words_known: bool = True
    open_words: bool = False
    marks: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    whole: tuple[Use, ...] = ()
    contacts: tuple[Contact, ...] = ()
    via: str = ""
    code: tuple[Use, ...] = ()
    chdirs: tuple[ArgumentWord, ...] = ()


Analyse = Callable[["Scene", tuple[ArgumentWord, ...], ProgramFile | None], "list[Effect]"]


class Scene(Struct, frozen=True, kw_only=True):
    """Where a command runs: how programs are found there, where it stands, and what is shared by all of one
    argv.

    ``cwd`` is the absolute directory of the operation; ``chdirs`` what was gone into since. ``elsewhere``: on
    another machine, in an image or under another root. ``guards`` collects, by argument, what values must not
    be. ``stdin`` is what is known of the standard input; ``asked`` tells of shells that read their code from that of the
    operation.
    """

    programs: Programs
    cwd: str
    analyse: Analyse
    guards: dict[ArgumentWord, list[ArgumentCheck]] = field(default_factory=dict)
    chdirs: tuple[ArgumentWord, ...] = ()
    elsewhere: bool = False
    depth: int = 0
    via: str = ""
    stdin: Fed = UNKNOWN
    asked: list[str] = field(default_factory=list)

    def find(self, name: str) -> ProgramFile:
        """The program behind a name, from where this command stands. Raises CommandError."""
        if self.elsewhere:
            return elsewhere(name)
        cwd = self.cwd
        if "/" in name and not name.startswith("/"):
            for word in self.chdirs:
                if word.text is None:
                    raise CommandError(
                        f"the program {quoted(name)} lies in a directory that a value names",
                        hint="name the program by an absolute path, or the directory in the template",
                    )
                cwd = word.text if word.text.startswith("/") else f"{cwd}/{word.text}"
        return self.programs.find(name, cwd=cwd)


class CommandReading:
    """What is known of a command so far; the walker and the roles add to it."""

    def __init__(self, scene: Scene, program: ProgramFile, spec: Spec | None) -> None:
        self.scene = scene
        self.program = program
        self.spec = spec
        self.operands: list[ArgumentWord] = []
        self.flags: set[str] = set()
        self.known = spec is not None
        self.subcommands: list[str] = []
        self.uses: list[Use] = []
        self.contacts: list[Contact] = []
        self.marks: list[str] = []
        self.aliases: set[str] = set()
        self.effects: list[Effect] = []

    @property
    def name(self) -> str:
        """The program and its subcommands, for messages."""
        return " ".join((self.program.basename, *self.subcommands))

    def written(self, word: ArgumentWord, what: str, hint: str) -> str:
        """The text of an argument that no value may be part of. Raises CommandError if one is."""
        if word.text is None:
            raise CommandError(f"in {self.name}, {what} ({quoted(word)}) is filled by a value", hint=hint)
        return word.text

    def guard(self, word: ArgumentWord, refused: Iterable[str], why: str, hint: str) -> None:
        """A value at the beginning of ``word`` must not begin with any of these."""
        if not word.whole:
            return
        hole = word.holes[0]
        if hole.unknown:
            refused = tuple(each for each in refused if not (each == "-" and hole.operand))
            if refused:
                raise CommandError(
                    f"in {self.name}: {word!s} is not known here, and {why}",
                    hint="write '--' in front of it, as in: xargs rm --",
                )
            return
        if not hole.option:
            self.scene.guards.setdefault(word.origin, []).append(
                ArgumentCheck(word.offset, tuple(refused), why, hint)
            )

    def never(self, word: ArgumentWord, refused: tuple[str, ...], why: str, hint: str) -> None:
        """No value in ``word`` holds any of these. What is not known here holds what it holds."""
        if any(not hole.unknown for hole in word.holes):
            self.scene.guards.setdefault(word.origin, []).append(
                ArgumentCheck(word.offset, refused, why, hint, inside=True)
            )

    def use(self, mode: str, word: ArgumentWord | None, chdirs: tuple[ArgumentWord, ...] = ()) -> None:
        """The command uses a path (on this machine), after going into ``chdirs``."""
        if not self.scene.elsewhere and not (word is not None and word.text in ("-", "")):
            self.uses.append(Use(mode, word, (*self.scene.chdirs, *chdirs)))

    def contact(self, form: str, word: ArgumentWord | None) -> None:
        """The command speaks to a host."""
        self.contacts.append(Contact(form, word))

    def mark(self, language: str) -> None:
        """The command runs code of a language, as part of what it is."""
        self.marks.append(leaves.language(language))

    def mark_program(self, language: str) -> None:
        """The same, where ``self`` stands for the program's own language."""
        self.mark(self.program.basename if language == "self" else language)

    def written_here(self) -> None:
        """The code that the command runs stands in it, or in a text that it is given: whoever wrote the command wrote it."""
        if self.scene.programs.variables is not None:
            self.marks.append(leaves.INLINE)

    def code(self, via: str, language: str = "sh", *, given: bool = True) -> None:
        """The command runs code that cannot be read here: an effect of its own, to be allowed as such. ``given``: it stands in the
        command, or in a text that it is given, and not in a file that it names."""
        of_runner = self.scene.programs.variables is not None
        found = (
            (leaves.language(language), leaves.INLINE)
            if given and of_runner
            else (leaves.language(language),)
        )
        self.effects.append(Effect(language, found, via=self.through(via)))

    def through(self, via: str) -> str:
        """How an inner command came to be, for messages: ``env, find -exec``."""
        step = f"{self.program.basename} {via}".strip()
        return f"{self.scene.via}, {step}" if self.scene.via else step

    def run(
        self,
        words: Iterable[ArgumentWord],
        via: str = "",
        *,
        elsewhere: bool = False,
        chdirs: tuple[ArgumentWord, ...] = (),
        program: ProgramFile | None = None,
        stdin: Fed | None = None,
    ) -> None:
        """The command starts another one, with these words; ``program`` if it is known already, ``stdin`` if that is
        another than its own. Raises CommandError.
        """
        scene = replace(
            self.scene,
            depth=self.scene.depth + 1,
            via=self.through(via),
            elsewhere=self.scene.elsewhere or elsewhere,
            chdirs=(*self.scene.chdirs, *chdirs),
            stdin=self.scene.stdin if stdin is None else stdin,
        )
        if scene.depth > MOST_DEEP:
            raise CommandError(
                "commands start commands more than 12 deep", hint="name the innermost one directly"
            )
        self.effects += scene.analyse(scene, tuple(words), program)
        if len(self.effects) > MOST_EFFECTS:
            raise CommandError(
                f"the command starts more than {MOST_EFFECTS} others", hint="run them one by one"
            )

    def move(self, word: ArgumentWord) -> None:
        """What follows happens in another directory; what was named before it, there or here."""
        gone = self.scene.chdirs
        self.uses += [
            use._replace(chdirs=(*use.chdirs, word))
            for use in self.uses
            if use.word is not None and use.word not in gone
        ]
        self.use("r", word)
        self.scene = replace(self.scene, chdirs=(*self.scene.chdirs, word))
