"""Adding labels to a value by the program itself: what policy says of it, and its event."""

from __future__ import annotations

from typing import Any

from sluicegate.flow.denial import Denied
from sluicegate.flow.labels import Conflicted, ConflictMode, Labels, Refused, add, add_untrusted
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.values import Labeled, pc, relabel
from sluicegate.record import events

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
    if isinstance(change, Refused):
        raise Denied(change.denial)
    noted: list[events.Event] = []  # 2
    if isinstance(change, Conflicted):
        noted.append(
            events.Conflict(var="@value", labels=("trusted", "untrusted"), resolved="untrusted", by=_BY)
        )
    gone = () if isinstance(change, Conflicted) else change.removed.names()
    if change.added or gone:
        noted.append(events.Label(var="@value", by=_BY, add=change.added.names(), remove=gone))
    for event in noted:
        denial = parts.note(event)
        if denial is not None:
            raise Denied(denial)

    def changed(labels: Labels) -> Labels:  # 3
        made = add(
            add_untrusted(labels) if isinstance(change, Conflicted) else labels, names, ConflictMode.SILENT
        )
        return labels if isinstance(made, Refused) else made.labels

    return relabel(found, changed)
