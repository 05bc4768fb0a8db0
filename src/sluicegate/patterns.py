"""Regular expressions that are compiled when they are first used, or before that, when the package was built.

Compiling all that stand at the heads of modules takes a quarter of the time to import a monitor, and a first decision
uses few of them. Those few still cost a seventh of a scan, and half of one that finds something. So ``compiled.patterns``
holds what Python's compiler makes of each (``compile_patterns`` writes it), and is to these patterns what ``.pyc`` files are
to modules: it is read by the very Python that wrote it and by no other, and where a pattern is not in it, the pattern is
compiled as ever. What comes of it is the same, and equal to what ``re.compile`` gives.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]  # what ``re`` itself hands what it compiled to
import marshal
import os
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, AnyStr, cast
from zlib import crc32

COMPILED = Path(__file__).with_name("compiled.patterns")
MADE_BY = f"{sys.implementation.cache_tag} {sys.hexversion:x} {_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder}\n".encode()
"""The first line of the file: which Python wrote it. Another may compile the same pattern to something else."""
NUMBER = 4
"""The bytes of a number: behind the first line, how many patterns there are, their checksums in order, and where each ends."""

_METHODS = ("fullmatch", "match", "search", "finditer", "findall", "sub", "subn", "split")


class _File:
    """The file of compiled patterns, empty where there is none of this Python. It stays open, and is asked for one pattern
    at a time: all of them are megabytes."""

    def __init__(self, path: Path) -> None:
        self._sums = self._ends = memoryview(b"").cast("I")
        try:
            self._opened = os.open(path, os.O_RDONLY)
        except OSError:
            return
        line = len(MADE_BY)
        if os.pread(self._opened, line, 0) != MADE_BY:
            os.close(self._opened)
            return
        count = int.from_bytes(os.pread(self._opened, NUMBER, line), sys.byteorder)
        table = memoryview(os.pread(self._opened, 2 * NUMBER * count, line + NUMBER)).cast("I")
        self._sums, self._ends = table[:count], table[count:]
        self._start = line + NUMBER + table.nbytes

    def pattern(self, text: str | bytes, flags: int) -> Any:
        """This pattern, when it is there."""
        wanted = checksum(text, flags)
        at = bisect_left(self._sums, wanted)
        while at < len(self._sums) and self._sums[at] == wanted:
            place = self._ends[at - 1] if at else 0
            # As bytecode is read: it was written when the package was built, and stands beside its modules.
            entry = marshal.loads(os.pread(self._opened, self._ends[at] - place, self._start + place))  # noqa: S302
            given, pattern, all_flags, groups, names, order, codes = entry
            if given == flags and pattern == text and type(pattern) is type(text):
                code = memoryview(codes).cast("I").tolist()
                return _sre.compile(text, all_flags, code, groups, names, order)
            at += 1
        return None


@lru_cache(maxsize=1)
def _file(path: Path) -> _File:
    return _File(path)


def checksum(pattern: str | bytes, flags: int) -> int:
    """By what a pattern is looked for in the file; what stands there is then compared with the pattern itself."""
    return crc32(pattern.encode("utf-8", "surrogatepass") if isinstance(pattern, str) else pattern, flags)


def compiled(pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
    """``re.compile``, faster for a pattern that was compiled when the package was built."""
    return _file(COMPILED).pattern(pattern, flags) or re.compile(pattern, flags)


class _Late:
    """Becomes the expression that it stands for when it is first asked for anything."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.given = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        made = compiled(self.pattern, self.given)
        self.__dict__.update({method: getattr(made, method) for method in _METHODS})
        return getattr(made, name)


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile``, later. A pattern that is wrong is an error where it is first used; a test uses them all."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, int(flags)))


class _Lazy:
    """Stands for a compiled pattern; the first use of any attribute compiles it and keeps the attribute."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, int(flags)

    def __getattr__(self, name: str) -> object:
        value = self.__dict__[name] = getattr(self._made(), name)
        return value

    def _made(self) -> re.Pattern[Any]:
        made = compiled(self._pattern, self._flags)
        self.__dict__["_made"] = lambda: made
        return made


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
        made = self._made()
        self.__dict__[method] = getattr(made, method)
        return made


def _one_of(words: Sequence[str], text: str) -> bool:
    for word in words:  # noqa: SIM110  no generator: it is asked of many texts
        if word in text:
            return True
    return False


def late_patterns(objects: Sequence[object]) -> set[tuple[str | bytes, int]]:
    """The pattern and the flags of each of these objects that stands for a pattern."""
    return {
        *((each.pattern, each.given) for each in objects if isinstance(each, _Late)),
        *((each._pattern, each._flags) for each in objects if isinstance(each, _Lazy)),
    }


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like ``re.compile``, later. An invalid pattern raises ``re.error`` when it is first used."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


def seldom(words: Sequence[str], pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Like ``lazy``, for a pattern of which every match holds one of a few words that most texts lack.

    The words are in lower case, whatever the pattern makes of case. A test proves of each such pattern that it has no match
    without one of them.
    """
    return cast("re.Pattern[str]", _Seldom(pattern, flags, words))
