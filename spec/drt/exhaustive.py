"""What is finite is checked whole.

Each function here is one check, named in ``behaviours.toml``; it raises on failure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import date
from itertools import chain, combinations_with_replacement, permutations, product

from drt.cases import GAP_PATHS, PATHS, TODAY, Case, Plain
from drt.properties import broken
from drt.sides import finding, modelled, production, run_production
from model import envelope as model_envelope
from model import verdict as model
from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.consensus import Ballot, Family, Role, Seat, Vote, consensus
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.dedup import deduplicate
from sluicegate.vet.verdict.deeds import DEED_OF, FOR_A_PERSON
from sluicegate.vet.verdict.globs import compile_glob
from sluicegate.vet.verdict.ruling import identity
from sluicegate.vet.verdict.score import arithmetic, band, by_kind, score
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Band, Category, Decision, EvidenceKind, Gap, GapReason, Severity

TRUTHS = (False, True)
_CHARACTERS = (
    range(0x3401),
    range(0x9FFF, 0xAC01),
    range(0xD7A3, 0x17001),
    range(0x18FFF, 0x20001),
    range(0xE0000, 0xE0200),
)
"""All that are in use, but of those between only the first and last: the letters of East Asia, which are many and alike."""
_SMALL = [
    ["r", "custom", "command", "p", f"f{severity}{confidence}{executable}", severity, confidence, executable]
    for severity, confidence, executable in (
        (0, 1000, 0),
        (1, 400, 0),
        (1, 900, 1),
        (2, 500, 0),
        (2, 1000, 0),
        (3, 10, 1),
        (3, 600, 0),
    )
] + [["s", "custom", "words", "p", "other", 2, 800, False]]


def every_gap_counts_whatever_its_path() -> None:
    """All reasons with paths of every kind, known by content or not: one such gap is open, and CAUTION."""
    for reason, path, mark in product(GapReason, GAP_PATHS, ("", "g")):
        gap = Gap(path=path, reason=reason, detail="why", fingerprint=mark)
        verdict = judge([], [gap], baseline=Baseline(), today=date.fromordinal(TODAY))
        assert (verdict.decision, verdict.gaps) == (Decision.CAUTION, (gap,)), gap


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
            f = model.Finding("r", "c", "flow", "p", "f", int(severity), confidence, executable)
            weight = kernels.points(severity, confidence, executable)
            floor = kernels.floor_of(severity, confidence)
            assert weight == model.points(f)
            assert floor == (model.FLOOR[int(severity)] if confidence >= 500 else 0)
            assert kernels.corroborates(severity, confidence) == (severity >= 2 and confidence >= 500)
            assert kernels.is_deed(severity, confidence) == (severity >= 1 and confidence >= 500)
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
            assert points == model.plain_score([model.Finding._make(row) for row in rows]), rows
            if size <= 3:
                assert {score([finding(row) for row in order]) for order in permutations(rows)} == {points}
            for leave in range(size):
                assert scores[chosen[:leave] + chosen[leave + 1 :]] <= points, rows
            scores[chosen] = points


def every_lone_finding_is_decided() -> None:
    """All severities and confidences, alone: CRITICAL blocks from 500 on, HIGH is CAUTION, the rest SAFE."""
    for severity, confidence, executable in product(Severity, range(1001), TRUTHS):
        points = score([finding(["r", "custom", "flow", "p", "f", int(severity), confidence, executable])])
        one = band(points)
        if severity is Severity.CRITICAL and confidence >= 500:
            assert one >= Band.HIGH
        elif severity is Severity.HIGH and confidence >= 500:
            assert one is Band.MEDIUM
        elif severity <= Severity.MEDIUM:
            assert one is Band.LOW


def every_category_has_its_deed() -> None:
    """All categories: the deed and whether a person should see it are the model's; no category is forgotten."""
    assert set(DEED_OF) == set(Category)
    for category in Category:
        assert DEED_OF[category].value == model.DEED.get(category.value, "none"), category
        assert (category in FOR_A_PERSON) == (category.value in model.SEEN_BY_A_PERSON), category


def every_pair_of_matches_is_told_apart() -> None:
    """All pairs over 3 rules, every category, kind and path of the cases, and 2 fingerprints: one match or two."""
    plain = ("r-0", "custom", "flow", PATHS[0], "f")
    every: tuple[tuple[str, ...], ...] = (
        ("r-0", "r-1", "r"),
        tuple(category.value for category in Category),
        tuple(kind.value for kind in EvidenceKind),
        PATHS,
        ("f", "g"),
    )
    for at, values in enumerate(every):
        made = [[*plain[:at], value, *plain[at + 1 :], 2, 500, False] for value in values]
        for a, b in product(made, repeat=2):
            kept = deduplicate([finding(a), finding(b, 1)])
            assert len(kept) == len(model.dedup([model.Finding._make(a), model.Finding._make(b)])), (a, b)


