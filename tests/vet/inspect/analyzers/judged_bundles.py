"""A bundle of a few files, and what the analyzers make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue
from sluicegate.vet.inspect.rule import Analyzer
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.skill import scan_unit
from sluicegate.vet.verdict.types import Verdict

SKILL = (
    "---\nname: sample\ndescription: A sample for a test.\n---\n\n# Sample\n\nSee the files of this folder.\n"
)


@lru_cache(maxsize=1)
def analyzers() -> Sequence[Analyzer]:
    return catalogue.build_analyzers(ScanConfig())


def judged(place: Path, files: Mapping[str, str]) -> Verdict:
    config = ScanConfig()
    for name, text in ({"SKILL.md": SKILL} | dict(files)).items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with open_source(str(place), config.limits) as source:
        (unit,) = source.units().units
        return scan_unit(unit, config, analyzers()).verdict
