"""What scripts give: values, operators, methods, functions, loops, and the errors that end them."""

import pytest
from script_runs import run

from sluicegate.script.evaluate.budget import RunBudget
from sluicegate.script.evaluate.faults import place_of

GIVES = [
    ("show 'a'", "a"),
    ('var @x = "b"\nshow "a @x"\nshow `a @x.length`\nshow \'a @x\'\nshow "a\\@x u@x.example"', "a b\na 1\na @x\na@x u@x.example"),
    ('var @z = { z: null }\nvar @o = { a: [1, { b: "c" }], "x-y": true, ...@z }\nshow @o.a[1].b\nshow @o["x-y"]\nshow @o.z\nshow @o.q', "c\ntrue\n\n"),
    ("var @l = [2, 3]\nshow [1, ...@l, 'a']\nshow { sh, network }", '[1, 2, 3, "a"]\n{"sh": true, "network": true}'),
    ("show 1 + 2 * 3 - 4 / 2\nshow 7 / 2\nshow 7 % 4\nshow -3\nshow 'a' + 1\nshow [1] + [2]", "5\n3.5\n3\n-3\na1\n[1, 2]"),
    ("show 1 == 1.0\nshow true == 1\nshow [1] == [1]\nshow 'a' < 'b'\nshow 'abc' ~= 'bc'\nshow 'abc' !~= /^b/", "true\nfalse\ntrue\ntrue\ntrue\ntrue"),
    ("show null ?? 'd'\nshow '' || 'e'\nshow 'a' && 'b'\nshow !0\nshow 1 > 2 ? 'y' : 'n'", "d\ne\nb\ntrue\nn"),
    ("var @o = { a: 1 }\nvar @p = @o with { b: 2 }\nshow @p", '{"a": 1, "b": 2}'),
    ("var @n = null\nshow @n?.a\nshow @n.isDefined()\nshow 'x'.isDefined()", "\nfalse\ntrue"),
    ("show ' a,b '.trim().split(',').reverse().join('-')", "b-a"),
    ("show 'abc'.slice(1)\nshow 'abc'.substring(2, 0)\nshow 'abc'.indexOf('c')\nshow 'a'.concat('b', 1)", "bc\nab\n2\nab1"),
    ("show { a: 1 }.keys()\nshow { a: 1 }.entries()\nshow [[1], 2].flat()\nshow 'ab'.repeat(2)", '["a"]\n[["a", 1]]\n[1, 2]\nabab'),
    ("show 'aXbX'.replace('X', '-')\nshow 'aXbX'.replaceAll('X', '-')", "a-bX\na-b-"),
    ("show 'k=v'.replace(/(\\w)=(\\w)/, '$2=$1')\nshow 'aab'.match(/a+/)\nshow 'a1b22'.match(/\\d+/g)\nshow 'a'.match(/b/)", 'v=k\n["aa"]\n["1", "22"]\n'),
    ("show 'b a' | upper\nshow '[2,1]' | parse | sort | json\nshow ['a','a'] | unique\nshow 'a b' | urlencode", 'B A\n[\n  1,\n  2\n]\n["a"]\na%20b'),
    ("show 'hi' | base64encode | base64decode", "hi"),
    ("var @j = '{\"a\": {\"b\": 1}}'\nshow @j.a.b", "1"),
    ("exe @f(a, b) = `@a-@b`\nshow @f(1, 2)\nshow 3 | @f(4)\nshow @f(5)", "1-2\n3-4\n5-"),
    ("exe @f(x) = [ let @y = @x + 1\n => @y ]\nexe @g(x) = @f(@f(@x))\nshow @g(1)", "3"),
    ("exe @f(n) = when [ @n < 2 => @n; * => @f(@n - 1) + @f(@n - 2) ]\nshow @f(12)", "144"),
    ("exe @f(x) = [ if @x > 1 [ => 'big' ] else if @x == 1 [ => 'one' ]\n => 'small' ]\nshow foreach @f([0, 1, 2])", '["small", "one", "big"]'),
    ("exe @add(a, b) = @a + @b\nvar @inc = new @add(1)\nshow @inc(2)\nshow foreach @add([1, 2], [10, 20])", "3\n[11, 21, 12, 22]"),
    ("var @o = { f: 1 }\nexe @f() = 2\nvar @ns = { f: @f }\nshow @ns.f()", "2"),
    ("var @x = 2\nvar @w = when @x [ 1 => 'one'; 2 => 'two'; * => 'more' ]\nshow @w\nwhen @x == 2 => show 'yes'", "two\nyes"),
    ("var @r = for @v in [1, 2] => @v * 2\nshow @r\nfor @k, @v in { a: 1 } => show `@k=@v`", "[2, 4]\na=1"),
    ("for @v in [1, 2] [ let @d = @v * 2\n show @d ]\nfor parallel(2) @v in [3] => show @v", "2\n4\n3"),
    ("show `@missing and @also.this`", "@missing and @also.this"),
    ("show @f(1)\nexe @f(x) = @x", "1"),
    ("output 'a' to stdout\noutput { a: 1 } to stdout as json\n=> 'last'", 'a\n{\n  "a": 1\n}\nlast'),
    ("stream 'a'\nstream 'b'", "ab"),
    ("show @input.trim()", "from stdin"),
    ("show [1,2,3].length\nshow 'abc'[1]\nshow [1,2][-1]\nshow [1][7]", "3\nb\n2\n"),
    ("if false [ var @v = 1 ]\nshow 1", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "out"), GIVES, ids=range(len(GIVES)))
