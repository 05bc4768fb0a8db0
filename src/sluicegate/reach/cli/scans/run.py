"""A scan from the command line: what it was told, carried out; the reports written; the exit code."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.errors import SluicegateError
from sluicegate.reach.cli.scans.choose import ChosenOptions, choose
from sluicegate.reach.cli.scans.plan import check_places, deliver, planned
from sluicegate.reach.cli.scans.words import wrong_words
from sluicegate.reach.errors import UsageError
from sluicegate.reach.exit_codes import exit_code
from sluicegate.vet.errors import NothingChanged, NothingToInspect

if TYPE_CHECKING:
    from sluicegate.vet.report import Report


def scan_as_told(
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
    """Carry out ``sluicegate scan`` with these values of its options, and give its exit code."""
    if options.get("rule_specs") == ("list",):
        from sluicegate.reach.cli.commands.rules import print_rules

        print_rules()
        return 0
    if changed and not targets:
        return _unchanged("no file was named: nothing was scanned", quiet=quiet)
    if not targets and (shard is not None or resume is not None):
        raise wrong_words("--shard and --resume go with a TARGET")
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
    not_queued = _queue(report, targets, quiet=quiet) if queued and not review else None
    report = report._replace(notes=(*chosen.notes, *report.notes))
    if comparing is not None:
        report = comparing.compared(report, targets, chosen.config, whole=only is None and part is None)
    deliver(report, plan, chosen.rules_url)
    if not_queued is not None:
        raise not_queued
    return exit_code(chosen.fail_on, report)


def _queue(report: Report, targets: tuple[str, ...], *, quiet: bool) -> SluicegateError | None:
    """Let the skills of a report wait for a person; why they cannot, if so. The report is to be read first all the same."""
    from sluicegate.reach.cli.commands.queue import add_to_queue

    try:
        add_to_queue(report, targets, quiet=quiet)
    except SluicegateError as error:
        return error
    return None


def _check_reviewable(targets: tuple[str, ...], *, whole: bool) -> None:
    """A review is of whole skills that are named, and decides about all that is in them."""
    if not targets:
        raise wrong_words("--review goes with a TARGET")
    if not whole:
        raise wrong_words(
            "--review goes with none of --changed, --changed-since, --since, --compare, --shard and --resume"
        )


def _project() -> str:
    """The project whose installations are scanned where no target is named: nothing in it configures that."""
    from sluicegate.vet.intake.installed.machine import project_of

    return str(project_of(Path()))


def run_installed(chosen: ChosenOptions, *, quiet: bool) -> Report:
    """Scan what is installed for the user and for the project of this folder."""
    from sluicegate.reach.cli.progress import progress_bar
    from sluicegate.vet.intake.installed.machine import home_of, project_of
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
        raise wrong_words("--changed-since and --changed exclude each other")
    from sluicegate.reach import changed as changes

    if changed:
        return (".",), changes.named(targets, Path())
    if since is None or len(targets) != 1 or targets[0] == "-" or "://" in targets[0]:
        raise wrong_words("--changed-since goes with one TARGET, a folder of a Git repository")
    return targets, changes.since(since, Path(targets[0]))


def _part(shard: str) -> tuple[int, int]:
    """Which part of how many."""
    part, _, parts = shard.partition("/")
    if not (part.isascii() and part.isdigit() and parts.isascii() and parts.isdigit()):
        raise wrong_words(f"--shard takes I/N, such as 1/4, not {shard!r}")
    if not 1 <= int(part) <= int(parts):
        raise wrong_words(f"--shard takes I/N with I from 1 to N, not {shard!r}")
    return int(part), int(parts)


def _has_files(targets: tuple[str, ...]) -> bool:
    """Whether the one target is a folder in which something is: an empty one is more likely a checkout that failed."""
    folder = Path(targets[0])
    return len(targets) == 1 and folder.is_dir() and any(each.name != ".git" for each in folder.iterdir())


def _unchanged(message: str, *, quiet: bool) -> int:
    """Nothing to decide about: said on standard error, and no report is written."""
    if not quiet:
        from sluicegate.reach.report.escape import printable

        sys.stderr.write(f"sluicegate: {printable(message)}\n")
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
