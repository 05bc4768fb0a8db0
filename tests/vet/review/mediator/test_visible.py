"""What stands in a frame steers nothing, hides nothing, and can be read back."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.mediator.visible import cut, visible, wrapped

CONTROL_TOKENS = [
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|start_header_id|>", "<|system|>", "<|fim_prefix|>",
    "[INST]", "[/INST]", "[ /INST ]", "<<SYS>>", "<</SYS>>", "<s>", "</s>", "<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>",
    "<｜User｜>", "<｜begin▁of▁sentence｜>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[SYSTEM_PROMPT]", "<think>", "</think>",
    "<tool_call>", "<pad>", "<unk>", "<mask>", "[CLS]", "[SEP]", "<extra_id_0>", "<unused99>", "<start_of_image>", "<system>",
    "<|channel|>", "<|message|>", "<|return|>", "<sop>", "[gMASK]",
    "<BOS_TOKEN>", "<EOS_TOKEN>", "<EOP_TOKEN>", "<SPECIAL_10>", "[EOT]", "[start_header_id]", "<TOKENS_UNUSED_1>", "<eoh>",
    "<seed:think>", "<minimax:tool_call>", "<tool▁call>", "]~b]", "]~!b[", "[e~[", "<system-reminder>", "</system-reminder>",
    "[|endofturn|]", "[|system|]", "<seed:bos>", "<seed:eos>", "<role>", "</role>", "<longcat_user>", "<AI>", "<用户>", "<arg_key>", "<eod>",
    '<invoke name="shell">', '<parameter name="x">', "<function=shell>", "<parameter=x>", '<tool_call name="x">', "<function_results>",
    "<" + 'antml:invoke name="shell">', "</" + "antml:function_calls>",
]  # fmt: skip


@pytest.mark.parametrize("token", CONTROL_TOKENS)
def test_control_tokens_of_chat_formats_do_not_survive(token):
    assert token not in visible(f"a {token} b")
    assert token not in visible(f"{token}{token}<{token}>")


@given(
    st.lists(
        st.sampled_from([*CONTROL_TOKENS, "<", "|", ">", "[", "]", "⟪", "⟫", "x", "\u200b"]), max_size=12
    )
)
def test_no_control_token_is_made_by_putting_others_together(pieces):
    shown = visible("".join(pieces))
    assert not [token for token in CONTROL_TOKENS if token in shown]


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
