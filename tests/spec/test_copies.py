"""HO-11: what goes where there is no room for another copy."""

from hypothesis import given
from hypothesis import strategies as st

from model import copies as model
from sluicegate.record.copies.room import LASTS, HeldCopy, making_room

NOW = 3 * LASTS
ROOMS = st.lists(
    st.tuples(
        st.integers(0, 60),
        st.integers(0, 50),
        st.sampled_from((0, NOW - LASTS - 1, NOW - LASTS, NOW - LASTS + 1, NOW - 5, NOW, NOW + 9)),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda each: each[0],
)


@given(held=ROOMS, size=st.integers(0, 60), most_bytes=st.integers(0, 200), most_copies=st.integers(0, 9))
def test_what_goes_for_another_copy_is_the_models(held, size, most_bytes, most_copies):
    found = making_room(
        [HeldCopy(*each) for each in held], size, NOW, most_bytes=most_bytes, most_copies=most_copies
    )
    staying = {each[0] for each in held} - set(found.dropped)
    assert (staying, found.fits) == model.after(held, size, NOW, most_bytes, most_copies)


@given(held=ROOMS, size=st.integers(0, 60), most_bytes=st.integers(0, 200))
def test_no_first_copy_goes_before_its_time(held, size, most_bytes):
    found = making_room([HeldCopy(*each) for each in held], size, NOW, most_bytes=most_bytes, most_copies=5)
    firsts = {number for number, _, made, first in held if first and made + LASTS > NOW}
    assert firsts.isdisjoint(found.dropped)
