"""A review from the command line: who is asked, by the settings and the options; what it may cost; and its report."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli.commands.queue import add_to_queue
from sluicegate.reach.cli.scans.choose import ChosenOptions
from sluicegate.reach.errors import UsageError
from sluicegate.reach.exit_codes import COULD_NOT_RUN
from sluicegate.reach.report.escape import no_orders, printable
from sluicegate.reach.review_said import left_out, notes, plan_lines, rejected_unseen, spent_line
from sluicegate.reach.settings import ReviewSection, mediator_of
from sluicegate.tuples import NamedTuple
from sluicegate.vet.report import Report
from sluicegate.vet.review.panel.settings import PanelSettings, Recall, ReviewBudget
from sluicegate.vet.review.panel.store import FILE, ReplyStore

if TYPE_CHECKING:
    from sluicegate.vet.scanner import Progress
from sluicegate.vet.review.prompts.instructions import InstructionsChanged

if TYPE_CHECKING:
    from sluicegate.vet.review.mediator.settings import MediatorSettings

_UNITS = {"k": 1_000, "M": 1_000_000}
_NARROWEST, _WIDEST = 40, 80
"""Columns."""


class ReviewOptions(NamedTuple):
    """What the options of the command ask for."""

    recall: Recall = Recall.FIRST
    budget: tuple[str, ...] = ()
    dry_run: bool = False
    anyway: bool = False


def reviewed_report(
    targets: tuple[str, ...], chosen: ChosenOptions, options: ReviewOptions, *, quiet: bool
) -> Report | int:
    """Scan the targets, put their skills before the panel of the settings, and give the report.

    An exit code where there is none: nobody is set up, which is said with what to do, or the run is a dry one. Raises what
    a scan raises, and UsageError, ConfigError, ReviewRecordError and InstructionsChanged before anybody is asked.
    """
    section = chosen.review or ReviewSection()
    budget = _budget(section, options.budget)
    if not section.seats:
        return _nobody()
    settings = PanelSettings(tuple(section.seats), budget, options.recall)
    with _refusals_told(targets):
        return _asked(targets, chosen, options, settings, mediator_of(section), quiet=quiet)


@contextmanager
def _refusals_told(targets: tuple[str, ...]) -> Iterator[None]:
    """Where instructions do not verify, the ledger is told that nothing was asked."""
    try:
        yield
    except InstructionsChanged as refused:
        from sluicegate.reach.cli.ledger.reviews import tell_refused

        tell_refused(refused, targets)
        raise


def _asked(
    targets: tuple[str, ...],
    chosen: ChosenOptions,
    options: ReviewOptions,
    settings: PanelSettings,
    shown: MediatorSettings,
    *,
    quiet: bool,
) -> Report | int:
    from sluicegate.reach.cli.ledger.reviews import tell, told_of
    from sluicegate.reach.cli.panel_display import panel_display
    from sluicegate.reach.cli.progress import progress_bar
    from sluicegate.vet.mediation import mediated
    from sluicegate.vet.review.panel.plan import plan
    from sluicegate.vet.reviewing import reviewed, to_be_asked
    from sluicegate.vet.scanner import Scanner

    stdin = sys.stdin.buffer if "-" in targets and sys.stdin is not None else None
    with ReplyStore(_record(targets)) as store, Scanner(chosen.config) as scanner:
        gc.enable()  # see main
        with progress_bar(quiet=quiet) as progress:
            read = [mediated(target, scanner, shown, stdin=stdin, progress=progress) for target in targets]
        would = plan(to_be_asked(read, anyway=options.anyway), settings, store)
        unseen = () if options.anyway else rejected_unseen(read)
        lines = [*left_out(read), *unseen, *plan_lines(would, settings)]
        if options.dry_run:
            for line in (*lines, "nothing was sent"):
                click.echo(_wrapped(line))
            return 0
        if not quiet:
            _say(lines)
        with told_of(targets) as ledger:
            with panel_display(would, quiet=quiet) as watch:
                made = reviewed(
                    read,
                    scanner,
                    settings,
                    store,
                    now=int(time.time()),
                    anyway=options.anyway,
                    watch=watch,
                    ledger=ledger,
                )
            tell(ledger, made.skills, chosen.config)
    if not quiet:
        _say([spent_line(made)])
    add_to_queue(made.report, targets, quiet=quiet)
    return made.report._replace(notes=(*made.report.notes, *notes(made, settings)))


class PanelReport(NamedTuple):
    """The report of a review, and what is to be said of who was asked."""

    report: Report
    said: tuple[str, ...]


def panel_report(
    targets: tuple[str, ...], chosen: ChosenOptions, options: ReviewOptions, progress: Progress | None
) -> PanelReport:
    """Put the skills of targets before the models of the settings, for a program: nothing is printed. What is not SAFE waits
    for a person, and a publisher is flagged, as by the command. Raises what ``reviewed_report`` raises.
    """
    section = chosen.review or ReviewSection()
    settings = PanelSettings(tuple(section.seats or ()), _budget(section, options.budget), options.recall)
    from sluicegate.reach.cli.ledger.reviews import tell, told_of
    from sluicegate.vet.mediation import mediated
    from sluicegate.vet.review.panel.plan import plan
    from sluicegate.vet.reviewing import reviewed, to_be_asked
    from sluicegate.vet.scanner import Scanner

    shown = mediator_of(section)
    record = _record(targets)
    with _refusals_told(targets), ReplyStore(record) as store, Scanner(chosen.config) as scanner:
        read = [mediated(target, scanner, shown, progress=progress) for target in targets]
        would = plan(to_be_asked(read, anyway=options.anyway), settings, store)
        lines = [*left_out(read), *rejected_unseen(read), *plan_lines(would, settings)]
        with told_of(targets) as ledger:
            made = reviewed(
                read, scanner, settings, store, now=int(time.time()), anyway=options.anyway, ledger=ledger
            )
            tell(ledger, made.skills, chosen.config)
    add_to_queue(made.report, targets, quiet=True)
    said = (*lines, spent_line(made))
    report = made.report._replace(notes=(*chosen.notes, *made.report.notes, *notes(made, settings)))
    return PanelReport(report, tuple(map(printable, said)))


def _nobody() -> int:
    """Say how to set up a model, and what would be sent where."""
    from sluicegate.reach.cli.seats import how_to_set_up

    click.echo(
        "sluicegate: no model is set up to review: nothing was sent, and nothing was decided", err=True
    )
    for line in how_to_set_up():
        click.echo(printable(line), err=True)
    return COULD_NOT_RUN


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(_wrapped(line if line[:1] == " " else f"sluicegate: {line}"), err=True)


def _wrapped(line: str) -> str:
    """A line for a terminal, in rows of 80 columns, or fewer where it has fewer; further rows stand four further in. A word that
    is wider stays whole, and none that begins a row gives an order to a build.
    """
    start = len(line) - len(line.lstrip(" "))
    rows = textwrap.wrap(
        printable(line),
        max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns)),
        subsequent_indent=" " * (start + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return no_orders("\n".join(rows))


def _record(targets: tuple[str, ...]) -> Path:
    """Where answers are recorded: in the user's own directory, and never in the workspace or in what is reviewed."""
    from sluicegate.reach.ruling_queue import lies_within
    from sluicegate.record.home import Home

    place = Home.find(os.environ, workspace=None).reviews / FILE
    if lies_within(place, os.environ, targets):
        raise UsageError(
            f"the recorded answers in {place} lie inside the workspace or what is reviewed",
            hint="Whoever wrote the one could write the other. Set SLUICEGATE_KEYS_HOME to a directory outside.",
        )
    return place


