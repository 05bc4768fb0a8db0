"""Times as text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.clock import SECOND, parse_second, stamp, stamp_second


@settings(deadline=None)
@given(st.integers(0, 253_402_300_799))
def test_seconds_come_back(second):
    assert parse_second(stamp_second(second)) == second


def test_microseconds_are_cut_off_and_padded():
    assert stamp(7 * SECOND + 42_999) == "1970-01-01T00:00:07.000042Z"


@pytest.mark.parametrize(
    "text",
    ["2026-01-19T10:30:00", "2026-01-19 10:30:00Z", "2026-01-19T10:30:00.0Z", "2026-13-19T10:30:00Z", "", "z",
     "2026-01-19T10:30:00+00:00", "２026-01-19T10:30:00Z", "2026-01-19T10:30:00Z\n"],
)  # fmt: skip
def test_one_form_only(text):
    with pytest.raises(ValueError):
        parse_second(text)
