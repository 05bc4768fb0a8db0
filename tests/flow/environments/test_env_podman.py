"""Containers of a real engine, where podman is: from an image that is made here, of a static busybox alone.

Without privileges, as podman is meant to be used; root gives them up for it. Elsewhere these tests are skipped, and say why.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_env_changes import begun, settled

from sluicegate.flow.environments.changes.watched import Watched, tells_all
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.providers.container import ContainerProvider
from sluicegate.flow.environments.run.command import Command, Completed, Limit, Stage

IMAGE = "localhost/sluicegate-test:1"
TOOLS = ("sh", "sleep", "cat", "ls", "touch", "echo", "env", "id", "mkdir", "mv", "ln", "rm", "ps", "kill")
USER = 65534
FLAGS = (
    "run --rm --pull never --network none --cap-drop ALL --read-only --ulimit core=0 --tmpfs /tmp:rw".split()
)


class Podman:
    """An engine with a store of its own, and a folder that its commands can be given."""

    def __init__(self, base: Path) -> None:
        self.base, self.folder = base, base / "project"
        for name in ("home", "run", "graph", "project", "bin"):
            (base / name).mkdir()
        runtime = 'runtime = "runc"\n' if shutil.which("runc") else ""
        (base / "storage.conf").write_text(
            f'[storage]\ndriver = "vfs"\ngraphroot = "{base}/graph"\nrunroot = "{base}/run"\n'
        )
        (base / "containers.conf").write_text(
            f'[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n{runtime}'
        )
        program = shutil.which("podman")
        drop = f"setpriv --reuid {USER} --regid {USER} --clear-groups " if os.geteuid() == 0 else ""
        (base / "bin" / "podman").write_text(
            f'#!/bin/sh\nPATH=/usr/sbin:/usr/bin:/sbin:/bin; cd {base}; exec {drop}{program} "$@"\n'
        )
        (base / "bin" / "podman").chmod(0o755)
        self.environ = {
            "HOME": f"{base}/home",
            "XDG_RUNTIME_DIR": f"{base}/run",
            "CONTAINERS_STORAGE_CONF": f"{base}/storage.conf",
            "CONTAINERS_CONF": f"{base}/containers.conf",
            "GRANTED": "of the host",
            "KEPT": "not for it",
        }
        self.open_up()

    def open_up(self) -> None:
        """Give everything to the one who runs the containers."""
        if os.geteuid() == 0:
            for path in (self.base, *self.base.rglob("*")):
                os.chown(path, USER, USER, follow_symlinks=False)

    def ask(self, *words: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        program = str(self.base / "bin" / "podman")
        return subprocess.run(
            [program, *words], input=stdin, env=self.environ, capture_output=True, check=False, timeout=120
        )

    def provider(self, protection: Protection | None = None) -> ContainerProvider:
        return ContainerProvider(
            "podman", self.environ, protection or Protection(), places=str(self.base / "bin")
        )

    def run(
        self, *argv: str, stdin: bytes | None = None, hidden: Protection | None = None, **config: Any
    ) -> Completed:
        data = {"provider": "podman", "image": IMAGE, **config}
        provider = self.provider(hidden)
        session = provider.create(read_environment(data, base=self.folder))
        try:
            return provider.execute(session, Command(stages=(Stage(argv=argv),), stdin=stdin))
        finally:
            provider.release(session)


def made(podman: Podman) -> str:
    """Make the image and try it; why that does not go, or nothing."""
    busybox = shutil.which("busybox")
    if busybox is None:
        return "there is no busybox to make an image of"
    root = podman.base / "root"
    (root / "bin").mkdir(parents=True)
    shutil.copy(busybox, root / "bin" / "busybox")
    for name in TOOLS:
        (root / "bin" / name).symlink_to("busybox")
    packed = subprocess.run(
        ["tar", "--owner=0", "--group=0", "-C", str(root), "-c", "."], capture_output=True, check=True
    )
    podman.ask("import", "-", IMAGE, stdin=packed.stdout)
    tried = podman.ask(*FLAGS, IMAGE, "/bin/echo", "well")
    return "" if tried.stdout == b"well\n" else f"podman cannot run here: {tried.stderr.decode()[-300:]}"


@pytest.fixture(scope="module")
def podman() -> Iterator[Podman]:
    if shutil.which("podman") is None:
        pytest.skip("podman is not installed")
    base = Path(tempfile.mkdtemp(prefix="sg-podman-"))  # not below a folder that is root's alone
    engine = Podman(base)
    try:
        if why := made(engine):
            pytest.skip(why)
        yield engine
    finally:
        engine.ask("rm", "--all", "--force")
        engine.ask("system", "migrate")  # ends the process that holds its namespaces
        shutil.rmtree(base, ignore_errors=True)


def test_a_command_runs_with_what_it_was_given(podman: Podman):
    done = podman.run("sh", "-c", "cat; env; exit 3", stdin=b"through\n", vars=["GRANTED"])
    assert done.codes == (3,)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "through"
    assert "GRANTED=of the host" in lines
    assert not any("KEPT" in line or "CONTAINERS" in line for line in lines)


def test_roots_and_what_is_ours_in_them(podman: Podman):
    for name in ("r", "w", "w/state", "other"):
        (podman.folder / name).mkdir()
    for name in ("r/a", "w/a", "w/state/key", "w/fixed.toml", "other/a"):
        (podman.folder / name).write_text(name)
    podman.open_up()
    ours = Protection(hidden=(podman.folder / "w" / "state",), fixed=(podman.folder / "w" / "fixed.toml",))
    words = (
        "cat /r/a /w/a /w/fixed.toml; echo; echo x >/r/b; echo x >/w/b; echo x >/w/fixed.toml; rm -f /w/fixed.toml; "
        "cat /w/state/key; ls /w/state; mv /w/state /w/moved; echo x >/new; ls /other"
    )
    done = podman.run("sh", "-c", words, hidden=ours, fs={"read": ["r:/r"], "write": ["w:/w"]})
    assert done.stdout == b"r/aw/aw/fixed.toml\n"
    assert sorted(os.listdir(podman.folder / "w")) == ["a", "b", "fixed.toml", "state"]
    assert (podman.folder / "w" / "fixed.toml").read_text() == "w/fixed.toml"
    assert (podman.folder / "w" / "state" / "key").read_text() == "w/state/key"
    assert os.listdir(podman.folder / "r") == ["a"]


def test_there_is_no_network_and_no_privilege(podman: Podman):
    done = podman.run("sh", "-c", "cat /proc/net/dev /proc/self/status")
    lines = done.stdout.decode().splitlines()
    assert [line.split(":")[0].strip() for line in lines[2:] if line.startswith((" ", "eth"))] == ["lo"]
    status = dict(line.split(":", 1) for line in lines if line.startswith(("Cap", "NoNew")))
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert status["NoNewPrivs"].strip() == "1"


def test_what_is_left_running_is_ended(podman: Podman):
    provider = podman.provider()
    session = provider.create(read_environment({"provider": "podman", "image": IMAGE}, base=podman.folder))
    try:
        leave = Stage(argv=("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo left"))
        assert provider.execute(session, Command(stages=(leave,))).stdout == b"left\n"
        done = provider.execute(session, Command(stages=(Stage(argv=("ps",)),)))
        assert b"1000" not in done.stdout
    finally:
        provider.release(session)
    assert session.id not in podman.ask("ps", "--all").stdout.decode()


def test_a_limit_of_time(podman: Podman):
    done = podman.run("sleep", "1000", limits={"time": "2s"})
    assert done.killed_for is Limit.TIME


def test_a_snapshot_is_run(podman: Podman):
    provider = podman.provider()
    config = read_environment({"provider": "podman", "image": IMAGE, "snapshots": True}, base=podman.folder)
    session = provider.create(config)
    try:
        provider.execute(session, Command(stages=(Stage(argv=("sh", "-c", "echo kept >/kept")),)))
        reference = provider.snapshot(session, "after")
    finally:
        provider.release(session)
    config = read_environment({"provider": "podman", "from": reference}, base=podman.folder)
    session = provider.create(config)
    try:
        done = provider.execute(session, Command(stages=(Stage(argv=("cat", "/kept")),)))
    finally:
        provider.release(session)
    assert done.stdout == b"kept\n"


def test_what_it_changed_is_found(podman: Podman):
    tree = podman.folder / "changed"
    tree.mkdir()
    for name in ("a", "b", "c"):
        (tree / name).write_text(name)
    podman.open_up()
    config = read_environment(
        {"provider": "podman", "image": IMAGE, "fs": {"write": ["changed:/c"]}}, base=podman.folder
    )
    watched = Watched([str(tree)], [], tells_all=tells_all(config))
    settled()
    turn = begun(watched)
    podman.run(
        "sh", "-c", "cd /c; echo x >>a; mkdir d; ln b d/x; echo y >>d/x; rm d/x; touch d/e",
        fs={"write": ["changed:/c"]},
    )  # fmt: skip
    changes = watched.changes(turn)
    assert changes.modified == (f"{tree}/a", f"{tree}/b")
    assert changes.created == (f"{tree}/d", f"{tree}/d/e")
