"""``sluicegate audit``: is the ledger whole, and what does it say?"""

import json
import shutil
import subprocess

import pytest

from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events
from sluicegate.record.ledger.ledger import Ledger

NOW = 1_768_818_600 * 10**9


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A workspace in which something was fetched, written, read back, blessed, and then refused."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "sluicegate.toml").touch()
    monkeypatch.chdir(root)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    for name in ("SLUICEGATE_WORKSPACE", "SLUICEGATE_AUDIT_LOG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    keys = Keys(Home.at(tmp_path / "home"), clock=lambda: NOW)
    with Ledger.open(root / ".sluicegate/sec/audit.jsonl", keys=keys, clock=lambda: NOW) as ledger:
        fetched = ledger.append(
            events.Allow(operation="mcp github:list_issues", taint=("src:mcp", "untrusted"), var="@issues")
        )
        ledger.append(
            events.Write(
                path=str(root / "out.json"),
                taint=("src:mcp", "untrusted"),
                writer="mcp:github:list_issues",
                hash="h",
                size=3,
                device=1,
                inode=2,
                inputs=(fetched,),
            )
        )
        ledger.append(
            events.Read(
                path=str(root / "out.json"),
                taint=("src:mcp", "untrusted"),
                known="known",
                hash="h",
                var="@data",
            )
        )
        ledger.append(
            events.Bless(
                var="@data", by="guard:validate", add=("trusted",), remove=("untrusted",), inputs=("@data",)
            )
        )
        ledger.append(
            events.Denial(
                operation="cmd git push <secret>",
                code="POLICY_LABEL_FLOW_DENIED",
                labels=("secret", "src:mcp"),
                rule='labels.secret.deny includes "net:w"',
                layer="production",
                reason="secret may not flow to net:w",
                operation_labels=("op:cmd:git:push", "net:w"),
                inputs=("@data", fetched),
            )
        )
    return root


def test_a_whole_ledger(sluicegate, project):
    ran = sluicegate("audit", "verify")
    assert ran.code == 0
    assert ran.out.startswith("sound:")
    assert "lines 1 to 6 in 1 file" in ran.out
    assert "remembered outside the workspace through line 6" in ran.out
    row = json.loads(sluicegate("audit", "verify", "--format", "json").out)
    assert (row["sound"], row["last"], row["breaks"]) == (True, 6, [])


@pytest.mark.parametrize("damage", ["change", "drop", "cut", "delete", "replace"])
def test_a_damaged_ledger_is_exit_code_1_with_the_place(sluicegate, project, damage):
    path = project / ".sluicegate/sec/audit.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    if damage == "change":
        rows[3] = rows[3].replace(b"untrusted", b"trusted")
    elif damage == "drop":
        del rows[3]
    elif damage == "cut":
        del rows[-1]
    path.write_bytes(b"".join(rows))
    if damage == "delete":
        path.unlink()
    elif damage == "replace":
        path.write_bytes(rows[0])
    ran = sluicegate("audit", "verify")
    assert ran.code == 1
    assert ran.out.startswith("BROKEN")
    if damage in ("change", "drop"):
        assert "row 4" in ran.out
    row = json.loads(sluicegate("audit", "verify", "--format", "json").out)
    assert row["sound"] is False
    assert row["breaks"]


def test_no_ledger_is_exit_code_2(sluicegate, project, monkeypatch):
    assert sluicegate("audit", "verify", "--ledger", "nothing").code == 2
    monkeypatch.setenv("SLUICEGATE_AUDIT_LOG", str(project / "none" / "x"))
    for command in (("verify",), ("why", "1"), ("history", "1"), ("signed",)):
        ran = sluicegate("audit", *command)
        assert (ran.code, "there is no ledger" in ran.err) == (2, True)


def test_a_ledger_of_another_home_is_not_sound(sluicegate, project, tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "elsewhere"))
    ran = sluicegate("audit", "verify")
    assert (ran.code, "not-vouched-for" in ran.out) == (1, True)


def test_rotated_files(sluicegate, project, tmp_path):
    path = project / ".sluicegate/sec/audit.jsonl"
    path.rename(tmp_path / "old")
    assert sluicegate("audit", "verify").code == 1
    assert sluicegate("audit", "verify", "--rotated", str(tmp_path / "old")).code == 0
    assert sluicegate("audit", "verify", "--rotated", str(tmp_path / "none")).code == 2
    assert "blessed @data" in sluicegate("audit", "blessed", "--rotated", str(tmp_path / "old")).out


