"""``sluicegate approve``: a person approves, once, what policy refused to an agent."""

from __future__ import annotations

import time

import click

from sluicegate.reach.cli.commands.approvals import opened
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.persons import confirmed, person, refuse_agents
from sluicegate.reach.report.escape import printable

_MOST_SHOWN = 20_000
"""Characters of an operation that a person can be expected to read."""


@click.command(short_help="Approve, once, what was refused to an agent.")
@click.argument("identifier", metavar="ID")
@click.option(
    "--session", "stands", is_flag=True, help="As often as the agent asks in that session, for eight hours."
)
def approve(identifier: str, stands: bool) -> None:
    """Approve what was refused to an agent under ID, once: exactly that operation, in that session and directory.

    The approval holds for ten minutes. With --session it is not used up: the tests of the project, say, that an agent runs
    after each change. What the agent has written by then runs, too. It is for a person at a terminal: it asks, and an agent
    is refused it. Let the agent try again afterwards. 'sluicegate approvals' lists what waits.

    \b
    sluicegate approve 3f9a2c1d04
    """
    from sluicegate.flow.session.approvals import LASTS, STANDS, WAITING

    refuse_agents("nothing was approved")
    now = time.time_ns()
    with opened() as kept:
        row = next((each for each in kept.every(now) if each.id == identifier), None)
        if row is None or row.state != WAITING:
            raise UsageError(
                f"nothing waits under {identifier!a}", hint="'sluicegate approvals' lists what does."
            )
        if len(row.body) > _MOST_SHOWN:
            raise UsageError(
                f"the operation has {len(row.body)} characters, and nobody reads that many",
                hint="Let the agent do it in smaller steps, or do it yourself.",
            )
        click.echo(printable(row.shown, newline=True), err=True)
        times = "as often as the agent asks" if stands else "once"
        click.echo(
            printable(f"\nIn the session {row.session}, this would run {times}, whatever it does:\n"),
            err=True,
        )
        for each in row.body.split("\n"):
            click.echo(printable(f"  {each}"), err=True)
        confirmed(f"\nApprove exactly this, {times}?", "nothing was approved")
        if not kept.give(identifier, person(), time.time_ns(), stands=stands):
            raise UsageError(f"nothing waits under {identifier!a} any more")
    lasts = f"{STANDS // 3600} hours" if stands else f"{LASTS // 60} minutes"
    click.echo(f"Approved, for {lasts}. Let the agent try again.", err=True)
