"""What a reviewer has accepted, and when that no longer holds.

An accepted finding stays in the report, apart, and is never scored. An entry is *exact* (this rule, this
path, this fingerprint) or a *glob* over rules and paths. Nothing here is read from the scanned bundle.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sluicegate.vet.verdict.globs import Glob, compile_glob, names_something
from sluicegate.vet.verdict.kernels import accepts, is_expired, is_guarded
from sluicegate.vet.verdict.types import Category, Finding, StaleEntry, Suppressed

if TYPE_CHECKING:
    from typing import Self

EXPIRED = "expired"
DRIFTED = "drifted"


class _Exact(NamedTuple):
    rule: str
    path: str
    fingerprint: str
    reason: str
    owner: str
    expires: date | None


class ExactEntry(_Exact):
    """One accepted finding. ``expires`` is the last day on which the entry holds; ``None``: no last day.

    Raises ValueError when a field other than ``expires`` is empty.
    """

    __slots__ = ()

    def __new__(
        cls, *, rule: str, path: str, fingerprint: str, reason: str, owner: str, expires: date | None = None
    ) -> Self:
        _require_words(reason, owner)
        if not (rule and path and fingerprint):
            raise ValueError("an exact entry names a rule, a path and a fingerprint")
        return super().__new__(cls, rule, path, fingerprint, reason, owner, expires)


class _Globs(NamedTuple):
    rule: str
    path: str
    reason: str
    owner: str
    expires: date


class GlobEntry(_Globs):
    """Accepted findings by pattern. ``expires`` is the last day on which the entry holds.

    An empty pattern matches nothing. Raises ValueError when neither pattern holds a letter or a digit while
    both could match (such an entry accepts everything, or says nothing about what it accepts).
    """

    __slots__ = ()

    def __new__(cls, *, rule: str, path: str, reason: str, owner: str, expires: date) -> Self:
        _require_words(reason, owner)
        compile_glob(rule)
        compile_glob(path)
        if rule and path and not names_something(rule) and not names_something(path):
            raise ValueError(
                f"rule {rule!r} with path {path!r} would accept everything: name a rule or a path"
            )
        return super().__new__(cls, rule, path, reason, owner, expires)


BaselineEntry: TypeAlias = ExactEntry | GlobEntry
_Key: TypeAlias = tuple[str, str, str]


class Baseline(NamedTuple):
    """All that a reviewer has accepted. An exact entry goes before a glob, an earlier one before a later."""

    entries: tuple[BaselineEntry, ...] = ()


class Partition(NamedTuple):
    """Findings that count, findings that were accepted, and entries that no longer hold here."""

    active: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[StaleEntry, ...]


def suppress(findings: Sequence[Finding], baseline: Baseline, today: date) -> Partition:
    """Set accepted findings apart.

    1. A finding is accepted by the first entry that accepts it, exact entries before globs.
    2. An entry that has expired and would have accepted a finding is stale: ``expired``.
    3. An exact entry whose finding is gone while its rule still fires in its path is stale: ``drifted``.
    """
    exact: dict[_Key, list[BaselineEntry]] = {}
    globs: list[GlobEntry] = []
    for entry in baseline.entries:
        if isinstance(entry, ExactEntry):
            exact.setdefault((entry.rule, entry.path, entry.fingerprint), []).append(entry)
        else:
            globs.append(entry)
    active: list[Finding] = []
    suppressed: list[Suppressed] = []
    stale: set[tuple[str, str, str]] = set()
    for finding in findings:
        about = [*exact.get(_key(finding), ()), *(glob for glob in globs if _matches(glob, finding))]
        # 1
        accepting = next((entry for entry in about if _accepts(entry, finding, today)), None)
        if accepting is None:
            active.append(finding)
        else:
            suppressed.append(_as_suppressed(finding, accepting))
        # 2
        stale.update((entry.rule, entry.path, EXPIRED) for entry in about if _has_expired(entry, today))
    # 3
    present = {_key(finding) for finding in findings}
    fires = {(rule, path) for rule, path, _ in present}
    stale.update((key[0], key[1], DRIFTED) for key in exact if key[:2] in fires and key not in present)
    return Partition(
        active=tuple(active),
        suppressed=tuple(suppressed),
        stale=tuple(StaleEntry(rule=rule, path=path, why=why) for rule, path, why in sorted(stale)),
    )


def _key(finding: Finding) -> _Key:
    return (finding.rule, finding.location.path, finding.fingerprint)


def _accepts(entry: BaselineEntry, finding: Finding, today: date) -> bool:
    """Whether an entry that speaks of this finding accepts it today."""
    exact = isinstance(entry, ExactEntry)
    return accepts(exact, not exact, _has_expired(entry, today), _guarded(finding))


def _matches(entry: GlobEntry, finding: Finding) -> bool:
    """Whether the two patterns of an entry match a finding, whatever the day and the kind of finding."""
    return _glob(entry.rule).matches(finding.rule) and _glob(entry.path).matches(finding.location.path)


def _guarded(finding: Finding) -> bool:
    """Whether only an exact entry may accept this finding."""
    return is_guarded(
        finding.category is Category.REVIEWER_MANIPULATION,
        finding.category is Category.INTAKE,
        finding.severity,
    )


def _has_expired(entry: BaselineEntry, today: date) -> bool:
    return entry.expires is not None and is_expired(today.toordinal(), entry.expires.toordinal())


def _as_suppressed(finding: Finding, entry: BaselineEntry) -> Suppressed:
    expires = "" if entry.expires is None else entry.expires.isoformat()
    return Suppressed(finding=finding, reason=entry.reason, owner=entry.owner, expires=expires)


def _require_words(reason: str, owner: str) -> None:
    if not reason.strip():
        raise ValueError("an accepted finding needs a reason")
    if not owner.strip():
        raise ValueError("an accepted finding needs an owner")


@lru_cache(maxsize=512)
def _glob(pattern: str) -> Glob:
    """The compiled glob; remembered, since the same few patterns meet every finding."""
    return compile_glob(pattern)