WHY = """\
#6 denied cmd git push <secret>
│  2026-01-19 10:30:00
│  POLICY_LABEL_FLOW_DENIED: secret may not flow to net:w
│  rule: labels.secret.deny includes "net:w"
│  layer: production
│  labels: secret, src:mcp
│  operation: op:cmd:git:push, net:w
├─ #5 guard:validate blessed @data
│  │  2026-01-19 10:30:00
│  │  added: trusted
│  │  removed: untrusted
│  └─ #4 read out.json as @data
│     │  2026-01-19 10:30:00
│     │  labels: src:mcp, untrusted
│     │  what is known of it: known
│     └─ #3 mcp:github:list_issues wrote out.json
│        │  2026-01-19 10:30:00
│        │  labels: src:mcp, untrusted
│        └─ #2 allowed mcp github:list_issues, giving @issues
│              2026-01-19 10:30:00
│              labels: none
│              result: src:mcp, untrusted
└─ #2 (see above)
"""


def test_why_draws_a_tree(sluicegate, project):
    assert sluicegate("audit", "why", "6").out == WHY


@pytest.mark.parametrize("columns", ["20", "80", "100", "500"])
def test_the_tree_fits_the_terminal(sluicegate, project, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    out = sluicegate("audit", "why", "6").out
    assert max(map(len, out.splitlines())) <= max(60, min(100, int(columns)))


@pytest.mark.parametrize("what", ["6", "@data", "data", "out.json", "./out.json"])
def test_what_can_be_asked(sluicegate, project, what):
    assert sluicegate("audit", "why", what).code == 0
    assert sluicegate("audit", "history", what).code == 0


@pytest.mark.parametrize("what", ["99", "@none", "none.json", "\x1b[31m"])
def test_what_is_not_in_the_ledger(sluicegate, project, what):
    ran = sluicegate("audit", "why", what)
    assert (ran.code, ran.out) == (2, "")
    assert "no event about" in ran.err
    assert "\x1b" not in ran.err


def test_why_as_json(sluicegate, project):
    answer = json.loads(sluicegate("audit", "why", "6", "--format", "json").out)
    assert answer["of"] == 6
    follows = {row["seq"]: row["follows"] for row in answer["events"]}
    assert follows == {6: [2, 5], 5: [4], 4: [3], 3: [2], 2: []}
    assert answer["events"][0]["code"] == "POLICY_LABEL_FLOW_DENIED"


def test_why_as_a_graph(sluicegate, project):
    out = sluicegate("audit", "why", "6", "--format", "dot").out
    assert out.startswith("digraph")
    assert "n5 -> n6;" in out
    assert r"includes \"net:w\"" in out
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=out.encode(), check=True, capture_output=True)


def test_lists(sluicegate, project):
    assert "guard:validate blessed @data" in sluicegate("audit", "blessed").out
    assert "denied cmd git push <secret>" in sluicegate("audit", "denied").out
    assert sluicegate("audit", "signed").out == "the ledger has no such event\n"
    assert json.loads(sluicegate("audit", "denied", "--format", "json").out)[0]["seq"] == 6
    assert json.loads(sluicegate("audit", "signed", "--format", "json").out) == []


LOG = """\
#1 2026-01-19 10:30:00 the ledger began
#2 2026-01-19 10:30:00 allowed mcp github:list_issues, giving @issues
#3 2026-01-19 10:30:00 mcp:github:list_issues wrote out.json
#4 2026-01-19 10:30:00 read out.json as @data
#5 2026-01-19 10:30:00 guard:validate blessed @data
#6 2026-01-19 10:30:00 denied cmd git push <secret> [POLICY_LABEL_FLOW_DENIED]
"""


def test_log_is_a_line_an_event_newest_last(sluicegate, project):
    assert sluicegate("audit", "log").out == LOG


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (("--kind", "denial"), [6]),
        (("--kind", "read", "--kind", "write"), [3, 4]),
        (("--label", "src"), [2, 3, 4, 6]),
        (("--label", "op:cmd:git"), [6]),
        (("--label", "sr"), []),
        (("--last", "2"), [5, 6]),
        (("--last", "0"), [1, 2, 3, 4, 5, 6]),
        (("--since", "2026-01-18"), [1, 2, 3, 4, 5, 6]),
        (("--since", "2026-01-19T11:00+01:00"), [1, 2, 3, 4, 5, 6]),
        (("--since", "2026-01-19T12:00+01:00"), []),
        (("--since", "2099-01-01"), []),
    ],
)
def test_log_is_filtered(sluicegate, project, options, numbers):
    assert [
        row["seq"] for row in json.loads(sluicegate("audit", "log", "--format", "json", *options).out)
    ] == numbers


