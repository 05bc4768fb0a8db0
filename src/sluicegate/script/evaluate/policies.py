"""Policies that a script declares, as documents of ``flow``.

They are constants: no value, no hole and no call decides what a policy says. So they are read before anything runs, and hold from
the beginning. ``union(@a, @b)`` is two layers, each of which has to permit; what it names is a policy, or a ``var`` that is a constant.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sluicegate.flow.errors import FlowError
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.policy.text.positions import Lines, Path
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.parse.program import ParsedScript
from sluicegate.script.scan.dialect import Dialect
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax

_OF_MLLD: Final = ("allow", "deny", "danger")
"""Lists of capabilities, which stand on the first level in mlld."""


def documents(script: ParsedScript, imported: Collection[str] = ()) -> tuple[Document, ...]:
    """The policies that a script declares, in their order; those that it ``imported`` are in force already. Raises FlowError with
    its place."""
    constants = _constants(script)
    found: dict[str, Document] = {}
    for node in script.tree.statements:
        if not isinstance(node, s.PolicyStatement):
            continue
        try:
            for name, value in _layers(node, constants, imported):
                found.setdefault(name, _document(script, name, value))
        except FlowError as error:
            placed(error, script.source, node)
            raise
    return tuple(found.values())


def _constants(script: ParsedScript) -> dict[str, x.ObjectExpr | None]:
    """Objects by the names that the script gives to them; None for a ``policy`` of several layers, which stand there themselves."""
    found: dict[str, x.ObjectExpr | None] = {}
    for node in script.tree.statements:
        if isinstance(node, s.VarStatement) and isinstance(node.value, x.ObjectExpr):
            found[node.name] = node.value
        elif isinstance(node, s.PolicyStatement):
            found[node.name] = node.value
    return found


def _layers(
    node: s.PolicyStatement, constants: dict[str, x.ObjectExpr | None], imported: Collection[str]
) -> list[tuple[str, x.ObjectExpr]]:
    if node.value is not None:
        return [(node.name, node.value)]
    layers: list[tuple[str, x.ObjectExpr]] = []
    for layer in node.layers:
        if isinstance(layer, x.ObjectExpr):
            layers.append((f"{node.name}_{len(layers) + 1}", layer))
        elif isinstance(layer, x.NameExpr) and layer.name in constants:
            value = constants[layer.name]
            if value is not None:
                layers.append((layer.name, value))
        elif not (isinstance(layer, x.NameExpr) and layer.name in imported):
            raise ScriptError("not-constant", "a layer of a policy is a policy, or a `var` that is a constant object",
                              hint="Write `policy @a = { … }` for it.")  # fmt: skip
    return layers


def _document(script: ParsedScript, name: str, value: x.ObjectExpr) -> Document:
    lines: Lines = {}
    tree = _plain(script, value, (), lines)
    if script.dialect is Dialect.MLLD and isinstance(tree, dict):
        tree = _raised(tree)
    return from_tree(tree, name=f"@{name}", file=script.source.name, lines=lines)


def _raised(tree: dict[str, object]) -> dict[str, object]:
    """Capabilities where our schema has them."""
    lists = {key: tree[key] for key in _OF_MLLD if key in tree}
    if not lists or "capabilities" in tree:
        return tree
    return {**{key: each for key, each in tree.items() if key not in _OF_MLLD}, "capabilities": lists}


def plain(script: ParsedScript, node: Syntax) -> object:
    """What a constant says. Raises ScriptError for what is none."""
    return _plain(script, node, (), {})


def _plain(script: ParsedScript, node: Syntax, path: Path, lines: Lines) -> object:
    """What a constant says, and where. Raises ScriptError for what is none."""
    lines[path] = script.source.place(node.start).line
    match node:
        case x.LiteralExpr():
            return node.value
        case x.WordExpr():
            return node.word
        case x.AnyExpr():
            return "*"
        case x.TemplateExpr():
            holes = (
                part if isinstance(part, str) else script.source.text[part.start : part.end]
                for part in node.parts
            )
            return "".join(holes)
        case x.ListExpr():
            return _list(script, node, path, lines)
        case x.ObjectExpr():
            return _object(script, node, path, lines)
        case x.UnaryExpr(operator="-", value=x.LiteralExpr(value=int() | float() as number)):
            return -number
        case x.TemplateFileExpr(path=where):
            return {"template": _plain(script, where, path, lines)}
    raise ScriptError("not-constant", "a policy is a constant: words, text, numbers, lists and objects",
                      hint="No value decides what a policy says.")  # fmt: skip


def _list(script: ParsedScript, node: x.ListExpr, path: Path, lines: Lines) -> list[object]:
    made: list[object] = []
    for at, item in enumerate(node.items):
        inner = item.value if isinstance(item, x.EntryNode) else item
        value = _plain(script, inner, (*path, at), lines)
        made.append({item.key: value} if isinstance(item, x.EntryNode) else value)
    return made


def _object(script: ParsedScript, node: x.ObjectExpr, path: Path, lines: Lines) -> object:
    """An object; one of words alone is a set, and so a list."""
    if node.items and all(isinstance(item, x.WordExpr) for item in node.items):
        return [item.word for item in node.items if isinstance(item, x.WordExpr)]
    made: dict[str, object] = {}
    for item in node.items:
        if isinstance(item, x.WordExpr):
            key, value = item.word, True
        elif isinstance(item, x.EntryNode):
            key, value = item.key, _plain(script, item.value, (*path, item.key), lines)  # type: ignore[assignment]
        else:
            raise ScriptError("not-constant", "a policy has `key: value` and words")
        if key in made and path[:1] != ("capabilities",):
            raise ScriptError(
                "duplicate-key",
                f"`{key}` stands twice in one object of a policy",
                hint="Keep one of the two.",
            )
        made[key] = _both(made[key], value) if key in made else value
    return made


def _both(one: object, other: object) -> object:
    """A capability that is listed twice: both lists, one after the other."""
    return [*(one if isinstance(one, list) else [one]), *(other if isinstance(other, list) else [other])]
