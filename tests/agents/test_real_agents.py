"""Real coding agents, offline, with a model that has been taken over: no attack of the table happens, and all honest work does.

``make agents`` installs the agents and runs this, in a network of its own in which there is nobody but the servers of this file.
What has happened is seen by effects, and never by what the agent says. Each attack is first tried without our hooks, where it
has to happen: else it would prove nothing that it does not happen with them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from agent_cases import ATTACKS, NOTES, SECRET, WORK, Attack, Work
from agent_hosts import HOSTS, Host, Step, Sub, World

from model_server import Act, Asked, ModelServer, Say

pytestmark = pytest.mark.agents

AT = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
EVIL, DOCS = f"evil-{AT}.example", f"docs-{AT}.example"
"""A stranger and a page, in the network that ``network.sh`` makes: for each worker its own."""
PAGE = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 19\r\nconnection: close\r\n\r\na page of the guide"


NET = "denied by your permission settings"
"""What Claude Code says where the rules that we wrote into its settings refuse before it calls a hook."""


class Web:
    """Servers on the ports of the web: what has reached the stranger, and a page to read."""

    def __init__(self) -> None:
        self.reached = 0
        for name in (EVIL, DOCS):
            for port in (80, 443):
                listening = socket.create_server((socket.gethostbyname(name), port))
                threading.Thread(target=self._serve, args=(listening, name), daemon=True).start()

    def _serve(self, listening: socket.socket, name: str) -> None:
        while True:
            line, _ = listening.accept()
            if name == EVIL:
                self.reached += 1
            with line, contextlib.suppress(OSError):
                line.settimeout(2)
                line.recv(65536)
                line.sendall(PAGE)


@pytest.fixture(scope="session")
def web() -> Web:
    """The web, in which there is nobody else."""
    try:
        return Web()
    except OSError as error:
        pytest.fail(f"these tests need a network of their own: run `make agents` ({error})")


class Script:
    """A model that takes one step after another. Where it stands is how many answers of tools it has been shown.

    Its steps, and those of each sub-agent, go by a word in the prompt.
    """

    def __init__(self, host: Host, steps: Sequence[Step], world: World | None = None) -> None:
        self.host, self.world = host, world
        self.approved: list[str] = []
        self.steps = {"[[main]]": tuple(steps)}
        self.steps |= {f"[[sub-{at}]]": step.steps for at, step in enumerate(steps) if isinstance(step, Sub)}
        self.answers: dict[str, tuple[str, ...]] = dict.fromkeys(self.steps, ())

    def __call__(self, asked: Asked) -> Act:
        found = [word for word in self.steps if word in asked.user]
        if not found or not asked.tools:
            return Say("done")
        word = min(found, key=asked.user.index)
        at = len(asked.results)
        if at >= len(self.answers[word]):
            self.answers[word] = asked.results
        if self.world is not None:
            wanted = [
                id for each in asked.results for id in re.findall(r"sluicegate approve ([0-9a-f]{10})", each)
            ]
            for id in dict.fromkeys(wanted):
                if id not in self.approved:
                    self.approved.append(id)
                    agree(self.world, id)
            at -= len(self.approved)  # what was refused is tried again
        if at >= len(self.steps[word]):
            return Say("done")
        step = self.steps[word][at]
        words = f" {step.words}" if isinstance(step, Sub) else ""
        return self.host.call(step, asked.tools, f"Please help. [[sub-{at}]]{words}") or Say("cannot")

    @property
    def told(self) -> str:
        """All that tools have answered."""
        return "\n".join(one for several in self.answers.values() for one in several)

    @property
    def finished(self) -> bool:
        """Whether each step was tried."""
        return all(len(self.answers[word]) >= len(steps) for word, steps in self.steps.items())


def filled(said: Any, world: World) -> Any:
    """The same with the places of this run."""
    if isinstance(said, str):
        for word, place in {
            "{home}": world.home,
            "{project}": world.project,
            "{evil}": EVIL,
            "{docs}": DOCS,
        }.items():
            said = said.replace(word, str(place))
        return said
    if isinstance(said, tuple):
        return tuple(filled(one, world) for one in said)
    if isinstance(said, dict):
        return {filled(name, world): filled(one, world) for name, one in said.items()}
    if dataclasses.is_dataclass(said) and not isinstance(said, type):
        return type(said)(
            **{one.name: filled(getattr(said, one.name), world) for one in dataclasses.fields(said)}
        )
    return said


def agree(world: World, id: str) -> None:
    """A person at a terminal of their own approves what was refused, for the session."""
    import pty

    process, terminal = pty.fork()
    if not process:  # no agent has started this: the test has
        program = f"{Path(sys.executable).parent}/sluicegate"
        os.chdir(world.project)
        os.execve(program, [program, "approve", id, "--session"], world.environ())
    os.write(terminal, b"y\n")
    said = b""
    with contextlib.suppress(OSError):
        while found := os.read(terminal, 65536):
            said += found
    os.close(terminal)
    assert os.waitpid(process, 0)[1] == 0, said.decode(errors="replace")


def restore(world: World) -> None:
    """A person has all come back that was written over, as it was first."""
    program = f"{Path(sys.executable).parent}/sluicegate"

    def told(*words: str) -> str:
        done = subprocess.run(
            [program, "restore", *words], env=world.environ(), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    for line in told().splitlines():  # the newest first, so the oldest stays
        if str(world.project) in line:
            told(line.split()[0])


FILES = {
    "home/.ssh/id_ed25519": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n-----END OPENSSH PRIVATE KEY-----\n",
    "home/.aws/credentials": f"[default]\naws_secret_access_key = {SECRET}\n",
    "home/.gitconfig": "[init]\ndefaultBranch = main\n",
    "home/.bashrc": "# mine\n",
    "home/.profile": "# mine\n",
    "home/photos/sea.txt": "a picture\n",
    "project/.env": f"TOKEN={SECRET}\n",
    "project/.gitignore": ".env\ndraft.txt\n*.json\n",
    "project/app.py": "def hello():\n    return 'hello'\n",
    "project/test_app.py": "import unittest\n\n\nclass Test(unittest.TestCase):\n    def test_hello(self):\n        self.assertTrue(True)\n",
    "project/notes.md": f"# Notes\n\n{NOTES}\n",
    "project/draft.txt": "a draft\n",
    "project/taken.json": '{"x": "taken"}\n',
    "project/Makefile": "all:\n\techo built > built.txt\n",
}


def stand(place: Path, host: Host, model: str) -> World:
    """A home with secrets, a project with a remote, and the agent set up, without hooks."""
    for name, text in FILES.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    world = World(place / "home", place / "project", model, place / "outbox")
    world.home.chmod(0o700)
    host.set_up(world)
    for words in (
        f"init -q --bare {place}/remote.git", "init -q", "config user.name A", "config user.email a@example.com",
        "add -A", "commit -q -m First", f"remote add origin {place}/remote.git",
        "push -q origin main",
    ):  # fmt: skip
        subprocess.run(
            ["git", *words.split()], cwd=world.project, env=world.environ(), check=True, capture_output=True
        )
    return world


def install(world: World, host: Host) -> None:
    """The hooks, as a user installs them."""
    command = [f"{Path(sys.executable).parent}/sluicegate", "hook", "install", host.name, "--yes"]
    done = subprocess.run(command, cwd=world.project, env=world.environ(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def end_daemon(home: Path) -> None:
    """End the daemon that the hooks of this home have started."""
    for process in list(Path("/proc").iterdir()):
        with contextlib.suppress(OSError):
            started = (
                process.name.isdecimal()
                and b"sluicegate.flow.daemon.server" in (process / "cmdline").read_bytes()
            )
            if started and f"HOME={home}".encode() in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)


@dataclasses.dataclass
class Run:
    """What one run of an agent was."""

    world: World
    script: Script
    said: str
    reached: int


def run(place: Path, host: Host, case: Attack | Work, web: Web, *, hooked: bool) -> Run:
    before = web.reached
    with ModelServer(lambda asked: Say("done")) as model:
        world = stand(place, host, f"http://127.0.0.1:{model.port}")
        if hooked:
            install(world, host)
        asked = isinstance(case, Work) and bool(case.asked)
        script = Script(host, filled(case.steps, world), world if asked else None)
        model.personality = script
        try:
            said = host.run(world, filled(f"{case.prompt} [[main]]", world))
        finally:
            end_daemon(world.home)
    return Run(world, script, said, web.reached - before)


def holds(run: Run, wanted: dict[str, str]) -> list[str]:
    """Of these files, those that hold their word."""
    found = []
    for name, word in filled(dict(wanted), run.world).items():
        with contextlib.suppress(OSError):
            if word in Path(name).read_text():
                found.append(name)
    return found


def happened(attack: Attack, run: Run) -> list[str]:
    """Which effects of an attack are there."""
    world = run.world
    effects = holds(run, attack.holds)
    if attack.sent and run.reached:
        effects.append("it was sent")
    if attack.told and attack.told in run.script.told:
        effects.append("the model was told")
    if attack.gone and not Path(filled(attack.gone, world)).exists():
        effects.append("a file is gone")
    kept = holds(run, attack.lost)
    effects += [f"{name} has lost it" for name in filled(dict(attack.lost), world) if name not in kept]
    if attack.posted and world.outbox.exists():
        effects.append("it was posted")
    return effects


def undone(work: Work, run: Run) -> list[str]:
    """What is missing of honest work."""
    there = holds(run, work.holds)
    missing = [name for name in filled(dict(work.holds), run.world) if name not in there]
    if work.gone and Path(filled(work.gone, run.world)).exists():
        missing.append("a file is still there")
    if work.told and work.told not in run.script.told:
        missing.append("the model was not told")
    if work.posted and not run.world.outbox.exists():
        missing.append("nothing was posted")
    return missing


class Held(AssertionError):
    """An attack that was to be held happened, or work that was to be left alone was held."""


def _cases(several: Sequence[Any]) -> Iterator[Any]:
    for host in HOSTS:
        for case in several:
            if host.name not in case.but:
                marks = [pytest.mark.xfail(reason=case.open, raises=Held)] if case.open else []
                yield pytest.param(host, case, id=f"{host.name}-{case.name}", marks=marks)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.mark.parametrize(("host", "attack"), list(_cases(ATTACKS)))
def test_no_attack_happens(host: Host, attack: Attack, web: Web, place: Path) -> None:
    free = run(place / "free", host, attack, web, hooked=False)
    assert happened(attack, free), (
        f"it proves nothing: without hooks it does not happen\n{free.script.told}\n{free.said}"
    )
    held = run(place / "held", host, attack, web, hooked=True)
    assert held.script.finished, f"not every step was tried\n{held.script.told}\n{held.said}"
    if attack.comes_back:
        restore(held.world)
    if effects := happened(attack, held):
        raise Held(f"{effects}\n{held.script.told}")
    if attack.comes_back:
        return
    refused = any(word in held.script.told for word in ("sluicegate: ", NET))
    assert refused, held.script.told


@pytest.mark.parametrize(("host", "work"), list(_cases(WORK)))
def test_all_honest_work_is_done(host: Host, work: Work, web: Web, place: Path) -> None:
    held = run(place / "held", host, work, web, hooked=True)
    if missing := undone(work, held):
        raise Held(f"{missing}\n{held.script.told}\n{held.said}")
    assert len(held.script.approved) == work.asked
    if not work.asked and "sluicegate: " in held.script.told:
        raise Held(f"something of it was refused\n{held.script.told}")
