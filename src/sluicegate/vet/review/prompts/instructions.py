"""The instructions of reviewing models: read from the package, and verified each time before they are used.

1. The file of the role is read.
2. Its SHA-256 is that which ``pins`` has for this release, or the review stops.
3. Where the user has signed the instructions (``countersign``), the signature counts too: it is of this text, for this role,
   by a key that the user trusts, or the review stops.
4. Only then is the one placeholder filled: the boundary, which is hexadecimal digits and nothing else. Nothing that a skill
   wrote ever enters the instructions.

Why a pin and not a key of ours: docs/adr/0017-review-instructions.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import VetError
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.prompts.pins import PINS
from sluicegate.vet.verdict.consensus import Role

if TYPE_CHECKING:
    from sluicegate.record.keys.keys import Signer
    from sluicegate.record.keys.trust import Trust

PLACEHOLDER = "{boundary}"
PURPOSE = "review-instructions"
FILES: Mapping[Role, str] = {
    Role.FINDINGS: "finding-reviewer.txt",
    Role.SKILL: "skill-reviewer.txt",
    Role.DETECTOR: "injection-detector.txt",
}
_HERE = Path(__file__).parent
_BOUNDARY = lazy(r"[0-9a-f]{16,64}")


class InstructionsChanged(VetError):
    """The instructions of a reviewer are not those of this release, or not those that the user signed: nothing is asked."""

    code = "review-instructions"


class ReviewInstructions(NamedTuple):
    """Verified instructions: the words with their placeholder, and the digest by which records name them."""

    role: Role
    template: str
    digest: str

    def filled(self, boundary: str) -> str:
        """The words as a model reads them. Raises ValueError for a boundary that is not hexadecimal digits."""
        if _BOUNDARY.fullmatch(boundary) is None:
            raise ValueError("a boundary is 16 to 64 hexadecimal digits")
        return self.template.replace(PLACEHOLDER, boundary)

    def schema(self) -> dict[str, Any]:
        """The form of the answer."""
        from sluicegate.vet.review.prompts.answers import answer_schema

        return answer_schema(self.role)


class Countersigned(NamedTuple):
    """Signatures that a user made over the instructions: the envelopes by role, whom the user trusts, and the time."""

    envelopes: Mapping[Role, bytes]
    trust: Trust
    now: int


def read_file(name: str) -> bytes:
    """The bytes of a template of this package."""
    return (_HERE / name).read_bytes()


def instructions(
    role: Role, countersigned: Countersigned | None = None, *, read: Callable[[str], bytes] = read_file
) -> ReviewInstructions:
    """The verified instructions of a role. To be called before each use; nothing is kept. Raises InstructionsChanged."""
    name = FILES[role]
    try:
        data = read(name)  # 1
    except OSError as error:
        raise InstructionsChanged(
            f"the review instructions {name} cannot be read: {error.strerror}",
            hint="Nothing was asked. Install sluicegate again.",
        ) from None
    digest = hashlib.sha256(data).hexdigest()
    if digest != PINS[name]:  # 2
        raise InstructionsChanged(
            f"the review instructions {name} are not those of this release",
            hint="Nothing was asked. Install sluicegate again; in a checkout, read what has changed, then: make generate",
        )
    text = data.decode("utf-8")
    if countersigned is not None:
        _check(role, text, countersigned)  # 3
    return ReviewInstructions(role=role, template=text, digest=digest)


def countersign(role: Role, signer: Signer, now: int) -> bytes:
    """An envelope with the user's own signature over the instructions of this release. Raises InstructionsChanged."""
    from sluicegate.record.signatures import signatures

    subject = signatures.of_template(instructions(role).template)
    return signatures.sign(subject, purpose=PURPOSE, name=f"@{role.value}", signer=signer, now=now).envelope


def _check(role: Role, text: str, countersigned: Countersigned) -> None:
    from sluicegate.record.signatures import signatures

    envelope = countersigned.envelopes.get(role)
    if envelope is None:
        raise InstructionsChanged(
            f"the review instructions {FILES[role]} are not among those that you signed",
            hint="Nothing was asked. Read them (docs/review.md), and sign them again.",
        )
    found = signatures.verify(
        envelope,
        subject=signatures.of_template(text),
        purpose=PURPOSE,
        name=f"@{role.value}",
        trust=countersigned.trust,
        now=countersigned.now,
    )
    if isinstance(found, signatures.Refused):
        raise InstructionsChanged(
            f"the review instructions {FILES[role]} are not as you signed them ({found.reason}): {found.detail}",
            hint="Nothing was asked. Read them (docs/review.md), and sign them again.",
        )


def pins_source() -> str:
    """The module ``pins``, made from the templates as they are now (``make generate``)."""
    rows = [
        f'    "{name}": "{hashlib.sha256(read_file(name)).hexdigest()}",' for name in sorted(FILES.values())
    ]
    return "\n".join([_PINS_HEAD, *rows, "}", ""])


_PINS_HEAD = '''"""The SHA-256 of each template of review instructions in this release. Derived: `make generate` writes it again."""

from __future__ import annotations

from collections.abc import Mapping

PINS: Mapping[str, str] = {'''
