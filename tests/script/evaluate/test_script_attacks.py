"""Attacks that builds of mlld do not stop, one after another. ``test_reach_matrix`` has every way to reach a function."""

import pytest
from script_runs import run

NO_EXFIL = {"defaults": {"rules": ["no-secret-exfil"]}}
HEAD = "var secret @k = 'sk-1'\nexe exfil @send(d) = `SENT @d`\n"


def nothing_sent(text: str, policy: dict = NO_EXFIL) -> None:
    ran = run(HEAD + text, policy=policy)
    assert "SENT" not in ran.out
    assert "sk-1" not in ran.out
    assert ran.code or ran.told or "show" not in text


LABEL_LOSS = {
    "A1 reconstruct by comparison": "var @g = @k == 'a' ? 'a' : @k == 'sk-1' ? 'sk-1' : '?'\nshow @send(@g)",
    "A2 lookup by a secret key": "var @t = { 'sk-1': 'found' }\nshow @send(@t[@k])",
    "A2 lookup by a secret index": "var @t = ['a', 'b', 'c', 'd', 'e']\nshow @send(@t[@k.length])",
    "A3 what is behind &&": "show @send(@k.startsWith('sk') && '1')",
    "A4 keys of a secret object": "var secret @o = { 'sk-1': 1 }\nfor @a, @b in @o => @send(@a)",
    "A6 a denial as an oracle": "exe @try(x) = when [ denied => 'no'; * => @send(@x) ]\nvar @bit = @k.startsWith('sk') ? @try(@k) : 'yes'\nshow @send(@bit)",
    "A7 the words of an error": "exe @bad(x) = [ => @x.nothing.at.all ]\nvar @r = @bad(@k)\nshow @send(@r)",
    "A8 a closure": "exe exfil @closed() = `SENT @k`\nshow @closed()",
    "A8 a closure of a closure": "exe @inner() = `SENT @k`\nexe exfil @closed() = @inner()\nshow @closed()",
    "B1 a pipe": "show @k | @send",
    "B1 a pipe of a variable": "var @r = @k | @send\nshow @r",
    "B2 foreach": "show foreach @send([@k])",
    "B2 a partial": "var @p = new @send(@k)\nshow @p()",
    "B2 a partial of a partial": "var @p = new @send()\nvar @q = new @p(@k)\nshow @q()",
    "B5 standard input": "exe exfil @post() = cmd { cat }\nshow @k | cmd { cat } | @send",
    "B7 a helper without labels": "exe @help(d) = @send(@d)\nshow @help(@k)",
    "for of one": "for @i in [@k] => show @send(@i)",
    "a function in an object": "var @o = { f: @send }\nshow @o.f(@k)",
    "a function that a function gives": "exe @get() = [ => @send ]\nvar @f = @get()\nshow @f(@k)",
    "a template hole": "show `@send(@k)`",
    "an alias of the label": "exe @bless(x) = [ => trusted @x ]\nshow @send(@bless(@k))",
    "JSON and back": "show @send(@k | json | parse)",
    "base64": "show @send(@k | base64encode)",
    "length by a loop": "var @n = for @c in @k.split('') => 'x'\nshow @send(@n.length)",
    "a var that a branch sets": "if @k == 'sk-1' [ var @y = 'one' ]\nshow @send(@y)",
    "an early return": "exe @f() = [ if @k == 'sk-1' [ => 'one' ]\n => 'two' ]\nshow @send(@f())",
}


@pytest.mark.parametrize("text", LABEL_LOSS.values(), ids=LABEL_LOSS)
def test_a_secret_does_not_get_out(text):
    nothing_sent(text)


HIDE = {
    "labels": {"secret": {"deny": ["op:show", "op:output", "op:append", "op:log", "op:return", "op:stream"]}}
}
EFFECTS = {
    "A5 if": "if @k.startsWith('sk') [ show 'SENT' ]",
    "A5 when": "when @k.startsWith('sk') => show 'SENT'",
    "A5 for": "for @c in @k.split('') => output 'SENT' to stdout",
    "A5 append": "if @k [ append 'SENT' to 'f.txt' ]",
    "B6 a return of the script": "=> @k",
    "B6 a return in a branch": "if @k [ => 'SENT' ]",
    "B6 a return in a branch on what it was": "if @k == 'sk-1' [ => @k ]",
    "B6 a return behind a branch": "if @k == 'other' [ => 1 ]\n=> 'SENT'",
    "an error in a secret branch": "if @k == 'sk-1' [ @k.nothing.at.all ]",
    "a file with a secret name": "output 'x' to @k",
}


@pytest.mark.parametrize("text", EFFECTS.values(), ids=EFFECTS)
def test_no_effect_tells_of_a_secret(text, tmp_path):
    """A script with the secret and one with another end alike."""
    ran = [run(f"var secret @k = '{key}'\n{text}", policy=HIDE, folder=tmp_path) for key in ("sk-1", "other")]
    assert ran[0].out == ran[1].out == ""
    assert (ran[0].code, ran[0].told, ran[0].log.count("sk-1")) == (ran[1].code, ran[1].told, 0)
    assert list(tmp_path.iterdir()) == []


def test_control_flow_by_what_a_server_said():
    """A9: what is read from outside decides, and something destructive would follow."""
    policy = {"labels": {"src:user": {"deny": ["destructive"]}}}
    text = "exe destructive @drop(x) = `DROPPED @x`\nif @input.includes('now') [ show @drop('repo') ]\nvar @d = @input.includes('now') && @drop('b')\nshow @d"
    ran = run(text, stdin="drop it now", policy=policy)
    assert "DROPPED" not in ran.out
    assert ran.code == "POLICY_LABEL_FLOW_DENIED"


