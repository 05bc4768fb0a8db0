"""Whether the words of a command can tell what a stranger said.

What code changes carries what the code was told. A command such as ``pytest -q tests`` or ``npm run build`` tells it nothing: each word of
it was there before anybody read a page. So who chose it chose among what the project and its programs offer, and said nothing of their
own; that choice is not followed (``docs/model.md``, what is not promised). Read as text, and no in any doubt:

1. Signs that quote, expand, redirect or begin another text are words of one's own.
2. Each word is the name of a program that runs, or of one that is known, an option of it that is known, or of one letter or
   two, a task that projects mostly have (``test``, ``build``), a small number, or a path at which something stands.
3. All of it is short.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from typing import Final

from sluicegate.flow.policy.request import Request
from sluicegate.patterns import late

_MOST_CHARACTERS: Final = 300
_MOST_WORDS: Final = 20
_PLAIN: Final = late(r"(?:[A-Za-z0-9_./@+,=:\n \t-]|&&|\|\||2>&1|[;|()])*", re.ASCII)
_SIGNS: Final = late(r"&&|\|\||2>&1|[;|()\n]")
_SHORT: Final = late(r"-[A-Za-z]{1,2}[0-9]?|[0-9]{1,3}", re.ASCII)
_SHELL: Final = frozenset("cd env time exec then else fi do done if for in while".split())
_TASKS: Final = frozenset(
    "test tests testing check build run all lint fmt format typecheck type-check ci dev start install sync compile package coverage unit"
    " integration e2e docs verify prove exec poetry pdm hatch vet doc bench t".split()
)


def says_nothing_itself(text: str, requests: Collection[Request], *, start: str) -> bool:
    """Whether shell text holds no word of whoever made it up. ``start``: the directory in which it runs."""
    if len(text) > _MOST_CHARACTERS or not _PLAIN.fullmatch(text):  # 1, 3
        return False
    words = [word for part in _SIGNS.split(text) for word in part.split()]
    if len(words) > _MOST_WORDS or any(each.unread for each in requests):
        return False
    names = {each.command.basename for each in requests if each.command is not None}
    options = frozenset(_options(names))
    places = [start, *(each.start for each in requests if each.start)]
    return all(
        word in names
        or word in options
        or word in _TASKS
        or _is_program(word)
        or word in _SHELL
        or _SHORT.fullmatch(word)
        or _stands(word, places)
        for word in words
    )


def _is_program(word: str) -> bool:
    from sluicegate.known.commands.spec import spec

    return "/" not in word and spec(word) is not None


def _options(names: Iterable[str]) -> Iterable[str]:
    from sluicegate.known.commands.spec import spec

    for name in names:
        known = spec(name)
        yield from known.options if known is not None else ()


def _stands(word: str, places: Iterable[str]) -> bool:
    """Whether something stands at a path, which may end in what Go calls all below it."""
    path = word.removesuffix("/...")
    return any(os.path.lexists(os.path.join(place, path)) for place in places)  # noqa: PTH118 - text
