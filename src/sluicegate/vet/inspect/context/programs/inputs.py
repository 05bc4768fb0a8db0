"""Lists of inputs in a Python file of tests, as far as nothing that the tests reach runs one.

A list counts that holds constants alone, and is bound to a name or parametrises a test. The file, and every program of
the bundle that it imports, executes nothing; whatever else it imports is known to execute nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.context.programs.execution import Execution
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View

_LONGEST = 256 * 1024
"""Characters of a file of tests that is read."""
_MOST = 32
"""Programs that one file of tests may reach; whoever needs more is not believed."""
_KNOWN = frozenset(
    """__future__ abc argparse collections copy dataclasses datetime decimal enum functools hashlib hypothesis itertools json math pathlib pytest
    random re shlex string sys textwrap time typing unicodedata unittest""".split()
)
"""Modules that execute nothing of what they are given."""
_DOUBTFUL = frozenset(
    """__builtins__ __import__ __loader__ __spec__ compile eval exec getattr globals locals modules pytester setattr testdir vars
    """.split()
)
"""Names by which a file may execute what its lines do not show."""


class _List(NamedTuple):
    """A list of constants: the name that it is bound to, if any, and its first and last characters."""

    name: str
    start: int
    end: int


class Inputs:
    """The lists of inputs of one file of tests; ``views`` are the programs of the bundle, and ``execution`` reads one."""

    def __init__(self, view: View, views: Sequence[View], execution: Callable[[View], Execution]) -> None:
        self._view = view
        self._programs = [each for each in views if each.language is Kind.PYTHON]
        self._execution = execution
        tree = _tree(view.text)
        self._lists = () if tree is None else tuple(_lists(tree, view.text))
        self.quiet = bool(self._lists) and tree is not None and self._quiet(tree)
        """Whether nothing that the tests reach executes anything."""

    def name(self, start: int, end: int) -> str | None:
        """The name of the list in which a match stands, empty where it has none; None where it stands in no list."""
        return next((each.name for each in self._lists if each.start <= start and end <= each.end), None)

    def _quiet(self, tree: ast.Module) -> bool:
        waiting, seen = [(self._view, tree)], {self._view.path}
        while waiting:
            view, tree = waiting.pop()
            if self._execution(view).executes or not _DOUBTFUL.isdisjoint(_names(tree)):
                return False
            for module, names in _imports(tree):
                found = self._find(module, names)
                if not found and module.partition(".")[0] not in _KNOWN:
                    return False
                for other in found:
                    inner = _tree(other.text)
                    if inner is None or len(seen) >= _MOST:
                        return False
                    if other.path not in seen:
                        seen.add(other.path)
                        waiting.append((other, inner))
        return True

    def _find(self, module: str, names: Sequence[str]) -> list[View]:
        """The programs of the bundle that an import may load."""
        base = module.strip(".").replace(".", "/")
        bases = [base, *(f"{base}/{name}".lstrip("/") for name in names)]
        ends = {f"/{each}{tail}" for each in bases if each for tail in (".py", "/__init__.py")}
        return [view for view in self._programs if any(f"/{view.path}".endswith(end) for end in ends)]


def _tree(text: str) -> ast.Module | None:
    from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import Parsed, parse

    if len(text) > _LONGEST or "\r" in text:
        return None
    parsed = parse(text)
    return parsed.tree if isinstance(parsed, Parsed) and not parsed.cut else None


def _lists(tree: ast.Module, text: str) -> Iterator[_List]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode(errors="replace"))

    for node in ast.walk(tree):
        name, value = _bound(node)
        if isinstance(value, ast.List | ast.Tuple | ast.Set | ast.Dict) and _constant(value):
            start, end = (
                at(value.lineno, value.col_offset),
                at(value.end_lineno or value.lineno, value.end_col_offset or 0),
            )
            if text[start : start + 1] in ("[", "(", "{"):
                yield _List(name, start, end)


def _bound(node: ast.AST) -> tuple[str, ast.expr | None]:
    """The name and the value of an assignment, or the inputs by which a test is parametrised."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            return name, value
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, value, *_]):
            return "", value
    return "", None


def _constant(node: ast.expr) -> bool:
    """Whether a value is made of constants alone."""
    match node:
        case ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(_constant, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _constant(key) for key in keys) and all(map(_constant, values))
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="pytest"), attr="param"), args=args, keywords=named
        ):
            return all(map(_constant, args)) and all(
                each.arg == "id" and _constant(each.value) for each in named
            )
    return False


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="re"), attr="compile"):
                pass  # of a pattern
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name


def _imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((each.name, ()) for each in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield "." * level + (module or ""), tuple(each.name for each in names)
