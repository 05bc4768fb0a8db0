"""What the guards of an operation decided, one class for each case."""

from __future__ import annotations

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled
from sluicegate.tuples import NamedTuple


class Noted(NamedTuple):
    """What one guard decided, for the ledger.

    ``rule`` counts from 1; 0 is none. ``action`` is the kind of action (``Deny``, ``Bless``...), ``Failed`` if
    the guard could not decide. ``place`` is the input it was asked about, None for all. ``before`` and
    ``after`` are the labels there; ``conflict`` says that trust was claimed for what is untrusted.
    """

    guard: str
    rule: int
    action: str
    place: int | None
    before: Labels
    after: Labels
    conflict: bool = False


class GuardsAllowed(NamedTuple):
    """Nothing stands against it. ``labels`` are those of all that the decision depended on."""

    labels: Labels
    notes: tuple[Noted, ...] = ()


class GuardsChanged(NamedTuple):
    """It may go on with ``values`` in place of the inputs (or of the output).

    If ``operation_labels`` is not empty, or a value has new labels, policy has to be asked again. Each of
    ``environments`` is applied within the one before it.
    """

    values: tuple[Labeled[object], ...]
    operation_labels: tuple[str, ...]
    environments: tuple[object, ...]
    labels: Labels
    notes: tuple[Noted, ...] = ()


class GuardsRetry(NamedTuple):
    """Another input is asked for, by the guard of that name."""

    guard: str
    hint: str | Labeled[str]
    labels: Labels
    notes: tuple[Noted, ...] = ()


class GuardsDenied(NamedTuple):
    """At least one guard denies. ``denials`` are all of them, ``denial`` the first.

    ``detail`` is the reason in the guard's own words where these are labelled.
    """

    denial: Denial
    denials: tuple[Denial, ...]
    detail: Labeled[str] | None
    labels: Labels
    notes: tuple[Noted, ...] = ()


GuardOutcome = GuardsAllowed | GuardsChanged | GuardsRetry | GuardsDenied
