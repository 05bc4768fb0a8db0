"""Severity scale for commands in hooks, MCP servers and package scripts."""

from __future__ import annotations

from enum import IntEnum

from sluicegate.known import hosts, places
from sluicegate.known.hosts import Host
from sluicegate.vet.lazy import lazy

LONGEST = 65_536
"""Characters of a command that are looked at; one that is longer hides something by that."""
_PARTS = 64

_PIPE = lazy(
    r"\|\s{0,8}(?:sudo\s{1,8})?(?:/bin/)?(?:ba|z|da)?sh\b|\|\s{0,8}(?:python3?|node|perl|ruby)\b\s{0,8}(?:-\s|$|-$)"
)
_FETCH = lazy(
    r"\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|nc|ncat|netcat|socat|telnet)\s|/dev/tcp/|fetch\(|urlopen|requests\.(?:get|post)"
)
_HIDE = lazy(
    r"\bbase64\s{1,4}(?:-d|-D|--decode)|b64decode|atob\(|-enc(?:odedcommand)?\s|\beval\b|xxd\s{1,4}-r|fromCharCode|>\s{0,4}/dev/null\s{1,4}2>&1\s{0,4}&|\bnohup\b"
)
_INLINE = lazy(
    r"\b(?:sh|bash|zsh|python3?|node|perl|ruby|osascript|pwsh|powershell)(?:\.exe)?\s{1,4}(?:-\w{0,12}\s{1,4}){0,2}-(?:c|e|Command)\b"
)
_HARMLESS = lazy(
    r"(?:echo|printf|date|pwd|ls|whoami|uname|hostname|cat|head|tail|wc|grep|find|tree|jq|true|test|which|git|gh|npm|pnpm|"
    r"yarn|node|python3?|uv|ruff|black|isort|prettier|eslint|tsc|biome|gofmt|go|cargo|rustfmt|make|pytest|mypy|terminal-notifier|"
    r"osascript|notify-send|say|afplay|npx|husky|patch-package|rimraf|mkdir|cp|command|\[)(?:\s|$)"
)
_OPERATORS = lazy(r"&&|\|\||[;|\n]|\$\(|`")


class Weight(IntEnum):
    """From nothing to say, to plain harm."""

    HARMLESS = 0
    PROGRAM = 1
    LOUD = 2
    HARM = 3


def weigh(command: str) -> Weight:
    """The weight of a command line."""
    text = command[:LONGEST]
    fetches = _FETCH.search(text) is not None
    hides = _HIDE.search(text) is not None
    secret = places.secret(text) or places.dotenv(text)
    local = fetches and bool(hosts.urls(text)) and hosts.classify(text) is Host.LOCAL
    if fetches and not local and (_PIPE.search(text) or hides or secret):
        return Weight.HARM
    if hides and _PIPE.search(text):
        return Weight.HARM
    if (fetches and not local) or hides or secret or len(command) > LONGEST:
        return Weight.LOUD
    if _INLINE.search(text):
        return Weight.PROGRAM
    parts = [part.strip(" \t\"'()") for part in _OPERATORS.split(text)]
    if len(parts) <= _PARTS and all(not part or _HARMLESS.match(part) for part in parts):
        return Weight.HARMLESS
    return Weight.PROGRAM
