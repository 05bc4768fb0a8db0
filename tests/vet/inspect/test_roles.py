"""Role and polarity, through the whole pipeline: what is talked about passes, what is dressed up does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from role_samples_bad import BAD
from role_samples_good import GOOD

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue
from sluicegate.vet.inspect.rule import Analyzer
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.skill import scan_unit
from sluicegate.vet.verdict.types import Decision, Verdict


@lru_cache(maxsize=1)
def analyzers() -> Sequence[Analyzer]:
    return catalogue.build_analyzers(ScanConfig())


def judged(files: Mapping[str, str], place: Path) -> Verdict:
    config = ScanConfig()
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with open_source(str(place), config.limits) as source:
        (unit,) = source.units().units
        return scan_unit(unit, config, analyzers()).verdict


def shown(verdict: Verdict) -> str:
    lines = [
        f"{f.rule} {f.severity.name} {f.confidence} {f.location.path}:{f.location.start_line} {f.adjustments}"
        for f in (*verdict.findings, *verdict.listed)
    ]
    return "\n".join([f"{verdict.decision.name} {verdict.score}", *lines])


@pytest.mark.parametrize("name", GOOD)
def test_what_is_talked_about_passes(name: str, tmp_path: Path) -> None:
    verdict = judged(GOOD[name], tmp_path)
    assert verdict.decision is Decision.SAFE, shown(verdict)


@pytest.mark.parametrize("name", BAD)
def test_what_is_dressed_up_does_not(name: str, tmp_path: Path) -> None:
    least, files = BAD[name]
    verdict = judged(files, tmp_path)
    assert verdict.decision >= least, shown(verdict)
