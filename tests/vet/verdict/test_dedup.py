from verdict_samples import finding

from sluicegate.vet.verdict.dedup import deduplicate, merge, rank
from sluicegate.vet.verdict.score import points_of
from sluicegate.vet.verdict.types import Author, Category, Location, Severity


def test_the_representative_has_most_points_and_keeps_all_places():
    weak = finding(confidence=300, line=9)
    strong = finding(confidence=900, line=5)
    again = finding(
        confidence=900, line=7, also=(Location(path="scripts/setup.sh", start_line=1, end_line=1),)
    )
    for order in ((weak, strong, again), (again, strong, weak), (strong, weak, again)):
        (merged,) = deduplicate(order)
        assert merged.location.start_line == 5
        assert [place.start_line for place in merged.also] == [1, 7, 9]
        assert merged == strong._replace(also=merged.also)


def test_a_lone_finding_is_left_as_it_is():
    alone = finding()
    assert merge([alone]) is alone


def test_a_lone_findings_own_place_is_not_elsewhere():
    here = finding()
    twice = here._replace(also=(here.location, here.location))
    assert merge([twice]) == here


def test_a_mixed_group_is_as_bad_as_its_worst_and_says_so():
    severe = finding(severity=Severity.CRITICAL, confidence=100)
    sure = finding(severity=Severity.HIGH, confidence=1000)
    run = finding(severity=Severity.LOW, confidence=10, executable=True)
    (merged,) = deduplicate([sure, severe, run])
    assert (merged.severity, merged.confidence, merged.executable) == (Severity.CRITICAL, 1000, True)
    assert merged.adjustments == ("raised to the worst of the same match seen elsewhere",)
    assert points_of(merged) >= max(points_of(one) for one in (severe, sure, run))


def test_what_was_adjusted_before_stays_said():
    (merged,) = deduplicate([finding(adjustments=("in a comment",)), finding(executable=True, confidence=1)])
    assert merged.adjustments == ("in a comment", "raised to the worst of the same match seen elsewhere")


def test_a_group_of_one_kind_is_not_adjusted():
    (merged,) = deduplicate([finding(line=1), finding(line=2)])
    assert merged.adjustments == ()


def test_what_differs_in_rule_category_path_or_fingerprint_is_not_merged():
    one = finding()
    others = [
        finding(rule="other"),
        finding(category=Category.EXFILTRATION),
        finding(path="b.sh"),
        finding(fingerprint="f2"),
    ]
    assert len(deduplicate([one, *others])) == 5


def test_the_order_is_points_first_and_total():
    findings = [
        finding("b", Severity.HIGH, 1000, fingerprint="1"),
        finding("a", Severity.CRITICAL, 500, fingerprint="2"),
        finding("c", Severity.MEDIUM, 900, fingerprint="3"),
        finding("c", Severity.CRITICAL, 1000, fingerprint="4"),
    ]
    assert [f.fingerprint for f in deduplicate(findings)] == ["4", "2", "1", "3"]


def test_every_part_of_a_finding_orders_it():
    base = finding()
    variants = [
        base._replace(rule="q"),
        base._replace(location=base.location._replace(path="zz")),
        base._replace(location=base.location._replace(origin=("base64",))),
        base._replace(fingerprint="f9"),
        base._replace(category=Category.TOOL_MISUSE),
        base._replace(title="b title"),
        base._replace(message="b message"),
        base._replace(evidence="d"),
        base._replace(also=(base.location,)),
        base._replace(adjustments=("why",)),
        base._replace(author=Author.USER_RULE),
    ]
    assert all(rank(variant) > rank(base) for variant in variants)


def test_ties_in_points_go_by_severity_then_rule_then_confidence():
    # 50 * 260 * 10 = 10 * 1000 * 13 = 130000
    severe = finding("z", Severity.CRITICAL, 260, fingerprint="1")
    mild = finding("a", Severity.MEDIUM, 1000, executable=True, fingerprint="2")
    assert points_of(severe) == points_of(mild)
    assert rank(severe) < rank(mild)
    # no points at all: confidence decides, then executability
    low, lower = finding(confidence=0), finding(confidence=-5)
    assert rank(low) < rank(lower)
    assert rank(low._replace(executable=True)) < rank(low)
