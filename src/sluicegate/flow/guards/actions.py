"""What a guard may decide, one class for each.

An action says what should happen; whether it may, and what comes of it, is decided in ``evaluate``.
"""

from __future__ import annotations

from msgspec import Struct

from sluicegate.flow.errors import GuardError
from sluicegate.flow.guards.cases import Case
from sluicegate.flow.labels import check, head
from sluicegate.flow.values import Labeled
from sluicegate.tuples import NamedTuple


class Deny(NamedTuple):
    """Refuse the operation.

    ``reason`` may be a labelled text; then the denial shows its placeholder, and the words go along labelled.
    ``code`` is the guard's own word for programs, and stands beside the rule.
    """

    reason: str | Labeled[str]
    code: str = ""
    suggestion: str = ""


class Allow(Case):
    """Let the operation pass, as far as this guard goes."""

    __slots__ = ()


class AllowWith(NamedTuple):
    """Let it pass with another value in place of what the guard was given.

    The value keeps all labels of what it replaces, whatever it is made of. A guard that was given several
    inputs (``context.input`` is a tuple of them) gives back as many.
    """

    value: object


class Retry(NamedTuple):
    """Ask whoever made the input for another one; after three such rounds it is a denial."""

    hint: str | Labeled[str]


class AddLabels(Struct, frozen=True, kw_only=True):
    """Add labels to what the guard was given; anyone may.

    ``untrusted`` takes the place of ``trusted``. Labels that say what an action risks (``exfil``,
    ``destructive``, ``privileged``) are given to the operation as well, and with ``operation`` all are; the
    operation is then authorised again.
    """

    names: tuple[str, ...]
    operation: bool = False

    def __post_init__(self) -> None:
        _check(self.names)


class Bless(Case):
    """Take ``untrusted`` away and add ``trusted``. Needs the privilege."""

    __slots__ = ()


class RemoveLabels(Struct, frozen=True, kw_only=True):
    """Take labels away, each with all that stand under it. Needs the privilege."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.names)


class ClearLabels(Case):
    """Take all labels away but the facts of origin. Needs the privilege."""

    __slots__ = ()


class UseEnvironment(NamedTuple):
    """Let it pass, in an environment: ``config`` is a configuration of ``sluicegate.flow.environments``.

    Several guards may ask; each is then applied within the one before it, and can only be narrower.
    """

    config: object


Action = Deny | Allow | AllowWith | Retry | AddLabels | Bless | RemoveLabels | ClearLabels | UseEnvironment


def _check(names: tuple[str, ...]) -> None:
    """Raise ``GuardError`` for what values cannot be labelled with, ``LabelError`` for what is not a label."""
    if isinstance(names, str):
        raise GuardError("labels are given as a tuple", hint=f'write names=("{check(names)}",)')
    for name in names:
        if head(check(name)) == "op":
            raise GuardError(
                "op: labels belong to operations and are not given to values",
                hint="choose a label of your own, such as from-git",
            )
