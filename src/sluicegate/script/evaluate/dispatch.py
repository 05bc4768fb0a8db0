"""Which handler a node has. A node without one is a mistake of ours, and is found when this is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from sluicegate.script.evaluate import guards
from sluicegate.script.evaluate.nodes import (
    access,
    blocks,
    commands,
    conditions,
    effects,
    environments,
    files,
    literals,
    loops,
    operators,
    options,
    signatures,
    statements,
)
from sluicegate.script.evaluate.run import Evaluate, Execute
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax

_VALUES: dict[type[Syntax], Evaluate] = {
    x.NameExpr: access.name,
    x.AccessExpr: access.access,
    x.NewExpr: access.new,
    x.WordExpr: literals.word,
    x.LiteralExpr: literals.literal,
    x.ElidedExpr: literals.elided,
    x.AnyExpr: literals.anything,
    x.TemplateExpr: literals.template,
    x.ListExpr: literals.array,
    x.ObjectExpr: literals.record,
    x.SpreadExpr: literals.spread,
    x.PatternExpr: operators.pattern,
    x.BinaryExpr: operators.binary,
    x.UnaryExpr: operators.unary,
    x.TernaryExpr: operators.ternary,
    x.FileExpr: files.file,
    x.TemplateFileExpr: files.template_file,
    x.PipeExpr: options.pipe,
    x.WithExpr: options.with_options,
    x.UsingExpr: options.using,
    x.CodeExpr: commands.code,
    x.RunExpr: commands.run_expression,
    x.BlockExpr: blocks.block_value,
    x.WhenExpr: conditions.when,
    x.IfExpr: conditions.if_value,
    x.ForExpr: loops.loop,
    x.ForeachExpr: loops.foreach,
    x.EnvExpr: environments.environment,
    x.SnapshotExpr: environments.snapshot,
    x.VerifyExpr: signatures.verify,
    s.RelabelNode: guards.relabel,
}
_STATEMENTS: dict[type[Syntax], Execute] = {
    s.VarStatement: statements.variable,
    s.ExpressionStatement: statements.alone,
    s.PrintStatement: effects.put,
    s.WriteStatement: effects.write,
    s.ReturnStatement: statements.returned,
    s.ActionStatement: guards.decided,
    s.SignStatement: signatures.sign,
    **dict.fromkeys(
        (
            s.ExeStatement, s.GuardStatement, s.PolicyStatement, s.ImportStatement, s.ExportStatement,
            s.NeedsStatement, s.ProfilesStatement, s.ProseStatement, s.FrontStatement,
        ),
        statements.declared,
    ),
}  # fmt: skip


def _kinds(base: type[Syntax]) -> Iterator[type[Syntax]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


_missing = [
    kind.__name__
    for base, table in ((x.Expression, _VALUES), (s.StatementNode, _STATEMENTS))
    for kind in _kinds(base)
    if kind not in table
]
if _missing:
    raise AssertionError(f"no handler for {', '.join(_missing)}")

VALUES: Final[Mapping[type[Syntax], Evaluate]] = MappingProxyType(_VALUES)
STATEMENTS: Final[Mapping[type[Syntax], Execute]] = MappingProxyType(_STATEMENTS)
