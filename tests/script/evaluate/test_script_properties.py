"""What holds for all scripts: secrets do not show, nothing crashes, no bound is passed.

Scripts are made of a few names and all constructs that have a value or an effect.
"""

import tracemalloc

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from script_runs import run

from sluicegate.flow.errors import FlowError
from sluicegate.script.evaluate.budget import RunBudget
from sluicegate.script.evaluate.program import Unreadable

HIDE = {"labels": {"secret": {"deny": ["op:show", "op:output", "op:log", "op:return", "op:stream"]}}}
SECRETS = ("", "a", "sk-12", "[1, 2]", '{"a": {"b": 1}}', "5", "zzzzzzzzzzzz")
HEAD = """var secret @k = @input
var @o = { a: 1, k: @k, l: [@k, "b"] }
var @p = "a"
exe @id(x) = @x
exe @pick(x, y) = when [ @x == "a" => @y; * => @x ]
exe net:w @send(d) = `sent @d`
exe @early(x) = [ if @x == "a" [ => 1 ]
  show "early"
  => 2 ]
exe @try(x) = when [ denied => "denied"; * => @shown(@x) ]
exe @shown(x) = [ show @x
  => "done" ]
exe @closed() = `c @k`
exe @late(x) = [ let @y = for @i in [@x] => [ if @i == "a" [ => "in" ] ]
  => [@y, "out"] ]
exe risky @guarded(x) = `g @x`
exe llm @model(x) = `m @x`
var @part = new @pick(@k)
guard @watch before risky = when [ @input == "a" => deny "no a"; @input == "b" => allow "B"; * => allow ]
guard @again after llm = when [ @output == "m a" && @mx.guard.try < 2 => retry "again"; * => allow ]
guard @told before op:log = when [ @input.mx.labels.includes("secret") => deny "hidden"; * => allow ]
"""

LEAVES = st.sampled_from(
    [
        "@k",
        "@p",
        "@o",
        "@o.a",
        "@o.k",
        "@o.l",
        "@o.l[1]",
        "1",
        "0",
        '"a"',
        "'b'",
        "null",
        "true",
        "[]",
        "[1, 2]",
        "{ a: 1 }",
        "`x @k`",
        "@k.length",
    ]
)


METHODS = st.sampled_from(
    ["trim()", "toUpperCase()", "split('')", "join('-')", "indexOf('a')", "keys()", "values()", "entries()", "concat('x')", "reverse()",
     "replace('a', 'b')", "match(/a/)", "substring(0, 1)", "startsWith('a')", "isDefined()", "toString()", "repeat(2)", "sort()"]
)  # fmt: skip
STAGES = st.sampled_from(
    [
        "json",
        "parse",
        "lower",
        "trim",
        "lines",
        "unique",
        "sort",
        "base64encode",
        "urlencode",
        "@pick('x')",
        "@late",
    ]
)


