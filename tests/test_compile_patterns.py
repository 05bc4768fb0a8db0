"""Regular expressions that were compiled when the package was built are those that ``re.compile`` gives."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sluicegate import compile_patterns, patterns
from sluicegate.compile_patterns import content, every_pattern, write
from sluicegate.patterns import COMPILED, MADE_BY, compiled, lazy

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "skills"
SCAN = """
import atexit, json, pathlib, sys
from re import _compiler
from sluicegate import patterns
patterns.COMPILED = pathlib.Path(sys.argv.pop())
compile, taken = _compiler.compile, []
def compiling(pattern, flags=0):
    taken.append(str(pattern))
    return compile(pattern, flags)
_compiler.compile = compiling
atexit.register(lambda: sys.stderr.write(json.dumps(taken)))
from sluicegate.reach.cli.start import main
main()
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of all patterns."""
    place = tmp_path_factory.mktemp("patterns") / COMPILED.name
    assert write(place) > 1500
    assert [each.name for each in place.parent.iterdir()] == [place.name]
    return place


@pytest.fixture
def reading(monkeypatch):
    """Has the patterns of a file be read, and tells which ones were compiled nevertheless."""

    def read(place):
        monkeypatch.setattr(patterns, "COMPILED", place)
        patterns._file.cache_clear()
        made = []
        plain = re.compile
        monkeypatch.setattr(patterns.re, "compile", lambda *told: made.append(told) or plain(*told))
        return made

    yield read
    patterns._file.cache_clear()


def test_each_is_what_the_compiler_makes_of_it(whole, reading):
    made = reading(whole)
    some = every_pattern()[::7]
    found = [compiled(*each) for each in some]
    assert made == [], "every one is in the file"
    for each, (pattern, flags) in zip(found, some, strict=True):
        plain = re.compile(pattern, flags)  # two are equal when their code, flags and text are
        assert each == plain
        assert (each.groups, dict(each.groupindex)) == (plain.groups, dict(plain.groupindex))


def test_a_scan_compiles_almost_none(whole, tmp_path):
    command = [sys.executable, "-c", SCAN, "scan", str(EXAMPLES / "changelog-writer"), "-q", str(whole)]
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stderr)) <= 3, done.stderr


def test_the_same_patterns_give_the_same_bytes():
    some = [("(?P<a>x)|y", 0), (b"[a-z]+", re.IGNORECASE), ("\u017f", re.IGNORECASE), ("(?P<a>x)|y", re.S)]
    assert content([(text, int(flags)) for text, flags in some]) == content(
        [(text, int(flags)) for text, flags in reversed(some)]
    )


def test_those_of_one_checksum_are_told_apart(tmp_path, reading, monkeypatch):
    for module in (patterns, compile_patterns):
        monkeypatch.setattr(module, "checksum", lambda *_: 7)
    place = tmp_path / "some.patterns"
    place.write_bytes(content([("ab", 0), (b"ab", 0), ("ab", int(re.IGNORECASE)), ("a(?P<name>b)", 0)]))
    made = reading(place)
    assert compiled("ab").fullmatch("ab")
    assert compiled(b"ab").fullmatch(b"ab")
    assert compiled("ab", int(re.IGNORECASE)).fullmatch("AB")
    assert compiled("a(?P<name>b)").fullmatch("ab")["name"] == "b"
    assert made == []
    assert compiled("abc").fullmatch("abc")
    assert made[-1] == ("abc", 0)


@pytest.mark.parametrize("first", [b"", b"cpython-399 3990000 20990101 4 little\n", MADE_BY[:-1]])
def test_what_another_python_wrote_is_not_read(tmp_path, reading, first):
    place = tmp_path / "other.patterns"
    place.write_bytes(first + content([("ab+", 0)])[len(MADE_BY) :] if first else b"")
    made = reading(place)
    assert lazy("ab+").fullmatch("abb")
    assert made == [("ab+", 0)]


def test_without_the_file_every_pattern_is_compiled(tmp_path, reading):
    made = reading(tmp_path / "none")
    assert lazy("ab+").sub("x", "cabb") == "cx"
    assert made == [("ab+", 0)]
