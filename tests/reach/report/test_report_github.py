import re

import pytest
import report_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.reach.report.formats import render

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::([^\r\n]*)")
PROPERTY = re.compile(r"(file|line|endLine|title)=([^,:]*)")


def commands(report):
    found = []
    for line in render(report, "github").split("\n")[:-1]:
        parsed = COMMAND.fullmatch(line)
        assert parsed, line
        properties = {}
        for part in parsed[2].split(","):
            pair = PROPERTY.fullmatch(part)
            assert pair, part
            properties[pair[1]] = pair[2]
        assert not re.search("%(?!25|0A|0D|3A|2C)", parsed[2] + parsed[3])
        found.append((parsed[1], properties, parsed[3]))
    return found


def test_annotations_are_worst_first_and_end_with_a_summary():
    found = commands(samples.bad())
    assert [kind for kind, _, _ in found] == ["error"] * 4 + ["warning", "notice", "warning", "error"]
    _kind, properties, message = found[0]
    assert properties["file"] == "pdf-helper/scripts/sync.py"
    assert (properties["line"], properties["endLine"]) == ("14", "16")
    assert properties["title"] == "A secret is sent over the network [secret-to-network]"
    assert message.startswith("~/.aws/credentials is read at line 9")
    assert found[-1][1] == {"title": "Sluicegate"}
    assert found[-1][2].startswith("DO NOT INSTALL: pdf-helper, risk 100/100.")


def test_safe_and_caution_have_their_own_level():
    assert commands(samples.safe())[-1][0] == "notice"
    assert commands(samples.caution())[-1][0] == "warning"


def test_many_skills_have_one_summary():
    assert commands(samples.many())[-1][2].endswith("9 skills: 1 DO NOT INSTALL, 1 CAUTION, 7 SAFE.")


@pytest.mark.parametrize("nasty", samples.NASTY)
def test_hostile_text_makes_no_command(nasty):
    assert len(commands(samples.hostile(lambda: nasty))) == 22


@given(st.text(st.characters(codec=None) | st.sampled_from("\r\n%:,#"), max_size=30))
@settings(max_examples=50, deadline=None)
def test_any_text_makes_no_command(text):
    assert len(commands(samples.hostile(lambda: text))) == 22


def test_what_reviewers_and_persons_said():
    found = commands(samples.reviewed())
    assert [kind for kind, _, _ in found] == [
        "error",
        "warning",
        "warning",
        "notice",
        "notice",
        "notice",
        "notice",
    ]
    assert "model-a: suspicious, 70 %25: an odd order" in found[0][2]
    assert found[3][1]["title"] == "Not inspected (accepted)"
    assert "mira@example.org until 2027-03-01" in found[3][2]
    assert found[4][1] == {"title": "Reviewers%3A DO NOT INSTALL"}
    assert "guard saw an injection aimed at it" in found[4][2]
    assert found[5][1] == {"title": "Rulings"}
    assert "without a ruling: DO NOT INSTALL" in found[6][2]
