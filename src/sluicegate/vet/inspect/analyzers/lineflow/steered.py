"""Variables of the environment by which a script has other programs load or start code of its choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.known.steering import WORDS, loads
from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.lineflow.judged import ScriptMatch
from sluicegate.vet.inspect.analyzers.shflow.judging.rules import BETWEEN
from sluicegate.vet.lazy import lazy

MOST = 64
"""Places of one script that are looked at."""

_SET = lazy(
    r"(?:\$\{?env:|\bENV\[[\"']|\$ENV\{[\"']?|\b(?:putenv|setenv|set_var|SetEnvironmentVariable)\(\s{0,4}[\"']|\bEnv:[\\/]?|\bsetx?\s{1,4}(?:/m\s{1,4})?\"?)"
    r"([A-Z_][A-Z0-9_]{3,40})[\"'\]}]{0,3}(?:\s{0,4}\+?=\s{0,4}|\s{0,4},\s{0,4}|\s{1,4}-Value\s{1,4}|\s{1,4})([^\n]{2,400})",
    re.IGNORECASE,
)
"""A variable that is set, in PowerShell, batch, Ruby, Perl, PHP, Go, Rust and C#, and the rest of the line."""


class SteeredPlace(NamedTuple):
    """Where a variable is set, and what is said of it."""

    start: int
    end: int
    judged: ScriptMatch
    what: str


def steered(text: str) -> Iterator[SteeredPlace]:
    """The variables of a script whose values load or start a file."""
    if not one_of(WORDS, text):
        return
    for number, found in enumerate(_SET.finditer(text)):
        if number == MOST:
            return
        name = found[1].upper()
        code = loads(name, found[2])
        if code:
            judged = ScriptMatch(BETWEEN, BETWEEN.severity, BETWEEN.confidence)
            yield SteeredPlace(
                found.start(), found.end(), judged, f"Other programs run {code[:80]} by {name}"
            )
