"""Names, and steps from a value: fields, indexes, calls."""

from __future__ import annotations

from typing import Any, Final

from sluicegate.flow.values import Labeled, asked, labels_of, model, pc, structure
from sluicegate.flow.values.contents import Failure
from sluicegate.script.evaluate.callables import SpecialValue, Transformer
from sluicegate.script.evaluate.contents.methods import METHODS, method
from sluicegate.script.evaluate.contents.texts import kind_of, parsed
from sluicegate.script.evaluate.contents.transformers import TRANSFORMERS
from sluicegate.script.evaluate.control import apply, settled, within
from sluicegate.script.evaluate.environments.links import EnvironmentValue
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import calls, mx
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_FACTS: Final = "mx"
_QUANTIFIERS: Final = ("any", "all")


def name(run: Run, node: x.NameExpr, scope: RunScope) -> Value:
    """``@x``"""
    return _named(run, node.name, scope)


def _named(run: Run, called: str, scope: RunScope) -> Value:
    found = scope.find(called)
    if found is not None:
        return found
    given = run.given.get(called)
    if given is not None:
        return given()
    if called == _FACTS:
        return mx.of_run(run)
    if called in TRANSFORMERS:
        return Labeled(Transformer(called))
    raise ScriptError("used-early", f"`@{called}` has no value yet", hint="Give it one further up.")


def access(run: Run, node: x.AccessExpr, scope: RunScope) -> Value:
    """A value, and the steps from it."""
    steps, at = node.steps, 0
    if isinstance(node.value, x.NameExpr) and node.value.name == _FACTS and isinstance(steps[0], x.FieldStep):
        value, at = mx.of_run(run, steps[0].name), 1
    elif isinstance(node.value, x.WordExpr):
        value = _named(run, node.value.word, scope)
    else:
        value = run.evaluate(node.value, scope)
    if isinstance(node.value, x.NameExpr) and node.value.name == "now" and isinstance(steps[0], x.CallStep):
        at = 1  # ``@now()`` is ``@now``
    while at < len(steps):
        step = steps[at]
        following = steps[at + 1] if at + 1 < len(steps) else None
        if isinstance(step, x.CallStep):
            value = calls.call(run, value, calls.arguments(run, step.arguments, scope))
        elif isinstance(step, x.IndexStep):
            value = indexed(run, value, run.evaluate(step.index, scope))
        elif isinstance(following, x.CallStep):
            value = _called(run, value, step, following, scope)
            at += 1
        else:
            value = field(run, value, step.name, optional=step.optional)
        at += 1
    return value


def _called(run: Run, value: Value, step: x.FieldStep, call: x.CallStep, scope: RunScope) -> Value:
    """``.name(arguments)``: a function that stands in a field, or a method."""
    given = calls.arguments(run, call.arguments, scope)
    if structure(value) <= pc():
        if step.optional and model(value) is type(None):
            return value
        if model(value) is dict and step.name in value:
            found = field(run, value, step.name, optional=False)
            if found.labels <= pc() and isinstance(asked(found), SpecialValue):
                return calls.call(run, found, given)
    return method(run, step.name, value, given)


def field(run: Run, value: Value, called: str, *, optional: bool) -> Value:
    """``.name``"""
    if called == _FACTS:
        return mx.of_value(run, value)
    if run.guarding and called in _QUANTIFIERS:
        return mx.quantified(run, value, called)
    if structure(value) <= pc() and model(value) is dict:
        return _part(value, called)
    return apply(run, lambda content: _field_of(content, called, optional), value)


def _field_of(content: Any, called: str, optional: bool) -> Any:
    """The field of a content; of a text that is JSON, that of what it says."""
    if content is None and optional:
        return None
    if called == "length" and isinstance(content, (str, list)):
        return len(content)
    if isinstance(content, str):
        content = parsed(content)
    elif isinstance(content, EnvironmentValue):
        content = content.said
    if not isinstance(content, dict):
        known = ", ".join(sorted(METHODS)) if called in METHODS else ""
        hint = f"`.{called}` is a method: `.{called}(…)`." if known else ""
        raise ScriptError("no-such-field", f"{kind_of(content)} has no field `{called}`", hint=hint)
    return content.get(called)


def _part(value: Value, key: object) -> Value:
    """The part under a key that is known; null where there is none, with the labels of the shape."""
    found = value[key]
    if structure(found) <= pc() and model(found) is Failure:
        return Labeled(None, structure(value), value.trail)
    return found


def indexed(run: Run, value: Value, index: Value) -> Value:
    """``[i]``: a part by its place or its key; which one it is tells of the index."""
    if structure(value) <= pc() and index.labels <= pc() and model(value) in (list, dict):
        return _part(value, _key(model(value), asked(index)))
    return apply(run, _looked_up, value, index)


def _looked_up(content: Any, index: Any) -> Any:
    if isinstance(content, str) and isinstance(index, str):
        content = parsed(content)
    if not isinstance(content, (list, dict, str)):
        raise ScriptError("no-such-field", f"{kind_of(content)} has no parts")
    key = _key(type(content), index)
    if isinstance(content, dict):
        return content.get(key)
    return content[key] if -len(content) <= key < len(content) else None


def _key(kind: object, index: Any) -> Any:
    """What a container of a kind is asked for. Raises ScriptError."""
    if kind is dict:
        if isinstance(index, str):
            return index
        raise ScriptError("wrong-type", f"the key of an object is text, not {kind_of(index)}")
    if isinstance(index, bool) or not isinstance(index, int):
        raise ScriptError("wrong-type", f"a place is a whole number, not {kind_of(index)}")
    return index


def new(run: Run, node: x.NewExpr, scope: RunScope) -> Value:
    """``new @f(a)``: a function with its first arguments; ``new @environment(a)``: a child of it, of which ``a`` says what it has;
    without a call, the value itself, to be derived from."""
    inner = node.value
    if not isinstance(inner, x.AccessExpr) or not isinstance(inner.steps[-1], x.CallStep):
        return run.evaluate(inner, scope)
    before = x.AccessExpr(inner.start, inner.end, inner.value, inner.steps[:-1])
    callee = run.evaluate(before if before.steps else inner.value, scope)
    given = calls.arguments(run, inner.steps[-1].arguments, scope)

    def made() -> Value:
        content = asked(callee)
        if isinstance(content, (dict, EnvironmentValue)):
            return _child(run, callee, given)
        return Labeled(calls.partial_of(asked(callee), given), labels_of(given))

    return settled(run, within(run, callee.labels, made))


def _child(run: Run, parent: Value, given: tuple[Value, ...]) -> Value:
    if len(given) != 1:
        raise ScriptError("bad-argument", "a child of an environment says what it has in one object")
    from sluicegate.script.evaluate.environments.values import derived

    return derived(run, parent, given[0])
