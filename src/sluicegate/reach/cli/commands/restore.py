"""``sluicegate restore``: what an agent has written over, brought back."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.known.agents import environment_of_agent
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.agent_above import agent_above
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.record.copies.copies import Copies, FileCopy

_MOST_LISTED = 50


@click.command(short_help="Bring back a file that an agent has written over.")
@click.argument("what", metavar="[PATH|NUMBER]", required=False, default="")
@click.option("--to", "target", metavar="FILE", help="Write it there, or with '-' to standard output.")
@click.option("--forget", is_flag=True, help="Delete the copy instead.")
def restore(what: str, target: str | None, forget: bool) -> None:
    """Bring back a file that an agent has written over.

    Before an agent writes over a file, what stands in it is copied, and kept for thirty days. Without anything, this lists the newest
    copies; with the PATH of a file, those of that file; with a NUMBER it brings that copy back. What stands in the
    file then is copied first, so this can be undone. It is for a person: an agent is refused it.

    \b
    sluicegate restore
    sluicegate restore notes/draft.txt
    sluicegate restore 17
    sluicegate restore 17 --to -
    """
    from sluicegate.record.copies.copies import Copies
    from sluicegate.record.home import Home

    copies = Copies(Home.find(os.environ, workspace=None).copies, clock=time.time_ns)
    with closing(copies):
        if not what.isdecimal():
            if target is not None or forget:
                raise UsageError("name the number of a copy", hint="'sluicegate restore' lists them.")
            _list(copies, what)
            return
        copy = next((each for each in copies.every() if each.number == int(what)), None)
        if copy is None:
            raise UsageError(f"there is no copy {what}", hint="'sluicegate restore' lists them.")
        if agent := environment_of_agent(os.environ) or agent_above():
            raise UsageError(
                f"nothing was restored: an agent runs this ({agent})", hint="Use a terminal of your own."
            )
        if forget:
            copies.drop(copy.number)
            click.echo(printable(f"Forgotten: the copy {copy.number} of {copy.path}"), err=True)
        else:
            _bring_back(copies, copy, target)


def _list(copies: Copies, path: str) -> None:
    where = os.path.realpath(path) if path else ""
    found = copies.every(where)
    if not found:
        click.echo(
            printable(f"Nothing is kept of {where}.") if where else "Nothing was written over that is kept."
        )
    now = time.time_ns()
    for each in found[:_MOST_LISTED]:
        click.echo(printable(line(each, now)))
    if len(found) > _MOST_LISTED:
        click.echo(f"and {len(found) - _MOST_LISTED} older ones: name the file to see its own.")


def line(copy: FileCopy, now: int) -> str:
    """One copy, in one line."""
    minutes = max(0, now - copy.made) // 60_000_000_000
    days, hours = minutes // 1440, minutes // 60
    age = f"{days} d" if days else f"{hours} h" if hours else f"{minutes} min"
    return f"{copy.number:>6}  {age:>6}  {copy.size:>10} B  {copy.path}  ({copy.session})"


def _bring_back(copies: Copies, copy: FileCopy, target: str | None) -> None:
    from sluicegate.record.copies.copies import NotCopied

    data = copies.content(copy)
    if target == "-":
        sys.stdout.buffer.write(data)
        return
    place = Path(os.path.realpath(target)) if target is not None else Path(copy.path)
    if target is not None and place.exists():
        raise UsageError(f"{place!s} is there already", hint="Name a file that is not.")
    kept = copies.keep(str(place), "restore")
    if isinstance(kept, NotCopied):
        raise UsageError(
            f"nothing was restored: what stands in {place!s} {kept.why}, so it would be lost",
            hint="Write the copy elsewhere, with --to FILE.",
        )
    temporary = place.with_name(f".{place.name[:100]}.{os.urandom(6).hex()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(descriptor, copy.mode)
        temporary.replace(place)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UsageError(f"{place!s} cannot be written: {error.strerror}") from None
    click.echo(printable(f"Restored: {place}, as it was before the session {copy.session}"), err=True)
