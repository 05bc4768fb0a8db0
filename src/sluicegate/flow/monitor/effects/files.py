"""Reading and writing files: what is written is known when it is read back, with its labels.

A path is settled before policy is asked (``operations.paths``), and the very file that was checked is opened
(``operations.opened``). Of a file that is written, the labels are in the ledger before it stands under its name: a
process that is ended in between leaves a file that is known, or none.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

from sluicegate.flow import operations as ops
from sluicegate.flow.denial import Denial
from sluicegate.flow.errors import CommandError, FlowError
from sluicegate.flow.labels import EMPTY, Labels, directories, events_of
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.looked_into import ANY_NAME, LookedInto
from sluicegate.flow.monitor.effects.watching import names_known
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.steps.settle import Failed, OperationFailed, OperationRefused
from sluicegate.flow.operations import Channel, OpenedPath, Operation, open_path
from sluicegate.record.errors import RecordError
from sluicegate.record.files.files import FileLabels, FileReading, Knowledge, Known, Unknown, Untracked
from sluicegate.record.files.names import DirectoryNames
from sluicegate.record.ledger import events
from sluicegate.tuples import NamedTuple

MOST_BYTES = 256 * 1024 * 1024
"""What ``read`` takes at most."""

_NAMES: dict[type, Literal["known", "unknown", "untracked"]] = {
    Known: "known",
    Unknown: "unknown",
    Untracked: "untracked",
}
_FILE = Labels.of("src:file")
_UNTRUSTED = Labels.of("untrusted")


class FileWriter(NamedTuple):
    """Who wrote a file: the operation in one word, and the event of its permission."""

    word: str
    events: tuple[str, ...] = ()

    @staticmethod
    def of(ready: Ready) -> FileWriter:
        """The operation itself."""
        return FileWriter(ready.plan.word, (ready.event,) if ready.event else events_of(ready.plan.trail))


def read_plan(parts: Parts, path: object, *, binary: bool, labels: tuple[str, ...], var: str) -> Plan:
    """Reading a file: text (UTF-8) or bytes, with the labels of what was written there and of where it lies."""
    operation = ops.read(path, base=str(parts.cwd), labels=labels)
    return Plan(
        operations=(operation,),
        inputs=inputs_of((operation,)),
        entry=_FILE,
        effect=partial(_read, parts, binary),
        word="file:read",
        var=var,
    )


def write_plan(parts: Parts, operation: Operation, word: str, var: str) -> Plan:
    """Writing, appending or putting out to a file: the operation says which."""
    append = operation.kind is ops.OperationKind.APPEND
    return Plan(
        operations=(operation,),
        inputs=inputs_of((operation,)),
        effect=partial(_append if append else _write, parts),
        word=word,
        var=var,
    )


def is_unknown(parts: Parts, path: str) -> bool:
    """Whether something in a file comes from who knows where."""
    if parts.files is None or not stat.S_ISREG(_mode(path)):
        return False
    try:
        return isinstance(parts.files.recall(Path(path)), Unknown)
    except OSError:
        return True


def is_name_alone(path: str) -> bool:
    """Whether something is not a file with a content, but can tell by its name: a directory, a link, a pipe, a socket."""
    return not stat.S_ISREG(_mode(path)) and os.path.lexists(path)


def labels_of_path(parts: Parts, path: str, written: list[str], into: LookedInto | None = None) -> Labels:
    """What policy says of a file's place, and what is known of what was written to it; of a directory, all of it, or what
    policy says of those files that are looked ``into``.

    ``written`` gets the events that this is known by.
    """
    mode = _mode(path)
    folder, name = os.path.split(path)
    named = (
        path
        if into is None or stat.S_ISDIR(mode) or name in into(folder, (name,))
        else f"{folder}/{ANY_NAME}"
    )
    found = parts.layers.entry_labels("src:file", named)
    if parts.files is None or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return found
    if stat.S_ISDIR(mode):
        return found | _labels_below(parts, parts.files, path, written, into)
    with suppress(OSError):
        knowledge = parts.files.recall(Path(path))
        found |= _known(parts, knowledge)
        if not isinstance(knowledge, Untracked) and knowledge.event:
            written.append(knowledge.event)
    return found


def _labels_below(
    parts: Parts, files: FileLabels, path: str, written: list[str], into: LookedInto | None
) -> Labels:
    """What policy says and what is known of the files below a directory; of too many, all that either says of any."""
    from sluicegate.record.files.below import recall_below

    places: set[Labels] = set()

    def told(one: DirectoryNames) -> None:
        names = one.files if into is None else into(one.path, one.files)
        places.add(parts.layers.entry_labels_within("src:file", one.path, names))

    with names_known(parts) as listed:
        knowledge = recall_below(
            files,
            Path(path),
            each=told,
            written=written.append,
            without=parts.protected.places,
            listed=listed,
        )
    if isinstance(knowledge, Unknown) and knowledge.why == "gap":
        given = (words for layer in parts.layers.layers for words in layer.policy.data.values())
        each = (word for words in given for word in ((words,) if isinstance(words, str) else words))
        places.add(Labels.of("untrusted", *each))
    return Labels.join_all(places) | _known(parts, knowledge)


def remember_file(
    parts: Parts,
    path: str,
    labels: Labels,
    writer: FileWriter,
    named: Labels,
    was: Literal["new", "there", "unknown"],
    *,
    code: bool = False,
) -> None:
    """Record that a file was changed by something that has these labels, and that may have kept what was there.

    Of one that cannot be read, the path is known. ``named`` are the labels of what its name may tell of; ``was`` is as in
    ``FileLabels.remember``. ``code``: code that ran there changed it, and nobody named it.
    """
    if parts.files is None or not stat.S_ISREG(_mode(path)):
        return
    told = _told(parts, path, named)
    try:
        with open_path(path, "read") as file:
            parts.files.remember(
                told,
                labels.names(),
                writer.word,
                keeping=True,
                was=was,
                fd=file.fd,
                inputs=writer.events,
                code=code,
            )
    except (OSError, CommandError):
        if stat.S_ISREG(_mode(path)):
            remember_place(parts, path, labels, writer, named, code=code)


def remember_place(
    parts: Parts,
    place: str,
    labels: Labels,
    writer: FileWriter,
    named: Labels = EMPTY,
    *,
    code: bool = False,
) -> None:
    """Record that something with these labels may have changed any file of a place, or the file that it is.

    ``named`` are the labels of what its name may tell of; where the ledger may not have that, it is any place. ``code``: it is
    code that runs there, and named nothing.
    """
    if parts.files is not None:
        told = place if _told(parts, place, named) == Path(place) else "/"
        parts.files.spread(Path(told), labels.names(), writer.word, inputs=writer.events, code=code)


def remember_name(parts: Parts, path: str, labels: Labels, writer: FileWriter, named: Labels) -> None:
    """Record that a directory, a link or a pipe was made by something with these labels: its name, or where it leads, may tell of it."""
    if parts.files is not None and carried(parts, labels):
        told = _told(parts, path, named)
        parts.files.spread(told, labels.names(), writer.word, inputs=writer.events, follow=False)


def carried(parts: Parts, labels: Labels) -> Labels:
    """What of these labels opaque code carries on: what was declared, and what makes it untrusted."""
    return Labels.of(*closed_by(labels), *parts.layers.distrusted(labels))


def labels_of_file(parts: Parts, path: str, named: Labels, *, within: bool = False) -> Labels:
    """What reading a file here would give besides what went in. ``named`` are the labels of its path. ``within``: it is a
    directory, and meant is what lies in it."""
    return labels_of_path(parts, path, []) | _directories(parts, f"{path}/any" if within else path, named)


def remember_written(
    parts: Parts, path: str, labels: Labels, writer: FileWriter, named: Labels, data: bytes, *, appended: bool
) -> None:
    """Record that another process wrote a file, as was permitted; if it holds something else by now, it is partly known."""
    if parts.files is None:
        return
    try:
        with open_path(path, "read") as file:
            parts.files.remember(
                _told(parts, path, named),
                labels.names(),
                writer.word,
                appended=len(data) if appended else None,
                wrote=data,
                fd=file.fd,
                inputs=writer.events,
            )
    except (OSError, CommandError, RecordError):
        remember_place(parts, path, labels, writer, named)


def _directories(parts: Parts, path: str, named: Labels) -> Labels:
    """The labels of where a file lies; of one whose path is not for everyone, those alone that policy or a guard names.

    Labels can be seen by everybody, and these spell the path.
    """
    found = directories(str(Path(path).parent))
    if not closed_by(named):
        return found
    asked = {label for layer in parts.layers.layers for label in layer.policy.labels}
    asked.update(each.guard.filter.word for each in parts.guards)
    return Labels.of(*(label for label in found.names() if label in asked or label == "untrusted"))


def closed_by(named: Labels) -> list[str]:
    """What people said of a name or a content, if it is that it is not for everyone."""
    return [name for name in named.declared if name not in ("trusted", "untrusted")]


def _told(parts: Parts, path: str, named: Labels) -> Path:
    """The path as the ledger may have it: a digest in its place if people said of it that it is not for everyone.

    The file is then known by its content and by which file it is, and not by its path.
    """
    closed = closed_by(named)
    if not closed or parts.ledger is None:
        return Path(path)
    return Path(f"/<{','.join(closed)}>", parts.ledger.digest(path.encode("utf-8", "surrogateescape")))


def _mode(path: str) -> int:
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0


def _known(parts: Parts, knowledge: Knowledge) -> Labels:
    """The labels of what is known of a file; of what is not, what policy says of unknown files."""
    if isinstance(knowledge, Known):
        return Labels.of(*knowledge.labels)
    if isinstance(knowledge, Unknown):
        known = Labels.of(*knowledge.labels)
        return known | _UNTRUSTED if parts.layers.unknown_files == "untrusted" else known
    return EMPTY


def _read(parts: Parts, binary: bool, ready: Ready) -> Procedure[Came]:
    """Open, then read. Only what the path tells of is told by an error of the first (``settle``, 3)."""
    (path,) = ready.paths("r")[:1] or ("",)
    early = ready.early

    def opened() -> OpenedPath:
        if not path:
            raise CommandError(
                "a standard stream is not read as a file", hint="give it as an input of the program"
            )
        return open_path(path, "read")

    file: OpenedPath = yield from _first(opened, path, early)

    def taken() -> Came:
        with file:
            data, labels, event = _data(parts, ready, path, file)
        labels |= _directories(parts, path, early) | parts.layers.entry_labels("src:file", path)
        if binary:
            return Came(data, labels, event)
        try:
            return Came(data.decode("utf-8"), labels, event)
        except UnicodeDecodeError:
            raise OperationFailed(
                "the file is not text in UTF-8", hint="read it as bytes: binary=True"
            ) from None

    came: Came = yield Do(taken, blocking=True)
    return came


def _data(parts: Parts, ready: Ready, path: str, file: OpenedPath) -> tuple[bytes, Labels, str]:
    """What is in the file, what is known of exactly that, and the event that says so."""
    if parts.files is None:
        return file.read(MOST_BYTES), EMPTY, ""
    # The descriptor under its name in /proc, so that the very file that was checked is read.
    name = Path(f"/proc/self/fd/{file.fd}")
    reading: FileReading = parts.files.read(name if name.exists() else Path(path), limit=MOST_BYTES)
    known = reading.knowledge
    labels = _known(parts, known)
    written = (known.event,) if isinstance(known, (Known, Unknown)) and known.event else ()
    event = events.Read(
        path=str(_told(parts, path, ready.early)),
        taint=(labels | ready.taint).names(),
        known=_NAMES[type(known)],
        hash=reading.digest,
        var=ready.plan.var,
        inputs=(*written, *events_of(ready.plan.trail)),
    )
    noted = parts.note(event)
    if isinstance(noted, Denial):
        raise OperationRefused(noted, ready.early)
    return reading.data, labels, noted or ""


def _write(parts: Parts, ready: Ready) -> Procedure[Came]:
    (path,) = ready.paths("w")[:1] or ("",)
    early = ready.early
    data = _bytes(ready.content(Channel.BODY, "value"))
    yield from _first(lambda: _check(path), path, early)

    def known(descriptor: int) -> None:
        _remember(parts, ready, path, early, data, descriptor)

    yield from _then(lambda: ops.replace(path, data, known=known), path, early)
    return Came(None)


def _append(parts: Parts, ready: Ready) -> Procedure[Came]:
    (path,) = ready.paths("w")[:1] or ("",)
    early = ready.early
    data = _bytes(ready.content(Channel.BODY, "value"))
    file: OpenedPath = yield from _first(lambda: open_path(path, "append"), path, early)

    def added() -> None:
        with file:
            file.write(data)
            with open_path(path, "read") as same:
                _remember(parts, ready, path, early, data, same.fd, appended=len(data))

    yield from _then(added, path, early)
    return Came(None)


def _remember(
    parts: Parts,
    ready: Ready,
    path: str,
    named: Labels,
    data: bytes,
    descriptor: int,
    appended: int | None = None,
) -> None:
    if parts.files is not None:
        parts.files.remember(
            _told(parts, path, named),
            ready.taint.names(),
            ready.plan.word,
            appended=appended,
            wrote=data,
            fd=descriptor,
            inputs=FileWriter.of(ready).events,
        )


def _first(action: Callable[[], object], path: str, early: Labels) -> Procedure[OpenedPath]:
    """What can fail before any content was touched; its error tells of the path alone."""
    failed: FlowError
    try:
        opened: OpenedPath = yield Do(action, blocking=True)
    except FlowError as error:
        failed = error
    except OSError as error:
        failed = _wrong(path, error, early)
    else:
        return opened
    raise Failed(failed, early)


def _then(action: Callable[[], object], path: str, early: Labels) -> Procedure[None]:
    """What touches contents; its error tells of them."""
    failed: OperationFailed
    try:
        yield Do(action, blocking=True)
    except OSError as error:
        failed = _wrong(path, error, early)
    else:
        return
    raise failed


def _wrong(path: str, error: OSError, early: Labels) -> OperationFailed:
    """The error for a file that cannot be opened; its path is told only if it has no labels."""
    shown = "the file" if early else "".join(char if char.isprintable() else "?" for char in path[:200])
    return OperationFailed(
        f"{shown}: {error.strerror}", hint="see that it exists, and who may read and write it"
    )


def _check(path: str) -> None:
    """Raise what writing would raise for the place alone."""
    if not path:
        raise CommandError("a path to be written is not a file", hint="name a file")
    ops.check_replaceable(path)


def _bytes(content: object) -> bytes:
    if isinstance(content, str):
        return content.encode("utf-8", "surrogateescape")
    if isinstance(content, (bytes, bytearray)):
        return bytes(content)
    raise OperationFailed(
        f"a {type(content).__name__} cannot be written to a file", hint="make text or bytes of it: .map(str)"
    )
