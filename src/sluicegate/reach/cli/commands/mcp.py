"""``sluicegate mcp``: the questions of this command line, as tools for agents."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError


@click.command(short_help="Serve scans and explanations to agents, by MCP.")
@click.option(
    "--root",
    "folders",
    multiple=True,
    metavar="DIR",
    shell_complete=complete.folders,
    help="A folder that may be read. May be repeated; the first is where paths begin.",
)
def mcp(folders: tuple[str, ...]) -> None:
    """Serve tools to an agent over standard input and output: scan_skill, scan_installed, review_skill, explain_rule,
    policy_explain, audit_why.

    They read and change nothing, and read nothing outside of the roots: those of --root, else those of the client, else
    this folder. Only review_skill sends anything, and only to models that your own settings name.

    Needs the extra: pip install 'sluicegate[mcp]'.

    \b
    claude mcp add sluicegate -- \\
      sluicegate mcp --root .
    """
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise UsageError(
            "'sluicegate mcp' needs the library mcp, which is not installed",
            hint="Install it: pip install 'sluicegate[mcp]'",
        )
    from sluicegate.reach.mcp.server.roots import roots_of
    from sluicegate.reach.mcp.server.serve import run

    run(roots_of(map(Path, folders)) if folders else None)
