"""Build hook: compile the pattern rules and all regular expressions once, so that no scan pays for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compile(BuildHookInterface):  # type: ignore[type-arg]
    """Writes ``rules/compiled.yarc`` and ``compiled.patterns`` into the tree and has the wheel take them along."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile both; the build fails when a rule or a pattern is wrong."""
        source = Path(self.root) / "src"
        sys.path.insert(0, str(source))
        try:
            from sluicegate import compile_patterns
            from sluicegate.vet.inspect import compile as compile_rules

            compile_rules.write()
            compile_patterns.write()
        finally:
            sys.path.remove(str(source))
        if version == "editable":
            return
        for made in (compile_rules.COMPILED, compile_patterns.COMPILED):
            build_data["force_include"][str(made)] = made.relative_to(source).as_posix()
