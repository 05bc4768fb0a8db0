"""The sandbox, by what is tried in it: each test is an attempt to get out, and a look at what came of it."""

import os
import socket
import threading
from pathlib import Path

import pytest
from env_support import LIBRARY, PYTHON, Runs, needs_bubblewrap, needs_landlock

from sluicegate.flow.environments.errors import EnvironmentConfigError
from sluicegate.flow.environments.launch import carry
from sluicegate.flow.environments.providers import sandbox as sandbox_module

pytestmark = needs_bubblewrap


def test_only_what_is_granted_can_be_seen(sandbox: Runs, tmp_path: Path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "a").write_text("granted")
    (tmp_path / "kept").write_text("not granted")
    done = sandbox("sh", "-c", "ls /; cat /app/a; ls /app /tmp /run", fs={"read": ["given:/app"]})
    top, _, rest = done.stdout.decode().partition("granted")
    assert set(top.split()) <= {
        "app", "bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "tmp", "usr", "var",
        LIBRARY.split("/")[1],
    }  # fmt: skip
    assert rest.split() == ["/app:", "a", "/run:", "/tmp:"]
    assert b"not granted" not in sandbox("cat", str(tmp_path / "kept")).stdout


@pytest.mark.parametrize(
    "path", ["/etc/shadow", "/etc/ssl/private", "/home", "/root/.ssh", "/var/log", "/sys", "/boot"]
)
def test_places_of_the_host_are_not_there(sandbox: Runs, path: str):
    assert sandbox("test", "-e", path).codes == (1,)


def test_no_file_outside_a_written_root_can_be_written(sandbox: Runs, tmp_path: Path):
    (tmp_path / "read").mkdir()
    (tmp_path / "read" / "file").write_text("as it was")
    (tmp_path / "write").mkdir()
    attempts = [
        "/x", "/etc/x", "/usr/x", "/usr/bin/env", "/dev/x", "/dev/null/x", "/run/x", "/var/x", "/r/file", "/r/new",
        "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/mem/x", f"{LIBRARY}/x", "/etc/passwd",
    ]  # fmt: skip
    code = """
import os, sys
for path in sys.argv[1:]:
    for how in (os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_TRUNC, os.O_RDWR):
        try:
            os.open(path, how)
            print("opened", path)
        except OSError:
            pass
    for act in (os.unlink, os.rmdir, os.mkdir, lambda p: os.symlink("/", p), lambda p: os.rename(p, "/w/moved")):
        try:
            act(path)
            print("done", path)
        except OSError:
            pass
open("/w/inside", "w").write("fine")
"""
    files = {"read": ["read:/r"], "write": ["write:/w"]}
    assert sandbox.says(code, *attempts, fs=files) == ""
    assert (tmp_path / "read" / "file").read_text() == "as it was"
    assert [p.name for p in (tmp_path / "write").iterdir()] == ["inside"]


def test_landlock_stands_where_a_mount_would_not(sandbox: Runs, tmp_path: Path):
    """/dev/shm and /tmp may be written; a place that the mounts would allow and the grants do not, may not."""
    (tmp_path / "w").mkdir()
    code = "open('/proc/self/comm', 'w').write('x')"
    done = sandbox.python(code, fs={"write": ["w"]})
    assert done.codes == (1,)
    assert b"Permission denied" in done.stderr


def test_a_link_in_a_root_leads_nowhere_outside(sandbox: Runs, tmp_path: Path):
    (tmp_path / "secret").write_text("not yours")
    root = tmp_path / "root"
    root.mkdir()
    (root / "file").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to("/")
    (root / "up").symlink_to("../../../..")
    done = sandbox(
        "sh", "-c", f"cat file; cat folder{tmp_path}/secret; cat up{tmp_path}/secret; echo x > file; ls ..",
        fs={"write": ["root"]}, cwd=str(root),
    )  # fmt: skip
    assert b"not yours" not in done.stdout
    assert (tmp_path / "secret").read_text() == "not yours"


