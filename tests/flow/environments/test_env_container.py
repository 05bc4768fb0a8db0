"""Containers, by what the engine is asked.

Few machines of these tests have an engine (``test_env_podman`` asks a real one). So a small script stands in the engine's place; it notes every argument, every variable and every environment file that it gets,
and answers as told. Everything on our side of it is real.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from sluicegate.flow.denial import Denied
from sluicegate.flow.environments.configuration.reading import read_change, read_environment
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable
from sluicegate.flow.environments.providers.container import ContainerProvider
from sluicegate.flow.environments.run.command import Command, Limit, Stage
from sluicegate.flow.environments.use import Providers, derived, environment, execute, snapshot
from sluicegate.flow.errors import EnvironmentFailure

ENGINE = """#!{python} -IS
import json, os, sys
home = {home!r}
words = sys.argv[1:]
note = {{"argv": words, "environ": dict(os.environ)}}
if "--env-file" in words:
    note["variables"] = open(words[words.index("--env-file") + 1], "rb").read().decode()
with open(home + "/notes", "a") as file:
    file.write(json.dumps(note) + "\\n")
try:
    told = json.load(open(home + "/told")).get(words[0] if words[0] != "container" else "inspect", {{}})
except FileNotFoundError:
    told = {{}}
if words[0] == "top":
    told = told or {{"out": "PID COMMAND\\n1 sleep\\n"}}
if words[0] == "container":
    told = told or {{"code": 1}}
if words[0] == "exec" and "--interactive" in words:
    sys.stdout.buffer.write(sys.stdin.buffer.read())
if told.get("sleep"):
    import time
    time.sleep(told["sleep"])
