"""Measure what flow costs beside its decisions: a process that opens a project, a command, an event of the ledger.

    python bench/flow/process.py [--files 50000]

CPU time of this process and of its children, the least of several runs: the machine's other work only adds. The kernel does not hand on
the time of what ran in a sandbox, so for commands all is put into a control group and its account is read, where one can be made (root).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from sluicegate.flow.environments.configuration.config import UNCONFINED, EnvironmentConfig  # noqa: E402
from sluicegate.flow.environments.configuration.reading import read_environment  # noqa: E402
from sluicegate.flow.monitor.assembly import open_here  # noqa: E402
from sluicegate.record.home import Home  # noqa: E402
from sluicegate.record.keys.keys import Keys  # noqa: E402
from sluicegate.record.ledger import events  # noqa: E402
from sluicegate.record.ledger.ledger import Ledger  # noqa: E402

POLICY = """[flow]
[policy]
defaults.rules = ["no-secret-exfil", "no-untrusted-destructive"]
sources."src:mcp" = "untrusted"
"""
START = """
import sys
from sluicegate.flow import open_here
with open_here() as monitor:
    monitor.show("hello")
"""
COMMANDS = (
    "true",
    "touch d0/f0.txt",
    "cp d0/f1.txt d0/f2.txt",
    "rm -f d0/f3.txt",
    "sh -c 'mkdir n; rmdir n'",
    "ls",
    "find . -name zzz",
    "grep -rl y .",
    "sh -c 'grep -r y .'",
)
REQUEST = b'{"ask":"decide","session":"bench","operation":"github:list_issues","values":{"repo":"acme/site"}}'
HOOK = f"""
from sluicegate.flow.daemon.client import answered, is_permit
assert is_permit(answered({REQUEST!r}, start=False))
"""
COPIES = f"""
import gc, os
from sluicegate.flow.daemon import answers, server
server._rehearsed()
gc.freeze()
for _ in range(15):
    child = os.fork()
    if child == 0:
        gc.disable()
        answers.answer({REQUEST!r})
        os._exit(0)
    used = os.wait4(child, 0)[2]
    print((used.ru_utime + used.ru_stime) * 1000, flush=True)
"""
FOLDER = 100  # files in each folder
EVENTS = 3_000


ACCOUNTS = (
    "/sys/fs/cgroup/cpuacct/sluicegate-bench/cpuacct.usage",
    "/sys/fs/cgroup/sluicegate-bench/cpu.stat",
)
_account: list[Path] = []


def begin_account() -> bool:
    """Put this process into a control group of its own that counts processor time; whether that goes."""
    for place in map(Path, ACCOUNTS):
        try:
            place.parent.mkdir(exist_ok=True)
            (place.parent / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
            _used(place)
        except (OSError, ValueError, IndexError):
            continue
        _account.append(place)
        return True
    return False


def _used(place: Path) -> float:
    words = place.read_text(encoding="ascii").split()
    return int(words[0]) / 1e9 if len(words) == 1 else int(words[words.index("usage_usec") + 1]) / 1e6


def cpu() -> float:
    """CPU seconds of this process and of its children: of all of them by the account, else of those that ended."""
    if _account:
        return _used(_account[0])
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def least(action: object, runs: int) -> float:
    """The least CPU milliseconds that ``action`` took."""
    assert callable(action)
    found = []
    for _ in range(runs):
        start = cpu()
        action()
        found.append(cpu() - start)
    return min(found) * 1000


def process(program: str, project: Path, *options: str) -> float:
    """A fresh interpreter that runs a program in a project."""
    words = [sys.executable, *options, "-c", program]
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)

    def run() -> None:
        subprocess.run(words, cwd=project, env=environ, check=True, stdout=subprocess.DEVNULL)

    return least(run, 15)


def hook(project: Path) -> None:
    """A hook by itself, through the daemon, and what the daemon does for it: its copy, without the time to make it."""
    print(f"a hook without a daemon: policy, ledger, session {process(HOOK, project):7.1f} ms")
    words = [sys.executable, "-P", "-m", "sluicegate.flow.daemon.server"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None and daemon.stdout.readline() == b"listening\n"
        print(f"a hook through the daemon                       {process(HOOK, project):7.1f} ms")
        daemon.kill()
    found = []
    with subprocess.Popen([sys.executable, "-c", COPIES], cwd=project, stdout=subprocess.PIPE) as copies:
        assert copies.stdout is not None
        found = [float(line) for line in copies.stdout]
    print(f"the copy of the daemon that answers it          {min(found):7.1f} ms")


def command(project: Path, environment: EnvironmentConfig, words: str) -> tuple[float, float]:
    """A command by the monitor: the first of a process, and the least of later ones."""
    with open_here(project, environment=environment) as monitor:
        first = least(lambda: monitor.run(words), 1)
        time.sleep(0.05)  # what was changed just before a command counts as changed by it
        return first, least(lambda: monitor.run(words), 7)


def _write(folder: str, count: int) -> None:
    keys = Keys(Home.at(Path(folder) / "home"), clock=time.time_ns)
    with Ledger.open(Path(folder) / "audit.jsonl", keys=keys, clock=time.time_ns) as ledger:
        for number in range(count):
            ledger.append(events.Label(var=f"@v{number}", by="bench", add=("secret",)))
            ledger.flush()


def ledger(folder: Path) -> float:
    """Events in a second of two writers, with a flush each."""
    writers = [multiprocessing.Process(target=_write, args=(str(folder), EVENTS)) for _ in range(2)]
    _write(str(folder), 1)
    start = time.perf_counter()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    return 2 * EVENTS / (time.perf_counter() - start)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    files = parser.parse_args().files
    with tempfile.TemporaryDirectory() as base:
        project = Path(base) / "project"
        project.mkdir()
        (project / "sluicegate.toml").write_text(POLICY, encoding="utf-8")
        print(f"python alone                                    {process('pass', project):7.1f} ms")
        print(f"open a project, first decision, ledger          {process(START, project):7.1f} ms")
        blocked = "import sys; sys.modules['typing_extensions'] = None\n"
        print(f"the same, typing_extensions not installed       {process(blocked + START, project):7.1f} ms")
        hooked = Path(base) / "hooked"  # a project of its own, since the keys are others
        hooked.mkdir()
        (hooked / "sluicegate.toml").write_text(POLICY, encoding="utf-8")
        os.environ["SLUICEGATE_KEYS_HOME"] = str(Path(base) / "keys")
        hook(hooked)
        del os.environ["SLUICEGATE_KEYS_HOME"]
        for number in range(files // FOLDER):
            folder = project / f"d{number}"
            folder.mkdir()
            for each in range(FOLDER):
                (folder / f"f{each}.txt").write_bytes(b"x")
        whole = begin_account()
        box = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=project)
        print(
            f"\n{files} files; a plain subprocess, and by the monitor in the sandbox ("
            + ("all together" if whole else "without what runs inside: no control group can be made here")
            + ") and without it, first and later:"
        )
        for words in COMMANDS:
            alone = partial(
                subprocess.run, shlex.split(words), cwd=project, check=False, stdout=subprocess.DEVNULL
            )
            plain = least(alone, 7)
            said = f"{words:24} {plain:6.1f} ms"
            for environment in (box, UNCONFINED):
                first, later = command(project, environment, words)
                said += f" | {environment.provider:10} {first:6.1f} {later:6.1f} ms"
            print(said, flush=True)
    with tempfile.TemporaryDirectory() as base:
        print(f"\nledger, two writers with a flush each: {ledger(Path(base)):,.0f} events in a second")


if __name__ == "__main__":
    main()
