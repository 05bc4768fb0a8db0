"""The ledger remembers what was signed: a signature that is gone, or older than the last, does not verify."""

import shutil

import pytest


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
