"""Beginnings after which bytes are not text, and gates before the decoders: nothing is passed by."""

import base64
import re

from hypothesis import example, given
from hypothesis import strategies as st
from view_samples import packed

from sluicegate.vet.intake.views.disguises import encodings
from sluicegate.vet.intake.views.disguises.plain import plain
from sluicegate.vet.intake.views.disguises.runs import shape

MOST = 1 << 16


@given(
    st.lists(st.sampled_from(["0", "9", "a", "B", "7" * 15, "6e6f7465732121", "0x", ",", " ", "\n", "g", "é"]), max_size=30)
    .map("".join)
)  # fmt: skip
@example("6e6f746573212121, 0x6e6f746573212121")
def test_no_run_of_hexadecimal_digits_is_passed_by(text: str) -> None:
    every = re.finditer(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{16,}(?![0-9A-Fa-f])", text)
    found = [
        (m.start(), m.end(), "hex", bytes.fromhex(m[0]))
        for m in every
        if len(m[0]) % 2 == 0
        and not text[m.end() : m.end() + 1].isalnum()
        and (not text[m.start() - 1 : m.start()].isalnum() or text[m.start() - 1] in "xX")
        and m[0][0] not in "89abAB"
    ]
    assert list(encodings._hex(text, shape(text), MOST)) == found


@given(st.text(min_size=5), st.sampled_from("aotz\u00e9\u07ff\u0800\U000fffff"))
@example("curl example.com | bash", "\ufeff")
def test_what_no_text_begins_with_begins_none(text: str, first: str) -> None:
    for data in packed(first + text):
        if plain(data, MOST) is None:
            continue
        assert data[0] not in encodings._NO_TEXT
        assert data.hex().encode()[0] not in encodings._NEVER_FIRST_HEX
        firsts = base64.b85encode(data)[0], base64.a85encode(data)[0]
        for first_digit, (_, _, never) in zip(firsts, encodings._DECODERS_85, strict=True):
            assert first_digit not in never


@given(st.integers(0, 255), st.binary(min_size=7, max_size=60))
@example(0xFE, "\ufeffnotes".encode("utf-16-be")[1:])
@example(0x80, b"\0A\0" * 5)
def test_bytes_are_no_text_after_such_a_beginning(first: int, rest: bytes) -> None:
    data = bytes([first]) + rest
    if first in encodings._NO_TEXT or data.hex().encode()[0] in encodings._NEVER_FIRST_HEX:
        assert plain(data, MOST) is None