def test_a_script_gives(text, out):
    ran = run(text, stdin=" from stdin ")
    assert (ran.error, ran.told) == (None, [])
    assert ran.out.rstrip("\n") == out.rstrip("\n")


FAILS = [
    ("show 1 + null", "wrong-type", "1 + null"),
    ("show 'a' - 1", "wrong-type", "'a' - 1"),
    ("show 1 / 0", "wrong-type", "1 / 0"),
    ("var @n = null\nshow @n.a.b", "no-such-field", "@n.a.b"),
    ("show 'a'.trimm()", "no-such-method", "'a'.trimm()"),
    ("show 'a'.split()", "bad-argument", "'a'.split()"),
    ("exe @f() = 1\nshow @f(1)", "bad-argument", "@f(1)"),
    ("var @x = 1\nshow @x(1)", "not-callable", "@x(1)"),
    ("show @x\nvar @x = 1", "used-early", "@x"),
    ("for @v in 3 => show @v", "wrong-type", "for @v in 3 => show @v"),
    ("show 'a'.match(/(?=a)/)", "bad-pattern", "/(?=a)/"),
    ("var @x = 'ls'\nrun @x", "not-run", "run @x"),
    ("show keychain.get('x')", "no-keychain", "keychain.get('x')"),
    ("show ...", "elided", "..."),
    ("show 'x' with { a: 1 }", "wrong-type", "'x' with { a: 1 }"),
    ("exe @f(n) = @f(@n + 1)\nshow @f(0)", "too-deep", None),
    ("exe @f(n) = [ let @a = [1,2,3,4,5,6,7,8,9,10]\n for @x in @a => @f(@n + 1) ]\nshow @f(0)", "too-deep", None),
    ("exe @d(x) = @x + @x\nvar @a = 'aaaaaaaaaaaaaaaa' | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d | @d"
     " | @d | @d | @d | @d | @d | @d | @d", "out-of-budget", None),
    ("show 'a'.repeat(99999999999)", "out-of-budget", None),
    ("var @n = 9223372036854775807\nshow @n * @n", "wrong-type", "@n * @n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "marked"), FAILS, ids=range(len(FAILS)))
def test_a_script_fails_with_its_place(text, code, marked):
    ran = run(text)
    assert ran.code == code
    place = place_of(ran.error)
    if marked is not None:
        assert place.source.text[place.start : place.end] == marked


def test_steps_are_counted():
    text = "var @a = [1,2,3,4,5,6,7,8,9,10]\nfor @x in @a => for @y in @a => for @z in @a => for @w in @a => @x\nshow 'end'"
    assert run(text, budget=RunBudget(steps=5_000)).code == "out-of-budget"
    assert run(text).out == "end\n"


def test_patterns_take_time_that_is_linear():
    """Backtracking would take 2^40 steps."""
    ran = run(
        "var @a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'\nshow @a.match(/^(a+)+$/)\nshow @a ~= /^(a|a)*$/"
    )
    assert (ran.error, ran.out) == (None, "\nfalse\n")


def test_values_are_counted_as_they_are_written_out():
    """A list that holds itself twice, thirty times over, has 2^30 parts wherever it is shown."""
    double = "exe @d(x) = [@x, @x]\nvar @a = 'a'" + " | @d" * 30 + "\nshow 'made'\nshow @a"
    assert run(double).code == "out-of-budget"
    deep = "exe @n(x) = [@x]\nvar @a = 'a'" + " | @n" * 250 + "\nshow @a"
    assert run(deep).code == "flow-error"
    for text in ("[" * 100_000, "[" * 150 + "]" * 150, '["[[[[",' * 300):
        assert run("show @input | parse | json", stdin=text).code in ("", "wrong-type", "failed")


NESTED = "(" * 90 + "@f(@n + 1)" + ")" * 90


@pytest.mark.parametrize(
    "body",
    [
        "@f(@n + 1)",
        NESTED,
        "[[[[@f(@n + 1)]]]]",
        "when [ @n >= 0 => @f(@n + 1) ]",
        "[ if true [ => @f(@n + 1) ]\n => 1 ]",
        "{ a: { b: @f(@n + 1) } }",
        "@n | @f",
        "`@f(@n)`",
    ],
)
@pytest.mark.parametrize("start", ["0", "@k"])
def test_no_depth_overflows_the_stack(body, start):
    ran = run(f"var secret @k = 1\nexe @f(n) = {body}\nshow @f({start})")
    assert ran.code or ran.told


AUTOSIGN = {"defaults": {"autosign": ["templates"]}, "sources": {"src:file": "trusted"}}


def test_a_function_that_is_a_template_is_signed_and_read_once(tmp_path):
    """What fills a hole is evaluated once; the words of a file are those that were verified, also when it is changed
    meanwhile. What comes from a file is signed by nobody by itself."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "t.att").write_text("Review @x {now}\n")
    text = """exe @says() = [ show "once"
  => "a" ]
var @v = `Look at @says()`
exe @f(x) = template "t.att"
exe @g(x) = `Review @x`
sign @g
show @f("b").trim()
show @g("c")
show [@of(verify @f), @of(verify @g), @of(verify @v)]
exe @of(found) = @found.verified
"""
    ran = run(text, policy=AUTOSIGN, folder=work, signer="mira")
    assert (ran.error, ran.told) == (None, [])
    assert ran.out.splitlines() == ["once", "Review b {now}", "Review c", "[false, true, true]"]
    changed = 'exe @f(x) = template "t.att"\nshow @f(1)\noutput "other" to "t.att"\nshow @f(2)'
    ran = run(changed, policy=AUTOSIGN, folder=work, signer="mira")
    assert ran.out == "Review 1 {now}\n\n"
    assert "with another text" in str(ran.error)


def test_a_pattern_of_names_gives_the_files_that_it_fits(tmp_path):
    for name in ("a.md", "b.md", ".hidden.md", "c.txt", "sub/d.md", "sub/*.md", "sub/deep/e.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# H\n{name}")
    (tmp_path / "out").symlink_to("/")
    gives = [
        ("for @f in <*.md> => @f.path", '["a.md", "b.md"]'),
        ("for @f in <?.*> => @f.content.split('\\n')[1]", '["a.md", "b.md", "c.txt"]'),
        ("for @f in <**/*.md # H> => @f.content.length", "[8, 8, 12, 12, 17]"),
        ("for @f in <**/deep/**> => @f.path", '["sub/deep/e.md"]'),
        ("for @f in <sub/@star?md> => @f.path", '["sub/*.md"]'),
        ("<none*>", "[]"),
        ("for @f in <./*/*.md> => @f.path", '["./sub/*.md", "./sub/d.md"]'),
    ]
    for text, out in gives:
        ran = run(f"var @star = '*'\nshow ({text})", folder=tmp_path)
        assert (ran.error, ran.told, ran.out) == (None, [], out + "\n"), text
    assert run("show <sub/*/../../a*>", folder=tmp_path).code == "bad-argument"
    assert run("output 'x' to <*.md>", folder=tmp_path).code == "bad-argument"
    assert run("show <nowhere/*>", folder=tmp_path).error is not None


def test_which_files_there_are_is_decided_and_labelled(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("a")
    denied = run("show <in/*.md>", folder=tmp_path, policy={"capabilities": {"deny": ["fs:r:./in/**"]}})
    assert denied.code == "POLICY_CAPABILITY_DENIED"
    ran = run(
        "for @f in <in/*.md> => show 'one'",
        folder=tmp_path,
        policy={"labels": {f"dir:{tmp_path}/in": {"deny": ["op:show"]}}},
    )
    assert (ran.out, ran.code) == ("", "POLICY_LABEL_FLOW_DENIED")
