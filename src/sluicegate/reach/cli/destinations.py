"""The files that a scan is to write: checked before it begins, so that no work and nobody's file is lost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.reach.errors import OutputError, UsageError
from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.report import Report

_HEAD = 4096
_OURS = lazy(
    rb"(?:"
    + rb"|".join(
        (
            rb"\s*\Z",
            rb"(?:## |  )?(?:SAFE|CAUTION|DO NOT INSTALL)\b",
            rb"[^\n]{0,1000}: (?:CRITICAL|HIGH|MEDIUM|LOW) [a-z0-9-]{1,80} ",
            rb'\{\s*"version": "1",\s*"tool": \{\s*"name": "sluicegate"',
            rb'\{\s*"\$schema"[^\0]{0,900}"name": "Sluicegate"',
            rb"::(?:error|warning|notice) ",
            rb'\[\]\s*\Z|\[\s*\{\s*"type": "issue",\s*"check_name"',
            rb'<!doctype html>\s*<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"',
            rb'\{"checksum":"|\{"payload":',
        )
    )
    + rb")"
)
"""How a report or certificate of ours begins, in each format; and a file with nothing in it."""


class Destination(NamedTuple):
    """A file that an option names, and the words that named it."""

    said: str
    file: Path


def place_of(word: str, *, option: str, example: str) -> Path:
    """The file that an option names, whose folder has to be there and take new files. Raises OutputError."""
    if not word:
        raise OutputError(f"{option} names no file", hint=f"Name one: {option} {example}")
    path = Path(word)
    try:
        if path.is_dir():
            raise OutputError(f"cannot write {word}: it is a folder", hint=f"Name a file: {option} {example}")
        if not path.parent.is_dir():
            raise OutputError(
                f"cannot write {word}: there is no folder {path.parent}",
                hint=f"Make it first, or choose another place with {option}.",
            )
        special = path.exists() and not path.is_file()
        real = Path(os.path.realpath(path))
        if not special and not os.access(real.parent, os.W_OK | os.X_OK):
            raise PermissionError(0, f"the folder {real.parent} takes no new files")
    except OSError as error:
        raise OutputError(
            f"cannot write {word}: {error.strerror}", hint=f"Choose another place with {option}."
        ) from None
    return path


def check(written: Sequence[Destination], read: Sequence[Destination], targets: Sequence[str]) -> None:
    """Refuse what would lose something.

    1. Two outputs in one file, by whatever names, or an output in a file that the scan reads: one would be lost.
       Devices and pipes take both.
    2. An output in a file of a target, unless it is a report of ours that is written again: see ``_inside``.

    Raises UsageError.
    """
    for number, one in enumerate(written):  # 1
        for other in (*written[number + 1 :], *read):
            if _same(one.file, other.file):
                raise UsageError(
                    f"{one.said} and {other.said} name the same file: one would be lost",
                    hint="Give each a file of its own.",
                )
    for target in targets:  # 2
        if target != "-" and "://" not in target and os.path.lexists(target):
            for one in written:
                _inside(one, target)


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return not one.exists() or one.is_file()
    try:
        return one.is_file() and one.samefile(other)
    except OSError:
        return False


def _inside(one: Destination, target: str) -> None:
    """Refuse to follow a link that came with a target, and to overwrite a file of it that is not a report of ours."""
    real, file = os.path.realpath(target), os.path.realpath(one.file)
    place = Path(os.path.abspath(one.file))  # noqa: PTH100 - links are to be seen, not followed
    for folder in place.parents:
        if os.path.realpath(folder) == real:
            if file != os.path.join(real, place.relative_to(folder)):  # noqa: PTH118
                raise UsageError(
                    f"{one.said} passes a link inside {target}, which is scanned: it leads to {file}",
                    hint="Whoever made the link chose where. Name a place outside of what is scanned.",
                )
            break
    inside = file == real or Path(file).is_relative_to(real)
    if inside and os.path.isfile(file) and not _ours(file):  # noqa: PTH113
        raise UsageError(
            f"{one.said} would overwrite a file of {target}, which is scanned, and it is not a report",
            hint="Choose another name, or better a place outside of what is scanned.",
        )


def _ours(file: str) -> bool:
    try:
        with open(file, "rb") as stream:  # noqa: PTH123
            return _OURS.match(stream.read(_HEAD)) is not None
    except OSError:
        return False


def scanned_next_time(
    written: Sequence[Destination], targets: Sequence[str], report: Report
) -> tuple[Destination, ...]:
    """The outputs that lie in the folder of a skill of this report: the next scan reads them as part of it."""
    roots = [skill.root for skill in report.skills]
    return tuple(
        one for one in written if any(_in_skill(one.file, target, targets, roots) for target in targets)
    )


def _in_skill(file: Path, target: str, targets: Sequence[str], roots: Sequence[str]) -> bool:
    real, place = Path(os.path.realpath(target)), Path(os.path.realpath(file))
    if target == "-" or "://" in target or not real.is_dir() or not place.is_relative_to(real):
        return False
    below = place.relative_to(real).as_posix()
    if len(targets) > 1:  # then each root begins with the name of its source
        below = f"{real.name}/{below}"
    return any(not root or below.startswith(f"{root}/") for root in roots)
