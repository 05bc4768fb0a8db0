"""Which loaded modules of ours depend on one: they are imported anew when it is changed, and all others are kept."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

OURS = ("sluicegate", "drt", "model")


def forget(name: str) -> None:
    """Take a module, and all that import it directly or not, out of what is loaded."""
    imports = {each: _imported(path) for each, path in _loaded().items()}
    gone = {name}
    while more := {
        each for each, named in imports.items() if each not in gone and not gone.isdisjoint(named)
    }:
        gone |= more
    for each in gone:
        module = sys.modules.pop(each, None)
        package, _, short = each.rpartition(".")
        if module is not None and getattr(sys.modules.get(package), short, None) is module:
            delattr(sys.modules[package], short)  # else a package gives the old one without asking


def _loaded() -> dict[str, str]:
    found = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if name.partition(".")[0] in OURS and path:
            found[name] = path
    return found


@cache
def _imported(path: str) -> frozenset[str]:
    """The modules that a file imports anywhere, and what it takes from them, which may be modules too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)
