"""``sluicegate policy`` as a person uses it."""

import json
import os
import time
from pathlib import Path

import jsonschema
import pytest

from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events
from sluicegate.record.ledger.ledger import Ledger

GOOD = '[labels.secret]\ndeny = ["op:show"]\n'
TABLE = 'policy = ["ours.toml"]\n[[expect]]\noperation = "show"\nlabels = ["secret"]\ndecision = "{}"\nbecause = "secrets stay"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty project as the current directory, with nothing set in the environment."""
    for name in ("SLUICEGATE_POLICY", "SLUICEGATE_PROFILE", "SLUICEGATE_STRICT", "SLUICEGATE_AUDIT_LOG"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    (root / "ours.toml").write_text(GOOD)
    return root


def narrow(text: str) -> bool:
    return all(len(line) <= 80 for line in text.splitlines())


def test_help_names_every_command(sluicegate):
    text = sluicegate("policy", "--help").out
    for name in ("check", "explain", "test", "show", "schema"):
        assert name in text


def test_check_says_what_a_policy_holds(sluicegate, here):
    ran = sluicegate("policy", "check", "ours.toml")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "ours.toml: 1 label rule\n"


def test_check_tells_every_problem_of_every_file(sluicegate, here):
    (here / "a.toml").write_text("lables = 1\n[limits]\ntimeout = 0\n")
    (here / "b.yaml").write_text("labels: {secret: {deny: [op:shwo]}}\n")
    ran = sluicegate("policy", "check", "a.toml", "ours.toml", "b.yaml")
    assert ran.code == 1
    assert "a.toml:1: lables" in ran.err
    assert "Did you mean labels?" in ran.err
    assert "a.toml:3: limits.timeout" in ran.err
    assert "b.yaml:1: labels.secret.deny[0]" in ran.err
    assert "ours.toml: 1 label rule" in ran.out


def test_check_remarks_on_what_has_no_effect(sluicegate, here):
    (here / "a.toml").write_text('[labels.pii]\nallow = ["safe"]\n')
    ran = sluicegate("policy", "check", "a.toml")
    assert ran.code == 0
    assert "labels.pii.allow: has no effect" in ran.out
    assert narrow(ran.out)


@pytest.mark.parametrize("name", ["none.toml", "shop", "/dev/null", "x.ini"])
def test_check_of_what_is_no_policy(sluicegate, here, name):
    assert sluicegate("policy", "check", name).code == 2


def test_check_of_the_project(sluicegate, here):
    assert "No policy is in force" in sluicegate("policy", "check").out
    (here / "sluicegate.toml").write_text('[flow]\npolicy = ["ours.toml", "production"]\n')
    ran = sluicegate("policy", "check")
    assert ran.code == 0
    assert ran.out.count("\n") == 3  # the policies, and where commands run
    (here / "sluicegate.toml").write_text('[flow]\npolicy = ["ours.tml"]\n')
    assert sluicegate("policy", "check").code == 2


def test_explain_tells_the_decision_first_and_then_every_layer(sluicegate, here):
    ran = sluicegate(
        "policy", "explain", "--policy", "ours.toml", "--policy", "production",
        "--labels", "secret, src:mcp", "--operation", "cmd:git push origin",
    )  # fmt: skip
    assert ran.code == 0
    assert narrow(ran.out)
    lines = ran.out.splitlines()
    assert lines[0] == "DENIED    cmd git push origin"
    assert "ours (ours.toml): permits" in lines
    assert "sluicegate:production: denies at step 1" in lines
    assert any(line.startswith("x 4 built-in rules") for line in lines)
    assert "Try " in ran.out


def test_explain_asks_rules_about_arguments_too(sluicegate, here):
    (here / "ours.toml").write_text(
        '[arguments."bank:pay"]\namount = { max = 100 }\niban = { known = true }\n'
    )

    def explained(*words):
        return sluicegate(
            "policy", "explain", "--policy", "ours.toml", "--operation", "mcp:bank:pay", "--exit-code", *words
        )

    good = explained("--argument", "amount=100", "--argument", "iban=DE89", "--known", "iban")
    assert (good.code, good.out.splitlines()[0]) == (0, "ALLOWED   mcp:bank:pay")
    assert 'arguments."bank:pay".amount: holds  [ours.toml:2]' in good.out
    bad = explained("--argument", "amount=100.5", "--argument", "iban=DE89", "--known", "iban")
    assert (bad.code, narrow(bad.out)) == (1, True)
    assert "x 7 argument rules" in bad.out and "max = 100 does not hold" in " ".join(bad.out.split())
    assert "Why   The argument amount is not what the rule says" in bad.out
    missing = explained("--argument", "amount=5")
    assert missing.code == 1 and "optional = false" in missing.out
    none = explained()
    assert none.code == 1 and "optional = false" in none.out, "as decide says"
    strange = explained("--argument", "amount=5", "--known", "ibn")
    assert strange.code == 2 and "--known ibn names no argument" in strange.err
    wrong = explained("--argument", "amount")
    assert wrong.code == 2 and "NAME=VALUE" in wrong.err


def test_explain_as_json(sluicegate, here):
    ran = sluicegate(
        "policy",
        "explain",
        "--policy",
        "ours.toml",
        "--labels",
        "secret",
        "--operation",
        "show",
        "--format",
        "json",
    )
    found = json.loads(ran.out)
    assert found["decision"] == "deny"
    (request,) = found["requests"]
    assert request["denial"]["code"] == "POLICY_LABEL_FLOW_DENIED"
    assert request["layers"][0]["refused_by_step"] == 5
    assert request["layers"][0]["steps"][4]["remarks"][0]["place"] == "ours.toml:2"


def test_explain_takes_files_hosts_and_declared_labels(sluicegate, here):
    (here / "p.toml").write_text(
        '[capabilities]\nallow = ["cmd", "fs:r:/a", "network:b.c"]\n[labels.pii]\ndeny = ["net:w"]\n'
    )
    base = ("policy", "explain", "--policy", "p.toml", "--operation", "cmd:tool")
    assert sluicegate(*base).out.startswith("ALLOWED")
    assert sluicegate(*base, "--path", "r:/a", "--host", "b.c").out.startswith("ALLOWED")
    assert sluicegate(*base, "--path", "r:/b").out.startswith("DENIED")
    assert sluicegate(*base, "--host", "c.d").out.startswith("DENIED")
    assert sluicegate(*base, "--labels", "pii", "--operation-labels", "net:w").out.startswith("DENIED")


def test_explain_of_a_command_that_starts_others(sluicegate, here):
    ran = sluicegate(
        "policy", "explain", "--policy", "development", "--operation", "cmd:bash -c 'ls; rm -rf x'"
    )
    assert ran.out.startswith("DENIED    3 things happen, 1 of them is denied")


def test_explain_asks_the_layers_in_force(sluicegate, here):
    ran = sluicegate("policy", "explain", "--operation", "show")
    assert ran.code == 2
    assert "--policy production" in ran.err
    (here / "sluicegate.toml").write_text('[flow]\npolicy = ["ours.toml"]\n')
    assert sluicegate("policy", "explain", "--operation", "show").out.startswith("ALLOWED")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--operation", "shwo"), "Did you mean show?"),
        (("--operation", ""), "no operation"),
        (("--operation", "cmd:"), "program"),
        (("--operation", "cmd:{x}"), "never names"),
        (("--operation", "cmd:ls 'x"), ""),
        (("--operation", "show", "--labels", "a b"), "not a label"),
        (("--operation", "show", "--path", "x"), "r:PATH"),
        (("--operation", "cmd:" + "x" * 20000), "too long"),
        (("--operation", "show", "--policy", "none.toml"), "cannot read"),
    ],
)
def test_explain_of_what_cannot_be_understood(sluicegate, here, words, said):
    ran = sluicegate("policy", "explain", "--policy", "ours.toml", *words)
    assert ran.code == 2
    assert said in ran.err
    assert "defect" not in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--labels", "secrte"), "Did you mean secret?"),
        (("--labels", "confidental"), "Did you mean confidential?"),
        (("--labels", "unheard"), "vocabulary.labels"),
        (("--labels", "src:mpc"), "Did you mean src:mcp?"),
        (("--labels", "op:show"), "--operation-labels"),
        (("--operation-labels", "exfill"), "Did you mean exfil?"),
        (("--operation-labels", "op:shwo"), "Did you mean op:show?"),
        (("--operation-labels", "mial"), "Did you mean mail?"),
    ],
)
def test_a_label_that_nobody_ever_gave_is_refused(sluicegate, here, words, said):
    (here / "mine.toml").write_text(
        '[labels.confidential]\ndeny = ["mail"]\n[vocabulary]\noperations = ["mail"]\n'
    )
    ran = sluicegate("policy", "explain", "--policy", "mine.toml", "--operation", "call:post", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


@pytest.mark.parametrize(
    "words",
    [
        ("--labels", "secret:aws,src:mcp:github,dir:/tmp,influenced,confidential:hr"),
        ("--operation-labels", "net:w,exfil,mail:out,op:cmd:git"),
    ],
)
def test_labels_that_are_built_in_or_named_are_known(sluicegate, here, words):
    (here / "mine.toml").write_text(
        '[labels.confidential]\ndeny = ["mail"]\n[vocabulary]\noperations = ["mail"]\n'
    )
    assert (
        sluicegate("policy", "explain", "--policy", "mine.toml", "--operation", "call:post", *words).code == 0
    )


def test_what_the_ledger_has_seen_is_known(sluicegate, here, tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    question = (
        "policy",
        "explain",
        "--policy",
        "ours.toml",
        "--operation",
        "call:post",
        "--labels",
        "project:x",
    )
    assert sluicegate(*question).code == 2
    keys = Keys(Home.at(tmp_path / "home"), clock=time.time_ns)
    with Ledger.open(here / ".sluicegate/sec/audit.jsonl", keys=keys, clock=time.time_ns) as ledger:
        ledger.append(
            events.Allow(operation="show", labels=("project:x",), operation_labels=("op:show", "mail"))
        )
    assert sluicegate(*question, "--operation-labels", "mail").code == 0


def test_exit_code_gates_a_script(sluicegate, here):
    question = ("policy", "explain", "--policy", "ours.toml", "--operation", "show", "--exit-code")
    assert sluicegate(*question).code == 0
    assert sluicegate(*question, "--labels", "secret").code == 1
    assert sluicegate(*question[:-1], "--labels", "secret").code == 0


def test_check_says_that_a_policy_file_has_no_prefix(sluicegate, here):
    (here / "bad.toml").write_text('[policy.defaults]\nrules = ["no-secret-exfil"]\n')
    ran = sluicegate("policy", "check", "bad.toml")
    assert ran.code == 1
    assert "write [defaults], not [policy.defaults]" in ran.err


def test_nothing_hostile_reaches_the_terminal(sluicegate, here):
    (here / "evil.toml").write_text(
        'name = "x"\n[labels."a\\u202eb"]\ndeny = ["op:\\u001b[2J"]\n"k\\u001b[31m" = 1\n'
    )
    ran = sluicegate("policy", "check", "evil.toml")
    assert ran.code == 1
    for char in ran.out + ran.err:
        assert char == "\n" or char.isprintable()
    ran = sluicegate("policy", "explain", "--policy", "ours.toml", "--operation", "cmd:tool '\x1b[2J‮'")
    for char in ran.out + ran.err:
        assert char == "\n" or char.isprintable()


def test_test_passes_and_fails(sluicegate, here):
    (here / "good.toml").write_text(TABLE.format("deny"))
    (here / "bad.toml").write_text(TABLE.format("allow"))
    ran = sluicegate("policy", "test", "good.toml")
    assert (ran.code, ran.out) == (0, "1 of 1 decisions are as expected.\n")
    ran = sluicegate("policy", "test", "good.toml", "bad.toml")
    assert ran.code == 1
    assert "bad.toml:2: show" in ran.out
    assert "expected allow, got deny" in ran.out
    assert 'labels.secret.deny includes "op:show"' in ran.out
    assert "expected because secrets stay" in ran.out
    assert ran.out.endswith("1 of 2 decisions are as expected.\n")
    assert narrow(ran.out)


def test_test_as_json_and_with_other_policies(sluicegate, here):
    (here / "bad.toml").write_text(TABLE.format("allow"))
    ran = sluicegate("policy", "test", "bad.toml", "--format", "json")
    assert ran.code == 1
    (decision,) = json.loads(ran.out)["tables"][0]["decisions"]
    assert decision["differences"] == ["expected allow, got deny"]
    (here / "limits.toml").write_text("[limits]\ntimeout = 1\n")
    assert sluicegate("policy", "test", "bad.toml", "--policy", "limits.toml").code == 0


def test_tables_are_relative_to_themselves(sluicegate, here):
    (here / "sub").mkdir()
    (here / "sub" / "t.toml").write_text(TABLE.format("deny").replace("ours", "../ours"))
    assert sluicegate("policy", "test", "sub/t.toml").code == 0


def test_a_table_that_cannot_be_understood(sluicegate, here):
    (here / "t.toml").write_text("[[expect]]\n")
    ran = sluicegate("policy", "test", "t.toml")
    assert ran.code == 2
    assert "needs the key operation" in ran.err
    assert sluicegate("policy", "test", "none.toml").code == 2


def test_show_prints_a_standard_policy_that_can_be_copied(sluicegate, here):
    ran = sluicegate("policy", "show", "production")
    (here / "copy.toml").write_text(ran.out)
    assert sluicegate("policy", "check", "copy.toml").code == 0
    assert sluicegate("policy", "show", "sluicegate:sandbox").out.startswith("description")
    ran = sluicegate("policy", "show", "prod")
    assert ran.code == 2
    assert "production" in ran.err
    assert sluicegate("policy", "show", "production", "--policy", "sandbox").code == 2


def test_show_prints_the_layers_in_force(sluicegate, here):
    assert "No policy is in force" in sluicegate("policy", "show").out
    (here / "sluicegate.toml").write_text('[flow]\npolicy = ["ours.toml", "production"]\n')
    ran = sluicegate("policy", "show")
    assert " 1 ours (ours.toml)" in ran.out
    assert " 2 sluicegate:production" in ran.out
    assert narrow(ran.out)
    found = json.loads(sluicegate("policy", "show", "--format", "json").out)
    assert [layer["name"] for layer in found["layers"]] == ["ours", "sluicegate:production"]
    assert found["layers"][0]["policy"]["labels"] == {"secret": {"deny": ["op:show"], "allow": None}}


def test_the_environment_is_heard(sluicegate, here, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_POLICY", "sandbox")
    assert "sluicegate:sandbox" in sluicegate("policy", "show").out
    monkeypatch.setenv("SLUICEGATE_STRICT", "perhaps")
    assert sluicegate("policy", "show").code == 2


def test_schemas_accept_what_is_accepted(sluicegate, here):
    schema = json.loads(sluicegate("policy", "schema").out)
    assert schema == json.loads(sluicegate("schema", "policy").out)
    check = jsonschema.Draft202012Validator(schema)
    check.validate(
        {
            "labels": {"secret": {"deny": ["op:show"]}},
            "capabilities": {"allow": {"cmd": [{"git": ["status"]}]}},
        }
    )
    for wrong in ({"lables": {}}, {"capabilities": {"allow": {"cmmd": []}}}, {"defaults": {"rules": ["x"]}}):
        with pytest.raises(jsonschema.ValidationError):
            check.validate(wrong)
    settings = jsonschema.Draft202012Validator(json.loads(sluicegate("schema", "settings").out))
    settings.validate(
        {"flow": {"policy": ["production"]}, "policy": {"limits": {"timeout": 1}}, "scan": {"jobs": 1}}
    )
    table = jsonschema.Draft202012Validator(json.loads(sluicegate("schema", "policy-table").out))
    table.validate({"expect": [{"operation": "show", "decision": "allow"}]})


def test_a_scan_and_a_policy_share_one_file(sluicegate, here):
    (here / "sluicegate.toml").write_text('[scan]\nfail-on = "never"\n[flow]\npolicy = ["sandbox"]\n')
    skill = here / "skill"
    skill.mkdir()
    (skill / "SKILL.md").write_text(
        "---\nname: notes\ndescription: Keeps notes tidy. Use it for notes.\n---\nSort them.\n"
    )
    assert sluicegate("scan", str(skill)).code == 0
    assert "sluicegate:sandbox" in sluicegate("policy", "show").out


def test_a_directory_that_is_gone(sluicegate, here, monkeypatch):
    gone = here / "gone"
    gone.mkdir()
    before = Path.cwd()
    os.chdir(gone)
    gone.rmdir()
    try:
        ran = sluicegate("policy", "show", "production")
        assert ran.code == 0
    finally:
        os.chdir(before)
