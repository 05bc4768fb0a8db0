"""Texts that are passed over: nothing that is reported of a bundle may depend on whether they are run."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.pyflow import calls, interpreter, names
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models import tables as models
from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import (
    Parsed,
    Unparsed,
    parse,
    surely_shallow,
)
from sluicegate.vet.inspect.analyzers.pyflow.syntax.silent import Silence, code_of, is_loud, tokens
from sluicegate.vet.inspect.analyzers.python import PythonAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import Step, View

NO_BUNDLE = Bundle(name="x", root="", artifacts=(), gaps=(), anomalies=())
FENCE = (Step("fence"),)


def view_of(text: str, path: str = "SKILL.md", origin: tuple[Step, ...] = FENCE) -> View:
    data = text.encode("utf-8", "replace")
    artifact = Artifact(path=path, data=data, mode=0o644, kind=Kind.PYTHON)
    return View(artifact=artifact, text=text, language=Kind.PYTHON, origin=origin)


def inspect(views: tuple[View, ...], *, whole: bool = False) -> Inspected:
    """What is reported; ``whole`` runs every text."""
    with pytest.MonkeyPatch.context() as patch:
        if whole:
            patch.setattr(Silence, "covers", lambda self, view: False)
        return PythonAnalyzer().inspect(Subject(bundle=NO_BUNDLE, views=views))


def is_skipped(*views: View) -> list[bool]:
    silence = Silence(views)
    return [silence.covers(view) for view in views]


def forms_of(name: str) -> list[str]:
    """Programs that reach an outside name: in full, by alias, by its last part, by all of a module."""
    plain = name.replace("()", "")
    head, _, last = plain.rpartition(".")
    call = "('/tmp/a', 'b', data='c', url='https://x.example.com')"
    if not head:
        return [f"{name}{call}", f"f = {name}\nf{call}", f"import builtins as b\nb.{name}{call}"]
    top = name.partition(".")[0].removesuffix("()")
    return [
        f"import {top}\n{name}{call}",
        f"{name}{call}",
        f"import {head} as m\nm.{last}{call}\nmap(m.{last}, ['/tmp/a'])",
        f"from {head} import {last} as f\nf{call}",
        f"from {head} import *\n{last}{call}",
        f"import {head} as m\nclass A(m.{last}):\n    pass\nA{call}",
    ]


NAMES = sorted({*models.TABLE, *names.EXACT, *(f"{alias}.{rest}" for alias, head in names.HEADS.items()
    for name in models.TABLE if name.startswith(head + ".") for rest in [name[len(head) + 1 :]])})  # fmt: skip


def has_effect(text: str) -> bool:
    """Whether the program does anything beyond collecting."""
    outcome = interpreter.analyse((view_of(text, "run.py", ()),), 100_000).analysis
    effects = [hit for hit in outcome.hits.values() if hit.sink is not SinkKind.COLLECT]
    return bool(effects or outcome.capabilities or outcome.written)


def test_a_text_that_reaches_a_model_with_effect_is_loud() -> None:
    texts = [text for name in NAMES for text in forms_of(name)]
    assert [text for text in texts if not is_loud(tokens(text)) and has_effect(text)] == []


def calls_of(name: str) -> tuple[str, ...]:
    """Programs that call a method of this name."""
    return (
        f"def f(p):\n    p.{name}('/tmp/a', 'w', data='c')",
        f"'/tmp/a'.{name}('https://x.example.com', json={{}})",
        f"import walk\nfrom paths import {name} as g\nwalk.{name}('/tmp/a')\ng('/tmp/a')",
        f"x = p \\\n  . \\\n  {name}('/tmp/a', data='b')",
        f"(p. # why\n   {name}('/tmp/a', data='b'))",
        f"(p.\n   {name}('/tmp/a', data='b'))",
    )


def test_a_text_that_calls_a_method_with_effect_is_loud() -> None:
    def acts(text: str) -> bool:
        outcome = interpreter.analyse((view_of(text, "run.py", ()),), 100_000).analysis
        return bool(outcome.hits or outcome.capabilities)

    texts = [text for name in sorted(models.METHODS) for text in calls_of(name)]
    assert [text for text in texts if not is_loud(tokens(text)) and acts(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "eval(x)",
        "x = 1.\neval(x)",
        "import os\nos.environ['A']",
        "import os as o\nx = o\nx.environ",
        "from os import environ",
        "ｅｖａｌ(x)",
        "import ｏｓ\nos.ｓystem('x')",
        "import sys\nsys.modules['os']",
        "getattr(a, 'b')",
        "globals()['x']",
        "s.verify = False",
        "import pandas\npandas.read_csv('a')",
        "pd.read_excel('a')",
        "import boto3\nboto3.client('s3')",
        "from io import open as o\no('a')",
        "import posix\nposix.system('ls')",
        "import builtins\nbuiltins.exec('a')",
        "__builtins__.exec('a')",
    ],
)
def test_loud(text: str) -> None:
    assert is_loud(tokens(text))


@pytest.mark.parametrize(
    "text",
    [
        "import re\nre.compile('a')",
        "model.eval()",
        "print('x')",
        "import numpy as np\nnp.zeros(3).mean()",
        "d.get('a')",
        "x = 'ｅ…é – 中文'",
        "data = json.loads('{}')\nfor k in data.items():\n    print(k)",
    ],
)
def test_silent(text: str) -> None:
    assert not is_loud(tokens(text))
    assert is_skipped(view_of(text)) == [True]


def test_a_file_is_never_passed_over() -> None:
    assert is_skipped(view_of("print(1)", "run.py", ())) == [False]


def test_a_cell_of_a_notebook_is_never_passed_over() -> None:
    assert is_skipped(view_of("print(1)", "a.ipynb", (Step("cell"),))) == [False]


def test_fences_of_one_document_are_passed_over_together() -> None:
    quiet, loud = view_of("import requests as r"), view_of("r.get('https://x.example.com')")
    other = view_of("print(1)", "OTHER.md")
    assert is_skipped(quiet, loud, other) == [False, False, True]
    assert inspect((quiet, loud, other)).capabilities


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("scripts/send.py", "from send import send\nsend('a')"),
        ("scripts/send.py", "import scripts.send as s\ns.send('a')"),
        ("scripts/a.send.py", "import a.send as s\ns.send('a')"),
        ("scripts/__init__.py", "from . import scripts"),
        ("scripts/__init__.py", "from .. import *\nx('a')"),
        ("scripts/отправка.py", "import отправка as s\ns.go('a')"),
    ],
)
def test_a_fence_that_imports_a_module_of_the_bundle_is_run(path: str, text: str) -> None:
    module = view_of("import requests\ndef send(x): pass", path, ())
    assert is_skipped(module, view_of(text), view_of("print(1)", "B.md"))[:2] == [False, False]


def test_what_one_text_stores_and_another_runs_is_seen() -> None:
    stored = view_of("import base64\nx = base64.b64decode('cHJpbnQoMSk=')\nx.save('/tmp/a.sh')")
    run = view_of("import subprocess\nsubprocess.run(['bash', '/tmp/a.sh'])", "run.py", ())
    assert is_skipped(stored) == [True]
    assert is_skipped(stored, run) == [False, False]
    assert "python-write-then-run" in {match.rule for match in inspect((stored, run)).matches}


def test_a_limit_of_the_parser_is_a_gap_though_the_text_is_silent() -> None:
    deep = view_of("x = " + "(" * 300 + ")" * 300)
    assert is_skipped(deep) == [True]
    assert inspect((deep,)).gaps == inspect((deep,), whole=True).gaps != ()


@pytest.mark.parametrize("opened", ["(", "[", "f(", "a[", "{1:", "(1 if 1 else ", "(not ", "(a:=", "f(a="])
@pytest.mark.parametrize("sign", ["-", "~", "not ", "1**", "lambda:", "1 if 1 else ", "a.a.a.a.a.a.a.", "1+"])
def test_a_text_that_is_surely_shallow_stands_against_no_limit(opened: str, sign: str) -> None:
    closed = {"(": ")", "[": "]", "{": "}"}[next(c for c in opened if c in "([{")]
    head = "x = " + opened * 100
    room = 2_000 - len(head) - 101
    signs = sign * min(room // len(sign), 300)
    text = head + signs + "1" + closed * 100
    assert surely_shallow(text)
    outcome = parse(text)
    assert not isinstance(outcome, Unparsed) or not outcome.limit


LINES = (
    "import requests as r", "import os", "from os import *", "import numpy as np", "x = 'https://x.example.com'",
    "r.get(x)", "x = os", "x.environ", "y = x.environ.get('API_KEY')", "print(y)", "def f(a):\n    return a.run(y)",
    "f(x)", "x.post(url=y)", "k = open(x).read()", "k = 1.", "eval (k)", "k.eval()", "z = dict(a=k)", "z.save('/tmp/a')",
    "from mod import go", "go(k)", "import mod", "mod.go(x)", "class A(A):\n    def go(self, v): self.v = v",
    "A().go(k)", "e = exec", "e(k)", "k = [a for a in z]", "for a in k: z.update(a)", "y = ('a'", "print x",
    "x.verify = False", "s = x\ns.system(k)", "y = __import__(k)", "with k as y: y.write(x)", "r = x.Path(k)",
    "r.write_text(y)", "y = 'vmware' == x", "if y: exit()", "np.load(x, allow_pickle=True)", "from .mod import go",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES), min_size=1, max_size=5).map("\n".join)
BUNDLES = st.lists(
    st.builds(
        view_of,
        TEXTS,
        st.sampled_from(["SKILL.md", "A.md"]),
        st.just(FENCE),
    )
    | st.builds(view_of, TEXTS, st.just("mod.py"), st.just(())),
    min_size=1,
    max_size=5,
)


@settings(max_examples=300, deadline=None)
@given(BUNDLES)
def test_what_is_passed_over_changes_nothing(views: list[View]) -> None:
    assert inspect(tuple(views)) == inspect(tuple(views), whole=True)


IDENTIFIERS = st.text("aexʟｅ𝐞é_1²·.\\ \n#'", max_size=12)


@settings(max_examples=300, deadline=None)
@given(IDENTIFIERS)
def test_every_ascii_identifier_of_the_parser_is_a_token(text: str) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    found = tokens(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id.isascii():
            assert node.id in found
        elif isinstance(node, ast.Attribute) and node.attr.isascii():
            assert "." + node.attr in found


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # eval(x)",
        "# open the file\nprint(1)",
        "'''a # b\n c # exec the code\n'''",
        "x = (1, # getattr\r 2)",
    ],
)
def test_words_of_comments_are_not_loud(text: str) -> None:
    assert is_skipped(view_of(text)) == [True]


@pytest.mark.parametrize(
    "text",
    [
        "x = '#'; eval(x)",
        "x = 'a # b' + eval(x)",
        "f'''\n# {eval(x)}\n'''",
        "x = '''# a\n'''; eval(x)",
        "# a\reval(x)",
        "x = 'a # b\\\n' + eval(x)",
        "(p. # a\n # 'b'\n read_text())",
        "p.\0read_text()",
        "(p.\n>>> read_text())",
        "(p.\n>>> # a\n>>> read_text())",
        "(p.\nIn [2]: read_text())",
        "(p.\n!ls\nread_text())",
        "(p.\n%time\nread_text())",
    ],
)
def test_code_beside_a_number_sign_is_kept(text: str) -> None:
    assert is_loud(tokens(code_of(text)))


PIECES = st.lists(
    st.sampled_from(
        ["a", "b.c", " ", "\n", "\r", "\f", "#", "# d", "'", '"', "'''", '"""', "f'", 'f"""', "{", "}", "{a}", "\\", "=",
         "(", ")", ";", "print e", "if 1:", "    ", "%", ">>> ", ":", "b.", "\0", "!", "In [1]: ", "\n>>> ", "\n!d\n", "(b.", "c)"]
    ),
    max_size=16,
).map("".join)  # fmt: skip
AROUND = st.tuples(PIECES, st.sampled_from(["", "x = ", "f'''", "'''", "f'", "('"]), PIECES, st.sampled_from(
    ["", "\n", "'''", "'", "\na", "'\na", "'''\na", "'; a"]
)).map(lambda parts: parts[0] + "\n" + parts[1] + "# d" + parts[2] + parts[3])  # fmt: skip


