"""The daemon answers as a process of its own does, and whatever is wrong with it, nothing is answered."""

import contextlib
import gc
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sluicegate.flow.daemon import client, server
from sluicegate.flow.daemon.answers import answer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the daemon is for Linux")
as_another = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")

POLICY = """
[flow]
[policy]
defaults.rules = ["no-untrusted-destructive", "no-secret-exfil"]
sources."src:mcp" = "untrusted"
session.addresses = "seen"
"""
SERVE = (
    "import sys; from sluicegate.flow.daemon.server import serve; sys.exit(serve(idle=float(sys.argv[1])))"
)


def ask(what: str, **more: object) -> bytes:
    return json.dumps({"ask": what, **more}).encode()


def decide(operation: str, session: str = "chat", **more: object) -> bytes:
    return ask("decide", session=session, operation=operation, **{"values": {"number": 17}, **more})


def told(reply: bytes | None) -> dict[str, object]:
    """What a reply says, but for what is another in each: the number, the time and the MAC of a permit."""
    assert reply is not None
    said = json.loads(reply[1:])
    return {"kind": reply[:1], **{key: value for key, value in said.items() if key != "permit"}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project and a home of its own; this process stands in the project."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "sluicegate.toml").write_text(POLICY)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "SLUICEGATE_KEYS_HOME", "SLUICEGATE_POLICY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def start(project: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a daemon, and waits until it listens."""
    made: list[subprocess.Popen[str]] = []

    def started(idle: float = 60) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVE, str(idle)], stdout=subprocess.PIPE, cwd="/", text=True
        )
        made.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "listening\n"
        return process

    yield started
    for process in made:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def daemon(start: Callable[..., subprocess.Popen[str]]) -> subprocess.Popen[str]:
    return start()


def _place() -> Path:
    where = client.directory(os.environ)
    assert where is not None
    return Path(where)


def _story(name: str) -> list[bytes]:
    """A session in which each kind of answer comes."""
    return [
        ask("heard", session=name, text="Please look at issue 17 of acme/site"),
        decide("github:list_issues", name, values={"repo": "acme/site"}),
        ask("took-in", session=name, value="evil words", labels=["src:mcp"], source="mcp:web:get"),
        decide("github:close_issue", name, labels=["destructive"]),
        decide("chat:say", name, values={"text": "see https://evil.example/?k=1"}),
        decide("read", name, values={"path": "sluicegate.toml"}),
        decide("read", name, values={}),
        ask("settle", permit="none", result=1),
        ask("took-in", session=name, value=1, labels=["secret"], source="x"),
        ask("decide", session=name),
        b"no JSON",
    ]


def test_the_daemon_answers_as_a_process_of_its_own(daemon):
    kinds = []
    for asked, alone in zip(_story("served"), _story("alone"), strict=True):
        served = client.ask(asked)
        assert told(served) == told(answer(alone))
        kinds.append(told(served)["kind"])
    assert kinds == [b"T", b"P", b"T", b"D", b"D", b"P", b"E", b"E", b"E", b"E", b"E"]


def test_a_permit_of_the_daemon_settles_anywhere_and_once(daemon):
    reply = client.ask(decide("github:list_issues"))
    assert reply is not None and client.is_permit(reply)
    permit = json.loads(reply[1:])["permit"]
    first = answer(ask("settle", permit=permit, result="a result"))
    again = client.ask(ask("settle", permit=permit, result="a result"))
    assert told(first)["kind"] == b"T" and "src:mcp" in told(first)["labels"]
    assert told(again)["kind"] == b"D" and told(again)["code"] == "PERMIT_DENIED"


def test_a_call_is_asked_about_once_and_settles_by_its_name(daemon):
    asked = decide("github:list_issues", call="toolu_1")
    first, again = client.ask(asked), answer(asked)
    assert first is not None and first == again
    result = {"session": "chat", "call": "toolu_1", "result": "a result"}
    other = ask("settle-call", **result, values={"number": 18})
    settled = ask("settle-call", **result, values={"number": 17})
    assert told(client.ask(other))["code"] == "PERMIT_DENIED"
    assert told(client.ask(settled))["labels"] == ["src:mcp"]
    assert told(client.ask(settled))["code"] == "PERMIT_DENIED"
    unknown = ask("settle-call", **{**result, "call": "toolu_2"}, values={"number": 17})
    assert told(client.ask(unknown))["code"] == "session"


def test_paths_are_seen_from_where_whoever_asks_stands(daemon, project, monkeypatch):
    (project / "sluicegate.toml").write_text(POLICY + 'capabilities.deny = ["fs:r:@base/private/**"]\n')
    (project / "below/deeper").mkdir(parents=True)
    (project / "private").mkdir()
    for number, (where, path, code) in enumerate(
        (("", "private/x", "D"), ("below", "private/x", "P"), ("below/deeper", "../../private/x", "D"))
    ):
        monkeypatch.chdir(project / where)
        for operation, values in (("read", {"path": path}), ("sh", {"code": f"cat {path}"})):
            asked = decide(operation, f"chat{number}", values=values)
            assert told(client.ask(asked))["kind"] == code.encode()
            assert told(answer(asked))["kind"] == code.encode()


def test_nothing_that_was_read_is_kept(daemon, project, monkeypatch):
    """Policy, directory and environment are those of the moment, and of whoever asks."""
    asked = decide("github:close_issue", values={"number": 5})
    assert told(client.ask(asked))["kind"] == b"P"
    (project / "sluicegate.toml").write_text(POLICY + 'capabilities.deny = ["mcp:github:close_issue"]\n')
    assert told(client.ask(asked))["kind"] == b"D"
    other = project.parent / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert told(client.ask(asked))["kind"] == b"D", "what a session began under goes along"
    asked = decide("github:close_issue", session="another", values={"number": 5})
    assert told(client.ask(asked))["kind"] == b"P"
    monkeypatch.setenv("SLUICEGATE_STRICT", "1")
    assert told(client.ask(asked)) == told(answer(asked))
    assert told(client.ask(asked))["code"] == "policy"


def test_without_a_daemon_the_process_answers_by_itself(project, monkeypatch):
    begun: list[bool] = []
    monkeypatch.setattr(server, "begin", lambda: begun.append(True))
    assert client.ask(decide("github:list_issues")) is None
    assert client.is_permit(client.answered(decide("github:list_issues"), start=False))
    assert begun == []
    assert client.is_permit(client.answered(decide("github:list_issues")))
    assert begun == [True]


def _copies(of: int) -> list[int]:
    """The processes that a process has made and that still run."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = each.read_text().rpartition(")")[2].split()[:2]
        except OSError:  # it has ended since
            continue
        if int(parent) == of and state != "Z":
            found.append(int(each.parent.name))
    return found


@pytest.mark.parametrize("killed", ["copy", "daemon"])
def test_who_is_killed_in_the_middle_changes_no_answer(daemon, killed):
    """The copy waits for the session, which this process holds. Without it the hook answers by itself, and without the daemon
    the copy does."""
    asked = decide("github:list_issues")
    alone = told(answer(asked))
    (place,) = _place().parent.glob("sessions.db")
    with (
        contextlib.closing(sqlite3.connect(place, isolation_level=None)) as holder,
        ThreadPoolExecutor(1) as pool,
    ):
        holder.execute("BEGIN IMMEDIATE")
        waiting = pool.submit(client.answered, asked, start=False)
        while not (copies := _copies(daemon.pid)):
            assert not waiting.done()
            time.sleep(0.005)
        os.kill(copies[0] if killed == "copy" else daemon.pid, signal.SIGKILL)
        assert not waiting.done()
        holder.execute("ROLLBACK")
        assert told(waiting.result(60)) == alone


def test_a_hook_that_answers_by_itself_leaves_the_collector_as_it_was(project):
    for on in (True, False):
        (gc.enable if on else gc.disable)()
        try:
            assert client.is_permit(client.answered(decide("github:list_issues"), start=False))
            assert gc.isenabled() == on
            assert gc.get_freeze_count() == 0, "a host goes on after it"
        finally:
            gc.enable()


def test_a_hook_that_answers_by_itself_imports_no_extensions_of_typing_and_leaves_them_to_others(project):
    there = project.parent / "installed"
    there.mkdir()
    (there / "typing_extensions.py").write_text(
        "import inspect\nfrom typing import *\n_AnnotatedAlias = object\n"
    )
    program = f"""
import sys
from sluicegate.flow.daemon.client import answered, is_permit
assert is_permit(answered({decide("github:close_issue")!r}, start=False))
assert is_permit(answered({decide("sh", values={"code": "ls"})!r}, start=False))
assert not {{"typing_extensions", "inspect", "subprocess"}} & set(sys.modules), sorted(sys.modules)
import typing_extensions
print(typing_extensions.__file__)
"""
    given = {**os.environ, "PYTHONPATH": str(there)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=given, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (str(there / "typing_extensions.py"), "")


def test_what_begin_starts_answers(project):
    server.begin()
    process = server._started[-1]
    try:
        assert client.is_permit(client.answered(decide("github:list_issues"), start=False))
        while (reply := client.ask(decide("github:list_issues"))) is None:
            assert os.waitpid(process, os.WNOHANG) == (0, 0), "it has ended, and nobody will answer"
            time.sleep(0.005)
        assert client.is_permit(reply)
    finally:
        os.kill(process, 9)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)
        server._started.remove(process)


@pytest.mark.parametrize("what", ["open to others", "a link", "no directory"])
def test_a_directory_that_others_could_have_made_is_not_used(daemon, what):
    place = _place()
    assert client.ask(decide("github:list_issues")) is not None
    if what == "open to others":
        place.chmod(0o750)
    else:
        moved = place.with_name("moved")
        place.rename(moved)
        if what == "a link":
            place.symlink_to(moved)
        else:
            place.write_text("")
    assert client.ask(decide("github:list_issues")) is None


@as_another
def test_a_daemon_of_another_user_is_not_asked(project):
    """Even in a directory of ours, where nobody else could have put it."""
    place = _place()
    place.mkdir(parents=True, mode=0o700)
    descriptor = client.opened(str(place))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(client.path(descriptor))
        os.close(descriptor)
        program = """
import contextlib, os, socket, sys
os.setuid(65534)
listening = socket.socket(fileno=int(sys.argv[1]))
listening.listen()  # from here on the other end is who called this
print("listening", flush=True)
connection, _ = listening.accept()
with contextlib.suppress(OSError):  # who called may have gone
    connection.sendall((3).to_bytes(8, "big") + b"P{}")
    connection.recv(1)
"""
        with subprocess.Popen(
            [sys.executable, "-c", program, str(listening.fileno())],
            pass_fds=[listening.fileno()],
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout is not None and other.stdout.readline() == "listening\n"
            assert client.ask(decide("github:list_issues")) is None
            assert other.wait(30) == 0


def _connected() -> socket.socket:
    descriptor = client.opened(str(_place()))
    try:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(30)
        made.connect(client.path(descriptor))
    finally:
        os.close(descriptor)
    return made


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0" * 8,
        b"\xff" * 8,
        client.framed(b"no parts"),
        client.packed(()),
        client.packed((b"other code", b"/", decide("github:list_issues"))),
        client.packed((client.identity(), b"/no/such/place", decide("github:list_issues"))),
        client.packed((client.identity(), b"/", decide("github:list_issues"), b"HOME")),
        client.packed((client.identity(), b"/", decide("github:list_issues"), b"A=B", b"\0")),
        client.packed((client.identity(), b"/", decide("github:list_issues")))[:-1],
    ],
)
def test_what_is_no_request_gets_no_answer_and_ends_nothing(daemon, sent):
    with _connected() as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""
    assert client.ask(decide("github:list_issues")) is not None