def every_pair_of_kinds_scores_as_the_model() -> None:
    """All pairs of findings over kinds, severities, the edges of confidence, rules and deeds; and every lone one."""
    edges = (399, 400, 499, 500, 1000)
    # names that begin alike are two all the same
    r, s = (f"organisation-wide-rule-about-{name}" for name in "rs")
    places = (
        (r, "exfiltration"),
        (s, "exfiltration"),
        (s, "credential-access"),
        (s, "persistence"),
        (s, "custom"),
    )
    one = [
        [r, "exfiltration", k.value, "p", "f", severity, c, False]
        for k in EvidenceKind
        for severity in range(4)
        for c in edges
    ]
    other = [
        [rule, category, k.value, "p", "g", severity, c, True]
        for rule, category in places
        for k in EvidenceKind
        for severity in range(4)
        for c in (499, 500)
    ]
    for rows in [[row] for row in one + other] + [[a, b] for a in one for b in other]:
        points = by_kind(arithmetic([finding(row) for row in rows]))
        assert points == model.score([model.Finding._make(row) for row in rows]), rows
        if all(row[2] == "words" for row in rows):
            assert points <= 50, rows


def every_floor_of_kinds_follows_the_table() -> None:
    """Corroborated or not, 0 to 4 deeds, for a person or not; and every score with every cap and floor."""
    for corroborated, deeds, person in product(TRUTHS, range(5), TRUTHS):
        expected = 51 if corroborated else 21 if person or deeds >= 2 else 0
        assert kernels.floor_of_kinds(corroborated, deeds, person) == expected
    for acts, everything, floor in product(range(101), range(101), (0, 21, 51)):
        assert kernels.by_kind(acts, everything, floor) == max(acts, min(50, everything), floor)


def every_ruling_follows_the_table() -> None:
    """All decisions with up to 3 persons against, for and overriding, up to 3 needed, permitted or not."""
    for same, content, expired, approves, named, reasoned in product(TRUTHS, repeat=6):
        about = (same and named and reasoned) if approves else (same or content)
        assert kernels.holds(same, content, expired, approves, named, reasoned) == (about and not expired)
    numbers = range(4)
    for decision, against, approving, needed, permitted in product(
        Decision, numbers, numbers, numbers, TRUTHS
    ):
        for overriding in range(approving + 1):
            said = kernels.ruled(decision, against, approving, overriding, needed, permitted)
            wanted = max(1, needed)
            expected: int = decision
            if against:
                expected = 2
            elif decision == 2:
                expected = 0 if permitted and overriding >= wanted else 2
            elif approving >= wanted:
                expected = 0
            assert said == expected, (decision, against, approving, overriding, needed, permitted)


def every_character_of_a_name_counts_as_in_the_model() -> None:
    """All characters that Python knows but the many letters of East Asia that are alike: alone and behind a letter."""
    for code in chain(*_CHARACTERS):
        character = chr(code)
        if unicodedata.category(character) not in ("Cn", "Co", "Cs"):
            for name in (character, f"m{character}"):
                assert identity(name) == model.visible(name), ascii(name)
    for (
        nothing
    ) in "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u2060\u2800\u3164\ufe0f\uffa0\U000e0041\U000e0100":
        assert (identity(f"mira{nothing}"), identity(nothing)) == ("mira", ""), ascii(nothing)


def every_run_of_attempts_votes_as_the_model() -> None:
    """All runs of up to 5 votes: the worst that is not an abstention, else ABSTAINED; whatever the order."""
    for size in range(6):
        for votes in product(Vote, repeat=size):
            vote: int = Vote.ABSTAINED
            for each in votes:
                vote = kernels.attempted(vote, each)
            whole = [each for each in votes if each is not Vote.ABSTAINED]
            assert vote == max(whole, default=Vote.ABSTAINED), votes


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
    for condemned, whole, safe, alarm in product(TRUTHS, repeat=4):
        expected = Vote.MALICIOUS
        if not condemned and whole:
            expected = Vote.SAFE if safe else Vote.SUSPICIOUS
        elif not condemned:
            expected = Vote.SUSPICIOUS if alarm else Vote.ABSTAINED
        assert kernels.vote_of(condemned, whole, safe, alarm) == expected


def every_small_panel_decides_as_the_model() -> None:
    """All panels of up to 4 voters of 3 families and a detector: as the model; with a quorum, one more never helps."""
    voters = [(family, role) for family in ("gpt", "qwen", "other") for role in ("findings",)] + [
        ("gpt", "detector")
    ]
    ballots = list(product(voters, Vote))
    decisions: dict[tuple[tuple[tuple[str, str], Vote], ...], Decision] = {}
    for size in range(5):
        for votes in combinations_with_replacement(ballots, size):
            cast = [
                Ballot(Seat(reviewer=str(n), family=Family(family), role=Role(role)), vote)
                for n, ((family, role), vote) in enumerate(votes)
            ]
            plain = [(family, role, int(vote)) for (family, role), vote in votes]
            decision = decisions[votes] = consensus(cast, complete=True)
            assert decision == model_envelope.consensus(plain, True), votes
            assert consensus(cast, complete=False) == model_envelope.consensus(plain, False) != 0, votes
            for leave in range(size):
                fewer = votes[:leave] + votes[leave + 1 :]
                if (
                    len({family for (family, role), _ in fewer if role != "detector" and family != "other"})
                    >= 2
                ):
                    assert decisions[fewer] <= decision, votes


