"""Guards that a script declares, as guards of ``flow``.

An arm is a rule. Its condition and its action are evaluated together, when the condition is asked: what the action decides by is
then among the labels of the decision, as the condition is. An action that fails, or decides nothing, denies, as every guard
does that cannot decide.

What a guard says of itself (``privileged``) grants nothing: configuration does, by the path of the script.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow.guards import (
    Action,
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    Filter,
    Guard,
    GuardContext,
    GuardRule,
    RemoveLabels,
    Retry,
    Timing,
)
from sluicegate.flow.labels import covers, head
from sluicegate.flow.values import Labeled, asked, branch
from sluicegate.script.evaluate.callables import DecidedAction
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, truth
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import relabelling
from sluicegate.script.evaluate.outcome import Outcome, Returned
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run

_TIMINGS: Final = {
    "before": Timing.BEFORE,
    "for": Timing.BEFORE,
    "after": Timing.AFTER,
    "always": Timing.ALWAYS,
}
_RUN: Final = frozenset({"cmd", "sh", "py", "node", "js", "prose"})
_CALL: Final = frozenset({"call", "mcp"})
_SUBJECTS: Final = ("input", "output")


def guard(run: Run, node: s.GuardStatement) -> Guard:
    """The guard that a script declares. Raises GuardError for a filter that could never match."""
    written = node.filter
    return Guard(
        name=node.name or f"guard_{run.number}_line_{run.source.place(node.start).line}",
        timing=_TIMINGS[node.timing],
        filter=Filter.of(f"fn:{written[1:]}" if written.startswith("@") else written),
        rules=tuple(_rule(run, arm) for arm in node.arms),
        privileged=node.privileged or node.options is not None,
    )


def _rule(run: Run, arm: x.ArmNode) -> GuardRule:
    """One arm: the condition decides, and with it the action."""
    decided: list[Action] = []

    def holds(context: GuardContext) -> Labeled[bool]:
        decided.clear()
        before = run.context, run.denied
        run.context, run.denied = _facts(run, context), context.denial is not None
        try:
            scope = _scope(run, context)
            condition = _condition(run, arm.condition, scope, context)
            run.conditions.asked(condition.labels)
            with branch(condition.labels):
                if not truth(condition):
                    return condition
                made = run.act(arm.action, scope)
                with branch(made.labels):
                    decided.append(_action_of(asked(made)))
                    return Labeled(True, made.labels)
        finally:
            run.context, run.denied = before

    return GuardRule(when=holds, then=lambda context: decided[-1])


def _action_of(content: Any) -> Action:
    if not isinstance(content, DecidedAction):
        raise ScriptError(
            "misplaced", "an arm of a guard decides nothing", hint="End it with `allow`, `deny` or `retry`."
        )
    return content.action


def _scope(run: Run, context: GuardContext) -> RunScope:
    """What a guard sees: what goes in, or what came out."""
    scope = RunScope(run.scope, function=True, guard=True)
    values = list(context.values)
    scope.values["input"] = values[0] if len(values) == 1 else _of_place(context, values)
    if context.output is not None:
        scope.values["output"] = context.output
    else:
        scope.values["output"] = Labeled(None)
    return scope


def _of_place(context: GuardContext, values: list[Labeled[object]]) -> Value:
    return Labeled(values) if context.place is None else values[context.place]


def _condition(run: Run, node: x.Expression, scope: RunScope, context: GuardContext) -> Labeled[bool]:
    """A condition; a bare word is a label that the operation or the data has."""
    if isinstance(node, x.WordExpr) and node.word != "denied":
        return Labeled(has_label(context, node.word))
    if isinstance(node, x.UnaryExpr) and node.operator == "!":
        return apply(run, operator.not_, _condition(run, node.value, scope, context))
    if isinstance(node, x.BinaryExpr) and set(node.operators) <= {"&&", "||"}:
        return _connected(run, node, scope, context)
    return apply(run, bool, run.evaluate(node, scope))


def _connected(run: Run, node: x.BinaryExpr, scope: RunScope, context: GuardContext) -> Labeled[bool]:
    """``a && b``, ``a || b``: asked one after the other, up to the one that decides."""
    value = _condition(run, node.operands[0], scope, context)
    for sign, operand in zip(node.operators, node.operands[1:], strict=True):
        run.conditions.asked(value.labels)
        with branch(value.labels):
            if truth(value) == (sign == "&&"):
                value = Labeled(_condition(run, operand, scope, context))
    return value


def has_label(context: GuardContext, word: str) -> bool:
    """Whether the operation that a guard is asked about, or the data in it, has a label."""
    return any(covers(word, label) for label in context.operation.labels) or context.has(word)


def _facts(run: Run, context: GuardContext) -> dict[str, Value]:
    """What ``@mx`` says in a guard, besides what it says everywhere."""
    view = context.operation
    kind = "run" if view.kind in _RUN else "exe" if view.kind in _CALL else view.kind
    taint = context.taint
    denial = context.denial
    facts: dict[str, object] = {
        "type": kind,
        "subtype": view.kind,
        "name": view.function or view.name,
        "labels": list(view.labels),
        "command": view.command if view.command is not None else Labeled(""),
        "args": list(view.arguments),
    }
    tools = context.tools
    return {
        **run.context,
        "op": Labeled(facts),
        "labels": Labeled([name for name in taint.names() if head(name) not in ("src", "dir")]),
        "taint": Labeled(list(taint.names())),
        "tools": Labeled(
            {
                "calls": list(tools.calls),
                "allowed": None if tools.allowed is None else list(tools.allowed),
                "denied": list(tools.denied),
            }
        ),
        "guard": Labeled(
            {
                "try": context.attempt + 1,
                "reason": denial.reason if denial is not None else "",
                "code": str(denial.code) if denial is not None else "",
            }
        ),
    }


# Actions.


def decided(run: Run, node: s.ActionStatement, scope: RunScope) -> Outcome:
    """``allow``, ``deny``, ``retry``, ``pass``"""
    return Returned(Labeled(DecidedAction(_ACTIONS[node.action](run, node, scope))))


def relabel(run: Run, node: s.RelabelNode, scope: RunScope) -> Value:
    """``pii @x``: in an arm of a guard a decision, elsewhere the value with more labels."""
    if scope.of_function().guard:
        return Labeled(DecidedAction(_relabelled(run, node, scope)))
    return relabelling.relabel(run, node, scope)


def _allow(run: Run, node: s.ActionStatement, scope: RunScope) -> Action:
    if node.options is not None:
        return _label_options(run, node.options, scope)
    if node.value is None:
        return Allow()
    if isinstance(node.value, s.RelabelNode):
        return _relabelled(run, node.value, scope)
    return AllowWith(run.evaluate(node.value, scope))


def _deny(run: Run, node: s.ActionStatement, scope: RunScope) -> Action:
    """``deny "reason"``, ``deny { reason, code, suggestion }``"""
    value = node.value
    if value is None or isinstance(value, s.RelabelNode):
        return Deny(reason="A guard of the script denies it")
    if not isinstance(value, x.ObjectExpr):
        return Deny(reason=_words(run, run.evaluate(value, scope)))
    fields = {item.key: item.value for item in value.items if isinstance(item, x.EntryNode)}
    if "reason" not in fields or not set(fields) <= {"reason", "code", "suggestion"}:
        raise ScriptError("bad-option", "`deny { … }` has `reason`, `code` and `suggestion`")
    words = {name: _words(run, run.evaluate(each, scope)) for name, each in fields.items()}
    plain = {name: each for name, each in words.items() if isinstance(each, str) and name != "reason"}
    return Deny(reason=words["reason"], code=plain.get("code", ""), suggestion=plain.get("suggestion", ""))


def _words(run: Run, value: Value) -> str | Labeled[str]:
    """Words of a guard: plain where they have no labels."""
    text: Labeled[str] = apply(run, text_of, value)
    return asked(text) if not text.labels else text


def _retry(run: Run, node: s.ActionStatement, scope: RunScope) -> Action:
    if node.value is None or isinstance(node.value, s.RelabelNode):
        return Retry("Try again with other input")
    return Retry(_words(run, run.evaluate(node.value, scope)))


def _pass(run: Run, node: s.ActionStatement, scope: RunScope) -> Action:
    return Allow()


_ACTIONS: Final[dict[str, Callable[[Run, s.ActionStatement, RunScope], Action]]] = {
    "allow": _allow,
    "deny": _deny,
    "retry": _retry,
    "pass": _pass,
}


def _label_options(run: Run, node: x.ObjectExpr, scope: RunScope) -> Action:
    """``allow with { addLabels: [ … ] }`` or ``removeLabels``."""
    if len(node.items) == 1 and isinstance(node.items[0], x.EntryNode):
        entry = node.items[0]
        names = tuple(str(each) for each in asked(run.evaluate(entry.value, scope)))
        if entry.key == "addLabels":
            return AddLabels(names=names)
        if entry.key == "removeLabels":
            return RemoveLabels(names=names)
    raise ScriptError("bad-option", "`allow with { … }` has one of `addLabels` and `removeLabels`")


def _relabelled(run: Run, node: s.RelabelNode, scope: RunScope) -> Action:
    """``trusted! @output``, ``!pii @input``, ``clear! @input``, ``destructive @input``: one change of what the guard is asked
    about, which the guard may make if it has the privilege; or another value in its place, with more labels."""
    signs = {change.mark for change in node.changes}
    names = tuple(change.label for change in node.changes)
    if not (isinstance(node.value, x.NameExpr) and node.value.name in _SUBJECTS):
        if signs != {""}:
            raise ScriptError(
                "misplaced", "labels are taken away from what the guard is asked about: `@input` or `@output`"
            )
        return AllowWith(relabelling.labelled(run, run.evaluate(node.value, scope), names))
    if signs == {""}:
        return AddLabels(names=names)
    if signs == {"-"}:
        return RemoveLabels(names=names)
    if names == ("trusted",):
        return Bless()
    if names == ("clear",):
        return ClearLabels()
    raise ScriptError(
        "misplaced", "an arm of a guard makes one kind of change", hint="Write another guard for the other."
    )
