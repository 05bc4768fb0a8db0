"""Named tuples that are quick to make are the named tuples of ``typing`` in all that they do."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
import typing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sluicegate
from sluicegate.tuples import NamedTuple

SOURCE = Path(sluicegate.__file__).parent


class Quick(NamedTuple):
    """Two fields, one with a default."""

    name: str
    size: int = 3

    @property
    def twice(self) -> int:
        return 2 * self.size


class Usual(typing.NamedTuple):
    """Two fields, one with a default."""

    name: str
    size: int = 3

    @property
    def twice(self) -> int:
        return 2 * self.size


class Below(Quick):
    """A class below one is a class as any other."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "below " + super().__repr__()


class Empty(NamedTuple):
    pass


VALUES = st.tuples(st.text(), st.integers()) | st.tuples(st.text())


@given(VALUES, VALUES)
def test_values_are_those_of_typing(one: tuple[str, int], other: tuple[str, int]) -> None:
    quick, usual = Quick(*one), Usual(*one)
    assert quick == usual == tuple(usual)
    assert hash(quick) == hash(usual)
    assert (quick < Quick(*other)) == (usual < Usual(*other))
    assert repr(quick) == repr(usual).replace("Usual", "Quick")
    assert quick._asdict() == usual._asdict()
    assert quick._replace(name="x") == usual._replace(name="x")
    assert Quick._make(usual) == usual
    assert Quick(**usual._asdict()) == usual
    assert (quick.name, quick.size, quick.twice) == (usual.name, usual.size, usual.twice)
    assert pickle.loads(pickle.dumps(quick)) == copy.deepcopy(quick) == quick
    assert type(pickle.loads(pickle.dumps(quick))) is type(quick._replace(size=0)) is Quick
    assert msgspec.json.decode(msgspec.json.encode(quick), type=Quick) == quick


def test_a_class_says_the_same_of_itself() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__", "__slots__"):
        assert getattr(Quick, name) == getattr(Usual, name), name
    assert typing.get_type_hints(Quick) == typing.get_type_hints(Usual) == {"name": str, "size": int}
    assert list(inspect.signature(Quick).parameters) == ["name", "size"]
    assert not hasattr(Quick("a"), "__dict__")
    assert Empty() == ()


def test_a_class_below_one_is_as_any_other() -> None:
    assert repr(Below("a")) == "below Below(name='a', size=3)"
    assert Below("a")._replace(size=4).size == 4
    assert type(Below._make(("a", 1))) is Below


@pytest.mark.parametrize(
    "call",
    [
        lambda made: made(),
        lambda made: made("a", 1, 2),
        lambda made: made("a", name="b"),
        lambda made: made("a", other=1),
        lambda made: made._make(("a",)),
        lambda made: made("a")._replace(other=1),
        lambda made: setattr(made("a"), "name", "b"),
        lambda made: setattr(made("a"), "other", "b"),
    ],
)
def test_what_is_wrong_there_is_wrong_here(call: typing.Callable[[object], object]) -> None:
    for made in (Quick, Usual):
        with pytest.raises((TypeError, ValueError, AttributeError)):
            call(made)


def test_what_is_no_named_tuple_is_refused() -> None:
    body = {"__annotations__": {"first": "int", "second": "int"}, "first": 1}
    with pytest.raises(TypeError, match="without a default follows"):
        type(NamedTuple)("Wrong", (NamedTuple,), body)
    with pytest.raises(TypeError, match="no other base"):
        type(NamedTuple)("Wrong", (NamedTuple, dict), {})


def test_what_a_scan_or_a_decision_imports_has_no_dearer_ones() -> None:
    """The verdict stands on the standard library alone; a generic one only ``typing`` makes."""
    dear = {
        path.relative_to(SOURCE).as_posix()
        for room in ("known", "flow", "vet", "reach")
        for path in (SOURCE / room).rglob("*.py")
        if not path.is_relative_to(SOURCE / "vet" / "verdict")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "typing"
        and "NamedTuple" in (alias.name for alias in node.names)
    }
    assert dear == {"vet/parallel.py"}