def test_one_who_says_nothing_keeps_nobody_else_waiting(daemon):
    with _connected(), _connected():
        assert client.ask(decide("github:list_issues")) is not None


def test_another_release_or_another_python_is_not_answered(daemon, monkeypatch):
    monkeypatch.setattr(client, "PROTOCOL", "sluicegate daemon 0")
    assert client.ask(decide("github:list_issues")) is None


def test_one_daemon_listens(daemon):
    second = subprocess.run(
        [sys.executable, "-P", "-c", SERVE, "60"], stdout=subprocess.PIPE, cwd="/", text=True, check=True
    )
    assert second.stdout == ""
    assert client.ask(decide("github:list_issues")) is not None


def test_it_ends_when_nobody_asks(start):
    process = start(idle=0.01)
    assert process.wait(30) == 0
    assert list(_place().glob("*.sock")) == []
    assert start(idle=60).poll() is None  # the next one takes its place


def test_it_ends_when_its_code_has_changed(project):
    """In a process that takes a file of the project for code, since this package is not to be changed."""
    (project / "code.py").write_text("before")
    program = """
import sys
from sluicegate.flow.daemon import server
loaded = server.loaded
server.loaded = lambda: [*loaded(), sys.argv[1]]
sys.exit(server.serve())
"""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", program, str(project / "code.py")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "listening\n"
        assert client.ask(decide("github:list_issues")) is not None
        (project / "code.py").write_text("after")
        assert client.ask(decide("github:list_issues")) is None
        assert process.wait(30) == 0


