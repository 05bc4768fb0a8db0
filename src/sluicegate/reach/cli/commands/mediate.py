"""``sluicegate mediate``: what a reviewing model would be shown of a skill. It asks none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.destinations import Destination, check, place_of
from sluicegate.reach.cli.options import ScanCommand, scan_options
from sluicegate.reach.cli.output import check_stdout, write_file, write_stdout
from sluicegate.reach.cli.scans.choose import choose
from sluicegate.reach.errors import UsageError

if TYPE_CHECKING:
    from sluicegate.vet.report import Report


@click.command(cls=ScanCommand, short_help="Write what a reviewing model would be shown of a skill.")
@click.argument("target", metavar="TARGET", shell_complete=complete.paths)
@click.option(
    "--report",
    metavar="FILE",
    shell_complete=complete.paths,
    help="A JSON report of this very TARGET; without one it is scanned.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(["json", "text"]), help="json (default), or text to read."
)
@click.option(
    "-o", "--output", metavar="FILE", shell_complete=complete.paths, help="Write to FILE; .txt gives text."
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(["findings", "skill", "detector"]),
    help="Only what reviewers of this role would be shown. May be repeated.",
)
@click.option(
    "--nonce",
    metavar="TEXT",
    help="What the boundaries of frames are made of, beside the content. A request has its own; here it is empty, so that "
    "the same target gives the same bytes.",
)
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error.")
@scan_options
def mediate(
    target: str,
    report: str | None,
    form: str | None,
    output: str | None,
    roles: tuple[str, ...],
    nonce: str | None,
    quiet: bool,
    **options: object,
) -> None:
    """Write what reviewing models would be shown of TARGET, and told.

    Nothing is sent anywhere. What the skill wrote stands in frames that it cannot end, with comments apart from code,
    unseen characters as escapes and secrets masked. What does not fit into the budgets is named. docs/review.md has more.

    \b
    sluicegate mediate ./skill -f text | less
    sluicegate mediate ./skill --report scan.json -o packages.json
    """
    from sluicegate.reach.mediated import as_json, as_text
    from sluicegate.reach.settings import mediator_of
    from sluicegate.vet.mediation import mediated
    from sluicegate.vet.scanner import Scanner
    from sluicegate.vet.verdict.consensus import Role

    nonce = _encodable(nonce or "")
    file = None if output is None else place_of(output, option="--output", example="packages.json")
    scanned = None if report is None else _report(report, target)
    if file is None:
        check_stdout()
    else:
        read = [] if report is None else [Destination(f"--report {report}", Path(report))]
        check([Destination(f"--output {output}", file)], read, [target])
    chosen = choose(options, targets=(target,), fail_on=None, quiet=quiet)
    shown_at_once = mediator_of(chosen.review)
    wanted = [role for role in Role if not roles or role.value in roles]
    stdin = sys.stdin.buffer if target == "-" and sys.stdin is not None else None
    with Scanner(chosen.config) as scanner:
        skills = mediated(target, scanner, shown_at_once, report=scanned, stdin=stdin).skills
    in_words = form == "text" or (form is None and file is not None and file.suffix.lower() == ".txt")
    shown = (as_text if in_words else as_json)(skills, wanted, nonce)
    if file is not None:
        write_file(file, shown)
    else:
        write_stdout(shown)
    left = sum(not skill.case.packages.complete for skill in skills)
    if left and not quiet:
        click.echo(
            f"sluicegate: not everything of {left} of {len(skills)} skills found room in the packages: see the omissions",
            err=True,
        )


def _encodable(nonce: str) -> str:
    if not nonce.isascii() or len(nonce) > 256:
        raise click.UsageError("--nonce takes at most 256 ASCII characters")
    return nonce


def _report(report: str, target: str) -> Report:
    from sluicegate.reach.comparing import read_report

    place = Path(report)
    if target != "-" and "://" not in target and place.resolve().is_relative_to(Path(target).resolve()):
        raise UsageError(
            f"{report} lies inside {target}: whoever wrote the skill may have written it, too",
            hint="Keep the report elsewhere.",
        )
    return read_report(place, option="--report")
