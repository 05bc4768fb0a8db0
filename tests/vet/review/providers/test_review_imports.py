"""Who does not ask a model pays nothing for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SKILL = "---\nname: notes\ndescription: Keeps meeting notes tidy. Use it when asked to tidy notes.\n---\nSort the notes.\n"
OF_REVIEW = re.compile(
    r"\| +(sluicegate\.vet\.review|openai|anthropic|httpx2?|httpcore2?|pydantic|anyio|asyncio)\b"
)


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user with no queue, no settings and no record."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "SLUICEGATE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def imported(*words: str) -> str:
    """What Python says it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", *words], capture_output=True, text=True, check=True
    )
    return done.stderr


def test_a_scan_imports_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "skill").mkdir()
    (tmp_path / "skill" / "SKILL.md").write_text(SKILL)
    said = imported("sluicegate", "scan", "--no-config", str(tmp_path / "skill"))
    assert "sluicegate.vet.scan" in said
    assert OF_REVIEW.findall(said) == []


def test_a_scan_with_settings_reads_the_types_of_a_seat_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "skill").mkdir()
    (tmp_path / "skill" / "SKILL.md").write_text(SKILL)
    (tmp_path / "mine.toml").write_text('[scan]\nfail-on = "caution"\n')
    said = imported("sluicegate", "scan", "--config", str(tmp_path / "mine.toml"), str(tmp_path / "skill"))
    assert set(OF_REVIEW.findall(said)) == {"sluicegate.vet.review"}
    ours = set(re.findall(r"\| +sluicegate\.vet\.review\.providers\.(\w+)", said))
    assert ours == {"seats"}


def test_the_pattern_knows_what_it_looks_for() -> None:
    assert OF_REVIEW.search(imported("sluicegate.vet.review.providers.transport"))
