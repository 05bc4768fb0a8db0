"""The events of the ledger that the monitor writes: names, labels and rules, never a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from sluicegate.flow.denial import Denial
from sluicegate.flow.guards import Noted
from sluicegate.flow.labels import NO_TRAIL, Labels, Trail, events_of
from sluicegate.flow.labels.names import written
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Plan
from sluicegate.flow.values import Labeled
from sluicegate.record.ledger import events

if TYPE_CHECKING:
    from sluicegate.flow.session.approvals import TakenApproval
    from sluicegate.flow.session.permit import Permit

_LONGEST = 2000


def shown(parts: Parts, plan: Plan) -> str:
    """The operation in one line, without values, and without registered ones in what its author wrote."""
    return parts.scrubber.text(plan.shown)[:_LONGEST]


def allow(parts: Parts, plan: Plan, labels: Labels, taint: Labels, permit: str, said: str) -> events.Allow:
    """An operation is allowed: what went in, and what its result will have at least. ``said``: the operation as ``shown``, if
    that is known."""
    return events.Allow(
        operation=said or shown(parts, plan),
        operation_labels=plan.leaves,
        labels=labels.names(),
        taint=taint.names(),
        var=plan.var,
        permit=permit,
        inputs=plan.sources,
    )


def settle(permit: Permit, taint: Labels, before: tuple[str, ...]) -> events.Settle:
    """What was permitted has happened. ``before``: the events by which the session has taken in what it knows by now; the
    result carries the labels of that as well."""
    return events.Settle(operation=permit.shown, permit=permit.name, taint=taint.names(), inputs=before)


def approved(parts: Parts, permit: Permit, given: TakenApproval) -> events.Approve:
    """A person approved what policy refused, and it was permitted for that."""
    return events.Approve(
        operation=permit.shown,
        permit=permit.name,
        rule=given.rule.rpartition("\n")[2],
        by=given.by,
        approval=given.id,
    )


def permit_denied(parts: Parts, denial: Denial) -> events.Denial:
    """A permit does not settle."""
    return events.Denial(
        operation=parts.scrubber.text(denial.operation)[:_LONGEST],
        code=str(denial.code),
        rule=denial.rule,
        reason=denial.reason,
    )


def denied(parts: Parts, plan: Plan, denial: Denial) -> events.Denial:
    """An operation is refused."""
    return events.Denial(
        operation=parts.scrubber.text(denial.operation)[:_LONGEST],
        code=str(denial.code),
        rule=denial.rule,
        layer=denial.layer,
        reason=parts.scrubber.text(denial.reason)[:_LONGEST],
        operation_labels=denial.operation_labels,
        labels=denial.labels,
        var=plan.var,
        inputs=plan.sources,
    )


def changes(
    plan: Plan, notes: Sequence[Noted], values: Sequence[Labeled[Any]], var: str = ""
) -> list[events.Event]:
    """What guards did to the labels of these values, and where trust was claimed for what is untrusted."""
    found: list[events.Event] = []
    names = [f"@{written(name)}" for _, name in plan.inputs]
    for note in notes:
        which = var or (
            names[note.place] if note.place is not None and note.place < len(names) else "@inputs"
        )
        by = f"guard:{note.guard}"
        asked = values if note.place is None else values[note.place : note.place + 1]
        inputs = events_of(reduce(Trail.join, (value.trail for value in asked), NO_TRAIL))
        added = tuple(name for name in note.after if name not in note.before)
        removed = tuple(name for name in note.before if name not in note.after)
        if note.conflict:
            found.append(
                events.Conflict(
                    var=which, labels=("trusted", "untrusted"), resolved="untrusted", by=by, inputs=inputs
                )
            )
        if note.action in ("Bless", "RemoveLabels", "ClearLabels"):
            found.append(events.Bless(var=which, by=by, add=added, remove=removed, inputs=inputs))
        elif note.action == "AddLabels" and (added or removed):
            found.append(events.Label(var=which, by=by, add=added, remove=removed, inputs=inputs))
    return found
