"""Reading a Git repository without letting it act.

Nothing is checked out: objects are fetched into a bare repository and read as they are, so that hooks,
filters, attributes, submodules and links of the repository never run or resolve. Protocols are https and
ssh alone, and prompts are off (see ``git``). Hosts are held to the rules of downloads: no private address, also
after redirects, and one deadline for all of it. Over https git is given the address that was checked. ``ssh`` reads
the user's own configuration, so that a name which is not a host of the network is left to it.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake import names
from sluicegate.vet.intake.budget import Budget, Member, Note
from sluicegate.vet.intake.deadline import SECONDS, Clock, Deadline
from sluicegate.vet.intake.download import checked_addresses, private_address, repository_url
from sluicegate.vet.intake.limits import Limits, too_large
from sluicegate.vet.intake.repositories import git
from sluicegate.vet.intake.targets import Repository
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import GapReason

_POLL = 0.05
_LINK_BYTES = 4096
_MISSING = "the repository does not hold its content"
_RECODED = lazy(rb"(?i)working-tree-encoding=(?!\s|utf-?(?:8|16|32)(?:le|be)?(?:-bom)?(?:\s|$))")
_RECODES = Note(
    gap=GapReason.OPAQUE, detail="a checkout writes files in another encoding than they are kept in here"
)
""".gitattributes can make a text of harmless letters a text of others. Between the forms of Unicode nothing changes."""


def fetch(
    repository: Repository,
    folder: Path,
    limits: Limits,
    *,
    within: float = SECONDS,
    clock: Clock = time.monotonic,
    local: bool = False,
    private: bool = False,
    context: ssl.SSLContext | None = None,
) -> None:
    """Fetch one commit of the repository into the bare repository ``folder``, ``within`` so many seconds.

    Raises SourceError. ``local``, ``private`` and ``context`` let tests fetch from this machine; nothing a user can say
    sets them.
    """
    deadline = Deadline(within, clock)
    url, pinned = _checked(repository.url, deadline, private=private or local, context=context)
    git.run(["git", "init", "--quiet", "--bare", "--template=", "--", str(folder)])
    wanted = repository.ref or "HEAD"
    options = ("--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-gc", "--quiet")
    command = git.command(folder, "fetch", *options, "--", url, wanted, local=local, more=pinned)
    with git.running(command, protocols="https:ssh:file" if local else "https:ssh") as process:
        while True:
            try:
                _, errors = process.communicate(timeout=_POLL)
                break
            except subprocess.TimeoutExpired:
                deadline.left(_POLL)
                _bounded(folder, limits)
    _bounded(folder, limits)
    if process.returncode != 0:
        said = " ".join(errors.decode("utf-8", "replace").split())[-500:]
        hint = (
            "A branch with a slash is given as URL@branch#folder."
            if "couldn't find remote ref" in said
            else "Check the URL, and that git can fetch it without asking for anything."
        )
        raise SourceError(f"cannot fetch {repository.url}: {said}", hint=hint)


def _checked(
    url: str, deadline: Deadline, *, private: bool, context: ssl.SSLContext | None
) -> tuple[str, tuple[str, ...]]:
    """The URL to fetch from, after redirects, and the settings that hold git to its checked addresses.

    Raises SourceError for a host at a private address.
    """
    if url.startswith("https://") and not _proxied():
        url = repository_url(url, deadline, private=private, context=context)
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 443
        addresses = ",".join(checked_addresses(host, port, private=private))
        return url, (f"http.curloptResolve={host}:{port}:{addresses}",)
    host, port = _host(url)
    address = None if private or not host else private_address(host, port)
    if address is not None:
        hint = "Clone it yourself and scan the folder."
        raise SourceError(f"{host} is at the private address {address}", hint=hint)
    return url, ()


def _proxied() -> bool:
    """Whether git is to ask a proxy, which alone resolves names then."""
    return any(key.lower() == "https_proxy" and value for key, value in os.environ.items())


def _host(url: str) -> tuple[str, int]:
    """The host and port of a URL, or of ``user@host:path``."""
    if "://" in url:
        parts = urlsplit(url)
        return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 22)
    host = url.partition("@")[2] or url
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]), 22


def _bounded(folder: Path, limits: Limits) -> None:
    size = 0
    for inside, _, files in os.walk(folder):
        for name in files:
            try:
                size += os.lstat(os.path.join(inside, name)).st_size  # noqa: PTH118
            except FileNotFoundError:
                continue  # git renames what it has finished
    if size > limits.download_bytes:
        raise too_large("the repository", limits)


def holds(folder: Path, commit: str, path: str) -> bool:
    """Whether a commit has something at ``path``."""
    try:
        git.run(git.command(folder, "cat-file", "-e", f"{commit}:{path}"))
    except SourceError:
        return False
    return True


def tree(
    repository: Repository, folder: Path, budget: Budget, limits: Limits, *, commit: str = "FETCH_HEAD"
) -> Iterator[Member]:
    """The files of a commit (the fetched one), below the wanted folder, as members. Raises SourceError."""
    listed = git.run(git.command(folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit), 256 << 20)
    wanted = repository.folder.encode()
    command = git.command(folder, "cat-file", "--batch")
    with git.running(command, stdin=subprocess.PIPE) as process:
        found = False
        for line in listed.split(b"\0"):
            if not line:
                continue
            header, _, raw = line.partition(b"\t")
            if raw == b".gitattributes" or raw.endswith(b"/.gitattributes"):
                yield from _recoding(header.split(), process, limits)
            if wanted and raw != wanted and not raw.startswith(wanted + b"/"):
                continue
            found = True
            inner = (
                raw[len(wanted) + 1 :]
                if wanted and raw != wanted
                else raw.rpartition(b"/")[2]
                if wanted
                else raw
            )
            yield _member(header.split(), inner, process, budget, limits)
    if wanted and not found:
        raise SourceError(f"the repository has no {repository.folder}")


def _member(
    header: list[bytes], raw: bytes, process: subprocess.Popen[bytes], budget: Budget, limits: Limits
) -> Member:
    named = names.member(raw)
    notes = tuple(Note(anomaly=kind, detail=detail) for kind, detail in named.oddities)
    mode, kind, name, size = header
    if kind != b"blob":
        note = Note(gap=GapReason.OPAQUE, detail="a submodule, which was not fetched")
        return Member(name=named.path, notes=(*notes, note))
    if not size.isdigit():  # git says BAD of an object that is not there
        note = Note(gap=GapReason.UNREADABLE, detail=_MISSING)
        return Member(name=named.path, notes=(*notes, note))
    length = int(size)
    refusal = budget.refusal()
    if refusal is None and length > min(limits.file_bytes, budget.bytes):
        refusal = Note(gap=GapReason.TOO_LARGE, detail="too large to be read from the repository")
    if refusal is not None:
        return Member(name=named.path, notes=(*notes, refusal))
    data = _blob(process, name, length)
    if data is None:
        note = Note(gap=GapReason.UNREADABLE, detail=_MISSING)
        return Member(name=named.path, notes=(*notes, note))
    if mode == b"120000":
        target = names.readable(data[:_LINK_BYTES])
        if len(data) > _LINK_BYTES or not names.plain_target(target):
            notes = (*notes, names.WORDY_LINK)
        return Member(name=named.path, link=target, notes=notes)
    return Member(name=named.path, data=data, mode=int(mode, 8) & 0o777, notes=notes)


def _recoding(header: list[bytes], process: subprocess.Popen[bytes], limits: Limits) -> Iterator[Member]:
    """What the attributes of any folder say of encodings concerns the whole repository."""
    length = int(header[3]) if header[1] == b"blob" and header[3].isdigit() else 0
    data = _blob(process, header[2], length) if 0 < length <= limits.file_bytes else b""
    if data is None or _RECODED.search(data):
        yield Member(name="", notes=(_RECODES,))


def _blob(process: subprocess.Popen[bytes], name: bytes, length: int) -> bytes | None:
    if process.stdin is None or process.stdout is None:
        return None
    try:
        process.stdin.write(name + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        return None
    answer = process.stdout.readline(256).split()
    if len(answer) != 3 or answer[1] != b"blob" or int(answer[2]) != length:
        return None
    data = process.stdout.read(length)
    process.stdout.read(1)
    return data if len(data) == length else None
