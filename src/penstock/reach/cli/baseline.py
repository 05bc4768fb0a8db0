"""``penstock baseline``: a reviewer accepts findings, with a reason, a name and a last day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from penstock.reach.cli.options import choose, scan_options
from penstock.reach.cli.output import write_file
from penstock.reach.cli.scan import run
from penstock.reach.errors import UsageError

if TYPE_CHECKING:
    from penstock.vet.baseline import BaselineFile
    from penstock.vet.report import Report

_DAYS = 180
"""How long an acceptance holds when nothing else is said: long enough to work, short enough to be seen again."""


@click.command(short_help="Accept the findings of a scan, for a reason and for a time.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--reason", required=True, help="Why these findings are accepted.")
@click.option("--owner", required=True, help="Who accepts them.")
@click.option(
    "--expires",
    metavar="YYYY-MM-DD",
    help=f"The last day on which they are accepted; {_DAYS} days from today by default.",
)
@click.option(
    "--only", multiple=True, metavar="RULE", help="Accept the findings of this rule alone. May be repeated."
)
@click.option(
    "-o", "--output", metavar="FILE", help="The file to write; entries that it holds already are kept."
)
@scan_options
def baseline(
    targets: tuple[str, ...],
    reason: str,
    owner: str,
    expires: str | None,
    only: tuple[str, ...],
    output: str | None,
    **options: object,
) -> None:
    """Scan each TARGET and write its findings to a baseline: a file that says what a reviewer has accepted.

    An accepted finding stays in the report, counted apart, and is not scored. Each entry names the skill, the
    rule, the path and the text it was found in; when the text changes, the finding counts again.

    \b
    penstock baseline skills/release --reason "our own installer" --owner mira -o accepted.toml
    penstock scan skills/release --baseline accepted.toml
    """
    from penstock.vet.baseline import BaselineFile, dump, load

    last_day = _last_day(expires)
    chosen = choose(options, targets=targets, fail_on=None, quiet=False)
    report = run(targets, chosen, quiet=False)
    accepted = accept_findings(report, only=only, reason=reason, owner=owner, expires=last_day)
    before = load(Path(output)) if output and Path(output).exists() else BaselineFile()
    known = set(before.entries)
    new = tuple(entry for entry in accepted.entries if entry not in known)
    text = dump(BaselineFile(entries=(*before.entries, *new)))
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(Path(output), text)
    click.echo(
        f"{len(new)} findings accepted until {last_day.isoformat()}, {len(before.entries)} entries kept.",
        err=True,
    )


def accept_findings(
    report: Report, *, only: tuple[str, ...], reason: str, owner: str, expires: date
) -> BaselineFile:
    """An exact entry for every active finding of the report, or for those of the rules in ``only``.

    Raises UsageError when a rule of ``only`` has no finding, and ConfigError when a reason or owner is empty.
    """
    from penstock.vet.baseline import Accepted, BaselineFile, accept

    entries: list[Accepted] = []
    fired: set[str] = set()
    for skill in report.skills:
        findings = [*skill.verdict.findings, *skill.verdict.listed]
        fired.update(finding.rule for finding in findings)
        chosen = [finding for finding in findings if not only or finding.rule in only]
        entries += accept(chosen, skill=skill.name, reason=reason, owner=owner, expires=expires).entries
    for rule in only:
        if rule not in fired:
            raise UsageError(
                f"no finding of {rule!r} to accept",
                hint=f"Found here: {', '.join(sorted(fired)) or 'nothing'}.",
            )
    return BaselineFile(entries=tuple(entries))


def _last_day(text: str | None) -> date:
    today = datetime.now(UTC).date()
    if text is None:
        return today + timedelta(days=_DAYS)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--expires takes a date, not {text!r}", hint="For example 2030-06-30.") from None
    if day < today:
        raise UsageError(
            f"--expires {text} is in the past", hint="The last day on which the findings are accepted."
        )
    return day
