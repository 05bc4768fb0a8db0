"""The ledger remembers what was signed: a signature that is gone, or older than the last, does not verify."""

import shutil

import pytest

SETTINGS = '[policy]\ndefaults.rules = ["no-secret-exfil"]\n'


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    (root / "prompt.txt").write_text("first\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    for name in ("SLUICEGATE_WORKSPACE", "SLUICEGATE_AUDIT_LOG", "SLUICEGATE_VERIFY_VARS"):
        monkeypatch.delenv(name, raising=False)
    return root


def _sigs(root):
    return root / ".sluicegate/sec/sigs"


def test_a_signature_that_was_taken_away_is_missed(workspace, sluicegate):
    assert sluicegate("sign", "prompt.txt").code == 0
    assert sluicegate("verify").code == 0
    for file in _sigs(workspace).iterdir():
        file.unlink()
    (workspace / "prompt.txt").write_text("changed\n")
    ran = sluicegate("verify")
    assert ran.code == 1
    assert "prompt.txt  missing: signed at" in ran.out


def test_an_older_content_with_its_own_signature_is_refused(workspace, sluicegate, tmp_path):
    assert sluicegate("sign", "prompt.txt").code == 0
    shutil.copytree(_sigs(workspace), tmp_path / "kept")
    (workspace / "prompt.txt").write_text("second\n")
    assert sluicegate("sign", "prompt.txt").code == 0
    shutil.rmtree(_sigs(workspace))
    shutil.copytree(tmp_path / "kept", _sigs(workspace))
    (workspace / "prompt.txt").write_text("first\n")
    for words in (("verify",), ("verify", "prompt.txt")):
        ran = sluicegate(*words)
        assert ran.code == 1
        assert "outdated" in ran.out


def test_signing_the_old_content_again_makes_it_the_last(workspace, sluicegate):
    for text in ("first\n", "second\n", "first\n"):
        (workspace / "prompt.txt").write_text(text)
        assert sluicegate("sign", "prompt.txt").code == 0
    assert sluicegate("verify").code == 0


def test_what_was_withdrawn_is_not_missed(workspace, sluicegate):
    assert sluicegate("sign", "prompt.txt").code == 0
    (workspace / "other.txt").write_text("x")
    assert sluicegate("sign", "other.txt").code == 0
    ran = sluicegate("sign", "prompt.txt", "--withdraw")
    assert ran.code == 0
    assert "withdrawn: prompt.txt (instruction)" in ran.out
    assert sluicegate("verify").code == 0
    assert sluicegate("verify", "prompt.txt").code == 1
    assert sluicegate("audit", "history", "prompt.txt").code == 0


def test_lines_that_this_home_did_not_write_do_not_count(workspace, sluicegate, monkeypatch, tmp_path):
    assert sluicegate("sign", "prompt.txt").code == 0
    for file in _sigs(workspace).iterdir():
        file.unlink()
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "another"))
    assert "missing" not in sluicegate("verify").out


def test_a_ledger_that_was_deleted_says_nothing_is_fine(workspace, sluicegate):
    """Whoever takes a signature away would else take the memory of it along."""
    assert sluicegate("verify", "prompt.txt").code == 1, "no ledger was ever written: nothing is said of it"
    assert sluicegate("sign", "prompt.txt").code == 0
    (workspace / ".sluicegate/sec/audit.jsonl").unlink()
    ran = sluicegate("verify")
    assert ran.code == 2 and "is gone, so nobody can say" in ran.err
    one = sluicegate("verify", "prompt.txt")
    assert one.code == 0 and "is gone, so nobody can say" in one.err


@pytest.fixture
def nested(workspace, monkeypatch):
    """A project with two others inside it; we stand in the first."""
    (workspace / "sluicegate.toml").write_text(SETTINGS)
    for name in ("inner", "other"):
        (workspace / name).mkdir()
        (workspace / name / "sluicegate.toml").write_text(SETTINGS)
        (workspace / name / "prompt.txt").write_text(f"of {name}\n")
    monkeypatch.chdir(workspace / "inner")
    return workspace


def test_what_is_signed_in_a_project_inside_another_is_where_the_ledger_is_read(nested, sluicegate):
    assert sluicegate("sign", "prompt.txt").code == 0
    assert sluicegate("verify", "prompt.txt").code == 0
    assert not (nested / "inner/.sluicegate/sec/audit.jsonl").exists()
    log = sluicegate("audit", "log").out
    assert "signed prompt.txt (in inner) for" in log
    assert "verified prompt.txt (in inner), signed by" in log
    assert sluicegate("sign", "prompt.txt", "--withdraw").code == 0
    assert "withdrew the signature of prompt.txt (in inner)" in sluicegate("audit", "log").out


def test_projects_of_one_ledger_do_not_miss_the_signatures_of_each_other(nested, sluicegate, monkeypatch):
    for place in ("inner", "other", "."):
        monkeypatch.chdir(nested / place)
        assert sluicegate("sign", "prompt.txt").code == 0
    for place in ("inner", "other", "."):
        monkeypatch.chdir(nested / place)
        assert sluicegate("verify").code == 0
    monkeypatch.chdir(nested / "inner")
    for file in (nested / "inner/.sluicegate/sec/sigs").iterdir():
        file.unlink()
    ran = sluicegate("verify")
    assert (ran.code, ran.out.count("missing")) == (1, 1)
    monkeypatch.chdir(nested / "other")
    assert sluicegate("verify").code == 0


def test_an_outer_project_that_moves_takes_the_memory_of_those_inside_along(nested, sluicegate, monkeypatch):
    assert sluicegate("sign", "prompt.txt").code == 0
    moved = nested.rename(nested.with_name("moved"))
    monkeypatch.chdir(moved / "inner")
    assert sluicegate("verify").code == 0
    for file in (moved / "inner/.sluicegate/sec/sigs").iterdir():
        file.unlink()
    assert "missing: signed at" in sluicegate("verify").out


@pytest.mark.parametrize("settings", [None, "[policy]\n"], ids=["gone", "wrong"])
def test_settings_that_are_gone_or_wrong_make_nobody_forget(nested, sluicegate, settings):
    assert sluicegate("sign", "prompt.txt").code == 0
    for file in (nested / "inner/.sluicegate/sec/sigs").iterdir():
        file.unlink()
    (nested / "sluicegate.toml").unlink()
    if settings is not None:
        (nested / "sluicegate.toml").write_text(settings)
    ran = sluicegate("verify")
    assert (ran.code, "missing: signed at" in ran.out) == ((1, True) if settings is None else (2, False))
    assert settings is None or "nobody can say which ledger is meant" in ran.err