@settings(max_examples=1_500, deadline=None)
@given(PIECES | AROUND)
@example("b.\0c")
@example("(b.\n>>> c)")
@example("(b.\nIn [1]: c)")
@example("(b.\n!d\nc)")
def test_every_identifier_that_can_be_saved_is_left_without_comments(text: str) -> None:
    outcome = parse(text)
    found = tokens(code_of(text))
    for node in ast.walk(outcome.tree) if isinstance(outcome, Parsed) else ():
        if isinstance(node, ast.Name) and node.id != "print":
            assert node.id in found
        elif isinstance(node, ast.Attribute):
            assert "." + node.attr in found


CALLS = ("x = f(a, *b, k=a)", "y = os.getenv('API_KEY')", "a = len(y)", "print(y, sep=a)", "b = unknown.go(y, **a)",
    "a.append(y)", "b = x.get('a', y)", "requests.post('https://x.example.com', data=[a, b, x, y])", "f = len",
    "f = os.system if a else len", "g = lambda p: q(p)", "a = map(g, y)", "pool.submit(g, y)", "t = Thread(target=g, args=[y])",
    "a = paramiko.SSHClient(y)", "a.exec_command(y)", "import paramiko, requests, os", "h = y.strip().isoformat()",
    "a = h.when(y)", "b = json.dumps({'a': y, 'b': a})", "f(b)", "x = (a.b)(y)", "y = hash(y) or str(a)")  # fmt: skip


SENT = "requests.post('https://x.example.com', data=[a, b, x, y])"


def _said(analysis: Analysis) -> list[object]:
    return [(key, [getattr(hit, name) for name in Hit.__slots__]) for key, hit in analysis.hits.items()]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(CALLS), min_size=2, max_size=9).map(lambda lines: "\n".join([*lines, SENT])))
@example(f"import demo\ny = demo.go(k=os.getenv('B_TOKEN'))\n{SENT}")
@example(f"y = v.go(os.getenv('B_TOKEN'))\n{SENT}")
def test_a_call_on_the_short_way_gives_the_same(text: str) -> None:
    view = view_of(text, "run.py", ())
    outcome = interpreter.analyse((view,), 100_000).analysis
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls, "called", calls.invoke)
        slow = interpreter.analyse((view,), 100_000).analysis
    assert _said(outcome) == _said(slow)
    assert outcome.capabilities == slow.capabilities
    assert outcome.sites.table == slow.sites.table
