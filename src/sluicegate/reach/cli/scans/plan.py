"""The reports that a scan is to write: planned before it begins, and delivered after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluicegate.reach.cli.destinations import Destination, check
from sluicegate.reach.cli.output import OutputPlan, Outputs, emit, plan_outputs
from sluicegate.reach.cli.scans.words import wrong_words
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.report import Report


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


def planned(options: Mapping[str, Any], targets: tuple[str, ...]) -> ReportPlan:
    """What the options come to, checked before the scan begins. Raises UsageError."""
    sign, certificate = bool(options["sign"]), options["certificate"]
    if sign and certificate is None:
        raise wrong_words("--sign goes with --certificate FILE")
    plan: tuple[OutputPlan, ...] = plan_outputs(options["formats"], options["outputs"])
    if options["summary"] and all(one.format != "text" for one in plan):
        raise wrong_words("--summary is for the text report; name that format, too: -f text")
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


def deliver(report: Report, plan: ReportPlan, rules_url: str) -> None:
    """Write all of it, with links to the pages of rules at ``rules_url``, if any. Raises OutputError."""
    if plan.certificate is not None:
        from sluicegate.reach.cli.commands.certificate import write_certificate

        write_certificate(report, plan.certificate, sign=plan.sign)
    emit(report, plan.outputs._replace(rules_url=rules_url))
    if not plan.quiet:
        _say_what_is_scanned_next(plan, report)


def _say_what_is_scanned_next(plan: ReportPlan, report: Report) -> None:
    from sluicegate.reach.cli.destinations import scanned_next_time
    from sluicegate.reach.report.escape import printable

    for one in scanned_next_time(plan.written, plan.outputs.targets, report):
        sys.stderr.write(
            f"sluicegate: {printable(str(one.file))} lies inside a skill: the next scan reads it, too. "
            "Keep reports elsewhere.\n"
        )