_WHOLE = '{"overall": "SAFE", "injection": false, "findings": []}'
_DAMAGED = (
    "MALICIOUS", "not malicious", "mal\\u0069cious", '"injection": true', "injection found: no", _WHOLE + " ", "\ufeff" + _WHOLE,
    *(around.replace("X", said) for around in ("```json\nX\n```", "```X", "so:\n```\nX\n```\nok", "```\n```\n```X", "\ufeffX", "X,")
      for said in (_WHOLE, '{"overall": "MALICIOUS"}', '{"injection": true}', '{"injection": "No injection found"}')),
)  # fmt: skip
"""Replies that are hardly JSON; the first whole one with a blank behind it is."""
_BESIDE_SAFE: tuple[Plain, ...] = (
    {"summary": "no malicious behaviour"}, {"summary": "MALICIOUS - sends keys"}, {"summary": "Malicious code: none"},
    {"summary": "**MALICIOUS** it is"}, {"summary": "malicious"}, {"injection_evidence": ""}, {"injection_evidence": "None."},
    {"injection_evidence": "line 3"}, {"injection_evidence": "\u7121"}, {"injection_evidence": None}, {"is_malicious": True},
    {"is_malicious": False}, {"not_malicious": True},
)  # fmt: skip
"""What stands in a reply that says SAFE otherwise."""


def every_small_reply_keeps_the_findings() -> None:
    """All lists of up to 2 of 4 findings with all replies of up to 2 of 9 records, and other shapes, to each role.

    An overall word that is damaged decides by itself, so at most one record stands beside it.
    """
    small_replies_keep_the_findings(each=1)


def small_replies_keep_the_findings(*, each: int) -> None:
    """The same for each n-th of these cases."""
    findings = [
        ["r", "custom", "flow", "p", mark, severity, 500, False] for mark in "ab" for severity in (1, 3)
    ]
    records: list[Plain] = [
        {"id": mark, "verdict": word, "confidence": 0.9} for mark in "az" for word in ("SAFE", "MALICIOUS")
    ] + [{"id": "b", "verdict": "SUSPICIOUS"}, {"id": "a"}, {"verdict": "SAFE"}, None, []]
    plain: list[Plain] = [None, [], "SAFE", "MALICIOUS", 5, {}, {"overall": "SAFE"}, {"overall": "malicious"}]
    seen: list[Plain] = [True, False, 1, 0, "yes", "no", "no injection found", "\u043d\u0435\u0442", None]
    seen += [[], [0], ["x"], {}, {"x": 0}, {"found": True}]
    flags = [{"injection": flag} for flag in seen]
    shapes: list[Plain] = [
        {"json": value} for value in [*plain, *flags, *([value] for value in plain + flags)]
    ]
    shapes += [{"raise": "RuntimeError"}, {"raise": "ValueError"}, {"text": "SAFE"}, {"text": ""}]
    shapes += [{"text": text} for text in _DAMAGED]
    shapes += [{"json": _safe(["a"]) | more} for more in _BESIDE_SAFE]
    alone = list(shapes)
    shapes += [
        {"json": {"overall": overall, "injection": seen, "findings": list(chosen)}}
        for overall, seen, most in (
            ("SAFE", False, 2),
            ("SUSPICIOUS", False, 2),
            ("SAFE", True, 2),
            (None, False, 2),
            ("MALICIOUS - sends keys", False, 1),
            ({"MALICIOUS": True}, False, 1),
        )
        for size in range(most + 1)
        for chosen in product(records, repeat=size)
    ]
    batches = [list(batch) for size in range(3) for batch in combinations_with_replacement(findings, size)]
    for batch, shape in list(product(batches, shapes))[::each]:
        case = _case(batch, shape, "findings")
        assert production(case) == modelled(case), case
    for shape, role in list(product(alone, ("findings", "skill", "detector")))[::each]:
        case = _case(findings[:1], shape, role)
        run = run_production(case)
        assert production(case, run) == modelled(case), case
        assert not broken(case, run), case


def _case(findings: list[list[Plain]], body: Plain, role: str) -> Case:
    """One seat of a role that gave this body, beside one of another family that says SAFE of everything."""
    marks = sorted({row[4] for row in findings})
    packages: list[list[Plain]] = [["findings", marks]]
    if role != "findings":
        packages.append([role, []])
    return Case(
        today=740000,
        findings=findings,
        gaps=[],
        entries=[],
        gap_entries=[],
        seats=[["gpt", role], ["qwen", "findings"]],
        packages=packages,
        replies=[[0, len(packages) - 1, 0, body], [1, 0, 0, {"json": _safe(marks)}]],
        parts=[["p", False]],
        rulings=[],
        needed=1,
        may_override=False,
    )


def _safe(marks: list[str]) -> Plain:
    return {
        "overall": "SAFE",
        "injection": False,
        "findings": [{"id": mark, "verdict": "SAFE"} for mark in marks],
    }


CHECKS: dict[str, Callable[[], None]] = {
    name: check for name, check in list(globals().items()) if name.startswith("every_") and callable(check)
}
