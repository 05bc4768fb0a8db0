"""The private keys of this user: made, listed, rotated and revoked; and the key that signs.

A key is a small JSON file ``<id>.json`` in the home, mode 0600, that holds the private key or says that the
system keyring does. Nothing in the workspace is read or written here. Every change is made under one lock,
so that two processes that both need a first key make one.
"""

from __future__ import annotations

import base64
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct

from sluicegate.record import private
from sluicegate.record.clock import SECOND, Clock, stamp_second
from sluicegate.record.errors import KeyFileError, KeyringRefused, RecordError, nearest
from sluicegate.record.home import Home
from sluicegate.record.keys import trust
from sluicegate.record.keys.identity import (
    PublicKey,
    check_identity,
    default_identity,
    strict_base64,
)
from sluicegate.record.keys.system_keyring import SERVICE, Backend, open_keyring
from sluicegate.record.keys.trust import Trust, TrustedKey

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_LIMIT = 4096
_FORMAT = "sluicegate-key-1"
_IN_KEYRING = "keyring"


class StoredKey(Struct, frozen=True, kw_only=True):
    """A key of this user, without its private half. ``created`` is ``2026-…Z``; ``in_keyring``: not in the file."""

    identity: str
    public: PublicKey
    created: str
    in_keyring: bool
    path: Path


class Signer:
    """A private key, ready to sign. Never shows or gives away the key: not printed, copied or pickled."""

    __slots__ = ("_key", "identity", "public")

    def __init__(self, identity: str, key: Ed25519PrivateKey) -> None:
        self.identity = identity
        self.public = PublicKey(key.public_key().public_bytes_raw())
        self._key = key

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the Ed25519 signature over ``message`` (RFC 8032)."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"Signer({self.identity!r}, key {self.public.id[:16]})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a private key is not pickled or copied")


