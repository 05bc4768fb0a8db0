"""Scripts that ask the ledger: what they are told, and that it tells of no secret."""

import time

import pytest
from script_runs import run

from sluicegate.record.files.files import FileLabels
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.ledger.query import load

HIDE = {"labels": {"src:user": {"deny": ["op:show"]}}}
"""Hidden is what stands on standard input: no event tells of it before an effect does."""


def asking(folder, text, **parts):
    """Run a script with a ledger of its own."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    (work / "a.txt").write_text("a")
    keys = Keys(Home.at(folder / "home", workspace=work), clock=time.time_ns, identity=lambda: "mira")
    path = folder / "audit.jsonl"
    with Ledger.open(path, keys=keys, clock=time.time_ns) as ledger:
        files = FileLabels(ledger, tracked=(work,))
        return run(
            text, folder=work, ledger=ledger, files=files, history=lambda: load(path, keys=keys), **parts
        )


def test_a_script_asks_the_ledger(tmp_path):
    ran = asking(
        tmp_path,
        """var @a = <a.txt>
exe @f(x) = `got @x`
exe net:w @g(x) = `sent @x`
var @r = @g(@a)
show (for @e in @mlld.audit.why(@r) => @e.event).sort()
show @sluicegate.audit.history("op:call:g").length
show @mlld.audit.history("a.txt").length
show (for @e in @mlld.audit.history("a.txt") => @e.what.includes("a.txt"))
show @mlld.audit.signed()
show @mlld.audit.blessed()
show @mlld.audit.why("no such thing")
show @mlld.audit.history(@r)[0].keys()
""",
    )
    assert (ran.error, ran.told) == (None, [])
    lines = ran.out.splitlines()
    assert '"read"' in lines[0]
    assert lines[1] == "1"
    assert int(lines[2]) >= 1
    assert "false" not in lines[3]
    assert lines[4:7] == ["[]", "[]", "[]"]
    assert lines[7] == '["event", "ts", "what", "var", "authentic"]'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("show @mlld.audit.why()", "bad-argument"),
        ("show @mlld.audit.signed(1)", "bad-argument"),
        ("show @mlld.audit.history([1])", "wrong-type"),
    ],
)
def test_a_question_that_cannot_be_asked(tmp_path, text, code):
    assert asking(tmp_path, text).code == code


def test_nobody_records(tmp_path):
    assert run("show @mlld.audit.signed()").out == "[]\n"


ASKS = ['@mlld.audit.history("op:call:g").length', '@mlld.audit.why("op:call:g")', "@mlld.audit.blessed().length",
        '@mlld.audit.history("op:call:g").length > 0 ? "y" : "n"']  # fmt: skip
BRANCHES = [
    'if @k == "a" [ @g(1) ]',
    'when @k == "a" => @g(1)',
    'for @i in @k.split("a") => @g(1)',
    '@k == "a" ? @g(1) : 0',
    'var @x = @k == "a" && @g(1)',
    'exe @e() = [ if @k == "a" [ => 1 ]\n @g(1) ]\n@e()',
    'guard before net:w = when [ @k == "a" => deny "no"\n* => allow ]\nexe @t() = when [ denied => 1; * => @g(1) ]\n@t()',
]


@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("question", ASKS)
def test_an_answer_does_not_tell_of_a_secret(tmp_path, branch, question):
    """Whether the effect in the branch took place is in the ledger; nobody sees it who may not see what was asked about."""
    text = f"var @k = @input\nexe net:w @g(x) = 1\n{branch}\nshow {question}\n"
    seen = []
    for at, secret in enumerate(("a", "b")):
        ran = asking(tmp_path / str(at), text, policy=HIDE, stdin=secret)
        seen.append((ran.out, ran.told, ran.code))
    assert seen[0] == seen[1]
    assert seen[0][0] == ""
