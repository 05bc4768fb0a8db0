"""Constants, objects, lists, and text with holes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sluicegate.flow.labels import EMPTY
from sluicegate.flow.values import Labeled, asked, model, structure
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, container, settled, within
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.resolve.scopes import GIVEN, TRANSFORMERS
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree.node import Syntax


def literal(run: Run, node: x.LiteralExpr, scope: RunScope) -> Value:
    """A constant."""
    return Labeled(node.value)


def word(run: Run, node: x.WordExpr, scope: RunScope) -> Value:
    """A bare word is text; ``denied`` says whether something was."""
    if node.word == "denied":
        return Labeled(run.denied)
    return Labeled(node.word)


def elided(run: Run, node: x.ElidedExpr, scope: RunScope) -> Value:
    """``...``"""
    raise ScriptError(
        "elided", "`...` stands for what was left out, and nothing runs past it", hint="Write what it is."
    )


def anything(run: Run, node: x.AnyExpr, scope: RunScope) -> Value:
    """``*`` as a condition is always true."""
    return Labeled(True)


def template(run: Run, node: x.TemplateExpr, scope: RunScope) -> Value:
    """Text with holes; one whose name nothing defines stays as it is written."""
    texts: list[str | None] = []
    values: list[Value] = []
    for part in node.parts:
        if isinstance(part, str):
            texts.append(part)
        elif is_open(run, part, scope):
            texts.append(run.source.text[part.start : part.end])
        else:
            texts.append(None)
            values.append(run.evaluate(part, scope))
    return apply(run, partial(_filled, run, texts), *values)


def is_open(run: Run, part: Syntax, scope: RunScope) -> bool:
    """Whether a hole has a name that nothing defines."""
    root = part.value if isinstance(part, x.AccessExpr) else part
    if not isinstance(root, x.NameExpr) or root.name in GIVEN or root.name in TRANSFORMERS:
        return False
    return scope.find(root.name) is None and not run.defines(root.name)


def _filled(run: Run, texts: list[str | None], *contents: Any) -> str:
    filling = iter(contents)
    pieces = [text_of(next(filling)) if text is None else text for text in texts]
    run.budget.making(sum(map(len, pieces)))
    return "".join(pieces)


def array(run: Run, node: x.ListExpr, scope: RunScope) -> Value:
    """``[ a, b, ...@c ]``"""
    return _built(run, node.items, scope, list)


def record(run: Run, node: x.ObjectExpr, scope: RunScope) -> Value:
    """``{ key: value, word, ...@x }``"""
    return _built(run, node.items, scope, dict)


def extended(run: Run, value: Value, node: x.WithExpr, scope: RunScope) -> Value:
    """``value with { … }``: an object with other fields."""
    spread = x.SpreadExpr(node.value.start, node.value.end, node.value)
    return _joined(run, [(spread, value), *_evaluated(run, node.options.items, scope)], dict)


def _built(run: Run, items: tuple[x.EntryNode | x.Expression, ...], scope: RunScope, kind: type) -> Value:
    return _joined(run, _evaluated(run, items, scope), kind)


def _evaluated(
    run: Run, items: tuple[x.EntryNode | x.Expression, ...], scope: RunScope
) -> list[tuple[x.EntryNode | x.Expression, Value]]:
    """The items of a container, and their values."""
    evaluated: list[tuple[x.EntryNode | x.Expression, Value]] = []
    for item in items:
        inner = item.value if isinstance(item, (x.EntryNode, x.SpreadExpr)) else item
        if isinstance(item, x.SpreadExpr) and isinstance(inner, x.WordExpr):
            inner = x.NameExpr(inner.start, inner.end, inner.word)
        evaluated.append((item, run.evaluate(inner, scope)))
    return evaluated


def _joined(run: Run, items: list[tuple[x.EntryNode | x.Expression, Value]], kind: type) -> Value:
    """The container, in a branch on the shapes of all that is spread in it."""
    shape = EMPTY
    for item, value in items:
        if isinstance(item, x.SpreadExpr):
            shape |= structure(value)
    make: Callable[[], Value] = partial(_list if kind is list else _object, run, items)
    return settled(run, within(run, shape, make))


def _list(run: Run, items: list[tuple[x.EntryNode | x.Expression, Value]]) -> Value:
    made: list[Value] = []
    for item, value in items:
        if isinstance(item, x.SpreadExpr):
            if model(value) is not list:
                raise ScriptError("wrong-type", "only a list is spread in a list")
            made.extend(value)
        elif isinstance(item, x.EntryNode):
            made.append(Labeled({item.key: value}))
        else:
            made.append(value)
    return container(run, made)


def _object(run: Run, items: list[tuple[x.EntryNode | x.Expression, Value]]) -> Value:
    made: dict[str, Value] = {}
    for item, value in items:
        if isinstance(item, x.SpreadExpr):
            if model(value) is not dict:
                raise ScriptError("wrong-type", "only an object is spread in an object")
            for key in value.keys():  # noqa: SIM118 - of a labelled value: asks for its keys alone
                name = asked(key)
                made[name] = value[name]
        elif isinstance(item, x.EntryNode):
            made[item.key] = value
        elif isinstance(item, x.WordExpr):
            made[item.word] = Labeled(True)
        elif isinstance(item, x.NameExpr):
            made[item.name] = value
        else:
            raise ScriptError("wrong-type", "an object has `key: value`, words and `...@x`")
    return container(run, made)


def spread(run: Run, node: x.SpreadExpr, scope: RunScope) -> Value:
    """``...@x`` outside of a list or an object."""
    raise ScriptError("wrong-type", "`...@x` stands in a list or an object")
