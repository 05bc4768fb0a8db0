"""Regular expressions that are compiled when they are first used.

Compiling all that stand at the heads of modules takes a quarter of the time to import a monitor, and a first decision
uses few of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import AnyStr, cast

_METHODS = ("fullmatch", "match", "search", "finditer", "findall", "sub", "subn", "split")


class _Late:
    """Becomes the expression that it stands for when it is first asked for anything."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.given = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: re.Pattern[str] | re.Pattern[bytes] = re.compile(self.pattern, self.given)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, later. A pattern that is wrong is an error where it is first used; a test uses them all."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, int(flags)))


class _Lazy:
    """Stands for a compiled pattern; the first use of any attribute compiles it and keeps the attribute."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        value = getattr(re.compile(self._pattern, self._flags), name)  # kept by re's own cache meanwhile
        self.__dict__[name] = value
        return value


class _Seldom(_Lazy):
    """A pattern that is not compiled as long as no text holds one of the words of which each of its matches holds one.

    The words are looked for in ASCII alone, where there is one lower case of a letter. Once the pattern is compiled, its own
    methods stand in the place of these.
    """

    def __init__(self, pattern: str, flags: int, words: Sequence[str]) -> None:
        super().__init__(pattern, flags)
        self.source, self.words = pattern, words

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled("search").search(text, *bounds) if self._may_match(text) else None

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled("match").match(text, *bounds) if self._may_match(text) else None

    def fullmatch(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self._compiled("fullmatch").fullmatch(text, *bounds) if self._may_match(text) else None

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
        return self._compiled("finditer").finditer(text, *bounds) if self._may_match(text) else iter(())

    def _may_match(self, text: str) -> bool:
        return not text.isascii() or _one_of(self.words, text.lower())

    def _compiled(self, method: str) -> re.Pattern[str]:
        compiled: re.Pattern[str] = re.compile(self.source, self._flags)
        self.__dict__[method] = getattr(compiled, method)
        return compiled


def _one_of(words: Sequence[str], text: str) -> bool:
    for word in words:  # noqa: SIM110  no generator: it is asked of many texts
        if word in text:
            return True
    return False


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like ``re.compile``, later. An invalid pattern raises ``re.error`` when it is first used."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


def seldom(words: Sequence[str], pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like ``lazy``, for a pattern of which every match holds one of a few words that most texts lack.

    The words are in lower case, whatever the pattern makes of case. A test proves of each such pattern that it has no match
    without one of them.
    """
    return cast("re.Pattern[str]", _Seldom(pattern, flags, words))