def test_code_that_was_read_later_has_to_be_older(tmp_path):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text("")
    code = server.LoadedCode([str(old)])
    assert code.is_current([str(old)])
    new.write_text("")
    os.utime(new, ns=(0, 0))  # what a file says of itself does not help
    assert not code.is_current([str(new)])
    old.unlink()
    assert not code.is_current()


def test_a_home_elsewhere_has_no_daemon(monkeypatch):
    assert client.directory({"HOME": "/home/ada"}) == "/home/ada/.local/state/sluicegate/sessions/daemon"
    assert client.directory({"SLUICEGATE_KEYS_HOME": "/keys/"}) == "/keys/sessions/daemon"
    for environ in (
        {},
        {"HOME": "ada"},
        {"HOME": "/a", "XDG_STATE_HOME": "/s"},
        {"SLUICEGATE_KEYS_HOME": "k"},
    ):
        assert client.directory(environ) is None


def test_a_hook_imports_almost_nothing(daemon):
    """Of this package four modules, and of Python's nothing that takes a millisecond."""
    program = """
import sys
before = set(sys.modules)
from sluicegate.flow.daemon.client import answered, is_permit
request = b'{"ask":"decide","session":"chat","operation":"github:list_issues","values":{}}'
assert is_permit(answered(request))
print("\\n".join(sorted(set(sys.modules) - before)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True, env=dict(os.environ)
    )
    assert set(done.stdout.split()) <= {
        "__future__",
        "_socket",
        "binascii",
        "sluicegate",
        "sluicegate.flow",
        "sluicegate.flow.daemon",
        "sluicegate.flow.daemon.client",
    }


def test_a_copy_imports_nothing_more(project):
    """What the daemon has not imported, each request would pay for."""
    program = """