def test_a_root_that_was_replaced_by_a_link_is_refused(sandbox: Runs, tmp_path: Path):
    """The first command may write the outer root, and puts a link where the inner one is for the next command."""
    from sluicegate.flow.environments.configuration.reading import read_environment
    from sluicegate.flow.environments.run.command import Command, Stage

    (tmp_path / "outer" / "a" / "inner").mkdir(parents=True)
    (tmp_path / "target" / "inner").mkdir(parents=True)
    provider = sandbox.provider()
    outer = provider.create(read_environment({"fs": {"write": ["outer"]}}, base=tmp_path))
    inner = provider.create(read_environment({"fs": {"write": ["outer/a/inner"]}}, base=tmp_path))
    swap = Command(
        stages=(
            Stage(argv=("sh", "-c", f"mv a b && ln -s {tmp_path}/target a"), cwd=str(tmp_path / "outer")),
        )
    )
    assert provider.execute(outer, swap).codes == (0,)
    with pytest.raises(EnvironmentConfigError, match="replaced by a link"):
        provider.execute(inner, Command(stages=(Stage(argv=("touch", f"{tmp_path}/outer/a/inner/x")),)))


def test_a_read_root_in_a_written_one_stays_as_it_is_and_where_it_is(sandbox: Runs, tmp_path: Path):
    (tmp_path / "w" / "a" / "b" / "kept").mkdir(parents=True)
    (tmp_path / "w" / "a" / "b" / "kept" / "file").write_text("as it was")
    files = {"write": ["w:/w"], "read": ["w/a/b/kept:/w/a/b/kept"]}
    code = """
import os, shutil
for path in ("a/b/kept", "a/b", "a"):
    try:
        os.rename(path, "gone")
        print("moved", path)
    except OSError:
        pass
shutil.rmtree("a", ignore_errors=True)
try:
    open("a/b/kept/file", "w")
except OSError:
    pass
os.mkdir("a/b/mine")
"""
    assert sandbox.says(code, fs=files, cwd="/w") == ""
    assert (tmp_path / "w" / "a" / "b" / "kept" / "file").read_text() == "as it was"
    assert (tmp_path / "w" / "a" / "b" / "mine").is_dir()


def test_the_first_process_leads_nowhere(sandbox: Runs):
    code = """
import os
processes = [p for p in os.listdir("/proc") if p.isdigit()]
print(len(processes), [open(f"/proc/{p}/cmdline").read().split(chr(0))[0].split("/")[-1][:6] for p in processes])
for way in ("/proc/1/root", "/proc/1/cwd", "/proc/self/root"):
    try:
        os.chdir(way)
        os.chdir("../../../../../..")
    except OSError:
        pass
    print(os.path.exists("home"), os.path.exists(f"{way}/home"))
"""
    lines = sandbox.says(code).splitlines()
    assert lines == ["2 ['bwrap', 'python']", *["False False"] * 3]


def test_no_process_of_the_host_can_be_signalled(sandbox: Runs):
    code = "import os, sys\ntry:\n    os.kill(int(sys.argv[1]), 0)\n    print('reached')\nexcept OSError as e:\n    print(e.errno)"
    assert sandbox.says(code, str(os.getpid())) in ("3", "1")