def deeper(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: f"({p[0]} == {p[1]})"),
        pair.map(lambda p: f"({p[0]} + {p[1]})"),
        pair.map(lambda p: f"({p[0]} && {p[1]})"),
        pair.map(lambda p: f"({p[0]} || {p[1]})"),
        pair.map(lambda p: f"({p[0]} ?? {p[1]})"),
        pair.map(lambda p: f"({p[0]} < {p[1]})"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} ? {p[1]} : {p[2]})"),
        inner.map(lambda v: f"(!{v})"),
        inner.map(lambda v: f"[{v}, 1]"),
        inner.map(lambda v: f"{{ a: {v}, b: 2 }}"),
        pair.map(lambda p: f"[{p[0]}, 'z'][{p[1]}]"),
        inner.map(lambda v: f"{{ a: 1, b: {v} }}.b"),
        inner.map(lambda v: f"({v} | json)"),
        inner.map(lambda v: f"({v} | @id | upper)"),
        inner.map(lambda v: f"@id({v})"),
        pair.map(lambda p: f"@pick({p[0]}, {p[1]})"),
        inner.map(lambda v: f"@send({v})"),
        inner.map(lambda v: f"@early({v})"),
        inner.map(lambda v: f"@try({v})"),
        pair.map(lambda p: f"@id({p[0]}).includes({p[1]})"),
        inner.map(lambda v: f"@id({v}).slice(1)"),
        inner.map(lambda v: f"@id({v}).mx.taint"),
        pair.map(lambda p: f"(when [ ({p[0]}) => {p[1]}; * => 'none' ])"),
        pair.map(lambda p: f"(for @i in [{p[0]}] => {p[1]})"),
        inner.map(lambda v: f"(foreach @id([{v}]))"),
        inner.map(lambda v: f"@id({v}).a.b"),
        inner.map(lambda v: f"@id({v})?.a"),
        st.just("@closed()"),
        inner.map(lambda v: f"@late({v})"),
        inner.map(lambda v: f"@guarded({v})"),
        inner.map(lambda v: f"@model({v})"),
        inner.map(lambda v: f"@part({v})"),
        pair.map(lambda p: f"({p[0]} ? @id : @send)({p[1]})"),
        inner.map(lambda v: f"(foreach @part([{v}]))"),
        pair.map(lambda p: f"(for parallel @i in [{p[0]}, {p[1]}] => @i)"),
        inner.map(lambda v: f"(for @n, @i in {{ a: 1, b: {v} }} => @n)"),
        pair.map(lambda p: f"(if ({p[0]}) [ => {p[1]} ])"),
        st.tuples(inner, inner, inner).map(lambda p: f"(if ({p[0]}) [ => {p[1]} ] else [ => {p[2]} ])"),
        pair.map(lambda p: f"(when [ * => [ if ({p[0]}) [ => {p[1]} ]\n show 'on' ] ])"),
        st.tuples(inner, inner, inner).map(lambda p: f"(when {p[0]} [ 'a' => {p[1]}; * => {p[2]} ])"),
        pair.map(lambda p: f"(when [ denied => {p[0]}; * => @shown({p[1]}) ])"),
        st.tuples(inner, METHODS).map(lambda p: f"@id({p[0]}).{p[1]}"),
        st.tuples(inner, STAGES).map(lambda p: f"({p[0]} | {p[1]})"),
        pair.map(lambda p: f"({p[0]} ~= {p[1]})"),
        inner.map(lambda v: f"[...@o.l, {v}]"),
        inner.map(lambda v: f"{{ ...@o, c: {v} }}"),
        inner.map(lambda v: f"(@o with {{ c: {v} }})"),
        inner.map(lambda v: f"(-{v})"),
        pair.map(lambda p: f"`@id({p[0]}) @o.k`"),
    )


EXPRESSIONS = st.recursive(LEAVES, deeper, max_leaves=6)


def statements(inner):
    block = st.lists(inner, min_size=1, max_size=3).map("\n".join)
    return st.one_of(
        st.tuples(EXPRESSIONS, block).map(lambda p: f"if ({p[0]}) [\n{p[1]}\n]"),
        st.tuples(EXPRESSIONS, block, block).map(lambda p: f"if ({p[0]}) [\n{p[1]}\n] else [\n{p[2]}\n]"),
        st.tuples(EXPRESSIONS, block).map(lambda p: f"for @i in ({p[0]}) [\n{p[1]}\n]"),
        st.tuples(EXPRESSIONS, EXPRESSIONS).map(lambda p: f"when ({p[0]}) => show {p[1]}"),
        st.tuples(EXPRESSIONS, EXPRESSIONS).map(lambda p: f"if ({p[0]}) [ => {p[1]} ]"),
        st.tuples(EXPRESSIONS, block).map(lambda p: f"when [ ({p[0]}) => [\n{p[1]}\n] ]"),
        st.tuples(EXPRESSIONS, block).map(lambda p: f"for parallel @i in [{p[0]}, 1] [\n{p[1]}\n]"),
        st.tuples(EXPRESSIONS, block, block).map(
            lambda p: f"if ({p[0]}) [\n{p[1]}\n] else if (@p == 'a') [\n{p[2]}\n]"
        ),
    )


SIMPLE = st.one_of(
    EXPRESSIONS.map(lambda v: f"show {v}"),
    EXPRESSIONS.map(lambda v: f"log {v}"),
    EXPRESSIONS.map(lambda v: f"output {v} to stdout"),
    EXPRESSIONS.map(lambda v: f"@send({v})"),
    EXPRESSIONS.map(lambda v: f"show @id({v}).mx.labels"),
    EXPRESSIONS.map(lambda v: f"stream {v}"),
    EXPRESSIONS.map(lambda v: f"var @v# = {v}"),
    EXPRESSIONS.map(lambda v: f"var pii @v# = {v}"),
    EXPRESSIONS.map(lambda v: f"let @w# = {v}"),
)
SCRIPTS = st.lists(st.recursive(SIMPLE, statements, max_leaves=4), min_size=1, max_size=4)


