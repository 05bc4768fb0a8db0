"""A signature counts for one content, purpose, name, kind and signer; anything else is refused, and only refused."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.clock import SECOND
from sluicegate.record.errors import SigningError
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures import dsse
from sluicegate.record.signatures.signatures import (
    SKEW,
    TYPE,
    Reason,
    Refused,
    Verified,
    of_bytes,
    of_file,
    of_folder,
    of_template,
    open_envelope,
    sign,
    verify,
)

PROMPT = "Evaluate @input and determine if safe...\n"


@pytest.fixture
def signed(place):
    """A signed template, as ``verify`` takes it."""
    signer = place.keys.signer()
    made = sign(of_template(PROMPT), purpose="instruction", name="@audit", signer=signer, now=place.clock())
    return {
        "envelope": made.envelope,
        "subject": of_template(PROMPT),
        "purpose": "instruction",
        "name": "@audit",
        "trust": place.keys.trust(),
        "now": place.clock(),
    }


def check(asked, **changes):
    asked = {**asked, **changes}
    return verify(asked.pop("envelope"), **asked)


def reason(asked, **changes):
    found = check(asked, **changes)
    assert isinstance(found, Refused), found
    return found.reason


def resealed(place, signed, change, type=TYPE):
    """The envelope with another payload, signed again with the right key."""
    payload = dsse.parse(signed["envelope"]).payload
    statement = json.loads(payload)
    change(statement)
    data = json.dumps(statement, separators=(",", ":"), ensure_ascii=False).encode()
    return dsse.seal(type, data, place.keys.signer())


def test_it_verifies_and_says_what_was_signed(signed):
    found = check(signed)
    assert isinstance(found, Verified)
    said = found.statement
    assert (said.template, said.signer, said.kind) == (PROMPT, "mira@desk", "template")
    assert said.time == "2026-01-19T10:30:00Z"


def test_a_stored_template_verifies_by_itself(signed):
    assert isinstance(check(signed, subject=None), Verified)


def test_the_template_is_signed_with_its_placeholders_and_never_filled(signed):
    filled = PROMPT.replace("@input", "the whole mail")
    assert reason(signed, subject=of_template(filled)) is Reason.CONTENT_CHANGED


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"purpose": "policy"}, Reason.WRONG_PURPOSE),
        ({"purpose": "Instruction"}, Reason.WRONG_PURPOSE),
        ({"name": "@other"}, Reason.WRONG_NAME),
        ({"name": "@audit "}, Reason.WRONG_NAME),
        ({"subject": of_bytes(PROMPT.encode())}, Reason.WRONG_KIND),
        ({"subject": of_template(PROMPT + " ")}, Reason.CONTENT_CHANGED),
        ({"trust": Trust()}, Reason.UNTRUSTED_KEY),
        ({"envelope": b""}, Reason.MALFORMED),
    ],
)
def test_for_anything_else_it_does_not_count(signed, changes, expected):
    assert reason(signed, **changes) is expected


def test_bytes_and_a_template_with_the_same_text_are_not_the_same(place, signed):
    made = sign(
        of_bytes(PROMPT.encode()), purpose="instruction", name="@audit", signer=place.keys.signer(), now=1
    )
    assert reason(signed, envelope=made.envelope) is Reason.WRONG_KIND
    assert reason(signed, envelope=made.envelope, subject=None) is Reason.NOTHING_TO_COMPARE


def test_a_signature_of_another_type_of_statement_does_not_count(place, signed):
    other = resealed(place, signed, lambda s: None, type="application/vnd.sluicegate.checkpoint+json")
    assert reason(signed, envelope=other) is Reason.MALFORMED


class TestKeys:
    def test_after_the_end_of_the_key(self, place, signed):
        place.clock.advance(1000)
        late = sign(
            signed["subject"],
            purpose="instruction",
            name="@audit",
            signer=place.keys.signer(),
            now=place.clock(),
        )
        id = late.statement.key
        second = place.clock.now // SECOND
        ended = signed["trust"].changed(id, not_after=second - 1)
        now = place.clock()
        assert reason(signed, envelope=late.envelope, trust=ended, now=now) is Reason.AFTER_END_OF_KEY
        assert isinstance(check(signed, trust=ended, now=now), Verified)
        exactly = signed["trust"].changed(id, not_after=second)
        assert isinstance(check(signed, envelope=late.envelope, trust=exactly, now=now), Verified)

    def test_a_revoked_key_fails_all(self, place, signed):
        place.clock.advance(10**6)
        place.keys.revoke(place.keys.signer().public.id)
        assert reason(signed, trust=place.keys.trust()) is Reason.REVOKED_KEY

    def test_after_rotation_old_signatures_still_count(self, place, signed):
        place.clock.advance(5)
        place.keys.rotate()
        assert isinstance(check(signed, trust=place.keys.trust(), now=place.clock()), Verified)

    def test_from_the_future(self, signed):
        made = 1_768_818_600
        assert reason(signed, now=(made - SKEW - 1) * SECOND) is Reason.FROM_THE_FUTURE
        assert isinstance(check(signed, now=(made - SKEW) * SECOND), Verified)

    def test_a_trusted_signer_cannot_speak_for_another(self, place, signed):
        forged = resealed(place, signed, lambda s: s.update(signer="security-team"))
        assert reason(signed, envelope=forged) is Reason.SIGNER_MISMATCH

    def test_a_statement_that_names_another_key(self, place, signed):
        forged = resealed(place, signed, lambda s: s.update(key="0" * 64))
        assert reason(signed, envelope=forged) is Reason.SIGNER_MISMATCH

    def test_a_key_renamed_in_the_trust_file_no_longer_fits(self, signed):
        id = next(iter(signed["trust"].keys))
        renamed = signed["trust"].changed(id, identity="eve")
        assert reason(signed, trust=renamed) is Reason.SIGNER_MISMATCH


STATEMENTS = {
    "unknown field": lambda s: s.update(extra=1),
    "no format": lambda s: s.pop("format"),
    "another format": lambda s: s.update(format="sluicegate-signature-2"),
    "no name": lambda s: s.pop("name"),
    "number as name": lambda s: s.update(name=1),
    "unknown kind": lambda s: s.update(kind="script"),
    "no template": lambda s: s.pop("template"),
    "null template": lambda s: s.update(template=None),
    "other template": lambda s: s.update(template=PROMPT + "!"),
    "other digest": lambda s: s.update(digest="sha256:" + "0" * 64),
    "template of bytes": lambda s: s.update(kind="bytes"),
    "a manifest": lambda s: s.update(manifest=[]),
    "a bad time": lambda s: s.update(time="yesterday"),
    "a time with a zone": lambda s: s.update(time="2026-01-19T10:30:00+00:00"),
    "another order": lambda s: s.update(purpose=s.pop("purpose")),
}


@pytest.mark.parametrize("change", STATEMENTS)
def test_a_signed_statement_that_is_not_well_formed_is_refused(place, signed, change):
    assert reason(signed, envelope=resealed(place, signed, STATEMENTS[change])) is Reason.MALFORMED


@pytest.mark.parametrize("payload", [b"", b"null", b"{}", b"[" * 100_000, b"\xff", b'{"format":"\\ud800"}'])
def test_a_signed_payload_that_is_garbage_is_refused(place, signed, payload):
    sealed = dsse.seal(TYPE, payload, place.keys.signer())
    assert reason(signed, envelope=sealed) is Reason.MALFORMED


def test_duplicate_keys_in_a_signed_payload_are_refused(place, signed):
    payload = dsse.parse(signed["envelope"]).payload
    doubled = payload.replace(b'"name":', b'"name":"@evil","name":', 1)
    assert doubled != payload
    assert reason(signed, envelope=dsse.seal(TYPE, doubled, place.keys.signer())) is Reason.MALFORMED


@pytest.mark.parametrize("part", ["payload", "payloadType", "keyid", "sig"])
def test_every_field_of_the_envelope_counts(signed, part):
    wire = json.loads(signed["envelope"])
    held = wire["signatures"][0] if part in ("keyid", "sig") else wire
    if part in ("payload", "sig"):
        data = bytearray(base64.b64decode(held[part]))
        data[len(data) // 2] ^= 1
        held[part] = base64.b64encode(data).decode()
    else:
        held[part] = held[part][:-1] + "x"
    spelled = json.dumps(wire, separators=(",", ":")).encode() + b"\n"
    assert reason(signed, envelope=spelled) in (Reason.BAD_SIGNATURE, Reason.MALFORMED, Reason.UNTRUSTED_KEY)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_changed_byte_is_refused(made, data):
    envelope = made["envelope"]
    at = data.draw(st.integers(0, len(envelope) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != envelope[at]))
    assert isinstance(check(made, envelope=envelope[:at] + bytes([byte]) + envelope[at + 1 :]), Refused)


@settings(deadline=None)
@given(cut=st.data())
def test_any_part_or_addition_is_refused(made, cut):
    envelope = made["envelope"]
    at = cut.draw(st.integers(0, len(envelope) - 1))
    assert isinstance(check(made, envelope=envelope[:at]), Refused)
    assert isinstance(check(made, envelope=envelope[:at] + b" " + envelope[at:]), Refused)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_garbage_is_refused(made, data):
    assert isinstance(check(made, envelope=data), Refused)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(payload=json_values, type=st.sampled_from([TYPE, "other"]))
def test_any_json_signed_by_somebody_trusted_is_at_most_refused(made, payload, type):
    data = json.dumps(payload).encode()
    assert isinstance(check(made, envelope=dsse.seal(type, data, made.signer)), Refused)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    from record_samples import make_place

    place = make_place(tmp_path_factory.mktemp("signed"))
    signer = place.keys.signer()
    envelope = sign(
        of_template(PROMPT), purpose="instruction", name="@audit", signer=signer, now=place.clock()
    )

    class Asked(dict):
        """What ``verify`` takes; the signer beside it."""

    asked = Asked(
        envelope=envelope.envelope, subject=of_template(PROMPT), purpose="instruction", name="@audit",
        trust=place.keys.trust(), now=place.clock(),
    )  # fmt: skip
    asked.signer = signer
    return asked


def test_files_of_any_size_are_signed_by_their_digest(place, tmp_path):
    path = tmp_path / "big"
    path.write_bytes(b"x" * 3_000_000)
    assert of_file(path) == of_bytes(path.read_bytes())
    with pytest.raises(SigningError, match="cannot read"):
        of_file(tmp_path / "none")


def test_a_folder_says_what_changed(place, tmp_path):
    folder = tmp_path / "skill"
    folder.mkdir()
    (folder / "SKILL.md").write_text("hello")
    made = sign(
        of_folder(folder), purpose="folder", name="skill", signer=place.keys.signer(), now=place.clock()
    )
    asked = {"purpose": "folder", "name": "skill", "trust": place.keys.trust(), "now": place.clock()}
    assert isinstance(verify(made.envelope, subject=of_folder(folder), **asked), Verified)
    for number in range(12):
        (folder / f"new{number:02}").write_text("x")
    found = verify(made.envelope, subject=of_folder(folder), **asked)
    assert isinstance(found, Refused)
    assert found.reason is Reason.CONTENT_CHANGED
    assert "added new00" in found.detail
    assert "and 2 more" in found.detail


@pytest.mark.parametrize("text", ["", "a\nb", "\x1b[0m", "x" * 1025, "\ud800", "\u202e"])
@pytest.mark.parametrize("field", ["purpose", "name"])
def test_names_that_cannot_be_shown_are_not_signed(place, text, field):
    words = {"purpose": "p", "name": "n", field: text}
    with pytest.raises(SigningError, match=f"a {field} is"):
        sign(of_bytes(b""), **words, signer=place.keys.signer(), now=1)


def test_text_that_is_no_text_is_not_signed():
    with pytest.raises(SigningError, match="UTF-8"):
        of_template("\ud800")


def test_open_envelope_says_what_somebody_trusted_said(signed):
    found = open_envelope(signed["envelope"], trust=signed["trust"], now=signed["now"])
    assert isinstance(found, Verified)
    assert found.statement.name == "@audit"
