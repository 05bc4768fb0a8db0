"""Where a value has more candidate texts than the cap, keep those that a rule could match.

A stealer goes through a list of files, and most of the list may be files that nobody minds. So where there are
more texts than fit, a few of each kind that tells something are kept besides the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from sluicegate.known import hosts, names, places
from sluicegate.known.hosts import Host
from sluicegate.vet.lazy import lazy

MOST_OF_A_KIND = 2
"""Texts of one kind that are kept besides the first ones."""

_COMMAND = lazy(
    r"\b(?:curl|wget|nc|ncat|socat|base64|powershell|pwsh|iex|eval|exec|system|rm -\w|mkfs|crontab|launchctl|schtasks|sudo|chmod)\b"
    r"|\b(?:ba|z|da)?sh\b|/dev/tcp|\bpython3? -c|\bnode -e|\b(?:pip|npm|npx|uvx) "
)
_NAMES = frozenset(
    "exec eval compile system popen spawn run call Popen check_output check_call getoutput execv execve posix_spawn loads load "
    "os subprocess pty ctypes marshal pickle importlib builtins __import__ __builtins__ requests socket urllib".split()
)

Item = TypeVar("Item")


class CandidateKind(IntEnum):
    """What a text may be to a rule."""

    PLAIN = 0
    SECRET = 1
    DOTENV = 2
    STARTUP = 3
    AGENT = 4
    SUSPECT = 5
    ADDRESS = 6
    COMMAND = 7
    VARIABLE = 8
    NAME = 9
    HOME = 10


@lru_cache(maxsize=4096)
def kind_of(text: str) -> CandidateKind:
    """The first kind that a text is of."""
    if text in _NAMES:
        return CandidateKind.NAME
    if text in ("~", "~/"):
        return CandidateKind.HOME
    if text.isidentifier():
        return CandidateKind.VARIABLE if names.secret(text) else CandidateKind.PLAIN
    if places.secret(text):
        return CandidateKind.SECRET
    if places.dotenv(text):
        return CandidateKind.DOTENV
    if places.startup(text) or places.control(text):
        return CandidateKind.STARTUP
    if places.instructions(text):
        return CandidateKind.AGENT
    if "://" in text and hosts.urls(text):
        host = Host.SUSPECT if hosts.webhook(text) else hosts.classify(text)
        if host is Host.SUSPECT:
            return CandidateKind.SUSPECT
        return CandidateKind.ADDRESS if host > Host.INSTALLER else CandidateKind.PLAIN
    return CandidateKind.COMMAND if _COMMAND.search(text) is not None else CandidateKind.PLAIN


def most_telling(texts: Iterable[str]) -> str:
    """Of several texts that a name may hold, one of the first kind that there is; empty where all are plain."""
    return min((text for text in texts if kind_of(text)), key=kind_of, default="")


def bounded(
    items: Iterable[Item], most: int, kinds: Callable[[Item], Iterable[CandidateKind]]
) -> tuple[Item, ...]:
    """The first ``most``, and of those after them some of each kind. What is kept is kept again when more come."""
    rest = iter(items)
    kept = list(islice(rest, most))
    counts: dict[CandidateKind, int] = {}
    for item in rest:
        for kind in kinds(item):
            if kind and counts.get(kind, 0) < MOST_OF_A_KIND:
                counts[kind] = counts.get(kind, 0) + 1
                kept.append(item)
                break
    return tuple(kept)
