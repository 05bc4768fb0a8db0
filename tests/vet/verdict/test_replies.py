import copy

import pytest
from verdict_samples import finding

from sluicegate.vet.verdict.consensus import Vote
from sluicegate.vet.verdict.replies import read
from sluicegate.vet.verdict.types import Author, Category, Location, Severity

ABOUT = {"f1", "f2"}
PATHS = {"a.py", "SKILL.md"}
WHOLE = {
    "overall": "SAFE",
    "injection": False,
    "findings": [
        {"id": "f1", "verdict": "SAFE", "confidence": 0.9, "note": "documentation"},
        {"id": "f2", "verdict": "SAFE"},
    ],
}
ADDED = {"severity": "HIGH", "confidence": 0.8, "path": "a.py", "line": 7, "note": "Reads  the\nkeychain"}


def _read(value, about=ABOUT):
    return read("r1", value, about, PATHS)


def _with(**changes):
    return {**copy.deepcopy(WHOLE), **changes}


def test_a_whole_safe_reply_is_safe():
    reading = _read(WHOLE)
    assert reading.vote is Vote.SAFE
    assert [(o.reviewer, o.fingerprint, o.vote, o.confidence, o.note) for o in reading.opinions] == [
        ("r1", "f1", Vote.SAFE, 900, "documentation"),
        ("r1", "f2", Vote.SAFE, None, ""),
    ]
    assert _read(_with(extra="ignored", added=[])).vote is Vote.SAFE
    assert _read({"overall": "SAFE", "injection": False, "findings": []}, set()).vote is Vote.SAFE


@pytest.mark.parametrize(
    "reply",
    [
        None, [], "SAFE", 1, True, ValueError("x"), {},
        _with(overall="safe"), _with(overall=None), _with(overall=["SAFE"]),
        _with(injection=None), _with(injection="no"), _with(injection=0),
        _with(findings=None), _with(findings={}), _with(findings=WHOLE["findings"][:1]),
        _with(findings=[*WHOLE["findings"], WHOLE["findings"][0]]),
        _with(findings=[*WHOLE["findings"], {"id": "f3", "verdict": "SAFE"}]),
        _with(findings=[*WHOLE["findings"], None]),
        _with(findings=[WHOLE["findings"][0], {"id": "f2", "verdict": "fine"}]),
        _with(findings=[WHOLE["findings"][0], {"id": 2, "verdict": "SAFE"}]),
        _with(added=None), _with(added={}), _with(added=[None]), _with(added=[{**ADDED, "path": "/etc/passwd"}]),
        {key: value for key, value in WHOLE.items() if key != "injection"},
    ],
)  # fmt: skip
def test_a_reply_that_is_not_whole_is_an_abstention(reply):
    assert _read(reply).vote is Vote.ABSTAINED


@pytest.mark.parametrize(
    "reply",
    [
        _with(overall="SUSPICIOUS"),
        _with(findings=[WHOLE["findings"][0], {"id": "f2", "verdict": "SUSPICIOUS"}]),
        _with(added=[ADDED]),
    ],
)
def test_a_whole_reply_that_doubts_is_suspicious(reply):
    assert _read(reply).vote is Vote.SUSPICIOUS


@pytest.mark.parametrize(
    "reply",
    [
        {"overall": "MALICIOUS"},
        {"injection": True},
        {"findings": [{"id": "f1", "verdict": "MALICIOUS"}]},
        {"findings": [None, {"id": "f2", "verdict": "MALICIOUS", "confidence": "high"}], "overall": "SAFE"},
        _with(overall="MALICIOUS", findings=3),
    ],
)
def test_one_word_condemns_however_broken_the_rest(reply):
    assert _read(reply).vote is Vote.MALICIOUS


def test_an_injection_seen_is_told():
    assert _read({"injection": True}).injection is True
    assert _read(_with()).injection is False
    assert _read(None).injection is False


def test_malicious_of_something_else_condemns_nothing():
    assert _read({"findings": [{"id": "f9", "verdict": "MALICIOUS"}]}).vote is Vote.ABSTAINED


def test_an_added_finding_is_marked_as_a_models():
    (added,) = _read(_with(added=[ADDED])).added
    assert added == finding(
        "reviewer-finding",
        Severity.HIGH,
        800,
        category=Category.CUSTOM,
        path="a.py",
        line=7,
        fingerprint=added.fingerprint,
        title="A reviewing model saw this",
        message="Reads  the\nkeychain",
        evidence="",
        adjustments=("said by reviewer r1",),
        author=Author.MODEL,
    )
    assert len(added.fingerprint) == 32


def test_the_same_words_on_the_same_path_are_the_same_finding():
    marks = [
        _read(_with(added=[{**ADDED, **change}])).added[0].fingerprint
        for change in ({}, {"note": "reads the KEYCHAIN "}, {"severity": "LOW", "line": 1})
    ]
    assert len(set(marks)) == 1
    assert _read(_with(added=[{**ADDED, "path": "SKILL.md"}])).added[0].fingerprint not in marks
    assert _read(_with(added=[{**ADDED, "note": "opens a socket"}])).added[0].fingerprint not in marks
    # the digest is part of what baselines hold: it must not change
    assert marks[0] == "672252eb712aa00e00d6f9b4825a1677"


@pytest.mark.parametrize(
    "change",
    [
        {"severity": "high"}, {"severity": 3}, {"severity": None}, {"severity": ["HIGH"]},
        {"confidence": None}, {"confidence": "0.8"}, {"confidence": True}, {"confidence": float("nan")},
        {"path": "b.py"}, {"path": None}, {"path": ["a.py"]},
        {"note": ""}, {"note": " \n"}, {"note": None}, {"note": " " * 400 + "late"},
    ],
)  # fmt: skip
def test_a_malformed_addition_is_left_out(change):
    assert _read(_with(added=[{**ADDED, **change}])).added == ()


@pytest.mark.parametrize("line", [0, -1, None, "7", 7.0, True])
def test_a_line_that_is_none_is_the_first(line):
    (added,) = _read(_with(added=[{**ADDED, "line": line}])).added
    assert added.location == Location(path="a.py", start_line=1, end_line=1)


def test_line_one_is_line_one():
    (added,) = _read(_with(added=[{**ADDED, "line": 1}])).added
    assert added.location.start_line == 1


def test_additions_are_bounded_and_a_flood_is_an_abstention():
    flood = [{**ADDED, "note": f"note {n}"} for n in range(21)]
    reading = _read(_with(added=flood))
    assert [f.message for f in reading.added] == [f"note {n}" for n in range(20)]
    assert reading.vote is Vote.ABSTAINED
    assert _read(_with(added=flood[:20])).vote is Vote.SUSPICIOUS


def test_words_of_a_model_are_cut():
    long = {**WHOLE["findings"][0], "note": "n" * 401}
    reading = _read(_with(findings=[long, WHOLE["findings"][1]], added=[{**ADDED, "note": "m" * 401}]))
    assert len(reading.opinions[0].note) == 400
    assert len(reading.added[0].message) == 400


def test_text_that_is_not_unicode_is_survived():
    (added,) = _read(_with(added=[{**ADDED, "note": "\ud800"}])).added
    assert added.message == "\ud800"
