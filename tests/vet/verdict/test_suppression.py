from datetime import timedelta

import pytest
from verdict_samples import TODAY, finding

from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GlobEntry, suppress
from sluicegate.vet.verdict.types import Category, Severity, StaleEntry

EXACT = ExactEntry(
    rule="pipe-to-shell",
    path="scripts/setup.sh",
    fingerprint="f1",
    reason="our own installer",
    owner="mira",
    expires=TODAY,
)
GLOB = GlobEntry(rule="pipe-*", path="scripts/**", reason="vendored", owner="omar", expires=TODAY)


def _baseline(*entries):
    return Baseline(entries=entries)


def test_the_empty_baseline_accepts_nothing():
    assert suppress([finding()], Baseline(), TODAY).active == (finding(),)


def test_an_exact_entry_accepts_one_finding_only():
    others = [finding(rule="x"), finding(path="b.sh"), finding(fingerprint="f2")]
    parts = suppress([finding(), *others], _baseline(EXACT), TODAY)
    assert [s.finding for s in parts.suppressed] == [finding()]
    assert parts.active == tuple(others)
    assert parts.stale == ()
    (accepted,) = parts.suppressed
    assert (accepted.reason, accepted.owner, accepted.expires) == ("our own installer", "mira", "2026-06-15")


def test_an_exact_entry_may_hold_for_ever():
    parts = suppress([finding()], _baseline(EXACT._replace(expires=None)), TODAY)
    assert parts.suppressed[0].expires == ""


@pytest.mark.parametrize("entry", [EXACT, GLOB])
def test_an_entry_holds_through_its_last_day(entry):
    assert len(suppress([finding()], _baseline(entry), TODAY).suppressed) == 1
    after = suppress([finding()], _baseline(entry), TODAY + timedelta(days=1))
    assert after.active == (finding(),)
    assert after.suppressed == ()
    assert after.stale == (StaleEntry(rule=entry.rule, path=entry.path, why="expired"),)


def test_an_expired_entry_that_meets_nothing_is_not_reported():
    assert suppress([finding("other")], _baseline(EXACT, GLOB), TODAY + timedelta(days=1)).stale == ()


def test_a_live_entry_covers_for_an_expired_one():
    live = EXACT._replace(expires=None, reason="reviewed again")
    parts = suppress([finding()], _baseline(EXACT, live), TODAY + timedelta(days=1))
    assert [s.reason for s in parts.suppressed] == ["reviewed again"]
    assert [s.why for s in parts.stale] == ["expired"]


def test_drift_is_reported_and_the_new_finding_is_active():
    changed = finding(fingerprint="f2")
    parts = suppress([changed], _baseline(EXACT), TODAY)
    assert parts.active == (changed,)
    assert parts.stale == (StaleEntry(rule="pipe-to-shell", path="scripts/setup.sh", why="drifted"),)


def test_no_drift_where_the_rule_is_silent_or_the_finding_still_there():
    assert suppress([finding(path="elsewhere.sh")], _baseline(EXACT), TODAY).stale == ()
    assert suppress([finding("other")], _baseline(EXACT), TODAY).stale == ()
    assert suppress([finding(), finding(fingerprint="f2")], _baseline(EXACT), TODAY).stale == ()


def test_stale_entries_are_sorted_and_told_once():
    entries = [EXACT._replace(rule=rule, fingerprint=mark) for rule in "hgfedcba" for mark in ("x", "y")]
    findings = [finding(rule) for rule in "abcdefgh"]
    assert [s.rule for s in suppress(findings, _baseline(*entries), TODAY).stale] == list("abcdefgh")


def test_exact_entries_go_before_globs_and_earlier_before_later():
    second = GLOB._replace(owner="later")
    parts = suppress([finding(), finding(fingerprint="f2")], _baseline(GLOB, second, EXACT), TODAY)
    assert [s.owner for s in parts.suppressed] == ["mira", "omar"]


@pytest.mark.parametrize(
    "guarded",
    [
        finding(category=Category.REVIEWER_MANIPULATION, severity=Severity.LOW),
        finding(category=Category.INTAKE, severity=Severity.CRITICAL),
    ],
)
def test_attacks_on_the_gate_need_an_exact_entry(guarded):
    assert suppress([guarded], _baseline(GLOB), TODAY).active == (guarded,)
    assert suppress([guarded], _baseline(EXACT), TODAY).active == ()


def test_a_milder_intake_finding_may_be_accepted_by_a_glob():
    mild = finding(category=Category.INTAKE, severity=Severity.HIGH)
    assert suppress([mild], _baseline(GLOB), TODAY).active == ()


@pytest.mark.parametrize(("rule", "path"), [("", "**"), ("*", ""), ("", "")])
def test_an_empty_pattern_accepts_nothing(rule, path):
    entry = GlobEntry(rule=rule, path=path, reason="r", owner="o", expires=TODAY)
    assert suppress([finding()], _baseline(entry), TODAY).active == (finding(),)


@pytest.mark.parametrize(
    ("rule", "path"), [("*", "*"), ("**", "**/*"), ("?*", "*/**"), ("*-*", "**"), ("*", "*.*"), ("**", "**/")]
)
def test_an_entry_that_names_nothing_is_refused(rule, path):
    with pytest.raises(ValueError, match="would accept everything"):
        GlobEntry(rule=rule, path=path, reason="r", owner="o", expires=TODAY)


@pytest.mark.parametrize(("rule", "path"), [("pipe-*", "**"), ("*", "docs/**"), ("x", "**")])
def test_an_entry_that_names_a_rule_or_a_path_is_taken(rule, path):
    entry = GlobEntry(rule=rule, path=path, reason="r", owner="o", expires=TODAY)
    assert (entry.rule, entry.path, entry.expires) == (rule, path, TODAY)


@pytest.mark.parametrize("entry", [EXACT, GLOB])
@pytest.mark.parametrize(("field", "said"), [("reason", "needs a reason"), ("owner", "needs an owner")])
def test_an_entry_needs_a_reason_and_an_owner(entry, field, said):
    with pytest.raises(ValueError, match=said):
        type(entry)(**(entry._asdict() | {field: "  "}))


@pytest.mark.parametrize("field", ["rule", "path", "fingerprint"])
def test_an_exact_entry_needs_all_three_names(field):
    with pytest.raises(ValueError, match="names a rule, a path and a fingerprint"):
        ExactEntry(**(EXACT._asdict() | {field: ""}))


@pytest.mark.parametrize("field", ["rule", "path"])
def test_a_pattern_has_a_bounded_length(field):
    GlobEntry(**(GLOB._asdict() | {field: "a" * 1024}))
    with pytest.raises(ValueError, match="at most 1024"):
        GlobEntry(**(GLOB._asdict() | {field: "a" * 1025}))
