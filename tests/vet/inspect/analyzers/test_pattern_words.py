"""What ``pattern_words`` tells of a pattern is so for the texts that the pattern matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pattern_words import every_match_holds

from sluicegate.vet.hints import lower, one_of
from sluicegate.vet.inspect.analyzers.lineflow import words as lines
from sluicegate.vet.inspect.analyzers.proseflow.words import rights
from sluicegate.vet.inspect.analyzers.structures import claims
from sluicegate.vet.inspect.context.prose.tongue import _alternatives


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("curl|wget", ("curl", "wget")),
        ("a[bc]d", ("abd", "acd")),
        ("(?:x|yz){2}", ("xx", "xy", "zx", "zy")),
        ("ab+c", ("abc", "bb")),
        ("[^x]*ab", ("ab",)),
        ("(?:ab)?cd(?=ef)", ("cdef",)),
        ("(?<=ab)c", ("abc",)),
        ("(?P<one>ab)(?P=one)?", ("ab",)),
        ("(?i:K)ey", ("Key", "key", "\u212aey")),
        ("x{3,}", ("xxx",)),
    ],
)
def test_what_every_match_holds_is_told(pattern: str, words: tuple[str, ...]) -> None:
    compiled = re.compile(pattern)
    assert every_match_holds(compiled, words)
    for left_out in words:
        assert not every_match_holds(compiled, [word for word in words if word != left_out] or ["none"])


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?:curl)?", ["curl"]),
        ("a.b", ["ab"]),
        ("(?!ab)c", ["ab"]),
        ("a(?=.)b?", ["ab"]),
        ("a(?=b|c)", ["ab"]),
        ("(?i)key", ["key"]),
    ],
)
def test_what_some_match_does_not_hold_is_told(pattern: str, words: list[str]) -> None:
    assert not every_match_holds(re.compile(pattern), words)


PATTERNS = {
    "fetch": (lines.FETCH, lines.FETCH_WORDS),
    "decode": (lines.DECODE, lines.DECODE_WORDS),
    "grant": (rights.GRANT, rights.GRANTED),
    "claim": (claims._CLAIMS[2][1], claims._WORDS),
}


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_what_is_said_of_every_match_holds_for_each(data: st.DataObject) -> None:
    """Each with some of its words, for of the others it may be said as well."""
    pattern, words = PATTERNS[data.draw(st.sampled_from(sorted(PATTERNS)))]
    some = data.draw(st.lists(st.sampled_from(words), min_size=1, unique=True))
    one = data.draw(st.sampled_from(_alternatives(pattern.pattern)))
    flags = pattern.flags & re.IGNORECASE
    text = data.draw(st.from_regex(re.compile(re.sub(r"([*+?}])\+", r"\1", one), flags)))
    if re.search(one, text, flags) and every_match_holds(re.compile(one, flags), some, in_lower=True):
        assert one_of(some, lower(text))
