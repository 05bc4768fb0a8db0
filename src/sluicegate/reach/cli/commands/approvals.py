"""``sluicegate approvals``: what was refused to agents and waits for a person."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from sluicegate.flow.session.approvals import ApprovalRow, Approvals

_SHOWN = 100
"""Characters of an operation that are shown in the list."""


@click.command(short_help="List what was refused to agents and waits for a person.")
def approvals() -> None:
    """List what was refused to agents and that a person may approve, the oldest first, with how long ago that was.

    \b
    sluicegate approvals
    sluicegate approve 3f9a2c1d04
    """
    now = time.time_ns()
    with opened() as kept:
        rows = kept.every(now)
    if not rows:
        click.echo("Nothing waits for a person.")
    for row in rows:
        click.echo(printable(line(row, now)))


def line(row: ApprovalRow, now: int) -> str:
    """One refusal, in one line."""
    from sluicegate.flow.session.approvals import WAITING

    first = " ".join(row.body.split())
    shown = first if len(first) <= _SHOWN else f"{first[:_SHOWN]}..."
    state = "waits" if row.state == WAITING else "approved"
    return f"{row.id}  {state:<8} {max(0, now - row.asked) // 60_000_000_000:>4} min  {row.session}  {shown}"


def opened() -> AbstractContextManager[Approvals]:
    """The approvals of this user."""
    from contextlib import contextmanager

    from sluicegate.flow.session.approvals import Approvals
    from sluicegate.flow.session.opening import store_of
    from sluicegate.record.home import Home

    @contextmanager
    def open_() -> Iterator[Approvals]:
        store = store_of(Home.find(os.environ, workspace=None), Path())
        try:
            yield Approvals(store)
        finally:
            store.close()

    return open_()
