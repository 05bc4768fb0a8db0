"""All the ways in which Python would show a value, and what a labelled one does there.

Text that people read (``str``, ``repr``, ``format``, f-strings, ``%``, logs, reprs of containers) shows a
placeholder with the names of the labels, so that no log line breaks. Whatever would go on working with a
plain content (numbers, bytes, keys, paths, pickles) raises ``OpaqueValueError`` with what to use instead.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NoReturn, SupportsIndex

from sluicegate.flow.errors import OpaqueValueError
from sluicegate.flow.labels import Labels, head
from sluicegate.flow.values.carrier import Carrier

_MOST_NAMES_SHOWN: Final = 6


@lru_cache(maxsize=1024)
def placeholder(labels: Labels) -> str:
    """What stands for a value with these labels where its content would: ``<secret src:mcp>``."""
    names = [name for name in labels.names() if head(name) != "dir"]
    more = " ..." if len(names) > _MOST_NAMES_SHOWN else ""
    return f"<{' '.join(names[:_MOST_NAMES_SHOWN]) or 'value'}{more}>"


class Opaque(Carrier):
    """What carries labels and does not show."""

    __slots__ = ()

    def opaque(self, how: str, instead: str) -> OpaqueValueError:
        """The error for a use that would show the content."""
        return OpaqueValueError(f"{self!r}, a labelled value, was {how}", hint=f"use {instead}")

    def __repr__(self) -> str:
        return placeholder(self.labels)

    def __format__(self, spec: str) -> str:
        return placeholder(self.labels)

    def __hash__(self) -> int:
        raise self.opaque("used as a key, or put in a set", ".map(function), or look it up with table[key]")

    def __int__(self) -> int:
        raise self.opaque("turned into a plain number", ".map(int)")

    def __float__(self) -> float:
        raise self.opaque("turned into a plain number", ".map(float)")

    def __complex__(self) -> complex:
        raise self.opaque("turned into a plain number", ".map(complex)")

    def __index__(self) -> int:
        raise self.opaque("used as a plain number", "a labelled list or table, and index that with it")

    def __bytes__(self) -> bytes:
        raise self.opaque("turned into plain bytes", ".map(bytes)")

    def __fspath__(self) -> str:
        raise self.opaque("used as a path", "an operation of the monitor, such as read or write")

    def __reduce__(self) -> NoReturn:
        raise self.opaque("pickled", "the monitor to write it, which keeps its labels")

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        self.__reduce__()

    def __getstate__(self) -> NoReturn:
        self.__reduce__()

    def __copy__(self) -> Opaque:
        return self

    def __deepcopy__(self, memo: object) -> Opaque:
        return self

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a labelled value has no {name}; use .map(lambda value: value.{name})")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a labelled value does not change; map() makes a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a labelled value does not change")
