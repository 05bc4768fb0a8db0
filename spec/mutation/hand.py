"""Mutants that were written by hand: ``special.toml``.

    [[special]]
    file = "flow/policy/layer.py"      # below src/sluicegate
    function = "Layer._found"          # the function or class in which the text stands; absent: anywhere in the file
    old = 'labels.has("secret")'       # the text as it stands there, exactly once
    new = '"secret" in labels'
    what = "a label below secret is not secret"

An entry whose text is not found exactly once is an error, so that no entry dies unnoticed when code moves.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import NamedTuple

from mutation.operators import Mutant

LIST = Path(__file__).resolve().parent / "special.toml"


class WrongEntry(Exception):
    """An entry of the list that is about nothing."""


class Entry(NamedTuple):
    """One special case: a text, and what takes its place."""

    file: str
    old: str
    new: str
    what: str
    function: str = ""


def entries(path: Path = LIST) -> list[Entry]:
    """The list. Raises ``TypeError`` for an entry with a key too many or too few."""
    return [Entry(**row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["special"]]


def mutant(module: str, entry: Entry, source: str) -> Mutant:
    """The file after the change. Raises ``WrongEntry`` if the text is not there exactly once."""
    start, end = _span(entry, source)
    found = source[start:end].count(entry.old)
    if found != 1:
        where = f"{entry.file} {entry.function}".strip()
        raise WrongEntry(
            f"special.toml: the text of '{entry.what}' is found {found} times in {where}, not once"
        )
    changed = source[:start] + source[start:end].replace(entry.old, entry.new) + source[end:]
    ast.parse(changed)
    return Mutant(name=f"{module}.{entry.function or 'module'}: {entry.what}", source=changed)


def _span(entry: Entry, source: str) -> tuple[int, int]:
    """Where the text of a function begins and ends."""
    if not entry.function:
        return 0, len(source)
    body: list[ast.stmt] = ast.parse(source).body
    node: ast.stmt | None = None
    for name in entry.function.split("."):
        found = (one for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name)
        node = next(found, None)
        if node is None:
            raise WrongEntry(f"special.toml: there is no {entry.function} in {entry.file}")
        body = getattr(node, "body", [])
    assert node is not None and node.end_lineno is not None
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: node.lineno - 1])), sum(map(len, lines[: node.end_lineno]))
