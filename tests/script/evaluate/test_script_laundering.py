"""Labels are not washed off by files and processes, and no script has credentials or state of ours: attacks that builds of mlld
do not stop, with files that keep their labels."""

import time

import pytest
from script_runs import run

from sluicegate.flow.monitor import Protected
from sluicegate.record.files.files import FileLabels
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger

NO_EXFIL = {"defaults": {"rules": ["no-secret-exfil", "no-untrusted-destructive"]}}
HEAD = "exe exfil @send(d) = `SENT @d`\nexe destructive @drop(d) = `DROPPED @d`\n"


@pytest.fixture
def recorded(tmp_path):
    """Runs scripts one after another in a folder whose files keep their labels."""
    work = tmp_path / "work"
    work.mkdir()
    keys = Keys(Home.at(tmp_path / "home", workspace=work), clock=time.time_ns, identity=lambda: "tester")
    ledger = Ledger.open(work / ".sluicegate" / "sec" / "audit.jsonl", keys=keys, clock=time.time_ns)
    protected = Protected.of(written=[work / "sluicegate.toml"], read=[work / ".sluicegate"])

    def carried_out(text, policy=NO_EXFIL):
        files = FileLabels(ledger, tracked=(work,))
        parts = {"ledger": ledger, "files": files, "protected": protected}
        return run(HEAD + text, policy=policy, folder=work, **parts)

    return carried_out


KEEPS = {
    "D output": "output @k to 'f.txt'",
    "D append": "append @k to 'f.txt'",
    "D append behind what was there": "output 'a' to 'f.txt'\nappend @k to 'f.txt'",
    "D tee": "run cmd { tee f.txt } with { stdin: @k }",
    "D cp": "output @k to 'g.txt'\nrun cmd { cp g.txt f.txt }",
    "D mv": "output @k to 'g.txt'\nrun cmd { mv g.txt f.txt }",
    "D a redirect of a shell": "output @k to 'g.txt'\nrun sh { cat g.txt > f.txt }",
    "D a link": "output @k to 'g.txt'\nrun cmd { ln -s g.txt f.txt }",
    "D a branch": "if @k == 'sk-1' [ output 'one' to 'f.txt' ]",
}


@pytest.mark.parametrize("text", KEEPS.values(), ids=KEEPS)
def test_a_file_keeps_the_labels_of_what_was_written_into_it(text, recorded):
    """Read in a later run: by the script, and by a command."""
    recorded(f"var secret @k = 'sk-1'\n{text}")
    for read in ("<f.txt>", "run cmd { cat f.txt }"):
        later = recorded(f"show @send({read})")
        assert "SENT" not in later.out
        assert later.code or later.told


def test_what_is_untrusted_stays_so_in_a_file(recorded):
    recorded("var untrusted @u = 'drop it'\noutput @u to 'f.txt'")
    assert recorded("show @drop(<f.txt>)").code == "POLICY_LABEL_FLOW_DENIED"


OURS = {
    "D the ledger": "append '{}' to '.sluicegate/sec/audit.jsonl'",
    "D the ledger, by a command": "run cmd { tee .sluicegate/sec/audit.jsonl } with { stdin: 'x' }",
    "D the ledger, by a shell": "run sh { rm -rf .sluicegate }",
    "E a signature": "output 'x' to '.sluicegate/sec/signatures/a.json'",
    "B4 the configuration": "output 'x' to 'sluicegate.toml'",
    "F what the ledger says": "show <.sluicegate/sec/audit.jsonl>",
}


@pytest.mark.parametrize("text", OURS.values(), ids=OURS)
def test_no_script_touches_our_state(text, recorded, tmp_path):
    recorded("show 1")
    before = (tmp_path / "work/.sluicegate/sec/audit.jsonl").read_bytes()
    assert recorded(text).code in ("STATE_PROTECTED", "failed")
    assert (tmp_path / "work/.sluicegate/sec/audit.jsonl").read_bytes().startswith(before)
    assert not (tmp_path / "work/sluicegate.toml").exists()


def test_the_ledger_holds_denials_and_no_secret(recorded, tmp_path):
    """F"""
    recorded("var secret @k = 'sk-canary'\nshow @send(@k)")
    recorded("var secret @k = 'sk-canary'\nshow run cmd { echo @k }")
    text = (tmp_path / "work/.sluicegate/sec/audit.jsonl").read_text()
    assert "sk-canary" not in text
    assert "POLICY_LABEL_FLOW_DENIED" in text


DANGERS = {
    "rm -r -f": "run cmd { rm -r -f x }",
    "rm -fr": "run cmd { rm -fr x }",
    "rm --recursive --force": "run cmd { rm --recursive --force x }",
    "git push -f": "run cmd { git push -f }",
    "rm in a shell": "run sh { rm -rf x }",
    "env curl": "run cmd { env curl https://example.org }",
    "python": "run py { import os; os.remove('x') }",
    "touch through env": "run cmd { env touch y }",
    "touch through sh -c": "run cmd { sh -c 'touch y' }",
    "touch through xargs": "run cmd { xargs touch }",
    "touch out of a variable": "run sh { T=touch; $T y }",
    "touch out of a command": "run sh { $(echo touch) y }",
}


@pytest.mark.parametrize("text", DANGERS.values(), ids=DANGERS)
def test_what_is_dangerous_or_denied_runs_in_no_other_words(text, tmp_path):
    """C"""
    (tmp_path / "x").mkdir()
    policy = {"capabilities": {"allow": ["cmd"], "deny": {"cmd": ["touch", "curl"]}}}
    ran = run(f"{text}\nshow 'END'", policy=policy, folder=tmp_path)
    assert "END" not in ran.out
    assert ran.code in ("POLICY_CAPABILITY_DENIED", "command")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


STDIN = {
    "with": "run cmd { cat } with { stdin: @k }",
    "a pipe": "show @k | cmd { cat }",
    "a function": "exe @read() = cmd { cat }\nshow @k | @read",
}


@pytest.mark.parametrize("text", STDIN.values(), ids=STDIN)
def test_standard_input_is_asked_about(text):
    """B5"""
    ran = run(f"var secret @k = 'sk-1'\n{text}", policy={"labels": {"secret": {"deny": ["op:cmd"]}}})
    assert ran.out == ""
    assert ran.code or ran.told


def test_a_credential_does_not_come_back_unlabelled(monkeypatch):
    """B11: what a command says that had it by the sealed path."""
    monkeypatch.setenv("TOK", "tok-1")
    policy = {
        "auth": {"t": {"from": "env:TOK", "as": "TOK"}},
        "labels": {"secret": {"deny": ["op:show"]}},
    }
    ran = run("exe @get() = run cmd { printenv TOK } using auth:t\nshow @get()", policy=policy)
    assert "tok-1" not in ran.out + ran.log
    assert ran.code or ran.told


def test_a_script_defines_no_credential():
    """B12"""
    from sluicegate.flow.errors import FlowError

    with pytest.raises(FlowError):
        run('auth @t = { from: "env:EVIL", as: "TOK" }\nshow 1')
    script = (
        'policy @p = { auth: { t: { from: "env:HOME", as: "TOK" } } }\nrun cmd { printenv TOK } using auth:t'
    )
    assert run(script, policy=NO_EXFIL).code == "AUTH_DENIED"
