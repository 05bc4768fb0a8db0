"""Words that stand in every text in which something can be found: asked for before anything is looked for."""

from __future__ import annotations

from collections.abc import Iterable


def one_of(words: Iterable[str], text: str) -> bool:
    """Whether one of the words stands in a text; no generator, for it is asked of every text many times."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False
