"""Envelopes have one spelling, and the signature covers the type."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.signatures import dsse


def test_the_encoding_of_the_specification():
    assert dsse.encoding("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_lengths_are_of_bytes():
    assert dsse.encoding("ü", "ü".encode()) == b"DSSEv1 2 \xc3\xbc 2 \xc3\xbc"


@settings(deadline=None)
@given(st.text(), st.binary(), st.text(), st.binary())
def test_two_payloads_never_have_one_encoding(type1, payload1, type2, payload2):
    try:
        same = dsse.encoding(type1, payload1) == dsse.encoding(type2, payload2)
    except UnicodeEncodeError:
        return
    assert same == ((type1, payload1) == (type2, payload2))


def test_what_is_sealed_is_parsed(place):
    signer = place.keys.signer()
    envelope = dsse.parse(dsse.seal("text/plain", b"\x00payload", signer))
    assert (envelope.type, envelope.payload, envelope.key_id) == (
        "text/plain",
        b"\x00payload",
        signer.public.id,
    )
    assert signer.public.accepts(envelope.signature, dsse.encoding("text/plain", b"\x00payload"))


def _spelled(**changes):
    wire = {
        "payload": base64.b64encode(b"x").decode(),
        "payloadType": "t",
        "signatures": [{"keyid": "k", "sig": base64.b64encode(bytes(64)).decode()}],
    }
    return json.dumps({**wire, **changes}, separators=(",", ":")).encode() + b"\n"


def test_the_spelling_of_these_tests_is_the_one():
    assert dsse.parse(_spelled()).payload == b"x"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        _spelled()[:-1],
        _spelled() + b"\n",
        b" " + _spelled(),
        _spelled().replace(b":", b": "),
        _spelled(extra=1),
        _spelled(payload="eA"),
        _spelled(payload="eB=="),
        _spelled(payload="e A=="),
        _spelled(payload="_-=="),
        _spelled(payload=1),
        _spelled(payload="\ud800"),
        _spelled(payloadType="\ud800"),
        _spelled(signatures=[]),
        _spelled(signatures=[{"keyid": "k", "sig": "AAAA"}]),
        _spelled(signatures=[{"keyid": "k", "sig": base64.b64encode(bytes(64)).decode()}] * 2),
        _spelled(signatures=[{"keyid": "k", "sig": base64.b64encode(bytes(64)).decode(), "x": 1}]),
        _spelled().replace(b'{"payload"', b'{"payload":"eA==","payload"'),
        _spelled().replace(b'"t"', b'"\\u0074"'),
        b"[" * 100_000,
        b'{"payload":' + b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_any_other_spelling_is_refused(data):
    with pytest.raises(dsse.EnvelopeError):
        dsse.parse(data)


@settings(deadline=None)
@given(st.binary() | st.text(st.characters(exclude_categories=["Cs"])).map(str.encode))
def test_garbage_raises_nothing_else(data):
    with pytest.raises(dsse.EnvelopeError):
        dsse.parse(data)


def test_a_huge_envelope_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(dsse, "LIMIT", 10)
    with pytest.raises(dsse.EnvelopeError, match="at most 10"):
        dsse.parse(_spelled())
