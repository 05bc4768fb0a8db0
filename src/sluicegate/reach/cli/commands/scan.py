"""``sluicegate scan``: the gate."""

from __future__ import annotations

import os
from typing import Any

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import ScanCommand, scan_options
from sluicegate.reach.cli.report_options import report_options, telling_options
from sluicegate.reach.exit_codes import in_help


class _Scan(ScanCommand):
    """The command, which takes no file that was named like an option for one, and says its exit codes."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(ctx, formatter)
        in_help(formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """With ``--changed`` another program names the files, and whoever wrote them chose the names."""
        words = args[: args.index("--")] if "--" in args else args
        if "--changed" in words:
            for word in words:
                if word.startswith("-") and os.path.lexists(word):
                    raise click.UsageError(
                        f"{word!r} is an option, and a file here has that name. Put -- before the files, or rename it."
                    )
        return super().parse_args(ctx, args)


@click.command(cls=_Scan, short_help="Scan skills and say whether they are safe to install.")
@click.argument("targets", nargs=-1, metavar="[TARGET...]", shell_complete=complete.paths)
@report_options
@click.option(
    "--changed-since",
    metavar="COMMIT",
    help="Scan only the skills of the folder TARGET in which a file has changed since this branch left COMMIT.",
)
@click.option(
    "--since",
    metavar="REV",
    help="Say what is new since the Git revision REV, and let that alone decide the exit code.",
)
@click.option(
    "--compare",
    metavar="OLD.json",
    shell_complete=complete.paths,
    help="Say what is new since an older JSON report of the same targets, and let that alone decide the exit code.",
)
@click.option(
    "--changed",
    is_flag=True,
    help="Each TARGET is a changed file: scan the skills of this folder that hold one (for pre-commit).",
)
@click.option(
    "--allow-none",
    is_flag=True,
    help="A folder TARGET that has files and no skill among them gives 0 (for CI of any repository).",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Scan the I-th of N parts: every N-th skill, so that N machines scan all of them.",
)
@click.option(
    "--resume",
    metavar="FILE",
    shell_complete=complete.paths,
    help="Keep in FILE what has been examined, and go on from what is there.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Put the skills before the models of your settings, too: sends them what 'sluicegate mediate' shows.",
)
@click.option(
    "--queue",
    "queued",
    is_flag=True,
    help="Let every skill that is not SAFE wait for a person's ruling: see 'sluicegate queue'.",
)
@telling_options
@scan_options
def scan(**told: Any) -> int:
    """Scan each TARGET and say whether it is safe to install.

    Without a TARGET, what is installed for the agents of this machine is scanned: skills, plugins, commands,
    hooks and MCP servers, of the user and of the project in the current folder.

    A TARGET is a directory, a file, an archive (.zip, .skill, .tar.gz, .whl), a git or https URL, or - for a
    tar on standard input. A directory or archive that holds many skills is scanned skill by skill. Nothing
    is executed, no link is followed, and nothing inside a TARGET configures its own scan.

    With --fail-on do-not-install, CAUTION gives 0, unless a limit was reached: what is
    beyond it was not inspected.
    With --changed-since or --changed, no changed skill gives 0. With --since or --compare, the report shows the whole
    decision, and what is new alone decides the exit code.
    """
    from sluicegate.reach.cli.scans.run import scan_as_told

    return scan_as_told(**told)
