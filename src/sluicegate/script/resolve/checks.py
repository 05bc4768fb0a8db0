"""What can be said of one guard, one row of arms, one object without knowing what is around it."""

from __future__ import annotations

from difflib import get_close_matches

from sluicegate.flow.operations.operation import OperationKind
from sluicegate.script.diagnostics import WARNING, Diagnostic
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax

_OF_MLLD = ("run", "exe", "var", "import", "named", "tool")
"""Kinds of operation that mlld's guards name and that are none here; they stand for several."""
KINDS = (*(kind.value for kind in OperationKind), *_OF_MLLD)


def arms_checked(arms: tuple[x.ArmNode, ...], found: list[Diagnostic]) -> None:
    """No arm is reached after one that always matches."""
    for number, arm in enumerate(arms[:-1]):
        if isinstance(arm.condition, x.AnyExpr):
            after = arms[number + 1]
            found.append(
                Diagnostic("unreachable", "this arm is never reached: `*` before it matches everything", after.start, after.end,
                           suggestion="Put `*` last.", severity=WARNING)
            )  # fmt: skip
            return


def guard_checked(guard: s.GuardStatement, found: list[Diagnostic]) -> None:
    """A guard can fire, and says what happens when no arm matches."""
    kind, _, rest = guard.filter.partition(":")
    if kind == "op":
        name = rest.partition(":")[0]
        if name not in KINDS:
            close = get_close_matches(name, KINDS, 1)
            found.append(
                Diagnostic("never-fires", f"this guard never fires: there is no operation `op:{name}`", guard.start, guard.end,
                           suggestion=f"Did you mean `op:{close[0]}`?" if close else "", severity=WARNING)
            )  # fmt: skip
    if not any(isinstance(arm.condition, x.AnyExpr) for arm in guard.arms):
        found.append(
            Diagnostic("no-default", "where no arm matches, this guard allows", guard.start, guard.end,
                       suggestion="End with `* => allow` or `* => deny \"…\"`.", severity=WARNING)
        )  # fmt: skip


def keys_checked(node: x.ObjectExpr, found: list[Diagnostic]) -> None:
    """Each key of an object stands there once."""
    seen: set[str] = set()
    for item in node.items:
        if isinstance(item, x.EntryNode):
            if item.key in seen:
                found.append(
                    Diagnostic(
                        "duplicate-key",
                        f"`{item.key}` stands here twice",
                        item.start,
                        item.end,
                        severity=WARNING,
                    )
                )
            seen.add(item.key)


def tiers_checked(tree: s.ScriptTree, found: list[Diagnostic]) -> None:
    """``@mx.profile`` is compared with names of profiles."""
    tiers = [
        item.key
        for each in tree.statements
        if isinstance(each, s.ProfilesStatement)
        for item in each.tiers.items
        if isinstance(item, x.EntryNode)
    ]
    if not tiers:
        return
    for node in _comparisons(tree):
        told = node.operands[1]
        if (
            isinstance(told, x.TemplateExpr)
            and told.parts
            and isinstance(told.parts[0], str)
            and told.parts[0] not in tiers
        ):
            close = get_close_matches(told.parts[0], tiers, 1)
            found.append(
                Diagnostic("unknown-tier", "no profile has this name", told.start, told.end, "one of: " + ", ".join(tiers),
                           f"Did you mean `{close[0]}`?" if close else "", WARNING)
            )  # fmt: skip


def _comparisons(tree: s.ScriptTree) -> list[x.BinaryExpr]:
    """Every ``@mx.profile == …``."""
    found: list[x.BinaryExpr] = []
    waiting: list[object] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += node
        elif isinstance(node, Syntax):
            if isinstance(node, x.BinaryExpr) and node.operators == ("==",) and _is_profile(node.operands[0]):
                found.append(node)
            waiting += [getattr(node, name) for name in node.__struct_fields__[2:]]
    return found


def _is_profile(node: x.Expression) -> bool:
    return (
        isinstance(node, x.AccessExpr)
        and isinstance(node.value, x.NameExpr)
        and node.value.name == "mx"
        and [step.name for step in node.steps if isinstance(step, x.FieldStep)] == ["profile"]
    )
