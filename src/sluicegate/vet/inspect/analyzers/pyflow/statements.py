"""Running statements over abstract values: straight paths replace, branches and loops join."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from sluicegate.vet.inspect.analyzers.pyflow import calls
from sluicegate.vet.inspect.analyzers.pyflow.call import element
from sluicegate.vet.inspect.analyzers.pyflow.definitions import class_of, function_unit
from sluicegate.vet.inspect.analyzers.pyflow.expressions import bind, evaluate, frame_result
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.names import outside, run_written
from sluicegate.vet.inspect.analyzers.pyflow.program import Class, Module
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PARAMETER_MASK,
    PyValue,
    join,
    make,
)

MAX_BLOCKS = 40
"""Blocks inside each other; deeper statements are not looked at, which is a gap."""
LOOP_PASSES = 3


def run_block(frame: UnitRun, body: Sequence[ast.stmt]) -> None:
    """Run statements in order."""
    analysis = frame.analysis
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            analysis.steps -= 1
            if analysis.steps < 0:
                analysis.crowded = True
                return
            handler(frame, statement)


def _nested(frame: UnitRun, body: Sequence[ast.stmt]) -> None:
    if not body:
        return
    if frame.branch >= MAX_BLOCKS:
        frame.analysis.crowded = True
        return
    frame.branch += 1
    run_block(frame, body)
    frame.branch -= 1


def _expression(frame: UnitRun, node: ast.Expr) -> None:
    value = node.value
    if type(value) is not ast.Constant:
        frame.dropped = value.value if type(value) is ast.Await else value
        evaluate(frame, value)


def _assign(frame: UnitRun, node: ast.Assign) -> None:
    value = evaluate(frame, node.value)
    for target in node.targets:
        if type(target) is ast.Name:
            frame.assign(target.id, value)
            continue
        bind(frame, target, value)
        if isinstance(target, ast.Attribute) and target.attr in (
            "verify",
            "check_hostname",
            "verify_mode",
            "_create_default_https_context",
        ):
            _tls(frame, node, target, value)


def _tls(frame: UnitRun, node: ast.Assign, target: ast.Attribute, value: PyValue) -> None:
    off = isinstance(node.value, ast.Constant) and node.value.value is False
    if target.attr == "verify_mode":
        off = any(str(r).endswith("CERT_NONE") for r in value.refs)
    if target.attr == "_create_default_https_context":
        off = any("unverified" in str(r) for r in value.refs)
    if off:
        frame.hit(SinkKind.TLS, target.attr, node, {})


def _annotated(frame: UnitRun, node: ast.AnnAssign) -> None:
    if node.value is not None:
        bind(frame, node.target, evaluate(frame, node.value))


def _augmented(frame: UnitRun, node: ast.AugAssign) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        combined = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        bind(frame, target, evaluate(frame, combined))
    else:
        bind(frame, target, evaluate(frame, node.value))


def _return(frame: UnitRun, node: ast.Return) -> None:
    if node.value is not None:
        value = frame_result(frame, evaluate(frame, node.value))
        frame.unit.result = join(frame.unit.result, value)


def _if(frame: UnitRun, node: ast.If) -> None:
    """A chain of ``elif`` is walked without recursion. Conditions about time or place guard what follows."""
    current: ast.If | None = node
    saved = frame.guard
    while current is not None:
        test = evaluate(frame, current.test)
        frame.guard = saved | test.mask
        _nested(frame, current.body)
        frame.guard = saved
        rest = current.orelse
        if len(rest) == 1 and isinstance(rest[0], ast.If):
            current = rest[0]
            continue
        _nested(frame, rest)
        current = None


def _loop(frame: UnitRun, step: Callable[[], None]) -> None:
    """Run a loop's body until nothing grows, a few times at most; loops inside run once a pass."""
    passes = LOOP_PASSES if frame.branch < 4 and not frame.looping else 1
    outer, frame.looping = frame.looping, True
    frame.branch += 1
    for _ in range(passes):
        before = frame.changes
        step()
        if frame.changes == before:
            break
    frame.branch -= 1
    frame.looping = outer


def _for(frame: UnitRun, node: ast.For | ast.AsyncFor) -> None:
    if frame.branch >= MAX_BLOCKS:
        frame.analysis.crowded = True
        return
    source = evaluate(frame, node.iter)

    def step() -> None:
        bind(frame, node.target, element(frame, source))
        run_block(frame, node.body)

    _loop(frame, step)
    _nested(frame, node.orelse)


def _while(frame: UnitRun, node: ast.While) -> None:
    if frame.branch >= MAX_BLOCKS:
        frame.analysis.crowded = True
        return

    def step() -> None:
        evaluate(frame, node.test)
        run_block(frame, node.body)

    _loop(frame, step)
    _nested(frame, node.orelse)


def _try(frame: UnitRun, node: ast.Try | ast.TryStar) -> None:
    _nested(frame, node.body)
    for handler in node.handlers:
        if handler.name:
            frame.assign(handler.name, NOTHING)
        _nested(frame, handler.body)
    _nested(frame, node.orelse)
    _nested(frame, node.finalbody)


