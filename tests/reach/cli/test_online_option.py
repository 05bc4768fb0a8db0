"""``--online``: off by default, said in the report, and closed when nobody answers."""

import pytest

from sluicegate.vet.inspect import osv

OFFLINE = "packages were not looked up"


def test_without_it_the_report_says_that_nothing_was_looked_up(sluicegate, skills):
    assert OFFLINE in sluicegate("scan", "good", "--format", "json").out


def test_with_it_and_nothing_pinned_nothing_is_asked(sluicegate, skills):
    ran = sluicegate("scan", "good", "--format", "json", "--online")
    assert ran.code == 0
    assert OFFLINE not in ran.out


@pytest.mark.parametrize("how", ["option", "setting"])
def test_no_answer_is_not_safe(sluicegate, skills, monkeypatch, how):
    def nobody(self: object, path: str, body: bytes | None) -> bytes:
        raise osv.LookupFailed("the service cannot be reached")

    monkeypatch.setattr(osv.HttpService, "send", nobody)
    (skills / "good" / "requirements.txt").write_text("tidy-notes==1.0.0\n")
    (skills / "settings.toml").write_text("[scan]\nonline = true\njobs = 1\n")
    words = ("--online",) if how == "option" else ("--config", str(skills / "settings.toml"))
    ran = sluicegate("scan", "good", *words)
    assert ran.code == 3
    assert "not looked up" in " ".join(ran.out.split())
