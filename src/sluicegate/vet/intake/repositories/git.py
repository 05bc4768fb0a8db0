"""The one way in which git is run: it acts on nobody's word but ours.

No configuration of the user or the machine is read. What the configuration of a repository names is switched off:
hooks, filters, monitors, helpers, protocols. Nor is it believed where it speaks of history: replaced objects, grafts,
the commit graph. ``git`` runs in a process group of its own that ends with us. A repository is named by its
directory (``--git-dir``), so that git does not ask whose it is: nothing of it can run.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sluicegate.vet.errors import SourceError

_SETTINGS = (
    "protocol.allow=never", "protocol.https.allow=always", "protocol.ssh.allow=always",
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.bigFileThreshold=16m", "core.symlinks=false",
    "credential.helper=", "core.askPass=/bin/true", "core.sshCommand=ssh -o BatchMode=yes", "gc.auto=0",
    "maintenance.auto=false", "submodule.recurse=false", "fetch.recurseSubmodules=false",
    "fetch.unpackLimit=1", "transfer.unpackLimit=1", "transfer.fsckObjects=false", "filter.lfs.smudge=",
    "filter.lfs.process=", "http.followRedirects=false", "init.defaultBranch=none",
    "core.commitGraph=false", "advice.graftFileDeprecated=false",
)  # fmt: skip


def _environment(protocols: str) -> dict[str, str]:
    """``protocols`` are those that may be spoken, whatever a repository's own configuration allows."""
    kept = {
        key: os.environ[key]
        for key in ("PATH", "HOME", "SSH_AUTH_SOCK", "SSL_CERT_FILE")
        if key in os.environ
    }
    proxies = {key: value for key, value in os.environ.items() if key.lower() in ("https_proxy", "no_proxy")}
    return {
        **kept,
        **proxies,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/true",
        "SSH_ASKPASS": "/bin/true",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_OPTIONAL_LOCKS": "0",
    }


def command(folder: Path, *arguments: str, local: bool = False, more: tuple[str, ...] = ()) -> list[str]:
    """The words that ask the repository in ``folder``; ``more`` settings, ``local``: paths are protocols, too."""
    settings = [*_SETTINGS, *more, *(["protocol.file.allow=always"] if local else [])]
    flags = [word for setting in settings for word in ("-c", setting)]
    return ["git", *flags, f"--git-dir={folder}", *arguments]


@contextmanager
def running(
    words: list[str], *, stdin: int = subprocess.DEVNULL, protocols: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """A git process that is gone, with its children, when the block is left in whichever way."""
    try:
        process = subprocess.Popen(  # noqa: S603
            words,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
            env=_environment(protocols),
            process_group=0,
        )
    except FileNotFoundError:
        hint = "Install git; folders, files and archives can be scanned without it."
        raise SourceError("git is not installed", hint=hint) from None
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()


class GitRefused(SourceError):
    """Git did not do what it was asked; ``said`` is why, empty where it says nothing."""

    def __init__(self, said: str) -> None:
        super().__init__(f"git failed: {said}" if said else "git failed and did not say why")
        self.said = said


def run(words: list[str], most: int = 1 << 16) -> bytes:
    """What a command prints, at most ``most`` bytes. Raises Refused when it fails, SourceError when it prints more."""
    with running(words) as process:
        if process.stdout is None:
            raise SourceError("git gave no output")
        printed = process.stdout.read(most + 1)
        if len(printed) > most:
            raise SourceError("the repository lists more files than can be read")
        _, errors = process.communicate()
    if process.returncode != 0:
        raise GitRefused(" ".join(errors.decode("utf-8", "replace").split())[-500:])
    return printed


def ask(store: Path, *arguments: str, most: int = 1 << 16) -> bytes:
    """What git says of a repository of the user's, whose configuration may be anybody's. Raises SourceError."""
    return run(command(store, *arguments), most)


def make(folder: Path, form: str) -> None:
    """Make an empty repository that names objects by the hash ``form``. Raises SourceError."""
    run(["git", "init", "--quiet", "--bare", "--template=", f"--object-format={form}", "--", str(folder)])
