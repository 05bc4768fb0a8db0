"""The program that makes a list of system calls: it is what its source says, and does what the launcher does."""

from __future__ import annotations

import os
import re
import resource
import shutil
import socket
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from env_support import Runs, needs_bubblewrap, needs_landlock
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.environments.errors import CommandNotStarted, EnvironmentConfigError
from sluicegate.flow.environments.launch import carry, launcher, listed, machine
from sluicegate.flow.environments.launch.launcher import Confinement, StageRequest
from sluicegate.flow.environments.launch.listed import CallList, Entry

pytestmark = pytest.mark.skipif(os.uname().machine != machine.MACHINE, reason="there is no such program here")


def request(
    argv: Sequence[bytes] = (b"true",),
    environment: dict[bytes, bytes] | None = None,
    keep: Sequence[int] = (),
    confinement: Confinement | None = None,
    limits: Sequence[tuple[int, int]] = (),
) -> StageRequest:
    return StageRequest(
        argv=list(argv), executable=b"", search=[b"/usr/bin", b"/bin"], environment=environment or {}, cwd=b"/", limits=list(limits),
        keep=list(keep), confinement=confinement, tell=(0, b""),
    )  # fmt: skip


def run_list(content: bytes, at: int, keep: Sequence[int], base: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the program by itself, without a sandbox."""
    program = base / "start"
    program.unlink(missing_ok=True)
    carry.write(at, content)
    program.write_bytes(machine.program(at, len(content)))
    program.chmod(0o755)
    return subprocess.run([program], pass_fds=(at, *keep), capture_output=True, check=False)


def started(asked: StageRequest, base: Path) -> subprocess.CompletedProcess[bytes]:
    """Start a program by its list, without a sandbox, and give it the word to go."""
    at = os.memfd_create("list")
    control, go = os.pipe()
    ours, theirs = socket.socketpair()
    os.write(go, launcher.GO)
    try:
        content = listed.listed(asked, control, theirs.fileno(), at)
        assert content is not None
        done = run_list(content, at, (control, theirs.fileno()), base)
        assert ours.recv(100) == launcher.READY
    finally:
        for descriptor in (at, control, go):
            os.close(descriptor)
        ours.close()
        theirs.close()
    return done


@pytest.mark.skipif(shutil.which("as") is None, reason="no assembler is installed")
def test_the_bytes_are_what_an_assembler_makes_of_the_source(tmp_path: Path):
    source = tmp_path / "program.s"
    source.write_text(f".intel_syntax noprefix\n.text\n{machine.SOURCE}")
    subprocess.run(["as", "-o", "program.o", source], cwd=tmp_path, check=True)
    whole = (tmp_path / "program.o").read_bytes()
    assert machine.CODE in whole
    (at,) = struct.unpack_from(
        "<Q", whole, 40
    )  # the table of sections: the code is in one of exactly its size
    size, count = struct.unpack_from("<HH", whole, 58)
    sections = [struct.unpack_from("<IIQQQQ", whole, at + size * n) for n in range(count)]
    assert machine.CODE in [
        whole[start : start + length] for _, kind, _, _, start, length in sections if kind == 1
    ]


@settings(deadline=None, max_examples=25)
@given(
    words=st.lists(st.binary(max_size=40).filter(lambda word: b"\0" not in word), max_size=6),
    variables=st.dictionaries(
        st.binary(min_size=1, max_size=8).filter(lambda name: not {0, 61} & set(name)),
        st.binary(max_size=40).filter(lambda value: 0 not in value), max_size=4,
    ),
)  # fmt: skip
def test_words_and_variables_come_as_they_are(
    words: list[bytes], variables: dict[bytes, bytes], tmp_path_factory: pytest.TempPathFactory
):
    asked = request([b"cat", b"/proc/self/cmdline", b"/proc/self/environ", b"--", *words], variables)
    done = started(asked, tmp_path_factory.mktemp("listed"))
    wanted = [*asked.argv, *(name + b"=" + value for name, value in variables.items())]
    assert done.stdout.startswith(b"".join(word + b"\0" for word in wanted))


@pytest.mark.parametrize("count", [1, 2, 254, 255])
def test_a_loop_takes_every_row_of_its_table_once(count: int, tmp_path: Path):
    at = os.memfd_create("list")
    calls = CallList(2)
    counter, written = calls.room(8), calls.room(8)
    table = calls.table([0x41000000 + number * 7919 for number in range(count)])
    each = [Entry("copy", counter, table, written), Entry("write", 1, written, 4)]
    calls.loop(counter, count, each)
    calls.add(Entry("exit_group", 7))
    content = calls.finished()
    assert content is not None
    done = run_list(content, at, (), tmp_path)
    os.close(at)
    assert done.returncode == 7
    assert done.stdout == b"".join(struct.pack("<I", 0x41000000 + number * 7919) for number in range(count))


@pytest.mark.parametrize("number", [1, 2, 13, 38, 133])
def test_a_failure_is_told_as_the_launcher_tells_it(number: int, tmp_path: Path):
    at = os.memfd_create("list")
    calls = CallList(1)
    where = calls.data(struct.pack("<q", -number))
    calls.add(Entry("close", 9999, bad=calls.failure("cwd", where)))
    content = calls.finished()
    assert content is not None
    done = run_list(content, at, (), tmp_path)
    os.close(at)
    step, _, told = done.stdout.removeprefix(launcher.FAILED).decode().partition(" ")
    assert (done.returncode, step, int(told)) == (launcher.NOT_STARTED, "cwd", number)


def test_without_its_list_it_does_nothing(tmp_path: Path):
    program = tmp_path / "start"
    program.write_bytes(machine.program(99, 1 << 17))
    program.chmod(0o755)
    done = subprocess.run([program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-11, b"", b"")


@pytest.mark.parametrize(
    "asked",
    [
        request([]),
        request([b""]),
        request([b"echo", b"a\0b"]),
        request(environment={b"A": b"b\0c"}),
        request(environment={b"A=B": b"c"}),
        request(environment={b"": b"c"}),
        request(keep=[3]),
        request(confinement=Confinement(["/a"] * 200, ["/b"] * 56, [], [], tcp=False)),
        request(confinement=Confinement(["/a\0b"], [], [], [], tcp=False)),
    ],
)
def test_what_a_list_cannot_hold_is_left_to_the_launcher(asked: StageRequest):
    assert listed.listed(asked, 3, 4, 5) is None


def test_a_limit_that_is_tighter_already_stays(tmp_path: Path):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for asked, bound in ((hard + 1000, hard), (hard - 1, hard - 1)):
        limited = request([b"sh", b"-c", b"ulimit -Hn; ulimit -Sn"], limits=[(resource.RLIMIT_NOFILE, asked)])
        assert set(started(limited, tmp_path).stdout.split()) == {str(bound).encode()}


SAYS = """
grep -E '^(Cap|NoNew|Seccomp:|Seccomp_|Sig|Uid|Gid)' /proc/self/status
cat /proc/self/limits /proc/self/oom_score_adj
ls /proc/self/fd; pwd; env | sort; echo $0 "$@"; ls -a / | grep -v '^.sluicegate-start$'
"""
TRIED = (
    (("sh", "-c", SAYS, "a", "b c", ""), {"fs": {"read": ["."], "write": ["w:/w"]}}),
    (("sh", "-c", SAYS), {"net": "host", "limits": {"mem": "300m", "file": "1m", "processes": 20, "time": "20s"}}),
    (("absent",), {}),
    (("./absent",), {"fs": {"read": ["."]}, "cwd": "."}),
    (("./folder",), {"fs": {"read": ["."]}, "cwd": "."}),
    (("./plain",), {"fs": {"read": ["."]}, "cwd": "."}),
    (("./pipe",), {"fs": {"read": ["."]}, "cwd": "."}),
    (("./nothing",), {"fs": {"read": ["."]}, "cwd": "."}),
    (("sh", "-c", "exit 7"), {}),
    (("sh", "-c", "kill -9 $$"), {}),
    (("sh", "-c", "echo x > w/a; echo y > r; cat w/a"), {"fs": {"read": ["."], "write": ["w"]}, "cwd": "."}),
    (("sh", "-c", "cat /.sluicegate-start; /.sluicegate-start; ls /root /home"), {}),
)  # fmt: skip


def came_of(runs: Runs, argv: tuple[str, ...], config: dict[str, object]) -> object:
    try:
        done = runs(*argv, variables={"A": "b"}, secrets={"S": b"\xff\n"}, **config)
    except CommandNotStarted as error:
        return error.stage, error.step, error.number
    return done.codes, done.stdout, done.stderr, done.killed_for, done.links


@needs_bubblewrap
@needs_landlock
@pytest.mark.parametrize(("argv", "config"), TRIED)
def test_what_comes_of_a_command_is_the_same_both_ways(
    argv: tuple[str, ...],
    config: dict[str, object],
    sandbox: Runs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    (tmp_path / "w").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("no program")
    (tmp_path / "nothing").write_bytes(b"\0\0")
    (tmp_path / "nothing").chmod(0o755)
    os.mkfifo(tmp_path / "pipe", 0o755)
    used: list[bool] = []
    real = listed.listed

    def watched(*given: object) -> bytes | None:
        found = real(*given)  # type: ignore[arg-type]
        used.append(found is not None)
        return found

    monkeypatch.setattr(listed, "listed", watched)
    by_list = came_of(sandbox, argv, config)
    monkeypatch.setattr(listed, "listed", lambda *_: None)
    by_launcher = came_of(sandbox, argv, config)
    assert used == [True]
    assert _plain(by_list) == _plain(by_launcher)


def _plain(found: object) -> object:
    """Without the reason why our program cannot be opened (that it may not, or that it is not there), and signals of the C library."""
    if not isinstance(found, tuple) or len(found) != 5:
        return found
    codes, out, err, *rest = found
    lines = [line for line in err.splitlines() if b"sluicegate-start" not in line]
    return codes, re.sub(rb"SigIgn:\t(\w+)", _without_reserved, out), lines, *rest


def _without_reserved(ignored: re.Match[bytes]) -> bytes:
    """Signals 32 and 33 are the C library's own: the launcher, which goes through it, leaves them ignored where they were."""
    return b"SigIgn:\t%016x" % (int(ignored[1], 16) & ~(0b11 << 31))


@needs_bubblewrap
@needs_landlock
def test_the_program_cannot_be_read_or_run_by_the_command(sandbox: Runs):
    done = sandbox("sh", "-c", "test -e /.sluicegate-start && cat /.sluicegate-start || /.sluicegate-start")
    assert done.stdout == b""
    assert done.stderr.count(b"ermission denied") == 2
    with pytest.raises(EnvironmentConfigError):
        sandbox("true", fs={"read": [".:/.sluicegate-start"]})
