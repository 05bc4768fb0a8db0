"""Who does not ask a model pays nothing for it."""

import re
import subprocess
import sys
from pathlib import Path

SKILL = "---\nname: notes\ndescription: Keeps meeting notes tidy. Use it when asked to tidy notes.\n---\nSort the notes.\n"
OF_REVIEW = re.compile(
    r"\| +(?:sluicegate\.vet\.review|openai|anthropic|httpx2?|httpcore2?|pydantic|anyio|asyncio)\b"
)


def imported(*words: str) -> str:
    """What Python says it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", *words], capture_output=True, text=True, check=True
    )
    return done.stderr


def test_a_scan_imports_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(SKILL)
    said = imported("sluicegate", "scan", "--no-config", str(tmp_path))
    assert "sluicegate.vet.scan" in said
    assert OF_REVIEW.findall(said) == []


def test_the_types_of_a_seat_need_no_vendors_library() -> None:
    said = imported("sluicegate.vet.review.providers.seats")
    assert re.search(r"\| +(?:openai|anthropic|httpx2?|pydantic|asyncio)\b", said) is None
    assert "sluicegate.vet.review.providers.asking" in said


def test_the_pattern_knows_what_it_looks_for() -> None:
    assert OF_REVIEW.search(imported("sluicegate.vet.review.providers.transport"))
