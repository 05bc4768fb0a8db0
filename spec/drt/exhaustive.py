"""What is finite is checked whole.

Each function here is one check, named in ``behaviours.toml``; it raises on failure.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, permutations, product

from drt.cases import Case, Plain
from drt.properties import broken
from drt.sides import finding, modelled, production
from model import envelope as model_envelope
from model import verdict as model
from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.consensus import Seat, Vote, consensus
from sluicegate.vet.verdict.globs import compile_glob
from sluicegate.vet.verdict.score import band, score
from sluicegate.vet.verdict.types import Band, Decision, Severity

TRUTHS = (False, True)
_SMALL = [
    ["r", "custom", "p", f"f{severity}{confidence}{executable}", severity, confidence, executable]
    for severity, confidence, executable in (
        (0, 1000, 0),
        (1, 400, 0),
        (1, 900, 1),
        (2, 500, 0),
        (2, 1000, 0),
        (3, 10, 1),
        (3, 600, 0),
    )
] + [["s", "custom", "p", "other", 2, 800, False]]


def every_score_has_one_band() -> None:
    """All scores 0..100: the band is the model's, and the four bands have 21, 30, 30 and 20 scores."""
    seen = [int(band(points)) for points in range(101)]
    assert seen == [model.band(points) for points in range(101)]
    assert [seen.count(one) for one in Band] == [21, 30, 30, 20]
    assert seen == sorted(seen)


def every_decision_follows_the_table() -> None:
    """All bands, condemning or not, gap or not."""
    for one, condemned, gap in product(Band, TRUTHS, TRUTHS):
        expected = Decision.SAFE
        if gap or one is Band.MEDIUM:
            expected = Decision.CAUTION
        if condemned or one in (Band.HIGH, Band.CRITICAL):
            expected = Decision.DO_NOT_INSTALL
        assert kernels.decide(one, condemned, gap) == expected, (one, condemned, gap)


def every_weight_is_the_models() -> None:
    """All severities, confidences -5 to 1005, executable or not: points, floor, listing; monotone."""
    for severity, executable in product(Severity, TRUTHS):
        last = (-1, -1)
        for confidence in range(-5, 1006):
            f = model.Finding("r", "c", "p", "f", int(severity), confidence, executable)
            weight = kernels.points(severity, confidence, executable)
            floor = kernels.floor_of(severity, confidence)
            assert weight == model.points(f)
            assert floor == (model.FLOOR[int(severity)] if confidence >= 500 else 0)
            assert kernels.is_listed(severity, confidence) == (severity <= 1 and confidence < 400)
            for manipulation in TRUTHS:
                assert kernels.condemns(manipulation, confidence) == (manipulation and confidence >= 500)
            assert weight >= last[0] and floor >= last[1]
            last = (weight, floor)
    assert [kernels.base(severity) for severity in (-9, -1, 0, 1, 2, 3, 4, 99)] == [
        5,
        5,
        5,
        10,
        25,
        50,
        50,
        50,
    ]


def every_small_list_scores_as_the_model() -> None:
    """All lists of up to 4 of 8 findings: the model's score, in every order, never less with one more."""
    scores: dict[tuple[int, ...], int] = {(): 0}
    for size in range(1, 5):
        for chosen in combinations_with_replacement(range(len(_SMALL)), size):
            rows = [_SMALL[one] for one in chosen]
            points = score([finding(row) for row in rows])
            assert points == model.score([model.Finding(*row) for row in rows]), rows
            if size <= 3:
                assert {score([finding(row) for row in order]) for order in permutations(rows)} == {points}
            for leave in range(size):
                assert scores[chosen[:leave] + chosen[leave + 1 :]] <= points, rows
            scores[chosen] = points


def every_lone_finding_is_decided() -> None:
    """All severities and confidences, alone: CRITICAL blocks from 500 on, HIGH is CAUTION, the rest SAFE."""
    for severity, confidence, executable in product(Severity, range(1001), TRUTHS):
        points = score([finding(["r", "custom", "p", "f", int(severity), confidence, executable])])
        one = band(points)
        if severity is Severity.CRITICAL and confidence >= 500:
            assert one >= Band.HIGH
        elif severity is Severity.HIGH and confidence >= 500:
            assert one is Band.MEDIUM
        elif severity <= Severity.MEDIUM:
            assert one is Band.LOW


