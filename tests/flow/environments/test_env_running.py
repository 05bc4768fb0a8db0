"""Running commands: what goes in, what comes out, what is bounded, and that nothing is left running."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from env_support import PYTHON, Marked, Runs, both, needs_bubblewrap

from descriptors import open_descriptors
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.errors import Cancelled, CommandNotStarted
from sluicegate.flow.environments.run.command import Command, Stage
from sluicegate.flow.environments.use import Providers, environment, environment_async, execute, execute_async
from sluicegate.flow.errors import EnvironmentFailure

KEY = b"sk-never-shown"


@both
def test_a_pipeline(runs: Runs):
    done = runs("cat", stdin=b"hello", then=(("tr", "a-z", "A-Z"), ("sh", "-c", "cat; echo no >&2; exit 3")))
    assert (done.stdout, done.stderr, done.codes, done.killed_for) == (b"HELLO", b"no\n", (0, 0, 3), None)


@both
def test_words_are_passed_as_they_stand(runs: Runs):
    words = ["a b", "$(id)", "`id`", "; id", "| id", "*", "", "\n", "-n", "é\udcff", '"', "'"]
    done = runs("printf", "%s\\0", *words)
    assert done.stdout.split(b"\0")[:-1] == [os.fsencode(word) for word in words]


@both
@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 255", 255), ("kill -9 $$", 137), ("kill -11 $$", 139)]
)
def test_codes(runs: Runs, script: str, code: int):
    assert runs("sh", "-c", script).codes == (code,)


@both
def test_a_broken_pipe_ends_a_writer_quietly(runs: Runs):
    done = runs("yes", then=(("head", "-n", "1"),))
    assert (done.codes, done.stdout, done.stderr) == ((141, 0), b"y\n", b"")


@both
def test_the_environment_is_what_was_granted(runs: Runs, tmp_path: Path):
    runs.environ = {"HOME": "/home/me", "TOKEN": "of-the-host", "LD_PRELOAD": "/x.so"}
    done = runs(
        "env", vars=["TOKEN", "ABSENT"], variables={"A": "1", "TOKEN": "of-the-stage"}, secrets={"KEY": KEY}
    )
    found = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
    assert found.pop("HOME", "/tmp") == "/tmp"
    assert found == {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8", "TOKEN": "of-the-stage", "A": "1", "KEY": KEY.decode(),
    }  # fmt: skip
    assert b"HOME=/home/me\n" in runs("env", vars=["HOME"]).stdout


@both
def test_variables_of_the_loader_do_not_reach_what_makes_the_walls(runs: Runs, tmp_path: Path):
    """The library does not exist: whatever loads it complains, and only the command may."""
    done = runs("true", variables={"LD_PRELOAD": "/nowhere.so"})
    assert done.stderr.count(b"/nowhere.so") == 1


@both
def test_a_secret_is_in_no_argument_message_or_representation(runs: Runs, marked: Marked, tmp_path: Path):
    stage = Stage(argv=("sleep", "30", marked.word), secrets={"KEY": KEY})
    assert KEY.decode() not in repr(Command(stages=(stage,), stdin=KEY)) + repr(stage)
    seen: list[bytes] = []
    looked = tmp_path / "shown" / "looked"
    looked.parent.mkdir()

    def look() -> None:
        for pid in marked.wait(bool):
            with suppress(OSError):  # it was on its way, and is another now
                seen.append(Path(f"/proc/{pid}/cmdline").read_bytes())
                above = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
                seen.append(Path(f"/proc/{above}/cmdline").read_bytes())
        looked.touch()

    looking = threading.Thread(target=look)
    looking.start()
    until = f"until test -e {looked}; do sleep 0.01; done; : {marked.word}"
    done = runs("sh", "-c", until, secrets={"KEY": KEY}, fs={"read": ["shown"]}, limits={"time": "60s"})
    assert done.codes == (0,)
    looking.join()
    assert seen
    assert not any(KEY in words for words in seen)


@both
def test_both_outputs_are_read_at_once(runs: Runs):
    script = "for i in 1 2 3 4 5; do head -c 200000 /dev/zero; head -c 200000 /dev/zero >&2; done"
    done = runs("bash", "-c", script)
    assert (len(done.stdout), len(done.stderr)) == (1_000_000, 1_000_000)
    assert not done.stdout_truncated


@both
def test_input_that_nobody_reads_and_much_that_is_read(runs: Runs):
    much = os.urandom(3_000_000)
    assert runs("true", stdin=much).codes == (0,)
    assert runs("cat", stdin=much).stdout == much
    assert runs("cat").stdout == b""


LEAVERS = {
    "background": "sleep 60 & sleep 60 & : MARK",
    "holding the pipe": "(sleep 60; : MARK) & echo done",
    "daemon": "setsid sh -c '(setsid sh -c \"sleep 60; : MARK\" &) ; sleep 60; : MARK' </dev/null >/dev/null 2>&1 &",
    "ignoring": "(trap '' HUP TERM INT; sleep 60; : MARK) & (nohup sh -c 'sleep 60; : MARK' >/dev/null 2>&1 &)",
    "stopped": "sh -c 'kill -STOP $$; : MARK' & sleep 0.05",
}


@both
@pytest.mark.parametrize("script", LEAVERS.values(), ids=LEAVERS)
def test_nothing_outlives_its_command(runs: Runs, marked: Marked, script: str):
    began = time.monotonic()
    done = runs("sh", "-c", script.replace("MARK", marked.word) + "\necho end")
    assert done.stdout.endswith(b"end\n")
    assert done.codes == (0,)
    assert time.monotonic() - began < 50, "it would wait for a minute"
    assert marked.running() == []


@both
@pytest.mark.parametrize("argv", [("no-such-program",), ("/nowhere/x",), ("/etc",), ("/etc/ld.so.cache",)])
def test_a_program_that_is_none(runs: Runs, argv: tuple[str, ...]):
    with pytest.raises(CommandNotStarted, match="stage 1 of the command cannot be run") as caught:
        runs(*argv)
    assert caught.value.hint
    assert argv[0] not in caught.value.diagnostics()  # it may have been filled from a labelled value


@both
def test_no_stage_runs_if_a_later_one_cannot(runs: Runs, tmp_path: Path):
    (tmp_path / "w").mkdir()
    with pytest.raises(CommandNotStarted, match="stage 2"):
        runs("touch", str(tmp_path / "w" / "ran"), then=(("no-such-program",),), fs={"write": ["w"]})
    assert list((tmp_path / "w").iterdir()) == []


@both
def test_a_folder_that_is_none(runs: Runs):
    with pytest.raises(CommandNotStarted, match="working folder"):
        runs("true", cwd="/nowhere")


@both
def test_too_many_words(runs: Runs):
    with pytest.raises(CommandNotStarted, match="Argument list too long"):
        runs("true", "x" * 200_000)


@both
def test_not_a_program_in_a_file_that_may_be_executed(runs: Runs, tmp_path: Path):
    """No shell is tried, as a shell would."""
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "x").write_text("echo shell")
    (tmp_path / "w" / "x").chmod(0o755)
    with pytest.raises(CommandNotStarted, match="Exec format error"):
        runs(str(tmp_path / "w" / "x"), fs={"read": ["w"]})


@pytest.mark.parametrize(
    "bad",
    [
        {"argv": ()}, {"argv": ("",)}, {"argv": ("a", "b\0c")}, {"argv": ("a",), "vars": {"A": "\0"}},
        {"argv": ("a",), "vars": {"A=B": "x"}}, {"argv": ("a",), "secrets": {"": b"x"}},
        {"argv": ("a",), "secrets": {"A": b"\0"}}, {"argv": ("a",), "cwd": "\0"},
    ],
)  # fmt: skip
def test_what_no_program_can_be_given(bad):
    with pytest.raises(EnvironmentFailure):
        Stage(**bad)


@both
def test_no_descriptor_and_no_child_is_left_here(runs: Runs):
    def own() -> set[tuple[str, str]]:
        """Those of other tests of this process may go meanwhile; new ones may not stay."""
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return open_descriptors() | {("child", each) for each in children}

    runs("true")
    before = own()
    for _ in range(3):
        runs("cat", then=(("cat",),), stdin=b"x")
        runs("sleep", "9", limits={"time": "20ms"})
        with pytest.raises(CommandNotStarted):
            runs("no-such-program")
    assert own() - before == set()


@both
def test_cancelling(runs: Runs, marked: Marked):
    provider = runs.provider()
    session = provider.create(read_environment({"provider": provider.name}, base=runs.base))
    reader, writer = os.pipe()
    command = Command(stages=(Stage(argv=("sh", "-c", f"sleep 60; : {marked.word}")),))
    waiting = threading.Thread(target=lambda: (marked.wait(bool), os.write(writer, b"x")))
    waiting.start()
    with pytest.raises(Cancelled):
        provider.execute(session, command, cancel=reader)
    waiting.join()
    assert marked.running() == []
    os.close(reader)
    os.close(writer)


@both
def test_asyncio(runs: Runs, marked: Marked):
    """Commands run side by side; a timeout of asyncio's ends one with all that it started."""
    config = read_environment({"provider": "local" if runs.local else "bubblewrap"}, base=runs.base)
    providers = Providers.of({}, Protection())

    async def both_at_once() -> None:
        async with environment_async(config, providers) as session:
            quick = execute_async(session, Command(stages=(Stage(argv=("echo", "quick")),)))
            slow = execute_async(
                session, Command(stages=(Stage(argv=("sh", "-c", f"sleep 60; : {marked.word}")),))
            )
            task = asyncio.create_task(slow)
            assert (await quick).stdout == b"quick\n"
            await asyncio.to_thread(marked.wait, bool)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 50, "it would sleep for a minute"
            assert marked.running() == []

    asyncio.run(both_at_once())


