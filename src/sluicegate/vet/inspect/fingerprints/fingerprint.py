"""What names a match: the same for each view that shows it, another when anything on which it rests is another.

``fingerprint = digest(rule, path, canonical evidence, constants of the trace, weight)``, the first 32 hex digits; the
digest is of an encoding that no two lists of texts share. The canonical form undoes what normalisation undoes, so that a
match in a raw view and the same match in its normalised view agree. Constants are taken as they are, but for white
space: what differs by case alone is another address, another file, another payload.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.views.disguises.unicode import canonical
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.types import Finding


class Basis(NamedTuple):
    """What the fingerprint of one finding is made of, beside its rule and path; all of it, not what is shown."""

    evidence: str
    trace: tuple[str, ...]


def fingerprint(rule: str, path: str, evidence: str, trace: Iterable[str] = ()) -> str:
    """32 hex digits that name this evidence of this rule in this artifact, resting on these constants."""
    return _digest(rule, path, evidence, constants(trace))


def _digest(rule: str, path: str, evidence: str, rests: Iterable[str]) -> str:
    return digest(rule, path, canonical(evidence), *rests)[:32]


def by_itself(finding: Finding, basis: Basis, known: dict[str, str]) -> str:
    """What names one finding where another rests on it; ``known`` as in ``constants``."""
    rests = (*constants(basis.trace, known), _weight([finding]))
    return _digest(finding.rule, finding.location.path, basis.evidence, rests)


def constants(trace: Iterable[str], known: dict[str, str] | None = None) -> tuple[str, ...]:
    """Constants in the one order in which they are covered: each once, its white space as single spaces.

    ``known`` keeps how each was spaced: many findings may rest on the same long one.
    """
    spaced = {} if known is None else known
    found: set[str] = set()
    for constant in trace:
        if constant not in spaced:
            spaced[constant] = " ".join(constant.split())
        found.add(spaced[constant])
    return tuple(sorted(found))


def agreed(findings: Sequence[Finding], bases: Sequence[Basis]) -> list[Finding]:
    """The findings, given one fingerprint for each match, however many views and places show it.

    1. Of one rule and artifact, those with the same evidence are one match, which people see, weigh and accept as one.
    2. Where they show different constants for it (one view unfolds what another shows folded, or a second place has
       another address), all of them are covered by the one fingerprint.
    3. So is what the match weighs: what was accepted as an example is not accepted once it is an order.
    """
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number, (finding, basis) in enumerate(zip(findings, bases, strict=True)):  # 1
        groups.setdefault((finding.rule, finding.location.path, canonical(basis.evidence)), []).append(number)
    made = list(findings)
    known: dict[str, str] = {}
    for (rule, path, evidence), group in groups.items():
        traces = {constants(bases[number].trace, known) for number in group}
        rests = (
            next(iter(traces)) if len(traces) == 1 else [f"seen={digest(*trace)}" for trace in traces]
        )  # 2
        rests = constants([*rests, _weight([findings[number] for number in group])], known)
        joined = _digest(rule, path, evidence, rests)
        for number in group:
            made[number] = findings[number]._replace(fingerprint=joined)
    return made


def _weight(group: Sequence[Finding]) -> str:
    """What a match weighs at its worst (3)."""
    severity, confidence = max(f.severity for f in group), max(f.confidence for f in group)
    return f"weight={severity:d} {confidence} {any(f.executable for f in group):d}"
