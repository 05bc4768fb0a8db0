"""Times as the record writes them: UTC, RFC 3339, ending in ``Z``."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import lru_cache

from sluicegate.patterns import late

Clock = Callable[[], int]
"""Gives nanoseconds since 1970-01-01 UTC: ``time.time_ns``, or what a test says."""

SECOND = 1_000_000_000
_FORM = late(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


@lru_cache(maxsize=4)
def stamp_second(second: int) -> str:
    """``second`` since 1970 as ``2026-01-19T10:30:00Z``."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def stamp(now: int) -> str:
    """``now`` in nanoseconds as ``2026-01-19T10:30:00.000000Z``; microseconds, cut off and not rounded."""
    second, rest = divmod(now, SECOND)
    return f"{stamp_second(second)[:-1]}.{rest // 1000:06d}Z"


def parse_second(text: str) -> int:
    """Seconds since 1970 of ``2026-01-19T10:30:00Z``, in this one form only; raises ValueError."""
    from datetime import UTC, datetime

    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError("a time has the form 2026-01-19T10:30:00Z")
    year, month, day, hour, minute, second = map(int, found.groups())
    return int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
