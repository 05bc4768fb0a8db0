"""What the ledger is told of a review: each answer of a model by its digests, and the decision that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.report.escape import printable
from sluicegate.record.errors import RecordError
from sluicegate.record.ledger import events
from sluicegate.vet.review.prompts.instructions import PURPOSE, InstructionsChanged
from sluicegate.vet.reviewing import ReviewedSkill

if TYPE_CHECKING:
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.report import SkillReport
    from sluicegate.vet.review.providers.seats import SeatSettings

_MOST_INPUTS = 64
_CALLER = "review"


def tell(
    skills: Sequence[ReviewedSkill],
    seats: Sequence[SeatSettings],
    targets: Sequence[str],
    config: ScanConfig,
) -> None:
    """Tell the ledger, where the workspace has one. The decision stands also when that fails.

    One that lies in what is reviewed is not told: whoever wrote that may have put it there.
    """
    with _told_of(targets) as ledger:
        if ledger is not None:
            for event in _verified(skills):
                ledger.append(event)
            for skill in skills:
                _tell(ledger, skill, {seat.name: seat for seat in seats}, config)


def tell_refused(refused: InstructionsChanged, targets: Sequence[str]) -> None:
    """Tell the same ledger that instructions did not verify, so that nothing was asked."""
    with _told_of(targets) as ledger:
        if ledger is not None:
            ledger.append(
                events.Verify(
                    var=refused.name, purpose=PURPOSE, result=False, reason=refused.reason, caller=_CALLER
                )
            )


@contextmanager
def _told_of(targets: Sequence[str]) -> Iterator[Ledger | None]:
    from sluicegate.reach.cli.ledger.here import told_here
    from sluicegate.record.ledger.ledger import Ledger

    try:
        workspace = told_here()
        if not workspace.ledger.exists():
            yield None
        elif _lies_within(workspace.ledger, targets):
            click.echo("sluicegate: not recorded: the ledger lies inside what is reviewed", err=True)
            yield None
        else:
            with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
                yield ledger
    except RecordError as error:
        click.echo(printable(f"sluicegate: not recorded: {error.diagnostics()}", newline=True), err=True)


def _verified(skills: Iterable[ReviewedSkill]) -> Iterator[events.Verify]:
    """That the instructions verified which reviewers were told, each once: under which name, whose signature, of what."""
    told = (each for skill in skills if skill.panel is not None for each in skill.panel.told)
    for each in dict.fromkeys(told):
        yield events.Verify(
            var=each.name,
            purpose=PURPOSE,
            result=True,
            hash=f"sha256:{each.digest}",
            by=each.signer,
            caller=_CALLER,
        )


def _tell(ledger: Ledger, skill: ReviewedSkill, seats: dict[str, SeatSettings], config: ScanConfig) -> None:
    inputs = [ledger.append(event) for event in _advised(skill, seats)]
    named = (*inputs[:_MOST_INPUTS], "…") if len(inputs) > _MOST_INPUTS else tuple(inputs)
    verdict = skill.skill.verdict
    ledger.append(
        events.Vetted(
            var=_name(skill),
            bundle=skill.skill.digest,
            docket=verdict.docket,
            decision=verdict.decision.name,
            rulings=_rulings(skill.skill, config),
            inputs=named,
        )
    )


def _rulings(skill: SkillReport, config: ScanConfig) -> tuple[str, ...]:
    """The rulings that count in a decision: those that held on the skill, and those that ended the flag of its publisher."""
    on_skill = config.rulings.digests(skill.digest, skill.verdict.rulings.given)
    return (*on_skill, *config.flags.ended_by(skill.publisher))


def _advised(skill: ReviewedSkill, seats: dict[str, SeatSettings]) -> Iterator[events.Advised]:
    for outcome in skill.panel.outcomes if skill.panel is not None else ():
        seat = seats[outcome.reviewer]
        yield events.Advised(
            var=_name(skill),
            by=outcome.reviewer,
            model=seat.model,
            role=seat.role,
            shown=outcome.shown,
            told=outcome.instructions,
            vote=outcome.vote.name,
            replies=tuple(hashlib.sha256(reply.counted).hexdigest() for reply in outcome.replies),
            code=outcome.code,
        )


def _name(skill: ReviewedSkill) -> str:
    """The skill's name, which is not to be taken for that of a value."""
    name = skill.skill.name
    return f"./{name}" if name.startswith("@") else name


def _lies_within(ledger: Path, targets: Sequence[str]) -> bool:
    return any(
        ledger.resolve().is_relative_to(Path(target).resolve())
        for target in targets
        if target != "-" and "://" not in target
    )
