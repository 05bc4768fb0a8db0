"""Who a signer is called, and the public half of a key."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from functools import cached_property

from msgspec import Struct

from sluicegate.patterns import late
from sluicegate.record.errors import KeyFileError

PREFIX = "ed25519:"
_IDENTITY = late(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}", re.ASCII)
_NOT_ALLOWED = late(r"[^A-Za-z0-9._@+-]+", re.ASCII)


def check_identity(text: str) -> str:
    """``text`` when it can name a signer; raises KeyFileError.

    ASCII only: two names that look alike must not be two signers.
    """
    if _IDENTITY.fullmatch(text) is None:
        raise KeyFileError(
            f"{text!r} cannot name a signer",
            hint="Letters, digits and any of . _ @ + - after the first, at most 128: mira@example.org",
        )
    return text


def default_identity() -> str:
    """``user@machine`` from the accounts of this machine, not from the environment."""
    import os
    import pwd
    import socket

    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # a container may run under a number that has no name
        user = f"uid-{os.geteuid()}"
    words = [_NOT_ALLOWED.sub("-", word)[:60].strip(".-_@+") for word in (user, socket.gethostname())]
    return "@".join(word for word in words if word) or "signer"


class PublicKey(Struct, frozen=True, dict=True):
    """The public half of an Ed25519 key: 32 bytes (RFC 8032)."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != 32:
            raise KeyFileError("an Ed25519 public key has 32 bytes")

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """The key written ``ed25519:BASE64``; raises KeyFileError."""
        if not text.startswith(PREFIX):
            raise KeyFileError(
                f"not a public key: {text[:60]!r}",
                hint=f"It begins with {PREFIX}; sluicegate keys export shows it.",
            )
        return cls(strict_base64(text.removeprefix(PREFIX)))

    @classmethod
    def from_pem(cls, data: bytes) -> PublicKey:
        """The key of a PEM file (``openssl pkey -pubout``); raises KeyFileError."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        try:
            key = load_pem_public_key(data)
        except (ValueError, UnsupportedAlgorithm):
            raise KeyFileError("the file is not a public key in PEM") from None
        if not isinstance(key, Ed25519PublicKey):
            raise KeyFileError(
                "the public key is not an Ed25519 key", hint="openssl genpkey -algorithm ed25519"
            )
        return cls(key.public_bytes_raw())

    def to_pem(self) -> str:
        """The key as PEM, without the last line feed."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode().strip()

    def __str__(self) -> str:
        return PREFIX + base64.b64encode(self.raw).decode()

    @cached_property
    def id(self) -> str:
        """SHA-256 of the 32 bytes, in hex."""
        return hashlib.sha256(self.raw).hexdigest()

    def accepts(self, signature: bytes, message: bytes) -> bool:
        """Whether ``signature`` is this key's, over ``message``."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def strict_base64(text: str) -> bytes:
    """The bytes of standard base64 in its one canonical form; raises KeyFileError for any other spelling."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise KeyFileError("not standard base64") from None
    if base64.b64encode(data).decode() != text:
        raise KeyFileError("base64 that is not in its canonical form")
    return data
