"""What is new in a report beside an older one, what stayed, and what went.

1. A skill is compared with the one that had its root; one that had none is new, and so is all that it has.
2. A finding is the one that was there when rule, path and fingerprint agree and it counted then as it counts now. What
   was accepted then is not: an acceptance that is over makes its finding new.
3. A gap is the one that was there when reason, path and fingerprint agree. A gap without a fingerprint is always new:
   nobody knows whether what it holds has stayed the same.
4. The new alone come to a decision, by the arithmetic of every other. Rulings and panels are about the whole, and have
   no part in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sluicegate.vet.report import Compared, Comparison, Report, SkillReport
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Decision, Finding, Gap, Verdict


def compare(now: Report, before: Iterable[SkillReport], *, against: str, whole: bool = True) -> Report:
    """``now`` with its comparison; ``against`` is what the report with the skills ``before`` is called.

    Not ``whole``: ``now`` is of some skills of its source alone, so none is called absent.
    """
    old = {skill.root: skill.verdict for skill in before}
    roots = {skill.root for skill in now.skills}
    comparison = Comparison(
        against=against,
        skills=tuple(_compared(skill, old.get(skill.root)) for skill in now.skills),  # 1
        absent=tuple(sorted(root for root in old if root not in roots)) if whole else (),
    )
    return now._replace(comparison=comparison)


def _compared(skill: SkillReport, old: Verdict | None) -> Compared:
    now = skill.verdict
    counted = _keys(old.findings if old else ())
    known = counted | _keys(old.listed if old else ())
    held = {_gap_key(gap) for gap in (old.gaps if old else ()) if gap.fingerprint}
    new = (
        *(finding for finding in now.findings if _key(finding) not in counted),  # 2
        *(finding for finding in now.listed if _key(finding) not in known),
    )
    new_gaps = tuple(gap for gap in now.gaps if _gap_key(gap) not in held)  # 3
    fresh, left = set(map(_key, new)), _keys((*now.findings, *now.listed))
    here = {_gap_key(gap) for gap in now.gaps}
    return Compared(
        decision=_decision(new, new_gaps, now.today),
        new=new,
        unchanged=tuple(f for f in (*now.findings, *now.listed) if _key(f) not in fresh),
        gone=tuple(f for f in ((*old.findings, *old.listed) if old else ()) if _key(f) not in left),
        new_gaps=new_gaps,
        unchanged_gaps=tuple(gap for gap in now.gaps if gap not in new_gaps),
        gone_gaps=tuple(gap for gap in (old.gaps if old else ()) if _gap_key(gap) not in here),
    )


def _decision(new: Iterable[Finding], gaps: Iterable[Gap], today: date) -> Decision:
    return judge(tuple(new), tuple(gaps), baseline=Baseline(), today=today).decision  # 4


def _keys(findings: Iterable[Finding]) -> set[tuple[str, str, str]]:
    return {_key(finding) for finding in findings}


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.location.path, finding.fingerprint


def _gap_key(gap: Gap) -> tuple[str, str, str]:
    return gap.reason, gap.path, gap.fingerprint
