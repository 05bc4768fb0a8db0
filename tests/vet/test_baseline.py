from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.baseline import Accepted, BaselineFile, accept, dump, load, parse
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GapEntry, GlobEntry
from sluicegate.vet.verdict.types import (
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
)

DAY = date(2027, 6, 30)
EXACT = ExactEntry(rule="a", path="b.sh", fingerprint="f", reason="ours", owner="mira", expires=DAY)
GLOB = GlobEntry(rule="a-*", path="docs/**", reason="examples", owner="omar", expires=DAY)
TEXT = """\
version = 1

[[accept]]
rule = "a-*"
path = "docs/**"
reason = "examples"
owner = "omar"
expires = 2027-06-30

[[accept]]
skill = "tool"
rule = "a"
path = "b.sh"
fingerprint = "f"
reason = "ours"
owner = "mira"
expires = 2027-06-30
"""

WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda s: s.strip())
DAYS = st.dates()
ENTRIES = st.one_of(
    st.builds(
        ExactEntry,
        rule=WORDS,
        path=WORDS,
        fingerprint=WORDS,
        reason=WORDS,
        owner=WORDS,
        expires=st.none() | DAYS,
    ),
    st.builds(
        GlobEntry, rule=WORDS.map(lambda s: s + "a"), path=WORDS, reason=WORDS, owner=WORDS, expires=DAYS
    ),
)
GAPS = st.builds(
    GapEntry,
    gap=st.sampled_from(GapReason),
    path=WORDS,
    fingerprint=WORDS,
    reason=WORDS,
    owner=WORDS,
    expires=DAYS,
)


def test_it_is_read_and_written_the_same():
    accepted = BaselineFile(entries=(Accepted(entry=GLOB), Accepted(entry=EXACT, skill="tool")))
    assert parse(TEXT) == accepted
    assert dump(accepted) == TEXT
    assert dump(BaselineFile(entries=(*accepted.entries[::-1], *accepted.entries))) == TEXT
    assert parse("version = 1") == BaselineFile()
    assert dump(BaselineFile()) == "version = 1\n"


def test_an_entry_holds_in_its_own_skill_or_in_any():
    assert parse(TEXT).of("tool") == Baseline(entries=(GLOB, EXACT))
    assert parse(TEXT).of("other") == Baseline(entries=(GLOB,))


def test_a_date_may_be_text():
    assert parse(TEXT.replace("2027-06-30", '"2027-06-30"')) == parse(TEXT)


@given(st.lists(st.builds(Accepted, entry=ENTRIES, skill=st.just("") | WORDS), max_size=4))
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_is_read_back(entries):
    assert set(parse(dump(BaselineFile(entries=tuple(entries)))).entries) == set(entries)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("", "version None is not known", "write 'version = 1'"),
        ("version = 2", "version 2 is not known", "reads version 1"),
        ("version = true", "version True is not known", "reads version 1"),
        ("version = 1\naccepts = []", "unknown key 'accepts'", "Did you mean 'accept'?"),
        ("version = 1\nzzz = 1", "unknown key 'zzz'", "Known keys: version, accept, gap."),
        ("version = 1\naccept = 3", "'accept' is not a list", "[[accept]]"),
        ("version = 1\naccept = [3]", "entry 1 is not a table", "[[accept]]"),
        ("version = [", "not TOML", ""),
        (TEXT.replace("reason", "raeson", 1), "entry 1: unknown key 'raeson'", "Did you mean 'reason'?"),
        (TEXT.replace('owner = "omar"\n', ""), "entry 1: 'owner' is missing", "owner = "),
        (TEXT.replace('"omar"', "3"), "entry 1: 'owner' is missing or is not text", ""),
        (TEXT.replace('"omar"', '" "'), "entry 1: an accepted finding needs an owner", ""),
        (TEXT.replace('"examples"', '""'), "entry 1: an accepted finding needs a reason", ""),
        (
            TEXT.replace('rule = "a-*"\npath = "docs/**"', 'rule = "*"\npath = "**"'),
            "would accept everything",
            "",
        ),
        (TEXT.replace("expires = 2027-06-30\n", "", 1), "needs 'expires'", ""),
        (TEXT.replace('"tool"', '""'), "entry 2: 'skill' is empty", "leave the key out"),
        (TEXT.replace("expires = 2027-06-30", "expires = 3", 1), "'expires' is not a date", "expires = 2027"),
        (TEXT.replace("expires = 2027-06-30", 'expires = "soon"', 1), "'expires' is not a date", ""),
        (
            TEXT.replace("expires = 2027-06-30", "expires = 2027-06-30T10:00:00", 1),
            "'expires' is not a date",
            "",
        ),
    ],
)
def test_what_is_wrong_is_said_with_a_way_forward(text, said, hint):
    with pytest.raises(ConfigError) as error:
        parse(text)
    assert said in error.value.message
    assert hint in error.value.hint


