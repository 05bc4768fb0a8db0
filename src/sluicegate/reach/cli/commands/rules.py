"""``sluicegate rules``: what is looked for, and why."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.vet.inspect.pages import Sample, SampleFile
    from sluicegate.vet.inspect.rule import Rule

_COLUMNS = 80


@click.command(short_help="List the rules, or explain one.")
@click.argument("rule_id", required=False, metavar="[ID]", shell_complete=complete.rule_ids)
@click.option(
    "--yara",
    multiple=True,
    metavar="DIR",
    shell_complete=complete.folders,
    help="Also show your own YARA rules of this directory.",
)
def rules(rule_id: str | None, yara: tuple[str, ...]) -> None:
    """List the rules, or explain the one called ID: what, why, how to fix, examples, references."""
    if rule_id is None or rule_id == "list":
        print_rules(yara)
        return
    table = _table(yara)
    if rule_id not in table:
        close = difflib.get_close_matches(rule_id, table, n=1)
        raise UsageError(
            f"there is no rule {rule_id!r}",
            hint=f"Did you mean {close[0]}?" if close else "'sluicegate rules' lists them.",
        )
    click.echo(
        explain(table[rule_id], columns=min(_COLUMNS, shutil.get_terminal_size((_COLUMNS, 24)).columns)),
        nl=False,
    )


def print_rules(yara: Sequence[str] = ()) -> None:
    """Print the catalogue, by category."""
    table = _table(yara)
    width = max(len(name) for name in table)
    by_category: dict[str, list[Rule]] = {}
    for rule in table.values():
        by_category.setdefault(str(rule.category), []).append(rule)
    lines = []
    for category in sorted(by_category):
        lines.append(category)
        for rule in sorted(by_category[category], key=lambda r: (-r.severity, r.id)):
            lines.append(f"  {rule.severity.name:<8} {rule.id:<{width}}  {printable(rule.title)}")
        lines.append("")
    lines.append(f"{len(table)} rules. 'sluicegate rules ID' explains one.")
    click.echo("\n".join(lines))


def explain(rule: Rule, *, columns: int = _COLUMNS) -> str:
    """Everything a person may want to know of one rule, in so many columns; samples have the lines that they have."""
    from sluicegate.reach.report.words.advice import advice
    from sluicegate.reach.report.words.wording import percent
    from sluicegate.vet.verdict.types import Decision

    said = advice(rule, rule.severity, Decision.DO_NOT_INSTALL)
    parts = [
        f"{rule.id}\n{printable(rule.title)}\n\n"
        f"severity {rule.severity.name}   confidence {percent(rule.confidence)}   {rule.category}   {rule.kind} rule\n"
        f"evidence {rule.evidence_kind}\n",
        _paragraph("Why", rule.why, columns),
        _paragraph("What to do", said.do, columns),
    ]
    if said.author:
        parts.append(_paragraph("For the author", said.author, columns))
    if rule.references:
        parts.append(f"References\n  {', '.join(rule.references)}\n")
    if not rule.custom:
        from sluicegate.vet.inspect.pages import page

        about = page(rule.id)
        parts.insert(1, "\n".join(_wrap(paragraph, "", columns) for paragraph in about.prose.split("\n\n")))
        parts.append(_samples("Matches", about.matches))
        parts.append(_samples("Does not match", about.misses))
        parts.append(_samples("Known misses", about.known_misses))
    return "\n".join(part for part in parts if part)


def _table(yara: Sequence[str]) -> dict[str, Rule]:
    from sluicegate.vet.inspect.catalogue import rules as shipped
    from sluicegate.vet.inspect.catalogue import user_rules

    return {**shipped(), **user_rules(tuple(yara))}


def _paragraph(heading: str, text: str, columns: int) -> str:
    return f"{heading}\n{_wrap(text, '  ', columns)}"


def _wrap(text: str, indent: str, columns: int) -> str:
    import textwrap

    flat = " ".join(printable(text, newline=True).split())
    return textwrap.fill(flat, columns, initial_indent=indent, subsequent_indent=indent) + "\n"


def shown(file: SampleFile) -> str:
    """The content of a sample as text; bytes that are not text are only counted."""
    if file.link:
        return f"(a link to {file.link})"
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(file.data)} bytes that are not text)"


def _samples(heading: str, samples: Sequence[Sample]) -> str:
    if not samples:
        return ""
    lines = [heading]
    for sample in samples:
        for file in sample.files:
            lines.append(f"  {printable(file.path)}")
            lines.extend(f"    {printable(line)}" for line in shown(file).splitlines())
            lines.append("")
    return "\n".join(lines)
