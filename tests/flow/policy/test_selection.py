"""Parts of a policy: only these, or all but those."""

import pytest

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.policy.text.selection import select

from .asking import DANGERS, PLACE, denied

WHOLE = from_tree(
    {
        "sources": {"src:mcp": "untrusted"},
        "operations": {"net:w": "exfil"},
        "labels": {"secret": {"deny": ["op:show"]}},
        "capabilities": {
            "allow": {
                "cmd": ["git:*", {"npm": ["ci"]}, {"curl": {"methods": ["GET"]}}],
                "fs": {"read": ["src/**"]},
            },
            "deny": ["sh", "cmd:git:push"],
            "danger": ["@keychain"],
        },
    },
    name="company",
)


def layer(**parts) -> Layers:
    return Layers([select(WHOLE, **parts)], place=PLACE, dangers=DANGERS)


def test_only_some_parts():
    found = select(WHOLE, only=("sources", "operations")).policy
    assert found.sources == WHOLE.policy.sources
    assert found.operations == WHOLE.policy.operations
    assert found.capabilities is None
    assert found.labels == {}


def test_all_but_some_parts():
    found = layer(leave_out=("deny", "labels"))
    assert not denied(found, "cmd:git push")
    assert not denied(found, "show", "secret")
    assert denied(found, "cmd:ls")
    assert denied(layer(), "cmd:git push")


def test_one_category_of_a_list():
    found = layer(only=("allow.cmd",))
    assert not denied(found, "cmd:npm ci")
    assert denied(found, "cmd:npm test")
    assert denied(found, "read:src/a")
    assert not denied(found, "cmd:curl https://a.b")
    assert denied(found, "cmd:curl -X DELETE https://a.b")
    without = layer(leave_out=("allow.cmd", "capabilities.deny.cmd"))
    assert denied(without, "cmd:git status")
    assert not denied(without, "read:src/a")


@pytest.mark.parametrize("name", ["alow", "allow.cmd.git.x", "labels.secret", "", "capabilities.alow"])
def test_parts_that_there_are_not(name):
    with pytest.raises(PolicyError, match="not part"):
        select(WHOLE, only=(name,))
