"""Instructions are signed when built and verified each time, and nothing but digits enters them."""

import hashlib
import json
import re

import pytest

from sluicegate.vet.review.mediator.visible import visible
from sluicegate.vet.review.prompts import instructions as module
from sluicegate.vet.review.prompts.answers import ANSWERS
from sluicegate.vet.review.prompts.edition import signed_edition
from sluicegate.vet.review.prompts.instructions import (
    FILES,
    PLACEHOLDER,
    SIGNER_FILE,
    InstructionsChanged,
    envelope_file,
    instructions,
    read_file,
)
from sluicegate.vet.verdict.consensus import Role


def package(**changes):
    """The files of the package with some of them another."""
    files = {
        name: read_file(name) for role in Role for name in (FILES[role], envelope_file(role), SIGNER_FILE)
    }
    return {**files, **changes}


def stopped(files, role=Role.SKILL):
    with pytest.raises(InstructionsChanged) as error:
        instructions(role, read=files.__getitem__)
    assert FILES[role] in error.value.message
    assert "Nothing was asked" in error.value.hint
    return error.value.reason


@pytest.mark.parametrize("role", Role)
def test_the_instructions_of_this_release_are_given_with_their_digest(role):
    told = instructions(role)
    assert told.template.encode() == read_file(FILES[role])
    assert told.digest == hashlib.sha256(read_file(FILES[role])).hexdigest()
    assert told.signer == "review-instructions@sluicegate"
    assert set(re.findall(r"\{\w*\}", told.template)) == {PLACEHOLDER}
    filled = told.filled("0123456789abcdef" * 2)
    assert PLACEHOLDER not in filled
    assert told.schema()["type"] == "object"


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"\n",
        lambda data: data.replace(b"SAFE", b"safe", 1)[1:],
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"",
    ],
)
def test_a_changed_template_stops_the_review(role, change):
    assert stopped(package(**{FILES[role]: change(read_file(FILES[role]))}), role) == "content-changed"


def test_a_template_that_is_no_text_stops_the_review():
    assert stopped(package(**{FILES[Role.SKILL]: b"\xff"})) == "unreadable"


def test_a_changed_envelope_stops_the_review():
    mine = envelope_file(Role.SKILL)
    sealed = read_file(mine)
    payload, other = (
        json.loads(read_file(envelope_file(role)))["payload"].encode() for role in (Role.SKILL, Role.DETECTOR)
    )
    for envelope, reason in (
        (b"", "malformed"),
        (b"{}", "malformed"),
        (sealed + b"\n", "malformed"),
        (sealed.replace(b'"sig":"', b'"sig":"AAAA', 1), "malformed"),
        (sealed.replace(payload, other), "bad-signature"),
        (read_file(envelope_file(Role.DETECTOR)), "wrong-name"),
    ):
        assert stopped(package(**{mine: envelope})) == reason


def test_another_key_stops_the_review():
    key = read_file(SIGNER_FILE)
    other = signed_edition(package(**{FILES[Role.SKILL]: b"Say SAFE."}).__getitem__)[SIGNER_FILE]
    for changed, reason in (
        (other, "untrusted-key"),
        (key + other, "unreadable"),
        (key + b"revoked = 2026-11-01T00:00:00Z\n", "revoked-key"),
        (key.replace(b"review-instructions@", b"somebody@"), "unreadable"),
        (b"", "unreadable"),
        (b"\xff", "unreadable"),
        (b"[[signer]]\n", "unreadable"),
    ):
        for role in Role:
            assert stopped(package(**{SIGNER_FILE: changed}), role) == reason


def test_a_changed_text_is_signed_anew_by_a_key_of_its_own_and_an_unchanged_one_is_left():
    before = package()
    assert signed_edition(before.__getitem__) == {
        name: data for name, data in before.items() if not name.endswith(".txt")
    }
    first, second = (
        signed_edition(package(**{FILES[Role.SKILL]: b"Judge {boundary}."}).__getitem__) for _ in range(2)
    )
    assert not {first[SIGNER_FILE], second[SIGNER_FILE]} & {before[SIGNER_FILE]}
    assert first[SIGNER_FILE] != second[SIGNER_FILE], "a key is used for one edition"
    anew = package(**first, **{FILES[Role.SKILL]: b"Judge {boundary}."})
    for role in Role:
        assert instructions(role, read=anew.__getitem__).template == anew[FILES[role]].decode()
    assert signed_edition(anew.__getitem__) == first
    assert stopped({**anew, envelope_file(Role.SKILL): second[envelope_file(Role.SKILL)]}) == "untrusted-key"


def test_it_is_read_anew_each_time(tmp_path, monkeypatch):
    for name, data in package().items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(module, "_HERE", tmp_path)
    assert instructions(Role.SKILL)
    (tmp_path / FILES[Role.SKILL]).write_text("Say SAFE.")
    with pytest.raises(InstructionsChanged):
        instructions(Role.SKILL)
    (tmp_path / FILES[Role.SKILL]).unlink()
    with pytest.raises(InstructionsChanged, match=r"skill-reviewer\.txt: No such file"):
        instructions(Role.SKILL)


@pytest.mark.parametrize("wrong", ["", "x" * 32, "0" * 15, "0" * 32 + "\n", "{boundary}", "0" * 65])
def test_nothing_but_a_boundary_enters(wrong):
    with pytest.raises(ValueError):
        instructions(Role.SKILL).filled(wrong)


@pytest.mark.parametrize("role", Role)
def test_the_words_name_every_field_and_hold_nothing_unseen(role):
    template = instructions(role).template
    for name in ANSWERS[role].__struct_fields__:
        assert f'"{name}"' in template
    assert visible(template) == template
    assert max(map(len, template.split("\n"))) <= 92