def _with(frame: UnitRun, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        value = evaluate(frame, item.context_expr)
        if item.optional_vars is not None:
            bind(frame, item.optional_vars, value)
    if frame.branch >= MAX_BLOCKS or frame.withs >= MAX_BLOCKS:
        frame.analysis.crowded = True
        return
    frame.withs += 1
    run_block(frame, node.body)
    frame.withs -= 1


def _match(frame: UnitRun, node: ast.Match) -> None:
    subject = evaluate(frame, node.subject)
    for case in node.cases:
        for part in ast.walk(case.pattern):
            name = getattr(part, "name", None)
            if isinstance(name, str):
                frame.branch += 1
                frame.assign(name, subject)
                frame.branch -= 1
        if case.guard is not None:
            evaluate(frame, case.guard)
        _nested(frame, case.body)


def _function(frame: UnitRun, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    define(frame, node, None)


def define(frame: UnitRun, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None) -> PyValue:
    """Bind a function's name; decorators are transparent, defaults flow into parameters."""
    for decorator in node.decorator_list:
        evaluate(frame, decorator)
    unit = function_unit(frame, node, owner)
    defaults: list[tuple[str, ast.expr]] = []
    args = [*node.args.posonlyargs, *node.args.args]
    if node.args.defaults:
        defaults += [
            (a.arg, d) for a, d in zip(args[-len(node.args.defaults) :], node.args.defaults, strict=True)
        ]
    defaults += [
        (a.arg, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None
    ]
    for name, default in defaults:
        value = frame.concrete(evaluate(frame, default))
        if value is not NOTHING and name in unit.parameters:
            index = unit.parameters.index(name)
            new = join(unit.incoming[index], value)
            if new is not unit.incoming[index]:
                unit.incoming[index] = new
                frame.analysis.enqueue(unit)
    is_property = any(
        isinstance(d, ast.Name) and d.id in ("property", "cached_property") for d in node.decorator_list
    )
    value = make(PyValue, (0, (), (unit,), ()))
    if owner is None:
        frame.assign(node.name, value)
    elif is_property:
        owner.names[node.name] = join(
            owner.names.get(node.name, NOTHING),
            PyValue(unit.result.mask & ~PARAMETER_MASK, unit.result.texts, (*unit.result.refs,)),
        )
        unit.callers[frame.unit.serial] = frame.unit
    else:
        owner.names[node.name] = value
    return value


def _class(frame: UnitRun, node: ast.ClassDef) -> None:
    """Run a class body: methods become units, the rest become attributes."""
    cls = class_of(frame, node)
    cls.bases = tuple(evaluate(frame, base) for base in node.bases)
    for decorator in node.decorator_list:
        evaluate(frame, decorator)
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            define(frame, statement, cls)
        elif isinstance(statement, ast.Assign):
            value = evaluate(frame, statement.value)
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    frame.analysis.attribute(cls, target.id, frame.concrete(value))
        elif isinstance(statement, ast.AnnAssign):
            if statement.value is not None and isinstance(statement.target, ast.Name):
                value = evaluate(frame, statement.value)
                frame.analysis.attribute(cls, statement.target.id, frame.concrete(value))
        else:
            _nested(frame, [statement])
    frame.assign(node.name, PyValue(0, (), (cls,)))


def _import(frame: UnitRun, node: ast.Import) -> None:
    for alias in node.names:
        run_written(frame, alias.name, node)
        inside = frame.analysis.modules.find(alias.name, 0, frame.module)
        if inside is not None and inside is not frame.module and (alias.asname or "." not in alias.name):
            frame.assign(alias.asname or alias.name, PyValue(0, (), (inside,)))
        elif alias.asname:
            frame.assign(alias.asname, outside(frame, alias.name, node))
        else:
            top = alias.name.partition(".")[0]
            frame.assign(top, outside(frame, top, node))


def _import_from(frame: UnitRun, node: ast.ImportFrom) -> None:
    modules = frame.analysis.modules
    dotted = node.module or ""
    if dotted:
        run_written(frame, dotted, node)
    inside = modules.find(dotted, node.level, frame.module)
    for alias in node.names:
        if alias.name == "*":
            star = inside if inside is not None else dotted
            if star not in frame.module.stars:  # what stands before it, or runs in a loop, may mean its names
                frame.module.stars.append(star)
                frame.analysis.enqueue(frame.unit)
            continue
        name = alias.asname or alias.name
        submodule = modules.find(f"{dotted}.{alias.name}" if dotted else alias.name, node.level, frame.module)
        if inside is not None and inside is not frame.module:
            inside.scope.readers.setdefault(alias.name, {})[frame.unit.serial] = frame.unit
            held = inside.scope.names.get(alias.name)
            frame.assign(name, held if held is not None else NOTHING)
        elif submodule is not None:
            frame.assign(name, PyValue(0, (), (submodule,)))
        elif node.level == 0:
            frame.assign(name, outside(frame, f"{dotted}.{alias.name}", node))
        else:
            frame.assign(name, NOTHING)


def _global(frame: UnitRun, node: ast.Global) -> None:
    if not frame.unit.is_module:
        frame.globals.update(node.names)


def _nonlocal(frame: UnitRun, node: ast.Nonlocal) -> None:
    frame.nonlocals.update(node.names)


def _evaluate_parts(frame: UnitRun, node: ast.stmt) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Name):
            evaluate(frame, child)


_HANDLERS: dict[type, Callable[[UnitRun, Any], None]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
        ast.Return: _return,
    ast.If: _if, ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.Try: _try, ast.With: _with,
        ast.AsyncWith: _with,
    ast.Match: _match, ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class,
        ast.Import: _import,
    ast.ImportFrom: _import_from, ast.Global: _global, ast.Nonlocal: _nonlocal, ast.Raise: _evaluate_parts,
        ast.Assert: _evaluate_parts,
    ast.TryStar: _try,
}  # fmt: skip

__all__ = ["Module", "calls", "run_block"]
