"""What the ledger of the workspace is told of the queue: rulings of persons, and publishers who are flagged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.record.ledger.events import Event
    from sluicegate.vet.review.queue.statements import RulingStatement
    from sluicegate.vet.review.queue.store import StoredFlag


def tell_ruling(
    statement: RulingStatement, envelope: bytes, *, of: Literal["skill", "publisher"] = "skill"
) -> None:
    """Tell the ledger, where the workspace has one, before the ruling is kept. Raises RecordError."""
    import hashlib

    from sluicegate.record.ledger.events import Ruled

    event = Ruled(
        var=_no_value(statement.skill),
        bundle=statement.bundle,
        docket=statement.docket,
        approves=statement.approves,
        hash=hashlib.sha256(envelope).hexdigest(),
        by=statement.signer,
        key=statement.key,
        overrides=statement.overrides,
        expires=statement.expires or "",
        of=of,
    )
    _tell([event])


def tell_flags(flagged: Sequence[StoredFlag]) -> None:
    """Tell the ledger, where the workspace has one. The flags stand also when that fails."""
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger.events import Flagged

    try:
        _tell(
            [
                Flagged(
                    var=_no_value(found.skill),
                    bundle=found.bundle,
                    publisher=found.publisher,
                    by=found.found_by,
                )
                for found in flagged
            ]
        )
    except RecordError as error:
        click.echo(printable(f"sluicegate: not recorded: {error.diagnostics()}", newline=True), err=True)


def _tell(events: Sequence[Event]) -> None:
    from sluicegate.reach.cli.ledger.here import told_here
    from sluicegate.record.ledger.ledger import Ledger

    workspace = told_here()
    if not workspace.ledger.exists():
        return
    with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
        for event in events:
            ledger.append(event)
        ledger.flush(durable=True)


def _no_value(name: str) -> str:
    """The name of a skill, which is not to be taken for that of a value."""
    return f"./{name}" if name.startswith("@") else name
