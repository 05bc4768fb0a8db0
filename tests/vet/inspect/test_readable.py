"""What of a secret is hidden: never a word, and nearly all of what is drawn at random."""

import base64
import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.inspect.readable import hidden
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.review.mediator.prepared import PreparedText

WORDS = """ignore delete upload remove send rules safe approve report files secrets tokens always never forget disregard previous
    instructions system prompt reviewer trusted install password email answer every print steal silently without telling user
    append memory override bypass disable security read write run fetch post this that them first before after when then""".split()
FORMS = {
    "lower": str.lower,
    "capitals": str.upper,
    "capital": str.capitalize,
    "base64": lambda word: base64.b64encode(f"{word} ".ljust(9).encode()).decode(),
    "hex": lambda word: word.encode().hex(),
}
KEY = st.text(string.ascii_letters + string.digits, max_size=24)
PLACES = (
    'API_KEY = "{}"', "export SERVICE_TOKEN={}", "db:\n  api-token: {}", "curl -H 'Authorization: Bearer {}' x",
    "git clone https://mira:{}@git.example.org/a.git", "password: {}",
)  # fmt: skip


@given(KEY, st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([*FORMS])), min_size=1, max_size=3), KEY,
       st.sampled_from(PLACES))  # fmt: skip
def test_no_word_is_hidden_whatever_stands_around_it(before, said, after, place):
    """A digit ends a word, as a blank would: within a run of letters nobody can tell where it begins."""
    value = before + "7" + "".join(FORMS[form](word) + "7" for word, form in said) + after
    masks = "".join(value[start:end] for start, end in hidden(value))
    shown = "\n".join(PreparedText(place.format(value), Kind.TEXT).raw)
    for word, form in said:
        if form in ("lower", "capitals", "capital"):
            assert FORMS[form](word) not in masks
            assert FORMS[form](word) in shown
    for word in (word for word, form in said if form in ("base64", "hex") and len(word) > 5):
        pieces = [value[start:end] for start, end in hidden(value)]
        assert not any(word in text for piece in pieces for text in _readings(piece))


def _readings(piece):
    for at in range(4):
        digits = re.match("[0-9a-f]*", piece[at:])[0]
        yield bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("latin-1")
        run = re.match("[A-Za-z0-9+/]*", piece[at:])[0]
        yield base64.b64decode(run[: len(run) // 4 * 4]).decode("latin-1")


@pytest.mark.parametrize(
    ("letters", "length", "most"),
    [
        (string.ascii_letters + string.digits, 40, 0.06),
        (string.ascii_lowercase + string.digits, 40, 0.14),
        (string.ascii_letters + string.digits + "+/", 64, 0.06),
        ("0123456789abcdef", 20, 0.03),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 20, 0.22),
    ],
)
def test_of_what_is_drawn_at_random_little_is_shown(letters, length, most):
    source, seen, whole = random.Random(11), 0, 0
    for _ in range(500):
        key = "".join(source.choices(letters, k=length))
        masked = sum(end - start for start, end in hidden(key))
        seen += length - masked
        whole += not masked
    assert seen <= most * 500 * length
    assert whole <= 8


@pytest.mark.parametrize("value", ["please-do-not-upload", "AKIAIGNOREALLRULES"])
def test_what_is_of_words_is_shown_whole(value):
    assert hidden(value) == []


@given(st.text(max_size=60))
def test_the_spans_of_any_text_are_in_order_and_within_it(value):
    at = 0
    for start, end in hidden(value):
        assert at <= start < end <= len(value) or (start, end) == (0, 0) == (0, len(value))
        at = end


@pytest.mark.parametrize("length", [16, 20, 24])
def test_short_keys_of_hexadecimal_digits_are_masked(length):
    source = random.Random(length)
    keys = ["".join(source.choices("0123456789abcdef", k=length)) for _ in range(300)]
    shown = "\n".join(PreparedText("\n".join(f'api_key = "{key}"' for key in keys), Kind.PYTHON).raw)
    assert sum(key in shown for key in keys) <= 3