sys.stdout.write(told.get("out", ""))
sys.stderr.write(told.get("err", ""))
sys.exit(told.get("code", 0))
"""


class Engine:
    """The script, what it noted, and the provider that uses it."""

    def __init__(self, home: Path, kind: str = "podman") -> None:
        self.home, self.kind = home, kind
        home.mkdir()
        (home / kind).write_text(ENGINE.format(python=os.path.realpath(sys.executable), home=str(home)))
        (home / kind).chmod(0o755)
        self.environ = {"HOME": "/home/me", "SECRET": "of-the-host", "XDG_RUNTIME_DIR": "/run/user/1"}

    def provider(self, protection: Protection | None = None) -> ContainerProvider:
        return ContainerProvider("container", self.environ, protection or Protection(), places=str(self.home))

    def tell(self, **answers: Any) -> None:
        (self.home / "told").write_text(json.dumps(answers))

    def notes(self) -> list[dict[str, Any]]:
        path = self.home / "notes"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def asked(self) -> list[str]:
        return [note["argv"][0] for note in self.notes()]


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path / "engine")


def read(base: Path, **data: Any):
    return read_environment({"provider": "container", "image": "debian:12", **data}, base=base)


def run(engine: Engine, config, *stages: Stage, stdin: bytes | None = None):
    providers = Providers(by_name={"container": engine.provider()})
    with environment(config, providers) as session:
        return execute(session, Command(stages=stages, stdin=stdin))


def test_the_narrowest_container_is_asked_for(engine: Engine, tmp_path: Path):
    for name in ("r", "w"):
        (tmp_path / name).mkdir()
    limits = {"mem": "512m", "cpu": 1.25, "processes": 9, "file": "1m", "time": "60s"}
    config = read(tmp_path, fs={"read": ["r:/r"], "write": ["w:/w", "/tmp"]}, limits=limits)
    provider = engine.provider()
    session = provider.create(config)
    (note,) = engine.notes()
    label = note["argv"][note["argv"].index("--label") + 1]
    assert label.startswith("sluicegate.config=")
    assert note["argv"] == [
        "run", "--detach", "--name", session.id, "--label", label, "--pull", "never", "--network", "none",
        "--stop-signal", "SIGKILL", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--hostname", "sandbox", "--read-only",
        "--ulimit", "core=0", "--memory", "536870912b", "--memory-swap", "536870912b", "--cpus", "1.250",
        "--pids-limit", "9", "--ulimit", "fsize=1048576", "--tmpfs", "/tmp:rw,nosuid,nodev,size=268435456",
        "--volume", f"{tmp_path}/r:/r:ro", "--volume", f"{tmp_path}/w:/w:rw",
        "--entrypoint", "sleep", "debian:12", "infinity",
    ]  # fmt: skip
    provider.release(session)
    assert engine.notes()[-1]["argv"] == ["rm", "--force", "--volumes", session.id]


def test_the_client_gets_what_it_needs_of_our_environment(engine: Engine, tmp_path: Path):
    engine.provider().create(read(tmp_path))
    environ = engine.notes()[0]["environ"]
    assert environ == {"PATH": str(engine.home), "HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1"} | {
        name: environ[name] for name in environ if name.startswith("LC_")
    }


def test_values_stand_in_no_argument(engine: Engine, tmp_path: Path):
    stage = Stage(argv=("npm", "test"), vars={"A": "a-value"}, secrets={"KEY": b"k= e'y\""}, cwd="/w")
    run(engine, read(tmp_path, vars=["SECRET"]), stage)
    (note,) = [n for n in engine.notes() if n["argv"][0] == "exec"]
    assert note["argv"][1:3] == ["--workdir", "/w"]
    assert note["argv"][-2:] == ["npm", "test"]
    assert "-value" not in str(note["argv"])
    assert "KEY" not in str(note["argv"])
    assert note["variables"].splitlines()[2:] == [
        "SECRET=of-the-host",
        "A=a-value",
        "KEY=k= e'y\"",
        "CDPATH=",
    ]
    assert "KEY" not in note["environ"]


@pytest.mark.parametrize("value", [b"two\nlines", b"\r", b"\xff", b"x" * 70_000])
def test_a_value_that_cannot_be_handed_over_is_refused_and_not_shown(
    engine: Engine, tmp_path: Path, value: bytes
):
    with pytest.raises(EnvironmentFailure, match="variable KEY cannot be handed") as caught:
        run(engine, read(tmp_path), Stage(argv=("x",), secrets={"KEY": value}))
    assert value.decode("latin-1")[:9] not in caught.value.diagnostics()
    assert "exec" not in engine.asked()
    assert engine.asked()[-1] == "rm"


def test_a_pipeline_of_clients(engine: Engine, tmp_path: Path):
    done = run(engine, read(tmp_path), Stage(argv=("a",)), Stage(argv=("b",)), stdin=b"through")
    assert (done.stdout, done.codes) == (b"through", (0, 0))
    assert engine.asked() == ["run", "exec", "exec", "top", "rm"]


def test_what_a_command_leaves_running_is_ended(engine: Engine, tmp_path: Path):
    engine.tell(top={"out": "PID COMMAND\n1 sleep\n7 daemon\n"})
    run(engine, read(tmp_path), Stage(argv=("a",)))
    assert engine.asked() == ["run", "exec", "top", "restart", "rm"]


def test_a_limit_of_time_ends_it_in_the_container_too(engine: Engine, tmp_path: Path):
    engine.tell(exec={"sleep": 60})
    done = run(engine, read(tmp_path, limits={"time": "400ms"}), Stage(argv=("a",)))
    assert done.killed_for is Limit.TIME
    # On a machine out of breath the time is up before the script has noted that it was asked.
    assert [word for word in engine.asked() if word != "exec"] == ["run", "restart", "rm"]


def test_a_failure_half_way_leaves_no_container(engine: Engine, tmp_path: Path):
    engine.tell(run={"code": 125, "err": "Error: \x1b[31mno such image\n"})
    with pytest.raises(EnvironmentFailure, match="could not be made: Error:  \\[31mno such image") as caught:
        run(engine, read(tmp_path), Stage(argv=("a",)))
    assert "podman info" in caught.value.hint
    assert engine.asked() == ["run", "rm"]


def test_a_named_container_is_found_again_if_it_is_the_same(engine: Engine, tmp_path: Path):
    config = read(tmp_path, name="build")
    provider = engine.provider()
    session = provider.create(config)
    assert (session.id, session.created) == ("sluicegate-build", True)
    label = next(w for w in engine.notes()[-1]["argv"] if w.startswith("sluicegate.config=")).partition("=")[
        2
    ]
    engine.tell(inspect={"out": label + "\n"})
    again = engine.provider().create(config)
    assert (again.id, again.created) == ("sluicegate-build", False)
    assert engine.asked()[-1] == "start"
    with pytest.raises(EnvironmentConfigError, match="another configuration") as caught:
        engine.provider().create(read(tmp_path, name="build", net="host"))
    assert "rm --force sluicegate-build" in caught.value.hint


def test_docker_runs_as_this_user(tmp_path: Path):
    engine = Engine(tmp_path / "docker", "docker")
    engine.provider().create(read(tmp_path))
    argv = engine.notes()[0]["argv"]
    assert argv[argv.index("--user") + 1] == f"{os.getuid()}:{os.getgid()}"


def test_our_state_is_hidden(engine: Engine, tmp_path: Path):
    (tmp_path / "home/project/.sluicegate").mkdir(parents=True)
    (tmp_path / "home/project/sluicegate.toml").write_text("")
    project = tmp_path / "home" / "project"
    protection = Protection(hidden=(project / ".sluicegate",), fixed=(project / "sluicegate.toml",))
    engine.provider(protection).create(read(tmp_path, fs={"write": ["home:/h"]}))
    argv = engine.notes()[0]["argv"]
    volumes = [argv[at + 1] for at, word in enumerate(argv) if word == "--volume"]
    assert volumes == [
        f"{tmp_path}/home:/h:rw", f"{project}:/h/project:rw", f"{project}/sluicegate.toml:/h/project/sluicegate.toml:ro",
    ]  # fmt: skip
    assert "/h/project/.sluicegate:ro,nosuid,nodev,noexec,size=4096,mode=0000,notmpcopyup" in argv
    (project / "sluicegate.toml").unlink()
    with pytest.raises(EnvironmentConfigError, match="let a command make it"):
        engine.provider(protection).create(read(tmp_path, fs={"write": ["home:/h"]}))


def test_snapshots(engine: Engine, tmp_path: Path):
    providers = Providers(by_name={"container": engine.provider()})
    with environment(read(tmp_path, snapshots=True), providers) as session:
        assert "--read-only" not in engine.notes()[0]["argv"]
        assert snapshot(session, "after-install") == "sluicegate/after-install"
        assert engine.notes()[-1]["argv"] == ["commit", session.id, "sluicegate/after-install"]
        for name in ("--all", "A", "a/b", "", "a" * 200):
            with pytest.raises(EnvironmentConfigError, match="cannot name a snapshot"):
                snapshot(session, name)
    with (
        environment(read(tmp_path), providers) as session,
        pytest.raises(EnvironmentConfigError, match="takes no"),
    ):
        snapshot(session, "x")
    engine.provider().create(
        read_environment({"provider": "container", "from": "sluicegate/a"}, base=tmp_path)
    )
    assert engine.notes()[-1]["argv"][-2:] == ["sluicegate/a", "infinity"]


def test_a_child_shares_the_container_unless_its_walls_are_narrower(engine: Engine, tmp_path: Path):
    providers = Providers(by_name={"container": engine.provider()})
    parent = read(tmp_path, fs={"write": [".:/w"]}, net="host", vars=["SECRET"])
    with environment(parent, providers) as session:
        shared = read_change(parent, {"name": "a", "vars": [], "tools": []}, base=tmp_path)
        with derived(session, shared) as inner:
            assert inner.id == session.id
            execute(inner, Command(stages=(Stage(argv=("x",)),)))
            assert "SECRET" not in engine.notes()[-2]["variables"]
        own = read_change(parent, {"name": "b", "net": "none"}, base=tmp_path)
        with derived(session, own) as inner:
            assert inner.id != session.id
        assert engine.asked()[-1] == "rm"
        with pytest.raises(Denied), derived(session, read_change(parent, {"image": "other"}, base=tmp_path)):
            pass
    assert [n["argv"][-1] for n in engine.notes() if n["argv"][0] == "rm"] == [inner.id, session.id]


def test_no_engine_is_installed(tmp_path: Path):
    with pytest.raises(ProviderUnavailable, match="podman and docker") as caught:
        ContainerProvider("container", {}, places=str(tmp_path)).create(read(tmp_path))
    assert "bubblewrap" in caught.value.hint
    with pytest.raises(ProviderUnavailable, match="looked for docker"):
        ContainerProvider("docker", {}, places=str(tmp_path)).create(read(tmp_path))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"image": "", "provider": "container"}, "image"),
        ({"net": {"allow": ["x.org"]}}, "list of hosts"),
        ({"fs": {"read": [".:/"]}}, "no root can stand"),
        ({"fs": {"read": [".:/proc/x"]}}, "no root can stand"),
    ],
)
def test_what_a_container_cannot_hold_is_refused(engine: Engine, tmp_path: Path, data, message: str):
    with pytest.raises(EnvironmentConfigError, match=message):
        engine.provider().create(read(tmp_path, **data))
    assert engine.asked() == []


def test_a_container_needs_an_image(engine: Engine, tmp_path: Path):
    with pytest.raises(EnvironmentConfigError, match="needs an image"):
        engine.provider().create(read_environment({"provider": "container"}, base=tmp_path))
