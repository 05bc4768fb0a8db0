"""Whether a program copies its environment for nothing but the children that it starts, which get it anyway."""

from __future__ import annotations

import ast
import re

from sluicegate.known import names

_CHANGES = frozenset({"update", "pop", "setdefault"})
_CHILDREN = frozenset(
    {
        "run",
        "Popen",
        "call",
        "check_call",
        "check_output",
        "create_subprocess_exec",
        "create_subprocess_shell",
    }
)
_PRINTS = frozenset({"env", "printenv", "set", "export", "declare"})


def only_inherited(text: str) -> bool:
    """Whether each copy of the whole environment in a Python program is only changed and handed to children.

    1. A copy is ``os.environ.copy()``, ``dict(os.environ)`` or ``{**os.environ}``, under one name or as the ``env`` of a child.
    2. The name is given to a child as its ``env``, changed, or asked for what is not a secret. Nothing else is done with it.
    3. No child prints its environment, and no other use of ``os.environ`` as a whole is left.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    held: set[str] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not isinstance(parents.get(node), ast.Expr)
        ):
            if _prints(node.value):  # 3
                return False
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            if any(alias.name in ("environ", "environb", "*") for alias in node.names):
                return False
        if not (isinstance(node, ast.Attribute) and node.attr in ("environ", "environb")):
            continue
        made = _copy(node, parents)
        if made is None:
            if not _single(node, parents):
                return False
            continue
        holder = parents.get(made)
        if _given(made, holder, parents):
            continue
        if not isinstance(holder, ast.Assign | ast.AnnAssign):
            return False
        targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
        if not all(isinstance(target, ast.Name) for target in targets):
            return False
        held |= {target.id for target in targets if isinstance(target, ast.Name)}
    return all(
        _harmless(node, parents)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in held and isinstance(node.ctx, ast.Load)
    )


def _copy(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:  # 1
    """The expression that copies the environment, which is read here."""
    parent = parents.get(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "copy":
        call = parents.get(parent)
        return call if isinstance(call, ast.Call) and call.func is parent else None
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "dict":
        return parent
    if isinstance(parent, ast.Dict) and any(
        k is None and v is node for k, v in zip(parent.keys, parent.values, strict=True)
    ):
        return parent
    return node if isinstance(parent, ast.keyword) and parent.arg == "env" else None


def _single(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether one variable by name is asked or set, which is told of by itself."""
    parent = parents.get(node)
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return isinstance(parent.slice, ast.Constant) or not isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Attribute):
        call = parents.get(parent)
        named = isinstance(call, ast.Call) and bool(call.args) and isinstance(call.args[0], ast.Constant)
        return (parent.attr in ("get", "pop", "setdefault") and named) or parent.attr == "update"
    return False


def _given(node: ast.AST, holder: ast.AST | None, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression is the ``env`` of a child."""
    if not (isinstance(holder, ast.keyword) and holder.arg == "env" and holder.value is node):
        return False
    call = parents.get(holder)
    name = call.func if isinstance(call, ast.Call) else None
    return (isinstance(name, ast.Attribute) and name.attr in _CHILDREN) or (
        isinstance(name, ast.Name) and name.id in _CHILDREN
    )


def _harmless(node: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:  # 2
    parent = parents.get(node)
    if _given(node, parent, parents):
        return True
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return not isinstance(parent.ctx, ast.Load) or _plain(parent.slice)
    if isinstance(parent, ast.Attribute):
        call = parents.get(parent)
        if not isinstance(call, ast.Call) or call.func is not parent:
            return False
        if parent.attr in _CHANGES:
            return isinstance(parents.get(call), ast.Expr)
        return parent.attr == "get" and bool(call.args) and _plain(call.args[0])
    return isinstance(parent, ast.Compare)


def _plain(key: ast.expr) -> bool:
    """Whether a variable is asked for by a name that holds no secret."""
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and not names.secret(key.value)


def _prints(text: str) -> bool:
    pieces = re.split(r"[;&|\n(]|-c\s", text)
    first = (piece.strip().strip("\"'").split(" ", 1)[0].rpartition("/")[2] for piece in pieces)
    return "environ" in text or not _PRINTS.isdisjoint(first)
