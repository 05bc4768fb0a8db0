"""Sign and verify instructions: bytes, templates with their placeholders, whole folders.

A signature covers a statement: for which purpose and under which name what content was signed, by whom, with
which key, when. A signature for one name or purpose is none for another. Of a template the text is signed as
it was written, with its placeholders, never filled; the statement carries it, so that a reader can compare
what was signed with what stands before them.

Verification, in this order (``verify``):

1. The envelope is well formed and of our type.
2. The key it names is trusted, and not revoked.
3. The signature is that key's over exactly these bytes. Only now is the payload read.
4. The statement is well formed, and names that key and the identity that the key speaks for.
5. Its time is not after the end of the key, and not in the future.
6. It was made for the purpose, the name and the kind that were asked for.
7. The content is what was signed.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from sluicegate.record.clock import SECOND, parse_second, stamp_second
from sluicegate.record.errors import SigningError
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust, TrustedKey
from sluicegate.record.signatures import dsse, folders
from sluicegate.record.signatures.folders import Manifest

if TYPE_CHECKING:
    from sluicegate.record.ledger.events import Sign

TYPE = "application/vnd.sluicegate.signature+json"
SKEW = 300
"""Seconds by which the clock of a signer may be ahead of ours."""

_NAME_LIMIT = 1024
TEMPLATE_LIMIT = 16 * 1024 * 1024
"""A template has at most this many bytes: it is kept with its signature."""

Kind = Literal["bytes", "template", "folder"]


class Reason(StrEnum):
    """Why a signature does not count. Stable; the steps of ``verify`` in order."""

    MISSING = "missing"
    MALFORMED = "malformed"
    UNTRUSTED_KEY = "untrusted-key"
    REVOKED_KEY = "revoked-key"
    BAD_SIGNATURE = "bad-signature"
    SIGNER_MISMATCH = "signer-mismatch"
    AFTER_END_OF_KEY = "after-end-of-key"
    FROM_THE_FUTURE = "from-the-future"
    WRONG_PURPOSE = "wrong-purpose"
    WRONG_NAME = "wrong-name"
    WRONG_KIND = "wrong-kind"
    NOTHING_TO_COMPARE = "nothing-to-compare"
    CONTENT_CHANGED = "content-changed"
    UNREADABLE = "unreadable"
    OUTDATED = "outdated"


class SignedSubject(Struct, frozen=True, kw_only=True):
    """What is signed or compared. Make one with ``of_bytes``, ``of_file``, ``of_template`` or ``of_folder``."""

    kind: Kind
    digest: str
    template: str | None = None
    manifest: Manifest | None = None


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a signature says. ``time`` is ``2026-01-19T10:30:00Z``, ``digest`` is ``sha256:`` and hex."""

    format: Literal["sluicegate-signature-1"]
    purpose: str
    name: str
    kind: Kind
    digest: str
    signer: str
    key: str
    time: str
    template: str | None = None
    manifest: Manifest | None = None


class Verified(Struct, frozen=True, kw_only=True):
    """The signature counts."""

    statement: Statement


class Refused(Struct, frozen=True, kw_only=True):
    """The signature does not count. ``detail`` is for people and may quote untrusted names."""

    reason: Reason
    detail: str


class Signed(Struct, frozen=True, kw_only=True):
    """A new signature: what it says, and the envelope to keep."""

    statement: Statement
    envelope: bytes

    def event(self, within: str) -> Sign:
        """What the ledger is told of it; ``within`` as there."""
        from sluicegate.record.ledger.events import Sign

        said = self.statement
        return Sign(
            var=said.name, purpose=said.purpose, hash=said.digest, by=said.signer, key=said.key, within=within
        )


def of_bytes(data: bytes) -> SignedSubject:
    """Bytes, compared by their digest."""
    return SignedSubject(kind="bytes", digest=_sha256(data))


def of_file(path: Path) -> SignedSubject:
    """The content of a file of any size. Raises SigningError."""
    try:
        with path.open("rb") as handle:
            return SignedSubject(
                kind="bytes", digest=f"sha256:{hashlib.file_digest(handle, 'sha256').hexdigest()}"
            )
    except OSError as error:
        raise SigningError(f"cannot read {path}: {error.strerror}") from None


