"""``sluicegate scan``: the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import EXIT_CODES, Chosen, choose, scan_options
from sluicegate.reach.cli.output import Outputs, emit, place_of, plan_outputs

if TYPE_CHECKING:
    from sluicegate.vet.report import Report


@click.command(short_help="Scan skills and say whether they are safe to install.")
@click.argument("targets", nargs=-1, metavar="TARGET...", shell_complete=complete.paths)
@click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    shell_complete=complete.formats,
    help="text (default), json, sarif, markdown, html or github, on standard output.",
)
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="[FORMAT:]FILE",
    shell_complete=complete.paths,
    help="Write a report to FILE; the format is named before the colon or told from the suffix. May be repeated.",
)  # fmt: skip
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=complete.paths,
    help="Write what the decision rests on to FILE, for others to check without this program.",
)
@click.option("--sign", is_flag=True, help="Sign the certificate with your key.")
@click.option(
    "--fail-on",
    metavar="DECISION",
    shell_complete=complete.decisions,
    help="caution (default), do-not-install or never: the mildest decision that is a failure.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour in text reports.",
)
@click.option(
    "--absolute-paths", is_flag=True, help="Show the source as an absolute path instead of its own name."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error.")
@scan_options
def scan(
    targets: tuple[str, ...],
    formats: tuple[str, ...],
    outputs: tuple[str, ...],
    certificate: str | None,
    sign: bool,
    fail_on: str | None,
    color: str,
    absolute_paths: bool,
    quiet: bool,
    **options: object,
) -> int:
    """Scan each TARGET and say whether it is safe to install.

    A TARGET is a directory, a file, an archive (.zip, .skill, .tar.gz, .whl), a git or https URL, or - for a
    tar on standard input. A directory or archive that holds many skills is scanned skill by skill. Nothing
    is executed, no link is followed, and nothing inside a TARGET configures its own scan.

    \b
    Exit code: 0 every skill is SAFE; 1 one is DO_NOT_INSTALL; 3 one is CAUTION;
               2 the scan could not run.
    With --fail-on do-not-install, CAUTION gives 0.
    """
    if not targets:
        raise click.UsageError(
            "Name a skill to scan: a directory, a file, an archive, a URL, or - for a tar on standard input."
        )
    if options.get("rule_specs") == ("list",):
        from sluicegate.reach.cli.rules import print_rules

        print_rules()
        return 0
    if sign and certificate is None:
        raise click.UsageError("--sign goes with --certificate FILE")
    plan = plan_outputs(formats, outputs)
    certificate_file = None if certificate is None else place_of(certificate)
    chosen = choose(options, targets=targets, fail_on=fail_on, quiet=quiet)
    report = run(targets, chosen, quiet=quiet)
    if certificate_file is not None:
        from sluicegate.reach.cli.certificate import write_certificate

        write_certificate(report, certificate_file, sign=sign)
    emit(report, Outputs(plan=plan, color=color, absolute=absolute_paths, targets=targets))
    return EXIT_CODES[chosen.fail_on][report.decision]


def run(targets: tuple[str, ...], chosen: Chosen, *, quiet: bool) -> Report:
    """Scan all targets into one report."""
    import sys

    from sluicegate.reach.cli.progress import progress_bar
    from sluicegate.vet.scan import combine
    from sluicegate.vet.scan import scan as scan_one

    reports = []
    with progress_bar(quiet=quiet) as progress:
        for target in targets:
            stdin = sys.stdin.buffer if target == "-" and sys.stdin is not None else None
            reports.append(scan_one(target, chosen.config, stdin=stdin, progress=progress))
    return combine(reports)
