"""The workspace around the current directory, with the ledger that decisions taken here stand in."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.record.workspace import Workspace


def workspace_here() -> Workspace:
    """The workspace, for who reads its ledger: settings that are wrong hide none."""
    from sluicegate.errors import SluicegateError
    from sluicegate.record.workspace import Workspace

    try:
        return told_here()
    except SluicegateError:
        return Workspace.of(os.environ, Path.cwd(), clock=time.time_ns)


def told_here() -> Workspace:
    """The workspace, for who writes into its ledger, or rests on what is in it.

    The ledger is that of the outermost project, or the user's own, as settings say (``flow.project``, 7): where it is read
    as well. Raises RecordError where they are wrong, so that nobody can hide a ledger by a mistake in them.
    """
    from msgspec.structs import replace

    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.project import find
    from sluicegate.record.errors import RecordError
    from sluicegate.record.home import Home
    from sluicegate.record.marks import VARIABLE
    from sluicegate.record.user import config_directory, home_directory
    from sluicegate.record.workspace import LEDGER_VARIABLE, Workspace

    found = Workspace.of(os.environ, Path.cwd(), clock=time.time_ns)
    if os.environ.get(LEDGER_VARIABLE) or os.environ.get(VARIABLE):
        return found
    user = config_directory(os.environ)
    try:
        project = find(
            start=Path.cwd(), environ=os.environ, home=home_directory(os.environ), user_directory=user
        )
    except FlowError as error:
        raise RecordError(f"nobody can say which ledger is meant: {error.message}", hint=error.hint) from None
    own = Home.find(os.environ, workspace=None).own_ledger
    return replace(found, ledger=project.ledger) if project.settings or project.ledger == own else found


def ledgers_here(workspace: Workspace) -> tuple[Path, ...]:
    """Its ledger, and each that stands where it would have one of its own, or a directory above: settings that are gone
    take no ledger along."""
    from sluicegate.record.directories import STATE

    above = (each / STATE / "sec" / "audit.jsonl" for each in (workspace.root, *workspace.root.parents))
    return tuple(dict.fromkeys((workspace.ledger, *(each for each in above if each.exists()))))
