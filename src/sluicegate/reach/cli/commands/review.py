"""``sluicegate review``: the gate, with a panel of models that can raise an alarm."""

from __future__ import annotations

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import ScanCommand, scan_options
from sluicegate.reach.cli.report_options import report_options, telling_options
from sluicegate.reach.cli.scans.choose import choose
from sluicegate.reach.cli.scans.plan import check_places, deliver, planned
from sluicegate.reach.exit_codes import exit_code, in_help


class _Review(ScanCommand):
    """The command, which says its exit codes."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(ctx, formatter)
        in_help(formatter)


@click.command(cls=_Review, short_help="Scan skills and have models review them, too.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...", shell_complete=complete.paths)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be asked of whom, and what it may cost. Sends nothing."
)
@click.option("--offline", is_flag=True, help="Send nothing: only answers that were recorded before count.")
@click.option(
    "--fresh",
    is_flag=True,
    help="Ask everything anew, and say which answers changed. An alarm of before still counts.",
)
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="NAME=N",
    help="What it may take at most: tokens=500k, cost=2.50 (by the prices of the seats). May be repeated.",
)
@click.option(
    "--review-anyway",
    "anyway",
    is_flag=True,
    help="Ask also about a skill that a rule rejects for orders to reviewers. It stays rejected.",
)
@report_options
@telling_options
@scan_options
def review(
    targets: tuple[str, ...],
    dry_run: bool,
    offline: bool,
    fresh: bool,
    budgets: tuple[str, ...],
    anyway: bool,
    fail_on: str | None,
    quiet: bool,
    **options: object,
) -> int:
    """Scan each TARGET, have the models of your settings review it, and decide.

    Models are shown what 'sluicegate mediate' writes, each on its own, and can make a decision stricter, never milder. Who
    is asked stands under [[review.seats]] of your own settings; without any, this says how to set up a local one. What is
    answered is recorded, and not asked again.

    With --fail-on do-not-install, CAUTION gives 0, unless a limit was reached or a model did not answer.

    \b
    sluicegate review ./skill --dry-run
    sluicegate review ./skill --budget tokens=200k -o report.html
    """
    if offline and fresh:
        raise click.UsageError("--offline and --fresh exclude each other")
    from sluicegate.reach.cli.reviews import ReviewOptions, reviewed_report
    from sluicegate.vet.review.panel.settings import Recall

    plan = planned({**options, "quiet": quiet}, targets)
    check_places(plan, options)
    chosen = choose(options, targets=targets, fail_on=fail_on, quiet=quiet)
    recall = Recall.ONLY if offline else Recall.FRESH if fresh else Recall.FIRST
    asked = ReviewOptions(recall=recall, budget=budgets, dry_run=dry_run, anyway=anyway)
    report = reviewed_report(targets, chosen, asked, quiet=quiet)
    if isinstance(report, int):
        return report
    report = report._replace(notes=(*chosen.notes, *report.notes))
    deliver(report, plan, chosen.rules_url)
    return exit_code(chosen.fail_on, report)
