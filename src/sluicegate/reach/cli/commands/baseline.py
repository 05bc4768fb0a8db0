"""``sluicegate baseline``: a reviewer accepts findings and gaps, with a reason, a name and a last day."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.options import ScanCommand, scan_options
from sluicegate.reach.cli.output import write_file
from sluicegate.reach.cli.scans.choose import choose
from sluicegate.reach.cli.scans.run import run
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable
from sluicegate.reach.report.words.notes import SOON

if TYPE_CHECKING:
    from sluicegate.vet.baseline import Accepted, BaselineFile
    from sluicegate.vet.report import Report

_NAMED = 5
_DAYS = 180
"""How long an acceptance holds when nothing else is said: long enough to work, short enough to be seen again."""


GAPS = "gaps"
"""The word of ``--only`` for what was not inspected; no rule is called so."""


@click.command(cls=ScanCommand, short_help="Accept the findings of a scan, for a reason and for a time.")
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
    metavar="RULE|FINGERPRINT",
    shell_complete=complete.rule_ids,
    help="Accept the findings of this rule, or with this fingerprint, alone, or with 'gaps' what was not inspected. "
    "May be repeated.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.paths,
    help="The file to write; entries in it that hold for more than 14 days are kept.",
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
    """Scan each TARGET and write its findings and gaps to a baseline: a file that says what a reviewer has accepted.

    An accepted finding stays in the report, counted apart, and is not scored. Each entry names the skill, the
    rule, the path and the text it was found in; when the text changes, the finding counts again. The same holds for
    what was not inspected, where its content is known.

    \b
    sluicegate baseline ./skill --reason "our own" --owner mira -o accepted.toml
    sluicegate scan ./skill --baseline accepted.toml
    """
    from sluicegate.vet.baseline import BaselineFile, dump, load

    last_day = _last_day(expires)
    today = datetime.now(UTC).date()
    place = None if output is None else Path(output)

    def held(path: Path) -> BaselineFile:
        """What is accepted already; of the file to be written, only what is not to be renewed."""
        # Whoever gives it to a file by the shell has made that file, empty, before this runs.
        if place is None:
            return BaselineFile() if not path.exists() or _is_output(path) else load(path)
        if path.resolve() != place.resolve():
            return load(path)
        before = load(path) if path.is_file() else BaselineFile()
        return BaselineFile(entries=tuple(e for e in before.entries if not _makes_way(e, today)))

    chosen = choose(options, targets=targets, fail_on=None, quiet=False, read_baseline=held)
    report = run(targets, chosen, quiet=False)
    accepted = accept_findings(report, only=only, reason=reason, owner=owner, expires=last_day)
    before = load(place) if place is not None and place.is_file() else BaselineFile()
    kept, new = renew(before, accepted, today=today)
    text = dump(BaselineFile(entries=(*kept, *new)))
    if place is None:
        click.echo(text, nl=False)
    else:
        write_file(place, text)
    for line in _told(report, new, kept, last_day, only):
        click.echo(printable(line), err=True)


def _is_output(path: Path) -> bool:
    """Whether standard output goes to this file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(1))
    except OSError:
        return False


def _told(
    report: Report, new: Sequence[Accepted], kept: Sequence[Accepted], last_day: date, only: tuple[str, ...]
) -> Iterator[str]:
    """What was accepted, and what could not be."""
    from sluicegate.reach.report.words.wording import count
    from sluicegate.vet.verdict.suppression import GapEntry

    gaps = sum(isinstance(accepted.entry, GapEntry) for accepted in new)
    said = [count(len(new) - gaps, "finding")] if len(new) > gaps or not gaps else []
    said += [count(gaps, "gap")] if gaps else []
    if new:
        held = f", {count(len(kept), 'entry', 'entries')} kept" if kept else ""
        yield f"{' and '.join(said)} accepted until {last_day.isoformat()}{held}."
    else:
        where = count(len(report.skills), "skill")
        yield f"Nothing new to accept in {where}; the baseline holds {count(len(kept), 'entry', 'entries')}."
    if only and GAPS not in only:
        return
    unknown = [gap for skill in report.skills for gap in skill.verdict.gaps if not gap.fingerprint]
    if unknown:
        named = ", ".join(sorted({gap.path or "the skill as a whole" for gap in unknown})[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        yield (
            f"{count(len(unknown), 'gap')} cannot be accepted, since nobody knows what it holds: {named}{more}. "
            "The report says what to do."
        )


def renew(
    before: BaselineFile, accepted: BaselineFile, *, today: date
) -> tuple[tuple[Accepted, ...], tuple[Accepted, ...]]:
    """The entries of ``before`` to keep, and those of ``accepted`` to add: one entry for each finding.

    An entry that still holds stays as its owner wrote it; one that has expired, or soon will, makes way for a new one.
    """
    wanted = {_about(entry) for entry in accepted.entries}
    kept = tuple(e for e in before.entries if not (_about(e) in wanted and _makes_way(e, today)))
    held = {_about(entry) for entry in kept}
    return kept, tuple(entry for entry in accepted.entries if _about(entry) not in held)


def _about(accepted: Accepted) -> tuple[str, str, str, str]:
    """The finding or gap that an entry speaks of; the fingerprint of a glob is none."""
    from sluicegate.vet.verdict.suppression import GapEntry, GlobEntry

    entry = accepted.entry
    of = entry.gap if isinstance(entry, GapEntry) else entry.rule
    return accepted.skill, of, entry.path, "" if isinstance(entry, GlobEntry) else entry.fingerprint


def _makes_way(accepted: Accepted, today: date) -> bool:
    """Whether an entry is over, or so near its end that this is announced: then it is time to look again."""
    last = accepted.entry.expires
    return last is not None and (last - today).days <= SOON


def accept_findings(
    report: Report, *, only: tuple[str, ...], reason: str, owner: str, expires: date
) -> BaselineFile:
    """An exact entry for every active finding and gap of the report, or for those that ``only`` names.

    A word of ``only`` is a rule, the fingerprint of a finding, or ``gaps``.

    Raises UsageError when one of ``only`` has no finding, and ConfigError when a reason or owner is empty.
    """
    from sluicegate.vet.baseline import BaselineFile, accept

    entries: list[Accepted] = []
    fired: set[str] = set()
    named: set[str] = set()
    for skill in report.skills:
        findings = [*skill.verdict.findings, *skill.verdict.listed]
        fired.update(finding.rule for finding in findings)
        fired.update(GAPS for _ in skill.verdict.gaps)
        named.update(finding.fingerprint for finding in findings)
        chosen = [f for f in findings if not only or f.rule in only or f.fingerprint in only]
        gaps = skill.verdict.gaps if not only or GAPS in only else ()
        made = accept(chosen, gaps=gaps, skill=skill.name, reason=reason, owner=owner, expires=expires)
        entries += made.entries
    for word in only:
        if word not in fired | named:
            raise UsageError(
                "there is no gap to accept: all was inspected"
                if word == GAPS
                else f"no finding of {word!r} to accept",
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
            f"--expires {text} is in the past",
            hint="Name a day to come: the last on which the findings are accepted.",
        )
    return day