class Keys:
    """The keys of one home. Cheap to make: nothing is read until something is asked."""

    def __init__(
        self,
        home: Home,
        *,
        clock: Clock,
        random: Callable[[int], bytes] = os.urandom,
        identity: Callable[[], str] = default_identity,
        keyring: Callable[[], Backend] = open_keyring,
    ) -> None:
        self.home = home
        self._clock = clock
        self._random = random
        self._identity = identity
        self._keyring = keyring

    def trust(self) -> Trust:
        """The user's trust file; see ``trust.load``."""
        return trust.load(self.home.trust)

    def stored(self) -> tuple[StoredKey, ...]:
        """All keys of this user, oldest first. Raises HomeError and KeyFileError for one that is not safe."""
        if not os.path.lexists(self.home.keys):
            return ()
        private.check_directory(self.home.keys)
        paths = [path for path in self.home.keys.iterdir() if path.suffix == ".json"]
        return tuple(sorted(map(_describe, paths), key=lambda key: (key.created, key.public.id)))

    def new(self, identity: str | None = None, *, in_keyring: bool = False) -> StoredKey:
        """Make a key and trust it.

        Raises KeyFileError when ``identity`` is already trusted with a key of somebody else, KeyringRefused,
        HomeError and TrustError.
        """
        with self._locked():
            return self._new(identity, in_keyring=in_keyring)

    def signer(self, identity: str | None = None) -> Signer:
        """The key that signs for ``identity``; a first key is made when there is none at all.

        1. The keys of ``identity``, or of the one identity there is, or of the default identity.
        2. Of these, the newest that is neither revoked nor replaced.

        Raises KeyFileError when nothing is left, and as ``stored`` does.
        """
        stored = self.stored()
        if not stored:
            with self._locked():
                stored = self.stored() or (self._new(identity, in_keyring=False),)
        name = self._choose(identity, stored)  # 1
        chosen = self._newest(name, stored)  # 2
        if chosen is None:
            with self._locked():  # another process may be between writing a key and trusting it
                chosen = self._newest(name, self.stored())
        if chosen is None:
            raise KeyFileError(
                f"{name} has no key that may still sign",
                hint=f"All are revoked, replaced or not trusted. Make one: sluicegate keys new {name}",
            )
        return self._load(chosen)

    def name_of_signer(self, identity: str | None = None) -> str:
        """For whom ``signer`` would sign; nothing is made. Raises KeyFileError as it does for step 1."""
        stored = self.stored()
        return self._choose(identity, stored) if stored else check_identity(identity or self._identity())

    def rotate(self, identity: str | None = None) -> StoredKey:
        """Make a new key for an identity; its other keys of this user sign nothing after now."""
        with self._locked():
            stored = self.stored()
            name = self._choose(identity, stored) if stored else identity
            made = self._new(name, in_keyring=any(k.in_keyring for k in stored if k.identity == name))
            now, trusted = self._clock() // SECOND, self.trust()
            for key in stored:
                entry = trusted.keys.get(key.public.id)
                if key.identity == made.identity and _may_sign(entry, now):
                    trusted = trusted.changed(key.public.id, not_after=now)
            trust.save(self.home.trust, trusted)
        return made

    def revoke(self, word: str, *, note: str = "") -> TrustedKey:
        """Let no signature of a key count from now on; ``word`` begins its id. Raises TrustError."""
        with self._locked():
            trusted = self.trust()
            key = trusted.find(word)
            changes: dict[str, int | str | None] = {"revoked": key.revoked or self._clock() // SECOND}
            if note:
                changes["note"] = note
            trusted = trusted.changed(key.key.id, **changes)
            trust.save(self.home.trust, trusted)
        return trusted.keys[key.key.id]

    def add_trusted(self, entries: tuple[TrustedKey, ...]) -> tuple[TrustedKey, ...]:
        """Trust keys of others. What the user revoked or ended stays so. Raises TrustError."""
        with self._locked():
            trusted, now = self.trust(), self._clock() // SECOND
            added = []
            for entry in entries:
                before = trusted.keys.get(entry.key.id)
                merged = _merged(entry, before, now)
                trusted = trusted.with_key(merged)
                added.append(merged)
            trust.save(self.home.trust, trusted)
        return tuple(added)

    def _newest(self, name: str, stored: tuple[StoredKey, ...]) -> StoredKey | None:
        trusted, now = self.trust(), self._clock() // SECOND
        usable = [k for k in stored if k.identity == name and _may_sign(trusted.keys.get(k.public.id), now)]
        return usable[-1] if usable else None

    def _choose(self, identity: str | None, stored: tuple[StoredKey, ...]) -> str:
        names = {key.identity for key in stored}
        wanted = identity or (next(iter(names)) if len(names) == 1 else self._identity())
        if wanted not in names:
            raise KeyFileError(
                f"there is no key of {wanted} here",
                hint=f"{nearest(wanted, names)} sluicegate keys new makes one.",
            )
        return wanted

    def _new(self, identity: str | None, *, in_keyring: bool) -> StoredKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        name = check_identity(identity or self._identity())
        trusted, mine = self.trust(), {key.public.id for key in self.stored()}
        if any(entry.key.id not in mine for entry in trusted.of(name)):
            raise KeyFileError(
                f"{name} is already trusted with a key that is not yours",
                hint="Choose another identity: one name is one signer.",
            )
        seed = self._random(32)
        public = PublicKey(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())
        now = self._clock() // SECOND
        kept = base64.b64encode(seed).decode()
        if in_keyring:
            self._keyring().set_password(SERVICE, public.id, kept)
            kept = _IN_KEYRING
        path = self.home.keys / f"{public.id}.json"
        data = {"format": _FORMAT, "identity": name, "created": stamp_second(now)}
        private.create(path, _encoded({**data, "public": str(public), "private": kept}))
        entry = TrustedKey(identity=name, key=public, added=now)
        trust.save(self.home.trust, trusted.with_key(entry))
        return _describe(path)

    def _load(self, key: StoredKey) -> Signer:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        kept = self._kept(key)
        try:
            loaded = Ed25519PrivateKey.from_private_bytes(strict_base64(kept))
        except (ValueError, KeyFileError):
            raise KeyFileError(f"{key.path} holds no private key") from None
        signer = Signer(key.identity, loaded)
        if signer.public != key.public:
            raise KeyFileError(f"{key.path}: the private key is not that of the public key")
        return signer

    def _kept(self, key: StoredKey) -> str:
        if not key.in_keyring:
            return _fields(key.path)["private"]
        kept = self._keyring().get_password(SERVICE, key.public.id)
        if kept is None:
            raise KeyringRefused(
                f"the system keyring does not hold key {key.public.id[:16]} of {key.identity}",
                hint="Unlock it, or make another key: sluicegate keys rotate",
            )
        return kept

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of the home; its directory is made when it does not exist."""
        private.make_directory(self.home.keys)
        path = self.home.keys / ".lock"
        if not os.path.lexists(path):
            private.create(path, b"")
        fd = private.open_private(path, os.O_RDWR)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)


def _may_sign(entry: TrustedKey | None, now: int) -> bool:
    """A key signs only while its own user trusts it: else nobody would believe the signature."""
    if entry is None or entry.revoked is not None:
        return False
    return entry.not_after is None or now < entry.not_after


def _merged(entry: TrustedKey, before: TrustedKey | None, now: int) -> TrustedKey:
    ends = [e.not_after for e in (entry, before) if e is not None and e.not_after is not None]
    revoked = [e.revoked for e in (entry, before) if e is not None and e.revoked is not None]
    return TrustedKey(
        identity=entry.identity,
        key=entry.key,
        added=before.added if before is not None else now,
        not_after=min(ends, default=None),
        revoked=min(revoked, default=None),
        note=entry.note or (before.note if before is not None else ""),
    )


def _describe(path: Path) -> StoredKey:
    fields = _fields(path)
    try:
        public = PublicKey.parse(fields["public"])
        identity = check_identity(fields["identity"])
    except RecordError as error:
        raise KeyFileError(f"{path}: {error.message}", hint=error.hint) from None
    if path.stem != public.id:
        raise KeyFileError(f"{path} is not named after its key", hint=f"Its name is {public.id}.json")
    in_keyring = fields["private"] == _IN_KEYRING
    return StoredKey(
        identity=identity, public=public, created=fields["created"], in_keyring=in_keyring, path=path
    )


def _fields(path: Path) -> dict[str, str]:
    """The fields of a key file. No part of the file is quoted in an error."""
    import json

    names = {"format", "identity", "created", "public", "private"}
    try:
        fields = json.loads(private.read(path, limit=_LIMIT))
    except FileNotFoundError:
        raise KeyFileError(f"there is no key file {path}") from None
    except (ValueError, RecursionError):
        fields = None
    whole = isinstance(fields, dict) and set(fields) == names
    if not whole or fields["format"] != _FORMAT or not all(isinstance(v, str) for v in fields.values()):
        raise KeyFileError(f"{path} is not a key file", hint="Move it out of the directory of the keys.")
    return dict(fields)


def _encoded(fields: dict[str, str]) -> bytes:
    import json

    return (json.dumps(fields, indent=1) + "\n").encode()
