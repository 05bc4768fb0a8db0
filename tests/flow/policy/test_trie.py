"""The tree of patterns finds exactly what each pattern alone would match."""

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.policy.request import RequestHole
from sluicegate.flow.policy.rules.trie import REST, Trie, matches, segment

_words = st.text("ab*?", min_size=1, max_size=3)
_parts = st.one_of(st.just("**"), _words)
_patterns = st.lists(st.lists(_parts, max_size=5), min_size=1, max_size=8)
_paths = st.lists(st.text("ab", min_size=1, max_size=3), max_size=6)


def _alone(pattern, path) -> bool:
    """One pattern as a regular expression over segments with a mark after each."""
    text = ""
    for part in pattern:
        if part == "**":
            text += "(?:[^/]*/)*"
        else:
            wild = re.sub(r"\*+", "*", part)
            text += "".join({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)) for char in wild) + "/"
    return re.fullmatch(text, "".join(f"{each}/" for each in path)) is not None


def _trie(patterns):
    trie = Trie()
    for at, pattern in enumerate(patterns):
        trie.add([REST if part == "**" else segment(part) for part in pattern], at)
    return trie


@settings(deadline=None, max_examples=60)
@given(_patterns, _paths)
def test_a_tree_of_patterns_matches_what_its_patterns_match(patterns, path):
    expected = {at for at, pattern in enumerate(patterns) if _alone(pattern, path)}
    trie = _trie(patterns)
    assert set(trie.find(path, wide=False)) == expected
    assert set(trie.find(path, wide=True)) == expected


@settings(deadline=None, max_examples=60)
@given(_patterns, _paths, st.integers(0, 5), st.lists(st.text("ab", min_size=1, max_size=3), max_size=4))
def test_a_hole_matches_widely_whatever_a_value_could_match(patterns, path, at, values):
    trie = _trie(patterns)
    tokens = [*path[:at], RequestHole(), *path[at:]]
    wide = set(trie.find(tokens, wide=True))
    strict = set(trie.find(tokens, wide=False))
    for value in values:
        filled = set(trie.find([*path[:at], value, *path[at:]], wide=False))
        assert filled <= wide
        assert strict <= filled


@settings(deadline=None, max_examples=60)
@given(_patterns)
def test_all_and_everything(patterns):
    trie = _trie(patterns)
    assert set(trie.all()) == set(range(len(patterns)))
    everything = {at for at, pattern in enumerate(patterns) if pattern and set(pattern) == {"**"}}
    assert set(trie.everything()) == everything


@settings(deadline=None, max_examples=100)
@given(_patterns, _paths, _paths)
def test_below_a_place_is_what_could_match_there(patterns, path, rest):
    found = set(_trie(patterns).below(path))
    anchored = {at for at, pattern in enumerate(patterns) if pattern[:1] != ["**"]}
    assert found <= anchored
    assert {at for at in anchored if _alone(patterns[at], path + rest)} <= found


def test_below_a_place_is_nothing_that_leads_elsewhere():
    trie = _trie([["a", "b", "**"], ["a", "*", "c"], ["b", "**"], ["**", "b"], ["a"]])
    assert set(trie.below(["a"])) == {0, 1, 4}
    assert set(trie.below(["a", "b"])) == {0, 1}
    assert set(trie.below(["a", "c"])) == {1}
    assert set(trie.below(["c"])) == set()
    assert set(trie.below([])) == {0, 1, 2, 4}


@settings(deadline=None, max_examples=100)
@given(_patterns, _paths, st.sampled_from("abcxyz"), st.sampled_from("abcxyz"))
def test_what_is_not_told_apart_is_matched_by_the_same(patterns, path, one, other):
    trie = _trie(patterns)
    texts, globs = trie.tell_apart(path)
    if not any(name in texts or any(glob.fullmatch(name) for glob in globs) for name in (one, other)):
        assert sorted(trie.find([*path, one], wide=False)) == sorted(trie.find([*path, other], wide=False))


def test_no_pattern_makes_matching_explode():
    trie = Trie()
    trie.add([each for _ in range(12) for each in (REST, "a")], 1)
    began = time.process_time()
    assert trie.find(["a"] * 2000 + ["b"], wide=False) == []
    assert trie.below(["a"] * 2000) == []
    assert time.process_time() - began < 1


def test_no_text_makes_one_pattern_explode():
    began = time.process_time()
    for pattern in ("*a*b*c*d", "*a*b*c*", "a*b*a*c", "*?b*?b*", "*ab*ab*ab*b"):
        assert matches(pattern, "ab" * 50_000) == (pattern in ("*?b*?b*", "*ab*ab*ab*b"))
    assert time.process_time() - began < 5


@settings(deadline=None, max_examples=300)
@given(st.text("ab*?", min_size=1, max_size=8), st.text("ab", max_size=10))
def test_one_pattern_matches_what_it_says(pattern, text):
    expected = re.fullmatch("".join({"*": ".*", "?": "."}.get(char, char) for char in pattern), text)
    assert matches(pattern, text) == (expected is not None)


def test_one_segment_alone():
    assert matches("sluicegate-*/x", "sluicegate-env/x")
    assert matches("a?c", "abc")
    assert not matches("a", "ab")
    assert matches("a.c", "a.c")
    assert not matches("a.c", "abc")
