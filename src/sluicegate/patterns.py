"""Regular expressions that are compiled when they are first used.

Compiling all that stand at the heads of modules takes a quarter of the time to import a monitor, and a first decision
uses few of them.
"""

from __future__ import annotations

import re
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
