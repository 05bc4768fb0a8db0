"""Cheap questions about a text, asked before anything is looked for in it."""

from __future__ import annotations

from collections.abc import Iterable


def one_of(words: Iterable[str], text: str) -> bool:
    """Whether one of the words stands in a text; no generator, for it is asked of every text many times."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


def lower(text: str) -> str:
    """A text in lower case, each character where it was: what ASCII patterns find in it, they find without case.

    ``re.IGNORECASE`` takes a dotted I, a dotless i, a long s and the sign of Kelvin for the letters that they
    resemble. Other letters beyond ASCII stay as they are: to lower them takes twice the time of all the rest.
    """
    if text.isascii():
        return text.lower()
    low = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    low = low.replace("\u0130", "i").replace("\u0131", "i")
    return low.replace("\u017f", "s").replace("\u212a", "k")
