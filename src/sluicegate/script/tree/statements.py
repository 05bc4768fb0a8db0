"""Nodes that do something, and the whole script."""

from __future__ import annotations

from sluicegate.script.tree.expressions import ArmNode, Expression, ObjectExpr
from sluicegate.script.tree.node import Syntax


class StatementNode(Syntax, frozen=True, gc=False):
    """Whatever stands on a line of its own."""


class BlockNode(Syntax, frozen=True, gc=False):
    """``[ statement … ]``"""

    statements: tuple[StatementNode, ...]


class LabelChange(Syntax, frozen=True, gc=False):
    """``pii``, ``!pii``, ``trusted!``, ``clear!``: a label that is added, or, with a mark, what needs a privilege."""

    label: str
    mark: str
    """``!`` before (``-``: removed) or after (``+``: trust given, or all cleared); empty for a label that is added."""


class RelabelNode(Syntax, frozen=True, gc=False):
    """``pii,internal @x``"""

    changes: tuple[LabelChange, ...]
    value: Expression


class VarStatement(StatementNode, frozen=True, gc=False):
    """``var LABELS @x = value``; ``let`` is the same inside of a block."""

    keyword: str
    labels: tuple[str, ...]
    name: str
    value: Expression


class ExpressionStatement(StatementNode, frozen=True, gc=False):
    """A value that stands alone: ``@f(@x)``, ``run cmd { … }``, ``when …``, ``for …``, ``env … [ … ]``."""

    value: Expression


class PrintStatement(StatementNode, frozen=True, gc=False):
    """``show value``, ``log value``, ``stream value``."""

    keyword: str
    value: Expression


class WriteStatement(StatementNode, frozen=True, gc=False):
    """``output value to target as format``, ``append value to target``; a target is a path or ``stdout``, ``stderr``."""

    keyword: str
    value: Expression
    target: Expression
    format: str


class ReturnStatement(StatementNode, frozen=True, gc=False):
    """``=> value``, ``=> pii @x``"""

    value: Expression | RelabelNode


class ActionStatement(StatementNode, frozen=True, gc=False):
    """``allow``, ``deny``, ``retry``, ``pass``: what a guard decides, with a value or a reason, or ``allow with { … }``."""

    action: str
    value: Expression | RelabelNode | None
    options: ObjectExpr | None


class ParameterNode(Syntax, frozen=True, gc=False):
    """A parameter of an exe."""

    name: str


class ExeStatement(StatementNode, frozen=True, gc=False):
    """``exe LABELS @f(a, b) = body``"""

    labels: tuple[str, ...]
    name: str
    parameters: tuple[ParameterNode, ...]
    body: Expression


class GuardStatement(StatementNode, frozen=True, gc=False):
    """``guard privileged @name TIMING FILTER = when [ … ] with { … }``. A guard without a name has an empty one; the filter of
    a guard on a function begins with ``@``."""

    privileged: bool
    name: str
    timing: str
    filter: str
    arms: tuple[ArmNode, ...]
    options: ObjectExpr | None


class PolicyStatement(StatementNode, frozen=True, gc=False):
    """``policy @p = { … }`` or ``policy @p = union(@a, @b)``: then ``layers``."""

    name: str
    value: ObjectExpr | None
    layers: tuple[Expression, ...]


class ImportedName(Syntax, frozen=True, gc=False):
    """One name of an import: ``@a as @b``, ``allow.cmd``."""

    path: tuple[str, ...]
    alias: str


class ImportStatement(StatementNode, frozen=True, gc=False):
    """``import KIND { names } from module as @alias except { … }``. ``kind`` is empty, ``policy`` or ``tools``; ``server`` says
    that the module is a command that serves tools."""

    kind: str
    names: tuple[ImportedName, ...]
    module: str
    server: bool
    alias: str
    excepted: tuple[ImportedName, ...]


class ExportStatement(StatementNode, frozen=True, gc=False):
    """``export { @a, @b }``"""

    names: tuple[ImportedName, ...]


class NeedNode(Syntax, frozen=True, gc=False):
    """``cmd: [git, jq]`` or ``sh`` in ``needs``."""

    kind: str
    packages: tuple[str, ...]


class NeedsStatement(StatementNode, frozen=True, gc=False):
    """``needs { … }``"""

    needs: tuple[NeedNode, ...]


class ProfilesStatement(StatementNode, frozen=True, gc=False):
    """``profiles { … }``"""

    tiers: ObjectExpr


class SignStatement(StatementNode, frozen=True, gc=False):
    """``sign @x by "signer" with sha256``"""

    name: str
    signer: Expression | None
    method: str


class ProseStatement(StatementNode, frozen=True, gc=False):
    """Text between directives, in Markdown mode."""

    text: str


class FrontStatement(StatementNode, frozen=True, gc=False):
    """What stands between lines of ``---`` before all else."""

    text: str


class ScriptTree(Syntax, frozen=True, gc=False):
    """A whole script."""

    statements: tuple[StatementNode, ...]
