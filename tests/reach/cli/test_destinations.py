"""Where a scan writes: nothing of anybody's is lost, and what would be is refused before the scan begins."""

import os
from itertools import product
from pathlib import Path

import pytest

FORMATS = ("text", "concise", "json", "sarif", "markdown", "html", "github", "gitlab")


@pytest.mark.parametrize(
    "words",
    [
        ("-o", "json:x", "-o", "sarif:x"),
        ("-o", "json:x", "-o", "sarif:./x"),
        ("-o", "json:x", "-o", "sarif:../skills/x"),
        ("-o", "json:x", "-o", "sarif:link"),
        ("-o", "json:x", "-o", "json:x"),
        ("-o", "json:x", "--certificate", "x"),
        ("-o", "json:link", "--certificate", "{here}/x"),
        ("-o", "json:old", "-o", "text:hard"),
        ("-o", "json:x", "--resume", "x"),
        ("-o", "json:old", "--baseline", "old"),
        ("--certificate", "old", "--config", "hard"),
    ],
)
def test_no_file_is_written_twice(sluicegate, skills, words):
    Path("link").symlink_to("x")
    Path("old").write_text("version = 1\n")
    os.link("old", "hard")
    words = [word.format(here=Path.cwd()) for word in words]
    ran = sluicegate("scan", "good", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "the same file" in ran.err
    for word in (words[1], words[3]):
        assert word in ran.err
    assert not Path("x").exists()
    assert Path("old").read_text() == "version = 1\n"


def test_a_device_takes_several(sluicegate, skills):
    assert sluicegate("scan", "good", "-o", "json:/dev/null", "-o", "sarif:/dev/null").code == 0


@pytest.mark.parametrize("option", [("-o", "markdown:{}"), ("--certificate", "{}")])
@pytest.mark.parametrize("target", ["good", ".", "good/SKILL.md", "../skills/good"])
def test_no_file_of_a_skill_is_overwritten(sluicegate, skills, option, target):
    before = Path("good/SKILL.md").read_bytes()
    ran = sluicegate("scan", target, *(word.format("good/SKILL.md") for word in option))
    assert (ran.code, ran.out) == (2, "")
    assert f"would overwrite a file of {target}" in ran.err
    assert Path("good/SKILL.md").read_bytes() == before


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("target", ["good", "bad", "."])
def test_a_report_of_ours_is_written_again(sluicegate, skills, target, format):
    for _ in range(2):
        ran = sluicegate("scan", target, "-o", f"{format}:{target}/report", "--fail-on", "never")
        assert (ran.code, "overwrite" in ran.err) == (0, False)
    (Path(target) / "report").write_text("# Notes\n")
    assert sluicegate("scan", target, "-o", f"{format}:{target}/report").code == 2


def test_so_is_a_certificate_and_what_is_empty(sluicegate, skills):
    Path("good/empty").touch()
    for words in (("c.json",), ("c.json",), ("empty",)):
        assert sluicegate("scan", "good", "--certificate", f"good/{words[0]}").code == 0


def test_a_new_file_in_a_skill_is_said(sluicegate, skills):
    ran = sluicegate("scan", "good", "-o", "json:good/report")
    assert (ran.code, "good/report lies inside a skill" in ran.err) == (0, True)
    Path("good/report").unlink()
    ran = sluicegate("scan", ".", "-o", "json:good/report", "--fail-on", "never")
    assert "good/report lies inside a skill" in ran.err
    ran = sluicegate("scan", "good", "bad", "-o", "json:bad/report", "--fail-on", "never")
    assert "bad/report lies inside a skill" in ran.err
    ran = sluicegate("scan", ".", "-o", "json:report", "--fail-on", "never")
    assert "lies inside" not in ran.err
    assert "lies inside" not in sluicegate("scan", "good", "-q", "-o", "json:good/report").err


TARGETS = ("good", ".", "alias", "{here}/good")
PLACES = ("good/report.json", "good/out/report.json", "alias/report.json")


@pytest.mark.parametrize(
    ("place", "target"),
    # In a folder that is scanned whole, the alias is a link in what is scanned, too.
    [pair for pair in product(PLACES, TARGETS) if pair != ("alias/report.json", ".")],
)
def test_a_link_in_a_skill_leads_no_report_elsewhere(sluicegate, skills, tmp_path, target, place):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "profile").write_text("mine\n")
    Path("good/report.json").symlink_to(elsewhere / "profile")
    Path("good/out").symlink_to(elsewhere)
    Path("alias").symlink_to("good")
    ran = sluicegate("scan", target.format(here=Path.cwd()), "-o", place)
    assert (ran.code, ran.out) == (2, "")
    assert "passes a link inside" in ran.err
    assert str(elsewhere) in ran.err
    assert [path.name for path in elsewhere.iterdir()] == ["profile"]
    assert (elsewhere / "profile").read_text() == "mine\n"


def test_a_link_of_the_user_is_followed(sluicegate, skills, tmp_path):
    (tmp_path / "reports").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "reports" / "it.json")
    assert sluicegate("scan", "good", "-o", str(link)).code == 0
    assert link.is_symlink()
    assert (tmp_path / "reports" / "it.json").stat().st_size
