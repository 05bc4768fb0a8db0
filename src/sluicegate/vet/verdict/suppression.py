"""What a reviewer has accepted, and when that no longer holds.

An accepted finding or gap stays in the report, apart, and has no part in the decision. An entry is *exact* (this rule,
this path, this fingerprint), a *glob* over rules and paths, or about one *gap*. Nothing here is read from the scanned
bundle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.globs import Glob, compile_glob, names_something
from sluicegate.vet.verdict.kernels import accepts, is_expired, is_guarded
from sluicegate.vet.verdict.types import (
    AcceptedGap,
    Category,
    Finding,
    Gap,
    GapReason,
    StaleEntry,
    Suppressed,
)

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


class _OfGap(NamedTuple):
    gap: GapReason
    path: str
    fingerprint: str
    reason: str
    owner: str
    expires: date


class GapEntry(_OfGap):
    """One accepted gap: this reason, in this path, of this content. ``expires`` is the last day on which it holds.

    Raises ValueError when the fingerprint is empty: what nobody has seen may be something else tomorrow.
    """

    __slots__ = ()

    def __new__(
        cls, *, gap: GapReason, path: str, fingerprint: str, reason: str, owner: str, expires: date
    ) -> Self:
        _require_words(reason, owner)
        if not fingerprint:
            raise ValueError("an accepted gap is named by its fingerprint")
        return super().__new__(cls, gap, path, fingerprint, reason, owner, expires)


FindingEntry: TypeAlias = ExactEntry | GlobEntry
BaselineEntry: TypeAlias = FindingEntry | GapEntry
_Key: TypeAlias = tuple[str, str, str]


class Baseline(NamedTuple):
    """All that a reviewer has accepted. An exact entry goes before a glob, an earlier one before a later."""

    entries: tuple[BaselineEntry, ...] = ()


class Partition(NamedTuple):
    """Findings that count, findings that were accepted, and entries that no longer hold here."""

    active: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[StaleEntry, ...]


class GapPartition(NamedTuple):
    """Gaps that count, gaps that were accepted, and entries that no longer hold here."""

    open: tuple[Gap, ...]
    accepted: tuple[AcceptedGap, ...]
    stale: tuple[StaleEntry, ...]


def suppress(findings: Sequence[Finding], baseline: Baseline, today: date) -> Partition:
    """Set accepted findings apart.

    1. A finding is accepted by the first entry that accepts it, exact entries before globs.
    2. An entry that has expired and would have accepted a finding is stale: ``expired``.
    3. An exact entry whose finding is gone while its rule still fires in its path is stale: ``drifted``.
    """
    exact: dict[_Key, list[FindingEntry]] = {}
    globs: list[GlobEntry] = []
    for entry in baseline.entries:
        if isinstance(entry, ExactEntry):
            exact.setdefault((entry.rule, entry.path, entry.fingerprint), []).append(entry)
        elif isinstance(entry, GlobEntry):
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
        stale.update(
            (entry.rule, entry.path, EXPIRED) for entry in about if has_expired(entry.expires, today)
        )
    # 3
    present = {_key(finding) for finding in findings}
    fires = {(rule, path) for rule, path, _ in present}
    stale.update((key[0], key[1], DRIFTED) for key in exact if key[:2] in fires and key not in present)
    return Partition(active=tuple(active), suppressed=tuple(suppressed), stale=_stale(stale))


def accept_gaps(gaps: Iterable[Gap], baseline: Baseline, today: date) -> GapPartition:
    """Set accepted gaps apart; ``gaps`` in any order and however often.

    1. A gap is accepted by the first entry of its reason, path and fingerprint that has not expired.
    2. An entry that has expired and would have accepted a gap is stale: ``expired``.
    3. An entry whose gap is gone while its path still has one of that reason is stale: ``drifted``.
    """
    known = sorted(set(gaps))
    entries: dict[_Key, list[GapEntry]] = {}
    for entry in baseline.entries:
        if isinstance(entry, GapEntry):
            entries.setdefault((entry.gap, entry.path, entry.fingerprint), []).append(entry)
    still: list[Gap] = []
    accepted: list[AcceptedGap] = []
    stale: set[_Key] = set()
    for gap in known:
        about = entries.get(_gap_key(gap), ())
        # 1
        accepting = next(
            (e for e in about if accepts(True, False, has_expired(e.expires, today), False)), None
        )
        if accepting is None:
            still.append(gap)
        else:
            expires = accepting.expires.isoformat()
            accepted.append(
                AcceptedGap(gap=gap, reason=accepting.reason, owner=accepting.owner, expires=expires)
            )
        # 2
        stale.update((entry.gap, entry.path, EXPIRED) for entry in about if has_expired(entry.expires, today))
    # 3
    present = {_gap_key(gap) for gap in known}
    places = {key[:2] for key in present}
    stale.update((key[0], key[1], DRIFTED) for key in entries if key[:2] in places and key not in present)
    return GapPartition(open=tuple(still), accepted=tuple(accepted), stale=_stale(stale))


def _key(finding: Finding) -> _Key:
    return (finding.rule, finding.location.path, finding.fingerprint)


def _gap_key(gap: Gap) -> _Key:
    return (gap.reason, gap.path, gap.fingerprint)


def _stale(found: Iterable[_Key]) -> tuple[StaleEntry, ...]:
    return tuple(StaleEntry(rule=rule, path=path, why=why) for rule, path, why in sorted(found))


def _accepts(entry: FindingEntry, finding: Finding, today: date) -> bool:
    """Whether an entry that speaks of this finding accepts it today."""
    exact = isinstance(entry, ExactEntry)
    return accepts(exact, not exact, has_expired(entry.expires, today), _guarded(finding))


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


def has_expired(last_day: date | None, today: date) -> bool:
    """Whether what holds through ``last_day`` (``None``: it has none) no longer does."""
    return last_day is not None and is_expired(today.toordinal(), last_day.toordinal())


def _as_suppressed(finding: Finding, entry: FindingEntry) -> Suppressed:
    expires = "" if entry.expires is None else entry.expires.isoformat()
    globs = None if isinstance(entry, ExactEntry) else (entry.rule, entry.path)
    return Suppressed(finding=finding, reason=entry.reason, owner=entry.owner, expires=expires, globs=globs)


def _require_words(reason: str, owner: str) -> None:
    if not reason.strip():
        raise ValueError("an accepted finding needs a reason")
    if not owner.strip():
        raise ValueError("an accepted finding needs an owner")


@lru_cache(maxsize=512)
def _glob(pattern: str) -> Glob:
    """The compiled glob; remembered, since the same few patterns meet every finding."""
    return compile_glob(pattern)
