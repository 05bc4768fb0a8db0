"""From definitions in the text to units and classes; each node gives one, however often it is run."""

from __future__ import annotations

import ast

from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.program import (
    Class,
    Instance,
    PyScope,
    PyUnit,
    parameters_of,
)
from sluicegate.vet.inspect.analyzers.pyflow.values import PyValue

MAX_UNITS = 6_000


def _open_scope(frame: UnitRun) -> PyScope:
    """The scope that a nested function sees: of the module, or of this function from now on."""
    unit = frame.unit
    if unit.is_module:
        return unit.module.scope
    if unit.closed is None:
        unit.closed = PyScope(unit.parent)
        for name, value in frame.env.items():
            frame.analysis.publish(unit.closed, name, frame.concrete(value))
    return unit.closed


def _unit(
    frame: UnitRun, node: ast.AST, name: str, body: list[ast.stmt], args: ast.arguments
) -> tuple[PyUnit, bool]:
    analysis = frame.analysis
    key = (frame.view, id(node))
    unit = analysis.units.get(key)
    if unit is not None:
        return unit, False
    unit = PyUnit(
        name, body, parameters_of(args),
        serial=analysis.next_serial(), module=frame.module, parent=_open_scope(frame), view=frame.view,
    )  # fmt: skip
    if len(analysis.units) < MAX_UNITS:
        analysis.units[key] = unit
        analysis.enqueue(unit)
    else:
        analysis.crowded = True
    return unit, True


def function_unit(
    frame: UnitRun, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None
) -> PyUnit:
    """The unit of a function or method."""
    unit, new = _unit(frame, node, node.name, node.body, node.args)
    if new and owner is not None:
        unit.owner = owner
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        unit.static = "staticmethod" in decorators
        if unit.parameters and not unit.static:
            unit.incoming[0] = PyValue(0, (), (owner,)) if "classmethod" in decorators else owner.instance
    return unit


def lambda_unit(frame: UnitRun, node: ast.Lambda) -> PyUnit:
    """The unit of a lambda."""
    unit, new = _unit(frame, node, "<lambda>", [], node.args)
    if new:
        unit.lambda_body = node.body
    return unit


def class_of(frame: UnitRun, node: ast.ClassDef) -> Class:
    """The class of a definition."""
    cls = frame.analysis.classes.get(id(node))
    if cls is None:
        fields = tuple(
            s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        )
        cls = Class(node.name, fields)
        cls.instance = PyValue(0, (), (Instance(cls),))
        frame.analysis.classes[id(node)] = cls
    return cls
