"""What a command changed that another process ran, told by the times of files.

The runner of an agent runs its commands itself: we are asked before and told after, and see neither its system calls nor a
sandbox. Where code runs that names nothing, any file of the project may be changed (a ``pending`` spread). What was changed is
found when it is over:

1. Before: the folders of the place are listed, and the moment is kept by the clock of the files.
2. After: what has a ctime from then on was changed, and so was all in a folder that came there since (``environments.changes.effects``).
   No program can set that time. Whatever anybody else changed meanwhile counts as the command's.
3. Each file that was changed is remembered with the labels of the command, and names that were made too. Then the spread is
   narrowed to them. A file of the project's own code counts as written, as if it had been named: who runs it runs what came of
   a stranger's words. What is derived (caches, what the repository ignores) has the labels alone, or nothing that ran once could
   run again.
4. The spread stays, and counts for every file, until the permit is settled or over; while something that was started since runs in
   the place, or came from there; and where times do not tell: too many files, a file system of another machine, a clock that
   was set, no Linux. What such a thing has changed by the time of the telling is remembered all the same.

A person who has looked at the files ends a spread that stays (``sluicegate vouch``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Final

import msgspec

from sluicegate.flow.environments.changes import effects
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.effects.files import FileWriter, is_name_alone, remember_file
from sluicegate.flow.monitor.parts import Parts
from sluicegate.known.ignored_files import ignored_names
from sluicegate.record.errors import RecordError
from sluicegate.record.files.contents import lies_in
from sluicegate.record.files.files import FileLabels
from sluicegate.record.work_tree import work_tree
from sluicegate.tuples import NamedTuple

_MOST_CHANGED: Final = 5_000
"""Files of one command that are remembered one by one; of more, the folders at the top of the place."""
_OPEN: Final = 0  # the state of a permit (``session.store``)
_DERIVED: Final = frozenset(
    "__pycache__ node_modules target dist build out site-packages venv coverage".split()
)
_CODE: Final = frozenset(
    ".py .pyw .pyx .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .sh .bash .zsh .fish .ps1 .bat .cmd .rb .pl .pm .php .lua .tcl"
    " .go .rs .c .h .cc .cpp .hpp .cs .java .kt .kts .scala .groovy .gradle .swift .m .ex .exs .erl .hs .ml .clj .r .jl .sql"
    " .mk .cmake .nix .ipynb .toml .cfg .ini .yml .yaml".split()
)


class RunElsewhere(NamedTuple):
    """A command that another process runs, as it is kept until it is known what it changed. ``ahead``: how far the clock was ahead of the
    time since the start of the machine (ns). ``began``: when it was permitted, from the start of the machine (ns)."""

    session: str
    number: int
    spread: str
    place: str
    since: int
    ahead: int
    began: int
    labels: tuple[str, ...]
    writer: str
    folders: Mapping[str, tuple[int, int]]


_packed = msgspec.msgpack.Encoder()
_unpacked = msgspec.msgpack.Decoder(dict[str, tuple[int, int]])


def place_of_code(parts: Parts) -> str:
    """The directory in which code that an agent runs may change any file: the work tree that the agent stands in."""
    tree = work_tree(parts.cwd)
    if tree is None or tree in (Path("/"), Path(os.environ.get("HOME", "/"))):
        return str(parts.cwd)
    return str(tree)


def spread_until_told(
    parts: Parts, place: str, labels: Labels, writer: FileWriter, session: str, number: int
) -> None:
    """Record that code may change any file of a place from here on (1). Raises RecordError and SessionError."""
    if parts.files is None:
        return
    since, ahead = effects.file_clock(), effects.clock_offset()
    folders = _folders(parts, place) if sys.platform == "linux" else None
    spread = parts.files.spread(
        Path(place), labels.names(), writer.word, inputs=writer.events, code=True, pending=folders is not None
    )
    if folders is None:
        return
    store = parts.sessions.store
    row = (
        session,
        number,
        store.place,
        spread,
        place,
        since,
        ahead,
        msgspec.json.encode(labels.names()),
        writer.word,
        since - ahead,
    )
    with store.changing() as database:
        database.execute(
            "REPLACE INTO elsewhere VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, _packed.encode(folders))
        )


def narrow_what_is_over(parts: Parts, *, told: bool = False) -> None:
    """Find what was changed by the commands of this project that are over (2 to 4); ``told``: one was just told of. Raises SessionError;
    what the ledger does not take stays as it was."""
    if parts.files is not None and sys.platform == "linux":
        with suppress(RecordError):
            _narrow(parts, parts.files, told=told)


def _narrow(parts: Parts, files: FileLabels, *, told: bool) -> None:
    for each in _over(parts):
        if _still_runs(each):
            if told:
                _go_on(parts, each)
            continue
        count = _remembered(parts, each)
        if count is not None:
            files.narrow(each.spread, count)
        with parts.sessions.store.changing() as database:
            database.execute(
                "DELETE FROM elsewhere WHERE session = ? AND number = ?", (each.session, each.number)
            )


def _go_on(parts: Parts, ran: RunElsewhere) -> None:
    """Remember what was changed so far, and look from here on at what comes."""
    since, ahead, folders = effects.file_clock(), effects.clock_offset(), _folders(parts, ran.place)
    if _remembered(parts, ran) is None or folders is None:
        return
    with parts.sessions.store.changing() as database:
        database.execute(
            "UPDATE elsewhere SET since = ?, ahead = ?, folders = ? WHERE session = ? AND number = ?",
            (since, ahead, _packed.encode(folders), ran.session, ran.number),
        )


def _over(parts: Parts) -> list[RunElsewhere]:
    store = parts.sessions.store
    with store.changing() as database:
        rows = database.execute(
            "SELECT session, number, spread, elsewhere.place, since, ahead, began, labels, writer, folders FROM elsewhere"
            " LEFT JOIN permit USING (session, number) WHERE ledger = ? AND (state IS NULL OR state <> ? OR ends <= ?)",
            (store.place, _OPEN, parts.clock()),
        ).fetchall()
    return [
        RunElsewhere(
            session=row[0],
            number=row[1],
            spread=row[2],
            place=row[3],
            since=row[4],
            ahead=row[5],
            began=row[6],
            labels=msgspec.json.decode(row[7], type=tuple[str, ...]),
            writer=row[8],
            folders=_unpacked.decode(row[9]),
        )
        for row in rows
    ]


def _folders(parts: Parts, place: str) -> dict[str, tuple[int, int]] | None:
    """The folders at and below a place, with device and inode; None where there are too many entries, or times there say nothing."""
    without = frozenset(str(path) for path in parts.protected.places)
    local, room = effects.local_devices(), effects.MOST
    found: dict[str, tuple[int, int]] = {}
    waiting = [place]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                status = os.lstat(folder)
                if status.st_dev not in local:
                    return None
                found[folder] = status.st_dev, status.st_ino
                for entry in entries:
                    room -= 1
                    if entry.is_dir(follow_symlinks=False) and entry.path not in without:
                        waiting.append(entry.path)
        except OSError:
            return None
        if room < 0:
            return None
    return found


def _remembered(parts: Parts, ran: RunElsewhere) -> int | None:
    """Remember what was changed: how much; None where that is not known."""
    before = effects.Listing(
        roots=frozenset((ran.place,)),
        entries={},
        folders={path: (device, inode, 0) for path, (device, inode) in ran.folders.items()},
        devices=frozenset(),
        taken=ran.since,
        since=ran.since,
        offset=ran.ahead,
        incomplete=frozenset(),
    )
    after = effects.listing_of((ran.place,), without=parts.protected.places)
    changes = effects.changed_since(before, after)
    if changes is None:
        return None
    changed = sorted({*changes.created, *changes.modified})
    labels, writer = Labels.of(*ran.labels), FileWriter(ran.writer, (ran.spread,))
    if len(changed) > _MOST_CHANGED:
        start = len(ran.place.rstrip("/")) + 1
        tops = sorted(
            {
                ran.place if "/" not in path[start:] else path[:start] + path[start:].split("/")[0]
                for path in changed
            }
        )
        for top in tops:
            _spread(parts, top, labels, writer)
        return len(changed)
    for path in changed:
        if parts.protected.holds(path):
            continue
        if is_name_alone(path):
            _spread(parts, path, labels, writer, follow=False)
        else:
            code = not is_own_code(path, ran.place)
            remember_file(parts, path, labels, writer, labels, "there", code=code)
    return len(changed)


def _spread(parts: Parts, path: str, labels: Labels, writer: FileWriter, *, follow: bool = True) -> None:
    assert parts.files is not None  # noqa: S101
    parts.files.spread(
        Path(path), labels.names(), writer.word, inputs=writer.events, code=True, follow=follow
    )


def is_own_code(path: str, place: str) -> bool:
    """Whether a file is code of the project's own: by its name, and neither derived from another nor ignored by the repository."""
    inside = PurePath(path).relative_to(place).parts
    ignored = ignored_names(place)
    for part in inside:
        if part in _DERIVED or any(fnmatchcase(part, pattern.rstrip("/")) for pattern in ignored):
            return False
    if any(part.startswith(".") for part in inside[:-1]) and inside[0] in (".git", ".venv", ".tox", ".nox"):
        return "hooks" in inside
    name = inside[-1].lower()
    return PurePath(name).suffix in _CODE or any(fnmatchcase(name, pattern) for pattern in _runs())


