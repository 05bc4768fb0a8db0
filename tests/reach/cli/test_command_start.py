"""The process ends once all is written, and leaves nothing undone."""

import os
import subprocess
import sys

import pytest

MAIN = "from sluicegate.reach.cli.start import main; main()"


def run(code, *words):
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, check=False
    )


def test_objects_are_not_let_go_one_by_one():
    done = run(f"class Held:\n def __del__(self): print('let go')\nheld = Held()\n{MAIN}", "--version")
    assert done.returncode == 0
    assert "let go" not in done.stdout


def test_what_was_registered_is_done():
    first = "import atexit, tempfile; t = tempfile.TemporaryDirectory(); print(t.name, flush=True)"
    done = run(f"{first}; atexit.register(lambda: print('at the end', flush=True)); {MAIN}", "--version")
    folder, version, end = done.stdout.splitlines()
    assert (version.split()[0], end) == ("sluicegate", "at the end")
    assert run(f"import os; print(os.path.exists({folder!r}))").stdout == "False\n"


def test_other_threads_are_waited_for():
    thread = "threading.Thread(target=lambda: (threading.main_thread().join(), print('a thread')))"
    done = run(f"import threading; {thread}.start(); {MAIN}", "--version")
    assert done.stdout.splitlines()[-1] == "a thread"
    assert done.returncode == 0


def test_a_profiler_tells_what_it_saw():
    command = [sys.executable, "-m", "cProfile", "-m", "sluicegate", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "function calls" in done.stdout


def test_codes_and_texts_reach_whoever_waits():
    done = run(MAIN, "rules")
    assert done.returncode == 0
    assert done.stdout.count("\n") > 100
    assert run(MAIN, "no-such-command").returncode == 2


@pytest.mark.parametrize("words", [("scan", "good"), ("scan", "good", "--color=never"), ("rules",)])
def test_an_answer_that_nobody_reads_is_none(skills, words):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", MAIN, *words]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (2, b"")
