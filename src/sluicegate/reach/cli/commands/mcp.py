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
@click.argument("module", required=False, default="", metavar="[MODULE]", shell_complete=complete.paths)
@click.option(
    "-p", "--policy", "policies", multiple=True, metavar="NAME",
    help="For a module: a standard policy or a file; it narrows those in force. May be repeated.",
)  # fmt: skip
def mcp(folders: tuple[str, ...], module: str, policies: tuple[str, ...]) -> int:
    """Serve tools to an agent over standard input and output: scan_skill, scan_installed, review_skill, explain_rule,
    policy_explain, audit_why.

    With MODULE, a script, serve the functions that it exports instead, with its labels, guards and policies in force: what the
    agent sends comes from src:mcp:client, and what may not be shown is not answered.

    Our own tools read and change nothing, and read nothing outside of the roots: those of --root, else those of the client, else
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

    if not module:
        if policies:
            raise UsageError("--policy goes with a module, whose functions are served")
        run(roots_of(map(Path, folders)) if folders else None)
        return 0
    if folders:
        raise UsageError("--root is for our own tools; a module reads what policy permits")
    return _serve_module(module, policies)


def _serve_module(file: str, policies: tuple[str, ...]) -> int:
    import sys

    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.monitor.effects.words import Terminal
    from sluicegate.reach.cli.scripts.loading import checked_script, opened
    from sluicegate.reach.mcp.scripts.served import run
    from sluicegate.reach.report.script_errors import script_error
    from sluicegate.script.evaluate.program import carry_out, words_of

    script = checked_script(file, policies)
    if isinstance(script, int):
        return script
    with opened(script, standard_input=str, screen=lambda: Terminal(sys.stderr)) as (monitor, begin):
        try:
            started = begin()
            carry_out(started)
        except FlowError as error:
            click.echo(script_error(error, words_of(monitor, error)), err=True, nl=False)
            return 1
        run(started, Path(file).stem)
    return 0