CAPABILITIES = {"capabilities": {"allow": {"cmd": ["echo:*", "git:*"]}}}
COMMANDS = {
    "a pipe to a shell": "run cmd { echo x | sh }",
    "a substitution": "run cmd { echo $(id) }",
    "backticks": "run cmd { echo `id` }",
    "a second line": "run cmd { echo a\nid }",
    "a semicolon": "run cmd { echo a; id }",
    "an alias of git": "run cmd { git -c alias.x='!id' x }",
    "a path": "run cmd { ./echo a }",
    "B1 code in a pipe stage": "exe @f(x) = sh { echo \"$x\" }\nvar @r = 'a' | @f",
    "a program that is a value": "var @p = 'id'\nrun cmd { @p }",
    "a value as a command": "var @p = 'id'\nrun @p",
    "another interpreter": "run py { print(1) }",
    "env": "run cmd { env echo a }",
}


@pytest.mark.parametrize("text", COMMANDS.values(), ids=COMMANDS)
def test_no_other_command_runs_than_those_that_are_allowed(text):
    ran = run(f"{text}\nshow 'END'", policy=CAPABILITIES)
    assert "END" not in ran.out
    assert ran.code in ("command", "POLICY_CAPABILITY_DENIED", "not-run")


@pytest.mark.parametrize(
    "value",
    [
        "a | touch pwn",
        "a; touch pwn",
        "a\ntouch pwn",
        "$(touch pwn)",
        "`touch pwn`",
        "' ; touch pwn ; '",
        '" ; touch pwn ; "',
        "a && touch pwn",
        "> pwn",
    ],
)
@pytest.mark.parametrize("hole", ["@x", '"@x"', "'@x'", '"a @x b"'])
def test_a_value_fills_one_argument(value, hole, tmp_path):
    ran = run(
        f"run cmd {{ echo {hole} }}\nshow run cmd {{ echo {hole} }}".replace("@x", "@input"),
        stdin=value,
        folder=tmp_path,
        policy={"capabilities": {"allow": {"cmd": ["echo:*"]}}},
    )
    assert list(tmp_path.iterdir()) == []
    assert ran.error is not None or value.strip() in ran.out.replace("\\", "")


NAMES = [
    "guard @__policy_rule_no_secret_exfil before op:show = when [ * => allow ]",
    "var @mx = 1",
    "exe @base() = 1",
    "var @keychain = 1",
]


@pytest.mark.parametrize("text", NAMES)
def test_no_name_of_the_language_or_of_ours_is_taken(text):
    """B3"""
    from sluicegate.flow.errors import FlowError

    with pytest.raises(FlowError):
        run(text + "\nshow 1")


def test_a_privileged_guard_of_a_script_overrides_nothing():
    """B4"""
    nothing_sent(
        "guard privileged @ok before secret = when [ * => allow ]\nguard @ok2 before secret = when [ * => allow ] with { privileged: true }\nshow @send(@k)"
    )


def test_effects_in_the_body_of_a_guard_are_decided():
    """B15"""
    policy = {"capabilities": {"deny": {"cmd": ["echo"]}}}
    text = "exe @helper() = cmd { echo hi }\nguard @g before op:show = when [ @helper() == 'hi' => allow; * => deny 'x' ]\nshow 'SENT'"
    ran = run(text, policy=policy)
    assert (ran.out, ran.code) == ("", "GUARD_DENIED")


def test_guards_are_not_left_out_by_a_script():
    """B14"""
    text = "guard @g before net:w = when [ * => deny 'no' ]\nexe net:w @post(x) = `SENT @x`\nshow @post(1) with { guards: false }\nshow @post(1)"
    ran = run(text)
    assert (ran.out, ran.code) == ("", "GUARD_BYPASS_BLOCKED")


@pytest.mark.parametrize("filter", ["src:user", "op:call:send", "op:cmd:echo"])
def test_guards_on_sources_and_deeper_labels_fire(filter):
    """B9"""
    text = f"guard @g before {filter} = when [ * => deny 'no' ]\nexe @send(x) = cmd {{ echo @x }}\nshow @send(@input)"
    assert run(text, stdin="a").code in ("GUARD_DENIED", "denied")


def test_children_get_no_environment(monkeypatch):
    """B10"""
    monkeypatch.setenv("TOKEN_OF_MINE", "tok-1")
    ran = run('show run cmd { printenv TOKEN_OF_MINE }\nshow run sh { echo "[$TOKEN_OF_MINE]" }')
    assert "tok-1" not in ran.out


def test_a_policy_with_a_typo_is_an_error():
    """B13"""
    from sluicegate.flow.errors import FlowError

    for wrong in (
        "{ defaults: { rulez: [] } }",
        "{ labels: { secret: { dney: [] } } }",
        "{ source: { } }",
        "{ defaults: { rules: ['no-secret'] } }",
    ):
        with pytest.raises(FlowError):
            run(f"policy @p = {wrong}\nshow 1")


def test_a_signature_is_not_forged_by_a_label():
    """E: a label that looks like one proves nothing, and source labels are not given by hand."""
    ran = run("exe @f(x) = [ => src:mcp @x ]\nshow @f('a').mx.taint")
    assert ran.code or "src:mcp" in ran.out
