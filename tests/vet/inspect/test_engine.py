"""The engine: matches become findings, in order, bounded, with context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.engine import EVIDENCE, PER_RULE, Inspection, inspect
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, RuleKind, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.verdict.types import Author, Category, Finding, Gap, GapReason, Severity

RULE = Rule(
    id="a-rule",
    title="A rule",
    category=Category.PROMPT_INJECTION,
    severity=Severity.HIGH,
    confidence=800,
    kind=RuleKind.PATTERN,
    why="Why.",
    fix="Fix.",
)


@dataclass
class Fixed:
    """An analyzer that answers what it was given."""

    seen: Inspected
    rules: Mapping[str, Rule] = field(default_factory=lambda: {RULE.id: RULE})

    def inspect(self, subject: Subject) -> Inspected:
        return self.seen


class Broken:
    rules: Mapping[str, Rule] = {RULE.id: RULE}

    def inspect(self, subject: Subject) -> Inspected:
        raise ZeroDivisionError("secret detail")


@dataclass
class Derived:
    views: tuple[View, ...] = ()
    gaps: tuple[Gap, ...] = ()


def view(text: str, language: Kind = Kind.MARKDOWN, *steps: str, path: str = "notes.md") -> View:
    artifact = Artifact(path=path, data=text.encode(), mode=0o644, kind=language)
    return View(artifact=artifact, text=text, language=language, origin=tuple(Step(kind=s) for s in steps))


def run(*views: View, seen: Inspected, config: ScanConfig | None = None) -> Inspection:
    artifacts = tuple(dict.fromkeys(v.artifact for v in views))
    bundle = Bundle(name="b", root="", artifacts=artifacts, gaps=(), anomalies=())
    return inspect(bundle, Derived(views), [Fixed(seen)], config or ScanConfig())


def at(v: View, words: str, **more: object) -> Match:
    start = v.text.index(words)
    return Match(rule=RULE.id, view=v, start=start, end=start + len(words), **more)  # type: ignore[arg-type]


def one(v: View, words: str, **more: object) -> Finding:
    (finding,) = run(v, seen=Inspected(matches=(at(v, words, **more),))).findings
    return finding


def test_a_match_becomes_a_finding() -> None:
    v = view("one\ntwo harm\nthree")
    finding = one(v, "harm")
    assert (finding.rule, finding.title, finding.severity, finding.confidence) == (
        "a-rule",
        "A rule",
        Severity.HIGH,
        800,
    )
    assert (finding.location.path, finding.location.start_line, finding.location.end_line) == (
        "notes.md",
        2,
        2,
    )
    assert (finding.evidence, finding.message, finding.executable) == ("harm", "A rule", False)
    assert finding.author is Author.RULE
    assert len(finding.fingerprint) == 32


def test_code_weighs_more_wherever_it_was_found() -> None:
    assert one(view("harm", Kind.SHELL, path="a.sh"), "harm").executable
    markdown = view("harm")
    fence = View(artifact=markdown.artifact, text="harm", language=Kind.SHELL, origin=(Step(kind="fence"),))
    assert one(fence, "harm").executable


def test_a_match_without_a_view() -> None:
    v = view("text", Kind.PYTHON, path="a.py")
    match = Match(rule=RULE.id, path="a.py", evidence="a.py", message="Says so.", severity=Severity.LOW)
    (finding,) = run(v, seen=Inspected(matches=(match,))).findings
    assert (finding.location.path, finding.location.start_line, finding.executable) == ("a.py", 1, True)
    assert (finding.message, finding.severity) == ("Says so.", Severity.LOW)


def test_the_users_severity_wins() -> None:
    v = view("harm")
    config = ScanConfig(severity=((RULE.id, Severity.CRITICAL),))
    seen = Inspected(matches=(at(v, "harm", severity=Severity.LOW),))
    assert [f.severity for f in run(v, seen=seen, config=config).findings] == [Severity.CRITICAL]


@pytest.mark.parametrize(
    ("config", "count"),
    [
        (ScanConfig(disable=("a-*",)), 0),
        (ScanConfig(enable=("b-*",)), 0),
        (ScanConfig(enable=("b-*", "a-rule")), 1),
        (ScanConfig(), 1),
    ],
)
def test_rules_can_be_switched_off(config: ScanConfig, count: int) -> None:
    v = view("harm")
    assert len(run(v, seen=Inspected(matches=(at(v, "harm"),)), config=config).findings) == count


def test_raw_and_normalised_views_share_a_fingerprint() -> None:
    raw = view("do  H\u200barm now")
    normal = View(
        artifact=raw.artifact, text="do harm now", language=Kind.MARKDOWN, origin=(Step(kind="normalised"),)
    )
    seen = Inspected(matches=(at(raw, "do  H\u200barm"), at(normal, "do harm")))
    assert len({f.fingerprint for f in run(raw, normal, seen=seen).findings}) == 1


def test_evidence_is_cut_and_the_fingerprint_is_not() -> None:
    a, b = view("x" * 900 + "a"), view("x" * 900 + "b")
    first, second = one(a, a.text), one(b, b.text)
    assert len(first.evidence) == EVIDENCE
    assert first.evidence == second.evidence
    assert first.fingerprint != second.fingerprint


def test_many_findings_are_bounded_and_the_strong_ones_stay() -> None:
    words = [f"w{n:04d}" for n in range(PER_RULE + 50)]
    v = view("\n".join(words))
    weak = [at(v, word, confidence=260) for word in words[:-1]]
    seen = Inspected(matches=(*weak, at(v, words[-1], confidence=900)))
    findings = run(v, seen=seen).findings
    assert len(findings) == PER_RULE
    assert max(f.confidence for f in findings) == 900
    assert findings[-1].message.endswith("(and 50 more)")


def test_repeats_give_way_to_what_is_new() -> None:
    v = view("same\n" * (PER_RULE + 10) + "new")
    repeats = [Match(rule=RULE.id, view=v, start=5 * n, end=5 * n + 4) for n in range(PER_RULE + 10)]
    seen = Inspected(matches=(*repeats, at(v, "new", confidence=260)))
    assert "new" in {f.evidence for f in run(v, seen=seen).findings}


def test_the_order_of_matches_does_not_matter() -> None:
    v = view("a harm b harm c")
    found = [Match(rule=RULE.id, view=v, start=2, end=6), Match(rule=RULE.id, view=v, start=9, end=13)]
    assert run(v, seen=Inspected(matches=tuple(found))) == run(
        v, seen=Inspected(matches=tuple(reversed(found)))
    )


def test_capabilities_keep_their_first_place_and_gaps_are_joined() -> None:
    gap = Gap(path="x", reason=GapReason.OPAQUE, detail="d")
    seen = Inspected(
        capabilities=(
            Capability(name="net:b", path="b", line=1),
            Capability(name="net:a", path="b", line=2),
            Capability(name="net:a", path="a", line=9),
        ),
        gaps=(gap, gap),
    )
    result = run(view("t"), seen=seen)
    assert result.capabilities == (
        Capability(name="net:a", path="a", line=9),
        Capability(name="net:b", path="b", line=1),
    )
    assert result.gaps == (gap,)


def test_an_analyzer_that_fails_is_a_gap() -> None:
    bundle = Bundle(name="b", root="", artifacts=(), gaps=(), anomalies=())
    result = inspect(bundle, Derived(), [Broken()], ScanConfig())
    (gap,) = result.gaps
    assert gap.reason is GapReason.ANALYSIS_FAILED
    assert "Broken" in gap.detail
    assert "secret detail" not in gap.detail
