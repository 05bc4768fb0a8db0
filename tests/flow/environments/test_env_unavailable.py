"""When a sandbox cannot be made: an error that says why and what to do, and never something weaker instead."""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from env_support import Runs, needs_bubblewrap

import sluicegate
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable
from sluicegate.flow.environments.providers.bubblewrap import BubblewrapProvider
from sluicegate.flow.environments.run.command import Command, Stage


def test_bubblewrap_is_missing(tmp_path: Path):
    provider = BubblewrapProvider({}, places=str(tmp_path))
    with pytest.raises(ProviderUnavailable, match="not installed") as caught:
        provider.create(read_environment({}, base=tmp_path))
    assert "apt install bubblewrap" in caught.value.hint
    assert "without isolation" in caught.value.hint


def test_bubblewrap_is_too_old(tmp_path: Path):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho '--args FD --perms OCTAL'\n")
    (tmp_path / "bwrap").chmod(0o755)
    provider = BubblewrapProvider({}, places=str(tmp_path))
    with pytest.raises(
        ProviderUnavailable, match="too old: it lacks --bind-fd, --disable-userns, --size"
    ) as caught:
        provider.create(read_environment({}, base=tmp_path))
    assert "0.10" in caught.value.hint


def test_the_users_own_search_path_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "bwrap").write_text("#!/bin/sh\ntouch $0.ran\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with contextlib.suppress(ProviderUnavailable):
        assert BubblewrapProvider({}).program() != str(tmp_path / "bwrap")
    assert not (tmp_path / "bwrap.ran").exists()


INNER = """
import sys
from pathlib import Path
from sluicegate.flow.environments.providers.bubblewrap import BubblewrapProvider
from sluicegate.flow.environments.run.command import Command, Stage
from sluicegate.flow.environments.configuration.reading import read_environment
provider = BubblewrapProvider({})
session = provider.create(read_environment({}, base=Path("/")))
try:
    print(provider.execute(session, Command(stages=(Stage(argv=("echo", "it ran")),))))
except Exception as error:
    print(type(error).__name__, error.diagnostics())
"""


@needs_bubblewrap
def test_namespaces_are_forbidden(sandbox: Runs):
    """In the sandbox itself they are: no sandbox can be made there, and nothing runs."""
    source = str(Path(sluicegate.__file__).parents[1])
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    code = f"import sys; sys.path[:0] = {[source, *libraries]!r}\n{INNER}"
    said = sandbox.says(code, fs={"read": sorted({source, *libraries})})
    assert said.startswith("ProviderUnavailable bubblewrap could not make the sandbox: ")
    assert "forbids user namespaces" in said
    assert "it ran" not in said


@needs_bubblewrap
def test_a_sandbox_without_a_program_of_its_own_says_what_bubblewrap_said(tmp_path: Path, sandbox: Runs):
    """A root that disappears between configuration and use."""
    (tmp_path / "gone").mkdir()
    provider = sandbox.provider()
    session = provider.create(read_environment({"fs": {"read": ["gone"]}}, base=tmp_path))
    (tmp_path / "gone").rmdir()
    with pytest.raises(EnvironmentConfigError, match="is gone"):
        provider.execute(session, Command(stages=(Stage(argv=("true",)),)))


@pytest.mark.parametrize(
    ("config", "message", "hint"),
    [
        ({"net": {"allow": ["x.org"]}}, "cannot hold a list of hosts", "policy names"),
        ({"image": "x"}, "no images", "container"),
        ({"snapshots": True}, "nothing keeps snapshots here", "project"),
    ],
)
def test_what_a_sandbox_cannot_hold_is_refused(tmp_path: Path, config, message: str, hint: str):
    with pytest.raises(EnvironmentConfigError, match=message) as caught:
        BubblewrapProvider({}).create(read_environment(config, base=tmp_path))
    assert hint in caught.value.hint


def test_importing_the_rooms_costs_little():
    """What a command line imports before it knows that anything will run."""
    code = "import sys, sluicegate.flow.environments; print(sorted(m for m in sys.modules if 'environments.' in m or m in ('msgspec', 'ctypes')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
