"""Names of a script: each is defined, once in its scope, and used; and statements stand where they mean something.

1. The names of a whole script hold everywhere in it, in whatever order they are defined: functions use them later.
2. A ``var`` holds in its function, or in the script; a ``let``, an item of a loop and a parameter hold in their block.
3. A hole in a template is a use. So is an export.
4. What decides (``allow``, ``deny``, ``retry``, ``pass``) stands in guards. What declares stands outside of all blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from sluicegate.script.diagnostics import WARNING, Diagnostic
from sluicegate.script.parse.program import ParsedScript
from sluicegate.script.resolve.checks import arms_checked, guard_checked, keys_checked, tiers_checked
from sluicegate.script.resolve.firing import firing_checked
from sluicegate.script.resolve.scopes import GIVEN, RESERVED, TRANSFORMERS, Binding, NameScope, NameUse
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax

_IN_GUARDS = ("input", "output")
_DECLARES = (
    s.ExeStatement, s.GuardStatement, s.PolicyStatement, s.ImportStatement, s.ExportStatement, s.NeedsStatement,
    s.ProfilesStatement, s.SignStatement,
)  # fmt: skip


def resolve(script: ParsedScript, *, known: Iterable[str] = ()) -> tuple[Diagnostic, ...]:
    """All that is wrong with the names of a script, or worth a look, in the order in which it stands there. ``known`` are names
    that hold already where it is run.

    A script with errors in how it is written is looked at as far as it was read; names that it may have defined in what was not
    read are then not called undefined.
    """
    return names_of(script, known=known).found


class ResolvedNames(Struct, frozen=True):
    """What is to be said of the names of a script, where each of them is used, and the scopes that they hold in."""

    found: tuple[Diagnostic, ...]
    uses: tuple[NameUse, ...]
    scopes: tuple[NameScope, ...]


def names_of(script: ParsedScript, *, known: Iterable[str] = ()) -> ResolvedNames:
    """The names of a script, as far as it was read."""
    walker = _Walker(script.tree, whole=not script.errors, known=known)
    walker.script(script.tree)
    found = tuple(sorted(walker.found, key=lambda each: (each.start, each.end, each.code)))
    return ResolvedNames(found, tuple(walker.uses), tuple(walker.scopes))


class _Walker:
    """One walk over a tree, with the scope it is in."""

    def __init__(self, tree: s.ScriptTree, *, whole: bool, known: Iterable[str] = ()) -> None:
        self.whole = whole
        outer = NameScope(None, tree, function=True)
        outer.bindings.update((name, Binding(name, "given", tree)) for name in known)
        self.found: list[Diagnostic] = []
        self.uses: list[NameUse] = []
        self.scope = NameScope(outer if outer.bindings else None, tree, function=True)
        self.scopes = [self.scope]
        self.guard: s.GuardStatement | None = None
        self.depth = 0

    def script(self, tree: s.ScriptTree) -> None:
        """The whole script: first what it defines (1), then what it uses."""
        for statement in tree.statements:
            self.define(statement)
        self.statements(tree.statements)
        tiers_checked(tree, self.found)
        if self.whole:
            firing_checked(tree, self.found)
        self.unused(self.scope)

    def define(self, statement: s.StatementNode) -> None:
        """The names that a statement of the script itself defines."""
        if isinstance(statement, s.VarStatement):
            self.bind(statement.name, statement.keyword, statement)
        elif isinstance(statement, s.ExeStatement | s.PolicyStatement):
            self.bind(statement.name, "exe" if isinstance(statement, s.ExeStatement) else "policy", statement)
        elif isinstance(statement, s.GuardStatement) and statement.name:
            self.bind(statement.name, "guard", statement)
        elif isinstance(statement, s.ImportStatement):
            for name in statement.names:
                self.bind(name.alias or name.path[-1], "import", name)
            if statement.alias:
                self.bind(statement.alias, "import", statement)

    def bind(self, name: str, kind: str, node: Syntax) -> None:
        """Give a name its meaning in this scope; for a ``var`` in that of its function (2)."""
        scope = self.scope.of_function() if kind == "var" else self.scope
        if name in RESERVED:
            self.say("reserved-name", f"`@{name}` is a name of the language", node, "another name")
            return
        known = scope.bindings.get(name)
        if known is not None and known.node is not node:
            both_policies = known.kind == kind == "import"
            if not both_policies:
                self.say("redefined-name", f"`@{name}` is defined already", node, "another name")
        elif known is None and scope.outer is not None:
            outer = scope.outer.find(name)
            if outer is not None and outer.kind not in ("given", "parameter of a guard"):
                self.say("shadowed-name", f"`@{name}` hides another outside of it", node, severity=WARNING)
        scope.bindings[name] = Binding(name, kind, node)

    def unused(self, scope: NameScope) -> None:
        """Variables that nothing used."""
        for binding in scope.bindings.values():
            if not binding.used and binding.kind in ("var", "let"):
                self.say("unused-name", f"`@{binding.name}` is never used", binding.node, severity=WARNING)

    def known(self, name: str, node: Syntax) -> bool:
        """Whether a name means something here; it is then used (3)."""
        binding = self.scope.find(name)
        if binding is not None:
            binding.used = True
            self.uses.append(NameUse(node, binding))
        return binding is not None or name in GIVEN or name in TRANSFORMERS

    def close(self, name: str) -> str:
        """The name that may have been meant."""
        near = get_close_matches(name, sorted({*self.scope.names(), *GIVEN, *TRANSFORMERS}), 1, 0.75)
        return f"Did you mean `@{near[0]}`?" if near else ""

    def use(self, name: str, node: Syntax) -> None:
        """A name that has to be defined."""
        if not self.known(name, node) and self.whole:
            self.say("undefined-name", f"`@{name}` is not defined", node, suggestion=self.close(name))

    def say(
        self,
        code: str,
        message: str,
        node: Syntax,
        expected: str = "",
        suggestion: str = "",
        severity: str = "error",
    ) -> None:
        """Report it."""
        self.found.append(Diagnostic(code, message, node.start, node.end, expected, suggestion, severity))

    def statements(self, statements: Iterable[s.StatementNode]) -> None:
        """Statements one after another: nothing is reached behind one that returns."""
        returned = False
        for statement in statements:
            if returned and not isinstance(statement, s.ProseStatement):
                self.say(
                    "unreachable",
                    "this is never reached: what stands before it returns",
                    statement,
                    severity=WARNING,
                )
                returned = False
            self.statement(statement)
            returned = returned or isinstance(statement, s.ReturnStatement)

    def statement(self, node: s.StatementNode) -> None:
        """One statement."""
        if self.depth and isinstance(node, _DECLARES):
            self.say("misplaced", "this stands in a block, and declares something for the whole script", node,
                     suggestion="Move it out of the block.")  # fmt: skip
            return
        way = _WAYS.get(type(node))
        if way is not None:
            way(self, node)
        else:
            for name in node.__struct_fields__[2:]:
                self.visit(getattr(node, name))

    def variable(self, node: s.VarStatement) -> None:
        """A variable: it holds after its value, in a script everywhere (1)."""
        self.visit(node.value)
        if self.depth:
            self.bind(node.name, node.keyword, node)

    def alone(self, node: s.ExpressionStatement) -> None:
        """A value on a line of its own."""
        if _does_nothing(node.value):
            self.say(
                "no-effect", "this line does nothing", node, suggestion="`show` prints it.", severity=WARNING
            )
        self.visit(node.value)

    def export(self, node: s.ExportStatement) -> None:
        """What a module gives away is used (3)."""
        for name in node.names:
            self.use(name.path[0], name)

    def sign(self, node: s.SignStatement) -> None:
        """What is signed is used."""
        self.use(node.name, node)
        self.visit(node.signer)

    def action(self, node: s.ActionStatement) -> None:
        """``allow`` and its like: in guards alone (4)."""
        if self.guard is None:
            self.say("misplaced", f"`{node.action}` decides in a guard, and there is none around it", node)
        self.visit(node.value)
        self.visit(node.options)

    def function(self, node: s.ExeStatement) -> None:
        """A function, with a scope of its own."""
        outer = self.enter(node, function=True)
        for parameter in node.parameters:
            self.bind(parameter.name, "parameter", parameter)
        self.visit(node.body)
        self.leave(outer)

    def in_guard(self, node: s.GuardStatement) -> None:
        """A guard: it sees what goes in, and after the operation what came out."""
        guard_checked(node, self.found)
        if node.filter.startswith("@"):
            self.use(node.filter[1:], node)
        outer, self.guard = self.enter(node, function=True), node
        for name in _IN_GUARDS:
            self.scope.bindings[name] = Binding(name, "given", node)
        self.arms(node.arms)
        self.guard = None
        self.leave(outer)
        self.visit(node.options)

    def in_policy(self, node: s.PolicyStatement) -> None:
        """A policy: constants alone."""
        if node.value is not None:
            keys_checked(node.value, self.found)
            self.visit(node.value.items)
        for layer in node.layers:
            self.visit(layer)

    def enter(self, node: Syntax, *, function: bool) -> NameScope:
        """Go into a scope; the one around it, to leave it with."""
        outer, self.scope = self.scope, NameScope(self.scope, node, function=function)
        self.scopes.append(self.scope)
        self.depth += 1
        return outer

    def leave(self, outer: NameScope) -> None:
        """Go out of a scope."""
        self.unused(self.scope)
        self.scope = outer
        self.depth -= 1

    def block(self, node: s.BlockNode) -> None:
        """A block, with a scope for its ``let``."""
        outer = self.enter(node, function=False)
        self.statements(node.statements)
        self.leave(outer)

    def arms(self, arms: tuple[x.ArmNode, ...]) -> None:
        """The arms of a ``when``, each condition before its action."""
        arms_checked(arms, self.found)
        for arm in arms:
            self.visit(arm.condition)
            self.visit(arm.action)

    def relabelled(self, node: s.RelabelNode) -> None:
        """A change of labels: what takes labels away wants a guard that may."""
        for change in node.changes:
            if change.mark and (
                self.guard is None or (not self.guard.privileged and not _privileged(self.guard))
            ):
                where = (
                    "outside of guards nothing has it"
                    if self.guard is None
                    else "this guard is not marked `privileged`"
                )
                self.say(
                    "needs-privilege",
                    f"to remove labels needs a privilege, and {where}",
                    change,
                    severity=WARNING,
                )
        self.visit(node.value)

    def visit(self, node: object) -> None:
        """Whatever stands in an expression: as its kind wants it, else its parts one after another."""
        if isinstance(node, tuple):
            for each in node:
                self.visit(each)
        elif isinstance(node, Syntax):
            way = _WAYS.get(type(node))
            if way is not None:
                way(self, node)
            elif isinstance(node, s.StatementNode):
                self.statement(node)
            else:
                for name in node.__struct_fields__[2:]:
                    self.visit(getattr(node, name))

    def elided(self, node: x.ElidedExpr) -> None:
        """``...``"""
        self.say(
            "elided",
            "`...` stands for what was left out; the script cannot run past it",
            node,
            severity=WARNING,
        )

    def pipe(self, node: x.PipeExpr) -> None:
        """A value, and the functions that it goes through."""
        self.visit(node.value)
        for stage in node.stages:
            self.stage(stage)

    def object(self, node: x.ObjectExpr) -> None:
        """An object: its keys, and its values."""
        keys_checked(node, self.found)
        self.visit(node.items)

    def when(self, node: x.WhenExpr) -> None:
        """A ``when``: its subject, and its arms."""
        self.visit(node.subject)
        self.arms(node.arms)

    def spread(self, node: x.SpreadExpr) -> None:
        """``...@x``; a bare word is a name."""
        if isinstance(node.value, x.WordExpr):
            self.use(node.value.word, node)
        self.visit(node.value)

    def stage(self, node: x.Expression) -> None:
        """What stands after ``|``: a function, or a transformer that is not defined anywhere."""
        called = node.value if isinstance(node, x.AccessExpr) else node
        if isinstance(called, x.WordExpr):
            self.use(called.word, called)
        self.visit(node)

    def access(self, node: x.AccessExpr) -> None:
        """Steps from a value. A bare word that is called is a name: ``fetch(@x)`` is ``@fetch(@x)``."""
        if isinstance(node.value, x.WordExpr):
            self.use(node.value.word, node.value)
        self.visit(node.value)
        called = self.scope.find(node.value.name) if isinstance(node.value, x.NameExpr) else None
        if (
            called is not None
            and called.kind in ("guard", "policy")
            and isinstance(node.steps[0], x.CallStep)
        ):
            self.say("not-callable", f"`@{called.name}` is a {called.kind}, and cannot be called", node.value)
        for step in node.steps:
            if isinstance(step, x.IndexStep):
                self.visit(step.index)
            elif isinstance(step, x.CallStep):
                for each in step.arguments:
                    self.visit(each)

    def template(self, node: x.TemplateExpr) -> None:
        """A template. A hole whose name nothing defines stays as it is written, as in instructions that are signed."""
        for part in node.parts:
            root = part.value if isinstance(part, x.AccessExpr) else part
            if isinstance(root, x.NameExpr) and not self.known(root.name, root):
                if self.whole:
                    self.say("open-hole", f"`@{root.name}` is not defined, and stays in the text as it is written", root,
                             suggestion=self.close(root.name), severity=WARNING)  # fmt: skip
            else:
                self.visit(part)

    def loop(self, node: x.ForExpr) -> None:
        """A loop: what it goes through holds in its body alone."""
        self.visit(node.values)
        self.visit(node.parallel)
        outer = self.enter(node, function=False)
        for name in (node.key, node.item):
            if name:
                self.bind(name, "item", node)
        self.visit(node.body)
        self.leave(outer)


def _does_nothing(node: x.Expression) -> bool:
    """Whether a value alone on its line is neither called nor run."""
    if isinstance(node, x.AccessExpr):
        return not any(isinstance(step, x.CallStep) for step in node.steps)
    return isinstance(node, x.NameExpr)


def _privileged(guard: s.GuardStatement) -> bool:
    """Whether ``with { privileged: true }`` stands behind a guard."""
    return guard.options is not None and any(
        isinstance(item, x.EntryNode) and item.key == "privileged" for item in guard.options.items
    )


_WAYS: dict[type[Syntax], Callable[[_Walker, Any], None]] = {
    x.NameExpr: lambda walker, node: walker.use(node.name, node),
    x.ElidedExpr: _Walker.elided, x.AccessExpr: _Walker.access, x.PipeExpr: _Walker.pipe, x.TemplateExpr: _Walker.template,
    x.ObjectExpr: _Walker.object, x.WhenExpr: _Walker.when, x.ForExpr: _Walker.loop, x.SpreadExpr: _Walker.spread,
    s.BlockNode: _Walker.block, s.RelabelNode: _Walker.relabelled,
    s.VarStatement: _Walker.variable, s.ExpressionStatement: _Walker.alone, s.ActionStatement: _Walker.action,
    s.ExeStatement: _Walker.function, s.GuardStatement: _Walker.in_guard, s.PolicyStatement: _Walker.in_policy,
    s.ExportStatement: _Walker.export, s.SignStatement: _Walker.sign, s.ImportStatement: lambda walker, node: None,
    s.NeedsStatement: lambda walker, node: None,
}  # fmt: skip
"""How a node of each kind is looked at; one that is not here is looked at part by part."""
