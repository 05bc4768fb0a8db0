import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model import verdict as model
from sluicegate.vet.verdict.globs import compile_glob, names_something
from sluicegate.vet.verdict.suppression import GlobEntry

PIECES = st.lists(
    st.sampled_from(["*", "**", "**/", "?", "/", "a", "b", ".md", "é", "[", "\\", "\n"]), max_size=7
)


@given(PIECES, PIECES)
@settings(max_examples=400, deadline=None)
def test_globs_are_the_models(pattern, text):
    assert compile_glob("".join(pattern)).matches("".join(text)) == model.glob(
        "".join(pattern), "".join(text)
    )


def test_every_universal_pattern_names_nothing():
    """A pattern with a letter or digit misses some text: what is refused includes all that match everything."""
    texts = ["".join(text) for size in (1, 2, 3) for text in product("az/", repeat=size)]
    paths = [
        text for text in texts if not text.startswith("/") and not text.endswith("/") and "//" not in text
    ]
    for size in range(5):
        for characters in product("a/*?", repeat=size):
            pattern = "".join(characters)
            if all(compile_glob(pattern).matches(path) for path in paths):
                assert not names_something(pattern), pattern


def test_what_names_something():
    assert [names_something(p) for p in ("", "*", "**/?", "*-*.*", "a", "**/9", "é*")] == [False] * 4 + [
        True
    ] * 3


def test_a_hostile_path_takes_linear_steps():
    compiled = compile_glob("**/" + "*a" * 200 + "**/" * 100 + "b")
    began = time.process_time()
    assert not compiled.matches("a" * 20000 + "/" * 20000)
    assert time.process_time() - began < 5


def test_a_glob_has_a_last_day():
    with pytest.raises(TypeError, match="expires"):
        GlobEntry(rule="a*", path="**", reason="known", owner="me")  # type: ignore[call-arg]
