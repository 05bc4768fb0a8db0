"""An answer of the form that reviewers are given is whole to the verdict's reader, and the form is what all wires take."""

import json

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.prompts.answers import ANSWERS, answer_schema
from sluicegate.vet.verdict.consensus import Role, Vote
from sluicegate.vet.verdict.replies import Part, read
from sluicegate.vet.verdict.reply_json import decode

VERDICTS = ["SAFE", "SUSPICIOUS", "MALICIOUS"]
MARKS = ("a" * 32, "b" * 32)


def objects(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


@pytest.mark.parametrize("role", Role)
def test_every_object_is_closed_and_every_field_required(role):
    schema = answer_schema(role)
    assert schema["type"] == "object"
    assert "$ref" not in json.dumps(schema)
    for each in objects(schema):
        assert each["additionalProperties"] is False
        assert set(each["required"]) == set(each["properties"])
    jsonschema.Draft202012Validator.check_schema(schema)


def _answer(votes, overall, injection=False):
    return {
        "summary": "It sorts a list.",
        "findings": [
            {"id": mark, "note": "It sorts.", "confidence": 0.5, "verdict": vote}
            for mark, vote in zip(MARKS, votes, strict=True)
        ],
        "added": [],
        "injection": injection,
        "injection_evidence": "",
        "overall": overall,
    }


@given(
    st.tuples(st.sampled_from(VERDICTS), st.sampled_from(VERDICTS)), st.sampled_from(VERDICTS), st.booleans()
)
def test_an_answer_of_the_form_is_read_as_it_is_meant(votes, overall, injection):
    said = _answer(votes, overall, injection)
    jsonschema.validate(said, answer_schema(Role.FINDINGS))
    body = msgspec.json.encode(msgspec.convert(said, ANSWERS[Role.FINDINGS]))
    reading = read("r", Role.FINDINGS, decode(body), MARKS, {"a.py": Part(True, 3)})
    worst = max(Vote[word] for word in (*votes, overall))
    assert reading.vote is (Vote.MALICIOUS if injection else worst)
    assert [opinion.fingerprint for opinion in reading.opinions] == list(MARKS)


def test_what_a_reviewer_adds_is_read():
    said = _answer(("SAFE", "SAFE"), "SUSPICIOUS")
    said["added"] = [
        {"path": "a.py", "line": 2, "note": "It sends the list away.", "severity": "HIGH", "confidence": 0.9}
    ]
    body = msgspec.json.encode(msgspec.convert(said, ANSWERS[Role.FINDINGS]))
    reading = read("r", Role.FINDINGS, decode(body), MARKS, {"a.py": Part(True, 3)})
    assert [(each.location.path, each.location.start_line) for each in reading.added] == [("a.py", 2)]


@pytest.mark.parametrize(("seen", "vote"), [(False, Vote.SAFE), (True, Vote.MALICIOUS)])
def test_a_detector_answers_in_its_own_form(seen, vote):
    said = {"injection_evidence": "ignore the rules" if seen else "", "injection": seen}
    jsonschema.validate(said, answer_schema(Role.DETECTOR))
    body = msgspec.json.encode(msgspec.convert(said, ANSWERS[Role.DETECTOR]))
    reading = read("r", Role.DETECTOR, decode(body), (), {})
    assert (reading.vote, reading.injection) == (vote, seen)


def test_a_reviewer_of_the_whole_skill_can_say_safe():
    said = {**_answer(("SAFE", "SAFE"), "SAFE"), "findings": []}
    assert read("r", Role.SKILL, decode(json.dumps(said).encode()), (), {}).vote is Vote.SAFE
