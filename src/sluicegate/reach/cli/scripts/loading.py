"""A script for a command: read with its modules, in its project, and opened under the policies in force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.monitor import Monitor
    from sluicegate.flow.monitor.parts import PersonOutput
    from sluicegate.flow.policy.text.document import Document
    from sluicegate.flow.project import Project
    from sluicegate.record.ledger.query import History
    from sluicegate.script.evaluate.modules import ScriptModule
    from sluicegate.script.evaluate.run import Run


class LoadedScript(Struct, frozen=True, kw_only=True):
    """A script, the folder from which its paths are seen, and its project with the policies that hold for it."""

    module: ScriptModule
    folder: Path
    project: Project


def load_script(file: str, policies: Sequence[str] = (), *, folder: Path | None = None) -> LoadedScript:
    """The script in a file; ``-`` is standard input, no name an empty script here. ``folder`` is where it runs, if that is not where
    it lies. Raises Unreadable, FlowError."""
    import os

    from sluicegate.flow.project import find
    from sluicegate.reach.cli.scripts.files import STANDARD_INPUT, read_script
    from sluicegate.record.user import config_directory
    from sluicegate.script.evaluate.module_lock import LOCK
    from sluicegate.script.evaluate.modules import ModuleReader, documents
    from sluicegate.script.evaluate.program import read
    from sluicegate.script.source import SourceText

    source = read_script(file) if file else SourceText("", "here")
    path = None if file in ("", STANDARD_INPUT) else Path(file).resolve()
    lies = Path.cwd() if path is None else path.parent
    folder = lies if folder is None else folder
    project = find(
        start=folder, environ=os.environ, home=Path.home(), user_directory=config_directory(os.environ)
    )
    reader = ModuleReader(root=project.root, open_file=read_script, check=read)
    module = reader.load(read(source), path=str(path or ""), folder=lies)
    locks = (lock for lock in (project.root / LOCK,) if lock.exists())
    files = (path, *locks, *map(Path, reader.known))
    return LoadedScript(
        module=module, folder=folder, project=_with_layers(project, policies, documents(module), files)
    )


def checked_script(
    file: str, policies: Sequence[str] = (), *, folder: Path | None = None
) -> LoadedScript | int:
    """The script in a file; the exit code, where it has errors, which are told then."""
    from sluicegate.flow.errors import FlowError
    from sluicegate.reach.exit_codes import COULD_NOT_RUN

    try:
        return load_script(file, policies, folder=folder)
    except FlowError as error:
        told(None, error)
    return COULD_NOT_RUN


@contextmanager
def opened(
    script: LoadedScript,
    *,
    standard_input: Callable[[], str],
    screen: Callable[[], PersonOutput] | None = None,
    word: str = "run",
) -> Iterator[tuple[Monitor, Callable[[], Run]]]:
    """The monitor of a script, and what begins its run. Servers that it starts end with the block. ``word`` is what the ledger
    calls the program."""
    import os
    from contextlib import closing
    from functools import partial

    from sluicegate.flow.monitor.assembly import open_project
    from sluicegate.flow.policy.modules.machine import Machine
    from sluicegate.reach.mcp.scripts.lazily import ScriptServers, pins_here
    from sluicegate.reach.report.escape import printable
    from sluicegate.script.evaluate.given import given
    from sluicegate.script.evaluate.program import new_run

    name = printable(script.module.script.source.name)
    folder = script.folder
    with (
        open_project(
            script.project,
            home=Path.home(),
            environ=os.environ,
            cwd=folder,
            program=f"{word} {name}",
            screen=screen,
        ) as monitor,
        closing(ScriptServers(monitor, partial(pins_here, folder))) as servers,
    ):
        history = partial(_history, script.project)
        names = given(monitor, root=script.project.root, read=standard_input, history=history)
        installed = Machine(base=folder, search_path=os.environ.get("PATH", ""))
        yield (
            monitor,
            lambda: new_run(script.module, monitor, given=names, installed=installed, servers=servers),
        )


def carried_out(monitor: Monitor, begin: Callable[[], Run]) -> tuple[Run | None, int]:
    """Carry a script out, and tell what failed: its run, if it began, and the exit code."""
    import click

    from sluicegate.flow.errors import FlowError
    from sluicegate.reach.report.escape import printable
    from sluicegate.script.evaluate.program import carry_out, failures_told

    run = None
    code = 0
    try:
        run = begin()
        carry_out(run)
    except FlowError as error:
        told(monitor, error)
        code = 1
    for text in failures_told(monitor, run.failures) if run is not None else ():
        click.echo(f"sluicegate: {printable(text)}", err=True)
        code = 1
    return run, code


def told(monitor: Monitor | None, error: FlowError) -> None:
    """Tell of an error: the remarks on a script that cannot run, or the place with the line there, as far as policy lets it be
    told. Without a monitor nothing has run."""
    import click

    from sluicegate.reach.report.script_checks import CheckedScript, as_text
    from sluicegate.reach.report.script_errors import script_error
    from sluicegate.script.evaluate.program import Unreadable, words_of

    if isinstance(error, Unreadable):
        text = as_text([CheckedScript(script=error.script, found=error.found)])
    else:
        text = script_error(error, words_of(monitor, error) if monitor is not None else "")
    click.echo(text, err=True, nl=False)


def _history(project: Project) -> History | None:
    """The ledger of a project, read; None where there is none."""
    import os
    import time

    from sluicegate.record.ledger.query import load
    from sluicegate.record.workspace import Workspace

    keys = Workspace.of(os.environ, project.root, clock=time.time_ns).keys
    return load(project.ledger, keys=keys) if project.ledger.exists() else None


def _with_layers(
    project: Project, policies: Sequence[str], own: Sequence[Document], files: Sequence[Path | None]
) -> Project:
    """The project with further layers: those of the script, and those that were asked for. ``files`` are the scripts.

    Where nobody else has written a policy, that of the script is the first layer: whoever runs it has named it. Elsewhere it
    narrows, and gives nothing. What a script imports narrows always, and no script gives a privilege to itself or to a module.
    """
    from msgspec.structs import replace

    from sluicegate.flow.policy.text.load import load
    from sluicegate.flow.project import narrowing

    before = (*project.documents, *(load(name, base=Path.cwd()) for name in policies))
    return replace(
        project,
        documents=(*before, *map(narrowing, own)) if before else _first(own),
        policy_files=(*project.policy_files, *(file for file in files if file is not None)),
    )


def _first(own: Sequence[Document]) -> tuple[Document, ...]:
    """The policies of a script, where there is no other: the first one is of the script itself, or gives nothing."""
    from msgspec.structs import replace

    from sluicegate.flow.policy.text.document import Document
    from sluicegate.flow.policy.text.schema import Policy
    from sluicegate.flow.project import narrowing

    written = [replace(each, policy=replace(each.policy, privilege=None)) for each in own if not each.narrows]
    imported = [narrowing(each) for each in own if each.narrows]
    if imported and not written:
        written = [Document(policy=Policy(), name="script")]
    return (*written, *imported)
