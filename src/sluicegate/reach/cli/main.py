"""The command ``sluicegate``: it carries out what it is told, and every error ends as a message and an exit code."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys
from typing import TextIO

from sluicegate.reach.cli.interrupts import SAID, Interrupts
from sluicegate.reach.cli.scans.words import plain_scan
from sluicegate.reach.exit_codes import COULD_NOT_RUN, INTERRUPTED

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(interrupts: Interrupts | None = None) -> None:
    """Run the command line. The only place where a defect of ours becomes a message: and then exit code 2.

    ``interrupts`` knows whether there was a Ctrl-C: an error after one is what Python made of it.
    """
    if sys.stderr is None:  # closed by whoever started us: nobody to tell, and still something to decide
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    gc.disable()  # until all is imported: what imports make stays, and looking at it again and again is for nothing
    atexit.register(gc.freeze)  # the interpreter need not look for cycles in what goes with it
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack a letter
    try:
        code = _carried_out()
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        code = _unread()
    except Exception as error:  # noqa: BLE001 - the named border of the command line
        if interrupts is not None and interrupts.heard:
            code = _interrupted()
        elif isinstance(error, OSError) and error.errno in _NO_ROOM:
            code = _unwritten(error)
        else:
            code = _failed(error)
    else:
        if interrupts is not None and interrupts.heard:
            code = _interrupted()
    sys.exit(_flushed(code if isinstance(code, int) else 0))


def _carried_out() -> object:
    """Do what the words of the command say: at once where that is plain, else as ``click`` reads them."""
    told = plain_scan(sys.argv[1:], os.environ)
    if told is None:
        from sluicegate.reach.cli.group import run_command

        return run_command(_tell)
    from sluicegate.reach.cli.scans.run import scan_as_told

    return scan_as_told(**told)


def _tell(said: str) -> None:
    """Say it on standard error. Where nobody can take it, the exit code alone tells."""
    try:
        sys.stderr.write(said)
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)


def _flushed(code: int) -> int:
    """The exit code, once all is written: an answer that nobody got is none."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _give_up(stream)
            code = code if code == INTERRUPTED else COULD_NOT_RUN
    return code


def _give_up(stream: TextIO) -> None:
    """Let what a stream still holds go: the interpreter must not try again, or complain, while it closes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _unread() -> int:
    """Nobody takes our output any more."""
    if sys.stdout is not None:
        _give_up(sys.stdout)
    return COULD_NOT_RUN


def _unwritten(error: OSError) -> int:
    """Our output found no room."""
    _tell(f"sluicegate: cannot write the output: {error.strerror}\n")
    return _unread()


def _interrupted() -> int:
    _tell(SAID)
    return INTERRUPTED


def _stands() -> bool:
    """Whether the folder that we were started in is still there."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def _failed(error: Exception) -> int:
    from sluicegate.reach.report.escape import printable

    diagnostics = getattr(error, "diagnostics", None)
    if callable(diagnostics):
        message, told = str(error), diagnostics()
        first = message if told.startswith(message) else ""  # it may name what has a line break in its name
        rest = printable(told.removeprefix(first), newline=True)
        _tell(f"sluicegate: {printable(first)}{rest}\n")
        return COULD_NOT_RUN
    if os.environ.get("SLUICEGATE_DEBUG"):
        raise error
    if isinstance(error, FileNotFoundError) and not _stands():
        _tell("sluicegate: the current folder is gone; change to another and try again\n")
        return COULD_NOT_RUN
    _tell(
        f"sluicegate: a defect of sluicegate: {type(error).__name__}: {printable(str(error))[:500]}\n"
        "Nothing was decided. Please report it; SLUICEGATE_DEBUG=1 shows where it happened.\n"
    )
    return COULD_NOT_RUN
