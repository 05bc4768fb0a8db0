"""``sluicegate scan --certificate [--sign]``, checked by the program in spec/, and ``sluicegate verify --certificate``."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

CHECK = Path(__file__).parents[3] / "spec" / "check.py"


@pytest.fixture
def keys(tmp_path, monkeypatch, skills):
    (skills / "sluicegate.toml").touch()
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    for name in ("SLUICEGATE_VERIFY_VARS", "SLUICEGATE_WORKSPACE", "SLUICEGATE_AUDIT_LOG"):
        monkeypatch.delenv(name, raising=False)


def checked(file):
    ran = subprocess.run([sys.executable, "-I", str(CHECK), str(file)], capture_output=True, text=True)
    return ran.returncode, ran.stdout


def test_a_certificate_of_several_skills(sluicegate, skills):
    ran = sluicegate("scan", ".", "-q", "--certificate", "c.json")
    assert ran.code == 1
    assert "DO NOT INSTALL" in ran.out
    code, said = checked("c.json")
    assert code == 0
    assert "DO_NOT_INSTALL follows" in said
    assert said.count("yes: '") == 2


def test_the_report_holds_that_of_each_skill(sluicegate, skills):
    report = json.loads(sluicegate("scan", "good", "-q", "-f", "json", "--certificate", "c.json").out)
    assert report["skills"][0]["certificate"] == Path("c.json").read_text()
    value = json.loads(Path("c.json").read_text())
    assert value["skills"][0]["bundle"] == report["skills"][0]["digest"]
    assert value["tool"] == report["tool"]["version"]


def test_the_same_scan_gives_the_same_bytes(sluicegate, skills):
    for name in ("a.json", "b.json"):
        sluicegate("scan", "bad", "-q", "--certificate", name)
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_where_it_cannot_be_written_nothing_is_scanned(sluicegate, skills):
    assert sluicegate("scan", "good", "-q", "--certificate", "no/where.json").code == 2
    assert sluicegate("scan", "good", "-q", "--certificate", ".").code == 2
    ran = sluicegate("scan", "good", "-q", "--sign")
    assert (ran.code, "--sign goes with --certificate" in ran.err) == (2, True)


def test_signed_and_verified(sluicegate, keys):
    ran = sluicegate("scan", "bad", "-q", "--certificate", "c.json", "--sign")
    assert ran.code == 1
    assert "A first key was made" in ran.err
    code, said = checked("c.json")
    assert code == 0
    assert "the signature is not checked here" in said
    ran = sluicegate("verify", "--certificate", "c.json")
    assert ran.code == 0, ran.out
    assert "verified  c.json  (certificate, " in ran.out
    assert ": DO_NOT_INSTALL\n  DO_NOT_INSTALL  bad  " in ran.out
    row = json.loads(sluicegate("verify", "--certificate", "c.json", "--format", "json").out)
    assert row["verified"] is True
    assert row["skills"][0]["decision"] == "DO_NOT_INSTALL"


def test_the_ledger_is_told_where_there_is_one(sluicegate, keys):
    Path("a.txt").write_text("a")
    sluicegate("sign", "a.txt")
    sluicegate("scan", "good", "-q", "--certificate", "c.json", "--sign")
    sluicegate("verify", "--certificate", "c.json")
    Path("c.json").write_text("{}")
    assert sluicegate("verify", "--certificate", "c.json").code == 1
    lines = [json.loads(line) for line in Path(".sluicegate/sec/audit.jsonl").read_text().splitlines()]
    about = [line for line in lines if "certificate" in json.dumps(line)]
    assert len(about) == 3


def test_what_is_not_signed_by_somebody_trusted_is_refused(sluicegate, keys, tmp_path, monkeypatch):
    sluicegate("scan", "good", "-q", "--certificate", "bare.json")
    ran = sluicegate("verify", "--certificate", "bare.json")
    assert (ran.code, "missing: a certificate that nobody signed" in ran.out) == (1, True)
    sluicegate("scan", "good", "-q", "--certificate", "c.json", "--sign")
    whole = json.loads(Path("c.json").read_text())
    trusted = sluicegate("keys", "export").out
    for change in (
        {"payload": whole["payload"][:-8] + "AAAAAAAA"},
        {"payloadType": "application/vnd.sluicegate.signature+json"},
    ):
        Path("d.json").write_text(json.dumps(whole | change, separators=(",", ":")) + "\n")
        ran = sluicegate("verify", "--certificate", "d.json")
        assert (ran.code, "REFUSED" in ran.out) == (1, True)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "other"))
    ran = sluicegate("verify", "--certificate", "c.json", "--format", "json")
    assert (ran.code, json.loads(ran.out)["reason"]) == (1, "untrusted-key")
    Path("signers.toml").write_text(trusted)
    assert sluicegate("verify", "--certificate", "c.json", "--trust", "signers.toml").code == 0


def test_a_signed_text_that_is_no_certificate_is_refused(sluicegate, keys):
    import os
    import time

    from sluicegate.reach.certificates import signed
    from sluicegate.record.workspace import Workspace

    workspace = Workspace.of(os.environ, Path.cwd(), clock=time.time_ns)
    sluicegate("scan", "good", "-q", "--certificate", "c.json")
    value = json.loads(Path("c.json").read_text())
    value["skills"][0]["day"] = "2990-01-01"
    future = json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"
    for text, reason in (("{}\n", "malformed"), ("[]", "malformed"), (future, "from-the-future")):
        Path("c.json").write_bytes(signed(text.encode(), workspace, Path("c.json")))
        ran = sluicegate("verify", "--certificate", "c.json")
        assert (ran.code, reason in ran.out) == (1, True), ran.out


def test_verify_takes_a_certificate_alone(sluicegate, keys):
    assert sluicegate("verify", "--certificate", "missing.json").code == 2
    assert sluicegate("verify", "a", "--certificate", "c.json").code == 2


def test_a_scan_without_one_does_not_load_what_makes_them(skills):
    code = (
        "import sys; sys.argv = ['sluicegate', 'scan', 'good', '-q']\n"
        "from sluicegate.reach.cli import main\n"
        "try:\n    main.main()\nexcept SystemExit: pass\n"
        "sys.stderr.write(' '.join(m for m in sys.modules if 'certificate' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("-", "--certificate - is not a file"),
        ("", "--certificate is given nothing"),
        ("good", "it is a folder"),
        ("no/such/place.json", "there is no folder"),
        ("/dev/full", "No space left"),
    ],
)
def test_a_place_that_is_none_is_named_with_its_own_option(sluicegate, skills, word, says):
    ran = sluicegate("scan", "good", "--certificate", word)
    assert ran.code == 2
    assert says in ran.err
    assert "--output" not in ran.err
    assert not (skills / "-").exists()


def test_a_pipe_that_nobody_reads_is_not_waited_for(sluicegate, skills):
    os.mkfifo(skills / "pipe")
    ran = sluicegate("scan", "good", "--certificate", "pipe")
    assert ran.code == 2
    assert "nobody reads from it" in ran.err


def test_a_pipe_that_somebody_reads_gets_it(sluicegate, skills):
    os.mkfifo(skills / "pipe")
    reader = os.open(skills / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert sluicegate("scan", "good", "--certificate", "pipe").code == 0
    assert b'"decision":"SAFE"' in os.read(reader, 1 << 16)
    os.close(reader)


def test_without_a_home_no_first_key_is_made_unseen(sluicegate, skills, monkeypatch, tmp_path):
    for name in ("HOME", "XDG_CONFIG_HOME", "SLUICEGATE_CONFIG_HOME", "SLUICEGATE_KEYS_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "home").mkdir()
    monkeypatch.setattr("pwd.getpwuid", lambda _: SimpleNamespace(pw_dir=str(tmp_path / "home")))
    ran = sluicegate("scan", "good", "--certificate", "c.json", "--sign")
    assert ran.code == 2
    assert "HOME is not set" in ran.err
    assert "SLUICEGATE_KEYS_HOME" in ran.err
    assert list((tmp_path / "home").rglob("*")) == []
    assert not (skills / "c.json").exists()
