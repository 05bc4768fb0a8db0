"""Where reports go: standard output, files, both."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.reach.cli.destinations import Destination, place_of
from sluicegate.reach.errors import OutputError, UsageError
from sluicegate.reach.report.formats import FORMATS, render
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.report import Report

_SUFFIXES = {
    ".json": "json",
    ".sarif": "sarif",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".txt": "text",
}
_WIDTH = (40, 120)
"""A text report is never narrower nor wider than this many columns."""


class OutputPlan(NamedTuple):
    """One report to write: its format, and where (None is standard output)."""

    format: str
    file: Destination | None


class Outputs(NamedTuple):
    """All reports of one scan."""

    plan: tuple[OutputPlan, ...]
    color: str
    absolute: bool
    targets: tuple[str, ...]
    summary: bool = False
    verbose: bool = False
    rules_url: str = ""


def plan_outputs(formats: Sequence[str], outputs: Sequence[str]) -> tuple[OutputPlan, ...]:
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
            plans.append(OutputPlan(format=head, file=_destination(word, tail)))
            continue
        path = _destination(word, word)
        told = _SUFFIXES.get(path.file.suffix.lower()) or (formats[0] if len(formats) == 1 else None)
        if told is None:
            raise UsageError(
                f"the format of {word!r} cannot be told from its name", hint=f"Name it: --output json:{word}"
            )
        plans.append(OutputPlan(format=told, file=path))
    taken = {plan.format for plan in plans}
    on_screen = [name for name in formats if name not in taken] if formats else ["text"]  # 2
    return (*(OutputPlan(format=name, file=None) for name in dict.fromkeys(on_screen)), *plans)


def _destination(word: str, file: str) -> Destination:
    said = f"--output {word}"
    return Destination(said, place_of(file, option="--output", example="json:report.json"))


def emit(report: Report, outputs: Outputs) -> None:
    """Write every report of the plan: files first, so that a reader who closes the pipe loses none of them.

    Raises OutputError when a file cannot be written.
    """
    if any(plan.file is None for plan in outputs.plan):
        check_stdout()
    for plan in sorted(outputs.plan, key=lambda p: p.file is None):
        if plan.file is None:
            color = _wants_color(outputs.color)
            links = outputs.color != "never" and wants_links(os.environ, terminal=sys.stdout.isatty())
            width = _terminal_width()
            write_stdout(_rendered(report, plan.format, outputs, color=color, links=links, width=width))
        else:
            write_file(plan.file.file, _rendered(report, plan.format, outputs))


def _terminal_width() -> int:
    """Columns of the terminal that looks, within bounds; 80 where none does."""
    if not sys.stdout.isatty():
        return 80
    import shutil

    return max(_WIDTH[0], min(_WIDTH[1], shutil.get_terminal_size((80, 24)).columns))


def _rendered(
    report: Report,
    format: str,
    outputs: Outputs,
    *,
    color: bool = False,
    links: bool = False,
    width: int = 80,
) -> str:
    if outputs.absolute:
        from sluicegate.vet.intake.targets import without_query

        places = [
            without_query(t) if t == "-" or "://" in t else str(Path(t).resolve()) for t in outputs.targets
        ]
        report = report._replace(source=", ".join(places))
    return render(
        report,
        format,
        color=color,
        width=width,
        absolute=outputs.absolute,
        links=links,
        summary=outputs.summary,
        verbose=outputs.verbose,
        here=Path.cwd().name if "." in outputs.targets else "",
        rules_url=outputs.rules_url,
    )


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


_LINKING = ("WT_SESSION", "VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE")
"""Variables that only terminals set which know links."""
_LINKING_PROGRAMS = frozenset(
    {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio", "contour"}
)
_LINKING_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour")
_VTE = 5_000
"""The version of VTE since which a link is one."""


def wants_links(environ: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether a terminal is known to open links (OSC 8).

    1. ``FORCE_HYPERLINK`` decides where it is set: ``0`` for no, anything else for yes.
    2. Else what looks must be a terminal that is not dumb, nobody may have forbidden colour (``NO_COLOR``), and no
       ``screen`` or build server may stand in between.
    3. And it must be one of those that are known to.
    """
    forced = environ.get("FORCE_HYPERLINK")  # 1
    if forced:
        return forced != "0"
    term = environ.get("TERM", "")
    if (
        not terminal
        or term in ("", "dumb")
        or term.startswith("screen")
        or environ.get("NO_COLOR")
        or environ.get("CI")
    ):  # 2
        return False
    vte = environ.get("VTE_VERSION", "")  # 3
    if vte:
        return vte.isascii() and vte.isdigit() and int(vte) >= _VTE
    return (
        any(environ.get(name) for name in _LINKING)
        or environ.get("TERM_PROGRAM", "") in _LINKING_PROGRAMS
        or term.startswith(_LINKING_TERMS)
    )


def check_stdout() -> None:
    """Refuse a standard output that was closed by whoever started us. Raises OutputError."""
    if sys.stdout is None:
        raise OutputError("standard output is closed", hint="Leave it open: a closed one takes no report.")


def write_stdout(text: str) -> None:
    """UTF-8 for programs; for a terminal its own characters: a UTF-8 byte can be an order to a Latin-1 one."""
    encoding = (sys.stdout.encoding if sys.stdout.isatty() else "") or "utf-8"
    sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
    sys.stdout.buffer.flush()


def write_file(path: Path, text: str, *, option: str = "--output") -> None:
    """Write beside, then rename: a report is whole or absent.

    What is not an ordinary file (a device, a pipe, ``/dev/stdout``) is written into, and never replaced; a link
    stays, and the file that it names is written. Raises OutputError.
    """
    import tempfile

    temporary, named = None, path
    try:
        if path.exists() and not path.is_file():
            _write_into(path, text)
            return
        path = path.resolve()
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
            f"cannot write {named}: {error.strerror}", hint=f"Choose another place with {option}."
        ) from None


def _write_into(path: Path, text: str) -> None:
    """Write into a device or a pipe; a pipe that nobody reads is an error, and not waited for. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise OSError(error.errno, "nobody reads from it") from None
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as handle:
        handle.write(text)
