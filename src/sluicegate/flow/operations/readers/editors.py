"""Editors and pagers: ``+command``, ``-c command``, a pager for ``man``."""

from __future__ import annotations

from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import Reading
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import Walk
from sluicegate.flow.operations.commands.words import Word
from sluicegate.known.commands.spec import Spec
from sluicegate.patterns import late

_LINE = late(r"\+(?:[0-9]+|/[^|]*)?\Z|\+\+?[gGF]\Z")


@role("editor-command")
def editor_command(reading: Reading, word: Word) -> None:
    """A command of an editor: a line number is one; anything else can start a shell."""
    text = reading.written(word, "a command of the editor", NEVER)
    if not text.isdigit():
        reading.code("with a command of its own")


@reader("editor")
def editor(reading: Reading, words: tuple[Word, ...], spec: Spec) -> None:
    """``vim [options] [+COMMAND] [FILE...]``, ``less [options] [+COMMAND] [FILE...]``."""
    kept: list[Word] = []
    ended = False
    for word in words:
        ended = ended or word.text == "--"
        if word.head.startswith("+") and not ended:
            text = reading.written(word, "a command of the editor", NEVER)
            if not _LINE.match(text):
                reading.code("with a command of its own")
            continue
        kept.append(word)
    Walk(reading, tuple(kept), spec).walk()


@role("edited")
def edited(reading: Reading, word: Word) -> None:
    """A file to edit; editors also fetch addresses."""
    reading.use("r", word)
    reading.use("w", word)
    reading.contact("maybe", word)


@role("magic-file")
def magic_file(reading: Reading, word: Word) -> None:
    """A file as ``perl -n`` opens it: ``command |`` and ``| command`` are run."""
    if word.text is not None and "|" in word.text:
        reading.code("with a command for a file")
    reading.never(word, ("|", "<", ">"), "would be a command there", "give the file as standard input")
    reading.use("r", word)


@role("verbose-file")
def verbose_file(reading: Reading, word: Word) -> None:
    """``-V[N][FILE]``: messages go to a file."""
    path = word.head.lstrip("0123456789")
    if path or word.text is None:
        reading.use("w", word.after(len(word.head) - len(path)))


@reader("edits")
def edits(reading: Reading, words: tuple[Word, ...], spec: Spec) -> None:
    """``perl -i``, ``ruby -i``: the files that are read are written too."""
    walk = Walk(reading, words, spec)
    walk.walk()
    for word in reading.operands if "-i" in walk.given else ():
        reading.use("w", word)