import json, sys
from sluicegate.flow.daemon import answers, server
server._rehearsed()
before = set(sys.modules)
for operation, values in json.loads(sys.argv[1]):
    asked = {"ask": "decide", "session": "chat", "operation": operation, "values": values}
    assert answers.answer(json.dumps(asked).encode())[:1] in (b"P", b"D")
    new = {name for name in set(sys.modules) - before if name.startswith(("sluicegate", "cryptography"))}
    assert not new, (operation, new)
"""
    operations = [
        ("github:list_issues", {"repo": "acme/site"}),
        ("read", {"path": "a.txt"}),
        ("write", {"path": "a.txt", "value": "x"}),
        ("sh", {"code": "git status && ls -la | grep x > out.txt"}),
        ("fetch", {"url": "https://host.example/"}),
    ]
    subprocess.run([sys.executable, "-c", program, json.dumps(operations)], check=True)


def test_the_socket_lies_where_no_operation_reaches(daemon):
    place = next(_place().glob("*.sock"))
    for operation, values in (("read", {"path": str(place)}), ("write", {"path": str(place), "value": ""})):
        reply = client.ask(decide(operation, values=values))
        assert told(reply)["code"] == "STATE_PROTECTED"


OTHER = 65534
AS_OTHER = """
import _socket, binascii, os, socket, sys  # here: another user may not be able to read where they are
from sluicegate.flow.daemon import client
descriptor = int(sys.argv[1])
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
made.settimeout(60)
try:
    made.connect(sys.argv[2] if descriptor < 0 else client.path(descriptor))
    made.sendall(sys.stdin.buffer.read())
    print("got", made.recv(1 << 16))
except OSError as error:
    print(type(error).__name__)
