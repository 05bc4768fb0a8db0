"""``sluicegate run``: a script, run under the policy of its project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sluicegate.flow.policy.text.document import Document
    from sluicegate.flow.project import Project
    from sluicegate.script.evaluate.modules import ScriptModule

_LONGEST = 100_000_000
"""Bytes of standard input that ``@input`` holds at most."""


@click.command(short_help="Run a script: every value labelled, every effect decided.")
@click.argument("file", metavar="FILE", shell_complete=complete.paths)
@click.option(
    "-p",
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help="A standard policy or a file; it narrows those in force. May be repeated.",
)
def run(file: str, policies: tuple[str, ...]) -> int:
    """Run the script FILE under the policy of its project. - is standard input.

    Paths and commands are seen from the folder of the script. What stands on standard input is @input. Exit code 1 when an
    operation was denied or something failed, 2 when the script has errors or cannot be read.
    """
    import gc
    import os
    from pathlib import Path

    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.project import find
    from sluicegate.reach.cli.scripts.files import STANDARD_INPUT, read_script
    from sluicegate.reach.exit_codes import COULD_NOT_RUN
    from sluicegate.reach.report.script_checks import CheckedScript, as_text
    from sluicegate.reach.report.script_errors import script_error
    from sluicegate.record.user import config_directory
    from sluicegate.script.evaluate.modules import ModuleReader, documents
    from sluicegate.script.evaluate.program import Unreadable, read

    gc.disable()
    source = read_script(file)
    path = None if file == STANDARD_INPUT else Path(file).resolve()
    folder = Path.cwd() if path is None else path.parent
    project = find(
        start=folder, environ=os.environ, home=Path.home(), user_directory=config_directory(os.environ)
    )
    reader = ModuleReader(root=project.root, open_file=read_script, check=read)
    try:
        module = reader.load(read(source), path=str(path or ""), folder=folder)
        project = _with_layers(project, policies, documents(module), (path, *map(Path, reader.known)))
    except Unreadable as error:
        click.echo(as_text([CheckedScript(script=error.script, found=error.found)]), err=True, nl=False)
        return COULD_NOT_RUN
    except FlowError as error:
        click.echo(script_error(error), err=True, nl=False)
        return COULD_NOT_RUN
    return _run(module, folder, project)


def _with_layers(
    project: Project, policies: Sequence[str], own: Sequence[Document], files: Sequence[Path | None]
) -> Project:
    """The project with further layers: those of the script, and those that were asked for. ``files`` are the scripts.

    Where nobody else has written a policy, that of the script is the first layer: whoever runs it has named it. Elsewhere it
    narrows, and gives nothing.
    """
    from pathlib import Path

    from msgspec.structs import replace

    from sluicegate.flow.policy.text.load import load
    from sluicegate.flow.project import narrowing

    before = (*project.documents, *(load(name, base=Path.cwd()) for name in policies))
    return replace(
        project,
        documents=(*before, *(map(narrowing, own) if before else own)),
        policy_files=(*project.policy_files, *(file for file in files if file is not None)),
    )


def _run(module: ScriptModule, folder: Path, project: Project) -> int:
    import gc
    import os
    from functools import partial
    from pathlib import Path

    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.monitor.assembly import open_project
    from sluicegate.flow.policy.modules.machine import Machine
    from sluicegate.reach.mcp.scripts.lazily import ScriptServers, pins_here
    from sluicegate.reach.report.escape import printable
    from sluicegate.reach.report.script_errors import script_error
    from sluicegate.script.evaluate.given import given
    from sluicegate.script.evaluate.program import carry_out, failures_told, new_run, words_of
    from sluicegate.script.evaluate.scope import Value

    name = printable(module.script.source.name)
    failures: list[Value] = []
    code = 0
    with open_project(
        project, home=Path.home(), environ=os.environ, cwd=folder, program=f"run {name}"
    ) as monitor:
        gc.enable()
        names = given(monitor, root=project.root, read=_standard_input if module.path else str)
        servers = ScriptServers(monitor, partial(pins_here, folder))
        installed = Machine(base=folder, search_path=os.environ.get("PATH", ""))
        try:
            started = new_run(module, monitor, given=names, installed=installed, servers=servers)
            failures = started.failures
            carry_out(started)
        except FlowError as error:
            click.echo(script_error(error, words_of(monitor, error)), err=True, nl=False)
            code = 1
        finally:
            servers.close()
        for text in failures_told(monitor, failures):
            click.echo(f"sluicegate: {printable(text)}", err=True)
            code = 1
    return code


def _standard_input() -> str:
    """What stands on standard input; nothing where a person types."""
    import sys

    from sluicegate.reach.errors import UsageError

    if sys.stdin is None or sys.stdin.isatty():
        return ""
    data = sys.stdin.buffer.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise UsageError(f"standard input has more than {_LONGEST} bytes", hint="Give it in a file.")
    return data.decode("utf-8", "replace")
