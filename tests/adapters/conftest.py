"""A project with a policy, its monitor, and tools that remember what was done. `make adapters` installs the frameworks."""

from contextlib import ExitStack

import pytest
from adapter_samples import Bank

from sluicegate.flow import open_here
from sluicegate.reach.adapters.tool_calls import ToolCalls

POLICY = """
[sources]
"src:mcp" = "untrusted"

[arguments."bank:pay"]
to = { known = true }
amount = { max = 100 }
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    (root / "agent.toml").write_text(POLICY)
    (root / "sluicegate.toml").write_text('[flow]\npolicy = ["agent.toml"]\n')
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home/state"))
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def stack():
    """What a test enters, and what is left after it."""
    with ExitStack() as found:
        yield found


@pytest.fixture
def monitor(project):
    with open_here() as found:
        yield found


@pytest.fixture
def calls(monitor):
    return ToolCalls(monitor, "chat", server="bank")


@pytest.fixture
def bank():
    return Bank()
