"""``sluicegate scan``: the gate."""

from __future__ import annotations

import gc
import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import ChosenOptions, ScanCommand, choose, scan_options
from sluicegate.reach.cli.report_options import (
    check_places,
    deliver,
    planned,
    report_options,
    telling_options,
)
from sluicegate.reach.errors import UsageError
from sluicegate.reach.exit_codes import exit_code, in_help
from sluicegate.vet.errors import NothingChanged, NothingToInspect

if TYPE_CHECKING:
    from sluicegate.vet.report import Report


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
def scan(
    targets: tuple[str, ...],
    fail_on: str | None,
    changed_since: str | None,
    since: str | None,
    compare: str | None,
    changed: bool,
    allow_none: bool,
    shard: str | None,
    resume: str | None,
    review: bool,
    queued: bool,
    quiet: bool,
    **options: object,
) -> int:
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
    if options.get("rule_specs") == ("list",):
        from sluicegate.reach.cli.commands.rules import print_rules

        print_rules()
        return 0
    if changed and not targets:
        return _unchanged("no file was named: nothing was scanned", quiet=quiet)
    if not targets and (shard is not None or resume is not None):
        raise click.UsageError("--shard and --resume go with a TARGET")
    comparing = None
    if since is not None or compare is not None:
        from sluicegate.reach.comparing import Comparing

        comparing = Comparing.of(since, compare, targets)
    if review:
        _check_reviewable(targets, whole=not (changed or changed_since or shard or resume or comparing))
    targets, only = _narrowed(targets, since=changed_since, changed=changed)
    part = None if shard is None else _part(shard)
    plan = planned({**options, "quiet": quiet}, targets)
    check_places(plan, {**options, "resume": resume})
    chosen = choose(options, targets=targets or (_project(),), fail_on=fail_on, quiet=quiet)
    try:
        if review:
            from sluicegate.reach.cli.reviews import ReviewOptions, reviewed_report

            made = reviewed_report(targets, chosen, ReviewOptions(), quiet=quiet)
            if isinstance(made, int):
                return made
            report = made
        elif targets:
            report = run(targets, chosen, quiet=quiet, changed=only, shard=part, resume=resume)
        else:
            report = run_installed(chosen, quiet=quiet)
    except (NothingChanged, NothingToInspect) as nothing:
        if only is None and not (allow_none and _has_files(targets)):
            raise
        return _unchanged(nothing.message, quiet=quiet)
    if queued and not review:
        from sluicegate.reach.cli.commands.queue import add_to_queue

        add_to_queue(report, targets, quiet=quiet)
    report = report._replace(notes=(*chosen.notes, *report.notes))
    if comparing is not None:
        report = comparing.compared(report, targets, chosen.config, whole=only is None and part is None)
    deliver(report, plan)
    return exit_code(chosen.fail_on, report)


def _check_reviewable(targets: tuple[str, ...], *, whole: bool) -> None:
    """A review is of whole skills that are named, and decides about all that is in them."""
    if not targets:
        raise click.UsageError("--review goes with a TARGET")
    if not whole:
        raise click.UsageError(
            "--review goes with none of --changed, --changed-since, --since, --compare, --shard and --resume"
        )


def _project() -> str:
    """The project whose installations are scanned where no target is named: nothing in it configures that."""
    from sluicegate.vet.intake.installed import project_of

    return str(project_of(Path()))


def run_installed(chosen: ChosenOptions, *, quiet: bool) -> Report:
    """Scan what is installed for the user and for the project of this folder."""
    from sluicegate.reach.cli.progress import progress_bar
    from sluicegate.vet.intake.installed import home_of, project_of
    from sluicegate.vet.scanner import Scanner

    _stop_workers_too(chosen)
    with progress_bar(quiet=quiet) as progress, Scanner(chosen.config) as scanner:
        gc.enable()  # see main
        return scanner.scan_installed(
            home=home_of(os.environ),
            project=project_of(Path()),
            environ=os.environ,
            progress=progress,
        )


def _narrowed(
    targets: tuple[str, ...], *, since: str | None, changed: bool
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """What to scan, and which files of it count as changed (None: the question was not asked)."""
    if since is None and not changed:
        return targets, None
    if since is not None and changed:
        raise click.UsageError("--changed-since and --changed exclude each other")
    from sluicegate.reach import changed as changes

    if changed:
        return (".",), changes.named(targets, Path())
    if since is None or len(targets) != 1 or targets[0] == "-" or "://" in targets[0]:
        raise click.UsageError("--changed-since goes with one TARGET, a folder of a Git repository")
    return targets, changes.since(since, Path(targets[0]))


def _part(shard: str) -> tuple[int, int]:
    """Which part of how many."""
    part, _, parts = shard.partition("/")
    if not (part.isascii() and part.isdigit() and parts.isascii() and parts.isdigit()):
        raise click.UsageError(f"--shard takes I/N, such as 1/4, not {shard!r}")
    if not 1 <= int(part) <= int(parts):
        raise click.UsageError(f"--shard takes I/N with I from 1 to N, not {shard!r}")
    return int(part), int(parts)


def _has_files(targets: tuple[str, ...]) -> bool:
    """Whether the one target is a folder in which something is: an empty one is more likely a checkout that failed."""
    folder = Path(targets[0])
    return len(targets) == 1 and folder.is_dir() and any(each.name != ".git" for each in folder.iterdir())


def _unchanged(message: str, *, quiet: bool) -> int:
    """Nothing to decide about: said on standard error, and no report is written."""
    if not quiet:
        from sluicegate.reach.report.escape import printable

        click.echo(f"sluicegate: {printable(message)}", err=True)
    return 0


def _stop_workers_too(chosen: ChosenOptions) -> None:
    """End by SIGTERM as by Ctrl-C, so that no process that was started for the scan stays behind."""
    if chosen.config.jobs > 1:
        import signal

        hears = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGTERM, hears if callable(hears) else signal.default_int_handler)


def run(
    targets: tuple[str, ...],
    chosen: ChosenOptions,
    *,
    quiet: bool,
    changed: tuple[str, ...] | None = None,
    shard: tuple[int, int] | None = None,
    resume: str | None = None,
) -> Report:
    """Scan all targets into one report. ``changed``, ``shard``, ``resume``: see ``Scanner.scan_many``."""
    import sys

    from sluicegate.reach.cli.progress import progress_bar
    from sluicegate.vet.scan import combine
    from sluicegate.vet.scanner import Scanner, Unscanned

    stdin = sys.stdin.buffer if "-" in targets and sys.stdin is not None else None
    reports = []
    _stop_workers_too(chosen)
    with progress_bar(quiet=quiet) as progress, Scanner(chosen.config) as scanner:
        gc.enable()  # see main
        results = scanner.scan_many(
            targets, stdin=stdin, progress=progress, changed=changed, shard=shard, resume=resume
        )
        with closing(results):
            for result in results:
                if isinstance(result, Unscanned):
                    raise result.error
                reports.append(result)
    if not reports and shard is not None:
        raise UsageError(
            f"no skill falls to shard {shard[0]}/{shard[1]}",
            hint="There are fewer skills than shards: use no more shards than skills.",
        )
    return combine(reports)
