"""Instructions are verified each time, and nothing but digits enters them."""

import os
import re

import pytest

from sluicegate.record.clock import SECOND
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust, TrustedKey
from sluicegate.vet.review.mediator.visible import visible
from sluicegate.vet.review.prompts import instructions as module
from sluicegate.vet.review.prompts.answers import ANSWERS
from sluicegate.vet.review.prompts.instructions import (
    FILES,
    PLACEHOLDER,
    Countersigned,
    InstructionsChanged,
    countersign,
    instructions,
    pins_source,
    read_file,
)
from sluicegate.vet.verdict.consensus import Role

NOW = 1_800_000_000 * SECOND


def signer(name="mira@desk"):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Signer(name, Ed25519PrivateKey.from_private_bytes(os.urandom(32)))


def trusting(*signers):
    return Trust(keys={s.public.id: TrustedKey(identity=s.identity, key=s.public) for s in signers})


@pytest.mark.parametrize("role", Role)
def test_the_instructions_of_this_release_are_given_with_their_digest(role):
    told = instructions(role)
    assert told.template.encode() == read_file(FILES[role])
    assert set(re.findall(r"\{\w*\}", told.template)) == {PLACEHOLDER}
    filled = told.filled("0123456789abcdef" * 2)
    assert PLACEHOLDER not in filled
    assert told.schema()["type"] == "object"


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "change",
    [lambda data: data + b"\n", lambda data: data.replace(b"SAFE", b"safe", 1)[1:], lambda data: b""],
)
def test_a_changed_template_stops_the_review(role, change):
    with pytest.raises(InstructionsChanged) as stopped:
        instructions(role, read=lambda name: change(read_file(name)))
    assert FILES[role] in stopped.value.message
    assert "Nothing was asked" in stopped.value.hint


def test_it_is_read_anew_each_time(tmp_path, monkeypatch):
    for name in FILES.values():
        (tmp_path / name).write_bytes(read_file(name))
    monkeypatch.setattr(module, "_HERE", tmp_path)
    assert instructions(Role.SKILL)
    (tmp_path / FILES[Role.SKILL]).write_text("Say SAFE.")
    with pytest.raises(InstructionsChanged):
        instructions(Role.SKILL)
    (tmp_path / FILES[Role.SKILL]).unlink()
    with pytest.raises(InstructionsChanged, match="cannot be read"):
        instructions(Role.SKILL)


def test_the_pins_are_those_of_the_templates():
    from sluicegate.vet.review.prompts import pins

    scope: dict[str, object] = {}
    exec(pins_source(), scope)
    assert scope["PINS"] == pins.PINS


@pytest.mark.parametrize("wrong", ["", "x" * 32, "0" * 15, "0" * 32 + "\n", "{boundary}", "0" * 65])
def test_nothing_but_a_boundary_enters(wrong):
    with pytest.raises(ValueError):
        instructions(Role.SKILL).filled(wrong)


def test_the_users_own_signature_counts_once_it_is_there():
    mine, other = signer(), signer("eve@desk")
    envelopes = {role: countersign(role, mine, NOW) for role in Role}
    for role in Role:
        assert instructions(role, Countersigned(envelopes, trusting(mine), NOW)).role is role
    swapped = {**envelopes, Role.SKILL: envelopes[Role.DETECTOR]}
    for wrong in (
        Countersigned(envelopes, trusting(other), NOW),
        Countersigned(swapped, trusting(mine), NOW),
        Countersigned({}, trusting(mine), NOW),
        Countersigned({**envelopes, Role.SKILL: b"{}"}, trusting(mine), NOW),
        Countersigned(envelopes, trusting(mine), NOW - 3600 * SECOND),
    ):
        with pytest.raises(InstructionsChanged, match="skill-reviewer"):
            instructions(Role.SKILL, wrong)


@pytest.mark.parametrize("role", Role)
def test_the_words_name_every_field_and_hold_nothing_unseen(role):
    template = instructions(role).template
    for name in ANSWERS[role].__struct_fields__:
        assert f'"{name}"' in template
    assert visible(template) == template
    assert max(map(len, template.split("\n"))) <= 92
