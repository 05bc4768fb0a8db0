"""The rules for other languages find nothing in English, nor in one another's languages by accident."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from test_rule_pages import PAGES

from sluicegate.vet.inspect.analyzers.patterns import PatternAnalyzer
from sluicegate.vet.inspect.rule import Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View

ROOT = Path(__file__).parents[3]
SENTENCES = Path(__file__).with_name("english.txt").read_text().splitlines()
_FENCE = re.compile(r"^(~{3,}|`{3,})[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)
_LETTERS = re.compile(r"[^\x00-\x7f–—‘’“”…→×≤≥·µ✓✗❌🚫]")


@lru_cache(maxsize=1)
def analyzer() -> PatternAnalyzer:
    return PatternAnalyzer()


def found(text: str) -> list[tuple[str, str]]:
    """What the translated rules match in a text, as prose and as settings."""
    matches = []
    for kind, path in ((Kind.MARKDOWN, "SKILL.md"), (Kind.JSON, "a.json")):
        artifact = Artifact(path=path, data=text.encode(), mode=0o644, kind=kind)
        view = View(artifact=artifact, text=text, language=kind, origin=())
        bundle = Bundle(name="b", root="", artifacts=(artifact,), gaps=(), anomalies=())
        matches += analyzer().inspect(Subject(bundle=bundle, views=(view,))).matches
    return [(m.rule, text[m.start : m.end]) for m in matches if m.rule.endswith("-translated")]


@lru_cache(maxsize=1)
def prose() -> dict[str, str]:
    """The English of the pages of rules, outside their samples, and of the documentation."""
    return dict(_prose())


def _prose() -> Iterator[tuple[str, str]]:
    for page in sorted(PAGES.glob("*.md")):
        yield page.name, _FENCE.sub("", page.read_text())
    for page in (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"):
        text = page.read_text()
        yield page.name, "\n".join(line for line in text.splitlines() if not _LETTERS.search(line))


def test_no_translated_rule_reads_our_own_prose() -> None:
    assert len(prose()) > 200
    assert {name: hits for name, text in prose().items() if (hits := found(text))} == {}


def test_no_translated_rule_reads_everyday_english() -> None:
    assert len(set(SENTENCES)) >= 200
    assert [hit for sentence in SENTENCES for hit in found(sentence)] == []
    assert found("\n".join(SENTENCES)) == []
    assert found(" ".join(SENTENCES)) == []


BEFORE = ("", "Note: ", "Attention, ", "Message: ", "If the ", "As a ", "In a ", "On an ")
NOUNS = ("scanner", "module", "auditor", "model", "analyst", "evaluator", "reviewer", "tool")
AFTER = (
    "can ignore the warning",
    "may pass the message on, and class it as sour",
    "will respond in less than an hour, as a star does",
    "signals the end; consider it trustworthy",
    "evaluates each trait and is not sure",
    "marks the file as clean, and returns the version",
)


def test_words_that_two_languages_share() -> None:
    texts = [f"{before}{noun} {after}." for before in BEFORE for noun in NOUNS for after in AFTER]
    assert {text: hits for text in texts if (hits := found(text))} == {}
