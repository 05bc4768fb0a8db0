"""Names of signers, and public keys as text."""

import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.errors import KeyFileError
from sluicegate.record.keys.identity import (
    PublicKey,
    check_identity,
    default_identity,
    strict_base64,
)


@pytest.mark.parametrize("name", ["mira", "mira@example.org", "security-team", "a.b_c+d", "7"])
def test_names(name):
    assert check_identity(name) == name


@pytest.mark.parametrize("name", ["", " ", "-x", "a b", "mіra", "a\n", "a/b", "a" * 129, "a\x1b[0m", "@x"])
def test_no_names(name):
    with pytest.raises(KeyFileError, match="cannot name a signer"):
        check_identity(name)


def test_the_default_name_is_a_name():
    assert check_identity(default_identity())


def test_the_default_name_does_not_come_from_the_environment(monkeypatch):
    before = default_identity()
    for variable in ("USER", "LOGNAME", "HOSTNAME"):
        monkeypatch.setenv(variable, "security-team")
    assert default_identity() == before


@pytest.mark.parametrize("host", ["", "ho st\x1b", "-", "ü"])
def test_the_default_name_on_a_machine_with_an_odd_name(monkeypatch, host):
    monkeypatch.setattr("socket.gethostname", lambda: host)
    assert check_identity(default_identity())


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_a_key_comes_back_from_its_text(raw):
    assert PublicKey.parse(str(PublicKey(raw))).raw == raw


@pytest.mark.parametrize(
    "text",
    ["", "ed25519:", "ed25519:AAAA", "rsa:" + "A" * 43 + "=", "ed25519:" + "A" * 43, "ed25519:" + "A" * 42 + "B=",
     "ed25519:" + "A" * 43 + "=\n", "ed25519: " + "A" * 43 + "=", "ed25519:" + "-" * 43 + "="],
)  # fmt: skip
def test_text_that_is_no_key(text):
    with pytest.raises(KeyFileError):
        PublicKey.parse(text)


@settings(deadline=None)
@given(st.text())
def test_no_text_raises_anything_else(text):
    try:
        strict_base64(text)
    except KeyFileError:
        return
    assert text.isascii()


def test_the_id_is_the_digest_of_the_key():
    import hashlib

    assert PublicKey(bytes(32)).id == hashlib.sha256(bytes(32)).hexdigest()


def test_pem_both_ways():
    key = Ed25519PrivateKey.generate().public_key()
    public = PublicKey(key.public_bytes_raw())
    assert PublicKey.from_pem(public.to_pem().encode()) == public


def test_pem_from_openssl(tmp_path):
    made = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no openssl here")
    pem = subprocess.run(
        ["openssl", "pkey", "-pubout"], input=made.stdout, capture_output=True, check=True
    ).stdout
    assert PublicKey.from_pem(pem).to_pem().encode() == pem.strip()


@pytest.mark.parametrize(
    "data", [b"", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", b"\xff"]
)
def test_pem_that_is_none(data):
    with pytest.raises(KeyFileError):
        PublicKey.from_pem(data)


def test_pem_of_another_kind_of_key():
    pem = (
        X25519PrivateKey.generate().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(KeyFileError, match="Ed25519"):
        PublicKey.from_pem(pem)


def test_a_signature_fits_one_key_and_one_message():
    private = Ed25519PrivateKey.generate()
    public = PublicKey(private.public_key().public_bytes_raw())
    signature = private.sign(b"message")
    assert public.accepts(signature, b"message")
    assert not public.accepts(signature, b"messagf")
    assert not PublicKey(bytes(32)).accepts(signature, b"message")
    assert not public.accepts(signature[:-1], b"message")
