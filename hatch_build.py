"""Build hook: compile the pattern rules once, so that no scan pays for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileRules(BuildHookInterface):  # type: ignore[type-arg]
    """Writes ``rules/compiled.yarc`` into the tree and has the wheel take it along."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules; the build fails when one of them is wrong."""
        source = Path(self.root) / "src"
        sys.path.insert(0, str(source))
        try:
            from sluicegate.vet.inspect.compile import COMPILED, write

            write()
        finally:
            sys.path.remove(str(source))
        if version == "editable":
            return
        inside = COMPILED.relative_to(source).as_posix()
        build_data["force_include"][str(COMPILED)] = inside
