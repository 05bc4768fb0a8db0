"""Accepting findings, and what happens afterwards."""

import html
import json
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

ACCEPT = ("--reason", "our own installer", "--owner", "mira@example.com")


def report(ran):
    return json.loads(ran.out)["skills"][0]


def test_accepted_findings_are_counted_apart_and_not_scored(sluicegate, skills):
    assert sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml").code == 0
    ran = sluicegate("scan", "bad", "--baseline", "accepted.toml", "--format", "json")
    assert ran.code == 0
    assert report(ran)["findings"] == []
    assert {s["reason"] for s in report(ran)["suppressed"]} == {"our own installer"}


def test_a_changed_text_makes_the_finding_active_again_and_says_so(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    skill = skills / "bad" / "SKILL.md"
    skill.write_text(skill.read_text().replace("install.sh", "other.sh"))
    ran = sluicegate("scan", "bad", "--baseline", "accepted.toml", "--format", "json")
    assert ran.code == 1
    assert "drifted" in {stale["why"] for stale in report(ran)["stale"]}


def test_a_moved_text_stays_accepted(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    skill = skills / "bad" / "SKILL.md"
    skill.write_text(skill.read_text().replace("# Notes", "# Notes\n\nMore words.\n"))
    assert sluicegate("scan", "bad", "--baseline", "accepted.toml").code == 0


def test_another_skill_with_the_same_text_is_not_accepted(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    (skills / "other").mkdir()
    (skills / "other" / "SKILL.md").write_text((skills / "bad" / "SKILL.md").read_text())
    assert sluicegate("scan", "other", "--baseline", "accepted.toml").code == 1


def test_an_expired_entry_makes_the_finding_active_again_and_says_so(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    yesterday = (datetime.now(UTC).date() - timedelta(days=1)).isoformat()
    file = Path("accepted.toml")
    file.write_text(re.sub(r"expires = \S+", f"expires = {yesterday}", file.read_text()))
    ran = sluicegate("scan", "bad", "--baseline", "accepted.toml", "--format", "json")
    assert ran.code == 1
    assert "expired" in {stale["why"] for stale in report(ran)["stale"]}


def test_entries_of_the_file_are_kept(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    before = Path("accepted.toml").read_text()
    assert sluicegate("baseline", "good", *ACCEPT, "-o", "accepted.toml").code == 0
    assert Path("accepted.toml").read_text() == before


def test_only_one_rule(sluicegate, skills):
    ran = sluicegate("baseline", "bad", *ACCEPT, "--only", "pipe-to-shell-untrusted")
    assert set(re.findall(r'rule = "(.*)"', ran.out)) == {"pipe-to-shell-untrusted"}
    assert sluicegate("baseline", "bad", *ACCEPT, "--only", "no-such-rule").code == 2


def test_wrong_words(sluicegate, skills):
    assert sluicegate("baseline", "bad", "--owner", "mira").code == 2
    assert sluicegate("baseline", "bad", "--reason", " ", "--owner", "mira").code == 2
    assert "past" in sluicegate("baseline", "bad", *ACCEPT, "--expires", "2001-01-01").err
    assert "takes a date" in sluicegate("baseline", "bad", *ACCEPT, "--expires", "soon").err


def test_a_baseline_in_the_skill_is_not_read(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "bad/sluicegate-baseline.toml")
    assert sluicegate("scan", "bad").code == 1


def test_a_finding_is_accepted_once(sluicegate, skills):
    first, second = ("--reason", "first", "--owner", "mira"), ("--reason", "second", "--owner", "mira")
    sluicegate("baseline", "bad", *first, "--only", "pipe-to-shell-untrusted", "-o", "accepted.toml")
    sluicegate("baseline", "bad", *second, "-o", "accepted.toml")
    text = Path("accepted.toml").read_text()
    prints = re.findall(r'^fingerprint = "(.+)"$', text, re.MULTILINE)
    assert len(prints) == len(set(prints)) > 1
    assert text.count('"first"') == 1


def test_what_has_expired_can_be_accepted_anew(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    file = Path("accepted.toml")
    file.write_text(re.sub(r"expires = \S+", "expires = 2020-01-01", file.read_text()))
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    assert "2020" not in file.read_text()
    ran = sluicegate("scan", "bad", "--baseline", "accepted.toml", "--format", "json")
    assert ran.code == 0
    assert report(ran)["stale"] == []


def test_a_baseline_inside_what_is_scanned_is_not_used_in_silence(sluicegate, skills):
    sluicegate("baseline", "bad", *ACCEPT, "-o", "accepted.toml")
    inside = Path("accepted.toml").rename("bad/accepted.toml")
    ran = sluicegate("scan", "bad", "--baseline", str(inside))
    assert "lies inside what is scanned" in ran.err
    assert "accepted by a reviewer" in ran.out
    assert "nothing was found" not in ran.out


def archive(skills):
    (skills / "good" / "extra.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(64))


def test_gaps_are_accepted_like_findings(sluicegate, skills):
    archive(skills)
    assert sluicegate("scan", "good").code == 3
    ran = sluicegate("baseline", "good", *ACCEPT, "-o", "accepted.toml")
    assert "1 gap accepted until" in ran.err
    text = Path("accepted.toml").read_text()
    assert "[[gap]]" in text
    assert 'skill = "good"' in text
    assert "expires = " in text
    ran = sluicegate("scan", "good", "--baseline", "accepted.toml", "-f", "json")
    assert ran.code == 0
    assert report(ran)["accepted_gaps"][0]["reason"] == "our own installer"
    (skills / "good" / "extra.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(65))
    assert sluicegate("scan", "good", "--baseline", "accepted.toml").code == 3


def test_only_gaps_or_only_a_rule(sluicegate, skills):
    archive(skills)
    (skills / "good" / "SKILL.md").write_text((skills / "bad" / "SKILL.md").read_text())
    assert set(
        re.findall(r"^\[\[(\w+)", sluicegate("baseline", "good", *ACCEPT, "--only", "gaps").out, re.M)
    ) == {"gap"}
    one = sluicegate("baseline", "good", *ACCEPT, "--only", "pipe-to-shell-untrusted").out
    assert "[[gap]]" not in one
    ran = sluicegate("baseline", "bad", *ACCEPT, "--only", "gaps")
    assert ran.code == 2
    assert "there is no gap to accept: all was inspected" in ran.err


def test_a_gap_that_nobody_can_accept_is_named(sluicegate, skills):
    (skills / "good" / "link.md").symlink_to("/etc/hostname")
    ran = sluicegate("baseline", "good", *ACCEPT, "-o", "accepted.toml")
    assert "cannot be accepted" in ran.err
    assert "link.md" in ran.err
    assert "[[gap]]" not in Path("accepted.toml").read_text()


def test_nothing_to_accept_is_said(sluicegate, skills):
    ran = sluicegate("baseline", "good", *ACCEPT, "-o", "accepted.toml")
    assert ran.code == 0
    assert "Nothing new to accept in 1 skill; the baseline holds 0 entries." in ran.err
    assert sluicegate("scan", "good", "--baseline", "accepted.toml").code == 0


def test_rules_that_are_off_can_be_accepted(sluicegate, skills):
    off = ("--rules", "!pipe-to-shell-untrusted")
    assert sluicegate("scan", "good", *off).code == 3
    sluicegate("baseline", "good", *ACCEPT, *off, "-o", "accepted.toml")
    assert sluicegate("scan", "good", *off, "--baseline", "accepted.toml").code == 0
    assert sluicegate("scan", "good", "--rules", "!pipe-*", "--baseline", "accepted.toml").code == 3
    ran = sluicegate("scan", "good", "--rules", "pipe-*")
    assert ran.code == 3
    assert "All of it was read" not in ran.out


def test_the_file_that_is_about_to_be_written_need_not_be_there(sluicegate, skills, tmp_path):
    (tmp_path / "named.toml").write_text(f'[scan]\nbaseline = "{skills}/accepted.toml"\n')
    config = ("--config", str(tmp_path / "named.toml"))
    ran = sluicegate("baseline", "bad", *ACCEPT, *config, "-o", "accepted.toml")
    assert ran.code == 0, ran.err
    assert sluicegate("scan", "bad", *config).code == 0
    assert sluicegate("baseline", "bad", *ACCEPT, "--baseline", "other.toml", "-o", "accepted.toml").code == 2


def test_an_acceptance_that_ends_soon_is_announced_and_renewed(sluicegate, skills):
    soon = (datetime.now(UTC).date() + timedelta(days=3)).isoformat()
    held = ("--baseline", "accepted.toml")
    sluicegate("baseline", "bad", *ACCEPT, "--expires", soon, "-o", "accepted.toml")
    ran = sluicegate("scan", "bad", *held)
    assert ran.code == 0
    assert f"Accepted until {soon} (3 days left)" in ran.out
    renewed = sluicegate(
        "baseline", "bad", "--reason", "again", "--owner", "mira", *held, "-o", "accepted.toml"
    )
    assert renewed.code == 0
    text = Path("accepted.toml").read_text()
    assert soon not in text
    assert 'reason = "again"' in text
    assert "days left" not in sluicegate("scan", "bad", *held).out


def test_the_command_of_the_html_report_accepts_that_finding_alone(sluicegate, skills):
    page = sluicegate("scan", "bad", "--format", "html").out
    commands = [html.unescape(found) for found in re.findall('<code class="command">(.*?)</code>', page)]
    found = report(sluicegate("scan", "bad", "--format", "json"))["findings"]
    assert len(commands) == len(found) > 1
    words = shlex.split(commands[0])
    assert words[0] == "sluicegate"
    assert sluicegate(*words[1:]).code == 0
    after = report(sluicegate("scan", "bad", "--baseline", "accepted.toml", "--format", "json"))
    assert [s["finding"]["fingerprint"] for s in after["suppressed"]] == [found[0]["fingerprint"]]
    assert len(after["findings"]) == len(found) - 1


def test_an_unknown_fingerprint_is_an_error(sluicegate, skills):
    ran = sluicegate("baseline", "bad", *ACCEPT, "--only", "0" * 32)
    assert ran.code == 2
    assert "no finding of" in ran.err


def test_without_a_file_the_one_of_the_settings_need_not_be_there(sluicegate, skills):
    settings = skills / "ours.toml"
    settings.write_text('[scan]\nbaseline = "accepted.toml"\n')
    ran = sluicegate("baseline", "bad", *ACCEPT, "--config", str(settings))
    assert ran.code == 0
    assert "[[" in ran.out


def test_what_the_shell_puts_into_the_file_of_the_settings_does_not_read_it(skills):
    settings, accepted = skills / "ours.toml", skills / "accepted.toml"
    settings.write_text('[scan]\nbaseline = "accepted.toml"\n')
    command = [sys.executable, "-m", "sluicegate", "baseline", "bad", *ACCEPT, "--config", str(settings)]
    with accepted.open("wb") as out:
        ran = subprocess.run(command, cwd=skills, stdout=out, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "[[" in accepted.read_text()
