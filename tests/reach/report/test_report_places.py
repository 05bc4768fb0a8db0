from pathlib import Path

import pytest
import report_samples as samples

from sluicegate.reach.report.words.places import ReportPaths, root_name, source_name
from sluicegate.reach.report.words.references import reference
from sluicegate.vet.verdict.types import Location


def one(source, root=""):
    return samples.a_report(samples.safe_skill()._replace(root=root), source=source)


@pytest.mark.parametrize(
    ("source", "root", "path"),
    [
        ("skills/notes", "", "skills/notes/SKILL.md"),
        ("./skills/notes/", "", "skills/notes/SKILL.md"),
        (".", "skills/notes", "skills/notes/SKILL.md"),
        ("repo", "skills/notes", "repo/skills/notes/SKILL.md"),
        ("notes/SKILL.md", "", "notes/SKILL.md"),
        ("dist/notes.skill", "", "dist/notes.skill!/SKILL.md"),
        ("/home/me/notes", "", "SKILL.md"),
        ("../notes", "a", "a/SKILL.md"),
        ("C:\\notes", "", "SKILL.md"),
        ("https://example.com/r.git", "skills/notes", "skills/notes/SKILL.md"),
        ("-", "", "SKILL.md"),
    ],
)
def test_paths_are_those_of_the_folder_in_which_the_scan_was_started(source, root, path):
    report = one(source, root)
    assert ReportPaths.of(report, absolute=False).path(report.skills[0], "SKILL.md") == path


def test_absolute_paths_only_when_asked_for():
    report = one("/home/me/notes")
    assert source_name(report, absolute=False) == "notes"
    assert source_name(report, absolute=True) == "/home/me/notes"
    places = ReportPaths.of(report, absolute=True)
    assert places.uri(report.skills[0], "a b.md") == "file:///home/me/notes/a%20b.md"
    relative = one("notes")
    assert (
        ReportPaths.of(relative, absolute=True).path(relative.skills[0], "x")
        == f"{Path.cwd().as_posix()}/notes/x"
    )


def test_addresses_lose_what_may_be_secret():
    report = one("https://me:token@example.com/a.git?sig=1#main")
    assert source_name(report, absolute=False) == "https://example.com/a.git#main"
    assert source_name(one("https://[bad"), absolute=False) == "https://"


def test_several_sources_stand_in_the_roots():
    first = samples.safe_skill()._replace(root="/tmp/a/skills/x")
    second = samples.safe_skill()._replace(root="https://u:p@example.com/b")
    report = samples.a_report(first, second, source="/tmp/a, https://u:p@example.com/b")
    assert source_name(report, absolute=False) == "a, https://example.com/b"
    assert root_name(report, first, absolute=False) == "a/skills/x"
    assert root_name(report, first, absolute=True) == "/tmp/a/skills/x"
    assert ReportPaths.of(report, absolute=False).path(first, "SKILL.md") == "a/skills/x/SKILL.md"


def test_references_lead_to_their_publishers():
    assert reference("CWE-94").url == "https://cwe.mitre.org/data/definitions/94.html"
    assert reference("AML.T0051.001").url == "https://atlas.mitre.org/techniques/AML.T0051.001"
    assert reference("AML.TA0002").url == "https://atlas.mitre.org/tactics/AML.TA0002"
    assert reference("T1059.004").url == "https://attack.mitre.org/techniques/T1059/004/"
    assert reference("LLM01").label == "OWASP LLM01"
    assert reference("ASI10").url.startswith("https://genai.owasp.org/")
    assert reference("CWE-1\n").url == ""
    assert reference("javascript:alert(1)").url == ""


def test_the_origin_is_said_in_words():
    from sluicegate.reach.report.words.origins import crumbs, in_words
    from sluicegate.reach.report.words.wording import lines, place

    there = Location(
        path="a.zip!/b.md", start_line=3, end_line=3, origin=("fence python", "base64", "link x", "new")
    )
    assert in_words(there) == "in new, in a link target (x), in base64, in a python code block"
    assert crumbs(there) == ("a.zip", "b.md", "python code block", "base64", "link target x", "new")
    assert place(there) == "a.zip!/b.md:3"
    assert lines(Location(path="x", start_line=0, end_line=0)) == ""
