"""What holds for all scripts: secrets do not show, nothing crashes, no bound is passed.

Scripts are made of a few names and all constructs that have a value or an effect.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from script_runs import run

from sluicegate.script.evaluate.budget import RunBudget

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
    )


SIMPLE = st.one_of(
    EXPRESSIONS.map(lambda v: f"show {v}"),
    EXPRESSIONS.map(lambda v: f"log {v}"),
    EXPRESSIONS.map(lambda v: f"output {v} to stdout"),
    EXPRESSIONS.map(lambda v: f"@send({v})"),
    EXPRESSIONS.map(lambda v: f"show @id({v}).mx.labels"),
)
SCRIPTS = st.lists(st.recursive(SIMPLE, statements, max_leaves=4), min_size=1, max_size=4)


def seen(text, secret):
    """What somebody sees who may not see secrets: output, log, what is told at the end, and how it ended."""
    ran = run(text, policy=HIDE, stdin=secret, budget=RunBudget(steps=20_000))
    return ran.out, ran.log, ran.told, ran.code, str(ran.error)


SOME = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SOME
@given(SCRIPTS, st.sampled_from(SECRETS), st.sampled_from(SECRETS))
def test_what_is_seen_does_not_depend_on_a_secret(lines, one, other):
    """The secret has the label of standard input besides, which nothing forbids to show."""
    text = HEAD + "\n".join(lines)
    assert seen(text, one) == seen(text, other)


@SOME
@given(SCRIPTS, st.sampled_from(SECRETS))
def test_no_script_ends_otherwise_than_it_may(lines, stdin):
    """Errors of ours alone, and within the bounds. Without a policy everything may be seen."""
    ran = run(HEAD + "\n".join(lines), stdin=stdin, budget=RunBudget(steps=2_000))
    assert ran.run.budget.calls == 0
