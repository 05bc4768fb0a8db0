"""Calls: into the bundle with summaries, out of it with models; and storing into containers and objects."""

from __future__ import annotations

import ast

from sluicegate.known.names import secret
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall, element, element_refs, unpacked
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models import tables as models
from sluicegate.vet.inspect.analyzers.pyflow.names import canonical, class_member, outside
from sluicegate.vet.inspect.analyzers.pyflow.program import BoundMethod, Class, Instance, Module, PyUnit
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PyValue,
    SourceKind,
    bounded_parts,
    join,
    tainted,
)

__all__ = [
    "EvaluatedCall", "called", "comparison", "element", "element_refs", "environment", "invoke", "modelled", "named_global", "steer",
    "store_attribute", "store_element",
    "unpacked",
]  # fmt: skip

CALLBACKS = frozenset(
    {"threading.Thread", "multiprocessing.Process", "threading.Timer", "asyncio.run", "asyncio.create_task",
        "map", "filter",
     "functools.partial", "atexit.register", "asyncio.to_thread", "signal.signal", "sorted",
     "functools.reduce", "_thread.start_new_thread",
     "asyncio.run_coroutine_threadsafe", "asyncio.ensure_future", "asyncio.gather", "staticmethod",
     "classmethod", "property"}
)  # fmt: skip
CALLBACK_METHODS = frozenset(
    {"submit", "map", "apply", "apply_async", "imap", "imap_unordered", "starmap", "run_in_executor",
        "call_soon", "call_later",
     "add_done_callback", "run", "run_until_complete", "run_sync", "start_soon", "create_task", "add_task",
     "add_job", "schedule", "do"}
)  # fmt: skip
MAX_COMPARED = 64
"""Calls of one function whose results are kept, to tell which of its callers have to run again."""


def modelled(name: str) -> bool:
    """Whether there is a model of an outside name, so that a star import is likely to mean it."""
    known = canonical(name)
    return known in models.TABLE or known in ("os.environ", "sys.argv", "sys.stdin")


def called(frame: UnitRun, call: EvaluatedCall) -> PyValue:
    """The result of a call: as ``invoke``, straight to the end for a callee that is no more than one name, or none.

    That is what most calls are: of something without a model, or of one that ignores what it is given.
    """
    refs = call.callee.refs
    if call.name not in CALLBACK_METHODS and "target" not in call.keywords:
        found: models.Model | None
        if not refs:
            found = models.METHODS.get(call.name) if type(call.node.func) is ast.Attribute else None
            if found is None:
                return tainted(call.mask | call.receiver.mask | call.callee.mask)
            return found(frame, call, call.name)
        ref = refs[0]
        if type(ref) is str and len(refs) == 1 and ref not in CALLBACKS:
            known, found = models.resolve(ref)
            if found is None:
                return models.made(call.mask | call.receiver.mask, known)
            return found(frame, call, known) if found is not models.nothing else NOTHING
    return invoke(frame, call)


def invoke(frame: UnitRun, call: EvaluatedCall) -> PyValue:
    """The result of a call; every thing that the callee may be is tried, and the results joined."""
    refs = call.callee.refs
    calls_back = call.name in CALLBACK_METHODS or "target" in call.keywords
    if not refs:
        value = models.method(frame, call)
        return _with_callbacks(frame, call, value) if calls_back else value
    result: PyValue | None = None
    for ref in refs:
        if isinstance(ref, str):
            value = models.external(frame, call, ref)
            if calls_back or ref in CALLBACKS:
                value = _with_callbacks(frame, call, value, ref)
        else:
            found = _inside(frame, ref, call)
            value = found if found is not None else models.method(frame, call)
        result = value if result is None else join(result, value)
    return result if result is not None else NOTHING


def _inside(frame: UnitRun, ref: object, call: EvaluatedCall) -> PyValue | None:
    if isinstance(ref, PyUnit):
        return call_unit(frame, ref, None, call)
    if isinstance(ref, BoundMethod):
        return call_unit(frame, ref.unit, ref.receiver, call)
    if isinstance(ref, Class):
        return _construct(frame, ref, call)
    if isinstance(ref, Instance):
        member = class_member(frame, ref.cls, "__call__", call.callee)
        if member is not None:
            for inner in member.refs:
                if isinstance(inner, BoundMethod):
                    return call_unit(frame, inner.unit, inner.receiver, call)
    return None


