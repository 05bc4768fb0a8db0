"""The command ``sluicegate``: each command is imported only when it is used."""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import io
import os
import sys
from typing import TextIO

import click

from sluicegate import __version__
from sluicegate.reach.cli.helptext import NarrowFormatter
from sluicegate.reach.cli.interrupts import SAID, Interrupts
from sluicegate.reach.exit_codes import COULD_NOT_RUN, INTERRUPTED, in_help

_COMMANDS = {
    "scan": "Scan skills and say whether they are safe to install.",
    "review": "Scan skills and have models review them, too.",
    "queue": "See what waits for a person, and rule on it.",
    "rules": "List the rules, or explain one.",
    "baseline": "Accept the findings of a scan, for a reason and for a time.",
    "mediate": "Write what a reviewing model would be shown of a skill.",
    "trust": "Trust the settings of a project, once you have read them.",
    "policy": "Check, explain and test what may flow where.",
    "sign": "Sign a file, a template or a folder.",
    "verify": "Verify what was signed; exit code 1 when anything fails.",
    "keys": "List the keys and signers, and whom to trust.",
    "audit": "Check the ledger, and ask it why.",
    "spec": "Show what must always hold, and what backs it.",
    "schema": "Print the JSON Schema of a file format.",
    "completion": "Print the completion script of a shell.",
    "doctor": "Check this installation.",
}

_ALIASES = {"explain": "rules"}
"""Words that people type for a command, and the command that they mean."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = _ALIASES.get(cmd_name, cmd_name)
        if cmd_name == "help":
            from sluicegate.reach.cli.helptext import help_command

            return help_command
        if cmd_name not in _COMMANDS:
            close = [name for name in _COMMANDS if name.startswith(cmd_name[:2])]
            hint = f" Did you mean {close[0]!r}?" if close else " 'sluicegate help' lists the commands."
            ctx.fail(f"There is no command {cmd_name!r}.{hint}")
        module = importlib.import_module(f"sluicegate.reach.cli.commands.{cmd_name}")
        if cmd_name != "scan":  # which does so once it is ready
            gc.enable()
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 - a mistake of ours, not of the user
        return command

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        in_help(formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(
    __version__, "-V", "--version", message="sluicegate %(version)s", help="Show the version and exit."
)
def cli() -> None:
    """The gate between an AI agent and what it takes in.

    \b
    sluicegate scan ./skill
        is it safe to install?
    sluicegate rules pipe-to-shell
        what a rule finds, why, what to do
    sluicegate help scan
        all options of a command
    """


def main(interrupts: Interrupts | None = None) -> None:
    """Run the command line. The only place where a defect of ours becomes a message: and then exit code 2.

    ``interrupts`` knows whether there was a Ctrl-C: an error after one is what Python made of it.
    """
    if sys.stderr is None:  # closed by whoever started us: nobody to tell, and still something to decide
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    click.Context.formatter_class = NarrowFormatter
    gc.disable()  # until all is imported: what imports make stays, and looking at it again and again is for nothing
    atexit.register(gc.freeze)  # the interpreter need not look for cycles in what goes with it
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack a letter
    try:
        code = cli.main(prog_name="sluicegate", standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.Abort:
        code = _interrupted()
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        _tell(said.getvalue())
        code = COULD_NOT_RUN
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
