"""What is dangerous unless a policy says otherwise: the table in ``danger.toml``, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.policy.rules.capabilities import DangerHit, Denies, ListedCapability
from sluicegate.flow.policy.rules.entries import ListEntry, read
from sluicegate.flow.policy.rules.options import table
from sluicegate.flow.policy.rules.places import Place, RealPaths, real_path
from sluicegate.flow.policy.rules.subjects import RequestSubject, Subjects
from sluicegate.flow.policy.text.problems import Problem

CATEGORIES: Final = frozenset({"cmd", "fs", "keychain"})
"""What the table speaks of, so that it need not be read for anything else; a test holds the two together."""


class Danger(Struct, frozen=True):
    """One entry of the table, and why it is in it."""

    entry: ListEntry
    why: str


@cache
def dangers() -> tuple[Danger, ...]:
    """The table."""
    from sluicegate.known.places import kept  # a policy without capabilities asks for none of it

    found: list[Danger] = []
    problems: list[Problem] = []
    groups = table("danger.toml")["danger"]
    assert isinstance(groups, list)  # noqa: S101 - a table of ours
    for at, group in enumerate(groups):
        stores = (f"fs:rw:{place.glob}" for kind in group.get("places", ()) for place in kept(kind))
        entries = read([*stores, *group.get("patterns", ())], ("danger", at), problems).entries
        found += [Danger(entry, group["why"]) for entry in entries]
    assert not problems, problems  # noqa: S101
    return tuple(found)


def _is_of_a_place(entry: ListEntry) -> bool:
    """Whether what an entry is about depends on where the project and the home directory are."""
    if entry.category == "fs":
        return not entry.parts or not entry.parts[1].startswith("**/")
    return entry.category == "cmd" and any("/" in each for each in entry.parts[:1])


@cache
def _of_places() -> tuple[ListEntry, ...]:
    return tuple(each.entry for each in dangers() if _is_of_a_place(each.entry))


@cache
def _everywhere() -> Denies:
    """Those that are the same for every project, most of the table: compiled once."""
    nowhere = Place(base="/", home="/")
    return Denies((each.entry for each in dangers() if not _is_of_a_place(each.entry)), nowhere)


@cache
def _why() -> Mapping[ListEntry, str]:
    return MappingProxyType({each.entry: each.why for each in dangers()})


class Dangers:
    """The table, compiled for one project and one home directory when a command or a file is first asked about: reading it
    takes as long as all else of opening a project."""

    __slots__ = ("_found", "_place")

    def __init__(self, place: Place) -> None:
        self._place = place
        self._found: Denies | None = None

    @property
    def _here(self) -> Denies:
        if self._found is None:
            place = self._place
            if place.resolve is real_path:
                place = replace(place, resolve=RealPaths())
            self._found = Denies(_of_places(), place)
        return self._found

    def hits(self, found: Subjects) -> tuple[DangerHit, ...]:
        """Every danger that a request runs into."""
        hits: list[DangerHit] = []
        for subject in found.all:
            hits += [DangerHit(listed, subject, _why()[listed.entry]) for listed in self._of(subject, found)]
        return tuple(hits)

    def _of(self, subject: RequestSubject, found: Subjects) -> list[ListedCapability]:
        if subject.category == "cmd" and found.command is not None:
            return [
                *_everywhere().commands(found.command, wide=True),
                *self._here.commands(found.command, wide=True),
            ]
        if subject.category == "fs":
            return [*self._here.matched(subject, wide=True), *_everywhere().matched(subject, wide=True)]
        whole = _everywhere().whole.get(subject.category) if subject.category in CATEGORIES else None
        return [whole] if whole is not None else []