def _with_callbacks(frame: UnitRun, call: EvaluatedCall, result: PyValue, name: str = "") -> PyValue:
    """Functions of the bundle that are handed to something that will call them."""
    candidates = [
        *call.args[:2],
        *[call.keywords[k] for k in ("target", "func", "function", "callback") if k in call.keywords],
    ]
    for position, value in enumerate(candidates):
        for ref in value.refs:
            if isinstance(ref, PyUnit | BoundMethod):
                rest = _callback_arguments(call, position, name or call.name)
                inner = EvaluatedCall(
                    call.node, call.name, value, NOTHING, rest, {}, PyValue(call.spread.mask)
                )
                given = _inside(frame, ref, inner)
                if given is not None:
                    result = join(result, given)
            elif isinstance(ref, str) and position == 0 and name != ref:
                rest = _callback_arguments(call, position, name or call.name)
                inner = EvaluatedCall(
                    call.node, ref.rpartition(".")[2], PyValue(0, (), (ref,)), NOTHING, rest, {}, NOTHING
                )
                result = join(result, models.external(frame, inner, ref))
    return result


def _callback_arguments(call: EvaluatedCall, position: int, name: str) -> list[PyValue]:
    given = call.keywords.get("args")
    if given is not None:
        return [part for _, part in given.parts] or [given]
    rest = call.args[position + 1 :]
    if name in ("map", "filter", "imap", "imap_unordered", "sorted", "starmap"):
        return [models.item_of(value) for value in rest]
    if name in ("threading.Timer", "apply", "apply_async", "_thread.start_new_thread"):
        return [part for value in rest for _, part in value.parts] or rest
    return rest


def call_unit(frame: UnitRun, unit: PyUnit, receiver: PyValue | None, call: EvaluatedCall) -> PyValue:
    """Pass arguments to a function of the bundle, and take its summary for the result."""
    analysis = frame.analysis
    bound = _arguments(unit, receiver, call)
    grown = False
    for index, value in enumerate(bound):
        if value == NOTHING:
            continue
        old = unit.incoming[index]
        new = join(old, frame.concrete(value))
        if new is not old:
            unit.incoming[index] = new
            bare = new.texts is old.texts and new.refs is old.refs and new.parts is old.parts
            grown = grown or not bare or bool(unit.consulted >> index & 1)
    guard = frame.concrete_mask(frame.guard)
    if guard & ~unit.guard:
        unit.guard |= guard
        grown = True
    if grown:
        analysis.enqueue(unit)
    masks = tuple([value.mask for value in bound])
    given = unit.given(masks)
    if call.node is not frame.dropped:  # when nobody takes the result, it may grow without a new run
        if given.parts or len(unit.calls) >= MAX_COMPARED:
            unit.callers[frame.unit.serial] = frame.unit
        else:
            unit.calls[id(call.node), frame.unit.serial, masks] = frame.unit, given
    return given


def _arguments(unit: PyUnit, receiver: PyValue | None, call: EvaluatedCall) -> list[PyValue]:
    names = unit.parameters
    bound = [NOTHING] * len(names)
    given = [receiver, *call.args] if receiver is not None else call.args
    positional = min(unit.keyword_only, len(names))
    for index, value in enumerate(given):
        if index < positional:
            bound[index] = value
        elif unit.star >= 0:
            held = bound[unit.star]
            bound[unit.star] = PyValue(
                held.mask | value.mask, (), (), bounded_parts([*held.parts, ("", value)])
            )
    for name, value in call.keywords.items():
        if name in names:
            bound[names.index(name)] = value
        elif unit.double_star >= 0:
            held = bound[unit.double_star]
            bound[unit.double_star] = PyValue(
                held.mask | value.mask, (), (), bounded_parts([*held.parts, (name, value)])
            )
    if call.spread.mask:
        rest = tainted(call.spread.mask)
        first = 1 if receiver is not None else 0
        bound = [join(v, rest) if i >= first else v for i, v in enumerate(bound)]
    return bound


def _construct(frame: UnitRun, cls: Class, call: EvaluatedCall) -> PyValue:
    """An instance; its constructor is called, and a dataclass takes its fields."""
    instance = cls.instance
    made = instance._replace(mask=call.mask) if call.mask else instance
    member = class_member(frame, cls, "__init__", instance)
    called = False
    for ref in member.refs if member is not None else ():
        if isinstance(ref, BoundMethod):
            call_unit(frame, ref.unit, instance, call)
            called = True
    if not called:
        for name, value in zip(cls.fields, call.args, strict=False):
            frame.analysis.attribute(cls, name, frame.concrete(value))
        for name, value in call.keywords.items():
            frame.analysis.attribute(cls, name, frame.concrete(value))
        for base in cls.outside():
            models.external(frame, call, base)
    return made


