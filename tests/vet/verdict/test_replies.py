import copy
import json

import pytest
from verdict_samples import finding

from sluicegate.vet.verdict.consensus import Role, Vote
from sluicegate.vet.verdict.replies import Part, read, read_damaged
from sluicegate.vet.verdict.reply_json import decode, salvage
from sluicegate.vet.verdict.types import Author, Category, EvidenceKind, Location, Severity

ABOUT = {"f1", "f2"}
PARTS = {"a.py": Part(executable=True, lines=9), "SKILL.md": Part(executable=False, lines=40)}
WHOLE = {
    "overall": "SAFE",
    "injection": False,
    "findings": [
        {"id": "f1", "verdict": "SAFE", "confidence": 0.9, "note": "documentation"},
        {"id": "f2", "verdict": "SAFE"},
    ],
}
ADDED = {"severity": "HIGH", "confidence": 0.8, "path": "a.py", "line": 7, "note": "Reads  the\nkeychain"}


def _read(value, about=ABOUT, role=Role.FINDINGS):
    return read("r1", role, decode(json.dumps(value).encode()), about, PARTS)


def _with(**changes):
    return {**copy.deepcopy(WHOLE), **changes}


def test_a_whole_safe_reply_is_safe():
    reading = _read(WHOLE)
    assert reading.vote is Vote.SAFE
    assert [(o.reviewer, o.fingerprint, o.vote, o.confidence, o.note) for o in reading.opinions] == [
        ("r1", "f1", Vote.SAFE, 900, "documentation"),
        ("r1", "f2", Vote.SAFE, None, ""),
    ]
    assert _read(_with(injection_evidence="", summary="sorts files", added=[])).vote is Vote.SAFE
    assert _read(_with(findings=[]), (), Role.SKILL).vote is Vote.SAFE
    assert _read({"overall": "SAFE", "injection": False, "findings": []}, set()).vote is Vote.SAFE