def test_log_says_what_it_leaves_out(sluicegate, project):
    ran = sluicegate("audit", "log", "--last", "1")
    assert len(ran.out.splitlines()) == 1
    assert "5 earlier events are not shown" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--kind", "denied"), "did you mean 'denial'?"),
        (("--kind", "\x1b"), "no kind of event"),
        (("--since", "yesterday"), "write 2026-11-22"),
    ],
)
def test_log_refuses_what_it_does_not_know(sluicegate, project, options, said):
    ran = sluicegate("audit", "log", *options)
    assert ran.code == 2
    assert said in ran.err.replace("\n", " ")
    assert "\x1b" not in ran.err


def test_signatures_and_operations_have_a_history(sluicegate, project, monkeypatch):
    (project / "prompts").mkdir()
    (project / "prompts/audit.md").write_text("Look at it.")
    assert sluicegate("keys", "new", "mira").code == 0
    assert sluicegate("sign", "prompts/audit.md").code == 0
    assert "signed prompts/audit.md" in sluicegate("audit", "history", "prompts/audit.md").out
    monkeypatch.chdir(project / "prompts")
    assert "signed prompts/audit.md" in sluicegate("audit", "history", "audit.md").out
    assert "denied cmd git push" in sluicegate("audit", "history", "git push").out


def test_hostile_names_steer_no_terminal_and_break_no_graph(sluicegate, project, tmp_path):
    odd = 'x\x1b[31m\u202e"];\n evil [label="'
    keys = Keys(Home.at(tmp_path / "home"), clock=lambda: NOW)
    with Ledger.open(project / ".sluicegate/sec/audit.jsonl", keys=keys, clock=lambda: NOW) as ledger:
        ledger.append(
            events.Denial(operation=odd, code=odd, rule=odd, layer=odd, reason=odd, labels=(odd,), var=odd)
        )
    for form in ("text", "json", "dot"):
        out = sluicegate("audit", "why", "7", "--format", form).out
        assert not any(char in out for char in "\x1b\u202e")
        if form == "dot":
            assert all(
                line.strip().startswith(("digraph", "rankdir", "node", "n7", "}"))
                for line in out.splitlines()
            )
    for command in (("denied",), ("history", "7"), ("log",)):
        assert "\x1b" not in sluicegate("audit", *command).out


def test_what_was_not_written_from_here_is_marked(sluicegate, project):
    path = project / ".sluicegate/sec/audit.jsonl"
    path.write_bytes(path.read_bytes().replace(b"guard:validate", b"guard:approver"))
    ran = sluicegate("audit", "blessed")
    assert "[not authentic]" in ran.out
    assert "sluicegate audit verify" in ran.err


def test_a_tree_of_hundreds_of_levels_is_cut_and_says_where_it_goes_on(sluicegate, project, tmp_path):
    keys = Keys(Home.at(tmp_path / "home"), clock=lambda: NOW)
    with Ledger.open(project / ".sluicegate/sec/audit.jsonl", keys=keys, clock=lambda: NOW) as ledger:
        before = ()
        for _ in range(300):
            before = (ledger.append(events.Label(var="@x", by="g", inputs=before)),)
    out = sluicegate("audit", "why", "@x").out
    assert len(out.splitlines()) < 200
    assert "sluicegate audit why 281" in out


def test_a_wide_tree_is_cut_and_counted(sluicegate, project, tmp_path):
    keys = Keys(Home.at(tmp_path / "home"), clock=lambda: NOW)
    with Ledger.open(project / ".sluicegate/sec/audit.jsonl", keys=keys, clock=lambda: NOW) as ledger:
        roots = tuple(ledger.append(events.Label(var=f"@x{n}", by="g")) for n in range(800))
        ledger.append(events.Denial(operation="all", code="X", var="@all", inputs=roots))
    out = sluicegate("audit", "why", "@all").out
    assert len(out.splitlines()) < 1100
    assert "events are not shown" in out
