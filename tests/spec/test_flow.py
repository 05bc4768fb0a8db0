"""Flow: production is the reference model and the proven functions, and the checks can fail."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as within
from hypothesis import strategies as st

from drt import coverage as core
from drt.flow import (
    campaign,
    cases,
    coverage,
    environments,
    exhaustive,
    golden,
    guards,
    operations,
    oracle,
    programs,
    properties,
    settings,
    sides,
    spellings,
    words,
)
from model import flow as model
from model.spelling import plain
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.text.load import from_tree

ROOT = Path(__file__).resolve().parents[2]
SETS = st.frozensets(st.sampled_from(words.LABELS), max_size=6)


@pytest.mark.parametrize("name", exhaustive.CHECKS)
def test_exhaustive(name):
    exhaustive.CHECKS[name]()


def test_the_golden_vectors_hold():
    assert golden.differences() == []


@pytest.mark.parametrize("kind", ["ordinary", "hostile"])
def test_production_is_the_model(kind):
    """The first cases of those that ``make verify`` runs."""
    for number in range(40):
        case = cases.generate(kind, number)
        assert campaign.wrong(case) == [], cases.to_json(case)


@given(SETS, SETS, SETS)
@within(max_examples=300, deadline=None)
def test_joins_are_the_models_and_keep_its_laws(one, other, third):
    a, b, c = (Labels.of(*each) for each in (one, other, third))
    assert frozenset((a | b).names()) == model.join(one, other)
    assert frozenset(Labels.join_all((a, b, c)).names()) == model.join(one, other, third)
    assert (a | b) | c is a | (b | c) and a | b is b | a and a | a is a


@pytest.mark.parametrize("key", ["allow", "danger", "deny"])
@pytest.mark.parametrize("program", ["curl", "wget"])
@pytest.mark.parametrize("methods", [(), ("GET",), ("PUT", "POST"), ("get", "HEAD")], ids="-".join)
def test_lists_of_methods_mean_what_they_mean_in_the_model(key, program, methods):
    """Few generated policies have them together with an operation whose method matters."""
    lists = {"allow": ["cmd", "network"], "danger": ["network"]} | {
        key: [{"cmd": {program: {"methods": methods}}}]
    }
    asked = [
        [name, []] for name, op in operations.ALL.items() if op.command and op.command.program == program
    ]
    case = cases.FlowCase([{"capabilities": lists}], asked)
    assert sides.production(case) == sides.modelled(case)


@given(SETS, st.sampled_from(sorted(operations.ALL)), st.integers(0, 5000), st.booleans())
@within(max_examples=200, deadline=None)
def test_any_value_is_decided_as_the_model_does(labels, name, number, hostile):
    policies = cases.generate("hostile" if hostile else "ordinary", number).policies
    case = cases.FlowCase(policies, [[name, sorted(labels)]])
    assert sides.production(case) == sides.modelled(case)


@given(st.lists(SETS, min_size=2, max_size=8), st.integers(0, 5000), st.booleans())
@within(max_examples=150, deadline=None)
def test_what_a_layer_makes_of_a_taint_does_not_depend_on_those_before(seen, number, hostile):
    """Facts are kept by the labels that matter; a label wrongly held not to matter would show here."""
    policies = cases.generate("hostile" if hostile else "ordinary", number).policies
    for at, layer in enumerate(sides.layers(policies).layers):
        for names in seen:
            alone = sides.layers(policies).layers[at]
            assert layer.facts(Labels.of(*names)) == alone.facts(Labels.of(*names))


def test_guards_are_the_models():
    for number in range(800):
        case = guards.generate(number)
        assert guards.production(case) == guards.modelled(case), case


def test_environments_are_the_models():
    for number in range(800):
        case = environments.generate(number)
        assert environments.production(case) == environments.modelled(case), case


def test_what_is_opened_inside_of_an_environment_is_the_models():
    cases = [*map(environments.generate, range(400)), *map(environments.generate_roots, range(1200))]
    opened = [environments.opened(case) for case in cases]
    assert 300 < sum(each is not None for each in opened) < 1300
    for case, found in zip(cases, opened, strict=True):
        assert found == environments.opened_in_model(case), case


def test_what_layers_bound_and_give_is_the_models():
    for number in range(300):
        case = settings.generate(number)
        assert settings.production(case) == settings.modelled(case), case


def test_secrets_do_not_show():
    for number in range(150):
        case = programs.generate(number)
        assert programs.broken(case) == [], case


def test_a_program_that_forgets_the_arm_not_taken_is_noticed(monkeypatch):
    """What an arm that was not taken may have written tells of the condition; unlabelled, secrets show."""
    monkeypatch.setattr(programs, "writes", lambda program: set())
    broken = {name for number in range(60) for name in programs.broken(programs.generate(number))}
    assert "what does not carry a label does not depend on it" in broken


def test_generated_policies_are_accepted_by_the_loader():
    for kind in ("ordinary", "hostile", "settings"):
        for number in range(40):
            for policy in campaign.generate(kind, number).policies:
                tree = {key: value for key, value in policy.items() if key != "project"}
                if tree:
                    from_tree(tree, name="generated")


def test_every_field_and_word_is_generated():
    assert coverage.unreached(campaign.generate_all(130)) == []


@cache
def _unreached(*kinds):
    """What the first cases of some kinds leave out, as they are."""
    return coverage.unreached([campaign.generate(kind, number) for kind in kinds for number in range(200)])


@pytest.mark.parametrize(
    ("room", "name", "shorter", "missing"),
    [
        (cases, "RULES", words.RULES[:-1], f"rule is on was never {words.RULES[-1]}"),
        (
            cases,
            "OPERATIONS",
            {name: operations.ALL[name] for name in ("status", "show", "rm")},
            "asked kind was never sign",
        ),
        (cases, "RISKS", ("exfil", "destructive", "exfil"), "risk given was never privileged"),
        (cases, "TRUSTS", ("trusted",), "Defaults.unlabeled was never untrusted"),
        (guards, "ACTIONS", guards.ACTIONS[:-2], "guard action was never UseEnvironment"),
        (settings, "CONFLICTS", ("warn",), "Defaults.trustconflict was never silent"),
        (spellings, "METHODS", ("GET", "PUT", "HEAD"), "method was never POST"),
    ],
)
def test_a_word_that_is_not_generated_is_missed(monkeypatch, room, name, shorter, missing):
    kinds = {guards: ["guards"], settings: ["settings"]}.get(room, ["ordinary", "hostile"])
    assert missing not in _unreached(*kinds)
    monkeypatch.setattr(room, name, shorter)
    generated = [campaign.generate(kind, number) for kind in kinds for number in range(200)]
    assert missing in coverage.unreached(generated)


def test_what_is_left_out_must_be_out_of_reach():
    universe, reached = {("a", "1"), ("a", "2"), ("b", "1")}, [{("a", "1")}, {("b", "1")}]
    assert core.unreached(reached, universe) == ["a was never 2"]
    assert core.unreached(reached, universe, without={("a", "2"): "why"}) == []
    said = core.unreached(reached, universe, without={("a", "1"): "why", ("c", "1"): "why"})
    assert said == ["a was never 2", "a was 1, and is left out", "c is left out as 1, and is never"]


def test_a_universe_is_read_from_the_types():
    found = core.universe(environments.EnvironmentConfig)
    assert ("EnvironmentConfig.net", "AllowedHosts") in found and ("CommandLimits.mem", "int") in found
    assert ("EnvironmentConfig.snapshots", "True") in found and (
        "EnvironmentConfig.snapshots",
        "False",
    ) not in found
    assert core.pairs(environments.EnvironmentConfig()) == set()


def test_dangers_are_those_of_production():
    """The operations made of the danger table run into the entries that the model says, and no others."""
    found = sides.layers([{"capabilities": {}}])
    for name, op in operations.DANGERS.items():
        hits = found.prepare(sides.request(name)).hits
        said = {frozenset(part for part in hit.listed.entry.parts[1:] if part[:1] == "-") for hit in hits}
        expected = {options for category, _, options in op.hits if category == "cmd"}
        assert bool(hits) and (not expected or expected <= said), name


def test_a_case_is_the_same_after_json():
    for kind in ("ordinary", "hostile"):
        for number in range(30):
            line = cases.to_json(cases.generate(kind, number))
            assert cases.to_json(cases.from_json(line)) == line


def test_kept_failures_hold():
    names = []
    for name, case in campaign.kept():
        assert campaign.wrong(case) == [], name
        names.append(name)
    assert names


def test_a_failure_is_shrunk_kept_and_run_again(tmp_path, monkeypatch):
    def denied(case):
        return ["a layer denies"] if any(sides.production(case)["decisions"]) else []

    monkeypatch.setattr(campaign, "FAILURES", tmp_path / "failures")
    monkeypatch.setattr(campaign, "wrong", denied)
    number = next(n for n in range(20) if denied(cases.generate("ordinary", n)))
    kept = campaign._keep("ordinary", number, "a layer denies", oracle=None)
    assert kept.path.startswith(str(tmp_path))
    ((_, case),) = campaign.kept()
    assert denied(case)
    assert len(case.questions) == 1 and len(case.policies) == 1


def test_a_wrong_kernel_is_noticed(monkeypatch):
    """A tie that allows, and a layer that forgets its allow lists, differ from the model on generated cases."""
    found = cases.generate("ordinary", 0)
    assert campaign.wrong(found) == []
    for name, instead in (
        ("overrides", lambda dl, dt, al, at: al >= dl and at >= dt),
        ("closes", lambda stance: False),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(kernels, name, instead)
            assert any(campaign.wrong(cases.generate("ordinary", number)) for number in range(60)), name


def test_the_oracle_is_asked_what_the_case_says():
    case = cases.generate("ordinary", 3)
    lines, answers = oracle.encode(case), oracle.answers_of_production(case)
    assert len(lines) == len(answers)
    assert all(line.startswith(("D ", "J ")) for line in lines)


def test_marks_are_what_entry_gives():
    """What enters from a distrusted place is marked, so the properties of marked values are about real ones."""
    for number in range(60):
        policies = [plain(each) for each in cases.generate("ordinary", number).policies]
        for path in filter(None, words.PATHS):
            folders = path.split("/")[1:-1]
            labels = {f"dir:/{'/'.join(folders[: at + 1])}" for at in range(len(folders))} | {"src:file"}
            taken = model.entry_labels(policies, "src:file", path)
            for policy in policies:
                trusts = model.place(policy, path, directory=False) == model.TRUSTED
                if any(True for _ in model.globs(policy)) and not trusts:
                    assert properties.marked([policy], sorted(labels | taken)), (policy, path)


def test_the_model_imports_nothing_of_production():
    script = (
        "import sys; sys.path.insert(0, 'spec'); import model.flow, model.grants, model.programs, model.settings, model.spelling;"
        " print([m for m in sys.modules if m.startswith('sluicegate')])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
