"""Archives. tar: its old way of writing options, what it reads and writes, and the options that run
something.
"""

from __future__ import annotations

import re
from typing import Final

from penstock.flow.errors import CommandError
from penstock.flow.operations.inner import NEVER, shell_code
from penstock.flow.operations.reading import Reading, Use
from penstock.flow.operations.registry import reader, role
from penstock.flow.operations.spec import Spec
from penstock.flow.operations.walk import Walk
from penstock.flow.operations.words import Word, literal, quoted

_WITH_VALUE: Final = frozenset("fCTXbgIFHKLNV")
_READING: Final = frozenset({"-x", "-t", "-d", "--extract", "--get", "--list", "--diff", "--compare"})
_WRITING: Final = frozenset(
    {"-c", "-r", "-u", "-A", "--create", "--append", "--update", "--catenate", "--concatenate", "--delete"}
)


@reader("tar")
def tar(reading: Reading, words: tuple[Word, ...], spec: Spec) -> None:
    """``tar [options] [FILE...]``; the first argument may be a bundle of options without ``-``, their values
    behind.
    """
    walk = Walk(reading, _unbundled(reading, words), spec)
    walk.walk()
    extracts = bool(walk.given & {"-x", "--extract", "--get"})
    if walk.given & _WRITING:
        for word in reading.operands:
            reading.use("r", word)
    if extracts and not walk.given & {"-O", "--to-stdout", "--to-command"}:
        reading.use("w", literal("."))
    if not walk.given & (_READING | _WRITING) and words:
        raise CommandError(
            f"in {reading.name}: what to do is not written", hint="write -x, -c or -t (with one dash) first"
        )
    modes = "r" if walk.given & _READING else "rw"
    here = "--force-local" in walk.given
    reading.uses = [use for each in reading.uses for use in _archive(reading, each, modes, here=here)]


def _archive(reading: Reading, use: Use, modes: str, *, here: bool) -> list[Use]:
    """The archive: a path, or ``host:path``, which tar fetches with another program."""
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


def _unbundled(reading: Reading, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """``tar xfC a.tar dir`` as ``tar -x -f a.tar -C dir``."""
    if not words or words[0].head.startswith("-"):
        return words
    letters = reading.written(
        words[0], "the options of tar", "write them in the template, as in tar -xf {archive}"
    )
    if not re.fullmatch(r"[A-Za-z0-9]+", letters):
        raise CommandError(
            f"in {reading.name}: {quoted(words[0])} are no options of tar", hint="write tar -xf archive"
        )
    rest = list(words[1:])
    found: list[Word] = []
    for letter in letters:
        found.append(literal(f"-{letter}"))
        if letter in _WITH_VALUE and rest:
            found.append(rest.pop(0))
    return (*found, *rest)


@role("archive")
def archive(reading: Reading, word: Word) -> None:
    """The archive; what it is depends on the other options."""
    reading.use("archive", word)


@role("tar-checkpoint")
def checkpoint(reading: Reading, word: Word) -> None:
    """``--checkpoint-action=exec=CODE``."""
    text = reading.written(word, "an action of tar", NEVER)
    if text.startswith("exec="):
        shell_code(reading, text[5:], via="--checkpoint-action")


_ELSEWHERE: Final = frozenset(
    {
        "-O",
        "--output-document",
        "-P",
        "--directory-prefix",
        "--spider",
        "-d",
        "-l",
        "-t",
        "-p",
        "-o",
        "--output",
    }
)


@reader("writes-here")
def writes_here(reading: Reading, words: tuple[Word, ...], spec: Spec) -> None:
    """Programs that write where they stand, under names that they find inside, unless told where to
    (``wget``, ``unzip``).
    """
    walk = Walk(reading, words, spec)
    walk.walk()
    if not walk.given & _ELSEWHERE or spec.name == "patch":
        reading.use("w", literal("."))
