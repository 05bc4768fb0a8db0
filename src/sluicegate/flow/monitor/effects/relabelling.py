"""Adding labels to a value by the program itself: what policy says of it, and its event."""

from __future__ import annotations

from typing import Any

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.labels import (
    EMPTY,
    Conflicted,
    ConflictMode,
    Labels,
    TrustRefused,
    add,
    add_untrusted,
    coming_from,
    events_of,
)
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.values import Labeled, pc, relabel
from sluicegate.record.ledger import events

_BY = "program"


def labelled(parts: Parts, value: object, names: tuple[str, ...]) -> Labeled[Any]:
    """The value with these labels as well; see ``Monitor.labelled``.

    1. Decided over the whole value, with what policy makes of it: data that policy takes for untrusted is untrusted,
       whether or not it says so itself.
    2. Noted: the change, and a conflict. Where nothing may happen without its event, neither does this.
    3. Done to the shape and to each part.

    Raises ``Denied``, and ``LabelError`` for a label that is not well formed.
    """
    found: Labeled[Any] = value if isinstance(value, Labeled) else Labeled(value)
    mode = ConflictMode(parts.layers.trustconflict)
    before = parts.taint(found.labels | pc())
    change = add(before, names, mode)  # 1
    if isinstance(change, TrustRefused):
        raise Denied(change.denial)
    noted: list[events.Event] = []  # 2
    if isinstance(change, Conflicted):
        noted.append(
            events.Conflict(
                var="@value",
                labels=("trusted", "untrusted"),
                resolved="untrusted",
                by=_BY,
                inputs=events_of(found.trail),
            )
        )
    gone = () if isinstance(change, Conflicted) else change.removed.names()
    if change.added or gone:
        inputs = events_of(found.trail)
        noted.append(events.Label(var="@value", by=_BY, add=change.added.names(), remove=gone, inputs=inputs))
    ids: list[str] = []
    for event in noted:
        done = parts.note(event)
        if isinstance(done, Denial):
            raise Denied(done)
        if done is not None:
            ids.append(done)

    def changed(labels: Labels) -> Labels:  # 3
        made = add(
            add_untrusted(labels) if isinstance(change, Conflicted) else labels, names, ConflictMode.SILENT
        )
        return labels if isinstance(made, TrustRefused) else made.labels

    made = relabel(found, changed)
    return Labeled(made, EMPTY, coming_from(made.trail, *ids)) if ids else made
