"""The files that a ledger is in: the one written now, and those that other tools moved away.

``logrotate`` and its kind rename or copy the file, number or date it, and may compress it with gzip. Which
file is which is told by the number of its first line and not by its name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from sluicegate.record.errors import LedgerError
from sluicegate.record.ledger import lines


def read(path: Path, *, start: int = 0) -> Iterator[bytes]:
    """The lines of a segment from offset ``start``, each with its line feed; the last may lack one.

    Raises LedgerError when it cannot be read.
    """
    try:
        with _opened(path) as handle:
            handle.seek(start)
            yield from _lines(path, handle)
    except OSError as error:
        raise LedgerError(f"cannot read {path}: {error.strerror or 'damaged'}") from None


def _lines(path: Path, handle: BinaryIO) -> Iterator[bytes]:
    if path.suffix != ".gz":
        yield from lines.split(handle)
        return
    import gzip
    import zlib

    try:
        with gzip.GzipFile(fileobj=handle, mode="rb") as unpacked:
            yield from lines.split(cast("BinaryIO", unpacked))
    except (EOFError, zlib.error):
        raise OSError from None


def _opened(path: Path) -> BinaryIO:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise LedgerError(f"{path} is not a regular file")
    return os.fdopen(fd, "rb")


def first_number(path: Path) -> int | None:
    """The number of the first line of a file; None when it is empty or not of a ledger. Raises LedgerError."""
    for data in read(path):
        with suppress(ValueError):
            return lines.read(data[:-1]).seq
        return None
    return None


def order(path: Path, named: Sequence[Path]) -> tuple[Path, ...]:
    """The files that come before the file at ``path``, by number: ``named`` ones and those beside it.

    Of files that begin with the same line the one that goes on longest is taken: a copy made earlier is part of
    it. Raises LedgerError for a named file that is none.
    """
    limit = first_number(path) if path.exists() else None
    found: dict[int, list[Path]] = {}
    for one in named:
        number = first_number(one)
        if number is None:
            raise LedgerError(f"{one} is not a file of a ledger", hint="Name the files that were rotated.")
        found.setdefault(number, []).append(one)
    for one in _beside(path):
        with suppress(LedgerError):
            number = first_number(one)
            if number is not None and one not in named:
                found.setdefault(number, []).append(one)
    before = sorted(number for number in found if limit is None or number < limit)
    return tuple(_longest(found[number]) for number in before)


def _beside(path: Path) -> list[Path]:
    marks = (".torn-", ".foreign-")
    starts = (f"{path.name}.", f"{path.name}-")
    with suppress(OSError):
        return sorted(
            one
            for one in path.parent.iterdir()
            if one.name.startswith(starts) and not one.name.startswith(tuple(path.name + m for m in marks))
        )
    return []


def _longest(paths: list[Path]) -> Path:
    if len(paths) == 1:
        return paths[0]
    return max(paths, key=lambda path: sum(1 for _ in read(path)))
