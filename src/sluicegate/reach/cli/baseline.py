"""``sluicegate baseline``: a reviewer accepts findings, with a reason, a name and a last day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import choose, scan_options
from sluicegate.reach.cli.output import write_file
from sluicegate.reach.cli.scan import run
from sluicegate.reach.errors import UsageError

if TYPE_CHECKING:
    from sluicegate.vet.baseline import Accepted, BaselineFile
    from sluicegate.vet.report import Report

_DAYS = 180
"""How long an acceptance holds when nothing else is said: long enough to work, short enough to be seen again."""


@click.command(short_help="Accept the findings of a scan, for a reason and for a time.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...", shell_complete=complete.paths)
@click.option("--reason", required=True, help="Why these findings are accepted.")
@click.option("--owner", required=True, help="Who accepts them.")
@click.option(
    "--expires",
    metavar="YYYY-MM-DD",
    help=f"The last day on which they are accepted; {_DAYS} days from today by default.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="RULE",
    shell_complete=complete.rule_ids,
    help="Accept the findings of this rule alone. May be repeated.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.paths,
    help="The file to write; entries in it that still hold are kept.",
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
    sluicegate baseline ./skill --reason "our own" --owner mira -o accepted.toml
    sluicegate scan ./skill --baseline accepted.toml
    """
    from sluicegate.vet.baseline import BaselineFile, dump, load

    last_day = _last_day(expires)
    chosen = choose(options, targets=targets, fail_on=None, quiet=False)
    report = run(targets, chosen, quiet=False)
    accepted = accept_findings(report, only=only, reason=reason, owner=owner, expires=last_day)
    before = load(Path(output)) if output and Path(output).is_file() else BaselineFile()
    kept, new = renew(before, accepted, today=datetime.now(UTC).date())
    text = dump(BaselineFile(entries=(*kept, *new)))
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(Path(output), text)
    from sluicegate.reach.report.wording import count

    click.echo(
        f"{count(len(new), 'finding')} accepted until {last_day.isoformat()}, "
        f"{count(len(kept), 'entry', 'entries')} kept.",
        err=True,
    )


def renew(
    before: BaselineFile, accepted: BaselineFile, *, today: date
) -> tuple[tuple[Accepted, ...], tuple[Accepted, ...]]:
    """The entries of ``before`` to keep, and those of ``accepted`` to add: one entry for each finding.

    An entry that still holds stays as its owner wrote it; one that has expired makes way for a new one.
    """
    wanted = {_about(entry) for entry in accepted.entries}
    kept = tuple(e for e in before.entries if not (_about(e) in wanted and _is_over(e, today)))
    held = {_about(entry) for entry in kept}
    return kept, tuple(entry for entry in accepted.entries if _about(entry) not in held)


def _about(accepted: Accepted) -> tuple[str, str, str, str]:
    """The finding or gap that an entry speaks of; the fingerprint of a glob is none."""
    from sluicegate.vet.verdict.suppression import GapEntry, GlobEntry

    entry = accepted.entry
    of = entry.gap if isinstance(entry, GapEntry) else entry.rule
    return accepted.skill, of, entry.path, "" if isinstance(entry, GlobEntry) else entry.fingerprint


def _is_over(accepted: Accepted, today: date) -> bool:
    return accepted.entry.expires is not None and accepted.entry.expires < today


def accept_findings(
    report: Report, *, only: tuple[str, ...], reason: str, owner: str, expires: date
) -> BaselineFile:
    """An exact entry for every active finding of the report, or for those of the rules in ``only``.

    Raises UsageError when a rule of ``only`` has no finding, and ConfigError when a reason or owner is empty.
    """
    from sluicegate.vet.baseline import BaselineFile, accept

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
