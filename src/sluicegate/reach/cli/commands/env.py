"""``sluicegate env``: environments with names, in which agents are started."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.reach.environments.named import NamedEnvironments
    from sluicegate.script.evaluate.run import Run


@click.group(short_help="Start agents in environments, and keep these.")
def env() -> None:
    """Environments with names: a module that starts an agent, and the MCP servers that it is given through the gateway.

    They are yours, and lie in your configuration, outside of every project.
    """


@env.command("list", short_help="List the environments.")
def list_() -> None:
    """List the environments, with what each exports."""
    kept = _kept()
    for name in kept.names():
        servers = ", ".join(sorted(kept.read(name).servers)) or "no servers"
        click.echo(printable(f"{name}  {servers}"))


@env.command(short_help="Make one of what an agent is configured with now.")
@click.argument("name")
@click.option("--agent", default="Claude Code", show_default=True, help="Whose settings are read.")
def capture(name: str, agent: str) -> None:
    """Make the environment NAME of the MCP servers that an agent is configured with now, without what is secret in them."""
    from sluicegate.reach.environments.capture import captured
    from sluicegate.record.user import home_directory
    from sluicegate.record.work_tree import work_tree

    kept = _kept()
    if kept.place(name).exists():
        raise UsageError(
            f"there is an environment {name!r} already", hint="Choose another name, or remove it first."
        )
    project = work_tree(Path.cwd()) or Path.cwd()
    found = captured(name, agent, home_directory(os.environ), project)
    kept.write(name, found.environment)
    click.echo(printable(f"{name}: {len(found.environment.servers)} servers, in {kept.place(name)}"))
    for path in found.files:
        click.echo(printable(f"  read {path}"))
    for variable in found.left_out:
        click.echo(printable(f"  set {variable} before it is started"))


@env.command(short_help="Run @spawn of an environment.")
@click.argument("name")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def spawn(name: str, words: tuple[str, ...]) -> int:
    """Run @spawn of the environment NAME, in this project, with WORDS as what it is asked: sluicegate env spawn NAME -- WORDS."""
    return _call(name, "spawn", [" ".join(words)])


@env.command(short_help="Run @shell of an environment, line by line.")
@click.argument("name")
def shell(name: str) -> int:
    """Run @shell of the environment NAME with each line that you type, until the input ends."""
    import sys

    return _call(name, "shell", (line.rstrip("\n") for line in sys.stdin))


@env.command(short_help="Print an environment as a template, without secrets.")
@click.argument("name")
def export(name: str) -> None:
    """Print the environment NAME as a template: sluicegate env export NAME > NAME.mlldenv. What holds a key is refused."""
    from sluicegate.reach.environments.transfer import exported

    click.echo(exported(_kept().read(name)), nl=False)


@env.command("import", short_help="Make an environment of a template, once you have read it.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("name")
def import_(file: Path, name: str) -> int:
    """Show what the template FILE would change, and make the environment NAME of it if you agree. Only a person at a terminal can."""
    from sluicegate.reach.environments.transfer import imported
    from sluicegate.reach.exit_codes import COULD_NOT_RUN
    from sluicegate.reach.person import PersonTerminal
    from sluicegate.reach.report.script_checks import CheckedScript, as_text
    from sluicegate.script.evaluate.program import Unreadable

    kept = _kept()
    kept.place(name)
    try:
        new = imported(file.read_text(encoding="utf-8", errors="replace"))
    except Unreadable as error:
        click.echo(as_text([CheckedScript(script=error.script, found=error.found)]), err=True, nl=False)
        return COULD_NOT_RUN
    difference = kept.difference(name, new)
    if not difference:
        click.echo(printable(f"{name}: nothing is other"))
        return 0
    with PersonTerminal(os.environ) as terminal:
        terminal.show("\n".join([*(printable(line) for line in difference), ""]))
        if not terminal.confirm(f"Write the environment {printable(name)} as shown?", to="write it"):
            click.echo(printable(f"{name}: left as it is"))
            return 1
    kept.write(name, new)
    click.echo(printable(f"{name}: written"))
    return 0


def _kept() -> NamedEnvironments:
    from sluicegate.reach.environments.named import NamedEnvironments
    from sluicegate.record.user import config_directory

    return NamedEnvironments(config_directory(os.environ))


def _call(name: str, function: str, lines: object) -> int:
    """Run a function of an environment with each line."""
    from sluicegate.flow.errors import FlowError
    from sluicegate.reach.cli.scripts.loading import checked_script, opened
    from sluicegate.reach.environments.serving import agent_file, servers_of
    from sluicegate.reach.report.script_errors import script_error
    from sluicegate.script.evaluate.program import carry_out, words_of

    kept = _kept()
    environment, module = kept.read(name), kept.module(name)
    script = checked_script(str(module), folder=Path.cwd())
    if isinstance(script, int):
        return script
    with opened(script, standard_input=str) as (monitor, begin):
        try:
            run = begin()
            carry_out(run)
            said = _said(run)
            servers = {} if said is None else servers_of(said, environment.servers, module.parent)
            with agent_file(servers) as file:
                return _lines(run, function, lines, file)
        except FlowError as error:
            click.echo(script_error(error, words_of(monitor, error)), err=True, nl=False)
            return 1


def _said(run: Run) -> object:
    """What ``@mcpConfig()`` says; None where there is none."""
    from sluicegate.flow.values import Labeled
    from sluicegate.script.evaluate.nodes.calls import call
    from sluicegate.script.evaluate.program import deep

    found = run.functions.get("mcpConfig", ())
    if not found or "mcpConfig" not in run.exported:
        return None
    with deep():
        return run.monitor.return_(call(run, Labeled(found[0]), ()))


def _lines(run: Run, function: str, lines: object, file: Path) -> int:
    """Call a function with each line, and show what comes of it."""
    from collections.abc import Iterable

    from sluicegate.flow.labels import Labels
    from sluicegate.flow.values import Labeled
    from sluicegate.script.evaluate.nodes.calls import call
    from sluicegate.script.evaluate.program import deep

    found = run.functions.get(function, ())
    if not found or function not in run.exported or len(found[0].parameters) > 1:
        raise UsageError(
            f"the environment does not export @{function} with one parameter",
            hint=f"Write it in its module: exe @{function}(text) = run cmd {{ … }}",
        )
    run.context["mcp"] = Labeled({"config": str(file)})
    user = Labels.of("src:user") | run.monitor.parts.layers.entry_labels("src:user")
    assert isinstance(lines, Iterable)  # noqa: S101 - a mistake of ours
    for line in lines:
        run.budget.renew()
        with deep():
            value = call(run, Labeled(found[0]), (Labeled(line, user),)[: len(found[0].parameters)])
            run.monitor.show(value)
    return 0
