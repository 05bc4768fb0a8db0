from hypothesis import given, settings
from hypothesis import strategies as st
from verdict_samples import finding

from sluicegate.vet.verdict.kernels import final
from sluicegate.vet.verdict.score import band, points_of, score
from sluicegate.vet.verdict.types import Band, Severity

FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(["a", "b"]),
        st.sampled_from(Severity),
        st.integers(-10, 1100),
        executable=st.booleans(),
    ),
    max_size=6,
)


def test_points_are_base_times_confidence_times_thirteen_or_ten():
    assert points_of(finding(severity=Severity.CRITICAL, confidence=900)) == 50 * 900 * 10
    assert points_of(finding(severity=Severity.LOW, confidence=400, executable=True)) == 5 * 400 * 13


def test_known_scores():
    assert score([]) == 0
    assert score([finding(severity=Severity.HIGH, confidence=800)]) == 21
    assert score([finding(severity=Severity.HIGH, confidence=499)]) == 12
    assert score([finding(severity=Severity.MEDIUM, confidence=700)]) == 7
    assert score([finding(severity=Severity.CRITICAL, confidence=500)]) == 51
    assert score([finding(severity=Severity.CRITICAL, confidence=1000, executable=True)]) == 65
    assert score([finding("r", Severity.MEDIUM, 1000) for _ in range(9)]) == 17
    assert score([finding(f"r{n}", Severity.MEDIUM, 1000) for n in range(9)]) == 90
    assert score([finding(f"r{n}", Severity.CRITICAL, 1000) for n in range(9)]) == 100


def test_a_score_is_cut_to_whole_points():
    assert [final(0, 40000 * 50 + more) for more in (-1, 0, 39999)] == [49, 50, 50]
    assert final(51, 0) == 51


def test_rules_of_no_points_add_nothing_at_all():
    # 4 * 65 * 923 = 239980, twenty short of six whole points
    nearly = finding("r", Severity.LOW, 923, executable=True)
    assert score([nearly, *(finding(f"r{n}", Severity.LOW, 0) for n in range(40))]) == 5


def test_bands_of_the_edges():
    assert [band(points) for points in (0, 20, 21, 50, 51, 80, 81, 100)] == [
        Band.LOW, Band.LOW, Band.MEDIUM, Band.MEDIUM, Band.HIGH, Band.HIGH, Band.CRITICAL, Band.CRITICAL,
    ]  # fmt: skip


@given(FINDINGS, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_order_does_not_matter_and_more_is_never_less(findings, random):
    shuffled = random.sample(findings, len(findings))
    assert score(shuffled) == score(findings)
    assert all(score(findings[:n]) <= score(findings[: n + 1]) for n in range(len(findings)))
