"""What a shell puts in the place of a variable, worked out where it is a constant: ``$a``, ``${a:2:3}``, ``${x:-y}``."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatchcase

from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.views.programs.language import STRONG_COMMANDS, WEAK_COMMANDS
from sluicegate.vet.lazy import lazy

_VALUE_MOST = 400  # characters of a variable that are put in its place
_PIECES_MOST = 50  # of which one variable is built
_GROWTH_MOST = 4  # times the script's own length
_ASSIGNMENT = lazy(
    r"(?:\n|;|&|\||export(?<!\wexport)[ \t]++|local(?<!\wlocal)[ \t]++|readonly(?<!\wreadonly)[ \t]++|"
    r"declare(?<!\wdeclare)[ \t]++|then(?<!\wthen)[ \t]++|do(?<!\wdo)[ \t]++)[ \t]*+([A-Za-z_]\w{0,60}+)(\+?)="
    r"(?:\"([^\"\\`\n]*+)\"|'([^'\n]*+)'|\(([^()`\\\n]*+)\)|([^\s;|&<>()`\"'\\#]++))(?=[\s;&|)]|\Z)"
)
CHANGED = lazy(r"\b([A-Za-z_]\w{0,60}+)\+?=|\b(?:read|for)[ \t]++(?:-[a-z]{1,5}[ \t]++)?([A-Za-z_]\w{0,60}+)")
"""A name that gets a value, as one of two groups."""
_NAME = r"([A-Za-z_]\w{0,60}+)"
_USE = lazy(
    r"\$\{IFS[^}\n]{0,20}+\}|\$IFS(?:\$\d)?|"
    rf"\$(?:\{{(!?){_NAME}(?::(-?\d{{1,5}})(?::(\d{{1,5}}))?|(?:\[[@*]\])?+(//?|#|%|,,|\^\^|:?[-=+])?+([^}}\n]{{0,200}}+))\}}|{_NAME})"
)
_NOTHING = lazy(
    r"(?<=[A-Za-z])(?:\$\{?[@*]\}?|\$\([ \t]*+\)|``)(?=[A-Za-z])|(?<=[A-Za-z])\$\{([A-Za-z_]\w{0,60}+)\}(?=[A-Za-z])"
)
"""What gives nothing in the middle of a word: no arguments, an empty command, a variable that nobody sets."""
_PRINTED = lazy(r"\$\(printf[ \t]++[\"']?((?:%s){2,20}+)[\"']?((?:[ \t]++[\w./:-]{1,80}+){2,20}+)[ \t]*+\)")
_GLOB = lazy(r"(?<=/bin/)[a-z0-9?*\[\]]{2,20}+(?=[\s;|&)]|\Z)")
_QUOTES = {ord("'"): None, ord('"'): None}
_UNSET = frozenset({":-", "-", ":=", "="})
"""Operators that give the word behind them when the variable is not set."""
_EXPANDED = frozenset("{@*_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_EXPANDED_COMMANDS = ("``", "$()", "$( ", "$(\t", "$(printf")


def variables(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """Names that are assigned once, a constant, or are built of constants; and all names that get a value."""
    times = Counter(found[1] or found[2] for found in CHANGED.finditer(text))
    assigned = frozenset(times)
    pieces: dict[str, list[tuple[bool, str]]] = {}
    values: dict[str, str] = {}
    for found in _ASSIGNMENT.finditer("\n" + text):  # so that the first line begins as every other
        double, single, several, bare = found.groups()[2:]
        value = next(group for group in (double, single, several, bare) if group is not None)
        if several is not None:
            value = several.translate(_QUOTES)
        if len(value) > _VALUE_MOST:
            value = ""
            pieces.setdefault(found[1], []).append((True, ""))  # which makes it one that is not known
        if single is None and "$" in value:
            value = _USE.sub(lambda use: _value(use, values, assigned), value)
            if "$" in value:
                continue
        parts = pieces.setdefault(found[1], [])
        parts.append((found[2] == "+", value))
        whole = "".join([part for _, part in parts[:_PIECES_MOST]])
        built = len(parts) <= _PIECES_MOST and [plus for plus, _ in parts] == [False] + [True] * (
            len(parts) - 1
        )
        if built and (len(parts) == 1 or several is None):
            values[found[1]] = whole
        else:
            values.pop(found[1], None)
    return (
        {
            name: value
            for name, value in values.items()
            if times[name] <= len(pieces[name]) and name != "IFS" and len(value) <= _VALUE_MOST
        },
        assigned,
    )


def _value(use: re.Match[str], values: dict[str, str], assigned: frozenset[str]) -> str:
    """What stands in the place of a use of a variable; the use itself where that is not known."""
    indirect, name, start, length, operator, word, plain = use.groups()
    name = name or plain
    if name is None:
        return " "
    known = values.get(name)
    if indirect and known is not None:
        known = values.get(known)
    if known is None:
        if name == "IFS":
            return " "
        return word if operator in _UNSET and name not in assigned and "$" not in word else use[0]
    if start is not None:
        return known[int(start) :] if length is None else known[int(start) :][: int(length)]
    return _operated(known, operator, word or "", use[0])


def _operated(known: str, operator: str | None, word: str, use: str) -> str:
    """A value after what an expansion does to it."""
    if operator in ("/", "//"):
        old, _, new = word.partition("/")
        return known.replace(old, new, -1 if operator == "//" else 1) if old and "$" not in word else use
    if operator in ("#", "%"):
        cut = known.removeprefix(word) if operator == "#" else known.removesuffix(word)
        return cut if word.isalnum() else use
    if operator in (",,", "^^"):
        return known.lower() if operator == ",," else known.upper()
    if operator is None and word:
        return use
    return known if operator is None or operator in _UNSET else word


def may_expand(text: str) -> bool:
    """Whether there may be something to expand: a variable, or a command that gives nothing or what is written there."""
    return one_of(_EXPANDED_COMMANDS, text) or not _EXPANDED.isdisjoint(
        [part[:1] for part in text.split("$")[1:]]
    )


def expand(text: str) -> str:
    """The script with its constants in the place of the variables that hold them."""
    if not may_expand(text):
        return text
    values, assigned = variables(text)
    room = _GROWTH_MOST * len(text) + 4096

    def value(use: re.Match[str]) -> str:
        nonlocal room
        new = _value(use, values, assigned)
        room -= len(new)
        return new if room > 0 else use[0]

    new = _USE.sub(value, text)
    if "printf" in new:
        new = _PRINTED.sub(_printed, new)
    return _NOTHING.sub(lambda found: found[0] if found[1] and found[1] in assigned else "", new)


def _printed(found: re.Match[str]) -> str:
    words = found[2].split()
    return "".join(words) if len(words) == len(found[1]) // 2 else found[0]


def spell_globs(text: str) -> str:
    """``/bin/c?rl`` as the first command that it can be."""
    return _GLOB.sub(_command, text) if "?" in text or "[" in text or "*" in text else text


def _command(found: re.Match[str]) -> str:
    pattern = found[0]
    letters = sum(map(str.isalpha, pattern))
    if letters == len(pattern) or not letters:
        return pattern
    names = [name for name in sorted(STRONG_COMMANDS | WEAK_COMMANDS) if fnmatchcase(name, pattern)]
    return names[0] if 0 < len(names) < 4 else pattern
