from datetime import timedelta

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline, GapEntry, accept_gaps
from sluicegate.vet.verdict.types import AcceptedGap, Decision, GapReason, StaleEntry

NAMED = GAP._replace(fingerprint="g1")
ENTRY = GapEntry(
    gap=NAMED.reason, path=NAMED.path, fingerprint="g1", reason="test data", owner="mira", expires=TODAY
)
DAY = timedelta(days=1)


def _entry(**changes):
    return GapEntry(**(ENTRY._asdict() | changes))


def _judge(*gaps, entries=(ENTRY,), today=TODAY, found=()):
    return judge(found, gaps, baseline=Baseline(entries=entries), today=today)


def test_an_accepted_gap_is_kept_apart_and_no_obstacle():
    verdict = _judge(NAMED, NAMED)
    expected = AcceptedGap(gap=NAMED, reason="test data", owner="mira", expires=TODAY.isoformat())
    assert (verdict.decision, verdict.gaps, verdict.accepted_gaps) == (Decision.SAFE, (), (expected,))
    assert verdict.stale == ()


@pytest.mark.parametrize(
    "change",
    [{"gap": GapReason.OPAQUE}, {"path": "other.zip"}, {"fingerprint": "g2"}, {"expires": TODAY - DAY}],
)
def test_an_entry_accepts_this_gap_and_no_other(change):
    verdict = _judge(NAMED, entries=(_entry(**change),))
    assert (verdict.decision, verdict.gaps, verdict.accepted_gaps) == (Decision.CAUTION, (NAMED,), ())


def test_one_open_gap_is_enough():
    other = NAMED._replace(path="a.bin", fingerprint="g9")
    verdict = _judge(NAMED, other)
    assert (verdict.decision, verdict.gaps) == (Decision.CAUTION, (other,))


def test_a_gap_of_unknown_content_is_accepted_by_nothing():
    assert _judge(GAP, entries=(ENTRY, _entry(path=GAP.path))).decision is Decision.CAUTION


def test_an_entry_without_a_fingerprint_is_refused():
    with pytest.raises(ValueError, match="named by its fingerprint"):
        _entry(fingerprint="")
    for field in ("reason", "owner"):
        with pytest.raises(ValueError, match=f"needs an? {field}"):
            _entry(**{field: " "})


def test_drift_and_expiry_are_reported():
    drifted = accept_gaps([NAMED._replace(fingerprint="g2")], Baseline(entries=(ENTRY,)), TODAY)
    assert drifted.stale == (StaleEntry(rule="encrypted", path=GAP.path, why="drifted"),)
    expired = accept_gaps([NAMED], Baseline(entries=(ENTRY,)), TODAY + DAY)
    assert expired.stale == (StaleEntry(rule="encrypted", path=GAP.path, why="expired"),)
    renewed = accept_gaps([NAMED], Baseline(entries=(ENTRY, _entry(expires=TODAY + DAY))), TODAY + DAY)
    assert (renewed.open, renewed.stale) == ((), expired.stale)
    assert accept_gaps([], Baseline(entries=(ENTRY,)), TODAY).stale == ()


def test_gaps_and_findings_are_accepted_apart():
    verdict = _judge(NAMED, found=[finding()])
    assert verdict.decision is Decision.DO_NOT_INSTALL
    assert verdict.suppressed == ()


def test_every_gap_counts_however_many():
    gaps = [NAMED._replace(path=f"p{n:03}.zip") for n in range(300)]
    verdict = _judge(*gaps)
    assert len(verdict.gaps) == 300
    entries = tuple(_entry(path=gap.path) for gap in gaps[:-1])
    assert _judge(*gaps, entries=entries).gaps == (gaps[-1],)
    assert _judge(*gaps, entries=entries).decision is Decision.CAUTION
