"""Nodes that have a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.script.tree.node import Syntax

if TYPE_CHECKING:
    from sluicegate.script.tree.statements import BlockNode, RelabelNode, StatementNode


class Expression(Syntax, frozen=True, gc=False):
    """Whatever has a value."""


class NameExpr(Expression, frozen=True, gc=False):
    """``@x``"""

    name: str


class WordExpr(Expression, frozen=True, gc=False):
    """A bare word: ``untrusted``, ``op:cmd:git``, ``denied``."""

    word: str


class LiteralExpr(Expression, frozen=True, gc=False):
    """A number, ``true``, ``false``, ``null``, or text in single quotes."""

    value: str | int | float | bool | None


class PatternExpr(Expression, frozen=True, gc=False):
    """``/regular expression/flags``"""

    pattern: str
    flags: str


class FileExpr(Expression, frozen=True, gc=False):
    """``<path>`` or ``<path # section>``; a path may have holes."""

    path: tuple[str | Expression, ...]
    section: str


class ElidedExpr(Expression, frozen=True, gc=False):
    """``...``, for what was left out. A script cannot run past it."""


class AnyExpr(Expression, frozen=True, gc=False):
    """``*``: every value, as a condition or in a policy."""


class TemplateExpr(Expression, frozen=True, gc=False):
    """Text with holes. ``quote`` is the sign that it stands in."""

    quote: str
    parts: tuple[str | Expression, ...]


class TemplateFileExpr(Expression, frozen=True, gc=False):
    """``template "file"``"""

    path: Expression


class EntryNode(Syntax, frozen=True, gc=False):
    """``key: value`` in an object, or in a list of a policy."""

    key: str
    value: Expression


class SpreadExpr(Expression, frozen=True, gc=False):
    """``...@x`` in an object or a list."""

    value: Expression


class ObjectExpr(Expression, frozen=True, gc=False):
    """``{ key: value, word, ...@x }``; a word alone is a member of a set."""

    items: tuple[EntryNode | Expression, ...]


class ListExpr(Expression, frozen=True, gc=False):
    """``[ a, b ]``"""

    items: tuple[EntryNode | Expression, ...]


class FieldStep(Syntax, frozen=True, gc=False):
    """``.name``; ``optional`` for ``?.name``."""

    name: str
    optional: bool


class IndexStep(Syntax, frozen=True, gc=False):
    """``[i]``"""

    index: Expression


class CallStep(Syntax, frozen=True, gc=False):
    """``(a, b)``"""

    arguments: tuple[Expression, ...]


class AccessExpr(Expression, frozen=True, gc=False):
    """``@x.name[i](a)``: a value and the steps from it, in order. A row of steps is one node, so that a tree is no deeper than
    its brackets."""

    value: Expression
    steps: tuple[FieldStep | IndexStep | CallStep, ...]


class UnaryExpr(Expression, frozen=True, gc=False):
    """``!a``, ``-a``"""

    operator: str
    value: Expression


class BinaryExpr(Expression, frozen=True, gc=False):
    """``a + b - c``: operands, and the operators between them. They bind equally close, and go from left to right."""

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


class TernaryExpr(Expression, frozen=True, gc=False):
    """``condition ? yes : no``"""

    condition: Expression
    yes: Expression
    no: Expression


class PipeExpr(Expression, frozen=True, gc=False):
    """``value | @f | json``"""

    value: Expression
    stages: tuple[Expression, ...]


class WithExpr(Expression, frozen=True, gc=False):
    """``value with { … }``"""

    value: Expression
    options: ObjectExpr


class UsingExpr(Expression, frozen=True, gc=False):
    """``value using auth:NAME`` or ``value using @x as NAME``; one of ``auth`` and ``secret`` is there."""

    value: Expression
    auth: str
    secret: Expression | None
    variable: str


class CodeExpr(Expression, frozen=True, gc=False):
    """``cmd { … }``, ``sh (@x) { … }``. A command has holes; other code is one text, and gets the values it names before it."""

    language: str
    passed: tuple[Expression, ...]
    parts: tuple[str | Expression, ...]


class RunExpr(Expression, frozen=True, gc=False):
    """``run LABELS what``"""

    labels: tuple[str, ...]
    what: Expression


class NewExpr(Expression, frozen=True, gc=False):
    """``new @x(a)``"""

    value: Expression


class ForeachExpr(Expression, frozen=True, gc=False):
    """``foreach @f(@list)``"""

    call: Expression


class EnvExpr(Expression, frozen=True, gc=False):
    """``env @config [ … ]``; without a block it is what a guard chooses. ``keyword`` is ``env`` or ``box``."""

    keyword: str
    config: Expression
    block: BlockNode | None


class SnapshotExpr(Expression, frozen=True, gc=False):
    """``snapshot "name"``"""

    name: Expression


class VerifyExpr(Expression, frozen=True, gc=False):
    """``verify @x``"""

    value: Expression


class BlockExpr(Expression, frozen=True, gc=False):
    """``[ … ]`` whose value is what it returns."""

    block: BlockNode


class ArmNode(Syntax, frozen=True, gc=False):
    """``condition => action``"""

    condition: Expression
    action: Expression | RelabelNode | StatementNode


class WhenExpr(Expression, frozen=True, gc=False):
    """``when [ condition => action … ]``; with a subject, conditions are values that it may have. ``single`` for the form
    without brackets."""

    subject: Expression | None
    arms: tuple[ArmNode, ...]
    single: bool


class ForExpr(Expression, frozen=True, gc=False):
    """``for @key, @item in list => value``, or with a block."""

    key: str
    item: str
    values: Expression
    body: Expression | RelabelNode | StatementNode
    parallel: Expression | None


class IfExpr(Expression, frozen=True, gc=False):
    """``if condition [ … ] else [ … ]``"""

    condition: Expression
    yes: BlockNode
    no: BlockNode | IfExpr | None
