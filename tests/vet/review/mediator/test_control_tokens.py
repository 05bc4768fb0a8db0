"""Nothing that has the shape of a control token stands whole in a frame, in whatever letters; honest code stays as it is."""

import re
import unicodedata

import pytest
from chat_formats import CHAT_FORMATS, CONTROL_TOKENS
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.mediator.visible import visible

FULLWIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
LOOKALIKE = str.maketrans("<>[]|/SATIN", "‹›【】│∕ЅАТІΝ")
SEPARATORS = "\u200b\u2060\u00ad\u200d\ufeff\u034f\u2063"
WORD = st.from_regex(
    r"[A-Z][A-Z0-9_]{1,12}|[a-z]{1,9}[_:][a-z0-9_]{1,9}|[a-z]{3,9}_[0-9]{1,3}", fullmatch=True
)
SHAPE = st.sampled_from(["<{}>", "</{}>", "<|{}|>", "<{} >", "<{} />", "<｜{}｜>", "＜{}＞", "<|{}", "{}|>"])
CAPITALS = st.from_regex(r"/?[A-Za-z]?[A-Z]{2}[A-Za-z0-9_]{0,12}", fullmatch=True)


def whole(token, text):
    """Whether a token stands in a text, or would once a tokenizer has folded it."""
    folded = unicodedata.normalize("NFKC", token)
    return token in text or folded in text or folded in unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("who", CHAT_FORMATS)
def test_no_token_of_a_public_chat_format_survives(who):
    for token in (each for each in CONTROL_TOKENS if each in CHAT_FORMATS[who]):
        for text in (token, f"a {token} b", f"{token}{token}<{token}>", f"x[{token}](y)", f"`{token}`"):
            assert not whole(token, visible(text)), text


@pytest.mark.parametrize("letters", [FULLWIDTH, LOOKALIKE], ids=["fullwidth", "lookalike"])
def test_nor_does_one_in_letters_that_look_alike_or_are_folded(letters):
    for token in CONTROL_TOKENS:
        changed = token.translate(letters).replace("\u3000", " ")
        assert changed not in visible(f"a {changed} b"), changed
        assert not whole(token, visible(changed)), changed


@given(st.sampled_from(CONTROL_TOKENS), st.data())
def test_nor_one_that_is_split_by_what_cannot_be_seen(token, data):
    at = data.draw(st.integers(1, len(token) - 1))
    between = data.draw(st.text(SEPARATORS, min_size=1, max_size=3))
    shown = visible(token[:at] + between + token[at:])
    assert not set(SEPARATORS) & set(shown)
    assert token not in shown


@given(WORD, SHAPE, st.sampled_from(["", "x", "<", "[", " "]))
def test_a_word_in_angle_brackets_is_taken_for_a_token_of_a_model_that_nobody_knows(word, shape, before):
    token = shape.format(word)
    assert token not in visible(f"{before}{token} y")


@given(CAPITALS)
def test_capitals_in_square_brackets_are_taken_for_one(word):
    assert f"[{word}]" not in visible(f"x [{word}] y [[{word}]]")


@given(
    st.lists(st.sampled_from([*CONTROL_TOKENS, *"<|>[]/⟪⟫x", "\u200b", "＜", "｜", "s"]), max_size=12).map(
        "".join
    )
)
def test_none_is_made_by_putting_others_together(text):
    shown = visible(text)
    assert not [token for token in CONTROL_TOKENS if whole(token, shown)]
    assert re.sub("⟪U\\+([0-9A-F]+)⟫", lambda found: chr(int(found[1], 16)), shown) == text
    assert shown.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "line",
    [
        "for (int i = 0; i < n && n > 0; i++) { x[i] = y[index] << 2; }",
        "const found: Map<string, Array<number>> = new Map<string, Array<number>>();",
        "pub fn new<T: Into<String>>(v: Vec<u8>) -> Option<T>",
        "<div><p class='x'>Text</p><br/><MyComponent/></div>",
        "if [ -f x ]; then cat < in > out; fi; [[ $a == b ]] || echo x",
        "[click](https://example.org) and [1], [x], [N], [a-z0-9]",
        "cat <<EOF",
        "#include <stdio.h>",
        "a -> b => c <= d >= e <=> f",
        "df[df['a'] > 3].loc[:, 'b']",
        "Ein «Zitat» und 《书名》, 【重要】",
    ],
)
def test_honest_code_stays_as_it_is(line):
    assert visible(line) == line
