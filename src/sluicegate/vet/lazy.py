"""Regular expressions that are compiled when they are first used.

Compiling some hundred patterns costs more than a whole scan of a small skill, and a scan uses a few of them.
"""

from __future__ import annotations

import re
from typing import AnyStr, cast


class _Lazy:
    """Stands for a compiled pattern; the first use of any attribute compiles it and keeps the attribute."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        value = getattr(re.compile(self._pattern, self._flags), name)  # kept by re's own cache meanwhile
        self.__dict__[name] = value
        return value


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like ``re.compile``, later. An invalid pattern raises ``re.error`` when it is first used."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
