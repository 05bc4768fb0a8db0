"""A person's ruling: the only thing that makes CAUTION SAFE, and, where policy permits it, DO_NOT_INSTALL.

An approval speaks of one docket: the digest of everything that the decision rests on. When a byte of the bundle, a finding, a
gap, or anything of the panel (its reviewers, what they were asked and what they replied) is another, it is another docket,
and the approval is about something else. A rejection speaks of the content as well: it holds for the same bytes whatever is
found in them, with other rules or by another version, and whoever is asked. That a ruling was signed by the person it names
is checked before it comes here, and the name is then the one under which that key is trusted, never one that the ruling gives
itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.suppression import GapPartition, has_expired
from sluicegate.vet.verdict.types import Decision, Finding, Suppressed

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review


_NO_PANEL = (digest(), digest(), digest(), "no panel", "")
"""What stands in a docket where no panel was asked, which is another docket than that of a silent panel."""
_IGNORABLE = r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""The letters and marks that show nothing: Default_Ignorable_Code_Point of Unicode (DerivedCoreProperties.txt), which
``unicodedata`` does not have, as far as its code points are of the categories L, M and N and decompose to nothing else."""


class Ruling(NamedTuple):
    """What one person decided of one docket. ``expires`` is the last day on which it holds; ``None``: no last day.

    ``bundle`` is the digest of the content; empty: of none that is known.
    ``person`` is the name under which the signer's key is trusted (see ``identity``). ``approves`` false is a rejection.
    ``overrides``: an approval meant for DO_NOT_INSTALL, too.
    """

    docket: str
    person: str
    approves: bool
    reason: str
    overrides: bool = False
    expires: date | None = None
    bundle: str = ""


class Rulings(NamedTuple):
    """The rulings that were given, and how policy counts them.

    ``needed``: how many persons must approve. ``may_override``: whether approvals can end a DO_NOT_INSTALL.
    """

    given: tuple[Ruling, ...] = ()
    needed: int = 1
    may_override: bool = False


def docket(
    bundle: str,
    active: Iterable[Finding],
    suppressed: Iterable[Suppressed],
    gaps: GapPartition,
    review: Review | None,
) -> str:
    """The digest of what a decision rests on: bundle, findings and gaps, those accepted apart, and the panel."""
    return digest(
        "docket",
        bundle,
        _together(map(_of_finding, active)),
        _together(_of_finding(accepted.finding) for accepted in suppressed),
        _together(digest(*gap) for gap in gaps.open),
        _together(digest(*accepted.gap) for accepted in gaps.accepted),
        *(_NO_PANEL if review is None else _of_panel(review)),
    )


def identity(person: str) -> str:
    """What tells one person from another: the letters, marks and digits of the name, without case, each in one form.

    1. Letters take one form (NFKD), and lose their case.
    2. What is not a letter, mark or digit, or shows nothing, is left out.
    3. Without a letter or a digit it is empty: nobody's name, and no reason.

    Two names that are one identity are one person; letters of another alphabet that look alike are not told here, so a name
    comes from the list of trusted keys.
    """
    # 1
    folded = unicodedata.normalize("NFKD", person).casefold()
    # 2
    kept = "".join(character for character in folded if unicodedata.category(character)[0] in "LMN")
    seen = unicodedata.normalize("NFC", re.sub(_IGNORABLE, "", kept))
    # 3
    return seen if any(map(str.isalnum, seen)) else ""


def rule(
    decision: Decision, docket: str, bundle: str, rulings: Rulings, today: date
) -> tuple[Decision, tuple[Ruling, ...]]:
    """The decision after the rulings that hold, and those rulings. ``bundle``: the digest of the content, empty for none.

    1. A ruling holds when it is about this docket, or rejects this content, and has not expired; an approval needs a name and
       a reason as well, each with a letter or a digit.
    2. One person counts once, however the name is written.
    3. One rejection blocks, whatever the same person or another approves; approvals of as many persons as are needed end
       CAUTION, and overrides DO_NOT_INSTALL.

    Only ``True`` approves, overrides or permits: any other value, such as the text "no", does not.
    """
    given = [r._replace(approves=r.approves is True, overrides=r.overrides is True) for r in rulings.given]
    # 1
    holding = tuple(
        r
        for r in given
        if kernels.holds(
            r.docket == docket,
            bool(bundle) and r.bundle == bundle,
            has_expired(r.expires, today),
            r.approves,
            bool(identity(r.person)),
            bool(identity(r.reason)),
        )
    )
    # 2
    against = {identity(r.person) for r in holding if not r.approves}
    approving = {identity(r.person) for r in holding if r.approves}
    overriding = {identity(r.person) for r in holding if r.approves and r.overrides}
    # 3
    may_override = rulings.may_override is True
    final = kernels.ruled(
        decision, len(against), len(approving), len(overriding), rulings.needed, may_override
    )
    return Decision(final), holding


def _together(digests: Iterable[str]) -> str:
    """One digest of many, whatever their order."""
    return digest(*sorted(digests))


def _of_finding(f: Finding) -> str:
    weight = (str(int(f.severity)), str(f.confidence), str(f.executable))
    return digest(f.rule, f.category, f.kind, f.location.path, f.fingerprint, *weight)


def _of_panel(review: Review) -> tuple[str, ...]:
    """Who was asked what, what came back, and what it came to. Packages are known by their order."""
    seats = (digest(seat.reviewer, seat.family, seat.role, vote.name) for seat, vote in review.ballots)
    heard = (digest(h.reviewer, str(h.package), str(h.attempt), h.digest, h.vote.name) for h in review.heard)
    asked = digest(*(digest(package.role, *package.about) for package in review.packages))
    return (_together(seats), asked, _together(heard), str(review.complete), review.decision.name)
