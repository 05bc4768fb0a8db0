import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.verdict.reply_json import MOST_BYTES, MOST_DEPTH, Damaged, Record, decode, salvage


def _plain(value):
    """A decoded value as Python's own decoder gives it."""
    if isinstance(value, Record):
        return {key: _plain(said) for key, said in value.pairs}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _nested(levels):
    return b"[" * levels + b"]" * levels


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"SAFE", b"```json\n{}\n```", b"{} {}", b"\xff{}", "{}".encode("utf-16"), "\ufeff{}".encode(), b"NaN", b'{"a": Infinity}',
        b"[-Infinity]", b"9" * 4301, b'{"a": ' + b"9" * 5000 + b"}", _nested(MOST_DEPTH + 1), _nested(100_000),
        b'{"a":' * 3000 + b"1" + b"}" * 3000, b" " * MOST_BYTES + b"{}",
    ],
    ids=lambda body: repr(body[:20]),
)  # fmt: skip
def test_what_is_no_reply_is_refused(body):
    with pytest.raises(ValueError):
        decode(body)


def test_the_bounds_are_exact():
    assert _plain(decode(_nested(MOST_DEPTH))) == json.loads(_nested(MOST_DEPTH))
    assert decode(b'"' + b"a" * (MOST_BYTES - 2) + b'"') == "a" * (MOST_BYTES - 2)
    assert decode(b"9" * 4300) == int("9" * 4300)


def test_repeated_keys_are_kept_in_order():
    record = decode(b'{"a": 1, "b": {}, "a": 2}')
    assert isinstance(record, Record)
    assert record.pairs == (("a", 1), ("b", Record(())), ("a", 2))
    assert (record.get("a"), record.get("c"), record.get("c", 3)) == (1, None, 3)
    assert not record.has({"a", "b"}, {"a"})
    once = decode(b'{"a": 1, "b": 2}')
    assert isinstance(once, Record)
    assert once.has({"a"}, {"b"})
    assert once.has({"a", "b"}, {"c"})
    assert not once.has({"a", "c"}, {"b"})
    assert not once.has({"a"}, {"c"})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_what_is_json_is_read_as_it_is(value):
    assert _plain(decode(json.dumps(value).encode())) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_a_value_or_refused(body):
    try:
        value = decode(body)
    except ValueError:
        return
    assert _plain(value) == json.loads(body)


@given(st.binary(max_size=60) | st.text(alphabet='`{}[]":,\ufeff jsontrue1\\u0', max_size=60).map(str.encode))
def test_any_bytes_are_salvaged(body):
    left = salvage(body)
    try:
        assert left.value == decode(body)
    except ValueError:
        assert isinstance(left.alarm, bool)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", Record(())),
        (b"\xef\xbb\xbf[1]", [1]),
        (b"```json\n[1]\n```", [1]),
        (b"```[1]", [1]),
        (b"so\n```\n[1]\n```\nyes", [1]),
        (b"``` \n[1]\n```\n```\n[2]\n```", None),
        (b"[NaN, -Infinity]", [None, None]),
        (b"[" + b"9" * 4300 + b", " + b"9" * 4301 + b"]", [int("9" * 4300), 1]),
        (b'["\xff"]', ["\ufffd"]),
        (b'["```"]', ["```"]),
        (b"```\n" + _nested(MOST_DEPTH) + b"\n```", _plain(decode(_nested(MOST_DEPTH)))),
        (_nested(MOST_DEPTH + 1), None),
        (_nested(100_000), None),
        (b"```" + b" " * MOST_BYTES + b"[1]```", None),
        (b"", None),
        (b"SAFE", None),
    ],
    ids=lambda body: repr(body)[:20],
)
def test_what_is_left_of_a_damaged_reply(body, value):
    assert salvage(body) == Damaged(value=value, alarm=False)


def test_hostile_fences_and_flags_cost_little():
    for body in (
        b"```" + b"a" * 200_000,
        b"`" * 250_000,
        b"injection" + b" " * 250_000,
        b"injection " * 25_000,
    ):
        assert salvage(body) == Damaged(value=None, alarm=False)
