"""The nouns of a verdict: their order decides, and their words stand in reports, baselines and certificates."""

import pytest

from sluicegate.vet.verdict.types import (
    BOUNDS,
    Author,
    Band,
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
    Suppressed,
    Verdict,
)


def test_an_enumeration_prints_its_names_and_counts_with_its_numbers():
    for kind in (Decision, Severity, Band):
        for member in kind:
            assert str(member) == f"{member}" == "{}".format(member) == member.name  # noqa: UP032
            assert f"{member:>16}" == member.name.rjust(16)
            assert f"{member:d}" == str(int(member)) == str(member.value)
            for spec in ("user", "link", "malware"):  # no way to write either a name or a number
                with pytest.raises(ValueError):
                    format(member, spec)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Severity, "LOW MEDIUM HIGH CRITICAL"),
        (Band, "LOW MEDIUM HIGH CRITICAL"),
        (Decision, "SAFE CAUTION DO_NOT_INSTALL"),
    ],
)
def test_the_worse_is_the_larger_and_the_first_is_zero(kind, names):
    assert [(member.name, int(member)) for member in kind] == [
        (name, at) for at, name in enumerate(names.split())
    ]


OTHERWISE = {
    GapReason.TOO_MANY: "too-many-entries",
    GapReason.RATIO: "compression-ratio",
    GapReason.SPECIAL: "special-file",
}
"""Words that are not the name; those of all others are."""


@pytest.mark.parametrize("kind", [Category, EvidenceKind, Author, GapReason])
def test_the_word_for_each_is_its_name(kind):
    for member in kind:
        assert member.value == OTHERWISE.get(member, member.name.lower().replace("_", "-"))
    assert {Category: 31, EvidenceKind: 4, Author: 3, GapReason: 17}[kind] == len(kind)


def test_a_gap_is_of_a_bound_where_more_of_a_skill_brings_it_about():
    by_a_bound = "TOO_LARGE TOO_MANY TOO_DEEP RATIO VIEW_LIMIT ANALYSIS_LIMIT ANALYSIS_FAILED".split()
    assert isinstance(BOUNDS, frozenset)  # nobody adds to it while a program runs
    for reason in GapReason:
        assert Gap("a", reason, "").of_bound is (reason.name in by_a_bound)


def test_what_is_not_said_is_nothing():
    """A finding is a rule's own, at one place; a gap of unknown content has no fingerprint that could be accepted."""
    place = Location("a", 1, 2)
    assert place.origin == ()
    one = Finding("r", "t", Category.CUSTOM, EvidenceKind.WORDS, Severity.LOW, 0, "", "", place, False, "f")
    assert (one.also, one.adjustments, one.author) == ((), (), Author.RULE)
    assert Gap("a", GapReason.LINK, "").fingerprint == ""
    assert Suppressed(one, "", "", "").globs is None
    assert Verdict._field_defaults == {"review": None}
