"""A permit's token: what comes back is what went out, or it is refused."""

import base64

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_samples import SECRET, asked

from sluicegate.flow.errors import FlowError
from sluicegate.flow.session.permit import Permit, PermitError, plain_json

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), JSON, max_size=4))
def test_a_token_says_what_the_permit_says(values):
    permit = asked(values=values).sealed(SECRET)
    read = Permit.read(permit.token())
    assert read == permit and read.is_authentic(SECRET)
    assert read.digest == permit.digest
    assert permit.covers("gh:close", values)
    assert not read.is_authentic(b"another secret")


@pytest.mark.parametrize(
    "change",
    [
        {"session": "other"}, {"number": 1}, {"operation": "gh:open"}, {"values": {"id": 18}}, {"labels": ("exfil",)},
        {"source": "src:user"}, {"taint": ("x",)}, {"expects": ("x",)}, {"endorsed": True}, {"issued": 1},
        {"lifetime": 10**6}, {"shown": "something else"},
    ],
)  # fmt: skip
def test_every_field_is_authenticated_and_part_of_the_digest(change):
    permit = asked().sealed(SECRET)
    changed = msgspec.structs.replace(permit, **change)
    assert not changed.is_authentic(SECRET)
    assert changed.digest != permit.digest
    assert set(Permit.__struct_fields__) - {"mac"} >= set(change)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_no_byte_of_a_token_can_be_another(at, flip):
    permit = asked().sealed(SECRET)
    data = bytearray(base64.urlsafe_b64decode(permit.token()))
    data[at % len(data)] ^= flip
    try:
        read = Permit.read(base64.urlsafe_b64encode(bytes(data)).decode())
    except PermitError:
        return
    assert not read.is_authentic(SECRET)


@pytest.mark.parametrize("text", ["", "x", "====", "é", "AAAA" * 40, "{}", "\0" * 64])
def test_what_is_no_token_is_refused_with_a_way_forward(text):
    with pytest.raises(PermitError, match="not a token of a permit") as error:
        Permit.read(text)
    assert error.value.hint


def test_a_permit_covers_its_operation_alone():
    permit = asked(values={"id": 17, "tags": ["a"]})
    assert permit.covers("gh:close", {"tags": ["a"], "id": 17})
    assert not permit.covers("gh:open", {"tags": ["a"], "id": 17})
    assert not permit.covers("gh:close", {"tags": ["a"], "id": 18})
    assert not permit.covers("gh:close", {"tags": ["a"], "id": 17, "force": True})
    assert not permit.covers("gh:close", {"tags": ["a"], "id": object()})


@pytest.mark.parametrize(
    "value",
    [
        b"bytes",
        {1: "x"},
        object(),
        float("nan"),
        float("inf"),
        2**64,
        "\ud800",
        {"a": [{"\ud800": 1}]},
        {"x"},
    ],
)
def test_values_are_what_json_can_say(value):
    with pytest.raises(FlowError, match="'the body' holds") as error:
        plain_json({"the body": value})
    assert error.value.hint


def test_a_value_that_holds_itself_is_refused():
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(FlowError, match="more than a million parts"):
        plain_json({"the body": circle})