def store_attribute(frame: UnitRun, base: PyValue, target: ast.Attribute, value: PyValue) -> None:
    """``base.attr = value``."""
    known = False
    for ref in base.refs:
        if isinstance(ref, Instance | Class):
            cls = ref.cls if isinstance(ref, Instance) else ref
            frame.analysis.attribute(cls, target.attr, frame.concrete(value))
            known = True
        elif isinstance(ref, Module):
            frame.analysis.publish(ref.scope, target.attr, frame.concrete(value))
            known = True
    if not known and value.mask:
        models.absorb(frame, target.value, "", PyValue(value.mask))


def store_element(frame: UnitRun, base: PyValue, key: PyValue, target: ast.Subscript, value: PyValue) -> None:
    """``base[key] = value``."""
    if "globals()" in base.refs:
        for text in key.texts:
            frame.analysis.publish(frame.module.scope, text, frame.concrete(value))
        return
    if "os.environ" in base.refs:
        for name in key.texts:
            steer(frame, name, value, target)
        return
    name = key.texts[0] if key.texts else "*"
    models.absorb(frame, target.value, name or "*", value._replace(mask=value.mask | key.mask))


def steer(frame: UnitRun, name: str, value: PyValue, node: ast.AST) -> None:
    """A variable that steers other programs is set for those that this one starts, as ``export`` does it."""
    if not name.isidentifier():
        return
    from sluicegate.known.steering import steers  # few programs set a variable for others

    if steers(name) is None:
        return
    import shlex

    lines = tuple([f"export {name}={shlex.quote(text)}" for text in value.texts if "*" not in text])
    if lines:
        frame.hit(SinkKind.SHELL, f"os.environ[{name}]", node, {"command": PyValue(0, lines)}, "constant")


def environment(frame: UnitRun, key: PyValue, node: ast.AST) -> PyValue:
    """One variable of the environment: a secret, a well-known folder, or nothing of note."""
    value = NOTHING
    if not key.texts:
        frame.can(capabilities.env("*"), node)
        return PyValue(frame.site(SourceKind.ENV_SECRET, "os.environ[*]", node)) if key.mask else NOTHING
    for name in key.texts:
        frame.can(capabilities.env(name), node)
        folder = models.FOLDER_VARIABLES.get(name.upper())
        if folder is not None:
            value = join(value, PyValue(0, (folder,)))
        elif secret(name):
            value = join(value, PyValue(frame.site(SourceKind.ENV_SECRET, name, node)))
        if frame.analysis.listening:
            value = join(value, PyValue(frame.site(SourceKind.INPUT, "$" + name, node)))
    return value


def named_global(frame: UnitRun, key: PyValue, node: ast.AST) -> PyValue:
    """``globals()["name"]``."""
    value = NOTHING
    for text in key.texts:
        found = frame.lookup(text)
        if found is None:
            known = "builtins" if text == "__builtins__" else text
            found = outside(frame, known, node)
            models.note_disguise(frame, known, node)
        value = join(value, found)
    return value


def comparison(frame: UnitRun, node: ast.Compare, operands: list[PyValue]) -> PyValue:
    """What a comparison asks about: the date, this machine, or whether someone is watching."""
    mask = 0
    texts: list[str] = []
    for value in operands:
        mask |= value.mask
        texts += value.texts
        for _, part in value.parts:
            texts += part.texts
    if not mask and not texts:
        return NOTHING
    sites = frame.analysis.sites
    found = mask & (
        sites.masks[SourceKind.GUARD_DATE]
        | sites.masks[SourceKind.GUARD_HOST]
        | sites.masks[SourceKind.GUARD_ANALYSIS]
    )
    if texts and models.SANDBOX.search(" ".join(texts).lower()):
        found |= frame.site(SourceKind.GUARD_ANALYSIS, "check for a sandbox or virtual machine", node)
    if not mask:
        return tainted(found)
    real = frame.concrete_mask(mask)
    if (real & sites.masks[SourceKind.TIME] and any("fixed-date" in v.refs for v in operands)) or (
        real & sites.masks[SourceKind.TIME]
        and any(
            isinstance(c, ast.Constant) and isinstance(c.value, int | float) and c.value > 1_000_000_000
            for c in (node.left, *node.comparators)
        )
    ):
        found |= frame.site(SourceKind.GUARD_DATE, "comparison with a fixed date", node)
    if real & sites.masks[SourceKind.HOST_ID] and any(t and "*" not in t for t in texts):
        found |= frame.site(SourceKind.GUARD_HOST, "comparison with a fixed machine or user", node)
    return tainted(found)
