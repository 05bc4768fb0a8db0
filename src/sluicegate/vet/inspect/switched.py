"""Rules that are switched off leave something uninspected: a gap, so that no skill is SAFE for want of looking.

A pack that is made to be switched (``PACKS``) is none: what it looks for, other rules look for by other means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from types import MappingProxyType

from sluicegate.vet.inspect.rule import Inspected, Rule, Subject
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.types import Gap, GapReason

PACKS = ("campaign-*",)
"""Globs over rules that may be switched off without a gap."""
_NAMED = 5


class SwitchedOff:
    """Says of every skill that it was not inspected by the rules in ``off``. It has no rule of its own.

    The fingerprint is over the rules and the content of the skill, so that an accepted gap is about these rules and
    what they would have read: other content is another gap.
    """

    rules: Mapping[str, Rule] = MappingProxyType({})

    def __init__(self, off: Sequence[str]) -> None:
        self.off = tuple(sorted(off))

    def inspect(self, subject: Subject) -> Inspected:
        """The gap over the whole skill."""
        named = ", ".join(self.off[:_NAMED])
        more = f" and {len(self.off) - _NAMED} more" if len(self.off) > _NAMED else ""
        mark = digest("rules-off", *self.off, subject.bundle.digest)[:32]
        return Inspected(
            gaps=(Gap(path="", reason=GapReason.RULES_OFF, detail=named + more, fingerprint=mark),)
        )


def leaves_a_gap(rule: str) -> bool:
    """Whether a skill that this rule did not look at has a gap."""
    return not any(fnmatchcase(rule, pack) for pack in PACKS)
