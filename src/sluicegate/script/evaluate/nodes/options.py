"""What stands behind a value: ``with { … }``, ``using …``, and pipes."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.guards import Bypass, BypassAll, BypassExcept, BypassOnly
from sluicegate.flow.values import asked
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import calls
from sluicegate.script.evaluate.nodes.access import access
from sluicegate.script.evaluate.nodes.commands import CommandOptions, code_with, run_with
from sluicegate.script.evaluate.nodes.environments import child, is_derived
from sluicegate.script.evaluate.nodes.literals import extended
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_OF_COMMANDS: Final = frozenset({"stdin", "guards", "using", "auth"})


def using(run: Run, node: x.UsingExpr, scope: RunScope) -> Value:
    """``value using auth:NAME``, ``value using @x as VARIABLE``"""
    return _carried_out(run, node, scope, CommandOptions())


def with_options(run: Run, node: x.WithExpr, scope: RunScope) -> Value:
    """``value with { … }``: options of a command or a call, or a value with other fields."""
    return _carried_out(run, node, scope, CommandOptions())


def _carried_out(run: Run, node: x.Expression, scope: RunScope, options: CommandOptions) -> Value:
    """A value with the options that stand behind it, from the outermost to the innermost."""
    if isinstance(node, x.UsingExpr):
        return _carried_out(run, node.value, scope, _with_credentials(run, node, scope, options))
    if isinstance(node, x.WithExpr):
        if isinstance(_inner(node), (x.RunExpr, x.CodeExpr, x.AccessExpr)):
            return _carried_out(run, node.value, scope, _with_entries(run, node.options, scope, options))
        if is_derived(node):
            return child(run, node, scope)
        return extended(run, run.evaluate(node.value, scope), node, scope)
    if isinstance(node, x.RunExpr):
        return run_with(run, node, scope, options)
    if isinstance(node, x.CodeExpr):
        return code_with(run, node, scope, options)
    if (
        isinstance(node, x.AccessExpr)
        and isinstance(node.steps[-1], x.CallStep)
        and not _for_commands(options)
    ):
        before = x.AccessExpr(node.start, node.end, node.value, node.steps[:-1])
        callee = access(run, before, scope) if before.steps else run.evaluate(node.value, scope)
        given = calls.arguments(run, node.steps[-1].arguments, scope)
        return calls.call(run, callee, given, bypass=options.bypass)
    raise ScriptError("bad-option", "credentials and input go to a command: `run cmd { … }`, `cmd { … }`",
                      hint="Give them where the command stands, in the body of the function.")  # fmt: skip


def _inner(node: x.Expression) -> x.Expression:
    while isinstance(node, (x.WithExpr, x.UsingExpr)):
        node = node.value
    return node


def _for_commands(options: CommandOptions) -> bool:
    return bool(options.auth or options.using or options.stdin is not None)


def _with_credentials(
    run: Run, node: x.UsingExpr, scope: RunScope, options: CommandOptions
) -> CommandOptions:
    if node.auth:
        return options._replace(auth=(*options.auth, node.auth))
    assert node.secret is not None  # noqa: S101 - the parser makes one of the two
    return options._replace(using={**options.using, node.variable: run.evaluate(node.secret, scope)})


def _with_entries(
    run: Run, entries: x.ObjectExpr, scope: RunScope, options: CommandOptions
) -> CommandOptions:
    """The options of ``{ stdin: @x, guards: false }``. An option that is none is an error."""
    for item in entries.items:
        if not isinstance(item, x.EntryNode) or item.key not in _OF_COMMANDS:
            known = ", ".join(sorted(_OF_COMMANDS))
            raise ScriptError(
                "bad-option", "a command or a call has no such option", hint=f"There are {known}."
            )
        if item.key == "guards":
            options = options._replace(bypass=_bypass(item.value))
        elif item.key == "stdin":
            options = options._replace(stdin=run.evaluate(item.value, scope))
        elif item.key == "auth":
            options = options._replace(auth=(*options.auth, asked(run.evaluate(item.value, scope))))
        else:
            options = _with_variable(run, item.value, scope, options)
    return options


def _with_variable(run: Run, node: x.Expression, scope: RunScope, options: CommandOptions) -> CommandOptions:
    """``using: { var: @x, as: "NAME" }``"""
    entries = {item.key: item.value for item in node.items if isinstance(item, x.EntryNode)} if isinstance(
        node, x.ObjectExpr) else {}  # fmt: skip
    if set(entries) != {"var", "as"}:
        raise ScriptError(
            "bad-option", "`using` has `var` and `as`", hint='Write `using: { var: @x, as: "NAME" }`.'
        )
    name = asked(run.evaluate(entries["as"], scope))
    return options._replace(using={**options.using, str(name): run.evaluate(entries["var"], scope)})


def _bypass(node: x.Expression) -> Bypass:
    """``guards: false``, ``guards: { only: [@g] }``, ``guards: { except: [@g] }``: whether it may is for configuration to say."""
    if isinstance(node, x.LiteralExpr) and node.value is False:
        return BypassAll()
    if isinstance(node, x.ObjectExpr) and len(node.items) == 1:
        (item,) = node.items
        if (
            isinstance(item, x.EntryNode)
            and item.key in ("only", "except")
            and isinstance(item.value, x.ListExpr)
        ):
            names = tuple(each.name for each in item.value.items if isinstance(each, x.NameExpr))
            if len(names) == len(item.value.items):
                return BypassOnly(names) if item.key == "only" else BypassExcept(names)
    raise ScriptError("bad-option", "`guards` is `false`, `{ only: [@g] }` or `{ except: [@g] }`")


def pipe(run: Run, node: x.PipeExpr, scope: RunScope) -> Value:
    """``value | @f | json``: each stage gets what comes out of the one before it, as its first argument."""
    source = node.value
    if isinstance(source, x.RunExpr) and isinstance(source.what, x.NameExpr) and not source.labels:
        source = source.what  # ``run @x | cmd { cat }`` runs the stages
    value = run.evaluate(source, scope)
    for stage in node.stages:
        value = _piped(run, stage, value, scope)
    return value


def _piped(run: Run, stage: x.Expression, value: Value, scope: RunScope) -> Value:
    if isinstance(stage, (x.RunExpr, x.CodeExpr)):
        inner = CommandOptions(stdin=value)
        return (
            run_with(run, stage, scope, inner)
            if isinstance(stage, x.RunExpr)
            else code_with(run, stage, scope, inner)
        )
    given: tuple[Value, ...] = ()
    callee = stage
    if isinstance(stage, x.AccessExpr) and isinstance(stage.steps[-1], x.CallStep):
        given = calls.arguments(run, stage.steps[-1].arguments, scope)
        before = x.AccessExpr(stage.start, stage.end, stage.value, stage.steps[:-1])
        callee = before if before.steps else stage.value
    if isinstance(callee, x.WordExpr):
        callee = x.NameExpr(callee.start, callee.end, callee.word)
    return calls.call(run, run.evaluate(callee, scope), (value, *given))
