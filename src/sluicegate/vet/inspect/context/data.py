"""What a match in a data file is: a value that a detection rule looks for, by the key it stands under."""

from __future__ import annotations

import re

from sluicegate.vet.inspect.context.excuse import Excuse, Level
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_KEY = lazy(
    r"(?:^|[\s{,\"'|-])(?:[\w.-]{0,30}(?:pattern|regex|signature|indicator|blocked|blocklist|deny|denied|forbidden|detection|ioc)\w{0,12}"
    r"|match(?:es)?|contains(?:\|all)?|content|strings|selection\w{0,20}|filter\w{0,20}|commandline|examples?_bad|bad_examples?|malicious"
    r"|attack\w{0,10}|payload\w{0,10})(?:\|[\w|]{1,30})?[\"']?[ \t]{0,3}[:=]",
    re.IGNORECASE,
)
_LINES = 60
_LINE = 400


def excuse(view: View, start: int) -> Excuse | None:
    """The excuse of a value under a key that says it is looked for, or None."""
    if under(view, start, _KEY):
        return Excuse(level=Level.EXAMPLE, reason="a value that a detection rule looks for")
    return None


def under(view: View, start: int, keys: re.Pattern[str]) -> bool:
    """Whether a value stands under one of some keys.

    The key stands on its own line, or on the nearest line above that is indented less.
    """
    text = view.text
    first = text.rfind("\n", 0, start) + 1
    if keys.search(text, max(first, start - _LINE), start):
        return True
    depth = _indent(text, first)
    for _ in range(_LINES):
        if first == 0 or depth == 0:
            return False
        last, first = first, text.rfind("\n", 0, first - 1) + 1
        line = text[first : min(last, first + _LINE)]
        if not line.strip() or _indent(text, first) >= depth:
            continue
        if keys.search(line.strip()):
            return True
        depth = _indent(text, first)
    return False


def _indent(text: str, first: int) -> int:
    at = first
    while at < len(text) and text[at] in " \t-":
        at += 1
    return at - first
