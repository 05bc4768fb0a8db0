"""Changes of labels, and who may make them.

| change | who | what it does |
|---|---|---|
| ``add_untrusted`` | anyone | adds ``untrusted``, takes ``trusted`` away |
| ``add_trusted`` | anyone, on what has no origin or is trusted; else privilege | adds ``trusted``; beside ``untrusted`` a conflict |
| ``add`` | anyone | adds any labels |
| ``bless`` | privilege | takes ``untrusted`` away, adds ``trusted`` |
| ``remove`` | privilege | takes the named labels away |
| ``clear`` | privilege | takes everything away but ``src:...`` and ``dir:...`` |

Nothing happens here but the decision: the answer is ``Changed``, ``Conflicted`` or ``TrustRefused``, and who asked
warns, raises or writes the event.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NoReturn, final

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import LabelError
from sluicegate.flow.labels.names import check, covers, is_factual, is_protected
from sluicegate.flow.labels.sets import Labels

_TRUSTED: Final = Labels.of("trusted")
_UNTRUSTED: Final = Labels.of("untrusted")


class ConflictMode(StrEnum):
    """What follows when trust is claimed for what is untrusted (``defaults.trustconflict``)."""

    WARN = "warn"
    ERROR = "error"
    SILENT = "silent"


class Changed(Struct, frozen=True):
    """The labels after the change, and what it added and took away."""

    labels: Labels
    added: Labels
    removed: Labels


class Conflicted(Struct, frozen=True):
    """Trust was claimed for what is untrusted. Both labels are held, and it is treated as untrusted.

    ``mode`` is WARN or SILENT; the conflict is an event in both.
    """

    labels: Labels
    added: Labels
    mode: ConflictMode


class TrustRefused(Struct, frozen=True):
    """The change may not be made; the labels stay as they are."""

    denial: Denial


Change = Changed | Conflicted | TrustRefused

_SEAL = object()


@final
class Privilege:
    """The right to take labels away, given by configuration to one holder (a guard, a module).

    Only ``grant`` makes one, and only the code that reads configuration calls ``grant``; a guard's or a
    script's own word makes none. Python cannot enforce that: whoever runs Python code in this process can
    reach anything in it. It keeps mistakes out, and scripts, which have no way to Python's objects. Code that
    is not trusted belongs in another process (``sluicegate.flow.environments``).
    """

    __slots__ = ("_seal", "holder", "source")
    holder: str
    source: str

    def __init__(self, seal: object, holder: str, source: str) -> None:
        if seal is not _SEAL:
            raise LabelError(
                "a privilege is given by configuration only",
                hint="name the guard, its module or its path under [privilege] of a policy in force",
            )
        object.__setattr__(self, "_seal", seal)
        object.__setattr__(self, "holder", holder)
        object.__setattr__(self, "source", source)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a privilege does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a privilege does not change")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a privilege cannot be copied or pickled")

    def __repr__(self) -> str:
        return f"Privilege(holder={self.holder!r}, source={self.source!r})"


def grant(*, holder: str, source: str) -> Privilege:
    """The privilege that ``source`` (a policy layer, the project's configuration) gives to ``holder``.

    For the code that reads configuration; see ``Privilege``.
    """
    return Privilege(_SEAL, holder, source)


def holds(privilege: Privilege | None) -> bool:
    """Whether this is a privilege that ``grant`` made."""
    return isinstance(privilege, Privilege) and getattr(privilege, "_seal", None) is _SEAL


def add(
    labels: Labels,
    names: Iterable[str],
    mode: ConflictMode = ConflictMode.WARN,
    privilege: Privilege | None = None,
) -> Change:
    """Add labels: ``untrusted`` as in ``add_untrusted``, ``trusted`` as in ``add_trusted``, whatever order.

    ``trusted`` on what came from elsewhere and nobody vouched for is a step up in trust, a blessing under another
    name, and refused without the privilege.

    Raises ``LabelError`` for a label that is not well formed, or that only operations have (``op:...``).
    """
    asked = Labels.of(*names)
    if asked.has("op"):
        raise LabelError(
            "op: labels belong to operations and are not given to values",
            hint="choose a label of your own, such as from-git",
        )
    before = labels
    if asked.untrusted:
        labels = add_untrusted(labels)
    labels = Labels.from_mask(labels.mask | (asked.mask & ~(_TRUSTED.mask | _UNTRUSTED.mask)))
    if "trusted" not in asked:
        return _changed(before, labels)
    if before.origins and not (before.trusted or labels.untrusted or holds(privilege)):
        return TrustRefused(denial=_upward(before))
    match add_trusted(labels, mode):
        case Changed(labels=after):
            return _changed(before, after)
        case Conflicted(labels=after):
            return Conflicted(labels=after, added=_less(after, before), mode=mode)
        case refused:
            return refused


def add_untrusted(labels: Labels) -> Labels:
    """``untrusted`` in place of ``trusted``; anyone may."""
    return Labels.from_mask((labels.mask | _UNTRUSTED.mask) & ~_TRUSTED.mask)


def add_trusted(labels: Labels, mode: ConflictMode = ConflictMode.WARN) -> Change:
    """``trusted`` as well. If ``untrusted`` is there: a conflict, or in mode ERROR a refusal."""
    after = Labels.from_mask(labels.mask | _TRUSTED.mask)
    if not labels.untrusted:
        return _changed(labels, after)
    if mode is not ConflictMode.ERROR:
        return Conflicted(labels=after, added=_less(after, labels), mode=mode)
    return TrustRefused(
        denial=Denial(
            code=Code.TRUST_CONFLICT,
            operation="add label trusted",
            blocked_by="Trust of labels",
            rule='defaults.trustconflict = "error"',
            reason="The value is untrusted, and trust cannot be claimed for it",
            labels=labels.names(),
            suggestions=("Let a guard that has the privilege check the value and bless it",),
        )
    )


def bless(labels: Labels, privilege: Privilege | None) -> Changed | TrustRefused:
    """Take ``untrusted`` away and add ``trusted``; all else stays, ``influenced`` too."""
    if not holds(privilege):
        return _refused(labels, "bless", ("untrusted",))
    return _changed(labels, Labels.from_mask((labels.mask | _TRUSTED.mask) & ~_UNTRUSTED.mask))


def remove(labels: Labels, names: Iterable[str], privilege: Privilege | None) -> Changed | TrustRefused:
    """Take the named labels away, each with all that stand under it (``secret`` takes ``secret:aws``).

    Without the privilege this is refused whether or not the value has the labels, so that the refusal tells
    nothing of the value. Raises ``LabelError`` for a label that is not well formed.
    """
    asked = tuple(check(name) for name in names)
    if not holds(privilege):
        return _refused(labels, f"remove label {', '.join(asked)}", asked)
    kept = [name for name in labels.names() if not any(covers(prefix, name) for prefix in asked)]
    return _changed(labels, Labels.of(*kept))


def clear(labels: Labels, privilege: Privilege | None) -> Changed | TrustRefused:
    """Take every label away but the facts of origin, ``src:...`` and ``dir:...``."""
    if not holds(privilege):
        return _refused(labels, "clear labels", tuple(n for n in labels.names() if not is_factual(n)))
    return _changed(labels, Labels.of(*(name for name in labels.names() if is_factual(name))))


def _less(labels: Labels, taken: Labels) -> Labels:
    return Labels.from_mask(labels.mask & ~taken.mask)


def _changed(before: Labels, after: Labels) -> Changed:
    return Changed(labels=after, added=_less(after, before), removed=_less(before, after))


def _upward(labels: Labels) -> Denial:
    return Denial(
        code=Code.LABEL_PRIVILEGE_REQUIRED,
        operation="add label trusted",
        blocked_by="Privilege over labels",
        rule="trusted, on data that came from elsewhere, is given by privilege",
        reason="Only a guard that configuration gives the privilege may vouch for data from elsewhere",
        labels=labels.names(),
        suggestions=("Name the guard, its module or its path under privilege in a policy in force",),
    )


def _refused(labels: Labels, operation: str, names: tuple[str, ...]) -> TrustRefused:
    protected = [name for name in names if is_protected(name)]
    code = Code.PROTECTED_LABEL_REMOVAL if protected else Code.LABEL_PRIVILEGE_REQUIRED
    return TrustRefused(
        denial=Denial(
            code=code,
            operation=operation,
            blocked_by="Privilege over labels",
            rule=f"protected label: {', '.join(protected)}"
            if protected
            else "labels are removed by privilege",
            reason="Only a guard that configuration gives the privilege may take labels away",
            labels=labels.names(),
            suggestions=("Name the guard, its module or its path under privilege in a policy in force",),
        )
    )
