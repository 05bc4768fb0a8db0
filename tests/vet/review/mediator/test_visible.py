"""What stands in a frame steers nothing, hides nothing, and can be read back."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.mediator.visible import cut, visible, wrapped


@given(st.text(st.characters(exclude_categories=[]), max_size=60))
def test_nothing_is_lost_and_nothing_steers(text):
    shown = visible(text)
    assert re.sub("⟪U\\+([0-9A-F]+)⟫", lambda found: chr(int(found[1], 16)), shown) == text
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp", "Co", "Cn"), hex(
            ord(char)
        )
        assert unicodedata.bidirectional(char) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
    shown.encode()


@pytest.mark.parametrize(
    "char",
    "\u202e\u200b\u2066\ufeff\xad\x1b\x00\x7f\x85\u2028\U000e0041\u3164\ud800⟪⟫\ue000\uf8ff\U000f0000\U0010fffd\ufffe\U0001ffff\u0378\U000e1000",
)
def test_each_kind_of_unseen_character_is_shown(char):
    assert visible(f"a{char}b") == f"a⟪U+{ord(char):04X}⟫b"


@given(st.text("ab\u202e<|⟪", max_size=80), st.integers(20, 40))
def test_a_wrapped_line_is_the_line_and_no_escape_is_torn(text, most):
    line = visible(text)
    rows = wrapped(line, most)
    assert "".join(rows) == line
    for row in rows:
        assert len(row) <= most
        assert row.count("⟪") == row.count("⟫")


@given(st.text("ab\u202e", max_size=80), st.integers(20, 40))
def test_a_cut_line_says_how_much_is_missing(text, most):
    line = visible(text)
    short = cut(line, most)
    if len(line) <= most:
        assert short == line
    else:
        found = re.fullmatch("(.*)⟪([0-9]+) more characters⟫", short)
        assert found is not None
        assert len(found[1]) + int(found[2]) == len(line)
        assert line.startswith(found[1])
        assert len(found[1]) <= most
