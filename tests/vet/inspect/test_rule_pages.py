"""Every rule has a page, and keeps what its page promises, through the whole pipeline.

A sample is a small bundle: written to disk, read by intake, turned into views, and inspected by every
analyzer. Under *Matches* it must give a finding of the page's rule that stands; under *Does not match* and
*Known misses*, none. A finding stands at a confidence of ``STANDS`` or more: below it, context has said that
the text is talked about and not said, and for the verdict it is a remark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue, pages
from sluicegate.vet.inspect.engine import inspect
from sluicegate.vet.inspect.osv import OsvAnalyzer
from sluicegate.vet.inspect.pages import Sample
from sluicegate.vet.inspect.rule import Analyzer
from sluicegate.vet.inspect.siblings import siblings_of
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import open_source, read_unit
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.verdict.types import Finding

PAGES = Path(__file__).parents[2] / "rules"
NAMES = sorted(path.stem for path in PAGES.glob("*.md"))
RULES = catalogue.rules()
STANDS = 400
NEUTRAL = (
    "---\nname: sample\ndescription: A sample for a test.\n---\n\n# Sample\n\nSee the files of this folder.\n"
)


class Recorded:
    """Stands for the service of advisories: two packages are known to it."""

    KNOWN: Mapping[tuple[str, str], str] = {
        ("known-weak", "1.0.0"): "GHSA-weak",
        ("known-bad", "2.0.1"): "MAL-2026-1",
    }

    def send(self, path: str, body: bytes | None) -> bytes:
        if body is None:
            name = path.rpartition("/")[2]
            return json.dumps({"id": name, "database_specific": {"severity": "HIGH"}}).encode()
        asked = [(q["package"]["name"], q["version"]) for q in json.loads(body)["queries"]]
        found = [[{"id": self.KNOWN[key]}] if key in self.KNOWN else [] for key in asked]
        return json.dumps({"results": [{"vulns": vulns} for vulns in found]}).encode()


@lru_cache(maxsize=1)
def analyzers() -> Sequence[Analyzer]:
    return (*catalogue.build_analyzers(ScanConfig()), OsvAnalyzer(Recorded()))


def materialise(sample: Sample, place: Path) -> Path:
    """The sample as files; with a neutral SKILL.md where it has none of its own."""
    for file in sample.files:
        path = place / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.link:
            path.symlink_to(file.link)
            continue
        path.write_bytes(file.data)
        path.chmod(file.mode)
    if not any(file.path.lower().endswith("skill.md") for file in sample.files):
        (place / "SKILL.md").write_text(NEUTRAL)
    return place


def findings(place: Path) -> list[Finding]:
    """All findings of what stands in a folder."""
    limits = Limits()
    found: list[Finding] = []
    with open_source(str(place), limits) as source:
        units = source.units().units
        for unit, near in zip(units, siblings_of(units), strict=True):
            bundle = read_unit(unit, limits, ())
            views = derive_views(bundle, limits)
            found += inspect(bundle, views, analyzers(), ScanConfig(), near).findings
    return found


def standing(sample: Sample, rule: str, place: Path) -> list[Finding]:
    place.mkdir()
    return [f for f in findings(materialise(sample, place)) if f.rule == rule and f.confidence >= STANDS]


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    rules = set(RULES)
    assert not rules - set(NAMES), f"rules without a page tests/rules/ID.md: {sorted(rules - set(NAMES))}"
    assert not set(NAMES) - rules, f"pages tests/rules/ID.md without a rule: {sorted(set(NAMES) - rules)}"


@pytest.mark.parametrize("rule", NAMES)
def test_a_page_is_whole(rule: str) -> None:
    page = pages.page(rule, PAGES)
    assert page.title == RULES[rule].title
    assert len(page.matches) >= 2, "at least two samples that match"
    assert len(page.misses) >= 2, "at least two samples that do not match"
    assert len(page.prose.split()) >= 30, "prose that helps: what, why, how it is abused, what to do"


@pytest.mark.parametrize("rule", NAMES)
def test_a_rule_keeps_what_its_page_promises(rule: str, tmp_path: Path) -> None:
    page = pages.page(rule, PAGES)
    broken: list[str] = []
    for number, sample in enumerate(page.matches):
        if not standing(sample, rule, tmp_path / f"match-{number}"):
            broken.append(f"Matches, {sample.name}: no finding")
    for title, samples in (("Does not match", page.misses), ("Known misses", page.known_misses)):
        for number, sample in enumerate(samples):
            found = standing(sample, rule, tmp_path / f"{title}-{number}")
            broken += [f"{title}, {sample.name}: {f.evidence!r} ({f.location})" for f in found]
    assert not broken, "\n".join([rule, *broken])
