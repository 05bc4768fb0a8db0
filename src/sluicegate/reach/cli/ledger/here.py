"""The workspace around the current directory, with the ledger that decisions taken here stand in."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.record.workspace import Workspace


def workspace_here() -> Workspace:
    """The workspace. Its ledger is that of the outermost project, or the user's own, as settings say (``flow.project``, 7)."""
    from msgspec.structs import replace

    from sluicegate.errors import SluicegateError
    from sluicegate.flow.project import find
    from sluicegate.record.home import Home
    from sluicegate.record.user import config_directory
    from sluicegate.record.workspace import LEDGER_VARIABLE, VARIABLE, Workspace

    found = Workspace.of(os.environ, Path.cwd(), clock=time.time_ns)
    if os.environ.get(LEDGER_VARIABLE) or os.environ.get(VARIABLE):
        return found
    try:
        user = config_directory(os.environ)
        project = find(start=Path.cwd(), environ=os.environ, home=Path.home(), user_directory=user)
    except SluicegateError:  # settings that are wrong hide no ledger
        return found
    own = Home.find(os.environ, workspace=None).own_ledger
    return replace(found, ledger=project.ledger) if project.settings or project.ledger == own else found
