"""Ctrl-C ends the command with 130, whatever it is doing, and says nothing of its insides."""

import signal
import subprocess
import sys
from time import monotonic

import pytest

AT_IMPORT = """
import atexit, os, signal, sys
wanted, seen = int(sys.argv.pop(1)), 0
def hook(event, args):
    global seen
    if event == "import":
        seen += 1
        if seen == wanted:
            os.kill(os.getpid(), signal.SIGINT)
atexit.register(lambda: wanted or sys.stderr.write(f"imports: {seen}"))
sys.addaudithook(hook)
from sluicegate.reach.cli.start import main
main()
"""
"""Sends itself a Ctrl-C at the import with a number; the first are those that lead to ``start``. With 0 it counts them."""


def heard():
    """A shell may have started us so that no Ctrl-C is heard, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(code, *words, before=heard):
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, preexec_fn=before)


def interrupted_at(number):
    done = run(AT_IMPORT, str(number), "scan", "good")
    assert (done.returncode, done.stdout) == (130, ""), number
    assert done.stderr.strip() in ("", "sluicegate: interrupted; nothing was decided"), number


@pytest.mark.parametrize("number", [8, 12, 20, 40])
def test_while_it_starts(skills, number):
    interrupted_at(number)


def test_while_it_is_imported(skills):
    """How many imports there are changes with every module that a scan does without."""
    every = int(run(AT_IMPORT, "0", "scan", "good").stderr.rpartition("imports: ")[2])
    for part in (8, 12, 16, 19):
        interrupted_at(every * part // 20)


def test_while_it_waits(skills):
    command = [sys.executable, "-m", "sluicegate", "scan", "-"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heard,
    ) as process:
        process.stdin.write(bytes(200_000))  # more than a pipe holds: taken once the scan reads
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


LOST = """
import os, signal, time
from sluicegate.reach.cli.interrupts import Interrupts
class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
Interrupts().listen()
Swallows()
print("went on", flush=True)
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""


def test_where_python_loses_the_exception():
    start = monotonic()
    done = run(LOST)
    assert (done.returncode, done.stdout) == (130, "went on\n")
    assert done.stderr == "sluicegate: interrupted; nothing was decided\n"
    assert monotonic() - start < 30  # a third of a second, and a machine may be slow


MADE_INTO_ANOTHER = """
import os, signal, sys
from sluicegate.reach.cli import group, start
class Group:
    def main(self, **_):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            signal.sigtimedwait([], 10)
        except KeyboardInterrupt as error:
            raise RuntimeError("made of it by the making of a class") from error
group.cli = Group()
start.main()
"""


def test_where_python_makes_another_error_of_it():
    done = run(MADE_INTO_ANOTHER)
    assert (done.returncode, done.stderr) == (130, "sluicegate: interrupted; nothing was decided\n")


def test_where_none_is_to_be_heard(skills):
    done = run(AT_IMPORT, "40", "scan", "good", before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert done.returncode == 0
    assert done.stdout.startswith("SAFE")


def test_what_was_decided_stays_so():
    code = """
import atexit, os, signal
from sluicegate.reach.cli.start import main
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
main()
"""
    done = run(code, "--version")
    assert (done.returncode, done.stderr) == (0, "")
