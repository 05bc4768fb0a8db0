"""What an action does to the values that a guard was asked about; nothing is ever taken away but by privilege."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.guards.actions import AddLabels, AllowWith, Bless, ClearLabels, RemoveLabels
from sluicegate.flow.labels import (
    Change,
    Conflicted,
    ConflictMode,
    LabelCategory,
    Labels,
    Privilege,
    TrustRefused,
    add,
    add_untrusted,
    bless,
    category,
    clear,
    remove,
)
from sluicegate.flow.values import Labeled, branch, relabel
from sluicegate.tuples import NamedTuple

LabelAction = AddLabels | Bless | RemoveLabels | ClearLabels


class GuardedValue(NamedTuple):
    """A value a guard was asked about, and what policy makes of it."""

    value: Labeled[object]
    taint: Labels


class Relabelled(NamedTuple):
    """The subject with other labels; ``conflict`` if trust was claimed for what is untrusted."""

    subject: GuardedValue
    conflict: bool


_NO_PARTS: Final = "the guard gives back another number of inputs than it was given"


def replaced(
    action: AllowWith, subjects: tuple[GuardedValue, ...], guard: str, asked: Labels
) -> tuple[GuardedValue, ...] | str:
    """The subjects with other values, each with all labels of the one before; or why that cannot be."""
    if len(subjects) == 1:
        values: tuple[object, ...] = (action.value,)
    elif isinstance(action.value, (tuple, list)):
        values = tuple(action.value)
    elif isinstance(action.value, Labeled) and _has_parts(action.value, len(subjects)):
        values = tuple(action.value[place] for place in range(len(subjects)))
    else:
        return _NO_PARTS
    if len(values) != len(subjects):
        return _NO_PARTS
    return tuple(_in_place(new, old, guard, asked) for new, old in zip(values, subjects, strict=True))


def _in_place(new: object, old: GuardedValue, guard: str, asked: Labels) -> GuardedValue:
    trail = old.value.trail.add(f"guard:{guard}")
    value: Labeled[object] = Labeled(new, old.value.labels | asked, trail)
    return GuardedValue(value=value, taint=old.taint | value.labels)


def _has_parts(value: Labeled[object], count: int) -> bool:
    """Whether a labelled list or tuple has so many parts."""
    with branch(value):
        fits = value.map(lambda content: isinstance(content, (tuple, list)) and len(content) == count)
        return not bool(fits.failed) and bool(fits)


def change_of(action: LabelAction, labels: Labels, privilege: Privilege | None, mode: ConflictMode) -> Change:
    """What an action makes of labels, by the rules of ``sluicegate.flow.labels.trust``."""
    match action:
        case Bless():
            return bless(labels, privilege)
        case RemoveLabels(names=names):
            return remove(labels, names, privilege)
        case ClearLabels():
            return clear(labels, privilege)
        case AddLabels(names=names):
            return add(labels, names, mode, privilege)


def relabelled(
    action: LabelAction, subject: GuardedValue, privilege: Privilege | None, mode: ConflictMode, asked: Labels
) -> Relabelled | TrustRefused:
    """The subject as the action labels it, or why it may not.

    1. Decided over the whole taint, with what policy makes of the value: data that is untrusted by policy is
       untrusted, whether or not the value says so.
    2. Done to the shape and to each part of the value.
    3. The labels of the conditions are joined, with the same change: who may bless a value may bless what was
       learned from it.
    """
    # 1.
    decided = change_of(action, subject.taint, privilege, mode)
    if isinstance(decided, TrustRefused):
        return decided
    conflict = isinstance(decided, Conflicted)

    def changed(labels: Labels) -> Labels:
        before = add_untrusted(labels) if conflict else labels
        made = change_of(action, before, privilege, ConflictMode.SILENT)
        return labels if isinstance(made, TrustRefused) else made.labels

    # 2. and 3.
    value: Labeled[object] = relabel(subject.value, changed)
    if asked:
        value = Labeled(value, changed(asked))
    return Relabelled(
        subject=GuardedValue(value=value, taint=decided.labels | value.labels), conflict=conflict
    )


def operation_labels(action: LabelAction) -> tuple[str, ...]:
    """The labels that an action gives to the operation as well."""
    if not isinstance(action, AddLabels):
        return ()
    return tuple(name for name in action.names if action.operation or category(name) is LabelCategory.RISK)
