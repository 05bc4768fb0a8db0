"""Labels go with values through everything, and what is tried with them is decided by them."""

import pytest
from script_runs import run

NO_EXFIL = {"defaults": {"rules": ["no-secret-exfil"]}}
HIDE = {"labels": {"secret": {"deny": ["op:show", "op:output", "op:log", "op:return", "op:stream"]}}}
BEFORE = "var secret @k = 'sk-1'\nexe exfil @send(d) = `sent @d`\nexe @id(x) = @x\nvar @list = [@k]\nvar @object = { a: @k }\n"

SECRET = [
    "@k", "`a @k`", "@k.toUpperCase()", "@k[0]", "@k.slice(1)", "@k | upper", "@k + 'a'", "@k == 'a'", "!@k", "@k ?? 'a'",
    "@k || 'a'", "@k && 'a'", "'a' && @k", "@k ? 1 : 2", "[@k]", "{ a: @k }", "{ a: 1, b: @k }.b", "[1, @k][1]", "@id(@k)",
    "when [ @k == 'a' => 1; * => 2 ]", "when [ @k == 'a' => 1 ]", "{ 'sk-1': 1 }[@k]", "for @v in [@k] => @v", "'a'.includes(@k)",
    "for @c in @k.split('') => 'x'", "@k.mx.labels", "@k.nothing", "foreach @id([@k])", "new @id(@k)", "'a' ~= @k", "-@k.length",
    "@k.replace('s', 't')", "'x'.replace('x', @k)", "[...@list]", "{ ...@object }", "@object with { b: 1 }", "@k.startsWith('sk') && '1'", "if @k [ => 1 ]",
]  # fmt: skip


@pytest.mark.parametrize("value", SECRET)
def test_a_value_made_of_a_secret_is_secret(value):
    ran = run(f"{BEFORE}var @r = {value}\nshow @send(@r)", policy=NO_EXFIL)
    assert (ran.code, ran.out) == ("POLICY_LABEL_FLOW_DENIED", "")


def test_a_field_beside_a_secret_is_not():
    ran = run(
        f"{BEFORE}var @o = {{ a: 1, k: @k, l: [@k, 2] }}\nshow @send(@o.a)\nshow @send(@o.l[1])",
        policy=NO_EXFIL,
    )
    assert (ran.error, ran.out) == (None, "sent 1\nsent 2\n")


REACHES = [
    "@send(@k)", "@k | @send", "foreach @send([@k])", "for @i in [@k] => @send(@i)", "@w(@k)", "@b(@k)", "@p()", "run @send(@k)",
    "@ns.send(@k)", "'x' | @second(@k)", "@closed()", "(true ? @send : @id)(@k)", "when [ @k.length > 0 => @send('x') ]",
    "[@k].length > 0 && @send(@k)",
]  # fmt: skip


@pytest.mark.parametrize("call", REACHES)
def test_no_way_of_calling_is_a_way_around(call):
    """Whether it is refused by an exception or by a result that failed, nothing is shown that says it was sent."""
    more = (
        "exe @w(y) = @send(@y)\nexe @b(y) = [ let @z = @send(@y)\n => @z ]\nvar @p = new @send(@k)\nvar @ns = { send: @send }\n"
        "exe @second(x, y) = @send(@y)\nexe exfil @closed() = `s @k`\n"
    )
    ran = run(f"{BEFORE}{more}var @r = {call}\nshow @r", policy=NO_EXFIL)
    assert "sent" not in ran.out
    assert "s sk-1" not in ran.out
    assert ran.code or ran.told


EFFECTS = [
    "show @k", "show `x @k`", "log @k", "stream @k", "output @k to stdout", "=> @k", "if @k [ show 'x' ]",
    "when @k => show 'x'", "for @c in @k.split('') => show 'x'", "@k && @say()", "exe @f(x) = [ show 'x' ]\n@f(@k)",
    "exe @f(x) = [ if @x [ => 1 ]\n show 'x' ]\n@f(@k)", "if @k == 'a' [ => 1 ]\nshow 'x'", "show @k.length",
    "exe @f(x) = when [ denied => 'was denied'; * => @show(@x) ]\nexe @show(x) = [ show @x ]\nshow @f(@k)",
    "if @k == 'b' [ var @y = 1 ]\nshow @y", "when @k [ 'sk-1' => show 'x'; * => show 'y' ]",
]  # fmt: skip


@pytest.mark.parametrize("effect", EFFECTS)
def test_no_effect_tells_of_a_secret(effect):
    ran = run(f"var secret @k = 'sk-1'\nexe @say() = [ show 'x' ]\n{effect}", policy=HIDE)
    assert (ran.out, ran.told) == ("", [])
    assert "sk-1" not in ran.log
    assert "x" not in ran.log.split()


