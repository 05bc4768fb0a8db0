"""What the guide shows is what is accepted."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from sluicegate.flow.policy.questions.table import Table
from sluicegate.flow.policy.rules.danger import dangers
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.policy.text.vocabulary import BUILTIN_RULES, INFLUENCE_RULE
from sluicegate.flow.project import FlowSection

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "policy.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_is_accepted(block):
    tree = tomllib.loads(block)
    if "flow" in tree:
        msgspec.convert(tree.pop("flow"), FlowSection)
        tree = tree["policy"]
    if "expect" in tree:
        msgspec.convert(tree, Table)
    else:
        from_tree(tree, name="guide")


def test_the_guide_names_every_rule_and_about_as_many_dangers_as_there_are():
    for rule in (*BUILTIN_RULES, INFLUENCE_RULE):
        assert f"`{rule}`" in GUIDE
    assert len(BLOCKS) >= 6
    said = int(re.search(r"refuses some (\d+) dangerous patterns", GUIDE)[1])
    assert abs(said - len(dangers())) <= 25