def test_nothing_can_be_gained(sandbox: Runs):
    status = sandbox("cat", "/proc/self/status").stdout.decode()
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {facts[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
    assert sandbox("id", "-u").stdout == b"1000\n"
    assert sandbox("find", "/", "-xdev", "-writable", "-not", "-type", "l").stdout == b"/tmp\n"


def test_environment_of_this_process_stays_here(sandbox: Runs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SLUICEGATE_TEST_SECRET", "do-not-leak")
    code = """
import os
print(sorted(os.environ))
for process in os.listdir("/proc"):
    try:
        assert b"do-not-leak" not in open(f"/proc/{process}/environ", "rb").read()
    except OSError:
        pass
"""
    assert sandbox.says(code) == str(["HOME", "LANG", "PATH"])


def test_no_descriptor_of_this_process_is_inherited(sandbox: Runs, tmp_path: Path):
    (tmp_path / "open").write_text("secret")
    with open(tmp_path / "open") as file:
        os.set_inheritable(file.fileno(), True)
        seen = sandbox.says("import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert seen == "[0, 1, 2, 3]"  # the fourth is that of the listing itself


def test_stages_see_nothing_of_each_other(sandbox: Runs):
    script = "cat /proc/*/environ; ls /tmp; cat"
    done = sandbox(
        "sh",
        "-c",
        "touch /tmp/mine; echo out",
        secrets={"TOKEN": b"of-stage-one"},
        then=(("sh", "-c", script),),
    )
    assert b"of-stage-one" not in done.stdout
    assert b"mine" not in done.stdout
    assert done.stdout.endswith(b"out\n")


@needs_landlock
@pytest.mark.parametrize(("net", "reached"), [("none", []), ("host", ["tcp", "udp"])])
def test_network_is_reached_only_if_granted(sandbox: Runs, net: str, reached: list[str]):
    """Real servers on this machine's loopback, over TCP and UDP, and an abstract unix socket, which never answers."""
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    udp.settimeout(60)
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0sluicegate-{os.getpid()}")
    abstract.listen()

    def answer() -> None:
        try:
            _, address = udp.recvfrom(10)
            udp.sendto(b"pong", address)
        except OSError:
            pass

    answering = threading.Thread(target=answer)
    answering.start()
    code = """
import socket, sys
def attempt(name, family, kind, address, exchange):
    try:
        with socket.socket(family, kind) as s:
            s.settimeout(60)  # whom nothing answers is told at once
            s.connect(address)
            if exchange:
                s.send(b"ping")
                s.recv(10)
            print(name)
    except OSError:
        pass
attempt("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(sys.argv[1])), False)
attempt("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(sys.argv[2])), True)
attempt("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\\0" + sys.argv[3], False)
"""
    try:
        ports = (str(tcp.getsockname()[1]), str(udp.getsockname()[1]))
        assert sandbox.says(code, *ports, f"sluicegate-{os.getpid()}", net=net).split() == reached
    finally:
        udp.sendto(b"", udp.getsockname())
        answering.join()
        for opened in (tcp, udp, abstract):
            opened.close()


@pytest.mark.parametrize(("net", "open_families"), [("none", "1"), ("host", "1 2 10 16")])
def test_families_of_sockets(sandbox: Runs, net: str, open_families: str):
    code = """
import socket
for family in range(1, 46):
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET, socket.SOCK_STREAM):
        try:
            socket.socket(family, kind, 0).close()
        except OSError as error:
            continue
        print(family)
        break
"""
    assert sandbox.says(code, net=net).split() == open_families.split()


def test_names_are_not_resolved_without_a_network(sandbox: Runs):
    code = "import socket\ntry:\n    print(socket.getaddrinfo('example.org', 80))\nexcept OSError:\n    print('no')"
    assert sandbox.says(code) == "no"


def test_a_socket_in_the_file_system_is_not_reached_outside_a_root(
    sandbox: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)
        server.bind("s")
        server.listen()
        code = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\nprint(s.connect_ex(sys.argv[1]) != 0)"
        assert sandbox.says(code, str(tmp_path / "s")) == "True"


CALLS = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    print(name, errno.errorcode.get(ctypes.get_errno()) if result < 0 else "done")
"""


def test_calls_that_climb_walls_are_refused(sandbox: Runs):
    from sluicegate.flow.environments.confinement.seccomp import ABSENT, REFUSED, this_machine
    from sluicegate.flow.environments.confinement.syscalls import MACHINES

    numbers = MACHINES[this_machine()].numbers
    code = CALLS + "".join(
        f"call({n!r}, {numbers[n]}, 0, 0, 0, 0, 0)\n" for n in (*REFUSED, *ABSENT) if n in numbers
    )
    code += f"""
call("namespace", {numbers["clone"]}, 0x10000000 | 17, 0, 0, 0, 0)
call("type", {numbers["ioctl"]}, 0, 0x5412, b"x")
call("type64", {numbers["ioctl"]}, 0, ctypes.c_ulong(0x1_0000_5412), b"x")
call("randomize", {numbers["personality"]}, 0x0040000)
call("which", {numbers["personality"]}, 0xFFFFFFFF)
call("new", 480, 0)
"""
    said = dict(line.split() for line in sandbox.says(code).splitlines())
    assert {said[name] for name in REFUSED if name in numbers} == {"EPERM"}
    assert {said[name] for name in ABSENT if name in numbers} == {"ENOSYS"}
    assert said["namespace"] == said["type"] == said["type64"] == said["randomize"] == "EPERM"
    assert (said["which"], said["new"]) == ("done", "ENOSYS")


def test_no_file_that_lends_this_user_can_be_left_behind(sandbox: Runs, tmp_path: Path):
    (tmp_path / "w").mkdir()
    script = "cp /bin/sh s; chmod u+s s; chmod 6755 s; chmod 0755 s; install -m 4755 /bin/sh t; perl -e 'sysopen(F, \"u\", 65, 04755)'; ls"
    sandbox("sh", "-c", script, fs={"write": ["w:/w"]}, cwd="/w")
    modes = {f.name: f.stat().st_mode & 0o7777 for f in (tmp_path / "w").iterdir()}
    assert modes["s"] == 0o755
    assert not any(mode & 0o6000 for mode in modes.values())


def test_a_stage_cannot_read_the_errors_of_another(sandbox: Runs):
    """A pipe that two stages write into could be opened for reading by either, through /proc."""
    first = "echo of-stage-one >&2; sleep 0.2"
    second = "timeout 0.1 cat /proc/self/fd/2; cat"
    done = sandbox("sh", "-c", first, then=(("sh", "-c", second),))
    assert b"of-stage-one" in done.stderr
    assert b"of-stage-one" not in done.stdout


def test_the_interpreter_of_the_launcher_cannot_be_changed_or_moved(
    sandbox: Runs, tmp_path: Path, monkeypatch
):
    """Here one in a written root: what a command puts there would run next, before the walls."""
    home = tmp_path / "versions" / "x"
    (home / "lib").mkdir(parents=True)
    monkeypatch.setattr(carry, "interpreter", lambda: (PYTHON, LIBRARY))
    monkeypatch.setattr(sandbox_module, "interpreter", lambda: [LIBRARY, str(home)])
    code = """
import os
for act in (lambda: open("x/lib/os.py", "w"), lambda: os.rename("x", "y"), lambda: os.rename("../versions", "../old")):
    try:
        act()
        print("done")
    except OSError:
        pass
"""
    assert sandbox.says(code, fs={"write": ["."]}, cwd=f"{tmp_path}/versions") == ""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 is of x86-64")
def test_a_foreign_calling_convention_ends_the_process(sandbox: Runs):
    done = sandbox.python(CALLS + "call('getpid', 0x40000000 | 39)")
    assert done.codes == (128 + 31,)  # SIGSYS


@pytest.mark.parametrize(
    "root",
    ["/", "/proc", "/proc/1", "/sys", "/dev", "/dev/shm", "/run", ".:/", ".:/usr/x", ".:/proc", ".:/etc"],
)
def test_roots_with_which_a_sandbox_would_be_none(sandbox: Runs, root: str):
    for kind in ("read", "write"):
        with pytest.raises(EnvironmentConfigError):
            sandbox("true", fs={kind: [root]})
