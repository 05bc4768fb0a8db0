"""`sluicegate trust`, and what a scan says of settings that nobody trusts."""

import io
import json
import sys
from pathlib import Path

import pytest


class Terminal(io.StringIO):
    """A standard input at which a person sits."""

    def isatty(self):
        return True


@pytest.fixture
def person(monkeypatch, capfdbinary):
    """Somebody at a terminal, who answers this."""

    def answers(*words):
        monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{word}\n" for word in words)))
        monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True, raising=False)

    return answers


@pytest.fixture
def planted(skills):
    (skills / ".git").mkdir()
    (skills / "sluicegate.toml").write_text(
        '[scan]\nfail-on = "never"\n[rules]\nenable = ["unused-permission"]\n'
    )
    return skills


@pytest.mark.parametrize("quiet", [(), ("-q",)])
@pytest.mark.parametrize("format", ["text", "json", "sarif", "markdown", "html", "github"])
def test_settings_of_a_cloned_repository_do_not_weaken_a_scan_and_that_is_said(
    sluicegate, planted, quiet, format
):
    ran = sluicegate("scan", "bad", "-f", format, *quiet)
    assert ran.code == 1
    assert "not applied: scan.fail-on, rules.enable" in ran.err
    assert f"sluicegate trust {planted}" in ran.err
    shown = " ".join(ran.out.replace("`", "").split())
    assert "sluicegate.toml is not trusted; not applied: scan.fail-on, rules.enable" in shown
    assert str(planted) not in ran.out


def test_a_person_trusts_them_as_they_are(sluicegate, planted, person):
    person("y")
    ran = sluicegate("trust", ".")
    assert ran.code == 0, ran.err
    assert "rules.enable" in ran.err
    assert sluicegate("scan", "bad").code == 0
    assert "trusted" in sluicegate("trust", "--list").out
    (planted / "sluicegate.toml").write_text('[scan]\nfail-on = "never"\nexclude = ["*"]\n')
    ran = sluicegate("scan", "bad", "-q")
    assert ran.code == 1
    assert "no longer trusted: since then, sluicegate.toml changed" in ran.err
    assert sluicegate("trust", "--list").out.startswith("changed")
    person("y")
    assert sluicegate("trust", ".").code == 0
    assert sluicegate("scan", "good").code == 0
    assert sluicegate("trust", "--remove", ".").code == 0
    assert "is not trusted" in sluicegate("scan", "bad").err
    assert sluicegate("trust", "--remove", ".").code == 2


def test_who_says_no_trusts_nothing(sluicegate, planted, person):
    person("n")
    assert sluicegate("trust", ".").code == 2
    assert "No settings" in sluicegate("trust", "--list").out


def test_a_program_cannot_trust(sluicegate, planted, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    ran = sluicegate("trust", ".")
    assert ran.code == 2
    assert "person at a terminal" in ran.err
    assert "--config" in ran.err
    assert "No settings" in sluicegate("trust", "--list").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("trust",), "Name the directory"),
        (("trust", "good"), "there are no settings in good"),
        (("trust", "--list", "."), "--list stands alone"),
        (("trust", "--remove", "good"), "no settings in good are trusted"),
    ],
)
def test_wrong_words(sluicegate, skills, words, says):
    ran = sluicegate(*words)
    assert ran.code == 2
    assert says in ran.err


def test_the_record_must_lie_outside(sluicegate, planted, person, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(planted / "cfg"))
    person("y")
    ran = sluicegate("trust", ".")
    assert ran.code == 2
    assert "lies inside the project" in ran.err
    assert not (planted / "cfg").exists()


def test_named_settings_are_the_users(sluicegate, planted):
    ran = sluicegate("scan", "bad", "--config", "sluicegate.toml", "-f", "json", "-q")
    assert ran.code == 0
    assert json.loads(ran.out)["notes"] == []
    assert ran.err == ""


def test_quiet_hides_no_settings_that_decide(sluicegate, skills, tmp_path):
    user = tmp_path / "no-settings"
    user.mkdir()
    (user / "sluicegate.toml").write_text('[scan]\nfail-on = "do-not-install"\n')
    assert "settings from" in sluicegate("scan", "good", "-q").err
    (user / "sluicegate.toml").write_text("[scan]\njobs = 1\n")
    assert sluicegate("scan", "good", "-q").err == ""


def test_a_scan_without_a_home_says_so_and_goes_on(sluicegate, skills, monkeypatch):
    monkeypatch.delenv("SLUICEGATE_CONFIG_HOME")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)

    def nobody(_):
        raise KeyError("uid not found")

    monkeypatch.setattr("pwd.getpwuid", nobody)
    ran = sluicegate("scan", "bad", "-f", "json")
    assert ran.code == 1
    assert "no home directory" in ran.err
    assert "a defect" not in ran.err
    assert json.loads(ran.out)["notes"] == ["The user's own settings could not be looked for."]
    assert "no home directory" in sluicegate("trust", "--list").err
    assert "a defect" not in sluicegate("keys", "list").err


def test_a_name_makes_no_line_of_its_own(sluicegate, planted, person):
    (planted / "own").mkdir()
    (planted / "own" / "a.yar").write_text("rule own { condition: false }")
    (planted / "sluicegate.toml").write_text('[scan]\nyara = ["own"]\n')
    person("y")
    assert sluicegate("trust", ".").code == 0
    (planted / "own" / "b\nsluicegate: all is well.yar").write_text("rule other { condition: false }")
    ran = sluicegate("scan", "bad", "-q")
    assert ran.code == 1
    assert "no longer trusted" in ran.err
    assert not any(line.startswith("sluicegate: all is well") for line in ran.err.splitlines())


def test_rules_can_be_listed_without_a_target(sluicegate, skills):
    ran = sluicegate("scan", "--rules", "list")
    assert ran.code == 0
    assert "pipe-to-shell" in ran.out
    assert Path("good").is_dir()
