"""Whether what is said to back a behaviour could fail at all.

A test that asserts nothing passes; so does a property that is ``True`` and a contract that returns it. These are
told by their text. What they assert may still be too little: that is for mutation (``spec/mutation``) and for
whoever reads them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sluicegate.reach.cli.commands.spec import PLACES, Behaviour

SPEC = Path(__file__).resolve().parent
_RAISERS = {"raises", "warns", "deprecated_call", "fail"}
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """The functions of a module by name, those that it imports from tests and spec too, and all its dictionaries."""

    functions: Mapping[str, Function]
    entries: Mapping[str, tuple[ast.expr, ...]]


def problems(behaviours: Iterable[Behaviour], root: Path) -> list[str]:
    """Backing that cannot fail, each with the behaviour that rests on it."""
    return [
        f"{one.id}: {name} {why}"
        for one in behaviours
        for kind, name in one.backing
        if (why := empty(kind, name, root))
    ]


def empty(kind: str, name: str, root: Path) -> str:
    """Why a backing cannot fail; nothing when it can, or when it is a theorem, which Coq checks."""
    if kind == "tests":
        path, _, function = name.partition("::")
        return _empty_function(root / path, function, root)
    places = [root / place for place in PLACES.get(kind, ())]
    if kind == "exhaustive":
        told = [_empty_function(path, name, root) for path in places if name in _module(path, root).functions]
        return next(filter(None, told), "")
    if kind == "contracts":
        return next(filter(None, (_empty_contract(_module(path, root), name) for path in places)), "")
    if kind in ("properties", "differential"):
        modules = [_module(path, root) for path in places]
        found = [(value, one) for one in modules for value in one.entries.get(name, ())]
        if kind == "differential" and found and not any(_has_data(value) for value, _ in found):
            return "compares nothing: its value is a constant"
        if kind == "properties" and any(is_constant(value, one.functions) for value, one in found):
            return "cannot fail: its value is a constant"
    return ""


def _empty_function(path: Path, name: str, root: Path) -> str:
    module = _module(path, root)
    function = module.functions.get(name)
    if function is None or asserts(function, module.functions):
        return ""  # that it does not exist is told elsewhere
    return "asserts nothing"


def _empty_contract(module: Module, name: str) -> str:
    function = module.functions.get(name)
    if function is None:
        return ""
    said = (ast.get_docstring(function) or "").splitlines()
    posts = [line.partition("post:")[2].strip() for line in said if line.strip().startswith("post:")]
    if not posts:
        return "has no post-condition"
    if all(post != "_" and is_constant(ast.parse(post, mode="eval").body, {}) for post in posts):
        return "has a post-condition that is a constant"
    if "_" in posts and _gives_constant(function, module.functions):
        return "returns a constant"
    return ""


def asserts(
    function: Function, functions: Mapping[str, Function], seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a function asserts something that could be false, itself or in a function that it calls."""
    inside = {
        one.name: one for one in ast.walk(function) if isinstance(one, Function) and one is not function
    }
    known = {**functions, **inside}
    for node in reachable(function.body):
        if isinstance(node, ast.Assert) and not is_constant(node.test, known):
            return True
        if isinstance(node, ast.Raise) and _names(node, {"AssertionError"}):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RAISERS:
            return True
        # A function may also be handed on, as a callback or an example of Hypothesis.
        if (
            isinstance(node, ast.Name)
            and node.id in known
            and node.id not in seen
            and node.id != function.name
        ):
            if asserts(known[node.id], known, seen | {function.name, node.id}):
                return True
    return False


