"""What a first decision does not import: a hook pays for each of these before each call of a tool."""

import subprocess
import sys

import pytest

SLOW = frozenset(
    "dataclasses inspect subprocess shutil tempfile sqlite3 json platformdirs importlib.resources ctypes asyncio logging "
    "cryptography yaml rich click keyring yara_x tree_sitter multiprocessing socket ssl difflib".split()
)
ROOMS = (
    "sluicegate.vet",
    "sluicegate.reach",
    "sluicegate.known.agents",
    "sluicegate.known.hosts",
    "sluicegate.known.names",
    "sluicegate.known.places",
    "sluicegate.known.shell",
    "sluicegate.flow.environments.use",
    "sluicegate.flow.environments.configuration.reading",
    "sluicegate.flow.operations.readers",
    "sluicegate.known.commands.tables",
    "sluicegate.record.files.index",
    "sluicegate.record.signatures.signatures",
    "sluicegate.record.ledger.verifying",
)
PROGRAM = """
import sys
sys.modules["typing_extensions"] = None  # msgspec takes it if it is there, and it takes inspect; sluicegate does not need it
before = set(sys.modules)
from sluicegate.flow import open_here
with open_here() as monitor:
    assert monitor.show("hello").labels is not None
    print("\\n".join(sorted(set(sys.modules) - before)))
"""
DECIDING = """
import sys
sys.modules["typing_extensions"] = None
before = set(sys.modules)
from sluicegate.flow import open_here
with open_here() as monitor:
    session = monitor.session("chat")
    session.heard("look at the issues of acme/site")
    print(monitor.decide("github:list_issues", {"repo": "acme/site"}, session).operation)
    print("\\n".join(sorted(set(sys.modules) - before)))
"""
POLICIES = [
    "",
    '[policy]\ndefaults.rules = ["no-secret-exfil", "no-untrusted-destructive"]\nsources."src:mcp" = "untrusted"\n',
    '[flow]\npolicy = ["development"]\n',
]


@pytest.mark.parametrize(
    ("program", "said", "needed"),
    [(PROGRAM, "hello", set()), (DECIDING, "github:list_issues", {"sqlite3"})],
    ids=["shown", "decided in a session"],
)
@pytest.mark.parametrize("policy", POLICIES, ids=["none", "rules", "development"])
def test_a_first_decision_imports_nothing_that_it_does_not_need(tmp_path, policy, program, said, needed):
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    (project / "sluicegate.toml").write_text(f"{policy or '[flow]'}\n")
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    shown, *modules = done.stdout.splitlines()
    assert shown == said
    assert len(modules) > 50, "this looks at nothing"
    found = {name for name in modules if name in SLOW or name.startswith(ROOMS)}
    assert found == needed
