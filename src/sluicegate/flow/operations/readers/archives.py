"""Archives: tar and its old way of writing options, zip, cpio, and what unpacks where it stands."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.inner import NEVER, shell_code
from sluicegate.flow.operations.commands.reading import CommandReading, Use
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.known.commands.spec import Spec, family

_WITH_VALUE: Final = frozenset("fCTXbgIFHKLNV")
_READING: Final = frozenset({"-x", "-t", "-d", "--extract", "--get", "--list", "--diff", "--compare"})
_WRITING: Final = frozenset(
    {"-c", "-r", "-u", "-A", "--create", "--append", "--update", "--catenate", "--concatenate", "--delete"}
)


class _Tar(ArgumentWalk):
    """``-C`` holds for the members behind it, so each has to be known with where tar stands then."""

    def __init__(self, reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
        super().__init__(reading, words, spec)
        self.stood: list[tuple[ArgumentWord, ...]] = []

    def operand(self, word: ArgumentWord) -> bool:
        self.stood.append(self.reading.scene.chdirs)
        return super().operand(word)


@reader("tar")
def tar(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``tar [options] [FILE...]``; the first argument may be a bundle of options without ``-``, their values
    behind.
    """
    home = reading.scene.chdirs
    walk = _Tar(reading, _unbundled(reading, words), spec)
    walk.walk()
    given = walk.given
    if not given & (_READING | _WRITING) and words:
        raise CommandError(
            f"in {reading.name}: what to do is not written", hint="write -x, -c or -t (with one dash) first"
        )
    modes = "r" if given & _READING else "rw"
    here = "--force-local" in given
    gone = reading.scene.chdirs
    reading.uses = [
        use
        for each in reading.uses
        for use in _archive(reading, _from_home(each, home, gone), modes, here=here)
    ]
    if given & _WRITING:
        for word, stood in zip(reading.operands, walk.stood, strict=True):
            if "--remove-files" in given:
                reading.uses.append(Use("w", word, stood))
            archived = (
                word.after(1) if reading.program.basename == "bsdtar" and word.head[:1] == "@" else word
            )
            reading.uses.append(Use("r", archived, stood))
    if given & {"-x", "--extract", "--get"} and not given & {"-O", "--to-stdout", "--to-command"}:
        reading.uses += [Use("w", literal("."), stood) for stood in dict.fromkeys((*walk.stood, gone))]
        if given & {"-P", "--absolute-names"}:
            reading.use("w", None)


@role("tar-chdir")
def tar_chdir(reading: CommandReading, word: ArgumentWord) -> None:
    """``-C``: what stands before it stays where it is."""
    reading.use("r", word)
    reading.scene = replace(reading.scene, chdirs=(*reading.scene.chdirs, word))


def _from_home(use: Use, home: tuple[ArgumentWord, ...], gone: tuple[ArgumentWord, ...]) -> Use:
    """What an option names is opened before tar goes anywhere; a directory it goes into, and a member, are not."""
    return use if use.word in gone or use.mode == "member" else use._replace(chdirs=home)


def _archive(reading: CommandReading, use: Use, modes: str, *, here: bool) -> list[Use]:
    """The archive: a path, or ``host:path``, which tar fetches with another program."""
    if use.mode == "member":
        return [use._replace(mode="r")]
    if use.mode != "archive" or use.word is None:
        return [use]
    if not here:
        if ":" in use.word.head:
            raise CommandError(
                f"in {reading.name}, {quoted(use.word)} names another machine",
                hint="write --force-local for a file here",
            )
        reading.never(use.word, (":",), "would name another machine", "write --force-local for a file here")
    return [use._replace(mode=mode) for mode in modes]


def _unbundled(reading: CommandReading, words: tuple[ArgumentWord, ...]) -> tuple[ArgumentWord, ...]:
    """``tar xfC a.tar dir`` as ``tar -x -f a.tar -C dir``."""
    if not words or words[0].head.startswith("-"):
        return words
    letters = reading.written(
        words[0], "the options of tar", "write them in the template, as in tar -xf {archive}"
    )
    if not re.fullmatch(r"[A-Za-z0-9]+", letters):
        raise CommandError(
            f"in {reading.name}: {quoted(words[0])} are not options of tar", hint="write tar -xf archive"
        )
    rest = list(words[1:])
    found: list[ArgumentWord] = []
    for letter in letters:
        found.append(literal(f"-{letter}"))
        if letter in _WITH_VALUE and rest:
            found.append(rest.pop(0))
    return (*found, *rest)


