import re

import pytest
import report_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sluicegate.reach.report import markdown
from sluicegate.reach.report.formats import render
from sluicegate.vet.verdict.types import Location

PUBLISHERS = (
    "https://genai.owasp.org/",
    "https://cwe.mitre.org/",
    "https://atlas.mitre.org/",
    "https://attack.mitre.org/",
)
TAG = re.compile(r"</?(details|summary|b|br|sub|code)( open)?>")
ANY = st.text(st.characters(codec=None) | st.sampled_from("`|<>[]()!@#:\n*_-"), max_size=40)


def tokens(text):
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or []


def check(report):
    """The document has our headings, links and tags, and no others."""
    document = render(report, "markdown")
    document.encode()
    assert len(document) < 65_536
    seen = list(tokens(document))
    assert not [
        t
        for t in seen
        if t.type in ("image", "em_open", "hr", "blockquote_open", "ordered_list_open", "code_block")
    ]
    for token in seen:
        if token.type == "link_open":
            assert token.attrs["href"].startswith(PUBLISHERS)
        if token.type in ("html_block", "html_inline"):
            rest = TAG.sub("", token.content)
            assert "<" not in rest, token.content
            assert "@" not in re.sub("<code>@</code>", "", token.content)
        if token.type == "text":
            assert not re.search(r"[@<]|://|www\.|#[0-9]", token.content), token.content
    return document, seen


@pytest.mark.parametrize("name", samples.ALL)
def test_ordinary_reports(name):
    document, _ = check(samples.ALL[name]())
    assert document.startswith("## ")


def test_the_decision_and_what_made_it_come_first():
    document, _ = check(samples.bad())
    lines = document.splitlines()
    assert lines[0] == "## DO NOT INSTALL: `pdf-helper`"
    assert lines[2] == "- A secret is sent over the network (`scripts/sync.py:14-16`)"


def test_many_skills_stand_in_a_table():
    document, seen = check(samples.many())
    assert "| DO NOT INSTALL | 100 | `plugins/office/skills/pdf-helper` |" in document
    assert sum(t.type == "tr_open" for t in seen) == 3
    assert "9 skills: 1 DO NOT INSTALL, 1 CAUTION, 7 SAFE." in document
    assert "brand-voice" not in document


def test_a_report_is_as_long_as_its_news():
    safe = tuple(samples.safe_skill(f"skill-{n}")._replace(root=f"skill-{n}") for n in range(500))
    report = samples.many()
    more = render(report._replace(skills=(*report.skills, *safe)), "markdown")
    assert len(more) < len(render(report, "markdown")) + 20
    assert len(render(report._replace(skills=safe), "markdown")) < 1_000


def test_few_grave_findings_are_open_and_many_are_folded():
    skill = samples.bad_skill()
    finding = skill.verdict.findings[0]
    for number in (markdown.OPEN, markdown.OPEN + 1):
        found = tuple(finding._replace(rule=f"rule-{n}") for n in range(number))
        report = samples.a_report(skill._replace(verdict=skill.verdict._replace(findings=found)))
        assert render(report, "markdown").count("<details open>") == (
            number if number == markdown.OPEN else 0
        )


@pytest.mark.parametrize("nasty", samples.NASTY)
def test_hostile_text_stays_text(nasty):
    document, seen = check(samples.hostile(lambda: nasty))
    assert sum(t.type == "heading_open" for t in seen) in (
        (2, 3) if "Left out here for length" in document else (3,)
    )
    assert sum(t.type == "table_open" for t in seen) == 1
    assert sum(t.type == "td_open" for t in seen) == 8


@given(ANY)
@settings(max_examples=50, deadline=None)
def test_any_text_stays_text(text):
    _, seen = check(samples.hostile(lambda: text))
    assert sum(t.type == "heading_open" for t in seen) == 3
    assert sum(t.type == "td_open" for t in seen) == 8


def test_a_long_report_is_cut_and_says_so(monkeypatch):
    monkeypatch.setattr(markdown, "LENGTH", 5_000)
    document, _ = check(samples.bad())
    assert len(document) <= 5_000
    assert "**Left out here for length, " in document
    assert "- `pdf-helper`: Accepted, not scored" in document


def test_hundreds_of_findings_fit():
    skill = samples.bad_skill()
    finding = skill.verdict.findings[0]
    many = tuple(
        finding._replace(
            rule=f"rule-{n}",
            evidence="x" * 400,
            location=Location(path=f"{n}.py", start_line=1, end_line=1),
        )
        for n in range(500)
    )
    check(samples.a_report(skill._replace(verdict=skill.verdict._replace(findings=many))))


def test_what_reviewers_and_persons_said():
    document, _ = check(samples.reviewed())
    for part in (
        "<b>High</b>: ",
        "- model-a: suspicious, 70 `%`: an odd order",
        "Reviewers: DO NOT INSTALL (4)",
        "guard saw an injection aimed at it",
        "Rulings (1)",
        "without a ruling: DO NOT INSTALL",
        "Accepted, not inspected (1)",
    ):
        assert part in document, part
