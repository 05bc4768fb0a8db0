"""Editors and pagers: ``+command``, ``-c command``, a pager for ``man``."""

from __future__ import annotations

from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord
from sluicegate.known.commands.spec import Spec
from sluicegate.patterns import late

_LINE = late(r"\+(?:[0-9]+|/[^|]*)?\Z|\+\+?[gGF]\Z")


@role("editor-command")
def editor_command(reading: CommandReading, word: ArgumentWord) -> None:
    """A command of an editor: a line number is one; anything else can start a shell."""
    text = reading.written(word, "a command of the editor", NEVER)
    if not text.isdigit():
        reading.code("with a command of its own")


@reader("editor")
def editor(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``vim [options] [+COMMAND] [FILE...]``, ``less [options] [+COMMAND] [FILE...]``."""
    kept: list[ArgumentWord] = []
    ended = False
    for word in words:
        ended = ended or word.text == "--"
        if word.head.startswith("+") and not ended:
            text = reading.written(word, "a command of the editor", NEVER)
            if not _LINE.match(text):
                reading.code("with a command of its own")
            continue
        kept.append(word)
    ArgumentWalk(reading, tuple(kept), spec).walk()


@role("edited")
def edited(reading: CommandReading, word: ArgumentWord) -> None:
    """A file to edit; editors also fetch addresses."""
    reading.use("r", word)
    reading.use("w", word)
    reading.contact("maybe", word)


@role("magic-file")
def magic_file(reading: CommandReading, word: ArgumentWord) -> None:
    """A file as ``perl -n`` opens it: ``command |`` and ``| command`` are run."""
    if word.text is not None and "|" in word.text:
        reading.code("with a command for a file")
    reading.never(word, ("|", "<", ">"), "would be a command there", "give the file as standard input")
    reading.use("r", word)


@role("verbose-file")
def verbose_file(reading: CommandReading, word: ArgumentWord) -> None:
    """``-V[N][FILE]``: messages go to a file."""
    path = word.head.lstrip("0123456789")
    if path or word.text is None:
        reading.use("w", word.after(len(word.head) - len(path)))


@reader("edits")
def edits(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``perl -i``, ``ruby -i``: the files that are read are written too."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    for word in reading.operands if "-i" in walk.given else ():
        reading.use("w", word)
