"""Signatures that are carried in a variable prove what they proved at home, and nothing else does."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sluicegate.record.errors import SigningError
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures.carried import LIMIT, pack, unpack
from sluicegate.record.signatures.signatures import Reason, Refused, Verified, of_template, sign

NOW = 1_800_000_000 * 10**9
TEXT = "Evaluate {input}."


@pytest.fixture
def keys(place):
    return place.keys


def signed(keys, name="@audit", text=TEXT):
    return sign(of_template(text), purpose="instruction", name=name, signer=keys.signer(), now=NOW).envelope


def carry(keys, trust=None):
    return pack([("instruction", "@audit", signed(keys))], trust=trust or keys.trust(), now=NOW)


def test_what_was_signed_verifies(keys):
    found = unpack(carry(keys)).verify(None, purpose="instruction", name="@audit", now=NOW)
    assert isinstance(found, Verified)
    assert found.statement.template == TEXT


@pytest.mark.parametrize(("purpose", "name"), [("instruction", "@other"), ("folder", "@audit")])
def test_what_was_not_given_is_missing(keys, purpose, name):
    found = unpack(carry(keys)).verify(None, purpose=purpose, name=name, now=NOW)
    assert isinstance(found, Refused)
    assert found.reason is Reason.MISSING


def test_a_signature_under_another_name_is_refused(keys):
    text = pack([("instruction", "@other", signed(keys))], trust=keys.trust(), now=NOW)
    found = unpack(text).verify(None, purpose="instruction", name="@other", now=NOW)
    assert isinstance(found, Refused)
    assert found.reason is Reason.WRONG_NAME


def test_only_signers_that_are_trusted_here_are_carried(keys):
    envelope = signed(keys)
    (entry,) = keys.trust().keys.values()
    revoked = Trust(keys={entry.key.id: replace(entry, revoked=NOW // 10**9)})
    for trust in (Trust(), revoked):
        carried = unpack(pack([("instruction", "@audit", envelope)], trust=trust, now=NOW))
        assert not carried.trust.keys
        assert isinstance(carried.verify(None, purpose="instruction", name="@audit", now=NOW), Refused)


def test_no_private_key_is_carried_and_no_other_signer(keys):
    text = zlib.decompress(base64.b64decode(carry(keys)))
    assert text.count(b"identity") == 1
    assert b"PRIVATE" not in text


def test_what_is_too_long_for_a_variable_is_an_error(keys):
    long = "".join(f"{n * 2654435761 % 2**32:x}" for n in range(40_000))
    with pytest.raises(SigningError, match="too long"):
        pack([("instruction", "@long", signed(keys, "@long", long))], trust=keys.trust(), now=NOW)
    assert len(carry(keys)) < LIMIT


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_else_is_an_error(data):
    for text in (
        data.decode("latin-1"),
        base64.b64encode(data).decode(),
        base64.b64encode(zlib.compress(data)).decode(),
    ):
        with pytest.raises(SigningError):
            unpack(text)


def test_a_bomb_is_an_error():
    with pytest.raises(SigningError):
        unpack(base64.b64encode(zlib.compress(b" " * 50_000_000)).decode())


def test_every_damage_is_refused(keys):
    whole = zlib.decompress(base64.b64decode(carry(keys)))
    for at in range(0, len(whole), 7):
        damaged = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        try:
            found = unpack(base64.b64encode(zlib.compress(damaged)).decode())
        except SigningError:
            continue
        result = found.verify(None, purpose="instruction", name="@audit", now=NOW)
        assert isinstance(result, Refused) or result.statement.template == TEXT
