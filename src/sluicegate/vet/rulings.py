"""The rulings of persons that a scan knows of, by the skill that each is about.

Who signed each has been checked before it comes here (``review.queue``). What they come to is decided in the verdict.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import date
from operator import attrgetter

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.ruling import Ruling, Rulings

_of_bundle = attrgetter("bundle")


class SkillRuling(NamedTuple):
    """A ruling, the digest of the bytes that it is about, what that skill was called, and the day it was made.

    ``digest`` is that of the signed statement, empty where there is none.
    """

    bundle: str
    skill: str
    day: str
    ruling: Ruling
    digest: str = ""


class KnownRulings(NamedTuple):
    """Rulings in the order of the bytes they are about, and how they are counted (see ``Rulings``).

    Make one with ``known_rulings``.
    """

    given: tuple[SkillRuling, ...] = ()
    needed: int = 1
    may_override: bool = False

    def of(self, bundle: str) -> Rulings:
        """Those about one bundle. About a skill on which nobody ruled, the same is said whatever the settings are."""
        about = self.about(bundle)
        if not about:
            return Rulings()
        return Rulings(tuple(each.ruling for each in about), self.needed, self.may_override)

    def about(self, bundle: str) -> Sequence[SkillRuling]:
        """Rulings about one bundle, whatever their docket."""
        first = bisect_left(self.given, bundle, key=_of_bundle)
        last = first
        while last < len(self.given) and self.given[last].bundle == bundle:
            last += 1
        return self.given[first:last] if bundle else ()

    def digests(self, bundle: str, held: Iterable[Ruling]) -> tuple[str, ...]:
        """The digests of the signed statements of some rulings about one bundle, in order."""
        which = frozenset(held)
        return tuple(
            sorted({each.digest for each in self.about(bundle) if each.digest and each.ruling in which})
        )


def known_rulings(given: Iterable[SkillRuling], *, needed: int, may_override: bool) -> KnownRulings:
    """Rulings to look up."""
    return KnownRulings(tuple(sorted(given, key=_order)), needed, may_override)


def _order(each: SkillRuling) -> tuple[str, ...]:
    ruling = each.ruling
    return (each.bundle, each.skill, ruling.docket, ruling.person, each.day, ruling.reason, each.digest)


def last_day(text: str | None) -> date | None:
    """The day of ``2030-06-30``; raises ValueError for any other spelling."""
    if text is None:
        return None
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError("a day has the form 2030-06-30")
    return day
