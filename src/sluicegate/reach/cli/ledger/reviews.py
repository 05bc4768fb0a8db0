"""The ledger that a review is told in, and what it is told here: the decision, and that instructions did not verify.

What the decision follows from, each answer of a model among it, is told by the review's monitor (``vet.review.monitored``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.report.escape import printable
from sluicegate.record.errors import RecordError
from sluicegate.record.ledger import events
from sluicegate.vet.review.monitored.monitor import CALLER, named
from sluicegate.vet.review.prompts.instructions import PURPOSE, InstructionsChanged
from sluicegate.vet.reviewing import ReviewedSkill

if TYPE_CHECKING:
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.report import SkillReport


@contextmanager
def told_of(targets: Sequence[str]) -> Iterator[Ledger | None]:
    """The ledger that a review is told in, where the workspace has one; None where it has none.

    One that lies in what is reviewed is not told: whoever wrote that may have put it there. Raises RecordError for one that
    cannot be opened: nothing is asked without it.
    """
    from sluicegate.reach.cli.ledger.here import told_here
    from sluicegate.record.ledger.ledger import Ledger

    workspace = told_here()
    if not workspace.ledger.exists():
        yield None
    elif _lies_within(workspace.ledger, targets):
        click.echo("sluicegate: not recorded: the ledger lies inside what is reviewed", err=True)
        yield None
    else:
        with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
            yield ledger


def tell(ledger: Ledger | None, skills: Sequence[ReviewedSkill], config: ScanConfig) -> None:
    """Tell the ledger what was decided. The review itself has told what that follows from."""
    if ledger is None:
        return
    for skill in skills:
        verdict = skill.skill.verdict
        ledger.append(
            events.Vetted(
                var=named(skill.skill.name),
                bundle=skill.skill.digest,
                docket=verdict.docket,
                decision=verdict.decision.name,
                rulings=_rulings(skill.skill, config),
                inputs=skill.events,
            )
        )


def tell_refused(refused: InstructionsChanged, targets: Sequence[str]) -> None:
    """Tell the same ledger that instructions did not verify, so that nothing was asked. What is wrong with those is said in any
    case."""
    try:
        with told_of(targets) as ledger:
            if ledger is not None:
                ledger.append(
                    events.Verify(
                        var=refused.name, purpose=PURPOSE, result=False, reason=refused.reason, caller=CALLER
                    )
                )
    except RecordError as error:
        click.echo(printable(f"sluicegate: not recorded: {error.diagnostics()}", newline=True), err=True)


def _rulings(skill: SkillReport, config: ScanConfig) -> tuple[str, ...]:
    """The rulings that count in a decision: those that held on the skill, and those that ended the flag of its publisher."""
    on_skill = config.rulings.digests(skill.digest, skill.verdict.rulings.given)
    return (*on_skill, *config.flags.ended_by(skill.publisher))


def _lies_within(ledger: Path, targets: Sequence[str]) -> bool:
    return any(
        ledger.resolve().is_relative_to(Path(target).resolve())
        for target in targets
        if target != "-" and "://" not in target
    )
