import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
import report_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.reach.report.formats import render
from sluicegate.reach.report.json.model import SCHEMA_FILE, schema, write_schema
from sluicegate.reach.report.json.reports import decode, encode
from sluicegate.vet.errors import ConfigError

DOCS = Path(__file__).parents[3] / "docs" / "schema"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema()))


def test_the_published_schema_is_current():
    assert (DOCS / SCHEMA_FILE).read_text(encoding="utf-8") == schema(), (
        "run: python -m sluicegate.reach.report.json.model docs/schema"
    )


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(json.loads(schema()))


def test_writing_the_schema(tmp_path):
    assert write_schema(tmp_path / "new").read_text(encoding="utf-8") == schema("report")
    with pytest.raises(ConfigError):
        schema("nothing")


@pytest.mark.parametrize("name", samples.ALL)
def test_a_report_is_valid_and_comes_back(name):
    report = samples.ALL[name]()
    document = encode(report)
    VALIDATOR.validate(json.loads(document))
    assert decode(document) == report
    assert encode(decode(document)) == document


@pytest.mark.parametrize("nasty", samples.NASTY)
def test_hostile_text_stays_inside_its_strings(nasty):
    report = samples.hostile(lambda: nasty)
    document = render(report, "json")
    VALIDATOR.validate(json.loads(document))
    assert not [c for c in document if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0)]
    assert not set(document) & set("\u202e\u200b\u2028\U000e0041")
    assert len(json.loads(document)["skills"]) == 3


@given(st.text(st.characters(codec=None), max_size=30))
@settings(max_examples=50, deadline=None)
def test_any_text_comes_back(text):
    report = samples.hostile(lambda: f"x{text}")
    document = encode(report)
    again = encode(decode(document))
    assert without_certificates(again) == without_certificates(document)
    if text.isascii():  # a certificate holds lone surrogates, which the rest of a report cannot
        assert again == document
    evidence = decode(document).skills[0].verdict.findings[0].evidence
    assert evidence == f"x{text}".encode("utf-8", "backslashreplace").decode()


def without_certificates(document):
    whole = json.loads(document)
    for skill in whole["skills"]:
        del skill["certificate"]
    return whole


def test_what_reviewers_and_persons_said_comes_back():
    verdict = decode(encode(samples.reviewed())).skills[0].verdict
    assert verdict == samples.reviewed_skill().verdict
    assert verdict.review.injections
    assert verdict.rulings.given[0].person == "omar@example.org"
    assert [s.globs for s in verdict.suppressed] == [("unpinned-*", "scripts/*"), None]


def test_each_skill_has_its_certificate():
    skill = json.loads(encode(samples.reviewed()))["skills"][0]
    certificate = json.loads(skill["certificate"])
    assert certificate["decision"] == skill["decision"]
    assert certificate["skills"][0]["docket"] == skill["docket"]
    assert skill["certificate"].isascii()


def test_a_certificate_that_would_be_too_long_is_left_out(monkeypatch):
    from sluicegate.vet.verdict import certificate

    monkeypatch.setattr(certificate, "MOST_BYTES", 100)
    assert json.loads(encode(samples.safe()))["skills"][0]["certificate"] == ""


def test_unknown_fields_and_wrong_words_are_refused():
    document = json.loads(encode(samples.safe()))
    for change in ({"extra": 1}, {"version": "2"}, {"decision": "FINE"}):
        with pytest.raises(msgspec.ValidationError):
            decode(json.dumps(document | change))


def test_counts_and_decision():
    document = json.loads(encode(samples.many()))
    assert document["version"] == "1"
    assert document["decision"] == "DO_NOT_INSTALL"
    assert document["summary"] == {
        "skills": 9,
        "safe": 7,
        "caution": 1,
        "do_not_install": 1,
        "findings": 14,
        "listed": 2,
        "suppressed": 1,
        "gaps": 2,
    }
