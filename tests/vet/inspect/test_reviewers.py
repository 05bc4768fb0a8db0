"""Words to reviewers, through the whole pipeline: an order to them condemns, a mention of one does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import reviewer_samples
import reviewer_sealed
from test_roles import judged, shown

from sluicegate.vet.verdict.types import Category, Decision, Verdict

HONEST = reviewer_samples.HONEST | reviewer_sealed.HONEST
MALICIOUS = reviewer_samples.MALICIOUS | reviewer_sealed.MALICIOUS
MISSED: frozenset[str] = frozenset()
"""What no rule finds, by name."""
CONDEMNS = 500


def sure(verdict: Verdict) -> int:
    """The largest confidence of a finding about reviewers."""
    found = (*verdict.findings, *verdict.listed)
    return max((f.confidence for f in found if f.category is Category.REVIEWER_MANIPULATION), default=0)


def judge(files: Mapping[str, str], place: Path) -> Verdict:
    return judged(files, place)


@pytest.mark.parametrize("name", HONEST)
def test_a_mention_does_not_condemn(name: str, tmp_path: Path) -> None:
    verdict = judge(HONEST[name], tmp_path)
    assert sure(verdict) < CONDEMNS, shown(verdict)
    assert verdict.decision is not Decision.DO_NOT_INSTALL, shown(verdict)


@pytest.mark.parametrize("name", MALICIOUS)
def test_an_order_condemns(name: str, tmp_path: Path) -> None:
    verdict = judge(MALICIOUS[name], tmp_path)
    assert (verdict.decision is Decision.DO_NOT_INSTALL) is (name not in MISSED), shown(verdict)
