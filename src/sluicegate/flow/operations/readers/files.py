"""Programs that copy, move and search: what a directory as a target means, and searching where one stands."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import CommandReading, Use
from sluicegate.flow.operations.commands.registry import ROLES, reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.known.commands.spec import Spec


@role("into")
def into(reading: CommandReading, word: ArgumentWord) -> None:
    """Where something is put: a file, or a directory for it."""
    reading.use("i", word)


@reader("into")
def copies(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``cp SOURCE... TARGET``, ``cp -t DIRECTORY SOURCE...``: what is put into a directory keeps its name there."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    if walk.given & {"-T", "--no-target-directory"}:
        reading.uses = [use._replace(mode="w") if use.mode == "i" else use for use in reading.uses]
        return
    named = bool(walk.given & {"-t", "--target-directory"})
    sources = reading.operands if named else reading.operands[:-1]
    if len(reading.operands) == 1 and not named:  # ln SOURCE: a link of the same name here
        reading.uses.append(Use("I", literal("."), reading.scene.chdirs, reading.operands[0]))
    mode = "I" if named or len(sources) > 1 else "i"
    uses: list[Use] = []
    for use in reading.uses:
        if use.mode != "i":
            uses.append(use)
        else:
            uses += [use._replace(mode=mode, inner=source) for source in sources] or [use._replace(mode="w")]
    reading.uses = uses


@role("list-of-files")
def list_of_files(reading: CommandReading, word: ArgumentWord) -> None:
    """``--files0-from``: a file of names of files to read."""
    reading.use("r", word)
    reading.use("r", None)


@role("list-of-written")
def list_of_written(reading: CommandReading, word: ArgumentWord) -> None:
    """A file of names of files to change."""
    reading.use("r", word)
    reading.use("w", None)


@role("anything")
def anything(reading: CommandReading, word: ArgumentWord) -> None:
    """Files are read that nothing here names."""
    reading.use("r", None)


@role("perhaps")
def perhaps(reading: CommandReading, word: ArgumentWord) -> None:
    """A name, or a file to read if it is one."""
    reading.use("m", word)


@role("source")
def source(reading: CommandReading, word: ArgumentWord) -> None:
    """A file here, or an address."""
    reading.use("p", word)
    reading.contact("maybe", word)


@role("package")
def package(reading: CommandReading, word: ArgumentWord) -> None:
    """A package by its name, or where it lies: a directory, an archive, an address."""
    reading.use("m", word)
    reading.contact("package", word)


@role("stored")
def stored(reading: CommandReading, word: ArgumentWord) -> None:
    """A file to send or to fetch, or a name in a cloud."""
    reading.use("m", word)
    reading.use("n", word)
    reading.contact("maybe", word)


@role("path-inside")
def path_inside(reading: CommandReading, word: ArgumentWord) -> None:
    """``container:path`` of ``docker cp``, or a path here."""
    reading.use("p", word)
    reading.use("q", word)


_RECURSIVE: Final = frozenset({"-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"})
_PATTERN: Final = frozenset({"-e", "--regexp", "-f", "--file", "--files"})


@reader("searches")
def searches(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """Without a path, ``rg``, and ``grep -r``, search where they stand."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    everywhere = spec.name not in ("grep", "egrep", "fgrep") or walk.given & _RECURSIVE
    if everywhere and len(reading.operands) < (1 if walk.given & _PATTERN else 2):
        reading.use("r", literal("."))


@reader("lists")
def lists(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``ls`` and the like: without a path, where they stand."""
    ArgumentWalk(reading, words, spec).walk()
    if not reading.operands:
        reading.use("r", literal("."))


@reader("rsync")
def rsync(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``rsync``: with ``--remove-source-files`` what is sent is deleted here."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    if "--remove-source-files" in walk.given:
        reading.uses += [use._replace(mode="q") for use in reading.uses if use.mode == "p"]


@reader("options-then-program")
def options_then_program(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """Programs whose options are all written with ``=``, in front of another program (``valgrind``)."""
    at = 0
    while at < len(words) and words[at].head.startswith("-"):
        text = reading.written(words[at], "an option in front of a program", NEVER)
        reading.flags.add(text.partition("=")[0])
        if text.startswith(("--log-file=", "--xml-file=", "--massif-out-file=", "--callgrind-out-file=")):
            reading.use("w", words[at].after(text.index("=") + 1))
        at += 1
        if text == "--":
            break
    if words[at:]:
        reading.run(words[at:])


@reader("ip")
def ip(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``ip netns exec NAME COMMAND...``, ``ip vrf exec NAME COMMAND...``."""
    for at, word in enumerate(words[:-2]):
        if at and word.text and "exec".startswith(word.text):
            reading.run(words[at + 2 :])
            return
    ArgumentWalk(reading, words, spec).walk()


@reader("cmake")
def cmake(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``cmake -E env [NAME=value...] COMMAND...`` starts a command, as ``-E time`` does."""
    texts = [word.text for word in words]
    if texts[:1] == ["-E"] and texts[1:2] in (["env"], ["time"], ["chdir"]):
        rest = words[3 if texts[1] == "chdir" else 2 :]
        while rest and (rest[0].head.startswith("-") or "=" in rest[0].head):
            if not rest[0].head.startswith("-"):
                ROLES["assign"](reading, rest[0])
            rest = rest[1:]
        if rest:
            reading.run(rest, "-E")
    ArgumentWalk(reading, words, spec).walk()
