"""A machine for tests: a file system in memory with programs in it, and short ways to look at a command."""

from __future__ import annotations

from sluicegate.flow.operations import (
    CommandStage,
    Filled,
    Operation,
    PathEntry,
    Programs,
    command,
    fill,
    to_requests,
)
from sluicegate.flow.policy.request import Request

CWD = "/work/project"
PROGRAMS = """
pip tsc pytest command pyenv sops perf run-parts
apt-get at awk bash busybox bwrap bzip2 cat chmod chroot chrt cmake cp crontab curl dash date dd diff docker doas dpkg
echo ed env ex expr fd find fish flock frobnicate fzf gawk gcc gdb git go grep gzip head hg hyperfine id install ionice
jq kill ksh kubectl less ln ls make man mkdir more mv mysql nano nc ncat nice node nohup npm npx nsenter nvim openssl
parallel perl php pip pipx podman printf prlimit proxychains psql pwsh python3 rg rm rsync ruby scp screen script sed setarch
setpriv fakeroot setsid 7z axel bsdtar cpio envdir aws gh rustup terraform file gpg http ip logsave lynx
make mlr nvim patch pnpm run-one runcon sftp tini tree ugrep valgrind w3m wc xmllint xz yarn chronic du install rsync sftp sg sh shred sort socat split sqlite3 ssh ssh-keygen sshpass stdbuf strace su sudo systemd-run tail tar taskset tee test
time timeout tmux touch toybox true unshare uv uvx vi view vim watch wget xargs yq zip zsh [ mawk nsenter runuser tee xxd
""".split()


class Memory:
    """A file system: paths of files with their content, links with their target; directories follow from them."""

    def __init__(
        self, files: dict[str, str], links: dict[str, str] | None = None, *, plain: tuple[str, ...] = ()
    ):
        self.files = files
        self.links = links or {}
        self.plain = set(plain)  # files that cannot be executed
        self.shared: set[str] = set()  # files that everyone can write
        self.directories = {"/"}
        for path in (*files, *self.links):
            while path := path.rpartition("/")[0]:
                self.directories.add(path)

    def entry(self, path: str) -> PathEntry | None:
        inode = abs(hash(path)) + 1
        mode = 0o757 if path in self.shared else 0o644 if path in self.plain else 0o755
        if path in self.links:
            return PathEntry("link", 0o777, 1, inode, 1)
        if path in self.files:
            return PathEntry("file", mode, 1, inode, 1, (1, inode, len(self.files[path])))
        return PathEntry("directory", mode, 1, inode, 2) if path in self.directories else None

    def target(self, path: str) -> str | None:
        return self.links.get(path)

    def names(self, path: str) -> tuple[str, ...]:
        base = path.rstrip("/") + "/"
        every = (*self.files, *self.links, *self.directories)
        return tuple(
            {each[len(base) :].partition("/")[0] for each in every if each.startswith(base) and each != base}
        )

    def head(self, path: str, count: int) -> bytes:
        return self.files.get(path, "").encode()[:count]


def memory() -> Memory:
    """A machine with the usual programs, a project with some files, and links that lead out of it."""
    files = {f"/usr/bin/{name}": "\x7fELF" for name in PROGRAMS}
    files |= {
        "/usr/lib/ld-linux-x86-64.so.2": "\x7fELF",
        f"{CWD}/echo": "#!/bin/sh\nrm -rf /\n",
        f"{CWD}/tool.py": "#!/usr/bin/env python3\n",
        f"{CWD}/notes.md": "text",
        f"{CWD}/src/a.py": "text",
        f"{CWD}/.env": "KEY=1",
        "/etc/passwd": "root",
        "/home/user/.ssh/id_rsa": "key",
    }
    links = {
        f"{CWD}/git": "/usr/bin/rm",
        f"{CWD}/ls": "/usr/bin/busybox",
        f"{CWD}/out": "/etc",
        f"{CWD}/key.pem": "/home/user/.ssh/id_rsa",
        f"{CWD}/loop": "loop",
        "/usr/bin/editor": "/usr/bin/nano",
        "/usr/bin/vim.link": "vim",
        "/bin": "/usr/bin",
        "/proc/self": "/proc/77",
        "/proc/77/root": "/",
        "/proc/77/cwd": CWD,
        "/dev/fd": "/proc/self/fd",
    }
    return Memory(files, links, plain=(f"{CWD}/notes.md", "/etc/passwd"))


MACHINE = memory()
HERE = Programs(untrusted=("/work", "/tmp", "/home"), lookups=MACHINE)


def operation(
    text: str, values: dict[str, object] | None = None, *, labels: tuple[str, ...] = ()
) -> Operation:
    """The operation of a command of one stage."""
    (found,) = command(text, programs=HERE, cwd=CWD, labels=labels).operations(values or {})
    return found


def stage(text: str) -> CommandStage:
    """The one stage of a command."""
    found = operation_of(text).stage
    assert found is not None
    return found


def operation_of(text: str) -> Operation:
    """The operation of a command, its holes filled with their own names."""
    defined = command(text, programs=HERE, cwd=CWD)
    (found,) = defined.operations({name: name for name in defined.template.holes})
    return found


def filled(text: str, **values: object) -> Filled:
    """A command with plain values."""
    return fill(operation(text, values), lambda value: value)


def argv(text: str, **values: object) -> tuple[str, ...]:
    """The arguments of a command with plain values."""
    return filled(text, **values).argv


def requests(text: str, **values: object) -> tuple[Request, ...]:
    """What policy is asked about a command with plain values."""
    found = operation(text, values)
    return to_requests(found, filled=fill(found, lambda value: value), lookups=MACHINE)


def starts(text: str, **values: object) -> list[str]:
    """What a command does: the names of the programs it starts, and ``kind!`` for code that is not read."""
    return [each.command.basename if each.command else f"{each.kind}!" for each in requests(text, **values)]