@role("archive")
def archive(reading: CommandReading, word: ArgumentWord) -> None:
    """The archive; what it is depends on the other options."""
    reading.use("archive", word)


@role("tar-member")
def tar_member(reading: CommandReading, word: ArgumentWord) -> None:
    """``--add-file``: a member, from where tar stands there."""
    reading.use("member", word)


@role("tar-checkpoint")
def checkpoint(reading: CommandReading, word: ArgumentWord) -> None:
    """``--checkpoint-action=exec=CODE``."""
    text = reading.written(word, "an action of tar", NEVER)
    if text.startswith("exec="):
        shell_code(reading, text[5:], via="--checkpoint-action")


_ELSEWHERE: Final = {
    "wget": {"-O", "--output-document", "-P", "--directory-prefix", "--spider"},
    "wget2": {"-O", "--output-document", "-P", "--directory-prefix", "--spider"},
    "unzip": {"-d", "-l", "-t", "-p", "-c", "-v", "-z", "-Z"},
    "7z": {"-o"},
    "cabextract": {"-d", "-l", "-t", "-p"},
    "http": {"-o", "--output"},
    "axel": {"-o", "--output"},
    "git format-patch": {"-o", "--output-directory", "--stdout"},
}
"""Options with which nothing is written where the program stands, by the name that its table begins with."""


@reader("writes-here")
def writes_here(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """Programs that write where they stand, under names that they find inside, unless told where to
    (``wget``, ``unzip``, ``git format-patch``).
    """
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    elsewhere = next((spared for name, spared in _ELSEWHERE.items() if _same(name, spec.name)), set[str]())
    if not walk.given & elsewhere:
        reading.use("w", literal("."))


def _same(name: str, other: str) -> bool:
    """Whether one table speaks of both programs."""
    return name == other or bool(" " not in name + other and family(name) and family(name) == family(other))


@reader("cpio")
def cpio(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``cpio -o`` reads the names of files, ``-i`` and ``-p`` write under any name."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    if walk.given & {"-o", "--create", "-p", "--pass-through"}:
        reading.use("r", None)
    if not walk.given & {"-o", "--create", "-t", "--list"}:
        reading.use("w", None)


_TWO_LETTERS: Final = (
    "TT",
    "tt",
    "lf",
    "la",
    "li",
    "db",
    "dc",
    "dd",
    "ds",
    "du",
    "dv",
    "ic",
    "jj",
    "nw",
    "sb",
    "so",
)
_ZIP_VALUES: Final = frozenset("bxinsPtO") | {"TT", "tt", "lf", "ds"}


@reader("zip")
def zip_(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """zip: some options are two letters long, in clusters too; the first that takes a value takes the rest."""
    apart: list[ArgumentWord] = []
    ended = False
    for word in words:
        ended = ended or word.text == "--"
        if ended or not word.head.startswith("-") or word.head.startswith("--") or len(word.head) < 2:
            apart.append(word)
            continue
        at = 1
        while at < len(word.head):
            letters = word.head[at : at + 2] if word.head[at : at + 2] in _TWO_LETTERS else word.head[at]
            at += len(letters)
            apart.append(literal(f"-{letters}"))
            if letters in _ZIP_VALUES:
                if at < len(word.head) or word.text is None:
                    apart.append(word.after(at))
                break
    ArgumentWalk(reading, tuple(apart), spec).walk()


@role("zip-names")
def zip_names(reading: CommandReading, word: ArgumentWord) -> None:
    """``-x`` and ``-i``: a pattern, or ``@file`` of them."""
    if word.head.startswith("@"):
        reading.use("r", word.after(1))
    reading.guard(word, ("@",), "would name a file to read", "write the pattern in the template")
