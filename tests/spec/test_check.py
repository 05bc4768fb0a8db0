"""The checker of certificates: it says yes to every real one, and to nothing that states a milder decision."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random

import certificate_samples as samples
import pytest
from hypothesis import settings

import check
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import pages
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict import certificate as written
from sluicegate.vet.verdict import types
from sluicegate.vet.verdict.consensus import Family, Role, Vote
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.deeds import DEED_OF, FOR_A_PERSON, Deed
from sluicegate.vet.verdict.globs import compile_glob
from sluicegate.vet.verdict.suppression import Baseline, GlobEntry

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "spec" / "check.py"
HARMLESS = (
    "tool",
    "skills.*.name",
    "skills.*.entries.*.owner",
    "skills.*.entries.*.reason",
    "skills.*.rulings.given.*.reason",
    "skills.*.panel.said.*.about",
    "skills.*.panel.said.*.reviewer",
    "skills.*.panel.said.*.text",
    "skills.*.panel.said.*.vote",
)
"""Words, which decide nothing."""
TAKEN_AT_THEIR_WORD = (
    "skills.*.day",
    "skills.*.entries.*.last_day",
    "skills.*.entries.*.of",
    "skills.*.findings.*.added",
    "skills.*.findings.*.by",
    "skills.*.panel.packages.*.role",
    "skills.*.panel.replies.*.vote",
    "skills.*.panel.seats.*.family",
    "skills.*.panel.seats.*.reviewer",
    "skills.*.panel.seats.*.role",
    "skills.*.rulings.given.*.approves",
    "skills.*.rulings.given.*.bundle",
    "skills.*.rulings.given.*.last_day",
    "skills.*.rulings.given.*.overrides",
    "skills.*.rulings.given.*.person",
    "skills.*.rulings.may_override",
    "skills.*.rulings.needed",
)
"""Not part of the docket: another value that gives the same decision, under a new checksum, is another certificate."""


def test_it_needs_nothing_and_is_short() -> None:
    text = PROGRAM.read_text()
    assert len(text.splitlines()) <= 250
    imported = {a.name for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= set(sys.stdlib_module_names)
    assert not [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]


def test_its_tables_are_those_of_the_enumerations() -> None:
    def words(kind: object) -> list[str]:
        return [str(word) for word in kind]  # type: ignore[attr-defined]

    def stated(shape: object) -> list[str]:
        return str(shape).split("|")

    assert {c: d.replace("none", "") if d is Deed.NONE else str(d) for c, d in DEED_OF.items()} == check.DEED
    assert sorted(stated(check.FINDING["category"])) == sorted(words(types.Category))
    assert sorted(check.FOR_A_PERSON) == sorted(FOR_A_PERSON)
    assert stated(check.FINDING["kind"]) == words(types.EvidenceKind)
    assert stated(check.GAP["reason"]) == words(types.GapReason)
    assert stated(check.SEAT["family"]) == words(Family)
    assert stated(check.SEAT["role"]) == words(Role)
    assert list(Vote.__members__) == check.VOTES
    assert list(types.Decision.__members__) == check.DECISIONS
    assert list(types.Band.__members__) == check.BANDS
    assert check.CERTIFICATE["type"] == written.TYPE
    assert written.PAYLOAD_TYPE in PROGRAM.read_text()


@pytest.mark.parametrize("name", ["changelog-writer", "invoice-reader", "team-standup", ""])
def test_yes_to_the_examples(name: str) -> None:
    report = scan(ROOT / "examples" / "skills" / name)
    skills = [written.certified(s.verdict, name=s.name, bundle=s.digest) for s in report.skills]
    answer, why = check.check(written.encode(written.document(skills, tool="1.0")))
    assert answer == "yes"
    assert why.startswith(f"{report.decision.name} follows")


def test_yes_to_samples_of_the_rules(tmp_path: Path) -> None:
    decisions = {scan(ROOT / "examples" / "skills" / "changelog-writer").decision}
    for page in sorted((ROOT / "tests" / "rules").glob("*.md"))[::6]:
        place = tmp_path / page.stem
        for file in pages.page(page.stem, page.parent).matches[0].files:
            (place / file.path).parent.mkdir(parents=True, exist_ok=True)
            (place / file.path).write_bytes(file.data)
        (place / "SKILL.md").touch()
        report = scan(place, ScanConfig(disable=("agent-*",)))
        skills = [written.certified(s.verdict, name=s.name, bundle=s.digest) for s in report.skills]
        assert check.check(written.encode(written.document(skills, tool="1")))[0] == "yes", page.stem
        decisions.add(report.decision)
    assert decisions == set(types.Decision)


def test_yes_to_verdicts_with_everything() -> None:
    for seed in range(250):
        assert check.check(samples.certificate(seed)) == ("yes", _expected(seed)), seed


def _expected(*seeds: int) -> str:
    made = [(seed, samples.verdict(seed).decision) for seed in seeds]
    lines = [f"{max(d for _, d in made).name} follows from what is listed"]
    return "\n".join([*lines, *(f"yes: 'skill {s}', {samples.BUNDLE}: {d.name}" for s, d in made)])


def test_several_skills_have_the_strictest_decision() -> None:
    data = samples.certificate(1, 2, 3, 4)
    assert check.check(data) == ("yes", _expected(1, 2, 3, 4))
    value = json.loads(data)
    for milder in check.DECISIONS[: check.DECISIONS.index(value["decision"])]:
        answer, why = check.check(_sealed(value | {"decision": milder}))
        assert answer == "no"
        assert why.startswith(f"{milder} does not follow")


def test_the_same_skill_stands_once() -> None:
    value = json.loads(samples.certificate(1, 2))
    first, second = value["skills"]
    assert check.check(_sealed(value))[0] == "yes"
    for twice in ([first, first], [first, second, first], [first, second | {"name": first["name"]}]):
        strictest = max((s["decision"] for s in twice), key=check.DECISIONS.index)
        answer, why = check.check(_sealed(value | {"skills": twice, "decision": strictest}))
        assert (answer, why) == ("malformed", "ValueError: 'one skill, twice'")
    unread = [skill | {"bundle": "", "docket": "0" * 64} for skill in (first, first | {"day": "2026-06-14"})]
    assert "twice" not in check.check(_sealed(value | {"skills": unread}))[1]
    assert "twice" in check.check(_sealed(value | {"skills": unread[:1] * 2}))[1]


def test_a_copy_of_a_skill_is_certified_once() -> None:
    one, other = (
        written.certified(samples.verdict(seed), name="a", bundle=samples.BUNDLE) for seed in (1, 2)
    )
    assert written.document([one, one], tool="1") == written.document([one], tool="1")
    with pytest.raises(written.CertificateError, match="'a' was scanned twice"):
        written.document([one, other], tool="1")
    unread = [part | {"bundle": ""} for part in (one, other, one)]
    assert written.document(unread, tool="1")["skills"] == unread[:2]


def test_one_person_who_writes_the_name_in_two_ways_is_one() -> None:
    def said(*names: str) -> str:
        verdict = samples.approved(names, needed=2)
        data = written.document([written.certified(verdict, name="a", bundle=samples.BUNDLE)], tool="1")
        assert check.check(written.encode(data))[0] == "yes"
        milder = json.loads(written.encode(data))
        milder["decision"] = milder["skills"][0]["decision"] = "SAFE"
        return check.check(_sealed(milder))[0]

    assert said("mira", "omar") == "yes"
    for same in (" Mira", "MI\u200bRA", "\uff2dira", "mira\ufe0f", "mi\u034fra", "mira\u3164", "mira\u2800"):
        assert said("mira", same) == "no"
    assert said("mira", "") == "no"


@pytest.mark.parametrize(
    "pattern", ["**", "a", "*.sh", "**/b", "a/**/b", "a**/b", "?", "***", "**/**/c", "", "a/*", "*/", "[a]"]
)
def test_its_globs_mean_what_those_of_the_verdict_mean(pattern: str) -> None:
    texts = {
        "".join(Random(n).choices("ab/c.sh[]*?", k=length)) for n in range(150) for length in range(6)
    } | {"a/b", "a/x/b", "b", "x/b", "c", "x.sh", "/"}
    for text in sorted(texts):
        assert check.covers(pattern, text) is compile_glob(pattern).matches(text), text


def test_hostile_patterns_cost_little() -> None:
    assert not check.covers("*a" * 200 + "b", "a" * 400)
    assert not check.covers("**/" * 300 + "**a" * 50 + "b", "a/" * 200)


def test_each_single_change_is_noticed() -> None:
    """A change is damage; one under a new checksum is noticed where it counts, and never changes the decision."""
    survived = set()
    for seed in (4, 7, 13, 31):
        value = json.loads(samples.certificate(seed))
        for path, changed in _changes(value):
            assert check.check(check.spelled(changed))[0] == "malformed", path
            answer, _ = check.check(_sealed(changed))
            if answer == "yes":
                survived.add(re.sub(r"\.\d+", ".*", ".".join(map(str, path))))
                assert changed["decision"] == value["decision"]
    assert survived <= {*HARMLESS, *TAKEN_AT_THEIR_WORD}
    assert survived.issuperset(HARMLESS[:2])


def _changes(value: dict) -> Iterator[tuple[tuple, dict]]:
    for path, leaf in _leaves(value):
        for other in _others(path, leaf):
            changed = json.loads(json.dumps(value))
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = other
            yield path, changed


def _leaves(value: object, path: tuple = ()) -> Iterator[tuple[tuple, object]]:
    if isinstance(value, dict):
        for name, part in value.items():
            if (*path, name) != ("checksum",):
                yield from _leaves(part, (*path, name))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _leaves(part, (*path, at))
    else:
        yield path, value


def _others(path: tuple, leaf: object) -> list[object]:
    """Other values of the same shape, by the tables of the checker."""
    shape: object = check.CERTIFICATE
    for step in path:
        shape = shape[-1] if isinstance(shape, tuple) else shape
        shape = shape[0] if isinstance(step, int) else shape[step]  # type: ignore[index]
    if isinstance(shape, tuple):
        return [at for at in (None, 0, 1) if at != leaf]
    if shape is bool:
        return [not leaf]
    if isinstance(shape, range):
        return [n for n in {leaf - 1, leaf + 1, 0, shape[-1]} if n != leaf and n in shape]  # type: ignore[operator]
    if shape in (check.DAY, check.LAST):
        return [day for day in ("2026-06-14", "2026-06-16", "2030-01-01") if day != leaf]
    if check.HEX in str(shape):
        return ["0" * 64]
    return (
        [f"{leaf}x"]
        if shape in (check.TEXT, check.SOME, check.WORDS)
        else [word for word in str(shape).split("|") if word != leaf]
    )


def _sealed(value: dict) -> bytes:
    """The certificate under a checksum that fits."""
    rest = {name: part for name, part in value.items() if name != "checksum"}
    return check.spelled(rest | {"checksum": hashlib.sha256(check.spelled(rest)).hexdigest()})


def test_never_yes_to_a_milder_decision() -> None:
    """Ten thousand damaged certificates, half of them under a checksum that fits; in ``make test`` the first three thousand."""
    draw = Random(20260615)
    originals = [data for seed in range(60) if len(data := samples.certificate(seed)) < 3200]
    originals.append(samples.certificate(61, 62))
    answers = dict.fromkeys(("yes", "no", "malformed"), 0)
    many = 3_000 if settings.get_current_profile_name() == "some-examples" else 10_000
    for number in range(many):
        data = draw.choice(originals)
        damaged = _damaged(draw, data) if number % 2 else _edited(draw, data)
        answer, why = check.check(damaged)
        answers[answer] += 1
        if answer == "yes":
            before, after = json.loads(data), json.loads(damaged)
            assert why.startswith(before["decision"])
            assert {_decided(s) for s in after["skills"]} <= {_decided(s) for s in before["skills"]}
            assert number % 2 == 0 or damaged == data
    assert min(answers.values()) > 50, answers


def _decided(skill: dict) -> tuple[str, str]:
    return skill["decision"], skill["docket"]


def _damaged(draw: Random, data: bytes) -> bytes:
    """Bytes flipped, cut, doubled, swapped, put in."""
    at, to = sorted((draw.randrange(len(data)), draw.randrange(len(data))))
    insert = draw.choice(
        (b"\xff", b"\x00", b" ", b"\n", b"NaN", b"1e999", b"9" * 5000, b'"\\ud800"', b"[" * 9999)
    )
    return draw.choice(
        (
            data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :],
            data[:at],
            data[:at] + data[to:],
            data[:to] + data[at:],
            data[to:] + data[:to],
            data[:at] + insert + data[at:],
            data.replace(b'"decision":"DO_NOT_INSTALL"', b'"decision":"SAFE"'),
            data.replace(b"{", b'{"decision":"SAFE",', 1),
        )
    )


def _edited(draw: Random, data: bytes) -> bytes:
    """One to three edits of the content, then a checksum that fits."""
    value = json.loads(data)
    for _ in range(draw.choice((1, 1, 2, 3))):
        path, leaf = draw.choice(list(_leaves(value)))
        inner = value
        for step in path[: draw.choice((-1, -1, -1, -2)) if len(path) > 1 else -1]:
            inner = inner[step]
        if isinstance(inner, list) and inner and draw.random() < 0.5:
            draw.choice((inner.pop, inner.reverse, lambda of=inner: of.append(of[0])))()
            continue
        key = path[-1] if inner is not None and isinstance(inner, dict) and path[-1] in inner else None
        if key is None:
            continue
        try:
            options = [*_others(path, leaf), None, 10**30, -1, 0.5, True, "", "SAFE", [], {}]
        except (KeyError, IndexError, TypeError):
            options = [None]
        inner[key] = options[0] if draw.random() < 0.6 else draw.choice(options)
    return _sealed(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]\n",
        b"NaN",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"type":"urn:sluicegate:certificate:1"}\n',
        b'{"payload":5,"payloadType":"application/vnd.sluicegate.certificate+json","signatures":[]}\n',
        b'{"payload":"","payloadType":"x","signatures":[]}\n',
        b"9" * 10_000,
        b'"\\ud800"',
        json.dumps({"a": 1}).encode("utf-16"),
    ],
)
def test_what_is_no_certificate(data: bytes) -> None:
    assert check.check(data)[0] == "malformed"


def test_an_envelope_is_opened_and_its_signature_not_vouched_for() -> None:
    payload = base64.b64encode(samples.certificate(5)).decode()
    whole = {
        "payload": payload,
        "payloadType": written.PAYLOAD_TYPE,
        "signatures": [{"keyid": "", "sig": "c2ln"}],
    }
    answer, why = check.check(check.spelled(whole))
    assert answer == "yes"
    assert "the signature is not checked here" in why
    assert check.check(check.spelled(whole | {"payloadType": "text/plain"}))[0] == "malformed"
    for signatures in ([], 5, None, {}, [5], [{"keyid": ""}], [{"keyid": "", "sig": ""}], [{"sig": "c2ln"}]):
        answer, why = check.check(check.spelled(whole | {"signatures": signatures}))
        assert (answer, "without a signature" in why) == ("malformed", True), signatures


@pytest.mark.parametrize("day", ["2026-02-31", "2025-02-29", "2026-04-31", "2026-00-10", "0000-01-01"])
def test_a_day_is_a_day(day: str) -> None:
    value = json.loads(_all_accepted())
    assert check.check(_sealed(value))[0] == "yes"
    for part in (value["skills"][0], value["skills"][0]["entries"][0]):
        field = "day" if "day" in part else "last_day"
        before, part[field] = part[field], day
        assert check.check(_sealed(value))[0] == "malformed"
        part[field] = before


def _all_accepted(**glob: str) -> bytes:
    """One finding, accepted by a glob; fields of its entry as given, and all else made to fit."""
    found = samples.findings(Random(1))[0]._replace(
        category=types.Category.CUSTOM, rule="r-1", confidence=900
    )
    entry = GlobEntry(rule="r-1", path="**", reason="ours", owner="mira", expires=samples.TODAY)
    verdict = judge(
        [found], [], baseline=Baseline(entries=(entry,)), today=samples.TODAY, bundle=samples.BUNDLE
    )
    data = written.document([written.certified(verdict, name="a", bundle=samples.BUNDLE)], tool="1")
    value = json.loads(written.encode(data))
    value["skills"][0]["entries"][0].update(glob)
    return _sealed(value)


@pytest.mark.parametrize("owner", ["mira", "", " ", "\u00a0\n"])
@pytest.mark.parametrize("path", ["**", "*", "**/*", "SKILL.md", "**/a.sh", ""])
@pytest.mark.parametrize("rule", ["r-1", "r-*", "*", "**", "?-?", ""])
def test_it_takes_no_glob_that_the_scanner_refuses(rule: str, path: str, owner: str) -> None:
    """What the scanner takes and what accepts the finding gets a yes, and nothing else does."""
    answer, why = check.check(_all_accepted(rule=rule, path=path, owner=owner))
    try:
        GlobEntry(rule=rule, path=path, reason="ours", owner=owner, expires=samples.TODAY)
    except ValueError:
        assert answer == ("no" if owner.strip() else "malformed"), why
        return
    where = json.loads(_all_accepted())["skills"][0]["findings"][0]["path"]
    does = compile_glob(rule).matches("r-1") and compile_glob(path).matches(where)
    assert (answer == "yes") is does, why


def _restated(edit: Callable[[dict], None], seed: int | None = None) -> tuple[str, str]:
    """The answer to a certificate after an edit, all that can be computed again stated as it then comes out."""
    value = json.loads(_all_accepted() if seed is None else samples.certificate(seed))
    (skill,) = value["skills"]
    assert check.check(_sealed(value))[0] == "yes"
    edit(skill)
    return check.check(_sealed(_as_computed(value)))


def _as_computed(value: dict) -> dict:
    """A certificate with all that follows from its lists as the checker computes it."""
    (skill,) = value["skills"]
    skill["arithmetic"] |= {k: v for k, v in check.arithmetic(skill).items() if v != "two others"}
    with suppress(ValueError):
        skill["panel"] = skill["panel"] and check.reviewed(skill)
    skill["docket"] = check.docket(skill)
    for ruling in skill["rulings"]["given"]:
        ruling["docket"] = skill["docket"]
    before = [skill["arithmetic"]["before_panel"], skill["panel"]["decision"] if skill["panel"] else "SAFE"]
    skill["arithmetic"]["before_rulings"] = max(before, key=check.DECISIONS.index)
    with suppress(ValueError):
        skill["decision"] = value["decision"] = check.ruled(skill, skill["arithmetic"]["before_rulings"])
    return value


def _entry(**changes: object) -> Callable[[dict], None]:
    return lambda skill: skill["entries"][0].update(changes)


EMPTY = hashlib.sha256(b"").hexdigest()


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": ""},
        {"path": ""},
        {"path": "**", "rule": "*"},
        {"path": "**" + "*" * 1023},
        {"fingerprint": "f1"},
        {"last_day": ""},
        {"of": "exact"},
        {"of": "exact", "fingerprint": "f1"},
        {"of": "gap", "fingerprint": "f1"},
        {"reason": EMPTY},
        {"owner": " "},
    ],
)
def test_an_entry_that_the_scanner_refuses_accepts_nothing(changes: dict) -> None:
    assert _restated(_entry(path="**" + "*" * 1022))[0] == "yes"
    assert _restated(_entry(**changes))[0] != "yes"


def test_an_entry_that_accepts_nothing_is_malformed() -> None:
    def add(skill: dict) -> None:
        entry = {
            "of": "gap",
            "rule": "no reason at all",
            "path": "x",
            "fingerprint": "f",
            "last_day": "2030-01-01",
        }
        skill["entries"].insert(0, skill["entries"][0] | entry)
        skill["findings"][0]["by"] = 1

    answer, why = _restated(add)
    assert (answer, "an entry that accepts nothing" in why) == ("malformed", True)


def _panel(**changes: object) -> Callable[[dict], None]:
    """A SAFE panel of two families with one package about all findings, and these changes."""

    def edit(skill: dict) -> None:
        seats = [
            {"reviewer": name, "family": family, "role": "findings", "vote": "SAFE"}
            for name, family in (("a", "gpt"), ("b", "qwen"))
        ]
        reply = {"package": 0, "attempt": 0, "digest": "0" * 64, "vote": "SAFE"}
        about = sorted({f["fingerprint"] for f in skill["findings"]})
        skill["panel"] = {
            "seats": seats,
            "packages": [{"role": "findings", "about": about}],
            "replies": [reply | {"reviewer": seat["reviewer"]} for seat in seats],
            "complete": True,
            "decision": "SAFE",
            "said": [],
        } | {name: change(seats, about, reply) for name, change in changes.items()}

    return edit


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seats": lambda seats, *_: [seats[0] | {"reviewer": ""}, seats[1]]}, "shape"),
        ({"packages": lambda _, about, *__: [{"role": "findings", "about": about * 2}]}, "twice"),
        (
            {"packages": lambda _, about, *__: [{"role": "findings", "about": [*about, "other"]}]},
            "what there is not",
        ),
        (
            {
                "packages": lambda _, about, *__: [
                    {"role": "findings", "about": about},
                    {"role": "skill", "about": about},
                ]
            },
            "shape",
        ),
        ({"packages": lambda *_: [{"role": "skill", "about": []}]}, "asked nothing"),
        (
            {"replies": lambda seats, _, reply: [reply | {"reviewer": "a", "package": 1}]},
            "what was not asked",
        ),
        ({"replies": lambda seats, _, reply: [reply | {"reviewer": "c"}]}, "what was not asked"),
    ],
)
def test_a_panel_that_the_scanner_refuses_is_malformed(change: dict, why: str) -> None:
    assert _restated(_panel())[0] == "yes"
    answer, said = _restated(_panel(**change))
    assert (answer, why in said) == ("malformed", True), said


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "r-1", "category": "custom", "kind": "words"},
        {"rule": "reviewer-finding", "category": "custom", "kind": "command"},
        {"rule": "reviewer-finding", "category": "malware", "kind": "words"},
    ],
)
def test_only_what_a_reviewer_adds_is_added(changes: dict) -> None:
    """A finding that is said to be added was put before nobody; so it can be only what a reviewer who doubts can add."""
    ours = {
        "rule": "reviewer-finding",
        "category": "custom",
        "kind": "words",
        "added": True,
        "state": "counted",
        "by": None,
    }

    def doubted(seats: list, _: list, reply: dict) -> list:
        return [reply | {"reviewer": "a", "vote": "SUSPICIOUS"}, reply | {"reviewer": "b"}]

    def edit(skill: dict, found: dict, **panel: object) -> None:
        skill["entries"] = []
        skill["findings"][0].update(found)
        _panel(packages=lambda *_: [{"role": "findings", "about": []}], **panel)(skill)

    assert _restated(lambda skill: edit(skill, ours, replies=doubted))[0] == "yes"
    for found, panel in ((ours, {}), (ours | changes, {"replies": doubted}), (ours | changes, {})):
        answer, why = _restated(lambda skill, found=found, panel=panel: edit(skill, found, **panel))
        assert (answer, "no reviewer added" in why) == ("malformed", True)
    answer, _ = _restated(lambda skill: (edit(skill, ours), skill.update(panel=None)))
    assert answer == "malformed"


@pytest.mark.parametrize(
    "change", [{"reason": EMPTY}, {"person": ""}, {"person": "\u3164"}, {"person": " \ufe0f..."}]
)
def test_an_approval_by_nobody_or_for_no_reason_is_malformed(change: dict) -> None:
    def certificate(**changes: object) -> tuple[str, str]:
        made = written.certified(samples.approved(["mira"], needed=1), name="a", bundle=samples.BUNDLE)
        value = json.loads(written.encode(written.document([made], tool="1")))
        value["skills"][0]["rulings"]["given"][0].update(changes)
        return check.check(_sealed(_as_computed(value)))

    assert certificate()[0] == "yes"
    answer, why = certificate(**change)
    assert (answer, "approved by nobody" in why) == ("malformed", True)
    assert certificate(**change, approves=False)[0] == "yes"


def test_a_rejection_is_about_the_content_and_an_approval_about_the_docket() -> None:
    def certificate(**changes: object) -> tuple[str, str]:
        made = written.certified(samples.approved(["mira"], needed=1), name="a", bundle=samples.BUNDLE)
        value = json.loads(written.encode(written.document([made], tool="1")))
        value = _as_computed(value)
        (skill,) = value["skills"]
        skill["rulings"]["given"][0].update({"docket": "0" * 64, "bundle": samples.BUNDLE, **changes})
        blocked = not skill["rulings"]["given"][0]["approves"]
        skill["decision"] = value["decision"] = "DO_NOT_INSTALL" if blocked else "SAFE"
        return check.check(_sealed(value))

    assert certificate(approves=False)[0] == "yes"
    for change in ({}, {"approves": False, "bundle": "f" * 64}, {"approves": False, "bundle": ""}):
        answer, why = certificate(**change)
        assert (answer, "a ruling on something else" in why) == ("malformed", True)


def test_what_reviewers_said_is_there_to_be_read_in_ascii() -> None:
    said = [panel["said"] for seed in range(40) for panel in [_panels(seed)] if panel]
    assert any(row["about"] and row["text"] for rows in said for row in rows)
    assert any(not row["about"] and row["vote"] == "MALICIOUS" for rows in said for row in rows)


def _panels(seed: int) -> dict | None:
    data = samples.certificate(seed)
    assert data.isascii()
    return json.loads(data)["skills"][0]["panel"]


def test_names_from_a_skill_cannot_steer_a_terminal() -> None:
    value = json.loads(samples.certificate(5))
    value["skills"][0]["name"] = "\x1b[2J\u202e\ud800"
    answer, why = check.check(_sealed(value))
    assert answer == "yes"
    assert why.isascii()
    assert all(character.isprintable() or character == "\n" for character in why)


def test_the_program_answers_with_its_exit_code(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        ran = subprocess.run(
            [sys.executable, "-I", "-S", str(PROGRAM), *words], capture_output=True, text=True
        )
        assert not ran.stderr
        return ran.returncode, ran.stdout

    good, bad, huge = tmp_path / "good", tmp_path / "bad", tmp_path / "huge"
    good.write_bytes(samples.certificate(5))
    value = json.loads(samples.certificate(5))
    value["skills"][0]["arithmetic"]["score"] = (value["skills"][0]["arithmetic"]["score"] + 1) % 100
    bad.write_bytes(_sealed(value))
    with huge.open("wb") as file:
        file.truncate(1024**3)
    assert run(str(good)) == (0, f"yes: {_expected(5)}\n")
    code, said = run(str(bad))
    assert code == 1
    assert fnmatchcase(said.splitlines()[2], "    score is *, not *")
    for word in (str(huge), str(tmp_path), str(tmp_path / "missing"), "\udcff"):
        assert run(word)[0] == 2
    assert run()[0] == 2


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no full device here")
@pytest.mark.parametrize("stream", [">/dev/full", ">&-"])
def test_an_answer_that_cannot_be_written_is_none(tmp_path: Path, stream: str) -> None:
    (tmp_path / "good").write_bytes(samples.certificate(5))
    command = f'"{sys.executable}" -I -S "{PROGRAM}" good {stream}'
    ran = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (2, "malformed: the answer cannot be written\n")
    assert subprocess.run(["/bin/sh", "-c", f"{command} 2>/dev/full"], cwd=tmp_path).returncode == 2


def test_a_pipe_that_nobody_writes_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), "fifo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (2, "")
    assert "'fifo' is not a regular file" in ran.stdout
