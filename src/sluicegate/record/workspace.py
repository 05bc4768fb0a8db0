"""Which workspace a command is about, where its ledger is, and whose keys are used there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from sluicegate.record.clock import Clock
from sluicegate.record.directories import STATE, USUAL_LEDGER
from sluicegate.record.errors import RecordError
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.marks import find_workspace

LEDGER_VARIABLE = "SLUICEGATE_AUDIT_LOG"


def ledger_path(environ: Mapping[str, str], workspace: Path) -> Path:
    """``SLUICEGATE_AUDIT_LOG``, else ``.sluicegate/sec/audit.jsonl`` in the workspace."""
    named = environ.get(LEDGER_VARIABLE)
    return Path(named).absolute() if named else workspace / USUAL_LEDGER


def seen_from(ledger: Path, root: Path) -> str:
    """Where a workspace lies, seen from the directory of the ledger that it writes into; empty if that is its own.

    Names are relative to the workspace, and several may share one ledger: a project with others inside it.
    """
    if ledger == root / STATE / "sec" / "audit.jsonl":
        return ""
    return Path(os.path.relpath(os.path.realpath(root), os.path.realpath(ledger.parent))).as_posix()


class Workspace(Struct, frozen=True, kw_only=True):
    """A workspace with what belongs to it. ``root`` is a real path."""

    root: Path
    keys: Keys
    ledger: Path
    clock: Clock

    @classmethod
    def of(cls, environ: Mapping[str, str], start: Path, *, clock: Clock) -> Workspace:
        """The workspace around ``start``; ``start`` itself when nothing marks one.

        Raises HomeError when the keys lie inside it, and as ``find_workspace``.
        """
        found = find_workspace(environ, start)
        root = found or start.resolve()
        keys = Keys(Home.find(environ, workspace=found), clock=clock)
        return cls(
            root=root,
            keys=keys,
            ledger=ledger_path(environ, root),
            clock=clock,
        )

    @property
    def within(self) -> str:
        """Where it lies, seen from its ledger (``seen_from``)."""
        return seen_from(self.ledger, self.root)

    def name_of(self, path: Path) -> str:
        """The name under which a file or folder is signed: its path in the workspace, with ``/``.

        Links are resolved above it, and not the path itself. A leading ``@`` would name a value, so such a name
        gets ``./`` before it. Raises RecordError when it lies outside.
        """
        real = path.absolute().parent.resolve() / path.name if path.name not in ("", "..") else path.resolve()
        if not real.is_relative_to(self.root):
            raise RecordError(
                f"{path} lies outside the workspace {self.root}", hint="Say under which name: --name NAME"
            )
        name = real.relative_to(self.root).as_posix()
        return f"./{name}" if name.startswith("@") else name