def _budget(section: ReviewSection, words: tuple[str, ...]) -> ReviewBudget:
    budget = ReviewBudget()
    if section.budget_tokens is not None:
        budget = budget._replace(tokens=section.budget_tokens)
    if section.budget_cost is not None:
        budget = budget._replace(cost=Decimal(str(section.budget_cost)))
    for word in words:
        name, _, given = word.partition("=")
        if name not in ("tokens", "cost"):
            raise UsageError(
                f"--budget takes tokens=N or cost=N, not {word[:60]!r}", hint="For example tokens=500k."
            )
        number = _number(given.strip(), whole=name == "tokens")
        if number is None:
            raise UsageError(
                f"--budget {name} takes a number above 0, not {given[:40]!r}",
                hint="For example tokens=500k, tokens=2M or cost=2.50.",
            )
        budget = budget._replace(tokens=int(number)) if name == "tokens" else budget._replace(cost=number)
    return budget


def _number(given: str, *, whole: bool) -> Decimal | None:
    unit = _UNITS.get(given[-1:], 1) if whole else 1
    digits = given[:-1] if unit > 1 else given
    if not digits.isascii() or len(digits) > 15 or not digits.replace(".", "", 1).isdigit():
        return None
    try:
        number = Decimal(digits) * unit
    except InvalidOperation:
        return None
    return number if number > 0 and (not whole or number == number.to_integral_value()) else None
