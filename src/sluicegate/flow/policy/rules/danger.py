"""What is dangerous unless a policy says otherwise: the table in ``danger.toml``, compiled."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from sluicegate.flow.policy.rules.capabilities import Denies, Hit, Listed
from sluicegate.flow.policy.rules.entries import Entry, read
from sluicegate.flow.policy.rules.options import table
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.rules.subjects import Subject, Subjects
from sluicegate.flow.policy.text.problems import Problem


class Danger(Struct, frozen=True):
    """One entry of the table, and why it is in it."""

    entry: Entry
    why: str


@cache
def dangers() -> tuple[Danger, ...]:
    """The table."""
    found: list[Danger] = []
    problems: list[Problem] = []
    groups = table("danger.toml")["danger"]
    assert isinstance(groups, list)  # noqa: S101 - a table of ours
    for at, group in enumerate(groups):
        entries = read(group["patterns"], ("danger", at), problems).entries
        found += [Danger(entry, group["why"]) for entry in entries]
    assert not problems, problems  # noqa: S101
    return tuple(found)


class Dangers:
    """The table, compiled for one project and one home directory."""

    __slots__ = ("_denies", "_why")

    def __init__(self, place: Place) -> None:
        self._denies = Denies((each.entry for each in dangers()), place)
        self._why = {each.entry: each.why for each in dangers()}

    def hits(self, found: Subjects) -> tuple[Hit, ...]:
        """Every danger that a request runs into."""
        hits: list[Hit] = []
        for subject in found.all:
            hits += [Hit(listed, subject, self._why[listed.entry]) for listed in self._of(subject, found)]
        return tuple(hits)

    def _of(self, subject: Subject, found: Subjects) -> list[Listed]:
        if subject.category == "cmd" and found.command is not None:
            return self._denies.commands(found.command, wide=True)
        if subject.category == "fs":
            return self._denies.matched(subject, wide=True)
        whole = self._denies.whole.get(subject.category)
        return [whole] if whole is not None else []
