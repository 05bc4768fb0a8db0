"""The instructions of reviewing models: signed when built, read from the package and verified each time before they are used.

1. The file of the role is read, and with it its envelope and the one public key of this edition.
2. The envelope is verified as any signed instruction is (``record.signatures``): it is that key's signature of exactly this
   text, as an instruction of this name. Otherwise the review stops.
3. Only then is the one placeholder filled: the boundary, which is hexadecimal digits and nothing else. Nothing that a skill
   wrote ever enters the instructions.

Who signs, and what that protects against: docs/adr/0017-review-instructions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import VetError
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.consensus import Role

if TYPE_CHECKING:
    from sluicegate.record.keys.trust import Trust
    from sluicegate.record.signatures.signatures import Statement

PLACEHOLDER = "{boundary}"
PURPOSE = "instruction"
"""What a template is signed for: the same as those of the flow door."""
FILES: Mapping[Role, str] = {
    Role.FINDINGS: "finding-reviewer.txt",
    Role.SKILL: "skill-reviewer.txt",
    Role.DETECTOR: "injection-detector.txt",
}
SIGNER_FILE = "signer.toml"
SIGNER = "review-instructions@sluicegate"
SIGNED = 0
"""The time that every envelope states, in nanoseconds: what is signed depends on the text and the key alone, and a wrong clock
stops no review."""
_HERE = Path(__file__).parent
_BOUNDARY = lazy(r"[0-9a-f]{16,64}")


class InstructionsChanged(VetError):
    """The instructions of a reviewer are not those that were signed for this edition: nothing is asked.

    ``name`` is that of the template, and ``reason`` why its signature does not count, in one word.
    """

    code = "review-instructions"

    def __init__(self, name: str, reason: str, message: str) -> None:
        super().__init__(
            message,
            hint="Nothing was asked. Install sluicegate again; in a checkout, read what has changed, then: make generate",
        )
        self.name, self.reason = name, reason


class ReviewInstructions(NamedTuple):
    """Verified instructions: the words with their placeholder, the digest by which records name them, and who signed them."""

    role: Role
    template: str
    digest: str
    signer: str

    @property
    def name(self) -> str:
        """The name under which they are signed."""
        return signed_name(self.role)

    def verify(self) -> None:
        """Verify them once more, as they stand now. Raises InstructionsChanged, also where others have taken their place."""
        if instructions(self.role) != self:
            raise _changed(
                self.role,
                "content-changed",
                "others have taken the place of those that the review began with",
            )

    def filled(self, boundary: str) -> str:
        """The words as a model reads them. Raises ValueError for a boundary that is not hexadecimal digits."""
        if _BOUNDARY.fullmatch(boundary) is None:
            raise ValueError("a boundary is 16 to 64 hexadecimal digits")
        return self.template.replace(PLACEHOLDER, boundary)

    def schema(self) -> dict[str, Any]:
        """The form of the answer."""
        from sluicegate.vet.review.prompts.answers import answer_schema

        return answer_schema(self.role)


def signed_name(role: Role) -> str:
    """The name under which the instructions of a role are signed."""
    return "@" + FILES[role].removesuffix(".txt")


def envelope_file(role: Role) -> str:
    """The file with the signature of a role's instructions."""
    return FILES[role].replace(".txt", ".sig.json")


def read_file(name: str) -> bytes:
    """The bytes of a file of this folder: a template, an envelope, or the key."""
    return (_HERE / name).read_bytes()


def instructions(role: Role, *, read: Callable[[str], bytes] = read_file) -> ReviewInstructions:
    """The verified instructions of a role. To be called before each use; nothing is kept. Raises InstructionsChanged."""
    try:
        data = read(FILES[role])  # 1
        envelope = read(envelope_file(role))
        key = read(SIGNER_FILE)
    except OSError as error:
        raise _changed(
            role, "unreadable", f"{Path(error.filename or FILES[role]).name}: {error.strerror}"
        ) from None
    statement = _verified(role, data, envelope, key)  # 2
    return ReviewInstructions(
        role=role,
        template=data.decode("utf-8"),
        digest=statement.digest.removeprefix("sha256:"),
        signer=statement.signer,
    )


def _verified(role: Role, data: bytes, envelope: bytes, key: bytes) -> Statement:
    from sluicegate.record.errors import RecordError
    from sluicegate.record.signatures import signatures

    try:
        found = signatures.verify(
            envelope,
            subject=signatures.of_template(data.decode("utf-8")),
            purpose=PURPOSE,
            name=signed_name(role),
            trust=_signer(key),
            now=SIGNED,
        )
    except UnicodeDecodeError as error:
        raise _changed(role, "unreadable", f"it is not UTF-8 text ({error.reason})") from None
    except RecordError as error:
        raise _changed(role, "unreadable", error.message) from None
    if isinstance(found, signatures.Refused):
        raise _changed(role, str(found.reason), found.detail)
    return found.statement


def _signer(key: bytes) -> Trust:
    """The one key of this edition. Raises RecordError for what is not that."""
    from sluicegate.record.errors import TrustError
    from sluicegate.record.keys import trust

    try:
        found = trust.parse(key.decode("utf-8"), where=SIGNER_FILE)
    except UnicodeDecodeError:
        raise TrustError(f"{SIGNER_FILE} is not UTF-8 text") from None
    if [each.identity for each in found.keys.values()] != [SIGNER]:
        raise TrustError(f"{SIGNER_FILE} has not the one key of {SIGNER}")
    return found


def _changed(role: Role, reason: str, detail: str) -> InstructionsChanged:
    return InstructionsChanged(
        signed_name(role),
        reason,
        f"the review instructions {FILES[role]} are not those that were signed for this release ({reason}): {detail}",
    )