def test_a_file_is_named_in_its_errors(tmp_path):
    path = tmp_path / "accepted.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert load(path) == parse(TEXT)
    path.write_text("version = 9", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"accepted\.toml: baseline version 9"):
        load(path)
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load(path)
    with pytest.raises(ConfigError, match="cannot read the baseline"):
        load(tmp_path / "none.toml")


def test_findings_are_accepted_one_by_one():
    finding = Finding(
        rule="a", title="t", category=Category.NETWORK, kind=EvidenceKind.COMMAND, severity=Severity.LOW, confidence=500, message="m", evidence="e",
        location=Location(path="b.sh", start_line=1, end_line=1), executable=False, fingerprint="f",
    )  # fmt: skip
    accepted = accept([finding, finding], skill="tool", reason="ours", owner="mira", expires=DAY)
    assert accepted == BaselineFile(entries=(Accepted(entry=EXACT, skill="tool"),))
    assert accept([finding], skill="tool", reason="ours", owner="mira").entries[0].entry.expires is None
    with pytest.raises(ConfigError, match="needs a reason"):
        accept([finding], skill="tool", reason=" ", owner="mira")


def test_a_name_that_is_no_text_is_refused():
    odd = ExactEntry(rule="a", path="b\udc80", fingerprint="f", reason="r", owner="o")
    with pytest.raises(ConfigError, match="not Unicode text"):
        dump(BaselineFile(entries=(Accepted(entry=odd),)))


GAP = GapEntry(
    gap=GapReason.ENCRYPTED, path="vendor.zip", fingerprint="77ab", reason="ours", owner="mira", expires=DAY
)
GAP_TEXT = """\
version = 1

[[gap]]
skill = "tool"
gap = "encrypted"
path = "vendor.zip"
fingerprint = "77ab"
reason = "ours"
owner = "mira"
expires = 2027-06-30
"""


def test_an_accepted_gap_is_read_and_written_the_same():
    accepted = BaselineFile(entries=(Accepted(entry=GAP, skill="tool"),))
    assert parse(GAP_TEXT) == accepted
    assert dump(accepted) == GAP_TEXT
    both = parse(GAP_TEXT + TEXT.removeprefix("version = 1\n"))
    assert set(both.entries) == {*accepted.entries, *parse(TEXT).entries}
    assert both.of("tool").entries == (GLOB, EXACT, GAP)
    assert both.of("other").entries == (GLOB,)


@given(st.lists(st.builds(Accepted, entry=GAPS, skill=st.just("") | WORDS), max_size=4))
@settings(max_examples=40, deadline=None)
def test_whatever_gap_is_written_is_read_back(entries):
    assert set(parse(dump(BaselineFile(entries=tuple(entries)))).entries) == set(entries)


@pytest.mark.parametrize(
    ("change", "said", "hint"),
    [
        (('gap = "encrypted"', 'gap = "secret"'), "'secret' is not a reason of a gap", "encrypted"),
        (('gap = "encrypted"\n', ""), "'gap' is missing", 'gap = "..."'),
        (("expires = 2027-06-30\n", ""), "an accepted gap needs 'expires'", "expires = 2027-06-30"),
        (('fingerprint = "77ab"', 'fingerprint = ""'), "named by its fingerprint", ""),
        (('fingerprint = "77ab"\n', ""), "'fingerprint' is missing", ""),
        (('reason = "ours"', 'reason = " "'), "needs a reason", ""),
        (("gap =", "rule ="), "unknown key 'rule'", ""),
        (('skill = "tool"', 'skill = ""'), "'skill' is empty", "Name the skill"),
        (("[[gap]]", "[gap]"), "'gap' is not a list", "[[gap]]"),
    ],
)
def test_what_is_wrong_with_a_gap_is_named(change, said, hint):
    with pytest.raises(ConfigError) as caught:
        parse(GAP_TEXT.replace(*change))
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_an_accepted_gap_is_no_obstacle_until_its_last_day():
    gap = Gap(path="vendor.zip", reason=GapReason.ENCRYPTED, detail="a password", fingerprint="77ab")
    baseline = parse(GAP_TEXT).of("tool")
    held = judge((), (gap,), baseline=baseline, today=DAY)
    assert (held.decision, held.gaps, held.accepted_gaps[0].gap) == (Decision.SAFE, (), gap)
    over = judge((), (gap,), baseline=baseline, today=date(2027, 7, 1))
    assert (over.decision, over.gaps, over.stale[0].why) == (Decision.CAUTION, (gap,), "expired")
    other = judge((), (gap._replace(fingerprint="88"),), baseline=baseline, today=DAY)
    assert (other.decision, other.stale[0].why) == (Decision.CAUTION, "drifted")
