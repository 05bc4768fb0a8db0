"""``sluicegate run`` as a person uses it: output, denials with a place and a way forward, exit codes, signatures."""

import io
import sys

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("SLUICEGATE_POLICY", "SLUICEGATE_PROFILE", "SLUICEGATE_STRICT", "SLUICEGATE_AUDIT_LOG"):
        monkeypatch.delenv(name, raising=False)
    (work / "sluicegate.toml").write_text("")
    (work / "hide.toml").write_text('[labels.secret]\ndeny = ["op:show"]\n')
    monkeypatch.chdir(work)
    return work


def script(here, text, name="a.mld"):
    (here / name).write_text(text)
    return name


def test_a_script_runs_and_a_denial_says_where_why_and_what_to_do(sluicegate, here):
    name = script(here, "var secret @k = 'sk-1'\nshow 'begin'\nshow @k\nshow 'never'\n")
    assert sluicegate("run", name).out == "begin\nsk-1\nnever\n"
    ran = sluicegate("run", name, "--policy", "hide.toml")
    assert (ran.code, ran.out) == (1, "begin\n")
    assert ran.err.startswith("a.mld:3:1: error: ")
    for words in (
        "  3 | show @k\n    | ^^^^^^^",
        "POLICY_LABEL_FLOW_DENIED",
        "Layer: hide (hide.toml:2)",
        "Suggestions:",
    ):
        assert words in ran.err
    assert "sk-1" not in ran.err


def test_what_stands_on_standard_input_is_input(sluicegate, here, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"from outside\n")))
    assert (
        sluicegate("run", script(here, "show @input.trim()\nshow @input.mx.taint")).out
        == 'from outside\n["src:user"]\n'
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"show 'a script'\n")))
    assert sluicegate("run", "-").out == "a script\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("var @x = \n", "a.mld:"),
        ("show @y\n", "undefined-name"),
        ("policy @p = { defaultz: {} }\n", "defaultz"),
        ('import { @x } from "./none.mld"\n', "no-module"),
    ],
)
def test_a_script_with_errors_does_not_run(sluicegate, here, text, words):
    ran = sluicegate("run", script(here, "show 'never'\n" + text))
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert sluicegate("run", "none.mld").code == 2
    assert sluicegate("run", ".").code == 2


def test_a_failure_in_a_branch_is_told_at_the_end(sluicegate, here):
    name = script(here, "var secret @k = 'a'\nif @k [ show @k.b.c ]\nshow 'after'\n")
    ran = sluicegate("run", name)
    assert (ran.code, ran.out) == (1, "after\n")
    assert "is not JSON" in ran.err


def test_policies_of_a_script_narrow_those_of_the_project(sluicegate, here):
    (here / "sluicegate.toml").write_text('[policy.capabilities]\ndeny = ["sh"]\n')
    text = "policy @mine = { capabilities: { allow: [sh, cmd] }, labels: { secret: { deny: [op:show] } } }\n"
    assert "POLICY_CAPABILITY_DENIED" in sluicegate("run", script(here, text + "run sh { true }")).err
    assert (
        "POLICY_LABEL_FLOW_DENIED" in sluicegate("run", script(here, text + "var secret @k = 1\nshow @k")).err
    )


def test_a_script_does_not_change_itself_or_what_it_imports(sluicegate, here):
    script(here, "var @a = 1\n", "m.mld")
    for target in ("a.mld", "m.mld", "sluicegate.toml"):
        ran = sluicegate("run", script(here, f'import {{ @a }} from "./m.mld"\noutput @a to "{target}"\n'))
        assert (ran.code, "STATE_PROTECTED" in ran.err) == (1, True)
    assert (
        sluicegate("run", script(here, 'output "x" to "b.txt"\nappend "y" to "b.txt"\nshow <b.txt>\n')).out
        == "xy\n\n"
    )


def test_templates_are_signed_and_verified(sluicegate, here):
    text = "var @t = `Check {this} @open`\nsign @t\nshow verify @t\n"
    ran = sluicegate("run", script(here, text))
    assert ran.code == 0
    assert '"verified": true, "name": "@a.t"' in ran.out
    assert sluicegate("verify", "@a.t").code == 0
    assert (
        '"verified": true'
        in sluicegate("run", script(here, "var @t = `Check {this} @open`\nshow verify @t\n")).out
    )
    changed = "var @t = `Check nothing`\nshow verify @t\nexe llm @ask(p) = `answer`\nshow @ask(@t)\n"
    ran = sluicegate("run", script(here, changed))
    assert ran.out.startswith('{"verified": false') and "answer" not in ran.out
    assert "SIGNATURE_DENIED" in ran.err
    for wrong in (
        'sign @t by "security-team"',
        "var untrusted @u = `a`\nsign @u",
        "var @q = 'a'\nsign @q",
        "verify @q\nvar @q = 1",
    ):
        assert sluicegate("run", script(here, f"var @t = `Check {{this}} @open`\n{wrong}\n")).code in (1, 2)


def test_autosign_and_what_it_leaves(sluicegate, here):
    text = "policy @p = { defaults: { autosign: ['templates'] } }\nvar @t = `mine`\nvar untrusted @u = `theirs`\nvar @q = 'text'\nshow verify @t\nshow verify @u\n"
    ran = sluicegate("run", script(here, text))
    assert [line.partition(",")[0] for line in ran.out.splitlines()] == [
        '{"verified": true',
        '{"verified": false',
    ]


def test_no_script_gives_itself_a_privilege(sluicegate, here):
    """Where nobody has written a policy that of the script is the first layer; privilege is for configuration to give."""
    (here / "wash.mld").write_text(
        'policy @p = { privilege: { paths: ["wash.mld", "**"] } }\nvar secret @k = "x"\nexe a @wash(d) = @d\n'
        "guard privileged @w after a = when [ * => !secret @output ]\nshow @wash(@k).mx.labels\n"
    )
    ran = sluicegate("run", "wash.mld")
    assert ran.code != 0
    assert "PROTECTED_LABEL_REMOVAL" in ran.err
    assert "[]" not in ran.out


def test_what_a_script_imports_gives_no_credential(sluicegate, here, monkeypatch):
    monkeypatch.setenv("CREDENTIAL_OF_MINE", "canary-1")
    (here / "module.mld").write_text(
        'policy @q = { auth: { t: { from: "env:CREDENTIAL_OF_MINE", as: "TOK" } } }\nexport { @q }\n'
    )
    for own in ("", "policy @p = { defaults: { rules: [no-secret-exfil] } }\n"):
        (here / "main.mld").write_text(
            f'import policy @q from "./module.mld"\n{own}show run cmd {{ printenv TOK }} using auth:t\n'
        )
        ran = sluicegate("run", "main.mld")
        assert "AUTH_DENIED" in ran.err
        assert "canary-1" not in ran.out + ran.err
