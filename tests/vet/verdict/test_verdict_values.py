"""The shared methods of data classes do what generated ones would."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, field, fields, make_dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.targets import StandardInput
from sluicegate.vet.report import FileSummary, Report, SkillReport
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GlobEntry
from sluicegate.vet.verdict.types import Finding, Gap, GapReason, Location, StaleEntry, Suppressed, Verdict
from sluicegate.vet.verdict.values import Ordered, Plain

CLASSES: tuple[type[Any], ...] = (
    Baseline, Capability, ExactEntry, FileSummary, Finding, Gap, GlobEntry, Limits, Location, Report, Rule, SkillReport,
    StaleEntry, StandardInput, Suppressed, Verdict,
)  # fmt: skip


class _Ours(Ordered):
    first: int
    second: tuple[str, ...] = ()


_Theirs = make_dataclass(
    "_Ours", [("first", int), ("second", tuple, ())], frozen=True, slots=True, kw_only=True, order=True
)
_values = st.tuples(st.integers(0, 2), st.lists(st.sampled_from("ab"), max_size=2).map(tuple))


@given(_values, _values)
def test_values_compare_as_generated_methods_compare_them(a: tuple[Any, Any], b: tuple[Any, Any]) -> None:
    x, y = (_Ours(first=first, second=second) for first, second in (a, b))
    u, v = (_Theirs(first=first, second=second) for first, second in (a, b))
    assert [x == y, x != y, x < y, x <= y, x > y, x >= y] == [u == v, u != v, u < v, u <= v, u > v, u >= v]
    assert hash(x) == hash(u)
    assert repr(x) == repr(u)


def test_values_of_different_classes_are_neither_equal_nor_ordered() -> None:
    gap = Gap(path="a", reason=GapReason.LINK, detail="b")
    capability = Capability(name="a", path="link", line=1)
    assert gap != capability
    assert gap != ("a", GapReason.LINK, "b")
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(gap, compare)(capability) is NotImplemented


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_compares_hashes_and_shows_all_its_fields(kind: type[Any]) -> None:
    assert all(field.compare and field.hash is None and field.repr for field in fields(kind))
    assert issubclass(kind, Plain)
    assert not {"__eq__", "__hash__", "__repr__", "__lt__"} & vars(kind).keys()


def test_values_are_copied_changed_and_pickled_like_any_data_class() -> None:
    place = Location(path="SKILL.md", start_line=1, end_line=2)
    assert pickle.loads(pickle.dumps(place)) == place
    assert replace(place, end_line=3) > place
    assert repr(place) == "Location(path='SKILL.md', start_line=1, end_line=2, origin=())"
    assert StandardInput() == StandardInput()
    assert len({StandardInput(), StandardInput()}) == 1
    with pytest.raises(AttributeError):
        place.path = "other"  # type: ignore[misc]


class _Noted(Plain):
    name: str
    size: int = 1
    notes: list[str] = field(default_factory=list, repr=False, compare=False)


class _Checked(Plain):
    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size below nothing")


def test_the_first_values_of_a_class_and_the_later_ones_are_alike() -> None:
    class Fresh(Ordered):
        first: int
        second: tuple[str, ...] = ("default",)

    made = [Fresh(first=1) for _ in range(9)]
    assert len(set(made)) == 1
    assert {value.second for value in made} == {("default",)}
    for wrong in ({}, {"first": 1, "third": 2}):
        with pytest.raises(TypeError):
            Fresh(**wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Fresh(1)  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [{}, {"first": 1, "third": 2}])
def test_a_field_too_few_or_too_many_is_an_error_from_the_first_value_on(wrong: dict[str, Any]) -> None:
    class Fresh(Plain):
        first: int

    with pytest.raises(TypeError, match=r"first|third"):
        Fresh(**wrong)


def test_notes_of_a_value_are_its_own_and_neither_compared_nor_shown() -> None:
    one, other = _Noted(name="a"), _Noted(name="a")
    one.notes.append("seen")
    assert other.notes == []
    assert one == other
    assert repr(one) == "_Noted(name='a', size=1)"
    assert [each.name for each in fields(_Noted) if not each.compare] == ["notes"]


def test_a_value_checks_itself_whenever_it_is_made() -> None:
    for _ in range(6):
        with pytest.raises(ValueError, match="below"):
            _Checked(size=-1)
        assert replace(_Checked(size=1), size=2).size == 2


def test_nothing_can_be_changed_or_added_or_taken_away() -> None:
    place = Location(path="SKILL.md", start_line=1, end_line=2)
    for name in ("path", "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(place, name, "x")
        with pytest.raises(FrozenInstanceError):
            delattr(place, name)
    assert not hasattr(place, "__dict__")
