import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import table
import theorems
from drt import exhaustive, golden
from drt.campaign import KINDS, differs
from drt.cases import Case, from_json, generate, to_json
from drt.properties import broken
from drt.shrink import kept, shrink
from drt.sides import production
from sluicegate.reach.cli.commands.spec import parse, problems, spec, state
from sluicegate.vet.verdict.consensus import Family, Panel, ReviewError, Role, Seat
from sluicegate.vet.verdict.envelope import Package, Reply, review
from sluicegate.vet.verdict.types import Decision

ROOT = Path(__file__).resolve().parents[2]


def test_the_specification_is_complete_and_its_pages_are_current():
    assert table.check() == []


def test_the_proofs_are_recorded():
    assert theorems.problems() == []


MANY = "every_small_reply_keeps_the_findings"


@pytest.mark.parametrize("name", [name for name in exhaustive.CHECKS if name != MANY])
def test_exhaustive(name):
    exhaustive.CHECKS[name]()


def test_small_replies_keep_the_findings():
    """Every 17th of them; ``make verify`` goes through all, which takes longer than all the rest of this module."""
    exhaustive.small_replies_keep_the_findings(each=17)


def test_the_golden_vectors_hold():
    assert list(golden.differences()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_production_is_the_model(kind):
    """The first cases of those that ``make verify`` runs."""
    for number in range(50):
        case = generate(kind, number)
        assert not differs(case), to_json(case)
        assert broken(case) == [], to_json(case)


def test_no_exception_of_a_reply_loses_a_vote():
    """Every kind of exception there is: orders to stop are passed on, and no other one silences anybody."""
    todo, kinds = [BaseException], []
    while todo:
        kinds.append(todo.pop())
        todo += kinds[-1].__subclasses__()
    made = []
    for kind in kinds:
        try:
            value = kind()
        except Exception:  # noqa: BLE001 - one that needs arguments is not asked about
            continue
        made.append(kind)
        package, panel = (
            Package(role=Role.FINDINGS),
            Panel(seats=(Seat("a", Family.GPT), Seat("b", Family.QWEN))),
        )
        replies = [
            Reply(seat=0, package=0, body=value),
            Reply(seat=1, package=0, body=b'{"overall": "malicious"}'),
        ]
        if isinstance(value, Exception):
            assert review([], [package], replies, panel=panel, parts={}).decision is Decision.DO_NOT_INSTALL
        else:
            with pytest.raises(kind):
                review([], [package], replies, panel=panel, parts={})
    assert {ValueError, NotImplementedError, KeyboardInterrupt, MemoryError, ReviewError} <= set(made)


def test_kept_failures_hold():
    for name, case in kept():
        assert not differs(case), name
        assert broken(case) == [], name


def test_a_case_is_the_same_after_json():
    for kind in KINDS:
        for number in range(50):
            line = to_json(generate(kind, number))
            assert to_json(from_json(line)) == line


def test_shrinking_leaves_only_what_fails():
    def fails(case: Case) -> bool:
        return production(case)["alone"]["decision"] == 2

    case = next(c for n in range(100) if fails(c := generate("well-formed", n)) and len(c.findings) > 3)
    small = shrink(case, fails)
    assert fails(small)
    assert len(small.findings) <= 5
    assert small.replies == [] and small.entries == [] and small.gaps == []
    assert small.seats == [] and small.packages == []


def test_the_command_prints_every_behaviour_with_its_state():
    behaviours = parse(table.BEHAVIOURS.read_text(encoding="utf-8"))
    out = CliRunner().invoke(spec, [])
    assert out.exit_code == 0
    assert all(f"\n{one.id} " in out.output for one in behaviours)
    assert "NOT BACKED" not in out.output
    rows = json.loads(CliRunner().invoke(spec, ["--format", "json"]).output)
    assert [row["id"] for row in rows] == [one.id for one in behaviours]
    kinds = {"proven", "proven in part", "exhaustive", "tested", "withdrawn", "out of scope"}
    assert {row["state"].partition(":")[0] for row in rows} <= kinds
    partly = [row for row in rows if row["state"].startswith("proven in part")]
    assert partly
    for row in partly:
        proven = [clause["state"] for clause in row["clauses"]].count("proven")
        assert row["state"] == f"proven in part: {proven} of {len(row['clauses'])} clauses"


def test_the_command_shows_one_in_full():
    out = CliRunner().invoke(spec, ["SC-2"])
    assert "bug-fixed" in out.output
    assert "theorems: score_is_monotone" in out.output
    assert CliRunner().invoke(spec, ["XX-1"]).exit_code == 2


CLAUSES = """
[[behaviour]]
id = "X-1"
stratum = "S1"
statement = "It is so, and so."
where = "here"
ruling = "intended"
reason = "Because."
[[behaviour.clause]]
says = "It is so."
{0}
[[behaviour.clause]]
says = "And so."
{1}
"""
THEOREM, CONTRACT = 'theorems = ["score_range"]', 'contracts = ["score_in_range"]'
TEST = 'tests = ["tests/spec/test_spec.py::test_exhaustive"]'


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        (THEOREM, THEOREM, "proven"),
        (THEOREM, TEST, "proven in part: 1 of 2 clauses"),
        (f"{THEOREM}\n{TEST}", CONTRACT, "proven in part: 1 of 2 clauses"),
        (CONTRACT, CONTRACT, "exhaustive"),
        (CONTRACT, TEST, "tested"),
        (THEOREM, "", "NOT BACKED"),
        (THEOREM, 'theorems = ["score_rage"]', "NOT BACKED"),
    ],
)
def test_a_behaviour_is_proven_only_where_each_of_its_clauses_is(first, second, held):
    (one,) = parse(CLAUSES.format(first, second))
    assert state(one, ROOT) == held
    assert [clause.says for clause in one.clauses] == ["It is so.", "And so."]


def test_a_clause_without_backing_is_told():
    assert problems(parse(CLAUSES.format(THEOREM, "")), ROOT) == ["X-1: nothing backs it: And so."]
    for wrong in ('says = ""', "[behaviour.backing]", 'other = ["x"]'):
        with pytest.raises(ValueError, match="X-1: "):
            parse(CLAUSES.format(THEOREM, "").replace('says = "And so."', wrong))
    with pytest.raises(ValueError, match="not both"):
        parse(CLAUSES.format(THEOREM, THEOREM) + "[behaviour.backing]\n")


def test_clauses_are_shown_with_the_state_of_each():
    out = CliRunner().invoke(spec, ["LF-1"])
    assert "  state:   proven in part: 2 of 3 clauses" in out.output
    assert "  clause:  One that all reviewers deny is marked unconfirmed.\n    state: tested\n" in out.output
    page = (ROOT / "docs/spec.md").read_text(encoding="utf-8")
    assert "2. *tested*: One that all reviewers deny is marked unconfirmed." in page


def test_what_is_missing_is_told(tmp_path):
    text = table.BEHAVIOURS.read_text(encoding="utf-8")
    found = problems(
        parse(text.replace('"score_range"', '"score_rage"').replace('ruling = "intended"', 'ruling = ""', 1)),
        ROOT,
    )
    assert found == ["SC-1: no ruling with a reason", "SC-1: there is no score_rage"]
    nothing = problems(parse(text), tmp_path)
    assert any("there is no" in line for line in nothing)
    with pytest.raises(ValueError, match="missing"):
        parse('[[behaviour]]\nid = "X"')


def test_the_model_imports_nothing_of_production():
    script = "import sys; sys.path.insert(0, 'spec'); import model.verdict, model.envelope; print([m for m in sys.modules if m.startswith('sluicegate')])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
