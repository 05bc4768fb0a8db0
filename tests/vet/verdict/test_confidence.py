import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.verdict.confidence import checked, from_model

NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False))


@given(st.one_of(NUMBERS, st.floats(), st.booleans(), st.text(), st.none(), st.lists(st.integers())))
@settings(max_examples=200, deadline=None)
def test_a_models_answer_always_lands_in_range(value):
    said = from_model(value)
    assert said is None or (type(said) is int and 0 <= said <= 1000)


@given(NUMBERS, NUMBERS)
@settings(max_examples=200, deadline=None)
def test_a_models_answer_is_monotone(one, other):
    low, high = sorted((one, other))
    assert from_model(low) <= from_model(high)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, 0),
        (1, 1000),
        (0.0, 0),
        (1.0, 1000),
        (0.5, 500),
        (0.57, 570),
        (0.0004, 0),
        (0.0006, 1),
        (0.9996, 1000),
    ],
)
def test_within_the_range_it_is_rounded_to_thousandths(value, said):
    assert from_model(value) == said


@pytest.mark.parametrize(
    ("value", "said"), [(1.5, 1000), (85, 1000), (10**400, 1000), (math.inf, 1000), (-0.1, 0), (-math.inf, 0)]
)
def test_above_one_is_clamped_and_never_divided(value, said):
    assert from_model(value) == said


@pytest.mark.parametrize("value", [None, True, False, "0.9", math.nan, [0.9], {"confidence": 0.9}])
def test_what_is_no_number_is_no_answer(value):
    assert from_model(value) is None


@pytest.mark.parametrize("value", [0, 1, 500, 1000])
def test_our_own_rules_state_thousandths(value):
    assert checked(value) == value


@pytest.mark.parametrize("value", [-1, 1001, 0.9, True, "900", None])
def test_our_own_rules_are_refused_outside_the_range(value):
    with pytest.raises(ValueError, match="from 0 to 1000"):
        checked(value)
