"""The trust file: which public key speaks for whom, until when, and which no longer does.

    [[signer]]
    identity = "mira@example.org"
    key = "ed25519:4Z0…="
    added = 2026-11-22T10:30:00Z
    not-after = 2027-05-01T00:00:00Z      # signatures made later do not count (the key was replaced)
    revoked = 2026-12-24T18:00:00Z        # no signature counts, whenever it says it was made (the key was lost)
    note = "laptop"

It lives in the user's directory. A file in the workspace is read only where the caller names it. The schema
is closed. One key speaks for one identity; an identity may have several keys.

``not-after`` compares with the time that the signature itself states, which whoever holds the key can set as
they like. It ends the use of an honest key. A key that others may hold is revoked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from sluicegate.record import private
from sluicegate.record.clock import stamp_second
from sluicegate.record.errors import KeyFileError, RecordError, TrustError, nearest
from sluicegate.record.keys.identity import PublicKey, check_identity

_FIELDS = ("identity", "key", "added", "not-after", "revoked", "note")
_LIMIT = 4 * 1024 * 1024
_HEAD = """\
# Whose signatures count. Written by `sluicegate keys`; you may edit it too (comments are lost when a command
# writes it again). docs/signing.md explains every line.
"""


class TrustedKey(Struct, frozen=True, kw_only=True):
    """One ``[[signer]]``: times are seconds since 1970 UTC, None where nothing is said."""

    identity: str
    key: PublicKey
    added: int | None = None
    not_after: int | None = None
    revoked: int | None = None
    note: str = ""


class Trust(Struct, frozen=True, kw_only=True):
    """All trusted keys by id, in the order of the file."""

    keys: Mapping[str, TrustedKey] = field(default_factory=dict)

    def with_key(self, entry: TrustedKey) -> Trust:
        """This, and ``entry``: in place of an entry for the same key. Raises TrustError for another identity."""
        before = self.keys.get(entry.key.id)
        if before is not None and before.identity != entry.identity:
            raise TrustError(
                f"key {entry.key.id[:16]} is already trusted as {before.identity}, not {entry.identity}",
                hint="One key speaks for one signer.",
            )
        return Trust(keys={**self.keys, entry.key.id: entry})

    def changed(self, key_id: str, **changes: int | str | None) -> Trust:
        """This with some fields of one entry changed; the entry must exist."""
        return Trust(keys={**self.keys, key_id: replace(self.keys[key_id], **changes)})

    def of(self, identity: str) -> tuple[TrustedKey, ...]:
        """The keys of one identity, in the order of the file."""
        return tuple(entry for entry in self.keys.values() if entry.identity == identity)

    def find(self, word: str) -> TrustedKey:
        """The one key whose id begins with ``word`` (8 digits or more); raises TrustError."""
        wanted = word.lower()
        matches = [e for id, e in self.keys.items() if len(wanted) >= 8 and id.startswith(wanted)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise TrustError(f"{len(matches)} keys begin with {word}", hint="Give more digits.")
        raise TrustError(
            f"there is no trusted key {word!r}",
            hint="Give 8 or more digits of an id that sluicegate keys list shows.",
        )


def load(path: Path, *, named: bool = False) -> Trust:
    """The trust file; empty when there is none, unless it was ``named`` by the caller.

    The user's own file must belong to the user (or root) and be writable by nobody else; a named one is
    the caller's choice. Raises TrustError.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        if named:
            raise TrustError(
                f"there is no trust file {path}", hint="'sluicegate keys export' writes one."
            ) from None
        return Trust()
    except OSError as error:
        raise TrustError(f"cannot read {path}: {error.strerror}") from None
    found = os.fstat(fd)
    try:
        data = private.read_regular(fd, limit=_LIMIT)
    except OSError as error:
        raise TrustError(f"cannot read {path}: {error.strerror}") from None
    if data is None or len(data) > _LIMIT:
        raise TrustError(f"{path} is not a trust file", hint="It is a regular file of at most 4 MiB.")
    if not named and (found.st_uid not in (os.geteuid(), 0) or found.st_mode & 0o022):
        raise TrustError(
            f"{path} may be written by others", hint=f"Look through it; when it is right: chmod 600 {path}"
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise TrustError(f"{path} is not UTF-8 text") from None
    return parse(text, where=str(path))


def save(path: Path, trust: Trust) -> None:
    """Write the trust file, whole. Raises HomeError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    private.replace(path, dump(trust).encode())


def parse(text: str, *, where: str) -> Trust:
    """Read a trust file's text; ``where`` names it in errors. Raises TrustError."""
    import tomllib

    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise TrustError(
            f"{where} is not TOML: {error}", hint="'sluicegate keys export' writes a trust file."
        ) from None
    for key in document:
        if key != "signer":
            raise TrustError(f"{where}: unknown key {key!r}", hint=nearest(key, ("signer",)))
    tables = document.get("signer", [])
    if not isinstance(tables, list):
        raise TrustError(f"{where}: signer is a list of tables", hint="Write [[signer]], with two brackets.")
    keys: dict[str, TrustedKey] = {}
    for number, table in enumerate(tables, start=1):
        entry = _entry(table, where=f"{where}: signer {number}")
        if entry.key.id in keys:
            raise TrustError(
                f"{where}: signer {number} repeats a key", hint="One key speaks for one signer, once."
            )
        keys[entry.key.id] = entry
    return Trust(keys=keys)


def _entry(table: object, *, where: str) -> TrustedKey:
    if not isinstance(table, dict):
        raise TrustError(f"{where} is not a table", hint="Write [[signer]], with two brackets.")
    for key in table:
        if key not in _FIELDS:
            raise TrustError(f"{where}: unknown key {key!r}", hint=nearest(key, _FIELDS))
    try:
        identity = check_identity(_text(table, "identity", where))
        key = PublicKey.parse(_text(table, "key", where))
    except KeyFileError as error:
        raise TrustError(f"{where}: {error.message}", hint=error.hint) from None
    return TrustedKey(
        identity=identity,
        key=key,
        added=_time(table, "added", where),
        not_after=_time(table, "not-after", where),
        revoked=_time(table, "revoked", where),
        note=_text(table, "note", where) if "note" in table else "",
    )


def _text(table: Mapping[str, object], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise TrustError(f"{where}: {key} is missing or not a text", hint=f'{key} = "…"')
    return value


def _time(table: Mapping[str, object], key: str, where: str) -> int | None:
    from datetime import UTC, datetime

    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TrustError(
            f"{where}: {key} is not a time with its zone", hint=f"{key} = 2027-05-01T00:00:00Z, unquoted"
        )
    try:
        second = int(value.astimezone(UTC).timestamp())
    except (OverflowError, ValueError):
        second = -1
    if second < 0:
        raise TrustError(f"{where}: {key} is out of range", hint="Between the years 1970 and 9999.")
    return second


def dump(trust: Trust) -> str:
    """The text of a trust file that ``parse`` reads back as ``trust``."""
    return "\n".join([_HEAD, *(dump_entry(entry) for entry in trust.keys.values())])


def dump_entry(entry: TrustedKey) -> str:
    """One ``[[signer]]`` as text."""
    lines = ["[[signer]]", f"identity = {_quoted(entry.identity)}", f'key = "{entry.key}"']
    for name, value in (("added", entry.added), ("not-after", entry.not_after), ("revoked", entry.revoked)):
        if value is not None:
            lines.append(f"{name} = {stamp_second(value)}")
    if entry.note:
        lines.append(f"note = {_quoted(entry.note)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """``text`` as a TOML basic string; a lone surrogate, which TOML cannot hold, becomes ``?``."""
    plain = text.encode("utf-8", "replace").decode()
    return '"' + "".join(_escaped(char) for char in plain) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def parse_public(data: bytes, *, identity: str | None) -> tuple[TrustedKey, ...]:
    """Keys to import: a trust file as ``sluicegate keys export`` writes it, one ``ed25519:…`` line, or PEM.

    ``identity`` is whom a bare key speaks for; it must agree with the name in a trust file, where given.
    Raises RecordError.
    """
    if data.lstrip().startswith(b"-----BEGIN"):
        return (TrustedKey(identity=_named(identity), key=PublicKey.from_pem(data)),)
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise TrustError("neither a public key nor a trust file: it is not text") from None
    if text.startswith("ed25519:"):
        return (TrustedKey(identity=_named(identity), key=PublicKey.parse(text)),)
    entries = tuple(parse(text, where="the file of keys").keys.values())
    if not entries:
        raise TrustError("the file of keys names no signer")
    for entry in entries:
        if identity is not None and entry.identity != identity:
            raise TrustError(
                f"the file speaks of {entry.identity}, not of {identity}",
                hint="Leave the identity away to take the file's own.",
            )
    return entries


def _named(identity: str | None) -> str:
    if identity is None:
        raise RecordError(
            "a bare public key does not say whose it is", hint="Name the signer: --identity NAME"
        )
    return check_identity(identity)