@lru_cache(maxsize=1)
def _runs() -> tuple[str, ...]:
    """The names of the files that say what programs run, and how (``make``)."""
    from sluicegate.known.commands.own_files import OWN_FILES

    return tuple(sorted({name for own in OWN_FILES.values() for name in own.every}))


def _still_runs(ran: RunElsewhere) -> bool:
    """Whether something that was started since the permit runs in the place, or was started by what stood there (4)."""
    began = ran.began * os.sysconf("SC_CLK_TCK") // 1_000_000_000
    own = frozenset(_above(os.getpid()))
    for pid, started, argv in _processes():
        if pid in own or started < began or _is_hook(argv):
            continue
        try:
            places = [os.readlink(f"/proc/{pid}/cwd"), *_stood(Path(f"/proc/{pid}/environ").read_bytes())]  # noqa: PTH115
        except OSError:
            continue
        if any(lies_in(place, ran.place) for place in places):
            return True
    return False


def _stood(environ: bytes) -> Iterator[str]:
    """Where the shell stood that a process has its environment from: servers go to the root directory themselves."""
    for each in environ.split(b"\0"):
        if each.startswith((b"PWD=", b"OLDPWD=")):
            yield os.fsdecode(each.partition(b"=")[2])


def _is_hook(argv: list[bytes]) -> bool:
    """Whether a process is a hook of ours, which is started before and after each call, or the daemon that it asks."""
    return any(word.endswith((b"sluicegate", b"sluicegate.flow.daemon.server")) for word in argv[:4])


def _processes() -> Iterator[tuple[int, int, list[bytes]]]:
    """The processes of this user: their ids, when they were started (ticks since the start of the machine), and their words."""
    user = os.geteuid()
    for name in os.listdir("/proc"):  # noqa: PTH208
        if not name.isdigit():
            continue
        try:
            if os.stat(f"/proc/{name}").st_uid != user:  # noqa: PTH116
                continue
            stat = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            argv = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if stat[0] not in (b"Z", b"X"):
            yield int(name), int(stat[19]), argv


def _above(pid: int) -> Iterator[int]:
    """A process and those above it."""
    while pid > 0:
        yield pid
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:
            return