OWNER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with it ignored
from pathlib import Path
from sluicegate.flow.environments.run.command import Command, Stage
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.use import Providers, environment, execute
config = read_environment({"provider": sys.argv[1]}, base=Path("/"))
script = "(setsid sh -c 'sleep 60; : " + sys.argv[2] + "' &) ; sleep 60; : " + sys.argv[2]
with environment(config, Providers.of({}, Protection())) as session:
    execute(session, Command(stages=(Stage(argv=("sh", "-c", script)),)))
"""


@both
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill -9"])
def test_the_end_of_the_owner_is_the_end_of_the_command(runs: Runs, marked: Marked, how: signal.Signals):
    name = "local" if runs.local else "bubblewrap"
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, name, marked.word], stderr=subprocess.PIPE, start_new_session=True
    )
    marked.wait(lambda found: len([p for p in found if p != owner.pid]) >= 2)
    owner.send_signal(how)
    _, words = owner.communicate(timeout=50)
    assert marked.wait(lambda found: not found) == []
    assert (b"KeyboardInterrupt" in words) is (how is signal.SIGINT)


@both
def test_an_owner_that_ignores_its_children_is_told(runs: Runs):
    """With SIGCHLD ignored the system throws exit codes away; a failed command must not pass for a good one."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(EnvironmentFailure, match="ignores SIGCHLD"):
            runs("false")
    finally:
        signal.signal(signal.SIGCHLD, before)


