"""The group of all commands, as ``click`` knows it: each command is imported only when it is used."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable

import click

from sluicegate import __version__
from sluicegate.reach.cli.helptext import NarrowFormatter
from sluicegate.reach.exit_codes import COULD_NOT_RUN, in_help

_COMMANDS = {
    "scan": "Scan skills and say whether they are safe to install.",
    "review": "Scan skills and have models review them, too.",
    "queue": "See what waits for a person, and rule on it.",
    "rules": "List the rules, or explain one.",
    "baseline": "Accept the findings of a scan, for a reason and for a time.",
    "mediate": "Write what a reviewing model would be shown of a skill.",
    "trust": "Trust the settings of a project, once you have read them.",
    "policy": "Check, explain and test what may flow where.",
    "mcp": "Serve scans and explanations to agents, by MCP.",
    "hook": "Put the gate before the tools of an agent.",
    "approve": "Approve, once, what was refused to an agent.",
    "vouch": "Answer for files that a stranger's words may have reached.",
    "approvals": "List what was refused to agents and waits for a person.",
    "restore": "Bring back a file that an agent has written over.",
    "gateway": "Stand between an agent and its MCP servers.",
    "run": "Run a script: every value labelled, every effect decided.",
    "env": "Start agents in environments, and keep these.",
    "repl": "Type a script line by line, under the policy of the project.",
    "validate": "Check scripts; exit code 1 when something is wrong.",
    "fmt": "Lay out scripts evenly; what they say stays.",
    "lsp": "Serve editors: remarks, meanings and completion for scripts.",
    "sign": "Sign a file, a template or a folder.",
    "verify": "Verify what was signed; exit code 1 when anything fails.",
    "keys": "List the keys and signers, and whom to trust.",
    "audit": "Check the ledger, and ask it why.",
    "spec": "Show what must always hold, and what backs it.",
    "schema": "Print the JSON Schema of a file format.",
    "completion": "Print the completion script of a shell.",
    "doctor": "Check this installation.",
}

_ROOMS = {"run": "scripts", "repl": "scripts", "validate": "scripts", "fmt": "scripts", "lsp": "scripts"}
"""Commands that stand in a room of their own."""

_ALIASES = {"explain": "rules"}
"""Words that people type for a command, and the command that they mean."""


class _Unread(Exception):
    """Nobody reads our output."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is asked for."""

    def invoke(self, ctx: click.Context) -> object:
        """Carry out a command. Where nobody reads its output, ``click`` would end with 1, which is DO_NOT_INSTALL."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _Unread from error

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
        room = _ROOMS.get(cmd_name, "commands")
        module = importlib.import_module(f"sluicegate.reach.cli.{room}.{cmd_name}")
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


def run_command(tell: Callable[[str], None]) -> object:
    """Have ``click`` read the words of the command and carry it out; what the command gives.

    Words that it cannot make sense of are told, and the command could not run. Raises KeyboardInterrupt and whatever the
    command raises; BrokenPipeError where nobody reads its output.
    """
    click.Context.formatter_class = NarrowFormatter
    try:
        return cli.main(prog_name="sluicegate", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except _Unread:
        raise BrokenPipeError from None
    except click.ClickException as error:
        tell(_said(error))
        return COULD_NOT_RUN


def _said(error: click.ClickException) -> str:
    """What is wrong with the words of the command, as every other error is told, and what to do."""
    from sluicegate.reach.report.escape import printable

    if isinstance(
        error, getattr(click.exceptions, "NoArgsIsHelpError", ())
    ):  # its message is the help, since click 8.2
        return printable(error.format_message(), newline=True) + "\n"
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "sluicegate"
    if command == "sluicegate" and sys.argv[1:2] and sys.argv[1] in _COMMANDS:
        command = f"sluicegate {sys.argv[1]}"
    message = error.format_message().rstrip(".").replace("\n\t", " ")  # how click lists what may be chosen
    return f"sluicegate: {printable(message)}\n'{printable(command)} --help' says what it takes.\n"
