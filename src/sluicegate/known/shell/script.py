"""What a shell text is made of, once read."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple


class Mark(NamedTuple):
    """Something at an offset of a text that is not read for certain, and what it is."""

    start: int
    what: str


class WordPart(NamedTuple):
    """A piece of a word: ``lit`` (the text), ``var`` (the name) or ``sub`` (the number of a scope).

    An exact reading tells ``glob`` (a character that stands for others), ``home`` (``~``) and ``sum`` (arithmetic) from
    text, too; whether an expansion is quoted; and, in ``written``, how it is written.
    """

    kind: str
    text: str = ""
    scope: int = -1
    quoted: bool = False
    written: str = ""


LONGEST_PIECE = 4096
"""Characters of a literal piece of a word from which on a new one is begun."""


class Word:
    """One word. Offsets are of the text read; ``bare`` where no part of it is quoted or escaped.

    ``text`` is all of it while it is a plain text, as most words are; else None, and ``pieces`` are its parts.
    """

    __slots__ = ("bare", "end", "pieces", "start", "text")

    def __init__(self, text: str | None, start: int, end: int = 0) -> None:
        self.text = text
        self.pieces: list[WordPart] = []
        self.start = start
        self.end = end
        self.bare = True

    @property
    def parts(self) -> list[WordPart]:
        """All parts, of a plain text as of any other."""
        return self.pieces if self.text is None else [WordPart("lit", self.text)]

    @property
    def literal(self) -> str:
        """The text, with ``$name`` for variables and nothing for substitutions."""
        if self.text is not None:
            return self.text
        return "".join(["$" + p.text if p.kind == "var" else p.text for p in self.pieces])

    def add(self, part: WordPart) -> None:
        """One more part."""
        if self.text is not None:
            self.pieces, self.text = [WordPart("lit", self.text)], None
        self.pieces.append(part)

    def write(self, text: str) -> None:
        """More text."""
        held = self.text
        if held is not None and len(held) < LONGEST_PIECE:
            self.text = held + text
            return
        last = self.parts[-1]
        if last.kind == "lit" and len(last.text) < LONGEST_PIECE:
            self.pieces[-1] = WordPart("lit", last.text + text)
        else:
            self.add(WordPart("lit", text))

    def begin(self) -> str | None:
        """The text at the beginning, or None where something else stands there."""
        if self.text is not None:
            return self.text
        first = self.pieces[0]
        return first.text if first.kind == "lit" else None

    def drop(self, length: int) -> None:
        """Without so many characters of the text at its beginning."""
        if self.text is not None:
            self.text = self.text[length:]
        else:
            self.pieces[0] = WordPart("lit", self.pieces[0].text[length:])


class Redirect(NamedTuple):
    """``operator`` and its word: a file, a here-string or the text of a here-document.

    The commands ``first`` to ``last`` (exclusive) stand inside the here-document, and run before its command.
    ``descriptor`` is the number that is written before the operator, or the name of the variable that gets one. An
    exact reading tells whether the end of a here-document is ``quoted``, so that nothing is expanded in it.
    """

    operator: str
    word: Word
    first: int = 0
    last: int = 0
    descriptor: str = ""
    quoted: bool = False


class ScriptCommand:
    """One simple command, or a group (``body`` is its scope) with what is written after it.

    ``feed`` is the number of the command whose output it reads through a pipe; ``kind`` is ``simple``,
    ``group``, ``for``, ``case`` or ``array``; ``function`` is the function in whose body it stands.
    ``words`` are as they are written (see ``Word.literal``), and ``woven`` are those that hold more than plain text,
    by their places; all of them in an exact reading, which also tells what stands ``after`` the command (``&&``).
    """

    __slots__ = (
        "after", "assigns", "body", "end", "feed", "function", "kind", "pipes", "redirects", "scope", "start", "words", "woven",
    )  # fmt: skip

    def __init__(self, kind: str, start: int, scope: int, feed: int, function: str, body: int = -1) -> None:
        self.kind = kind
        self.start = start
        self.end = 0
        self.scope = scope
        self.feed = feed
        self.function = function
        self.body = body
        self.after = ""
        self.pipes = False
        self.words: list[str] = []
        self.woven: dict[int, Word] = {}
        self.assigns: list[tuple[str, Word]] = []
        self.redirects: list[Redirect] = []

    def add(self, word: Word) -> None:
        """One more word."""
        text = word.text
        if text is None:
            self.woven[len(self.words)] = word
            text = word.literal
        self.words.append(text)


class Scope:
    """A list of commands: the whole, a substitution, a subshell, the body of a loop.

    ``outputs`` are the commands that write to its standard output; ``feed`` the command it reads from.
    """

    __slots__ = ("feed", "kind", "outputs")

    def __init__(self, kind: str, feed: int) -> None:
        self.kind = kind
        self.feed = feed
        self.outputs: list[int] = []


class Script:
    """Commands in the order in which they end, so that whatever a command needs stands before it.

    ``steps`` are those that reading it took, and ``partial`` says that they did not suffice. ``marks`` are what an
    exact reading could not read.
    """

    __slots__ = ("commands", "functions", "marks", "partial", "scopes", "steps")

    def __init__(self) -> None:
        self.commands: list[ScriptCommand] = []
        self.scopes: list[Scope] = []
        self.functions: dict[str, list[int]] = {}
        self.marks: list[Mark] = []
        self.partial = False
        self.steps = 0
