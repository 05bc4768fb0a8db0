"""Certificates of scans: written, signed, and the signature verified. What they hold is in ``vet.verdict.certificate``.

Whether the decision follows from what a certificate lists is for ``spec/check.py`` to say, which shares nothing with us.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sluicegate import __version__
from sluicegate.reach.errors import OutputError
from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.certificate import (
    PAYLOAD_TYPE,
    TYPE,
    CertificateError,
    certified,
    document,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sluicegate.record.keys.trust import Trust, TrustedKey
    from sluicegate.record.signatures.signatures import Refused
    from sluicegate.record.workspace import Workspace
    from sluicegate.vet.report import Report, SkillReport

PURPOSE = "certificate"
_UNSIGNED = (
    "a certificate that nobody signed; whoever scans signs it with: scan TARGET --certificate FILE --sign"
)


class Certified(NamedTuple):
    """A certificate that somebody trusted has signed. ``day`` is the latest on which a skill of it was decided."""

    signer: str
    key: str
    digest: str
    decision: str
    day: str
    skills: tuple[tuple[str, str, str], ...]


def certificate_of(skills: Sequence[SkillReport]) -> bytes:
    """The certificate of skills, in their order. Raises CertificateError when it would be too long."""
    parts = [certified(skill.verdict, name=skill.name, bundle=skill.digest) for skill in skills]
    return encode(document(parts, tool=__version__))


def written(report: Report) -> bytes:
    """The certificate of a report. Raises OutputError when it would be too long."""
    try:
        return certificate_of(report.skills)
    except CertificateError as error:
        raise OutputError(str(error), hint="Scan fewer skills at once.") from None


def signed(certificate: bytes, workspace: Workspace, file: Path) -> bytes:
    """The certificate in an envelope, signed with the key of the user; the ledger, where there is one, is told."""
    from sluicegate.record.ledger import events
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.record.signatures import dsse

    signer = workspace.keys.signer()
    envelope = dsse.seal(PAYLOAD_TYPE, certificate, signer)
    if workspace.ledger.exists():
        with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
            ledger.append(
                events.Sign(
                    var=file.name,
                    purpose=PURPOSE,
                    hash=_digest(certificate),
                    by=signer.identity,
                    key=signer.public.id,
                    within=workspace.within,
                )
            )
            ledger.flush(durable=True)
    return envelope


def verified(envelope: bytes, *, trust: Trust, now: int) -> Certified | Refused:
    """Whether ``envelope`` is a certificate that somebody trusted has signed; ``now`` in nanoseconds.

    1. The envelope is well formed and of our type, and its key trusted and not revoked.
    2. The signature is that key's over exactly these bytes.
    3. They are a certificate in its one spelling.
    4. It was decided before the end of the key, and not in the future.
    """
    from sluicegate.record.signatures.signatures import Reason, Refused, unseal

    opened = unseal(envelope, type=PAYLOAD_TYPE, trust=trust)  # 1, 2
    if isinstance(opened, Refused):
        return Refused(reason=Reason.MISSING, detail=_UNSIGNED) if _unsigned(envelope) else opened
    payload, key = opened
    read = _read(payload, key)  # 3
    if read is None:
        return Refused(reason=Reason.MALFORMED, detail="signed, but not a certificate of this format")
    return _timely(read, key, now) or read  # 4


def dockets_of(file: Path) -> frozenset[str]:
    """The dockets of the decisions that a certificate states, signed or not, by whomever. Raises UsageError for what is none."""
    import base64

    from sluicegate.reach.errors import UsageError
    from sluicegate.vet.named_files import read_regular
    from sluicegate.vet.verdict.certificate import MOST_BYTES

    why = f"{file} is not a certificate"
    try:
        value = json.loads(read_regular(file, 2 * MOST_BYTES))
        if "payload" in value:
            value = json.loads(base64.b64decode(value["payload"], validate=True))
        if value["type"] == TYPE:
            return frozenset(str(skill["docket"]) for skill in value["skills"])
    except OSError as error:
        why = f"cannot read {file}: {error.strerror}"
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise UsageError(why, hint="'--certificate FILE' of a scan or review writes one.")


def _unsigned(data: bytes) -> bool:
    """Whether these bytes are a certificate as they stand, outside of any envelope."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("type") == TYPE


def _read(payload: bytes, key: TrustedKey) -> Certified | None:
    """What a certificate says; None for anything else. That it was signed by somebody trusted is known before."""
    try:
        value = json.loads(payload.decode("ascii"))
        if value["type"] != TYPE or encode(value) != payload:
            return None
        skills = tuple((str(s["name"]), str(s["bundle"]), str(s["decision"])) for s in value["skills"])
        day = max(datetime.fromisoformat(s["day"]).date().isoformat() for s in value["skills"])
        decision = str(value["decision"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return Certified(
        signer=key.identity,
        key=key.key.id,
        digest=_digest(payload),
        decision=decision,
        day=day,
        skills=skills,
    )


def _timely(read: Certified, key: TrustedKey, now: int) -> Refused | None:
    from sluicegate.record.clock import SECOND, stamp_second
    from sluicegate.record.signatures.signatures import SKEW, Reason, Refused

    decided = datetime.fromisoformat(read.day).replace(tzinfo=UTC)
    made = int((decided - datetime.fromtimestamp(0, UTC)).total_seconds())
    if key.not_after is not None and made > key.not_after:
        end = stamp_second(key.not_after)
        return Refused(
            reason=Reason.AFTER_END_OF_KEY, detail=f"decided on {read.day}, after the end of the key, {end}"
        )
    if made > now // SECOND + SKEW:
        return Refused(reason=Reason.FROM_THE_FUTURE, detail=f"decided on {read.day}, which has not come yet")
    return None


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
