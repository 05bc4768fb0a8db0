"""The second line: registered values, in their common forms, are cut out of outputs."""

import base64
import json
import threading
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sluicegate.flow.monitor.steps.scrub import MINIMUM, Scrubber, forms

CANARY = "s3cr3t/\"canary'+ é=%"
words = st.text(st.characters(codec="utf-8"), min_size=MINIMUM, max_size=40).filter(
    lambda text: len(b"".join(text.encode().strip().splitlines())) >= MINIMUM and "<" not in text
)


def scrubber(value=CANARY, name="k"):
    made = Scrubber()
    assert made.register(name, value)
    return made


SPELLINGS = {
    "plain": lambda text: text,
    "reversed": lambda text: text[::-1],
    "reversed bytes": lambda text: text.encode()[::-1].decode("latin-1"),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    "percent": lambda text: quote(text, safe=""),
    "percent path": quote,
    "percent form": quote_plus,
    "percent all": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "json": lambda text: json.dumps(text),
    "json utf-8": lambda text: json.dumps(text, ensure_ascii=False),
    "json slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "python": repr,
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_every_promised_spelling_is_cut_out(spelling):
    spelt = spelling(CANARY)
    raw = spelt.encode("latin-1" if spelling is SPELLINGS["reversed bytes"] else "utf-8")
    assert scrubber().bytes(b"<<" + raw + b">>").replace(b'"', b"").replace(b"'", b"") == b"<<<secret:k>>>"


@given(
    words,
    st.sampled_from(sorted(set(SPELLINGS) - {"reversed bytes"})),
    st.text(max_size=5),
    st.text(max_size=5),
)
@example("00000000", "python", "0", "0")
@example('0000000"', "json", "", "")
@example("0000000\n0", "plain", "", "")
@example("000000\n\x80", "reversed", "", "")
def test_no_spelling_of_any_value_survives(value, spelling, before, after):
    spelt = SPELLINGS[spelling](value)
    if spelling == "python" or spelling.startswith("json"):
        spelt = spelt[1:-1]
    out = scrubber(value).text(f"{before}{spelt}{after}")
    assert spelt not in out
    assert "<secret:k>" in out


@given(
    words,
    st.binary(max_size=4),
    st.binary(max_size=4),
    st.sampled_from([base64.b64encode, base64.urlsafe_b64encode]),
)
def test_base64_of_a_longer_text_is_cut_at_every_offset(value, before, after, encode):
    raw = value.encode().strip()
    out = scrubber(value).bytes(encode(before + raw + after))
    assert b"<secret:k>" in out
    # What is left are the digits that also hold bits of the neighbours.
    assert len(out) - len(b"<secret:k>") <= len(encode(before)) + len(encode(after)) + 8


@pytest.mark.parametrize("columns", [60, 64, 76])
def test_encoders_that_wrap_lines_do_not_help(columns):
    value = "k" * 30 + "-" + "q" * 90
    for text in (base64.b64encode(value.encode()).decode(), value.encode().hex()):
        wrapped = "\r\n".join(text[at : at + columns] for at in range(0, len(text), columns))
        assert scrubber(value).text(f"a\nb {wrapped}\nc\n").startswith("a\nb <secret:k>")


@given(words, st.lists(st.integers(1, 12), min_size=1, max_size=30), st.integers(0, 3))
def test_a_value_cut_into_pieces_is_found(value, sizes, times):
    made = scrubber(value)
    raw = ("before " + value * times + " after" + value).encode()
    stream = made.stream()
    out, at = b"", 0
    for size in sizes:
        out += stream.feed(raw[at : at + size])
        at += size
    out += stream.feed(raw[at:]) + stream.close()
    assert out == made.bytes(raw)


def test_a_stream_holds_back_a_bounded_number_of_bytes():
    stream = scrubber().stream()
    fed = given = 0
    for _ in range(200):
        fed += 1000
        given += len(stream.feed(b"x" * 1000))
        assert fed - given < 2000


def test_a_value_that_repeats_itself_gives_one_mark_even_through_a_stream():
    stream = scrubber("a" * 10).stream()
    assert b"".join([*(stream.feed(b"aaa") for _ in range(400)), stream.close()]) == b"<secret:k>"


def test_values_that_overlap_leave_nothing_between_them():
    made = scrubber("abcabcabc")
    assert made.text("xabcabcabcabcaby") == "x<secret:k>y"
    made.register("l", "cab-cab-cab")
    assert made.text("abcabcabcab-cab-cab") == "<secret:k>"


def test_a_short_value_is_not_registered_and_nothing_is_cut():
    made = Scrubber()
    assert not made.register("pin", "a")
    assert not made.register("pin", "1234567")
    assert not made.register("pin", "  1234567\n")
    assert not made.register("pin", "1234\n567")
    assert made.text("a 1234567 banana") == "a 1234567 banana"


def test_lines_of_a_key_are_cut_and_its_frame_is_not():
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n  c2Vjb25kIGxpbmUgb2Yga2V5\n-----END PRIVATE KEY-----\n"
    made = scrubber(key)
    assert made.text("> MIIEvQIBADANBgkqhkiG9w0 <") == "> <secret:k> <"
    assert made.text("c2Vjb25kIGxpbmUgb2Yga2V5") == "<secret:k>"
    assert made.text("-----BEGIN PRIVATE KEY-----") == "-----BEGIN PRIVATE KEY-----"
    assert made.text(f"<{key}>").strip() == "<<secret:k>\n>"


@given(words, st.text(max_size=200))
def test_what_holds_no_form_is_not_touched(value, text):
    raw = text.encode()
    flat = raw.replace(b"\n", b"").replace(b"\r", b"")
    assume(not any(form in flat for form in forms(value)))
    assert scrubber(value).bytes(raw) == raw


def test_bytes_that_are_no_text_and_lone_surrogates_pass():
    assert scrubber().bytes(b"\xff\xfe" + CANARY.encode()) == b"\xff\xfe<secret:k>"
    assert scrubber().text(f"\udcff {CANARY}") == "\udcff <secret:k>"
    assert scrubber().text(f"\ud800 {CANARY}") == "\ud800 <secret:k>"


def test_the_cost_is_linear_in_text_and_in_repetition(monkeypatch):
    """Counted, not timed: how often a text is searched does not grow with how often it repeats itself."""
    import sluicegate.flow.monitor.steps.scrub as module

    class Counted(bytes):
        searches = 0

        def find(self, *args):
            Counted.searches += 1
            return bytes.find(self, *args)

    counts = []
    for size in (1_000, 100_000):
        Counted.searches = 0
        assert module._runs(Counted(b"a" * size), b"a" * 50) == [(0, size)]
        counts.append(Counted.searches)
    assert counts[0] == counts[1] == 3


def test_a_very_long_value_is_still_cut():
    value = "".join(f"{nth:07d}" for nth in range(20_000))
    assert scrubber(value).text(f"<{value}>").startswith("<<secret:k>")


def test_threads_may_register_while_others_scrub():
    made = scrubber()
    stop = threading.Event()
    wrong: list[str] = []

    def scrub():
        while not stop.is_set():
            out = made.text(f"x {CANARY} y")
            if out != "x <secret:k> y":
                wrong.append(out)

    threads = [threading.Thread(target=scrub) for _ in range(3)]
    for thread in threads:
        thread.start()
    for nth in range(50):
        made.register(f"n{nth}", f"another value {nth}")
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert made.text("another value 49") == "<secret:n49>"
