"""Where reports go: standard output, files, both."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from penstock.reach.errors import OutputError, UsageError
from penstock.reach.report.formats import FORMATS, render

if TYPE_CHECKING:
    from penstock.vet.report import Report

_SUFFIXES = {
    ".json": "json",
    ".sarif": "sarif",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".txt": "text",
}
_WIDTH = (60, 120)
"""A text report is never narrower nor wider than this many columns."""


class Plan(NamedTuple):
    """One report to write: its format, and its file (None is standard output)."""

    format: str
    file: Path | None


class Outputs(NamedTuple):
    """All reports of one scan."""

    plan: tuple[Plan, ...]
    color: str
    absolute: bool
    targets: tuple[str, ...]


def plan_outputs(formats: Sequence[str], outputs: Sequence[str]) -> tuple[Plan, ...]:
    """What to write where, checked before the scan begins.

    1. Each ``--output`` is ``FORMAT:FILE``, or a FILE whose suffix tells, or else takes the one ``--format``.
    2. Standard output gets every ``--format`` that no file took; the text report when none was named.

    Raises UsageError for an unknown format and for a file whose format cannot be told.
    """
    for name in formats:
        _known(name)
    plans = []
    for word in outputs:  # 1
        head, separator, tail = word.partition(":")
        if separator and head in FORMATS:
            plans.append(Plan(format=head, file=Path(tail)))
            continue
        path = Path(word)
        told = _SUFFIXES.get(path.suffix.lower()) or (formats[0] if len(formats) == 1 else None)
        if told is None:
            raise UsageError(
                f"the format of {word!r} cannot be told from its name", hint=f"Name it: --output json:{word}"
            )
        plans.append(Plan(format=told, file=path))
    taken = {plan.format for plan in plans}
    on_screen = [name for name in formats if name not in taken] if formats else ["text"]  # 2
    return (*(Plan(format=name, file=None) for name in dict.fromkeys(on_screen)), *plans)


def emit(report: Report, outputs: Outputs) -> None:
    """Write every report of the plan: files first, so that a reader who closes the pipe loses none of them.

    Raises OutputError when a file cannot be written.
    """
    for plan in sorted(outputs.plan, key=lambda p: p.file is None):
        if plan.file is None:
            color = _wants_color(outputs.color)
            _write_stdout(_rendered(report, plan.format, outputs, color=color))
        else:
            write_file(plan.file, _rendered(report, plan.format, outputs, color=False))


def _rendered(report: Report, format: str, outputs: Outputs, *, color: bool) -> str:
    width = 80
    if color:
        import shutil

        width = max(_WIDTH[0], min(_WIDTH[1], shutil.get_terminal_size((80, 24)).columns))
    if outputs.absolute:
        from dataclasses import replace

        places = [t if t == "-" or "://" in t else str(Path(t).resolve()) for t in outputs.targets]
        report = replace(report, source=", ".join(places))
    return render(report, format, color=color, width=width, absolute=outputs.absolute)


def _known(name: str) -> None:
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}", hint=f"Known here: {', '.join(FORMATS)}.")


def _wants_color(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _write_stdout(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def write_file(path: Path, text: str) -> None:
    """Write beside, then rename: a report is whole or absent."""
    import tempfile

    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as handle:
            temporary = Path(handle.name)
            handle.write(text)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise OutputError(
            f"cannot write {path}: {error.strerror}", hint="Choose another place with --output."
        ) from None
