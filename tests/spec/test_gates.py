"""The gates cannot be walked around: each situation here was one that passed."""

import hashlib
import textwrap

import pytest

import backing
import outcomes
import register
import verify
from sluicegate.reach.cli.commands.spec import parse

SUITE = """
import pytest

def test_passes():
    assert len("a") == 1

@pytest.mark.skip
def test_skipped():
    assert len("a") == 1

@pytest.mark.xfail
def test_expected_to_fail():
    assert len("a") == 2

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.skip)])
def test_one_case_is_skipped(n):
    assert n == 1

@pytest.mark.parametrize("n", [])
def test_no_case(n):
    assert n == 1

def test_fails():
    assert len("a") == 2

def test_deselected():
    assert len("a") == 1
"""
CONFTEST = """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.name != "test_deselected"]
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """A suite of its own, with a test for every way to end."""
    root = tmp_path_factory.mktemp("suite")
    (root / "tests").mkdir()
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "tests/test_x.py").write_text(SUITE)
    (root / "tests/conftest.py").write_text(CONFTEST)
    return root


@pytest.fixture(autouse=True, scope="module")
def no_plugins():
    """What a process of its own loads says nothing here, and costs half of its time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


def test_a_test_that_passes_is_all_that_counts(suite):
    assert outcomes.problems(["tests/test_x.py::test_passes"], suite) == []


NOT_PASSED = {
    "test_skipped": "tests/test_x.py::test_skipped was skipped",
    "test_expected_to_fail": "tests/test_x.py::test_expected_to_fail was expected to fail",
    "test_one_case_is_skipped": "tests/test_x.py::test_one_case_is_skipped[2] was skipped",
    "test_no_case": "tests/test_x.py::test_no_case[NOTSET] was skipped",
    "test_fails": "tests/test_x.py::test_fails was failed",
    "test_deselected": "tests/test_x.py::test_deselected did not run",
}


def named_in(said):
    return [line for line in said if line.startswith("tests/test_x.py::")]


def test_a_test_that_does_not_pass_is_named(suite):
    named = [f"tests/test_x.py::{name}" for name in (*NOT_PASSED, "test_passes")]
    assert named_in(outcomes.problems(named, suite)) == [*NOT_PASSED.values()]


@pytest.mark.parametrize("name", ["test_skipped", "test_expected_to_fail", "test_deselected"])
def test_pytest_itself_may_be_content(suite, name):
    """Its exit code says that nothing failed, and the test is named all the same."""
    said = outcomes.problems([f"tests/test_x.py::{name}", "tests/test_x.py::test_passes"], suite)
    assert named_in(said) == [NOT_PASSED[name]]
    assert not any("1 failed" in line for line in said)


def test_a_test_that_is_gone_is_named(suite):
    said = outcomes.problems(["tests/test_x.py::test_deleted", "tests/test_x.py::test_passes"], suite)
    assert said[0] == "tests/test_x.py::test_deleted did not run"


def test_options_from_outside_deselect_nothing(suite, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    assert outcomes.problems(["tests/test_x.py::test_passes"], suite) == []


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "assert True",
        "assert 1 == 1",
        "assert (made(), 'made')",
        "value = made()",
        "return\n    assert made()",
        "if False:\n        assert made()",
        "def inner():\n        assert made()",
        "helper()",
        "assert made() or True",
        "assert always()",
        "x = made()\n    assert x == x",
        "x = made()\n    assert x.name == x.name",
        "for one in []:\n        assert one",
        "with suppress(AssertionError):\n        assert made()",
        "try:\n        assert made()\n    except AssertionError:\n        pass",
    ],
)
def test_a_test_that_asserts_nothing_is_told(tmp_path, body):
    write(tmp_path, "tests/test_x.py", suite_with(body))
    assert backing.empty("tests", "tests/test_x.py::test_it", tmp_path) == "asserts nothing"


@pytest.mark.parametrize(
    "body",
    [
        "assert made()",
        "assert made() == 3",
        "with pytest.raises(ValueError):\n        made()",
        "for one in made():\n        assert one",
        "try:\n        made()\n    except ValueError:\n        assert made()",
        "checks(made())",
        "def inner():\n        assert made()\n    inner()",
        "raise AssertionError(made())",
        "match made():\n        case 1:\n            assert made()",
    ],
)
def test_a_test_that_asserts_something_is_not(tmp_path, body):
    write(tmp_path, "tests/test_x.py", suite_with(body))
    assert backing.empty("tests", "tests/test_x.py::test_it", tmp_path) == ""


def test_a_function_of_spec_that_asserts_counts(tmp_path):
    write(tmp_path, "spec/drt/checks.py", "def holds(x):\n    assert x\n\ndef nothing(x):\n    pass\n")
    source = "from drt.checks import holds, nothing\n\ndef test_a():\n    holds(3)\n\ndef test_b():\n    nothing(3)\n"
    write(tmp_path, "tests/test_x.py", source)
    assert backing.empty("tests", "tests/test_x.py::test_a", tmp_path) == ""
    assert backing.empty("tests", "tests/test_x.py::test_b", tmp_path) == "asserts nothing"