"""


def _asked_as_another(descriptor: int, place: str = "") -> str:
    """What somebody else gets who sends a whole and valid request: to an open directory, or to a path."""
    request = client.packed((client.identity(), os.getcwdb(), decide("github:list_issues")))
    kept = (descriptor,) if descriptor >= 0 else ()
    words = [sys.executable, "-P", "-c", AS_OTHER, str(descriptor), place]
    ran = subprocess.run(
        words, input=request, pass_fds=kept, capture_output=True, check=True, timeout=120, cwd=_place().parent
    )
    return ran.stdout.decode().strip()


@as_another
def test_another_user_does_not_reach_the_daemon(daemon, tmp_path):
    place = _place()
    (socket_of_ours,) = place.glob("*.sock")
    place.parent.chmod(0o711)  # the directory itself holds, whoever may go to it
    assert _asked_as_another(-1, f"{place.name}/{socket_of_ours.name}") == "PermissionError"
    place.parent.chmod(0o700)
    assert client.is_permit(client.answered(decide("github:list_issues"), start=False))


@as_another
def test_another_user_who_reaches_the_daemon_is_not_answered(daemon):
    """Through an open directory, to a socket that everybody may write: who asks is looked at all the same."""
    descriptor = client.opened(str(_place()))
    try:
        for socket_of_ours in _place().glob("*.sock"):
            assert _asked_as_another(descriptor) == "PermissionError"
            socket_of_ours.chmod(0o666)
        _place().chmod(0o711)
        assert _asked_as_another(descriptor) in ("got b''", "ConnectionResetError", "BrokenPipeError")
    finally:
        _place().chmod(0o700)
        os.close(descriptor)
    assert client.ask(decide("github:list_issues")) is not None  # and it listens on


PLANTED = """
import _socket, binascii, os, socket, sys
from pathlib import Path
from sluicegate.flow.daemon import client
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
os.umask(0)
place = Path(sys.argv[1])
place.mkdir(mode=int(sys.argv[2], 8))
descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listening.bind(client.path(descriptor))
listening.listen()
listening.settimeout(60)
print("listening", flush=True)
try:
    connection, _ = listening.accept()
    connection.sendall((3).to_bytes(8, "big") + b"P{}")
    print("asked", flush=True)
except OSError:
    pass
"""


@as_another
@pytest.mark.parametrize("mode", ["700", "777"])
def test_a_directory_that_another_user_planted_is_not_believed(project, mode):
    """Where somebody else could make it, since what is above was open: neither asked nor used for a daemon of ours."""
    place = _place()
    place.parent.mkdir(parents=True)
    place.parent.chmod(0o777)
    words = [sys.executable, "-P", "-c", PLANTED, place.name, mode]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=place.parent) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == "listening\n"
            assert place.stat().st_uid == OTHER
            assert client.ask(decide("github:list_issues")) is None
            found = answer(decide("chat:say", values={"text": "see https://evil.example/?k=1"}))
            assert not client.is_permit(found)
            assert server.serve(idle=0.01) == 2
        finally:
            other.kill()
        assert "asked" not in other.stdout.read()


@as_another
def test_a_daemon_of_root_is_not_asked_by_another_user(project, monkeypatch):
    """Nobody is believed for being root: who listens has to be who asks."""
    program = """
import _socket, binascii, os, sys
from sluicegate.flow.daemon import client
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
print(client.ask(b"{}"))
"""
    home = tempfile.TemporaryDirectory()
    monkeypatch.setenv("HOME", home.name)
    place = _place()
    place.mkdir(parents=True, mode=0o700)
    Path(home.name).chmod(0o711)
    descriptor = client.opened(str(place))
    with home, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(client.path(descriptor))
        os.close(descriptor)
        listening.listen()
        listening.setblocking(False)
        for owned in (place, *place.glob("*.sock")):
            os.chown(owned, OTHER, OTHER)
        ran = subprocess.run(
            [sys.executable, "-P", "-c", program], capture_output=True, check=True, timeout=120
        )
        assert ran.stdout == b"None\n"
        connection, _ = listening.accept()  # it came, looked who listens, and told nothing
        with connection:
            connection.setblocking(True)
            connection.settimeout(60)
            assert connection.recv(1) == b""