def test_a_denial_is_handled_where_the_script_says_so():
    text = (
        BEFORE
        + "exe @try(d) = when [\n denied => `no: @mx.guard.code`\n * => @send(@d)\n]\nshow @try('a')\nshow @try(@k)"
    )
    ran = run(text, policy=NO_EXFIL)
    assert (ran.error, ran.out.splitlines()[0]) == (None, "sent a")
    assert ran.out.splitlines()[1].startswith("no: ")


def test_what_was_denied_to_a_caller_was_not_denied_to_what_it_calls():
    text = "exe @inner(x) = when [ denied => 'wrong'; * => @x ]\nexe exfil @send(d) = when [ denied => @inner('right'); * => @d ]\n"
    ran = run(f"var secret @k = 'a'\n{text}show @send(@k)", policy=NO_EXFIL)
    assert (ran.error, ran.out) == (None, "right\n")


def test_a_denial_is_handled_by_whichever_way_it_comes():
    """As a value that failed, which is opened in a branch that has its labels."""
    text = "exe @look(x) = when [ denied => 'seen'; * => @x.a ]\nexe exfil @no() = `s @k`\nshow @look(@k && @no())"
    ran = run(f"var secret @k = 'a'\n{text}", policy=NO_EXFIL)
    assert (ran.error, ran.out) == (None, "seen\n")


def test_labels_are_not_taken_away():
    for change in ("!secret @k", "trusted! @k", "clear! @k"):
        assert run(f"var secret @k = 'a'\n=> {change}").code == "LABEL_PRIVILEGE_REQUIRED"
    ran = run("exe @mark(x) = [ => pii,internal @x ]\nshow @mark('a').mx.labels")
    assert ran.out == '["internal", "pii"]\n'


def test_what_stands_on_standard_input_is_the_users():
    assert run("show @input.mx.taint", stdin="x").out == '["src:user"]\n'


def test_a_failure_in_a_secret_branch_ends_nothing_and_is_told_where_it_may_be():
    text = "var secret @k = 'a'\nif @k [ show @k.foo.bar ]\nshow 'after'"
    assert run(text).out == "after\n"
    assert run(text, policy=HIDE).told == []


def test_a_call_that_is_denied_is_handled_by_its_own_body():
    text = "var secret @k = 'a'\nexe exfil @send(d) = when [ denied => `no @mx.guard.code`; * => @d ]\nshow @send('a')\nshow @send(@k)"
    ran = run(text, policy=NO_EXFIL)
    assert (ran.error, ran.out) == (None, "a\nno POLICY_LABEL_FLOW_DENIED\n")


RETURNS = [
    "show when [ * => [ if @k == 'a' [ => @p ] ] ]", "show (when [ * => [ if @k == 'a' [ => 1 ] ] ]).mx.labels", "show @f(@p)", "show @g(@p)",
    "var @r = if @k == 'a' [ => @p ] else [ => 2 ]\nshow @r", "show for @i in [1] => [ if @k == 'a' [ => @p ] ]",
    "if @l == 'a' [ if @k == 'a' [ => 1 ] ]\nshow 'after'", "if @l == 'a' [ if @k == 'b' [ => 1 ] else [ if @l [ => 2 ] ] ]\nshow 'after'",
    "when [ * => [ if @k == 'a' [ => 1 ]\n var @z = @p ] ]\nshow @z", "for @i in [1] [ if @k == 'a' [ => 1 ]\n var @z = @p ]\nshow @z",
    "var @r = if @l == 'a' [ if @k == 'a' [ => 1 ]\n var @z = @p ]\nshow @z",
    "when [ denied => [ var @z = @p\n let @y = 1 ]\n * => @k == 'a' && @no() ]\nshow @z",
    "when [ denied => [ var @z = @p\n let @y = 1 ]\n @k == 'a' => @no() ]\nshow @z",
    "var @r = @k == 'a' ? (if true [ var @z = @p ]) : 0\nshow @z", "var @r = @k == 'a' && (if true [ var @z = @p ])\nshow @z",
]  # fmt: skip
BLOCKS = """var secret @k = @input
var pii @l = 'a'
var @p = 'P'
exe @f(x) = [ let secret @j = 'a'
 if @j == @p [ => 1 ]
 => @x ]
exe @g(x) = [ let secret @j = 'a'
 if @j == @p [ => @x ] ]
exe @no() = [ show @k ]
"""


@pytest.mark.parametrize("line", RETURNS)
def test_whether_a_block_has_returned_tells_of_what_it_returned_by(line):
    """What it gives, what it gives names to, and what follows it, where it ends the function."""
    for stdin in ("a", "b"):
        assert run(BLOCKS + line, policy=HIDE, stdin=stdin).out == ""


def test_what_a_script_returns_is_text():
    for value, text in (
        ("null", ""),
        ("true", "true"),
        ("[1, { a: null }]", '[1, {"a": null}]'),
        ("'a'", "a"),
    ):
        assert run(f"=> {value}").out == f"{text}\n"
