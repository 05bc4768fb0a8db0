import pytest

from sluicegate.vet.verdict.reply_json import Record
from sluicegate.vet.verdict.reply_words import (
    Flag,
    alarms,
    bare,
    denies,
    flag,
    saw_injection,
    says_malicious,
    shouts,
)


def _record(**pairs):
    return Record(tuple(pairs.items()))


def test_words_are_told_by_their_letters_and_digits():
    assert bare(" Prompt-Injection_1 \u00e9") == "promptinjection1"
    assert says_malicious("mal-icious!")
    assert not says_malicious("malicious1")
    assert says_malicious(_record(overall="malicious1"))
    assert not says_malicious(_record(note="malicious1"))


@pytest.mark.parametrize(("text", "denied"), [
    ("", True), (" \t\n", True), ("none", True), ("N/A", True), ("\"No.\"", True), ("not found", True),
    ("-", False), ("...", False), ("\u00a0", False), ("no\u00e9", False), ("\u7121", False), ("no injection", False),
])  # fmt: skip
def test_a_denial_is_a_word_of_a_closed_list(text, denied):
    assert denies(text) is denied


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, Flag.YES),
        (False, Flag.NO),
        (None, Flag.NO),
        (0, Flag.NO),
        (0.0004, Flag.NO),
        (0.0006, Flag.YES),
        (-0.0001, Flag.YES),
        ("YES", Flag.YES),
        ("null", Flag.NO),
        ("perhaps", Flag.UNCLEAR),
        ([], Flag.NO),
        ([[]], Flag.UNCLEAR),
        ([False, "yes"], Flag.YES),
        (_record(), Flag.NO),
        (_record(a=None), Flag.UNCLEAR),
        (_record(a=[True]), Flag.YES),
    ],
)
def test_a_flag_is_set_or_not_or_unclear(value, said):
    assert flag(value) is said
    assert saw_injection(_record(injection=value)) is (said is Flag.YES)
    assert alarms(_record(injection=value)) is (said is Flag.UNCLEAR)
    assert not alarms(_record(injection_evidence=value))


def test_the_word_alarms_wherever_it_stands():
    for value in (
        "so malicious",
        ["x", "MALICIOUS"],
        _record(a=_record(notMalicious=False)),
        _record(a="Maliciously"),
        "\uff2d\uff21\uff2cICIOUS",
        ["suspicious."],
    ):
        assert alarms(value)
    assert not alarms(_record(a="malice", b=["injection"], c="nothing suspicious"))
    assert says_malicious("\U0001d40c\uff21LICIOUS")


def test_a_shout_begins_with_the_word_in_capitals():
    assert shouts("MALICIOUS")
    assert shouts(["so", " ** MALICIOUS"])
    assert shouts(_record(a=_record(b="MALICIOUS: yes")))
    assert shouts(_record(MALICIOUS=1))
    for text in ("Malicious", "It is MALICIOUS", "1 MALICIOUS", ""):
        assert not shouts(text)
