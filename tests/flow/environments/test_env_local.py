"""The local provider: what it refuses, and what Landlock holds when roots are given."""

import os
import socket
from pathlib import Path

import pytest
from env_support import Runs, needs_landlock

from sluicegate.flow.denial import Denied
from sluicegate.flow.environments.configuration.reading import read_change, read_environment
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable
from sluicegate.flow.environments.launch import landlock
from sluicegate.flow.environments.run.command import Command, Stage
from sluicegate.flow.environments.use import Providers, derived, environment, execute, snapshot


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"net": "none"}, "cannot hold net = none"),
        ({"net": {"allow": ["x.org"]}}, "cannot hold net = allow"),
        ({"image": "x"}, "no images"),
        ({"from": "x"}, "no images"),
        ({"snapshots": True}, "no snapshots"),
        ({"fs": {"read": [".:/app"]}}, "cannot show"),
        ({"fs": {"write": ["."], "read": ["sub"]}}, "cannot keep"),
        ({"fs": {"read": ["."]}}, "cannot hide"),
    ],
)
def test_what_cannot_be_held_is_refused(local: Runs, tmp_path: Path, config, message: str):
    (tmp_path / "sub" / ".sluicegate").mkdir(parents=True)
    local.protection = Protection(hidden=(tmp_path / "sub" / ".sluicegate",))
    with pytest.raises(EnvironmentConfigError, match=message) as caught:
        local("true", **config)
    assert "bubblewrap" in caught.value.hint or "container" in caught.value.hint


def test_without_landlock_roots_are_refused(local: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(landlock, "version", lambda: 2)
    with pytest.raises(ProviderUnavailable, match="no Landlock"):
        local("true", fs={"read": ["."]})


@needs_landlock
def test_roots_are_held_by_landlock(local: Runs, tmp_path: Path):
    for name in ("read", "write", "outside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    code = """
import os, sys
base = sys.argv[1]
def attempt(name, act):
    try:
        act()
        print(name)
    except OSError:
        pass
for place in ("read", "write", "outside"):
    attempt(f"{place} read", lambda: open(f"{base}/{place}/file").read())
    attempt(f"{place} list", lambda: os.listdir(f"{base}/{place}"))
    attempt(f"{place} empty", lambda: os.truncate(f"{base}/{place}/file", 0))
    attempt(f"{place} make", lambda: open(f"{base}/{place}/new", "w"))
    attempt(f"{place} link", lambda: os.link(f"{base}/outside/file", f"{base}/{place}/linked"))
    attempt(f"{place} remove", lambda: os.unlink(f"{base}/{place}/file"))
attempt("home", lambda: os.listdir(os.path.expanduser("~")))
attempt("environ", lambda: open(f"/proc/{os.getppid()}/environ").read())
attempt("signal", lambda: os.kill(int(sys.argv[2]), 0))
attempt("guardian", lambda: os.kill(os.getppid(), 0))
attempt("temporary", lambda: open(os.environ["TMPDIR"] + "/x", "w"))
attempt("shared temporary", lambda: open("/tmp/sluicegate-x", "w"))
"""
    files = {"read": ["read"], "write": ["write"]}
    said = local.says(code, str(tmp_path), str(os.getpid()), fs=files).splitlines()
    allowed = {
        "read read",
        "read list",
        "write read",
        "write list",
        "write empty",
        "write make",
        "write remove",
        "temporary",
    }
    assert set(said) == allowed
    assert (tmp_path / "outside" / "file").read_text() == (tmp_path / "outside").name


@needs_landlock
def test_the_temporary_folder_goes_with_the_session(local: Runs, tmp_path: Path):
    (tmp_path / "w").mkdir()
    folder = Path(local.says("import os; print(os.environ['TMPDIR'])", fs={"write": ["w"]}))
    assert folder.name.startswith("sluicegate-")
    assert not folder.exists()


@needs_landlock
def test_abstract_sockets_are_out_of_reach_with_roots(local: Runs, tmp_path: Path):
    name = f"sluicegate-local-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        code = (
            "import socket, sys\ns = socket.socket(socket.AF_UNIX)\nprint(s.connect_ex(chr(0) + sys.argv[1]))"
        )
        assert local.says(code, name) == "0"
        assert local.says(code, name, fs={"read": ["."]}) == "1"


def test_set_user_id_gains_nothing(local: Runs):
    assert b"NoNewPrivs:\t1" in local("cat", "/proc/self/status").stdout


@needs_landlock
def test_with_roots_root_has_no_capability(local: Runs):
    status = local("cat", "/proc/self/status", fs={"read": ["."]}).stdout.decode()
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {int(facts[f"Cap{kind}"], 16) for kind in ("Prm", "Eff", "Bnd")} == {0} or os.geteuid() != 0


def test_there_is_no_terminal(local: Runs):
    done = local("sh", "-c", "exec 3</dev/tty")
    assert done.codes != (0,)


def test_a_derived_environment_is_held_to_its_narrower_grants(tmp_path: Path):
    (tmp_path / "w").mkdir()
    providers = Providers.of({"A": "a", "B": "b"}, Protection())
    parent = read_environment({"provider": "local", "name": "p", "vars": ["A", "B"]}, base=tmp_path)
    child = read_change(parent, {"name": "c", "vars": ["A"], "limits": {"output": "3"}}, base=tmp_path)
    command = Command(stages=(Stage(argv=("sh", "-c", "echo $A$B")),))
    with environment(parent, providers) as session:
        assert execute(session, command).stdout == b"ab\n"
        with derived(session, child) as inner:
            assert inner.id == session.id
            assert execute(inner, command).stdout == b"a\n"
            with pytest.raises(Denied, match="wider"), derived(inner, parent):
                pass


def test_a_provider_without_snapshots_says_so(tmp_path: Path):
    providers = Providers.of({}, Protection())
    config = read_environment({"provider": "local"}, base=tmp_path)
    with (
        environment(config, providers) as session,
        pytest.raises(EnvironmentConfigError, match="no snapshots"),
    ):
        snapshot(session, "x")


def test_an_unknown_provider_is_an_error_that_names_the_known_ones(tmp_path: Path):
    providers = Providers.of({}, Protection())
    config = read_environment({"provider": "cloud"}, base=tmp_path)
    with (
        pytest.raises(EnvironmentConfigError, match="no provider 'cloud'") as caught,
        environment(config, providers),
    ):
        pass
    assert "bubblewrap, container, docker, local, podman" in caught.value.hint


def test_a_provider_of_others_cannot_take_a_name(local: Runs):
    with pytest.raises(EnvironmentConfigError, match="a provider 'local' already"):
        Providers.of({}, Protection(), local.provider())
