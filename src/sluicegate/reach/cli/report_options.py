"""Options of the commands that write reports of a scan, and what they come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.destinations import Destination, check
from sluicegate.reach.cli.output import OutputPlan, Outputs, emit, plan_outputs
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.report import Report

_Option = Callable[[Callable[..., Any]], Callable[..., Any]]


class ReportPlan(NamedTuple):
    """The reports that a command is to write, and how; ``certificate`` is the file of one, and ``sign`` whether to sign it."""

    outputs: Outputs
    certificate: Path | None
    sign: bool
    quiet: bool

    @property
    def written(self) -> tuple[Destination, ...]:
        """Every report and certificate that goes into a file."""
        return (
            *(one.file for one in self.outputs.plan if one.file is not None),
            *(
                []
                if self.certificate is None
                else [Destination(f"--certificate {self.certificate}", self.certificate)]
            ),
        )


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of what is written, and where."""
    return _with(command, _what_is_written())


def telling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of how much is told."""
    return _with(command, _how_much())


def planned(options: Mapping[str, Any], targets: tuple[str, ...]) -> ReportPlan:
    """What the options come to, checked before the scan begins. Raises UsageError."""
    sign, certificate = bool(options["sign"]), options["certificate"]
    if sign and certificate is None:
        raise click.UsageError("--sign goes with --certificate FILE")
    plan: tuple[OutputPlan, ...] = plan_outputs(options["formats"], options["outputs"])
    if options["summary"] and all(one.format != "text" for one in plan):
        raise click.UsageError("--summary is for the text report; name that format, too: -f text")
    file = None
    if certificate is not None:
        from sluicegate.reach.cli.commands.certificate import certificate_place, check_key

        file = certificate_place(certificate)
        if sign:
            check_key(os.environ, Path())
    outputs = Outputs(
        plan=plan,
        color=options["color"],
        absolute=options["absolute_paths"],
        targets=targets,
        summary=options["summary"],
        verbose=options["verbose"],
    )
    return ReportPlan(outputs=outputs, certificate=file, sign=sign, quiet=options["quiet"])


def check_places(plan: ReportPlan, options: Mapping[str, Any]) -> None:
    """Refuse to write where something would be lost. Raises UsageError."""
    own = (("baseline", "baseline"), ("config", "config_file"), ("resume", "resume"))
    read = [
        Destination(f"--{name} {options[key]}", Path(str(options[key])))
        for name, key in own
        if options.get(key) is not None
    ]
    check(plan.written, read, plan.outputs.targets)


def deliver(report: Report, plan: ReportPlan) -> None:
    """Write all of it. Raises OutputError."""
    if plan.certificate is not None:
        from sluicegate.reach.cli.commands.certificate import write_certificate

        write_certificate(report, plan.certificate, sign=plan.sign)
    emit(report, plan.outputs)
    if not plan.quiet:
        _say_what_is_scanned_next(plan, report)


def _say_what_is_scanned_next(plan: ReportPlan, report: Report) -> None:
    from sluicegate.reach.cli.destinations import scanned_next_time
    from sluicegate.reach.report.escape import printable

    for one in scanned_next_time(plan.written, plan.outputs.targets, report):
        click.echo(
            f"sluicegate: {printable(str(one.file))} lies inside a skill: the next scan reads it, too. "
            "Keep reports elsewhere.",
            err=True,
        )


def _with(command: Callable[..., Any], options: list[_Option]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def _what_is_written() -> list[_Option]:
    return [
        click.option(
            "-f",
            "--format",
            "formats",
            multiple=True,
            metavar="FORMAT",
            shell_complete=complete.formats,
            help="text (default), concise (a line a finding), json, sarif, markdown, html, github or gitlab, on standard "
            "output.",
        ),
        click.option(
            "-o",
            "--output",
            "outputs",
            multiple=True,
            metavar="[FORMAT:]FILE",
            shell_complete=complete.paths,
            help="Write a report to FILE; the format is named before the colon or told from the suffix. May be repeated.",
        ),
        click.option(
            "--certificate",
            metavar="FILE",
            shell_complete=complete.paths,
            help="Write what the decision rests on to FILE, for others to check without this program.",
        ),
        click.option("--sign", is_flag=True, help="Sign the certificate with your key."),
        click.option(
            "--fail-on",
            metavar="DECISION",
            shell_complete=complete.decisions,
            help="caution (default), do-not-install or never: the mildest decision that is a failure.",
        ),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="Colour in text reports.",
        ),
        click.option(
            "--absolute-paths",
            is_flag=True,
            help="Show the source as an absolute path instead of its own name.",
        ),
    ]


def _how_much() -> list[_Option]:
    return [
        click.option(
            "--summary", is_flag=True, help="Text report: the decisions alone, a line for each skill."
        ),
        click.option("-v", "--verbose", is_flag=True, help="Text reports: list SAFE skills, too."),
        click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error."),
    ]
