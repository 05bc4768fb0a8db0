"""Guards and policies that scripts declare."""

import pytest
from script_runs import run

from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Grant, GuardRegistry, Privileges

BASE = "var secret @k = 'sk-1'\nexe net:w @send(d) = `sent @d`\nexe @id(x) = @x\n"

GUARDS = [
    # guard, what is tried, output, code
    ("before secret = when [ @mx.op.labels.includes('net:w') => deny 'Keys stay'; * => allow ]", "show @send('a')\nshow @send(@k)", "sent a\n", "GUARD_DENIED"),
    ("before net:w = when [ * => deny { reason: 'no', code: 'E1', suggestion: 'ask' } ]", "show @send('a')", "", "GUARD_DENIED"),
    ("before @send = when [ @input == 'x' => deny 'no x'; * => allow ]", "show @send('y')\nshow @send('x')", "sent y\n", "GUARD_DENIED"),
    ("for op:show = when [ @input.includes('bad') => deny 'no'; * => pass ]", "show 'good'\nshow 'bad'", "good\n", "GUARD_DENIED"),
    ("before op:show = when [ * => allow @input.replace('a', 'b') ]", "show 'aa'", "ba\n", ""),
    ("after op:call = when [ * => allow `[@output]` ]", "show @id('z')", "[z]\n", ""),
    ("before op:exe = when [ @mx.op.name == 'send' => deny 'by name'; * => allow ]", "show @id(1)\nshow @send(1)", "1\n", "GUARD_DENIED"),
    ("before op:call = when [ op:call:send => deny 'by label'; net:w => deny 'x'; * => allow ]", "show @id(1)\nshow @send(1)", "1\n", "GUARD_DENIED"),
    ("before op:exe = when [ @mx.tools.calls.includes('id') => deny 'again'; * => allow ]", "show @id(1)\nshow @id(2)", "1\n", "GUARD_DENIED"),
    ("before op:exe = when [ @mx.tools.calls.length >= 2 => deny 'many' ]", "show @id(1)\nshow @send(2)\nshow @id(3)", "1\nsent 2\n", "GUARD_DENIED"),
    ("before op:show = when [ * => [\n log `seen`\n allow ] ]", "show 'a'", "a\n", ""),
    ("before op:show = when [ * => [\n if @input == 'a' [ deny 'a' ]\n allow ] ]", "show 'b'\nshow 'a'", "b\n", "GUARD_DENIED"),
    ("before op:show = when [ @input.nope.nope => deny 'x'; * => allow ]", "show 'a'", "", "GUARD_DENIED"),
    ("before op:show = when [ * => log 'decides nothing' ]", "show 'a'", "", "GUARD_DENIED"),
    ("before op:call:send = when [ * => pii @input ]", "show @send(1).mx.labels", '["pii"]\n', ""),
    ("before op:show = when [ @input.any.mx.labels.includes('secret') => deny 's'; * => allow ]", "show 'a'\nshow @k", "a\n", "GUARD_DENIED"),
    ("before secret = when [ @mx.taint.includes('secret') => deny 's' ]", "show 'a'\nshow @k", "a\n", "GUARD_DENIED"),
]  # fmt: skip


@pytest.mark.parametrize(("guard", "tried", "out", "code"), GUARDS, ids=range(len(GUARDS)))
def test_a_guard_decides(guard, tried, out, code):
    for text in (f"{BASE}guard @g {guard}\n{tried}", f"{BASE}{tried}\nguard {guard}"):
        ran = run(text)
        assert (ran.out, ran.code) == (out, code)


def test_a_denial_of_a_guard_says_which_and_why():
    ran = run(
        BASE + "guard @mine before net:w = when [ * => deny { reason: 'no', suggestion: 'ask' } ]\n@send('a')"
    )
    denial = ran.error.denial
    assert ("mine" in denial.blocked_by + denial.layer + denial.rule, denial.reason) == (True, "no")
    assert "ask" in denial.suggestions


def test_a_handler_hears_of_a_guard():
    text = (
        BASE
        + "guard @g before secret = when [ * => deny 'why' ]\nexe @try(x) = when [ denied => `no: @mx.guard.reason`; * => @x ]\n"
    )
    assert run(text + "show @try('a')\nshow @try(@k)").out == "a\nno: why\n"


