"""A hook reads and writes JSON as the module ``json`` does."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.reach.hooks import small_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(), each, max_size=4),
    max_leaves=12,
)
SPACE = st.text(" \t\n\r", max_size=3)


def same(one: object, other: object) -> bool:
    return repr(one) == repr(other)  # NaN is not itself


@given(value=st.dictionaries(st.text(), VALUES, max_size=4), before=SPACE, after=SPACE)
def test_what_is_written_is_what_json_writes_and_is_read_again(value, before, after):
    text = small_json.dumps(value)
    assert text == json.dumps(value)
    for written in (text, json.dumps(value, ensure_ascii=False), json.dumps(value, indent=1)):
        data = (before + written + after).encode("utf-8", "surrogatepass")
        assert same(small_json.loads(data), json.loads(data))


@given(data=st.binary(max_size=30) | st.binary(max_size=30).map(lambda rest: b'{"a": 1' + rest))
def test_what_is_wrong_is_wrong_in_the_words_of_json(data):
    assert same(outcome(small_json.loads, data), outcome(json.loads, data))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"{}x", b"{} {}", b'{"a": NaN, "b": -Infinity}', b'{"a": 1, "a": 2}', b'{"\\ud800": "\\ud800\\udc00"}',
        b'{"a": "\x01"}', b'{"a": \xff}', b'{"a": "\xed\xa0\x80"}', b"\xef\xbb\xbf{}", '{"a": 1}'.encode("utf-16"),
        '{"a": 1}'.encode("utf-16-le"), '{"a": 1}'.encode("utf-32-le"), b'{"a": ' + b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}",
        b"[1]", b"1", b'{"a": 1e999}',
    ],
)  # fmt: skip
def test_texts_that_are_told_apart(data):
    assert same(outcome(small_json.loads, data), outcome(json.loads, data))


@pytest.mark.parametrize(
    "value", [object(), {1: {2, 3}}, {(1, 2): 3}, {"a": b"x"}, math.inf, {1: 2, None: 3, False: 4}, "x", [()]]
)
def test_values_that_are_told_apart(value):
    assert same(outcome(small_json.dumps, value), outcome(json.dumps, value))


def test_a_value_that_holds_itself():
    value: list[object] = []
    value.append(value)
    assert outcome(small_json.dumps, value) == outcome(json.dumps, value)


def outcome(work, value):
    try:
        return work(value)
    except (TypeError, ValueError, RecursionError) as error:
        return type(error).__name__, str(error)


def test_neither_json_nor_re_is_imported_for_it():
    program = """
import sys
from sluicegate.reach.hooks import small_json
assert small_json.loads(b'{"a": [1, "x", null]}') == {"a": [1, "x", None]}
assert small_json.dumps({"a": [1, "x", None, 1.5]}) == '{"a": [1, "x", null, 1.5]}'
assert not {"json", "re"} & set(sys.modules), sys.modules
"""
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"], check=True
    )
