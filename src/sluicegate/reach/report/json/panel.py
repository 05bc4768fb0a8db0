"""What a panel said and persons ruled, as JSON and back. The shape is in ``model``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from sluicegate.reach.report.escape import scalar
from sluicegate.reach.report.json import model as m
from sluicegate.vet.verdict.types import Decision, Finding

if TYPE_CHECKING:
    from sluicegate.vet.verdict.consensus import Vote
    from sluicegate.vet.verdict.envelope import Review
    from sluicegate.vet.verdict.ruling import Rulings


def rulings(given: Rulings) -> m.Rulings:
    """Rulings in the shape of the report."""
    return m.Rulings(
        given=tuple(
            m.Ruling(
                docket=ruling.docket,
                person=scalar(ruling.person),
                approves=ruling.approves,
                overrides=ruling.overrides,
                reason=scalar(ruling.reason),
                expires=ruling.expires,
                bundle=ruling.bundle,
            )
            for ruling in given.given
        ),
        needed=given.needed,
        may_override=given.may_override,
    )


def rulings_from(model: m.Rulings) -> Rulings:
    """The rulings that a report holds."""
    from sluicegate.vet.verdict.ruling import Ruling, Rulings

    return Rulings(
        given=tuple(
            Ruling(
                docket=ruling.docket,
                person=ruling.person,
                approves=ruling.approves,
                reason=ruling.reason,
                overrides=ruling.overrides,
                expires=ruling.expires,
                bundle=ruling.bundle,
            )
            for ruling in model.given
        ),
        needed=model.needed,
        may_override=model.may_override,
    )


def review(said: Review, finding: Callable[[Finding], m.Finding]) -> m.Review:
    """A review in the shape of the report; ``finding`` gives that of a finding."""
    return m.Review(
        seats=tuple(
            m.Seat(
                reviewer=scalar(ballot.seat.reviewer),
                family=ballot.seat.family,
                role=ballot.seat.role,
                vote=_vote(ballot.vote),
            )
            for ballot in said.ballots
        ),
        packages=tuple(
            m.Package(role=package.role, about=tuple(map(scalar, package.about))) for package in said.packages
        ),
        replies=tuple(
            m.Reply(
                reviewer=scalar(heard.reviewer),
                package=heard.package,
                attempt=heard.attempt,
                digest=heard.digest,
                vote=_vote(heard.vote),
                summary=scalar(heard.summary),
            )
            for heard in said.heard
        ),
        findings=tuple(
            m.Reviewed(
                finding=finding(reviewed.finding),
                opinions=tuple(
                    m.Opinion(
                        reviewer=scalar(opinion.reviewer),
                        fingerprint=scalar(opinion.fingerprint),
                        vote=_vote(opinion.vote),
                        confidence=opinion.confidence,
                        note=scalar(opinion.note),
                    )
                    for opinion in reviewed.opinions
                ),
            )
            for reviewed in said.findings
        ),
        added=tuple(map(finding, said.added)),
        injections=tuple(
            m.Injection(reviewer=scalar(seen.reviewer), evidence=scalar(seen.evidence))
            for seen in said.injections
        ),
        complete=said.complete,
        decision=cast("m.DecisionWord", said.decision.name),
    )


def review_from(model: m.Review, finding: Callable[[m.Finding], Finding]) -> Review:
    """The review that a report holds; ``finding`` reads a finding."""
    from sluicegate.vet.verdict.consensus import Ballot, Seat, Vote
    from sluicegate.vet.verdict.envelope import Heard, Injection, Package, Review, Reviewed
    from sluicegate.vet.verdict.replies import Opinion

    return Review(
        findings=tuple(
            Reviewed(
                finding=finding(reviewed.finding),
                opinions=tuple(
                    Opinion(
                        reviewer=opinion.reviewer,
                        fingerprint=opinion.fingerprint,
                        vote=Vote[opinion.vote],
                        confidence=opinion.confidence,
                        note=opinion.note,
                    )
                    for opinion in reviewed.opinions
                ),
            )
            for reviewed in model.findings
        ),
        added=tuple(map(finding, model.added)),
        ballots=tuple(
            Ballot(seat=Seat(reviewer=s.reviewer, family=s.family, role=s.role), vote=Vote[s.vote])
            for s in model.seats
        ),
        injections=tuple(Injection(reviewer=i.reviewer, evidence=i.evidence) for i in model.injections),
        packages=tuple(Package(role=p.role, about=p.about) for p in model.packages),
        heard=tuple(
            Heard(
                reviewer=r.reviewer,
                package=r.package,
                attempt=r.attempt,
                digest=r.digest,
                vote=Vote[r.vote],
                summary=r.summary,
            )
            for r in model.replies
        ),
        complete=model.complete,
        decision=Decision[model.decision],
    )


def _vote(vote: Vote) -> m.VoteWord:
    return cast("m.VoteWord", vote.name)
