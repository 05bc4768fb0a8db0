import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_samples import derive, lines, one, texts

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.evaluate.constants import fold
from sluicegate.vet.intake.views.evaluate.folding import ConstantFolder
from sluicegate.vet.intake.views.programs.shell import splice


@pytest.mark.parametrize(
    "expression",
    [
        '"cu" + "rl x"', "'cu' 'rl x'", '"".join(["c", "url", " x"])', "'x lruc'[::-1]", "''.join(reversed('x lruc'))",
        "chr(99) + chr(117) + 'rl x'", "''.join(chr(c) for c in [99, 117, 114, 108, 32, 120])", "''.join(map(chr, [99,117,114,108,32,120]))",
        "''.join([chr(c ^ 1) for c in [98, 116, 115, 109, 33, 121]])", "bytes([99,117,114,108,32,120]).decode()", "base64.b64decode('Y3VybCB4').decode()",
        "b64decode(b'Y3VybCB4')", "bytes.fromhex('6375726c2078').decode('utf-8')", "codecs.decode('phey k', 'rot13')", "'%s%s x' % ('cu', 'rl')",
        "'{}{} x'.format('cu', 'rl')", "'{1}{0} x'.format('rl', 'cu')", "f\"{'cu'}{'rl'} x\"", "'c_url x'.replace('_', '')", "('cu' + ('rl' + ' x'))",
        "zlib.decompress(base64.b64decode('eJxLLi3KUagAAAhlAk8=')).decode()", "a + b + ' x'", "f'{a}{b} x'", "'\\x63url' + ' x'",
    ],
)  # fmt: skip
def test_python_constants_are_folded(expression: str) -> None:
    text = f"import os\na = 'cu'\nb = 'rl'\nos.system({expression})\n"
    folded = fold(text, python=True)
    assert folded is not None
    assert folded.split("\n")[3] in ('os.system("curl x")', 'os.system(b"curl x")')


@pytest.mark.parametrize(
    "expression",
    [
        "'cu' + 'rl x'", "['c','url',' x'].join('')", "`${a}${b} x`", "String.fromCharCode(99,117,114,108,32,120)", "atob('Y3VybCB4')",
        "Buffer.from('Y3VybCB4', 'base64').toString()", "Buffer.from('6375726c2078','hex').toString('utf8')", "'x lruc'.split('').reverse().join('')",
        "a + b + ' x'", "a.concat(b, ' x')", "'c_url x'.replace(/_/, '') + '' || 'cu'.concat('rl x')", "unescape('%63url x')", "decodeURIComponent('curl%20x')",
    ],
)  # fmt: skip
def test_script_constants_are_folded(expression: str) -> None:
    folded = fold(f"const a = 'cu'; let b = 'rl';\nexec({expression})\n", python=False)
    assert folded is not None
    assert '"curl x"' in folded.split("\n")[1]


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a' + y\n",
        "print('hello', 'there')\n",
        "x = a + b\n",
        "d = {'a': 1, 'b': [1, 2]}\n",
        "x = 1 + 2\n",
        "s = '''doc'''\n",
        "f(a='x', b='y')\n",
        "x = ('one, '\n     'two')\n",
    ],
)
def test_nothing_to_fold(text: str) -> None:
    assert fold(text, python=True) is None


def test_names_that_change_are_not_constants() -> None:
    text = "a = 'cu'\na = 'xx'\nb = 'rl'\nb += 'y'\nfor c in d: pass\nos.system(a + b)\n"
    assert fold(text, python=True) is None


def test_folding_keeps_lines_and_works_in_broken_programs() -> None:
    text = "def f(:\n  x = ('cu'\n   + 'rl'\n   + ' x')\n  os.system(x)\n  y = ('a' +\n'bcd')\n"
    view = one(text, "folded", Kind.PYTHON, "a.py")
    assert view.text.count("\n") == text.count("\n")
    assert '"curl x"' in view.text
    assert view.artifact_lines(view.text.index("os.system"), view.text.index("os.system") + 4) == (5, 5)


def test_folding_effort_grows_with_the_text() -> None:
    def effort(unit: str, times: int) -> int:
        folder = ConstantFolder(unit * times, python=True)
        full = folder.effort
        for at in range(len(folder.text)):
            folder.expression(at)
        return full - folder.effort

    for unit in ('("a"+', '["a",', "chr(", '"%s"%', '"".join(["a",'):
        assert effort(unit, 160) < 3 * effort(unit, 80) + 100


def test_too_many_constants_are_a_gap() -> None:
    views = derive("x = 'a' + y\n" * 70_000, Kind.PYTHON, "a.py")
    assert any("constants" in gap.detail for gap in views.gaps)


@pytest.mark.parametrize(
    ("script", "plain"),
    [
        ('c""url x', "curl x"), ("c''url x", "curl x"), ("c\\url x", "curl x"), ("\\curl x", "curl x"), ("'cu'rl x", "curl x"), ('"cu"\'rl\' x', "curl x"),
        ("$'\\x63url' x", "curl x"), ("a=cu;b=rl;$a$b x", "a=cu;b=rl;curl x"), ("a=cu\nb=rl\n${a}${b} x", "a=cu\nb=rl\ncurl x"),
        ("curl${IFS}x", "curl x"), ("curl$IFS$9x", "curl x"), ("{curl,-s,http://example.com}", "curl -s http://example.com"),
        ("x=acurl\n${x:1:4} y", "x=acurl\ncurl y"), ("U='http://example.com/a'\ncurl \"$U\"", "U='http://example.com/a'\ncurl \"http://example.com/a\""),
        ("curl \\\n  -s \\\n  x", "curl -s x"), ("cu\\\nrl x", "curl x"),
    ],
)  # fmt: skip
def test_shell_tricks_are_undone(script: str, plain: str) -> None:
    assert splice(script)[0] == plain


@pytest.mark.parametrize(
    "script",
    [
        "echo \"hello there\" 'x y'",
        "cp file.{js,ts} out",
        "grep 'a\\b' x # it's a comment",
        "for i in a b; do echo $i; done",
        'x="$(date)"; echo "$x"',
        "sed -e 's/a/b/' x",
    ],
)
def test_ordinary_scripts_stay(script: str) -> None:
    assert splice(script)[0] == script


def test_spliced_lines_are_those_of_the_script() -> None:
    view = one("# a\ncurl \\\n  -s \\\n  x\necho b\n", "spliced", Kind.SHELL, "a.sh")
    assert view.text == "# a\ncurl -s x\necho b\n"
    assert view.artifact_lines(view.text.index("-s"), view.text.index("-s") + 1) == (2, 4)
    assert view.artifact_lines(view.text.index("echo"), view.text.index("echo") + 1) == (5, 5)
    assert lines(view) == (1, 6)


def test_a_changed_variable_is_not_put_in_place() -> None:
    assert texts("a=x\na=y\necho $a\nread b\necho $b\n", "spliced", Kind.SHELL, "a.sh") == []


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab'\"\\$`{}()[],:+%#=\n ;.-rf/*&|<>"), max_size=150))
def test_folding_and_splicing_never_raise(text: str) -> None:
    for python in (True, False):
        folded = fold(text, python=python)
        assert folded is None or folded.count("\n") >= text.count("\n") - text.count("\\\n")
    splice(text)