TAKES_AWAY = "guard privileged @g before secret = when [ * => !secret @input ]\nvar secret @k = 'a'\nshow @k"


def test_privilege_comes_from_configuration_alone():
    assert run(TAKES_AWAY).code in ("PROTECTED_LABEL_REMOVAL", "LABEL_PRIVILEGE_REQUIRED", "GUARD_DENIED")
    granted = GuardRegistry(privileges=Privileges(Grant(source="test", names=("g",))))
    assert (
        run(TAKES_AWAY, guards=granted, policy={"labels": {"secret": {"deny": ["op:show"]}}}).code
        == "POLICY_LABEL_FLOW_DENIED"
    )
    bless = "guard @g after op:exe = when [ * => trusted! @output ]\nexe @f(x) = @x\nvar untrusted @u = 'a'\nshow @f(@u).mx.labels"
    assert run(bless).code in ("PROTECTED_LABEL_REMOVAL", "LABEL_PRIVILEGE_REQUIRED", "GUARD_DENIED")
    granted = GuardRegistry(privileges=Privileges(Grant(source="test", names=("g",))))
    assert run(bless, guards=granted).out == '["trusted"]\n'


def test_guards_are_not_bypassed_by_a_script():
    text = "guard @g before op:cmd = when [ * => deny 'no' ]\nrun cmd { true } with { guards: false }"
    assert run(text).code == "GUARD_BYPASS_BLOCKED"


def test_no_name_of_ours_is_taken():
    for text in (
        "guard @__policy before secret = when [ * => allow ]",
        "guard @a before secret = when [ * => allow ]\n" * 2,
    ):
        with pytest.raises(FlowError):
            ran = run(text + "\nshow 1")
            raise ran.error


POLICIES = [
    ("policy @p = { defaults: { rules: ['no-secret-exfil'] } }", "exe exfil @s(d) = @d\n@s(@k)", "POLICY_LABEL_FLOW_DENIED"),
    ("policy @p = { labels: { secret: { deny: [op:show] } } }", "show @k", "POLICY_LABEL_FLOW_DENIED"),
    ("policy @p = { labels: { secret: { deny: [net:w], allow: [op:show] } } }", "show @send(@k)", "POLICY_LABEL_FLOW_DENIED"),
    ("policy @p = { capabilities: { allow: { js, cmd: ['git:*'] }, deny: [sh] } }", "run cmd { ls }", "POLICY_CAPABILITY_DENIED"),
    ("policy @p = { capabilities: { deny: [sh] } }", "run sh { true }", "POLICY_CAPABILITY_DENIED"),
    ("var @c = { labels: { secret: { deny: ['op:show'] } } }\npolicy @p = union(@c)", "show @k", "POLICY_LABEL_FLOW_DENIED"),
    ("policy @a = { capabilities: { deny: [sh] } }\npolicy @b = { capabilities: { deny: [py] } }\npolicy @p = union(@a, @b)", "run py { 1 }",
     "POLICY_CAPABILITY_DENIED"),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "tried", "code"), POLICIES, ids=range(len(POLICIES)))
def test_a_policy_of_a_script_is_in_force_from_its_beginning(policy, tried, code):
    for text in (f"{BASE}{policy}\n{tried}", f"{BASE}{tried}\n{policy}"):
        ran = run(text)
        assert (ran.out, ran.code) == ("", code)


@pytest.mark.parametrize(
    "policy",
    [
        "policy @p = { default: deny }",
        "policy @p = { defaults: { rule: [] } }",
        "policy @p = { defaults: { rules: ['no-secrets'] } }",
        "policy @p = { labels: { secret: { deny: [op:shw] } } }",
        "policy @p = { labels: { secret: { deny: [@x] } } }",
        "var @c = { ...@d }\nvar @d = {}\npolicy @p = union(@c)",
        "policy @p = union(@f())\nexe @f() = { a: 1 }",
        "policy @p = { defaults: { unlabeled: untrusted, unlabeled: trusted } }",
    ],
)
def test_a_policy_that_is_none_is_an_error(policy):
    with pytest.raises(FlowError):
        run("var @x = 'op:show'\n" + policy)
