"""Paths as what is signed: a file's bytes, a template's text, a folder with everything in it."""

from __future__ import annotations

from pathlib import Path

from sluicegate.record.errors import SigningError
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures.signatures import (
    TEMPLATE_LIMIT,
    Kind,
    Reason,
    Refused,
    SignedSubject,
    Verified,
    of_file,
    of_folder,
    of_template,
    open_envelope,
    verify,
)


def subject_at(path: Path, kind: Kind) -> SignedSubject:
    """What stands at ``path``, taken as ``kind``. Raises SigningError when it is not one, or cannot be read."""
    if kind == "folder":
        return of_folder(path)
    if not path.is_file():
        raise SigningError(
            f"{path} is not a file" if path.exists() else f"there is no {path}",
            hint="Name a file or a folder.",
        )
    if kind == "bytes":
        return of_file(path)
    try:
        with path.open("rb") as handle:
            data = handle.read(TEMPLATE_LIMIT + 1)
        if len(data) > TEMPLATE_LIMIT:
            raise SigningError(
                f"{path} is too large for a template", hint="Sign it as bytes: without --template."
            )
        return of_template(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise SigningError(
            f"{path} is not UTF-8 text", hint="Sign it as bytes: without --template."
        ) from None
    except OSError as error:
        raise SigningError(f"cannot read {path}: {error.strerror}") from None


def verify_path(
    envelope: bytes, path: Path, *, purpose: str, name: str, trust: Trust, now: int
) -> Verified | Refused:
    """``signatures.verify`` of what stands at ``path``, read as the kind that the signature speaks of.

    What is read is gone when this returns: who goes on to use a file verifies the bytes that it uses.
    """
    opened = open_envelope(envelope, trust=trust, now=now)
    if isinstance(opened, Refused):
        return opened
    kind = opened.statement.kind
    if path.is_dir() != (kind == "folder") and path.exists():
        return Refused(reason=Reason.WRONG_KIND, detail=f"signed as {kind}, which this is not")
    try:
        subject = subject_at(path, kind)
    except SigningError as error:
        return Refused(reason=Reason.UNREADABLE, detail=error.message)
    return verify(envelope, subject=subject, purpose=purpose, name=name, trust=trust, now=now)
