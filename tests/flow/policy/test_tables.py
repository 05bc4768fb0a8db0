"""Tables of expected decisions: those of the standard policies and the examples hold, and a wrong one is told."""

from pathlib import Path

import pytest

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.policy.questions.sketch import RefusedCommand
from sluicegate.flow.policy.questions.table import read_table, run, word_for
from sluicegate.flow.policy.text.load import STANDARD, load

HERE = Path(__file__).parent / "tables"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "policies"
TABLES = [*sorted(HERE.glob("*.toml")), *sorted(EXAMPLES.glob("*.decisions.toml"))]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_every_decision_is_as_expected(path):
    outcomes = run(read_table(path), directory=path.parent)
    assert [(each.line, each.differences) for each in outcomes if each.differences] == []


def test_every_standard_policy_has_a_table_with_both_decisions():
    for name in STANDARD:
        found = {each.decision for each in read_table(HERE / f"{name}.toml").table.expect}
        assert found >= {"allow", "deny"}


def test_every_example_has_a_table_that_is_its_own():
    policies = [
        path
        for path in EXAMPLES.iterdir()
        if path.suffix in (".toml", ".yaml", ".json") and ".decisions." not in path.name
    ]
    assert len(policies) >= 3
    for path in policies:
        table = read_table(EXAMPLES / f"{path.stem}.decisions.toml").table
        assert table.policy[0] == path.name
        load(path.name, base=EXAMPLES)


def made(tmp_path, text):
    (tmp_path / "t.toml").write_text(text)
    return read_table(tmp_path / "t.toml")


ROW = '[[expect]]\noperation = "{}"\ndecision = "{}"\n{}\n'


def test_differences_are_told(tmp_path):
    text = 'policy = ["production"]\n' + "".join([
        ROW.format("cmd:ls", "deny", ""),
        ROW.format("cmd:rm x", "allow", ""),
        ROW.format("cmd:rm x", "deny", 'rule = "labels"'),
        ROW.format("cmd:rm x", "deny", 'code = "GUARD_DENIED"'),
        ROW.format("cmd:rm x", "deny", 'layer = "mine"'),
        ROW.format("cmd:ls", "allow", 'rule = "x"'),
        ROW.format("cmd:{x} y", "deny", ""),
        ROW.format("cmd:ls", "allow", ""),
    ])  # fmt: skip
    outcomes = run(made(tmp_path, text), directory=tmp_path)
    assert [bool(each.differences) for each in outcomes] == [True] * 7 + [False]
    assert outcomes[0].differences == ("expected deny, got allow",)
    assert outcomes[1].line == 6
    assert isinstance(outcomes[6].decision, RefusedCommand)
    assert [word_for(each.decision) for each in outcomes[5:]] == ["allow", "refuse", "allow"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expect"),
        ('policy = ["production"]\nexpect = []\n', "expects nothing"),
        (ROW.format("cmd:ls", "maybe", ""), "maybe"),
        (ROW.format("cmd:ls", "allow", 'lables = ["x"]'), "Did you mean labels"),
        ('policy = ["prod"]\n' + ROW.format("cmd:ls", "allow", ""), "no standard policy"),
        (ROW.format("cmd:ls", "allow", ""), "names no policy"),
        ('policy = ["sandbox"]\n' + ROW.format("cdm:ls", "allow", ""), "no operation 'cdm'"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'labels = ["a b"]'), "not a label"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'labels = ["secrte"]'), "Did you mean secret?"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'labels = ["src:mpc"]'), "Did you mean src:mcp?"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'labels = ["op:cmd"]'), "Write it in operation_labels"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'operation_labels = ["exfl"]'), "Did you mean exfil?"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'paths = ["x"]'), "not a file"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "allow", 'hosts = ["a b"]'), "no host"),
        ('policy = ["sandbox"]\n' + ROW.format("mcp:a b", "allow", ""), "not a label"),
        ('policy = ["sandbox"]\n' + ROW.format("cmd:ls", "deny", 'code = "POLICY_DENIED"'), "no code"),
    ],
)  # fmt: skip
def test_tables_that_mean_nothing(tmp_path, text, said):
    with pytest.raises(PolicyError) as caught:
        run(made(tmp_path, text), directory=tmp_path)
    assert said in caught.value.diagnostics()


def test_labels_of_its_own_are_those_that_its_policies_name(tmp_path):
    policy = (
        'vocabulary.labels = ["team"]\nvocabulary.operations = ["ships"]\nlabels.secret.deny = ["exfil"]\n'
    )
    (tmp_path / "own.toml").write_text(policy)
    words = 'labels = ["team:red", "secret:aws", "dir:/tmp"]\noperation_labels = ["ships:fast", "exfil"]'
    outcomes = run(
        made(tmp_path, 'policy = ["own.toml"]\n' + ROW.format("mcp:a:b", "deny", words)), directory=tmp_path
    )
    assert [each.differences for each in outcomes] == [()]


def test_policies_of_the_caller_take_the_place_of_the_tables_own(tmp_path):
    found = made(tmp_path, 'policy = ["production"]\n' + ROW.format("cmd:git status", "deny", ""))
    outcomes = run(found, documents=[load("sandbox", base=tmp_path)], directory=tmp_path)
    assert not outcomes[0].differences
