"""An edition of the review instructions, signed: what ``make generate`` writes when a text has changed.

The three templates of an edition are signed by one key, which is made here and forgotten when this returns: it is written
nowhere, so nobody can sign another text under its public half, we included. Where the templates verify as they stand,
everything stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sluicegate.vet.review.prompts.instructions import (
    FILES,
    PURPOSE,
    SIGNED,
    SIGNER,
    SIGNER_FILE,
    InstructionsChanged,
    envelope_file,
    instructions,
    read_file,
    signed_name,
)
from sluicegate.vet.verdict.consensus import Role

_HEAD = """\
# Whose signature the review instructions bear: the public half of a key that was made for this edition and thrown away.
# Derived: `make generate` writes it again, with the envelopes (*.sig.json), when a template has changed.
"""


def signed_edition(read: Callable[[str], bytes] = read_file) -> Mapping[str, bytes]:
    """The files that go with the templates, by name: an envelope for each, and the public key."""
    try:
        for role in Role:
            instructions(role, read=read)
    except InstructionsChanged:
        return _signed_anew({role: read(FILES[role]).decode("utf-8") for role in Role})
    return {name: read(name) for name in (*map(envelope_file, Role), SIGNER_FILE)}


def _signed_anew(templates: Mapping[Role, str]) -> Mapping[str, bytes]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from sluicegate.record.keys.keys import Signer
    from sluicegate.record.keys.trust import TrustedKey, dump_entry
    from sluicegate.record.signatures.signatures import of_template, sign

    signer = Signer(SIGNER, Ed25519PrivateKey.generate())
    files = {
        envelope_file(role): sign(
            of_template(text), purpose=PURPOSE, name=signed_name(role), signer=signer, now=SIGNED
        ).envelope
        for role, text in templates.items()
    }
    entry = dump_entry(TrustedKey(identity=SIGNER, key=signer.public))
    return {**files, SIGNER_FILE: f"{_HEAD}\n{entry}".encode()}
