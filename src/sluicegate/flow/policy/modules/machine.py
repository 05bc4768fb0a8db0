"""What is installed on this machine, for ``needs``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from sluicegate.flow.policy.modules.versions import Ecosystem

_MOST_BYTES = 1 << 20


class Machine:
    """Commands on a search path, Python packages of this interpreter, Node packages of a project."""

    def __init__(self, *, base: Path, search_path: str) -> None:
        self._base = base
        self._search_path = search_path

    def command(self, name: str) -> bool:
        """Whether a command is found on the search path."""
        return shutil.which(name, path=self._search_path) is not None

    def package(self, ecosystem: Ecosystem, name: str) -> str | None:
        """The version of a package that is installed, or None."""
        return self._python(name) if ecosystem == "python" else self._node(name)

    def _python(self, name: str) -> str | None:
        from importlib import metadata

        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def _node(self, name: str) -> str | None:
        for directory in (self._base, *self._base.parents):
            manifest = directory / "node_modules" / name / "package.json"
            try:
                if manifest.stat().st_size > _MOST_BYTES:
                    continue
                found = json.loads(manifest.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError):
                continue
            version = found.get("version") if isinstance(found, dict) else None
            if isinstance(version, str):
                return version
        return None
