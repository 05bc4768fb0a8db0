"""Rules that are switched off: a gap of every skill, which a reviewer can accept for this content and these rules."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.reach.report.words import wording
from sluicegate.reach.report.words.remedies import remedy
from sluicegate.vet.baseline import Accepted, BaselineFile
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue
from sluicegate.vet.inspect.switched import leaves_a_gap
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.suppression import GapEntry
from sluicegate.vet.verdict.types import Decision, GapReason

DAY = date(2026, 6, 15)
IDS = sorted(catalogue.rules())
SKILL = "---\nname: notes\ndescription: Keeps meeting notes tidy. Use it to tidy notes.\n---\n\n# Notes\n\nSort them.\n"


@pytest.fixture
def skill(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "SKILL.md").write_text(SKILL)
    return tmp_path / "notes"


def verdict(place, **settings_):
    return scan(str(place), ScanConfig(today=DAY, **settings_)).skills[0].verdict


@pytest.mark.parametrize(
    "off", [{"disable": ("pipe-to-shell",)}, {"enable": ("unused-permission",)}, {"disable": ("*-*",)}]
)
def test_nothing_is_safe_with_rules_off(skill, off):
    assert verdict(skill).decision is Decision.SAFE
    got = verdict(skill, **off)
    assert got.decision is Decision.CAUTION
    assert [gap.reason for gap in got.gaps] == [GapReason.RULES_OFF]
    assert "switched off by your settings: " in wording.gap(got.gaps[0])
    assert "--rules" in remedy(got.gaps[0])


def test_a_pack_that_is_made_to_be_switched_is_no_gap(skill):
    assert verdict(skill, disable=("campaign-*",)).decision is Decision.SAFE
    assert any(not leaves_a_gap(rule) for rule in IDS)


@given(st.lists(st.sampled_from(IDS), min_size=1, max_size=4, unique=True), st.booleans())
@settings(max_examples=12, deadline=None)
def test_whatever_is_off_keeps_a_skill_from_safe(tmp_path_factory, chosen, only):
    place = tmp_path_factory.mktemp("skill") / "notes"
    place.mkdir()
    (place / "SKILL.md").write_text(SKILL)
    switches = {"enable": tuple(chosen)} if only else {"disable": tuple(chosen)}
    off = set(IDS) - set(chosen) if only else set(chosen)
    gap = any(leaves_a_gap(rule) for rule in off)
    assert (verdict(place, **switches).decision is Decision.SAFE) is not gap


def entry(gap):
    made = GapEntry(
        gap=gap.reason, path=gap.path, fingerprint=gap.fingerprint, reason="ours", owner="mira", expires=DAY
    )
    return BaselineFile(entries=(Accepted(entry=made, skill="notes"),))


def test_it_is_accepted_for_these_rules_and_this_content_alone(skill):
    off = {"disable": ("pipe-to-shell",)}
    held = entry(verdict(skill, **off).gaps[0])
    assert verdict(skill, **off, baseline=held).decision is Decision.SAFE
    assert (
        verdict(skill, disable=("pipe-to-shell", "reverse-shell"), baseline=held).decision
        is not Decision.SAFE
    )
    (skill / "more.md").write_text("More.\n")
    assert verdict(skill, **off, baseline=held).decision is not Decision.SAFE


def test_processes_say_it_too(tmp_path):
    for number in range(16):
        (tmp_path / f"s{number:02}").mkdir()
        (tmp_path / f"s{number:02}" / "SKILL.md").write_text(SKILL)
    config = ScanConfig(today=DAY, disable=("pipe-to-shell",))
    assert scan(str(tmp_path), config._replace(jobs=2)) == scan(str(tmp_path), config)
    assert {s.verdict.decision for s in scan(str(tmp_path), config).skills} == {Decision.CAUTION}