def every_acceptance_follows_the_table() -> None:
    """All truth values of matching, expiry and guard; all days around the last one."""
    for same, globbed, expired, guarded in product(TRUTHS, repeat=4):
        expected = not expired and (same or (globbed and not guarded))
        assert kernels.accepts(same, globbed, expired, guarded) is expected
    assert [kernels.is_expired(today, 5) for today in (4, 5, 6)] == [False, False, True]
    for manipulation, intake, severity in product(TRUTHS, TRUTHS, Severity):
        expected = manipulation or (intake and severity is Severity.CRITICAL)
        assert kernels.is_guarded(manipulation, intake, severity) is expected


def every_small_glob_matches_as_the_model() -> None:
    """All patterns of up to 4 of the characters a / * ? against all texts of up to 4 of a b /."""
    texts = ["".join(text) for size in range(5) for text in product("ab/", repeat=size)]
    for size in range(5):
        for characters in product("a/*?", repeat=size):
            pattern = "".join(characters)
            compiled = compile_glob(pattern)
            for text in texts:
                assert compiled.matches(text) == model.glob(pattern, text), (pattern, text)


def every_vote_follows_the_table() -> None:
    """All sixteen kinds of reply."""
    for malicious, injection, whole, safe in product(TRUTHS, repeat=4):
        expected = Vote.MALICIOUS
        if not (malicious or injection):
            expected = Vote.ABSTAINED if not whole else Vote.SAFE if safe else Vote.SUSPICIOUS
        assert kernels.vote_of(malicious, injection, whole, safe) == expected


def every_small_panel_decides_as_the_model() -> None:
    """All panels of up to 4 voters of 3 families: as the model; with a quorum, one more never helps."""
    ballots = list(product("abc", Vote))
    decisions: dict[tuple[tuple[str, Vote], ...], Decision] = {}
    for size in range(5):
        for votes in combinations_with_replacement(ballots, size):
            seats = [(Seat(reviewer=str(n), family=family), vote) for n, (family, vote) in enumerate(votes)]
            decision = decisions[votes] = consensus(seats)
            assert decision == model_envelope.consensus([(family, int(vote)) for family, vote in votes])
            for leave in range(size):
                fewer = votes[:leave] + votes[leave + 1 :]
                if len({family for family, _ in fewer}) >= 2:
                    assert decisions[fewer] <= decision, votes


def every_small_reply_keeps_the_findings() -> None:
    """All lists of up to 2 of 4 findings with all replies of up to 2 of 9 records, and other shapes."""
    findings = [["r", "custom", "p", mark, severity, 500, False] for mark in "ab" for severity in (1, 3)]
    records: list[Plain] = [
        {"id": mark, "verdict": word, "confidence": 0.9} for mark in "az" for word in ("SAFE", "MALICIOUS")
    ] + [{"id": "b", "verdict": "SUSPICIOUS"}, {"id": "a"}, {"verdict": "SAFE"}, None, []]
    shapes: list[Plain] = [
        None,
        [],
        "SAFE",
        5,
        {},
        {"raise": "RuntimeError"},
        {"overall": "SAFE"},
        {"overall": "MALICIOUS"},
    ]
    shapes += [
        {"overall": overall, "injection": seen, "findings": list(chosen)}
        for overall, seen in (("SAFE", False), ("SUSPICIOUS", False), ("SAFE", True), (None, False))
        for size in range(3)
        for chosen in product(records, repeat=size)
    ]
    for size in range(3):
        for batch in combinations_with_replacement(findings, size):
            for shape in shapes:
                case = Case(
                    740000, 0, [], [list(batch)], [[0, 0, shape], [1, 0, _safe(batch)]], ["one", "two"], ["p"]
                )
                assert production(case) == modelled(case), case
    for shape in shapes[:40]:
        case = Case(740000, 1, [], [findings], [[0, 0, shape]], ["one", "two"], ["p"])
        assert not broken(case), case


def _safe(batch: tuple[list[Plain], ...]) -> Plain:
    marks = sorted({row[3] for row in batch})
    return {
        "overall": "SAFE",
        "injection": False,
        "findings": [{"id": mark, "verdict": "SAFE"} for mark in marks],
    }


CHECKS: dict[str, Callable[[], None]] = {
    name: check for name, check in list(globals().items()) if name.startswith("every_") and callable(check)
}