@pytest.mark.parametrize(
    ("kind", "name", "path", "source", "why"),
    [
        ("exhaustive", "every_x", "spec/drt/exhaustive.py", "def every_x() -> None:\n    {}\n", "pass"),
        (
            "exhaustive",
            "every_x",
            "spec/drt/flow/exhaustive.py",
            "def every_x() -> None:\n    {}\n",
            "list([1])",
        ),
        ("properties", "survival", "spec/drt/properties.py", "CHECKS = {{'survival': {}}}\n", "True"),
        ("properties", "p", "spec/drt/flow/properties.py", "CHECKS = {{'p': {}}}\n", "not False"),
        (
            "properties",
            "p",
            "spec/drt/flow/programs.py",
            "CHECKS = {{'p': {}}}\n",
            "all(True for x in range(3))",
        ),
        (
            "properties",
            "p",
            "spec/drt/properties.py",
            "def f():\n    return True\n\nCHECKS = {{'p': {}}}\n",
            "f()",
        ),
        (
            "differential",
            "alone",
            "spec/drt/sides.py",
            "def one():\n    return {{'alone': {}}}\n",
            "[1, 'a']",
        ),
        (
            "contracts",
            "c",
            "spec/contracts.py",
            'def c(x):\n    """\n    post: _\n    """\n    return {}\n',
            "True",
        ),
        (
            "contracts",
            "c",
            "spec/contracts.py",
            'def c(x):\n    """\n    post: {}\n    """\n    return x\n',
            "True",
        ),
        (
            "contracts",
            "c",
            "spec/contracts.py",
            'def c(x):\n    """\n    pre: x\n    """\n    return {}\n',
            "x",
        ),
    ],
)
def test_backing_that_cannot_fail_is_told(tmp_path, kind, name, path, source, why):
    write(tmp_path, path, source.format(why))
    assert backing.empty(kind, name, tmp_path)
    text = BEHAVIOUR + f'[behaviour.backing]\n{kind} = ["{name}"]\n'
    assert backing.problems(parse(text), tmp_path)[0].startswith(f"X-1: {name} ")


@pytest.mark.parametrize(
    ("kind", "path", "source"),
    [
        ("properties", "spec/drt/properties.py", "CHECKS = {'x': a == b}\n"),
        ("properties", "spec/drt/properties.py", "def f(a):\n    return a > 3\n\nCHECKS = {'x': f(a)}\n"),
        ("differential", "spec/drt/sides.py", "def one():\n    return {'x': (judge(), 3)}\n"),
        ("contracts", "spec/contracts.py", 'def x(y):\n    """\n    post: _\n    """\n    return y > 3\n'),
        ("theorems", "spec/coq/proven.toml", ""),
    ],
)
def test_backing_that_can_fail_is_not(tmp_path, kind, path, source):
    write(tmp_path, path, source)
    assert backing.empty(kind, "x", tmp_path) == ""


def test_every_backing_here_could_fail():
    assert verify.backed() == []


BEHAVIOUR = '[[behaviour]]\nid = "X-1"\nstratum = "S1"\nstatement = "It."\nwhere = "a"\nruling = "intended"\nreason = "b"\n'


@pytest.fixture
def registered(tmp_path, monkeypatch):
    """A repository of its own with one behaviour, one file of vectors and one kept failure, all registered."""
    write(tmp_path, "spec/behaviours.toml", BEHAVIOUR)
    write(tmp_path, "spec/golden/vectors.jsonl", "{}\n{}\n{}\n")
    write(tmp_path, "spec/drt/failures/000-a.json", "{}\n")
    monkeypatch.setattr(register, "ROOT", tmp_path)
    monkeypatch.setattr(register, "REGISTER", tmp_path / "spec/register.toml")
    monkeypatch.setattr(register, "BEHAVIOURS", tmp_path / "spec/behaviours.toml")
    monkeypatch.setattr(register, "GOLDEN", (tmp_path / "spec/golden/vectors.jsonl",))
    monkeypatch.setattr(register, "KEPT", (tmp_path / "spec/drt/failures",))
    register.write_golden()
    register.write()
    return tmp_path


def test_the_register_is_complete():
    assert register.problems() == []


def test_what_is_registered_and_there_is_no_problem(registered):
    assert register.problems() == []
    before = (registered / "spec/register.toml").read_text()
    register.write()
    assert (registered / "spec/register.toml").read_text() == before


def test_a_behaviour_that_is_gone_is_told_even_after_writing(registered):
    write(registered, "spec/behaviours.toml", BEHAVIOUR.replace("X-1", "X-2"))
    register.write()
    (told,) = register.problems()
    assert told.startswith("X-1 was ruled once and is gone") and "'withdrawn'" in told