def whole(lines):
    """The script: each name once, and all that was given a name shown at the end."""
    count = 0
    pieces = "\n".join(lines).split("#")
    text = pieces[0]
    for piece in pieces[1:]:
        text, count = f"{text}{count}{piece}", count + 1
    shown = [f"show @v{at}" for at in range(count) if f"@v{at} " in text]
    return "\n".join([HEAD, text, *shown])


def seen(text, secret):
    """What somebody sees who may not see secrets: output, log, what is told at the end, and how it ended."""
    ran = run(text, policy=HIDE, stdin=secret, budget=RunBudget(steps=20_000))
    return ran.out, ran.log, ran.told, ran.code, str(ran.error)


SOME = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SOME
@given(SCRIPTS, st.sampled_from(SECRETS), st.sampled_from(SECRETS))
def test_what_is_seen_does_not_depend_on_a_secret(lines, one, other):
    """The secret has the label of standard input besides, which nothing forbids to show."""
    text = whole(lines)
    assert seen(text, one) == seen(text, other)


@SOME
@given(SCRIPTS, st.sampled_from(SECRETS))
def test_no_script_ends_otherwise_than_it_may(lines, stdin):
    """Errors of ours alone, and within the bounds. Without a policy everything may be seen."""
    ran = run(whole(lines), stdin=stdin, budget=RunBudget(steps=2_000))
    assert ran.run.budget.calls == 0


GROWS = st.sampled_from(
    [
        "exe @f(x) = @f([@x, @x])\nshow @f(1)",
        "exe @f(x) = `@x @x`\n"
        + "".join(f"var @a{n} = @f({f'@a{n - 1}' if n else chr(39) + 'ab' + chr(39)})\n" for n in range(40)),
        "exe @f(x) = @x.repeat(1000)\nshow @f(@f(@f(@f('ab')))).length",
        "exe @f(x) = for @i in @x => @x\nshow @f(@f(@f(@f(@f([1, 2, 3, 4, 5, 6, 7, 8])))))",
        "exe @f(x) = foreach @f([@x, @x])\nshow @f(1)",
        "exe @f(x) = when [ denied => @f(@x); * => @f(@x) ]\nshow @f(1)",
        "exe @f(x) = @x.replaceAll('', @x)\nshow @f(@f(@f(@f(@f('abcdefgh')))))",
        "show '" + "[" * 5000 + "'.a",
        "show " + "(" * 150 + "1" + ")" * 150,
        "show " + "!" * 3000 + "1",
        "var @x = 9007199254740993\nshow @x * @x * @x",
        "show [1].join('a'.repeat(9000000)) + 'b'.repeat(9000000)",
    ]
)


@settings(max_examples=12, deadline=None)
@given(GROWS, st.integers(0, 3_000), st.booleans())
def test_no_script_goes_past_its_budget(text, steps, secret):
    """Steps, memory and depth; with a secret around it as well, which no error leaves."""
    if secret:
        text = f"var secret @k = 'a'\nif @k [ var @unused = 1 ]\n{text}"
    budget = RunBudget(steps=steps, size=200_000)
    tracemalloc.start()
    try:
        run(text, budget=budget)
    except Unreadable:
        return
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 40_000_000
    assert budget.steps >= -1
    assert (budget.calls, budget.depth) == (0, 0)


PIECES = st.sampled_from(
    [*"@[](){}=|&!?:;,.\"'`*<>~+-/%#\\\n\t ", "=>", "||", "&&", "??", "...", "::", "var ", "show ", "exe ", "when ", "if ", "for ",
     "in ", "@a", "@k", "secret ", "cmd { ", "run ", "guard ", "policy ", "import ", "/* ", "// ", "\u202e", "\0", "\ud83d", "\r"]
)  # fmt: skip


@SOME
@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_text_is_a_crash(text):
    """Whatever a file holds is read, or its errors are told; what is read runs, or ends in an error of ours."""
    try:
        ran = run(
            text, budget=RunBudget(steps=500), policy={"capabilities": {"deny": ["cmd", "fs", "network"]}}
        )
    except FlowError:
        return
    assert ran.run.budget.calls == 0
