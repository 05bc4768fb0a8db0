"""What ``policy check`` remarks on: ways that a policy leaves open."""

import pytest

from sluicegate.flow.policy.text.check import remarks
from sluicegate.flow.policy.text.load import from_tree


def _remarked(tree):
    return [".".join(map(str, problem.path)) for problem in remarks(from_tree(tree, name="p").policy)]


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ({"src:exec": "trusted", "src:mcp": "untrusted"}, True),
        ({"src:exec": "trusted"}, False),
        ({"src:mcp": "untrusted"}, False),
        ({"src:exec": "untrusted", "src:mcp": "untrusted"}, False),
    ],
)
def test_a_policy_that_washes_what_is_untrusted_is_told_so(sources, said):
    assert ("sources.src:exec" in _remarked({"sources": sources})) is said
