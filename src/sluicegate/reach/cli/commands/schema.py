"""``sluicegate schema``: the published JSON Schemas."""

from __future__ import annotations

import click

from sluicegate.reach.cli import complete


@click.command(short_help="Print the JSON Schema of a file format.")
@click.argument("name", default="report", metavar="[NAME]", shell_complete=complete.schemas)
def schema(name: str) -> None:
    """Print the JSON Schema of a format.

    report is what --format json writes, settings is sluicegate.toml, policy is a policy, policy-table a table of
    expected decisions, packages what mediate writes, queue what queue list, show and flags write.
    """
    from sluicegate.reach.schemas import SCHEMAS

    if name not in SCHEMAS:
        raise click.UsageError(f"There is no schema {name!r}. Known here: {', '.join(SCHEMAS)}.")
    click.echo(SCHEMAS[name](), nl=False)