@both
def test_an_exit_code_that_was_taken_is_not_made_up(runs: Runs, monkeypatch: pytest.MonkeyPatch):
    """As a thread that waits for all children would take it."""
    wait = os.waitid

    def too_late(kind, descriptor, options):
        if wait(kind, descriptor, options) is None:
            return None
        return wait(kind, descriptor, options)

    monkeypatch.setattr(os, "waitid", too_late)
    with pytest.raises(EnvironmentFailure, match="the exit code of a command was lost"):
        runs("false")


@both
def test_ignored_and_blocked_signals_are_not_handed_down(runs: Runs):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        status = runs("cat", "/proc/self/status").stdout.decode()
    finally:
        signal.signal(signal.SIGHUP, before)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    own = (
        0b11 << 31
    )  # 32 and 33 belong to the C library; whoever started the tests may have left them ignored
    assert (int(facts["SigIgn"], 16) & ~own, int(facts["SigBlk"], 16) & ~own) == (0, 0)


@both
def test_an_environment_is_released_however_its_block_ends(runs: Runs, tmp_path: Path):
    released: list[str] = []

    class Recording(type(runs.provider())):
        def release(self, session):
            released.append(session.id)
            super().release(session)

    provider = Recording({}, Protection())
    providers = Providers(by_name={provider.name: provider})
    plain = read_environment({"provider": provider.name}, base=tmp_path)
    named = read_environment({"provider": provider.name, "name": "kept"}, base=tmp_path)
    for error in (ValueError, KeyboardInterrupt, asyncio.CancelledError):
        for config in (plain, named):
            with pytest.raises(error), environment(config, providers):
                raise error
    assert len(released) == 6
    with environment(plain, providers):
        pass
    assert len(released) == 7
    with environment(named, providers) as first, environment(named, providers) as second:
        assert (first.created, second.created, first.id == second.id) == (True, False, True)
    with pytest.raises(ValueError), environment(named, providers):
        raise ValueError
    assert len(released) == 7, "a named environment that was there before stays"
    wider = read_environment({"provider": provider.name, "name": "kept", "vars": ["A"]}, base=tmp_path)
    with pytest.raises(EnvironmentFailure, match="another configuration"), environment(wider, providers):
        pass
    assert execute(first, Command(stages=(Stage(argv=("true",)),))).codes == (0,)


@needs_bubblewrap
def test_python_in_the_sandbox_is_the_one_that_was_granted(sandbox: Runs):
    assert sandbox.says("import sys; print(sys.executable)") == PYTHON
