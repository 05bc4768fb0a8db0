"""Evaluation of expressions to abstract values: one function for each kind of node, all total, recursion bounded."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from sluicegate.vet.inspect.analyzers.pyflow import calls, folding
from sluicegate.vet.inspect.analyzers.pyflow.definitions import lambda_unit
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.names import (
    BUILTINS,
    IMPLICIT_MODULES,
    MEMBERS,
    attribute,
    member_by_text,
    name_value,
    outside,
)
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    MAX_TEXT,
    NOTHING,
    PARAMETER_MASK,
    PyValue,
    SourceKind,
    bounded_parts,
    join,
    make,
    tainted,
    text_value,
)

_NAME, _CONSTANT, _SEVERAL = ast.Name, ast.Constant, (ast.Tuple, ast.List)
_ATTRIBUTE, _STARRED, _FORMATTED, _ADD = ast.Attribute, ast.Starred, ast.FormattedValue, ast.Add
MAX_DEPTH = 60
"""Expressions inside each other; deeper ones are only searched for names."""


def evaluate(frame: UnitRun, node: ast.expr) -> PyValue:
    """The abstract value of an expression; reports the operations in it."""
    kind = type(node)
    if kind is _NAME:
        identifier: str = node.id  # type: ignore[attr-defined]
        value = frame.env.get(identifier)
        if value is not None and identifier not in frame.globals:
            return value
        return _name(frame, node)  # type: ignore[arg-type]
    if kind is _CONSTANT:
        constant: object = node.value  # type: ignore[attr-defined]
        if type(constant) is str:
            return make(PyValue, (0, (constant,), (), ())) if len(constant) <= MAX_TEXT else _LONG
        return _bytes(constant) if type(constant) is bytes else NOTHING
    handler = _HANDLERS.get(kind)
    if handler is None:
        return _children(frame, node)
    analysis = frame.analysis
    analysis.steps -= 1
    if analysis.steps < 0:
        analysis.crowded = True
        return NOTHING
    if frame.depth >= MAX_DEPTH:
        return _shallow(frame, node)
    frame.depth += 1
    value = handler(frame, node)
    frame.depth -= 1
    return value


def _shallow(frame: UnitRun, node: ast.expr) -> PyValue:
    """Too deep: the join of the names in it, found without recursion. The analysis says that it gave up."""
    frame.analysis.crowded = True
    mask = 0
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            mask |= (frame.lookup(child.id) or NOTHING).mask
    return tainted(mask)


def _children(frame: UnitRun, node: ast.AST) -> PyValue:
    mask = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            mask |= evaluate(frame, child).mask
    return tainted(mask)


def _bytes(constant: bytes) -> PyValue:
    return text_value(constant.decode("latin-1")) if len(constant) <= MAX_TEXT else _LONG


_LONG = PyValue(0, (), ("long-constant",))


def _name(frame: UnitRun, node: ast.Name) -> PyValue:
    identifier = node.id
    value = frame.lookup(identifier)
    if value is not None:
        return value
    if identifier in BUILTINS:
        return outside(frame, BUILTINS[identifier], node)
    for star in frame.module.stars:
        if isinstance(star, str) and calls.modelled(f"{star}.{identifier}"):
            return outside(frame, f"{star}.{identifier}", node)
    if identifier in IMPLICIT_MODULES:
        return outside(frame, IMPLICIT_MODULES[identifier], node)
    return name_value(frame, identifier)


def _attribute(frame: UnitRun, node: ast.Attribute) -> PyValue:
    return attribute(frame, evaluate(frame, node.value), node.attr, node)


def _call(frame: UnitRun, node: ast.Call) -> PyValue:
    func = node.func
    if type(func) is _ATTRIBUTE:
        receiver = evaluate(frame, func.value)
        callee = attribute(frame, receiver, func.attr, func)
        name = func.attr
    else:
        receiver = NOTHING
        callee = evaluate(frame, func)
        name = func.id if type(func) is _NAME else ""
    args: list[PyValue] = []
    keywords: dict[str, PyValue] = {}
    spread = NOTHING
    for arg in node.args:
        if type(arg) is _STARRED:
            value = evaluate(frame, arg.value)
            plain = [part for key, part in value.parts if not key]
            if plain:
                args += plain
            else:
                spread = join(spread, value)
        else:
            args.append(evaluate(frame, arg))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        else:
            for key, part in value.parts:
                if key:
                    keywords.setdefault(key, part)
            spread = join(spread, value)
    return calls.called(frame, calls.EvaluatedCall(node, name, callee, receiver, args, keywords, spread))


def _binary(frame: UnitRun, node: ast.BinOp) -> PyValue:
    """Operators; a long chain leans to the left and is walked without recursion."""
    left = node.left
    if not isinstance(left, ast.BinOp):
        return _combine(node.op, evaluate(frame, left), evaluate(frame, node.right))
    chain: list[ast.BinOp] = [node]
    while isinstance(left, ast.BinOp):
        chain.append(left)
        left = left.left
    value = evaluate(frame, left)
    for step in reversed(chain):
        value = _combine(step.op, value, evaluate(frame, step.right))
    return value


def _combine(op: ast.operator, a: PyValue, b: PyValue) -> PyValue:
    mask = a.mask | b.mask
    if type(op) is _ADD:
        if a.parts or b.parts:
            return PyValue(mask, (), (), bounded_parts([*a.parts, *b.parts]))
        if a.texts or b.texts:
            return make(PyValue, (mask, folding.concatenate(a.texts, b.texts), (), ()))
        return tainted(mask)
    if isinstance(op, ast.Div):
        return PyValue(mask, folding.join_paths(a.texts, b.texts)) if a.texts or b.texts else tainted(mask)
    if isinstance(op, ast.Mod) and a.texts:
        pieces = [part for key, part in b.parts if not key] or [b]
        return PyValue(mask, folding.percent(a.texts, [p.texts for p in pieces]))
    if isinstance(op, ast.BitXor) and not mask and not a.texts and not b.texts:
        return NOTHING
    if isinstance(op, ast.BitXor):
        return tainted(mask)
    if isinstance(op, ast.BitOr) and (a.parts or b.parts):
        return PyValue(mask, (), (), bounded_parts([*a.parts, *b.parts]))
    if isinstance(op, ast.Mult) and a.parts:
        return a
    return tainted(mask)


def _formatted(frame: UnitRun, node: ast.JoinedStr) -> PyValue:
    mask = 0
    pieces: list[tuple[str, ...]] = []
    for part in node.values:
        if type(part) is _FORMATTED:
            value = evaluate(frame, part.value)
            mask |= value.mask
            if part.format_spec is not None:
                mask |= evaluate(frame, part.format_spec).mask
            pieces.append(value.texts)
        elif type(part) is _CONSTANT and isinstance(part.value, str):
            pieces.append((part.value,))
    return make(PyValue, (mask, folding.pieces(pieces), (), ()))


def _sequence(frame: UnitRun, node: ast.List | ast.Tuple | ast.Set) -> PyValue:
    parts: list[tuple[str, PyValue]] = []
    mask = 0
    for element in node.elts:
        if type(element) is _STARRED:
            value = evaluate(frame, element.value)
            mask |= value.mask
            parts += [p for p in value.parts if not p[0]]
            continue
        value = evaluate(frame, element)
        mask |= value.mask
        parts.append(("", value))
    return make(PyValue, (mask, (), (), bounded_parts(parts)))


def _dict(frame: UnitRun, node: ast.Dict) -> PyValue:
    parts: list[tuple[str, PyValue]] = []
    mask = 0
    for key, item in zip(node.keys, node.values, strict=True):
        value = evaluate(frame, item)
        mask |= value.mask
        if key is None:
            parts += value.parts
            continue
        named = evaluate(frame, key)
        mask |= named.mask
        parts.append(((named.texts[0] if named.texts else "*") or "*", value))
    return make(PyValue, (mask, (), (), bounded_parts(parts)))


def _subscript(frame: UnitRun, node: ast.Subscript) -> PyValue:
    base = evaluate(frame, node.value)
    index = node.slice
    if isinstance(index, ast.Slice):
        for part in (index.lower, index.upper, index.step):
            if part is not None:
                evaluate(frame, part)
        if folding.is_reversal(index) and base.texts:
            return PyValue(base.mask, tuple(t[::-1] for t in base.texts))
        parts = base.parts
        return PyValue(base.mask, (), (), parts) if parts else tainted(base.mask)
    key = evaluate(frame, index)
    if base is NOTHING:
        return base
    if "os.environ" in base.refs:
        return calls.environment(frame, key, node)
    if "globals()" in base.refs:
        return calls.named_global(frame, key, node)
    owners = tuple([r[: -len(MEMBERS)] for r in base.refs if type(r) is str and r.endswith(MEMBERS)])
    if owners:
        return member_by_text(frame, PyValue(base.mask, (), owners), key, node)
    if base.parts:
        found = folding.pick(base, key, index)
        if found is not None:
            return found
    if "sys.modules" in base.refs:
        value = NOTHING
        for text in key.texts:
            value = join(value, outside(frame, text, node))
        return value
    mask, texts, refs, _ = base
    if texts and "/" not in "".join(texts):
        texts = ()
    return make(PyValue, (mask, texts, calls.element_refs(base) if refs else (), ()))


def _boolean(frame: UnitRun, node: ast.BoolOp) -> PyValue:
    value = NOTHING
    for operand in node.values:
        value = join(value, evaluate(frame, operand))
    return value


def _compare(frame: UnitRun, node: ast.Compare) -> PyValue:
    """A comparison keeps no data, but remembers being a question about time, machine or surroundings."""
    operands = [evaluate(frame, node.left), *[evaluate(frame, c) for c in node.comparators]]
    return calls.comparison(frame, node, operands)


def _unary(frame: UnitRun, node: ast.UnaryOp) -> PyValue:
    return evaluate(frame, node.operand)


def _conditional(frame: UnitRun, node: ast.IfExp) -> PyValue:
    evaluate(frame, node.test)
    return join(evaluate(frame, node.body), evaluate(frame, node.orelse))


def _walrus(frame: UnitRun, node: ast.NamedExpr) -> PyValue:
    value = evaluate(frame, node.value)
    frame.assign(node.target.id, value)
    return value


def _lambda(frame: UnitRun, node: ast.Lambda) -> PyValue:
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            evaluate(frame, default)
    return PyValue(0, (), (lambda_unit(frame, node),))


def _comprehension(
    frame: UnitRun, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> PyValue:
    """Runs once over an abstract element; the names it binds are given back afterwards."""
    saved: dict[str, PyValue | None] = {}
    mask = 0
    for generator in node.generators:
        source = evaluate(frame, generator.iter)
        for name in _bound_names(generator.target):
            saved.setdefault(name, frame.env.pop(name, None))
        bind(frame, generator.target, calls.element(frame, source))
        for condition in generator.ifs:
            evaluate(frame, condition)
    if isinstance(node, ast.DictComp):
        key = evaluate(frame, node.key)
        value = evaluate(frame, node.value)
        mask = key.mask | value.mask
        parts: tuple[tuple[str, PyValue], ...] = (("*", value),)
    else:
        value = evaluate(frame, node.elt)
        mask = value.mask
        parts = (("", value),) if value.texts or value.refs else ()
    for name, old in saved.items():
        if old is None:
            frame.env.pop(name, None)
        else:
            frame.env[name] = old
    return PyValue(mask, (), (), bounded_parts(list(parts)))


def _bound_names(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def _wrapped(frame: UnitRun, node: ast.Await | ast.Starred | ast.FormattedValue) -> PyValue:
    return evaluate(frame, node.value)


def _yield(frame: UnitRun, node: ast.Yield | ast.YieldFrom) -> PyValue:
    if node.value is not None:
        value = evaluate(frame, node.value)
        frame.unit.result = join(frame.unit.result, frame_result(frame, value))
    return NOTHING


def frame_result(frame: UnitRun, value: PyValue) -> PyValue:
    """What a unit may give back: parameter bits stay for functions, and mean nothing elsewhere."""
    return value if frame.unit.parameters or not value.mask & PARAMETER_MASK else frame.concrete(value)


def bind(frame: UnitRun, target: ast.expr, value: PyValue) -> None:
    """Assign a value to a name, attribute, element, or to several by position."""
    if isinstance(target, ast.Name):
        frame.assign(target.id, value)
    elif isinstance(target, _SEVERAL):
        plain = [part for key, part in value.parts if not key]
        exact = len(plain) == len(target.elts) and len(plain) == len(value.parts)
        rest = PyValue(value.mask, value.texts, calls.element_refs(value))
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                bind(frame, element.value, value)
            else:
                bind(frame, element, plain[index] if exact else calls.unpacked(frame, value, rest, index))
    elif isinstance(target, ast.Attribute):
        calls.store_attribute(frame, evaluate(frame, target.value), target, value)
    elif isinstance(target, ast.Subscript):
        base = evaluate(frame, target.value)
        key = evaluate(frame, target.slice)
        calls.store_element(frame, base, key, target, value)
    elif isinstance(target, ast.Starred):
        bind(frame, target.value, value)


def _slice(frame: UnitRun, node: ast.Slice) -> PyValue:
    return _children(frame, node)


_HANDLERS: dict[type, Callable[[UnitRun, Any], PyValue]] = {
    ast.Attribute: _attribute, ast.Call: _call, ast.BinOp: _binary,
    ast.JoinedStr: _formatted, ast.List: _sequence, ast.Tuple: _sequence, ast.Set: _sequence, ast.Dict: _dict,
    ast.Subscript: _subscript, ast.BoolOp: _boolean, ast.Compare: _compare, ast.UnaryOp: _unary,
        ast.IfExp: _conditional,
    ast.NamedExpr: _walrus, ast.Lambda: _lambda, ast.ListComp: _comprehension, ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension, ast.DictComp: _comprehension, ast.Await: _wrapped,
        ast.Starred: _wrapped,
    ast.FormattedValue: _wrapped, ast.Yield: _yield, ast.YieldFrom: _yield, ast.Slice: _slice,
}  # fmt: skip

__all__ = ["SourceKind", "bind", "evaluate", "frame_result"]