@pytest.mark.parametrize(
    "reply",
    [
        None, [], "SAFE", 1, True, {}, _with(extra=""), _with(prompt_injection=False), _with(summary=3),
        _with(injection_evidence=None), _with(Overall="SAFE"),
        _with(findings=[{**WHOLE["findings"][0], "why": ""}, WHOLE["findings"][1]]),
        _with(findings=[{**WHOLE["findings"][0], "note": None}, WHOLE["findings"][1]]),
        _with(findings=[{**WHOLE["findings"][0], "confidence": "0.9"}, WHOLE["findings"][1]]),
        _with(overall="safe"), _with(overall=None), _with(overall=["SAFE"]),
        _with(injection=None), _with(injection="no"), _with(injection=0),
        _with(findings=None), _with(findings={}), _with(findings=WHOLE["findings"][:1]),
        _with(findings=[*WHOLE["findings"], WHOLE["findings"][0]]),
        _with(findings=[*WHOLE["findings"], {"id": "f3", "verdict": "SAFE"}]),
        _with(findings=[*WHOLE["findings"], None]),
        _with(findings=[WHOLE["findings"][0], {"id": "f2", "verdict": "fine"}]),
        _with(findings=[WHOLE["findings"][0], {"id": 2, "verdict": "SAFE"}]),
        _with(added=None), _with(added={}), _with(added=""), _with(added=False),
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


@pytest.mark.parametrize(
    "word", ["malicious", " MALICIOUS ", "Malicious.", "**MALICIOUS**", ["SAFE", "malicious"]]
)
@pytest.mark.parametrize("key", ["overall", "Overall", "verdict", "DECISION", "final_verdict", "label"])
def test_malicious_is_heard_however_it_is_written(key, word):
    assert _read({key: word}).vote is Vote.MALICIOUS
    assert _read([{"reply": {key: word}}]).vote is Vote.MALICIOUS
    assert _read(_with(findings=[{"id": "f9", key: word}])).vote is Vote.MALICIOUS
    assert _read({"injection": False, key: word}, (), Role.DETECTOR).vote is Vote.MALICIOUS


@pytest.mark.parametrize(
    "word",
    ["not malicious", "MALIGN", None, 3, {"is": "fine"}, "SAFE", {"malicious": False}, {"malicious": "some"}],
)
def test_other_words_condemn_nothing(word):
    assert _read(_with(overall=word)).vote is not Vote.MALICIOUS


@pytest.mark.parametrize(
    "word",
    [
        "MALICIOUS - sends keys",
        "malicious?no",
        ["malicious, see below"],
        {"MALICIOUS": True},
        {"is_malicious": "yes"},
    ],
)
@pytest.mark.parametrize("key", ["overall", "verdict", "finalVerdict", "Classification"])
def test_a_verdict_that_begins_with_the_word_condemns(key, word):
    assert _read({key: word}).vote is Vote.MALICIOUS
    assert _read(_with(findings=[{"id": "f1", key: word}])).vote is Vote.MALICIOUS


def test_elsewhere_a_text_that_begins_with_the_word_does_not_condemn():
    for key in ("summary", "note", "injection_evidence", "reason"):
        assert _read({key: "MALICIOUS - sends keys"}).vote is Vote.SUSPICIOUS
        assert _read({key: "malicious"}).vote is Vote.MALICIOUS


@pytest.mark.parametrize(
    "key", ["injection", "Injection", "has_injection", "prompt_injection_detected", "Prompt Injection"]
)
@pytest.mark.parametrize(
    "flag",
    [
        True,
        1,
        -1,
        0.5,
        "true",
        "Yes.",
        "1",
        "found",
        [True],
        ["x", "y", 0],
        {"x": 1},
        {"seen": {"is": "true"}},
    ],
)
def test_an_injection_is_heard_however_it_is_told(key, flag):
    reading = _read({**{k: v for k, v in WHOLE.items() if k != "injection"}, key: flag})
    assert (reading.vote, reading.injection) == (Vote.MALICIOUS, True)


@pytest.mark.parametrize(
    "flag", [False, 0, 0.0001, None, "", "no", "False", "none", "0", [], {}, "not found"]
)
def test_a_flag_that_is_not_set_condemns_nothing(flag):
    reading = _read(_with(injection=flag))
    assert (reading.vote, reading.injection) == (Vote.SAFE if flag is False else Vote.ABSTAINED, False)


@pytest.mark.parametrize(
    "flag",
    [
        "No injection found",
        "yes, in line 3",
        "-",
        "\u043d\u0435\u0442",
        "\u662f",
        ["x"],
        ["none"],
        [0],
        {"found": False},
    ],
)
@pytest.mark.parametrize("role", Role)
def test_an_unclear_flag_alarms_and_does_not_condemn(flag, role):
    for value in (_with(injection=flag), {"injection": flag}, [{"has_injection": flag}]):
        reading = _read(value, role=role)
        assert (reading.vote, reading.injection) == (Vote.SUSPICIOUS, False)


@pytest.mark.parametrize(
    "change",
    [
        {"injection_evidence": "line 3 says so"},
        {"injection_evidence": "\u7b2c\u4e09\u884c"},
        {"injection_evidence": "-"},
        {"summary": "MALICIOUS - sends keys"},
        {"summary": "**MALICIOUS**: it sends keys"},
        {"findings": [{**WHOLE["findings"][0], "note": " MALICIOUSLY sends keys"}, WHOLE["findings"][1]]},
    ],
)
def test_a_contradictory_reply_is_not_whole(change):
    shouts = "injection_evidence" not in change
    assert _read(_with(**change)).vote is (Vote.SUSPICIOUS if shouts else Vote.ABSTAINED)
    assert _read(_with(overall="SUSPICIOUS", **change)).vote is Vote.SUSPICIOUS


@pytest.mark.parametrize(
    "change",
    [
        {"injection_evidence": evidence} for evidence in ("", " \n", "none", "N/A", "No.", "not found")
    ] + [
        {"summary": summary}
        for summary in ("no malicious behaviour", "Malicious code: none", "This is not MALICIOUS.", "malicious? no")
    ] + [
        {"findings": [{**WHOLE["findings"][0], "note": "quotes a malicious command"}, WHOLE["findings"][1]]},
    ],
)  # fmt: skip
def test_an_honest_whole_reply_alarms_nobody(change):
    assert _read(_with(**change)).vote is Vote.SAFE


def _damaged(body):
    return read_damaged(salvage(body))


@pytest.mark.parametrize(
    "around",
    ["```json\n%s\n```", "```%s```", "Here:\n```JSON \n%s\n```\nDone.", "```\n%s", "\ufeff%s", "\ufeff \n%s"],
)
def test_a_damaged_reply_never_passes(around):
    def vote(value):
        body = (around % (value if isinstance(value, str) else json.dumps(value))).encode()
        with pytest.raises(ValueError):
            decode(body)
        return _damaged(body).vote

    assert vote(WHOLE) is Vote.ABSTAINED
    assert vote(_with(overall="SUSPICIOUS")) is Vote.SUSPICIOUS
    assert vote(_with(summary="no malicious code")) is Vote.SUSPICIOUS
    assert vote(_with(injection="No injection found")) is Vote.SUSPICIOUS
    assert vote(_with(overall="MALICIOUS")) is Vote.MALICIOUS
    assert vote(_with(injection=True)) is Vote.MALICIOUS
    assert vote('{"overall": "MALICIOUS", "confidence": NaN}') is Vote.MALICIOUS
    assert vote('{"injection": -%s}' % ("9" * 5000)) is Vote.MALICIOUS


def test_an_injection_in_a_damaged_reply_is_told():
    reading = _damaged(b'```\n{"injection": true, "injection_evidence": "line 3"}\n```')
    assert (reading.injection, reading.evidence, reading.opinions, reading.added) == (True, "line 3", (), ())
    assert _damaged(b"```\n[true]\n```") == _damaged(b"{")


@pytest.mark.parametrize(
    "body",
    [
        b"MALICIOUS", b"It is malicious.", b"m-a-l-i-c-i-o-u-s", b'{"overall": "MALICIOUS"', b'{"overall": "mal\\u0069cious"',
        b'{"overall": "MALICIOUS"} {}', b"'overall': 'MALICIOUS'", b'{"overall": "MAL', b"so maliciou\n", b'{"overall": "SUSPICIOUS", ', b"verdict = suspicious", "\uff2dALICIOUS".encode(), b"\xff MALICIOUS", "MALICIOUS".encode("utf-16-be"),
        '"injection": true'.encode("utf-16"),
        b"[" * 17 + b'"MALICIOUS"' + b"]" * 17, b'{"overall": "MALICIOUS"}' + b" " * 256 * 1024,
        b"```\n{}\n```\n```\n{\"overall\": \"MALICIOUS\"}\n```",
        b'{"injection": true', b"{'injection_found': True", b"prompt injection = yes", b'"injection" : "detected', b"injection:1",
        b'"injection": {"found": true', b'{"overall": "SAFE", "added": [{"severity": "HIGH", "pa', b"added = [\n", b'"Added findings":{"a.py', b'{\\"injection\\": true}', b"{overall: \\'SUSPICIOUS\\'}",
    ],
)  # fmt: skip
def test_a_damaged_reply_that_speaks_of_malice_alarms(body):
    assert _damaged(body).vote is Vote.SUSPICIOUS


@pytest.mark.parametrize(
    "body",
    [
        b"", b"SAFE", b'{"overall": "SAFE", "injection": false, "injection_evidence": "", "findings": [', b"malice", b"nothing suspicious here", b"it looks normal", b"mali x", b"ma", b"injection: no",
        b"No injection was found.", b'{"injection": null', b'{"injection": {"found": false', b"truly injection",
        b'{"overall": "SAFE", "added": [], "findings": [', b"I added nothing [1]", b"added: {}",
    ],
)  # fmt: skip
def test_other_damaged_replies_abstain(body):
    assert _damaged(body).vote is Vote.ABSTAINED


def test_a_key_that_is_said_twice_is_heard_twice():
    text = json.dumps(WHOLE)
    for twice in ('{"overall": "MALICIOUS", ', '{"injection": true, '):
        value = decode((twice + text[1:]).encode())
        assert read("r1", Role.FINDINGS, value, ABOUT, PARTS).vote is Vote.MALICIOUS
    value = decode(('{"overall": "SAFE", ' + text[1:]).encode())
    assert read("r1", Role.FINDINGS, value, ABOUT, PARTS).vote is Vote.ABSTAINED


@pytest.mark.parametrize(
    ("reply", "vote"),
    [
        ({"injection": False}, Vote.SAFE),
        ({"injection": False, "injection_evidence": "none"}, Vote.SAFE),
        ({"injection": True, "injection_evidence": "line 3"}, Vote.MALICIOUS),
        ({}, Vote.ABSTAINED),
        ({"injection": "no"}, Vote.ABSTAINED),
        ({"injection": "not that I know"}, Vote.SUSPICIOUS),
        ({"injection": False, "injection_evidence": "line 3"}, Vote.ABSTAINED),
        ({"injection": False, "injection_evidence": "MALICIOUS text in line 3"}, Vote.SUSPICIOUS),
        ({"injection": False, "overall": "SAFE"}, Vote.ABSTAINED),
        ({"injection": False, "injection_evidence": 3}, Vote.ABSTAINED),
        ([], Vote.ABSTAINED),
        (None, Vote.ABSTAINED),
    ],
)
def test_a_detector_condemns_or_says_nothing(reply, vote):
    reading = _read(reply, (), Role.DETECTOR)
    assert (reading.vote, reading.opinions, reading.added) == (vote, (), ())


def test_evidence_of_an_injection_is_kept_and_cut():
    for role in Role:
        reading = _read({"injection": True, "injection_evidence": "e" * 500}, (), role)
        assert reading.evidence == "e" * 400


def test_an_added_finding_is_marked_as_a_models():
    (added,) = _read(_with(added=[ADDED])).added
    assert added == finding(
        "reviewer-finding",
        Severity.HIGH,
        800,
        category=Category.CUSTOM,
        kind=EvidenceKind.WORDS,
        executable=True,
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
    assert marks[0] == "43215948223b6fc6a4e6dc37ded12427"


@pytest.mark.parametrize(
    "change",
    [
        {"severity": "high"}, {"severity": 3}, {"severity": None}, {"severity": ["HIGH"]},
        {"confidence": None}, {"confidence": "0.8"}, {"confidence": True}, {"line": None}, {"line": "7"}, {"line": 7.0}, {"line": True}, {"other": 1},
        {"path": "b.py"}, {"path": None}, {"path": ["a.py"]},
        {"note": ""}, {"note": " \n"}, {"note": None}, {"note": " " * 400 + "late"},
    ],
)  # fmt: skip
def test_a_malformed_addition_is_left_out(change):
    assert _read(_with(added=[{**ADDED, **change}])).added == ()


@pytest.mark.parametrize(("line", "stands"), [(0, 1), (-1, 1), (1, 1), (9, 9), (10, 9), (10**30, 9)])
def test_a_line_stands_within_the_file(line, stands):
    (added,) = _read(_with(added=[{**ADDED, "line": line}])).added
    assert added.location == Location(path="a.py", start_line=stands, end_line=stands)


def test_a_line_may_be_missing_and_a_file_is_as_executable_as_it_is():
    plain = {key: value for key, value in ADDED.items() if key != "line"}
    (added,) = _read(_with(added=[{**plain, "path": "SKILL.md"}])).added
    assert (added.location.start_line, added.executable) == (1, False)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "added",
    [
        [ADDED],
        [{**ADDED, "path": "/etc/passwd"}], [{**ADDED, "path": "A.py"}], [{**ADDED, "fix": ""}], [{**ADDED, "severity": "high"}],
        [None], [[]], [{}], {"a.py": "reads the keychain"}, "a.py reads the keychain", 1,
    ],
)  # fmt: skip
def test_what_a_reviewer_adds_is_a_doubt_however_it_is_spelt(added, role):
    for reply in (
        _with(added=added),
        _with(added=added, overall="safe"),
        [_with(added_findings=added)],
        {"Added": added},
    ):
        assert _read(reply, ABOUT, role).vote is Vote.SUSPICIOUS
        assert _damaged(f"```\n{json.dumps(reply)}\n```".encode()).vote is Vote.SUSPICIOUS


def test_additions_are_bounded_and_a_flood_is_a_doubt():
    flood = [{**ADDED, "note": f"note {n}"} for n in range(21)]
    reading = _read(_with(added=flood))
    assert [f.message for f in reading.added] == [f"note {n}" for n in range(20)]
    assert reading.vote is Vote.SUSPICIOUS
    assert _read(_with(added=flood[:20])).vote is Vote.SUSPICIOUS


def test_words_of_a_model_are_cut():
    long = {**WHOLE["findings"][0], "note": "n" * 401}
    reading = _read(_with(findings=[long, WHOLE["findings"][1]], added=[{**ADDED, "note": "m" * 401}]))
    assert len(reading.opinions[0].note) == 400
    assert len(reading.added[0].message) == 400


def test_text_that_is_not_unicode_is_survived():
    (added,) = _read(_with(added=[{**ADDED, "note": "\ud800"}])).added
    assert added.message == "\ud800"


def test_every_record_is_read_however_many():
    marks = [f"f{n}" for n in range(300)]
    records = [{"id": mark, "verdict": "SAFE"} for mark in marks]
    reply = {"overall": "SAFE", "injection": False, "findings": records}
    assert _read(reply, marks).vote is Vote.SAFE
    doubt = {**reply, "findings": [*records[:-1], {"id": "f299", "verdict": "SUSPICIOUS"}]}
    assert _read(doubt, marks).vote is Vote.SUSPICIOUS
    assert (
        _read({**reply, "findings": [*records, {"id": "f300", "verdict": "MALICIOUS"}]}, marks).vote
        is Vote.MALICIOUS
    )
