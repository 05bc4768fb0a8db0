"""A text of the skill, line by line, as it may stand in a frame: visible, its secrets masked, its comments apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.review.mediator.comments import Separation, comments_of
from sluicegate.vet.review.mediator.masking import secrets
from sluicegate.vet.review.mediator.visible import escaped, note, without_control_tokens


class PreparedText:
    """One text. All three of ``raw``, ``code`` and ``comments`` have as many lines as the text, and hold no line feed.

    ``code`` and ``comments`` together hold every character that ``raw`` holds, but for white space at the end of lines.
    """

    def __init__(self, text: str, language: Kind) -> None:
        self.text = text
        self.language = language

    @cached_property
    def _secrets(self) -> list[tuple[int, int]]:
        return secrets(self.text)

    @cached_property
    def _split(self) -> tuple[Sequence[str], Sequence[str], Separation]:
        if self.language not in CODE:
            return self.raw, [""] * len(self.raw), Separation.NONE
        spans, how = comments_of(self.text, self.language)
        code = self._lines(_between(spans, len(self.text)))
        return code, self._lines(spans) if spans else [""] * len(code), how

    @cached_property
    def raw(self) -> Sequence[str]:
        """The lines as they stand."""
        return self._lines([(0, len(self.text))])

    @property
    def code(self) -> Sequence[str]:
        """The lines without comments; of what is not a program, all of them."""
        return self._split[0]

    @property
    def comments(self) -> Sequence[str]:
        """The comments of each line."""
        return self._split[1]

    @property
    def how(self) -> Separation:
        """How comments were told from code."""
        return self._split[2]

    @property
    def is_program(self) -> bool:
        return self.language in CODE

    def _lines(self, keep: Iterable[tuple[int, int]]) -> list[str]:
        """The lines with what stands in these spans, and nothing else."""
        text, at = self.text, 0
        pieces: list[str] = []
        for start, end in keep:
            pieces.append("\n" * text.count("\n", at, start))
            pieces += self._masked(start, end)
            at = end
        pieces.append("\n" * text.count("\n", at))
        lines = "".join(pieces).split("\n")
        return [without_control_tokens(line).rstrip(" \t") for line in lines]

    def _masked(self, start: int, end: int) -> Iterator[str]:
        """What stands in a span: secrets as notes, everything else visible."""
        at = start
        for first, last in self._secrets:
            if last <= at or first >= end:
                continue
            first, last = max(first, at), min(last, end)
            yield _seen(self.text[at:first])
            yield note(f"secret of {last - first} characters, masked")
            yield ("\n" + note("masked")) * self.text.count("\n", first, last)
            at = last
        yield _seen(self.text[at:end])


def _seen(text: str) -> str:
    """Visible, with the carriage return of a line end left out."""
    return escaped(text.replace("\r\n", "\n"))


def _between(spans: Sequence[tuple[int, int]], end: int) -> Iterator[tuple[int, int]]:
    """What the spans leave."""
    at = 0
    for start, stop in spans:
        yield at, start
        at = stop
    yield at, end


def quotable(text: str) -> list[str]:
    """A short untrusted text, such as a message or a path, as lines that may stand in a frame."""
    return list(PreparedText(text, Kind.TEXT).raw)


def quotable_row(text: str) -> str:
    """The same as one row: a line feed, as a file name may have one, is an escape."""
    return note("U+000A").join(quotable(text))
