"""Version constraints of Python and Node packages: enough of both to answer yes or no, and no guesses.

A constraint that is not understood is an error, never a yes.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

Ecosystem = Literal["python", "node"]

_VERSION: Final = late(
    r"v?(\d+(?:\.\d+)*)(?:[-.]?((?:a|b|c|rc|alpha|beta|pre|dev)[.\d]*|[A-Za-z][\w.-]*))?(?:\+.*)?"
)
_PYTHON: Final = late(r"(===|==|!=|~=|>=|<=|>|<)\s*([\w.+*!-]+)")
_NODE: Final = late(r"(\^|~|>=|<=|>|<|=)?\s*v?([\d.xX*]+(?:-[\w.-]+)?)")


class Version(NamedTuple):
    """A version that can be compared: its numbers, and whether it is a release (after any pre-release of it)."""

    numbers: tuple[int, ...]
    released: int
    pre: str = ""


def version(text: str) -> Version:
    """The version a text says. Raises PolicyError."""
    found = _VERSION.fullmatch(text.strip())
    if found is None or len(text) > 100:
        raise PolicyError(f"{shown(text)} is not a version", hint="Write numbers with dots, as in 1.4.2.")
    numbers = [int(part) for part in found[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    pre = found[2] or ""
    post = pre.startswith("post")
    return Version(tuple(numbers), 2 if post else 0 if pre else 1, pre)


def satisfies(found: str, constraint: str, ecosystem: Ecosystem) -> bool:
    """Whether a version meets a constraint of its ecosystem. Raises PolicyError for one not understood."""
    text = constraint.strip()
    if text in ("", "*", "latest"):
        return True
    if ecosystem == "python":
        return all(_python(version(found), clause) for clause in text.split(","))
    return any(_node_range(version(found), part.strip()) for part in text.split("||"))


def _python(found: Version, clause: str) -> bool:
    match = _PYTHON.fullmatch(clause.strip())
    if match is None:
        raise _strange(clause)
    sign, text = match.groups()
    if text.endswith(".*"):
        same = _starts(found, _numbers(text[:-2]))
        if sign == "==":
            return same
        if sign == "!=":
            return not same
        raise _strange(clause)
    wanted = version(text)
    if sign == "~=":
        length = text.count(".")
        if length < 1:
            raise _strange(clause)
        return found >= wanted and _starts(found, _numbers(text)[:length])
    return _compare(found, sign, wanted)


def _node_range(found: Version, text: str) -> bool:
    if text in ("", "*", "x", "X", "latest"):
        return True
    low, dash, high = text.partition(" - ")
    if dash:
        return _node(found, ">=", low.strip()) and _node(found, "<=", high.strip())
    rest = _NODE.sub("", text)
    if rest.strip(" ,"):
        raise _strange(text)
    return all(_node(found, sign, wanted) for sign, wanted in _NODE.findall(text))


def _node(found: Version, sign: str, text: str) -> bool:
    plain = re.sub(r"(\.[xX*])+$", "", text)
    if plain in ("x", "X", "*"):
        return True
    wanted, numbers = version(plain), _numbers(plain.partition("-")[0])
    partial = len(numbers) < 3
    if sign in ("", "="):
        return _starts(found, numbers) if partial else found == wanted
    if sign == "^":
        fixed = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        return found >= wanted and _starts(found, numbers[: fixed + 1])
    if sign == "~":
        return found >= wanted and _starts(found, numbers[:2])
    if sign == "<=" and partial:
        return found <= wanted or _starts(found, numbers)
    if sign == ">" and partial:
        return found > wanted and not _starts(found, numbers)
    return _compare(found, sign, wanted)


def _compare(found: Version, sign: str, wanted: Version) -> bool:
    return {
        "==": found == wanted, "===": found == wanted, "!=": found != wanted, ">=": found >= wanted,
        "<=": found <= wanted, ">": found > wanted, "<": found < wanted,
    }[sign]  # fmt: skip


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.removeprefix("v").split("."))
    except ValueError:
        raise _strange(text) from None


def _starts(found: Version, numbers: tuple[int, ...]) -> bool:
    """Whether a version begins with these numbers; numbers that it does not have are 0."""
    padded = found.numbers + (0,) * len(numbers)
    return padded[: len(numbers)] == numbers


def _strange(text: str) -> PolicyError:
    return PolicyError(f"{shown(text)} is not a constraint of versions", hint="Write >=1.2, ^4.0.0 or ~=2.1.")
