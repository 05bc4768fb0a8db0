"""Package names that imitate popular ones, and are not themselves well known."""

from __future__ import annotations

from functools import cache

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.types import Severity

LEAST = 5
"""Characters below which two names are close by chance."""
LEAST_FOR_TWO = 10
"""Characters below which two slips are close by chance."""
LONGEST = 64

_BOASTS = (
    "-official",
    "-original",
    "-latest",
    "-secure",
    "-safe",
    "-fixed",
    "-patched",
    "-updated",
    "-real",
    "-verified",
    "-genuine",
)
_LANGUAGES = {
    "pypi": (("python-", "python3-", "py-", "lib"), ("-python", "-python3", "-py", "-pip", "-lib")),
    "npm": (("node-", "nodejs-", "js-", "npm-"), ("-node", "-nodejs", "-js", "-npm", "-lib")),
}


class Imitation(NamedTuple):
    """What a name imitates, how, and how much that says."""

    popular: str
    how: str
    severity: Severity
    confidence: int


class _Names(NamedTuple):
    known: frozenset[str]
    near: frozenset[str]
    slips: dict[str, str]
    """Each popular name with one character left out, and the name."""
    ends: dict[str, tuple[str, ...]]
    """Long popular names by their first three and by their last three characters."""


@cache
def _names(ecosystem: str) -> _Names:
    from importlib import resources

    sections: dict[str, set[str]] = {}
    current = ""
    for line in (resources.files(__package__) / "popular.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif not line.startswith("#"):
            sections.setdefault(current, set()).update(line.split())
    known = sections[ecosystem]
    slips: dict[str, str] = {}
    ends: dict[str, list[str]] = {}
    for name in sorted(known, reverse=True):
        if len(name) >= LEAST:
            for slip in _without_one(name):
                slips[slip] = name
        if len(name) >= LEAST_FOR_TWO - 1:
            ends.setdefault("^" + name[:3], []).append(name)
            ends.setdefault("$" + name[-3:], []).append(name)
    near = frozenset(sections[f"near {ecosystem}"])
    return _Names(frozenset(known), near, slips, {key: tuple(row) for key, row in ends.items()})


def _without_one(name: str) -> list[str]:
    return [name[:i] + name[i + 1 :] for i in range(len(name))]


def normal(name: str, ecosystem: str) -> str:
    """The name under which the registry knows a package."""
    name = name.lower()
    return name.replace("_", "-").replace(".", "-") if ecosystem == "pypi" else name


def well_known(name: str, ecosystem: str) -> bool:
    """Whether a popular package has this name. ``ecosystem`` is ``pypi`` or ``npm``."""
    return normal(name, ecosystem) in _names(ecosystem).known


def imitated(name: str, ecosystem: str) -> Imitation | None:
    """The popular package that ``name`` imitates, if it does. ``ecosystem`` is ``pypi`` or ``npm``.

    1. A popular name, and one known to be real, imitates nothing. 2. One slip: a letter too few, too many or
    another, or two exchanged. 3. The same words glued or turned round. 4. A popular name with a boast
    (``-official``) or the language's name added. 5. Two slips in a long name.
    """
    name = normal(name, ecosystem)
    if not LEAST <= len(name) <= LONGEST or name.startswith("@"):
        return None
    names = _names(ecosystem)
    if name in names.known or name in names.near:  # 1
        return None
    slip = _slip(name, names)  # 2
    if slip:
        return Imitation(slip, "one slip away", Severity.HIGH, 650)
    glued = _glued(name, names)  # 3
    if glued:
        return Imitation(glued, "the same words, written another way", Severity.HIGH, 600)
    return _affixed(name, ecosystem, names) or _two_slips(name, names)  # 4, 5


def _slip(name: str, names: _Names) -> str:
    if name in names.slips:
        return names.slips[name]
    shorter = _without_one(name)
    for slip in shorter:
        if slip in names.known and len(slip) >= LEAST:
            return slip
    for slip in shorter:
        popular = names.slips.get(slip, "")
        if popular and _one_step(name, popular):
            return popular
    return ""


def _one_step(name: str, popular: str) -> bool:
    """Whether two names differ in one character, or in the order of two that stand side by side."""
    if len(name) != len(popular):
        return False
    differ = [i for i, (a, b) in enumerate(zip(name, popular, strict=True)) if a != b]
    if len(differ) == 1:
        one, other = name[differ[0]], popular[differ[0]]
        return not (one.isdigit() and other.isdigit())
    return (
        len(differ) == 2
        and differ[1] == differ[0] + 1
        and name[differ[0]] == popular[differ[1]]
        and name[differ[1]] == popular[differ[0]]
    )


def _glued(name: str, names: _Names) -> str:
    parts = name.split("-")
    if len(parts) == 2 and f"{parts[1]}-{parts[0]}" in names.known:
        return f"{parts[1]}-{parts[0]}"
    return ""


def _affixed(name: str, ecosystem: str, names: _Names) -> Imitation | None:
    for boast in _BOASTS:
        bare = name.removesuffix(boast)
        if bare != name and bare in names.known:
            return Imitation(bare, f"with '{boast}' added", Severity.HIGH, 700)
    before, after = _LANGUAGES[ecosystem]
    for affix in before:
        bare = name.removeprefix(affix)
        if bare != name and bare in names.known and len(bare) >= LEAST:
            return Imitation(bare, f"with '{affix}' added", Severity.MEDIUM, 500)
    for affix in after:
        bare = name.removesuffix(affix)
        if bare != name and bare in names.known and len(bare) >= LEAST:
            return Imitation(bare, f"with '{affix}' added", Severity.MEDIUM, 500)
    return None


def _two_slips(name: str, names: _Names) -> Imitation | None:
    if len(name) < LEAST_FOR_TWO:
        return None
    near = (*names.ends.get("^" + name[:3], ()), *names.ends.get("$" + name[-3:], ()))
    for popular in near[:64]:
        if abs(len(popular) - len(name)) <= 2 and name[:2] == popular[:2] and _distance(name, popular) <= 2:
            return Imitation(popular, "two slips away", Severity.MEDIUM, 500)
    return None


def _distance(one: str, other: str) -> int:
    """The number of insertions, deletions, replacements and exchanges of neighbours between two names."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
