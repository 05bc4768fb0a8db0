"""``sluicegate vouch``: a person answers for files that a stranger's words may have reached."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.persons import confirmed, person, refuse_agents
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sluicegate.flow.monitor.parts import Parts

_SHOWN = 50
"""Files that are named."""
_NOTHING = "nothing was changed"


@click.command(short_help="Answer for files that a stranger's words may have reached.")
@click.argument("path", metavar="PATH", shell_complete=complete.folders)
def vouch(path: str) -> None:
    """Answer for the files at or below PATH, as they are now, once you have looked at them.

    After an agent has read a stranger's page, what it writes, and what code changes that it runs, counts as that page's: later
    sessions neither send it nor run it. This shows which files that are, and asks. Afterwards they count as the project's own. What
    was declared of them (secret, pii) stays. It is for a person at a terminal, and an event of the ledger.

    \b
    sluicegate vouch .
    sluicegate vouch tests/conftest.py
    """
    refuse_agents(_NOTHING)
    place = Path(os.path.realpath(path))
    if not os.path.lexists(place):
        raise UsageError(f"there is no {path!a}", hint="Name a file or a folder of the project.")
    from sluicegate.flow.monitor.assembly import open_here
    from sluicegate.reach.hooks.run import STANDARD

    start = place if place.is_dir() else place.parent
    with open_here(start=start, program="vouch", cwd=start, standard=STANDARD, runner=True) as monitor:
        _vouched(monitor.parts, place)


def _vouched(parts: Parts, place: Path) -> None:
    from sluicegate.flow.labels import Labels
    from sluicegate.flow.monitor.effects.elsewhere import narrow_what_is_over
    from sluicegate.record.files.below import labelled_around

    if parts.files is None:
        raise UsageError("this project keeps no ledger, so nothing is known of its files")
    narrow_what_is_over(parts)
    below, above = labelled_around(parts.files, str(place))
    found = [(at, parts.layers.distrusted(Labels.of(*labels))) for at, labels in below]
    found = [(at, labels) for at, labels in found if labels]
    for at, labels in above:
        if parts.layers.distrusted(Labels.of(*labels)):
            click.echo(
                printable(f"Any file of {at} may have been changed. To end that, vouch for {at}."), err=True
            )
    if not found:
        click.echo("Nothing there counts as a stranger's.", err=True)
        return
    _show(found, place)
    confirmed(
        f"\nHave you looked at them, and do you answer for what lies at {printable(str(place))}?", _NOTHING
    )
    parts.files.vouch(place, sorted({label for _, labels in found for label in labels}), person())
    click.echo("They count as the project's own, as they are now.", err=True)


def _show(found: Sequence[tuple[str, Sequence[str]]], place: Path) -> None:
    click.echo("These may hold what a stranger said:\n", err=True)
    for at, labels in found[:_SHOWN]:
        kind = "any file of " if os.path.isdir(at) else ""  # noqa: PTH112 - text
        click.echo(printable(f"  {kind}{at}  ({', '.join(labels)})"), err=True)
    if len(found) > _SHOWN:
        click.echo(f"  ... and {len(found) - _SHOWN} more", err=True)