def of_template(text: str) -> SignedSubject:
    """A template as it was written, with its placeholders. Raises SigningError."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise SigningError("a template is UTF-8 text") from None
    if len(data) > TEMPLATE_LIMIT:
        raise SigningError(f"a template has at most {TEMPLATE_LIMIT} bytes", hint="Sign it as bytes.")
    return SignedSubject(kind="template", digest=_sha256(data), template=text)


def of_folder(folder: Path) -> SignedSubject:
    """A folder with everything in it. Raises SigningError; see ``folders``."""
    entries = folders.manifest(folder)
    return SignedSubject(kind="folder", digest=_sha256(folders.encode(entries)), manifest=entries)


def sign(subject: SignedSubject, *, purpose: str, name: str, signer: Signer, now: int) -> Signed:
    """Sign ``subject``; ``now`` in nanoseconds. Raises SigningError for a purpose or name that cannot be one."""
    statement = Statement(
        format="sluicegate-signature-1",
        purpose=checked_word(purpose, "purpose"),
        name=checked_word(name, "name"),
        kind=subject.kind,
        digest=subject.digest,
        signer=signer.identity,
        key=signer.public.id,
        time=stamp_second(now // SECOND),
        template=subject.template,
        manifest=subject.manifest,
    )
    envelope = dsse.seal(TYPE, msgspec.json.encode(statement), signer)
    if len(envelope) > dsse.LIMIT:
        raise SigningError(f"the signature of {name} would be larger than {dsse.LIMIT} bytes")
    return Signed(statement=statement, envelope=envelope)


def checked_word(text: str, what: str) -> str:
    """``text`` as a purpose or name: 1 to 1024 printable characters. Raises SigningError."""
    if not 0 < len(text) <= _NAME_LIMIT or not text.isprintable():
        raise SigningError(
            f"a {what} is 1 to {_NAME_LIMIT} printable characters, not {text[:60]!r}",
            hint="Name it otherwise.",
        )
    return text


def verify(
    envelope: bytes, *, subject: SignedSubject | None, purpose: str, name: str, trust: Trust, now: int
) -> Verified | Refused:
    """Whether ``envelope`` is a signature of ``subject`` for ``purpose`` and ``name`` by somebody trusted.

    ``subject`` None asks only whether the stored text of a template is signed; there is nothing to say so of
    other kinds. ``now`` in nanoseconds. Never raises for what ``envelope`` holds.
    """
    opened = open_envelope(envelope, trust=trust, now=now)  # 1 to 5
    if isinstance(opened, Refused):
        return opened
    statement = opened.statement
    for asked, said, reason in (  # 6
        (purpose, statement.purpose, Reason.WRONG_PURPOSE),
        (name, statement.name, Reason.WRONG_NAME),
    ):
        if asked != said:
            return _refused(reason, f"signed as {said!r}, not as {asked!r}")
    if subject is None:
        if statement.kind == "template":
            return opened
        return _refused(Reason.NOTHING_TO_COMPARE, f"the signature of a {statement.kind} holds no content")
    if subject.kind != statement.kind:
        return _refused(Reason.WRONG_KIND, f"signed as {statement.kind}, not as {subject.kind}")
    if subject.digest != statement.digest:  # 7
        return _refused(Reason.CONTENT_CHANGED, _changes(statement, subject))
    return opened


def open_envelope(envelope: bytes, *, trust: Trust, now: int) -> Verified | Refused:
    """Steps 1 to 5 of ``verify``: what somebody trusted has said, whatever it is about."""
    unsealed = unseal(envelope, type=TYPE, trust=trust)  # 1 to 3
    if isinstance(unsealed, Refused):
        return unsealed
    payload, key = unsealed
    statement = _parse_statement(payload)
    if statement is None:  # 4
        return _refused(Reason.MALFORMED, "signed, but not a statement of this format")
    if statement.key != key.key.id or statement.signer != key.identity:
        return _refused(
            Reason.SIGNER_MISMATCH, f"says {statement.signer!r}, but the key speaks for {key.identity}"
        )
    return timely(statement.time, key, now) or Verified(statement=statement)  # 5


def unseal(envelope: bytes, *, type: str, trust: Trust) -> tuple[bytes, TrustedKey] | Refused:
    """Steps 1 to 3 of ``verify``, for envelopes of any type: bytes that a trusted key has signed, and that key."""
    try:
        parsed = dsse.parse(envelope)
    except dsse.EnvelopeError as error:
        return _refused(Reason.MALFORMED, error.message)  # 1
    if parsed.type != type:
        return _refused(Reason.MALFORMED, "an envelope of another type")
    key = trust.keys.get(parsed.key_id)
    if key is None:  # 2
        return _refused(Reason.UNTRUSTED_KEY, "signed with a key that nobody here trusts")
    if key.revoked is not None:
        return _refused(
            Reason.REVOKED_KEY, f"the key of {key.identity} was revoked on {stamp_second(key.revoked)}"
        )
    if not key.key.accepts(parsed.signature, dsse.encoding(parsed.type, parsed.payload)):  # 3
        return _refused(Reason.BAD_SIGNATURE, f"not a signature of {key.identity}'s key over this text")
    return parsed.payload, key


def timely(time: str, key: TrustedKey, now: int) -> Refused | None:
    """Step 5 of ``verify``, of a statement of any kind that says when it was made. Raises ValueError where that is not a time."""
    made = parse_second(time)
    if key.not_after is not None and made > key.not_after:
        return _refused(
            Reason.AFTER_END_OF_KEY,
            f"signed on {time}, after the end of the key, {stamp_second(key.not_after)}",
        )
    if made > now // SECOND + SKEW:
        return _refused(Reason.FROM_THE_FUTURE, f"signed on {time}, which has not come yet")
    return None


def _parse_statement(payload: bytes) -> Statement | None:
    """The statement that ``payload`` spells, in the one spelling that ``sign`` uses; else None."""
    try:
        statement = msgspec.json.decode(payload, type=Statement)
        parse_second(statement.time)
        if msgspec.json.encode(statement) != payload:
            return None
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None
    if (statement.template is not None) != (statement.kind == "template"):
        return None
    if (statement.manifest is not None) != (statement.kind == "folder"):
        return None
    content = None
    if statement.template is not None:
        content = statement.template.encode()
    elif statement.manifest is not None:
        content = folders.encode(statement.manifest)
    return statement if content is None or statement.digest == _sha256(content) else None


def _changes(statement: Statement, subject: SignedSubject) -> str:
    if statement.manifest is None or subject.manifest is None:
        return f"changed since {statement.signer} signed it on {statement.time}"
    lines = folders.differences(statement.manifest, subject.manifest)
    more = f" and {len(lines) - 10} more" if len(lines) > 10 else ""
    return f"since {statement.signer} signed it on {statement.time}: {', '.join(lines[:10])}{more}"


def _refused(reason: Reason, detail: str) -> Refused:
    return Refused(reason=reason, detail=detail)


def _sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
