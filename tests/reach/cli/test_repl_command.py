"""``sluicegate repl`` as a person uses it: over a pipe, and over a terminal."""

import io
import os
import pty
import re
import select
import signal
import sys
import time

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (work / "sluicegate.toml").write_text(
        '[policy.labels.secret]\ndeny = ["op:show"]\n[policy.env]\ndefault = "local"\n'
    )
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def typed(sluicegate, monkeypatch, here):
    def type_in(text, *words):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return sluicegate("repl", *words)

    return type_in


def test_what_is_defined_holds_and_values_are_shown(typed):
    ran = typed(
        "var @x = 1\n@x + 1\nexe @f(a) = [\n=> `got @a`\n]\n@f(2)\nvar @x = 5\n@f(@x)\nvar @n = null\n@n\n'q'\n[1, 2]\nshow 'a'\nrun cmd { echo b }\n"
    )
    assert (ran.code, ran.out, ran.err) == (0, "2\ngot 2\ngot 5\nq\n[1, 2]\na\nb\n", "")


def test_each_effect_is_decided(typed):
    ran = typed(
        "var secret @k = 'sk-1'\n@k\nshow `x @k`\nif @k [ show 'in' ]\nguard before op:log = when [ * => deny 'no logs' ]\nlog 'x'\n'on'\n"
    )
    assert (ran.code, ran.out) == (1, "on\n")
    assert ran.err.count("POLICY_LABEL_FLOW_DENIED") >= 3
    assert "no logs" in ran.err
    assert "sk-1" not in ran.err
    refused = typed("policy @p = { capabilities: { deny: [sh] } }\n")
    assert (refused.code, refused.out) == (1, "")
    assert "from the beginning" in refused.err


def test_a_file_is_run_first_and_further_words_are_told(typed, here):
    (here / "a.mld").write_text(
        "policy @mine = { capabilities: { deny: [sh] } }\nvar @a = 'from file'\nshow 'began'\n"
    )
    ran = typed("@a\n:names\n:policy\n:help\n:labels @a\n:nothing\n:quit\nshow 'never'\n", "a.mld")
    assert ran.out.startswith("began\nfrom file\n@a @mine\n")
    assert "@mine" in ran.out
    assert ":labels VALUE" in ran.out
    assert '"taint"' in ran.out
    assert "never" not in ran.out
    (here / "bad.mld").write_text("show @nothing\n")
    assert typed("1\n", "bad.mld").code == 2


ODD = ["\x00", "\xff\xfe", "((((((((", "]" * 50, "'", "var @x", "@", ":", "=>", "\x1b[31m", "show '\x1b[31m'", "exe @f() = @f()\n@f()",
       "when [", "{", "import { @x } from './none.mld'", "@mx", "@mlld.audit.signed()", "...", "\ud7ff", "a" * 5000, "deny 'x'",
       "import policy @p from '@mlld/production'", "sign @x", "verify @x", "for @i in 3 [ show 1 ]", "(" * 200, "-" * 300 + "1"]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_nothing_that_is_typed_ends_it(typed, text):
    ran = typed(text + "\n\n\n'still here'\n")
    assert ran.out.endswith("still here\n")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err


class Terminal:
    """``sluicegate repl`` at a terminal of its own."""

    def __init__(self, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child
            os.chdir(folder)
            os.execv(sys.executable, [sys.executable, "-m", "sluicegate", "repl"])
        self.seen = ""

    def until(self, words):
        """Wait until these words were written; what was since the last time."""
        assert self.hears(words, 60), f"{words!r} was not written: {self.seen!r}"
        before, _, self.seen = self.seen.partition(words)
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", before)

    def hears(self, words, seconds):
        """Whether these words are written within so long."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            if not ready:
                return False
            self.seen += os.read(self.fd, 65536).decode()
        return True

    def interrupt(self):
        """Ctrl-C, and again where it came just before Python waits for a key: it hears of that with the next one."""
        for _ in range(30):
            self.write("\x03")
            if self.hears("interrupted", 2):
                break
        self.until("interrupted")

    def write(self, text):
        os.write(self.fd, text.encode())

    def ended(self):
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def test_a_terminal(here):
    one = Terminal(here)
    try:
        one.until("> ")
        one.write("exe @f(a) = [\n")
        one.until(". ")
        one.write("=> `got @a`\n]\n")
        one.until("> ")
        one.write("@f(2)\n")
        one.until("\ngot 2")
        one.until("> ")
        one.write("var @half = [1,")
        one.interrupt()  # gives up what is typed
        one.until("> ")
        one.write("'ready'\n")
        one.until("\nready")
        one.until("> ")
        one.write("run cmd { sleep 60 }\n")
        one.until("\n")
        _wait_for_child(one.pid)
        one.interrupt()  # and what runs
        one.until("> ")
        one.write("'after'\n")
        one.until("\nafter")
        one.until("> ")
        one.write("\x04")
        assert one.ended() == 0
    except BaseException:
        os.kill(one.pid, signal.SIGKILL)
        raise


def _wait_for_child(pid):
    """Until the process has started one of its own."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            if file.read().split():
                return
        select.select([], [], [], 0.02)
    raise AssertionError("no command was started")
