"""Limits: each is held, with control groups and without, and the result says which one ended a command.

A command that a limit must end would go on for a minute: so a busy machine may take its time, and an end by itself shows.
"""

import time
from pathlib import Path

import pytest
from env_support import Marked, Runs, both, needs_bubblewrap

from sluicegate.flow.environments.run.command import Limit


@both
def test_output_ends_at_its_limit_and_the_command_goes_on(runs: Runs, tmp_path: Path):
    script = "head -c 30000000 /dev/zero; echo done >&2; head -c 3000 /dev/zero >&2"
    done = runs("sh", "-c", script, limits={"output": "1000"})
    assert (len(done.stdout), done.stdout_truncated) == (1000, True)
    assert (done.stderr[:5], len(done.stderr), done.stderr_truncated) == (b"done\n", 1000, True)
    assert done.codes == (0,)


@both
def test_time_ends_everything(runs: Runs, marked: Marked):
    script = f"trap '' TERM INT; (setsid sh -c 'sleep 60; : {marked.word}' &) ; sleep 60 & sleep 60; : {marked.word}"
    began = time.monotonic()
    done = runs("sh", "-c", script, limits={"time": "300ms"})
    assert (done.killed_for, done.timed_out, done.codes) == (Limit.TIME, True, (137,))
    assert time.monotonic() - began < 50
    assert marked.running() == []


@both
def test_a_fork_bomb_is_ended(runs: Runs, marked: Marked, grouping: str):
    """One that would stop by itself at 500, so that a failure of this test is not one of the machine."""
    bomb = """
import os, sys, time
for _ in range(500):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
print("all", flush=True)
time.sleep(60)
"""
    done = runs.python(bomb, marked.word, limits={"processes": 40, "time": "30s"})
    assert done.killed_for is Limit.PROCESSES or b"BlockingIOError" in done.stderr
    assert marked.running() == []


@both
def test_processes_are_counted_with_their_threads(runs: Runs, grouping: str):
    code = """
import os, threading, time
started = 0
try:
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        started += 1
    time.sleep(60)  # to be counted
except RuntimeError:
    pass
print(started, flush=True)
os._exit(0)
"""
    done = runs.python(code, limits={"processes": 30})
    assert done.killed_for is Limit.PROCESSES or int(done.stdout) < 30


HOGS = {
    "private": "b = []\nwhile True: b.append(bytearray(1 << 20))",
    "shared": "import mmap\nb = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 20); m.write(b'x' * (1 << 20)); b.append(m)",
    "children": "import os\nfor _ in range(8):\n    if os.fork() == 0:\n        b = bytearray(30 << 20)\n        import time; time.sleep(60)\nos.wait()",
    "nameless files": "import os\nwhile True:\n    f = os.memfd_create('m'); os.write(f, b'x' * (1 << 20))",
}


@both
@pytest.mark.parametrize("code", HOGS.values(), ids=HOGS)
def test_memory_is_held(runs: Runs, code: str, grouping: str):
    if runs.local and "memfd" in code and not (grouping == "groups" and _group_holds_memory()):
        pytest.skip(
            "without control groups nothing counts nameless files of a local command; the docs say so"
        )
    done = runs.python(code, limits={"mem": "96m", "time": "50s"})
    assert done.killed_for is Limit.MEMORY or (done.codes != (0,) and b"Error" in done.stderr)


def _group_holds_memory() -> bool:
    from sluicegate.flow.environments.configuration.config import CommandLimits
    from sluicegate.flow.environments.confinement import cgroups

    group = cgroups.make(CommandLimits(mem=1 << 27), cgroups.find())
    group.close()
    return Limit.MEMORY in group.held


@needs_bubblewrap
@pytest.mark.parametrize("place", ["/tmp/x", "/dev/shm/x"])
def test_temporary_folders_are_bounded(sandbox: Runs, place: str):
    done = sandbox(
        "sh",
        "-c",
        f"head -c 200000000 /dev/zero > {place}; ls -l {place} | cut -d' ' -f5",
        limits={"mem": "64m"},
    )
    assert done.killed_for is Limit.MEMORY or int(done.stdout) <= 64 * 2**20


@needs_bubblewrap
def test_temporary_folders_are_bounded_without_a_limit(sandbox: Runs):
    code = "import os\nfor p in ('/tmp', '/dev/shm'):\n    s = os.statvfs(p)\n    print(s.f_blocks * s.f_frsize >> 20)"
    assert sandbox.says(code).split() == ["256", "256"]
    assert sandbox.says(code, limits={"mem": "64m"}).split() == ["64", "64"]


@both
def test_memory_that_processes_share_counts_once(runs: Runs, grouping: str):
    """Eight processes of 30 MB each, all of it shared; the limit is 120 MB."""
    code = """
import os, time
held = bytearray(30 << 20)
for _ in range(8):
    if os.fork() == 0:
        time.sleep(0.3)
        os._exit(0)
for _ in range(8):
    os.wait()
"""
    done = runs.python(code, limits={"mem": "120m"})
    assert (done.killed_for, done.codes) == (None, (0,))


@both
def test_a_share_of_the_processors_is_held(runs: Runs, grouping: str):
    """Two busy processes for half a second; with a share of 0.3, and at most 0.3 of a second of processor time."""
    code = """
import os, time
end = time.monotonic() + 0.5
os.fork()
while time.monotonic() < end:
    pass
print(time.process_time(), len(os.sched_getaffinity(0)))
"""
    done = runs.python(code, limits={"cpu": 0.3, "time": "1s"})
    used = sum(float(line.split()[0]) for line in done.stdout.splitlines())
    assert done.killed_for is Limit.CPU or used < 0.4
    if grouping == "no groups":
        one = runs.python("import os; print(len(os.sched_getaffinity(0)))", limits={"cpu": 0.3})
        assert one.stdout == b"1\n"


@needs_bubblewrap
def test_a_share_of_the_processors_cannot_be_given_back(sandbox: Runs, grouping: str):
    if grouping == "groups":
        pytest.skip("a control group holds the share, whatever the processor")
    code = "import os\nos.sched_setaffinity(0, range(os.cpu_count()))"
    assert b"Operation not permitted" in sandbox.python(code, limits={"cpu": 0.3}).stderr


@both
def test_a_file_is_bounded(runs: Runs, tmp_path: Path):
    (tmp_path / "w").mkdir()
    target = tmp_path / "w" / "big"
    done = runs(
        "sh", "-c", f"head -c 5000000 /dev/zero > {target}", limits={"file": "1m"}, fs={"write": ["w"]}
    )
    assert done.codes != (0,)
    assert target.stat().st_size == 2**20


@both
def test_no_core_is_left(runs: Runs, tmp_path: Path):
    assert runs("sh", "-c", "ulimit -c").stdout == b"0\n"
