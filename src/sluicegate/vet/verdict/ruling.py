"""A person's ruling: the only thing that makes CAUTION SAFE, and, where policy permits it, DO_NOT_INSTALL.

A ruling speaks of one docket: the digest of everything that the decision rests on. When a byte of the bundle, a finding, a
gap or a reply is another, it is another docket, and the ruling is about something else. That a ruling was signed by the
person it names is checked before it comes here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.suppression import GapPartition, has_expired
from sluicegate.vet.verdict.types import Decision, Finding, Suppressed

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review


class Ruling(NamedTuple):
    """What one person decided of one docket. ``expires`` is the last day on which it holds; ``None``: no last day.

    ``approves`` false is a rejection. ``overrides``: an approval meant for DO_NOT_INSTALL, too.
    """

    docket: str
    person: str
    approves: bool
    reason: str
    overrides: bool = False
    expires: date | None = None


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
    """The digest of what a decision rests on: bundle, findings and gaps, those accepted apart, and reviewers' replies."""
    heard = () if review is None else review.heard
    return digest(
        "docket",
        bundle,
        _together(map(_of_finding, active)),
        _together(_of_finding(accepted.finding) for accepted in suppressed),
        _together(digest(*gap) for gap in gaps.open),
        _together(digest(*accepted.gap) for accepted in gaps.accepted),
        _together(digest(h.reviewer, str(h.package), str(h.attempt), h.digest) for h in heard),
    )


def rule(
    decision: Decision, docket: str, rulings: Rulings, today: date
) -> tuple[Decision, tuple[Ruling, ...]]:
    """The decision after the rulings that hold, and those rulings.

    1. A ruling holds when it is about this docket and has not expired.
    2. One person counts once.
    3. One rejection blocks, whatever the same person or another approves; approvals of as many persons as are needed end CAUTION, and overrides DO_NOT_INSTALL.
    """
    # 1
    holding = tuple(
        r for r in rulings.given if kernels.holds(r.docket == docket, has_expired(r.expires, today))
    )
    # 2
    against = {r.person for r in holding if not r.approves}
    approving = {r.person for r in holding if r.approves}
    overriding = {r.person for r in holding if r.approves and r.overrides}
    # 3
    final = kernels.ruled(
        decision, len(against), len(approving), len(overriding), rulings.needed, rulings.may_override
    )
    return Decision(final), holding


def _together(digests: Iterable[str]) -> str:
    """One digest of many, whatever their order."""
    return digest(*sorted(digests))


def _of_finding(f: Finding) -> str:
    weight = (str(int(f.severity)), str(f.confidence), str(f.executable))
    return digest(f.rule, f.category, f.kind, f.location.path, f.fingerprint, *weight)