def _names(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def reachable(block: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of a block that can run: nothing after a return, and no branch that is closed by a constant."""
    for statement in block:
        if isinstance(statement, Function | ast.ClassDef):
            continue  # runs only when it is called
        yield statement
        blocks = set(_BLOCKS)
        if isinstance(statement, ast.If | ast.While) and isinstance(statement.test, ast.Constant):
            blocks -= {"orelse"} if statement.test.value else {"body"}
        if (
            isinstance(statement, ast.For)
            and isinstance(statement.iter, ast.Tuple | ast.List)
            and not statement.iter.elts
        ):
            blocks -= {"body"}
        if _swallows(statement):
            blocks -= {"body"}  # what is asserted there fails nothing
        for name, value in ast.iter_fields(statement):
            if name in _BLOCKS and isinstance(value, list):
                for part in value if name in blocks else ():
                    yield from reachable(part.body if isinstance(part, ast.ExceptHandler) else [part])
            elif name == "cases":
                for case in value:
                    yield from reachable(case.body)
            else:
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, ast.AST):
                        yield from ast.walk(part)
        if isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break):
            return


def _swallows(statement: ast.stmt) -> bool:
    """Whether a failed assertion inside a statement goes no further."""
    if isinstance(statement, ast.With):
        return any(
            isinstance(one.context_expr, ast.Call) and _names(one.context_expr.func, {"suppress"})
            for one in statement.items
        )
    return isinstance(statement, ast.Try) and any(
        one.type is None or _names(one.type, {"AssertionError", "Exception", "BaseException"})
        for one in statement.handlers
        if not any(isinstance(node, ast.Raise | ast.Assert) for node in ast.walk(one))
    )


def _calls(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Call | ast.Await | ast.Yield | ast.NamedExpr) for one in ast.walk(node))


def is_constant(node: ast.expr, functions: Mapping[str, Function], deep: int = 3) -> bool:
    """Whether an expression has one value, whatever is tested, as far as its text tells."""
    match node:
        case ast.Constant():
            return True
        case ast.Lambda(body=body) | ast.NamedExpr(value=body) | ast.UnaryOp(operand=body):
            return is_constant(body, functions, deep)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return not any(isinstance(one, ast.Starred) for one in parts)  # true by its length alone
        case ast.BoolOp(op=ast.Or(), values=parts) if any(_is(one, True) for one in parts):
            return True
        case ast.BoolOp(op=ast.And(), values=parts) if any(_is(one, False) for one in parts):
            return True
        case ast.BoolOp(values=parts):
            return all(is_constant(one, functions, deep) for one in parts)
        case ast.BinOp(left=left, right=right):
            return is_constant(left, functions, deep) and is_constant(right, functions, deep)
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]
        ) if ast.dump(left) == ast.dump(right) and not _calls(left):
            return True
        case ast.Compare(left=left, comparators=others):
            return all(isinstance(one, ast.Constant) for one in (left, *others))
        case ast.IfExp(body=body, orelse=orelse):
            return is_constant(body, functions, deep) and is_constant(orelse, functions, deep)
        case ast.Call(func=ast.Name(id="all" | "any" | "bool"), args=[ast.GeneratorExp(elt=element)]):
            return is_constant(element, functions, deep)
        case ast.Call(func=ast.Name(id="bool"), args=[one]):
            return is_constant(one, functions, deep)
        case ast.Call(func=ast.Name(id=name)) if deep and name in functions:
            return _gives_constant(functions[name], functions, deep - 1)
    return False


def _has_data(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Name | ast.Call | ast.Attribute) for one in ast.walk(node))


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value) is value


def _gives_constant(function: Function, functions: Mapping[str, Function], deep: int = 3) -> bool:
    """Whether everything that a function returns is a constant."""
    returns = [node for node in reachable(function.body) if isinstance(node, ast.Return)]
    values = [one.value for one in returns if one.value is not None]
    return all(is_constant(value, functions, deep) for value in values)


@cache
def _module(path: Path, root: Path) -> Module:
    """What a file defines, and the functions of tests and spec that it imports."""
    if not path.is_file():
        return Module(functions={}, entries={})
    tree = ast.parse(path.read_bytes(), str(path))
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            functions = {**_imported(node, root), **functions}
    entries: dict[str, tuple[ast.expr, ...]] = {}
    for table in (node for node in ast.walk(tree) if isinstance(node, ast.Dict)):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                entries[key.value] = (*entries.get(key.value, ()), value)
    return Module(functions=functions, entries=entries)


def _imported(node: ast.ImportFrom, root: Path) -> dict[str, Function]:
    """The functions that an import takes from a module of tests or spec."""
    parts = (node.module or "").split(".")
    for base in (root, root / "spec", root / "tests"):
        path = base.joinpath(*parts).with_suffix(".py")
        if path.is_file() and "src" not in path.parts:
            functions = {
                one.name: one for one in ast.parse(path.read_bytes()).body if isinstance(one, Function)
            }
            return {
                alias.asname or alias.name: functions[alias.name]
                for alias in node.names
                if alias.name in functions
            }
    return {}