def test_a_new_behaviour_has_to_be_registered(registered):
    write(registered, "spec/behaviours.toml", BEHAVIOUR + BEHAVIOUR.replace("X-1", "X-2"))
    assert register.problems() == ["X-2 is not registered as it is: run python spec/register.py --write"]


CLAUSES = """
[[behaviour.clause]]
says = "One."
theorems = ["one", "two"]
[[behaviour.clause]]
says = "Two."
tests = ["tests/test_x.py::test_y"]
"""


@pytest.fixture
def backed(registered):
    """The same with two clauses, three theorems and tests, and a test of three cases."""
    write(
        registered,
        "tests/test_x.py",
        "import pytest\n@pytest.mark.parametrize('a', [1, 2, 3])\ndef test_y(a):\n    assert a\n",
    )
    write(registered, "spec/behaviours.toml", BEHAVIOUR + CLAUSES)
    register.write()
    assert register.problems() == []
    return registered


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (CLAUSES.partition('\n[[behaviour.clause]]\nsays = "Two')[2], "", "X-1 has 1 clauses, and had 2"),
        ('["one", "two"]', '["one"]', "X-1 was backed by theorems: two, and is no longer"),
        (
            'tests = ["tests/test_x.py::test_y"]',
            'theorems = ["three"]',
            "X-1 was backed by tests: tests/test_x.py",
        ),
        ('"intended"', '"withdrawn"', "X-1 is withdrawn for the reason for which it was ruled"),
    ],
)
def test_what_a_behaviour_loses_is_told_even_after_writing(backed, old, new, said):
    text = BEHAVIOUR + CLAUSES
    if not new:
        text = text[: text.index('[[behaviour.clause]]\nsays = "Two')]
    write(backed, "spec/behaviours.toml", text.replace(old, new) if new else text)
    assert any(one.startswith(said) for one in register.problems())
    register.write()
    assert any(one.startswith(said) for one in register.problems())


def test_a_withdrawn_behaviour_with_a_reason_of_its_own_may_lose_what_backs_it(backed):
    text = BEHAVIOUR.replace('"intended"', '"withdrawn"').replace('reason = "b"', 'reason = "c"')
    write(backed, "spec/behaviours.toml", text)
    assert register.problems() == []


def test_a_named_test_with_fewer_cases_is_told(backed):
    name = "tests/test_x.py::test_y"
    assert register.read().cases == {name: 3}
    assert outcomes.problems([name], backed, fewest=register.read().cases) == []
    path = backed / "tests/test_x.py"
    path.write_text(path.read_text().replace("[1, 2, 3]", "[1]"))
    assert outcomes.problems([name], backed, fewest={name: 3})[0] == f"{name} has 1 cases, and had 3"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "is missing"),
        ("", "holds 0 golden vectors, at least 3 are needed"),
        ("{}\n{}\n", "holds 2 golden vectors, at least 3 are needed"),
        ("{}\n{}\n[]\n", "is not as it was recorded"),
    ],
)
def test_golden_vectors_that_are_gone_are_told(registered, content, said):
    path = registered / "spec/golden/vectors.jsonl"
    path.unlink()
    if content is not None:
        path.write_text(content)
    assert register.problems()[0].startswith("spec/golden/vectors.jsonl") and said in register.problems()[0]


def test_writing_fewer_golden_vectors_does_not_lower_what_is_needed(registered):
    (registered / "spec/golden/vectors.jsonl").write_text("{}\n")
    register.write_golden()
    assert register.problems() == ["spec/golden/vectors.jsonl holds 1 golden vectors, at least 3 are needed"]


def test_a_kept_failure_that_is_gone_is_told_even_after_writing(registered):
    path = registered / "spec/drt/failures/000-a.json"
    path.write_text("[]")
    register.write()
    assert register.problems() == ["spec/drt/failures/000-a.json is a kept failure and has changed"]
    path.unlink()
    register.write()
    assert register.problems() == ["spec/drt/failures/000-a.json is a kept failure and is missing"]


def test_a_missing_register_is_told(registered):
    (registered / "spec/register.toml").unlink()
    assert register.problems() == ["spec/register.toml is missing: run python spec/register.py --write"]


def test_the_register_says_what_is_there():
    for path, vectors in register.read().golden.items():
        data = (register.ROOT / path).read_bytes()
        assert vectors.at_least >= 100
        assert vectors.sha256 == hashlib.sha256(data).hexdigest()


def test_a_step_that_cannot_run_has_failed(capsys):
    def step():
        raise FileNotFoundError("vectors.jsonl")

    assert not verify._passes("the golden vectors hold", step)
    assert "FileNotFoundError: vectors.jsonl" in capsys.readouterr().out


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def suite_with(body):
    return (
        textwrap.dedent(
            """
            import pytest

            def made():
                return input()

            def always():
                return True

            def helper():
                made()

            def checks(x):
                assert x

            def test_it():
                """
        ).rstrip()
        + f"\n    {body}\n"
    )
