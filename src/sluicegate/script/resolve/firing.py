"""Guards and rules of policies that nothing in a script can set off.

A guard on ``op:sh`` in a script without ``sh``, a rule on ``pii`` where nothing is ``pii``: they read as protection and are none,
mostly because of a slip of the pen.

1. What a script can give is counted high: every label that it writes, what operations and files are labelled by its policies, all
   origins and trust, and what the monitor finds in commands by itself. Where something is read or run, it may be secret.
2. A command is of every program whose name stands anywhere in a command of the script, and may run code of every language.
3. What `operations` says of a kind of operation is not a rule, and may stand there for others.
4. Nothing is said of a module, whose guards and policies hold for others, nor where something is imported, which may give labels.
   A policy of the project is not seen here: what it labels may set off what is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from msgspec import Struct

from sluicegate.flow.labels.names import ORIGINS, SOURCES, covers, head
from sluicegate.flow.policy.text.vocabulary import (
    INFLUENCE_RULE,
    INTERPRETERS,
    KNOWN_TARGETS,
    OPERATION_KINDS,
    RISKS,
)
from sluicegate.script.diagnostics import WARNING, Diagnostic
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax, nodes_in

_WRITTEN_KINDS = frozenset(
    {"sh", "node", "js", "py", "prose", "cmd", "show", "log", "stream", "output", "append", "sign"}
)
"""Kinds of operation that a script has only where they are written in it; others happen on the way."""
_AUTOMATIC = ({*ORIGINS, "trusted", "untrusted"} | set(KNOWN_TARGETS)) - {"llm", *RISKS}
_DECLARES = (
    s.ExeStatement, s.GuardStatement, s.PolicyStatement, s.NeedsStatement, s.ProfilesStatement, s.ProseStatement, s.FrontStatement,
)  # fmt: skip
_READS = (x.CodeExpr, x.RunExpr, x.FileExpr, x.TemplateFileExpr, x.UsingExpr)
_ACTS = (*_READS, x.CallStep, s.PrintStatement, s.WriteStatement)


class _Given(Struct, frozen=True):
    """What a script can give: labels, kinds of operation, the text of its commands, and the functions it uses."""

    labels: frozenset[str]
    kinds: frozenset[str]
    commands: str
    used: frozenset[str]

    def label(self, name: str) -> bool:
        """Whether something may have this label, or one below it."""
        if name.startswith("src:"):
            return name.split(":")[1] in (*SOURCES, "*")
        return (
            head(name) in _AUTOMATIC or name in _AUTOMATIC or any(covers(name, each) for each in self.labels)
        )

    def operation(self, name: str) -> bool:
        """Whether an operation may have the label ``op:…`` (2)."""
        _, kind, *rest = (*name.split(":"), "")
        if kind not in _WRITTEN_KINDS:
            return True
        if kind not in self.kinds:
            return kind in INTERPRETERS and bool(self.commands)
        program = rest[0] if kind == "cmd" else ""
        return program in ("", "*") or program in self.commands

    def gives(self, name: str) -> bool:
        """Either of the two."""
        return self.operation(name) if head(name) == "op" else name == "*" or self.label(name)


def firing_checked(tree: s.ScriptTree, found: list[Diagnostic]) -> None:
    """Report what never fires (4)."""
    if _is_module(tree) or any(isinstance(each, s.ImportStatement) for each in tree.statements):
        return
    nodes = tuple(nodes_in(tree))
    policies = [
        (each.name, layer)
        for each in tree.statements
        if isinstance(each, s.PolicyStatement)
        for layer in _layers(each)
    ]
    given = _given(nodes, [layer for _, layer in policies])
    for node in nodes:
        if isinstance(node, s.GuardStatement):
            _guard(node, given, found)
    for name, layer in policies:
        _policy(name, layer, given, nodes, found)


def _is_module(tree: s.ScriptTree) -> bool:
    """Whether a script exports, or does nothing by itself."""
    return any(isinstance(each, s.ExportStatement) for each in tree.statements) or not any(
        not isinstance(each, _DECLARES) and any(isinstance(node, _ACTS) for node in nodes_in(each))
        for each in tree.statements
    )


def _given(nodes: tuple[Syntax, ...], layers: list[x.ObjectExpr]) -> _Given:
    """What the nodes of a script can give (1)."""
    labels: set[str] = set()
    kinds: set[str] = set()
    used: set[str] = set()
    commands: list[str] = []
    for node in nodes:
        if isinstance(node, s.VarStatement | s.ExeStatement | x.RunExpr):
            labels.update(node.labels)
        if isinstance(node, s.LabelChange):
            labels.add(node.label)
        elif isinstance(node, _READS):
            labels |= {"secret", "sensitive"}
        if isinstance(node, x.CodeExpr):
            kinds.add(node.language)
            commands += [part for part in node.parts if isinstance(part, str)]
        elif isinstance(node, x.RunExpr):
            kinds.update(() if isinstance(node.what, x.AccessExpr) else ("cmd",))
            commands += _texts(node.what)
        elif isinstance(node, s.PrintStatement | s.WriteStatement):
            kinds.add(node.keyword)
        elif isinstance(node, s.SignStatement):
            kinds.add("sign")
        elif isinstance(node, x.NameExpr):
            used.add(node.name)
        elif isinstance(node, x.WordExpr):
            used.add(node.word)
    for layer in layers:
        for key in ("operations", "data"):
            for item in _entries(_section(layer, key)):
                labels.update((item.key, *_texts(item.value)))
    return _Given(frozenset(labels), frozenset(kinds), " ".join(commands), frozenset(used))


def _guard(node: s.GuardStatement, given: _Given, found: list[Diagnostic]) -> None:
    kind, _, rest = node.filter.partition(":")
    if node.filter.startswith("@"):
        if node.filter[1:] not in given.used:
            found.append(
                _never(
                    node,
                    f"this guard never fires: nothing calls `{node.filter}`",
                    "a function that is called",
                )
            )
    elif kind == "op":
        if rest.partition(":")[0] in OPERATION_KINDS and not given.operation(node.filter):
            found.append(
                _never(
                    node,
                    f"this guard never fires: no operation of this script is `{node.filter}`",
                    _kinds(given),
                )
            )
    elif not given.label(node.filter):
        found.append(_never(node, f"this guard never fires: nothing in this script is labelled `{node.filter}`",
                            "a label that a value, a function or a policy here gives", _close(node.filter, given.labels)))  # fmt: skip


def _policy(
    name: str, layer: x.ObjectExpr, given: _Given, nodes: tuple[Syntax, ...], found: list[Diagnostic]
) -> None:
    for rule in _entries(_section(layer, "labels")):
        if not given.gives(rule.key):
            found.append(_never(rule, f"this rule of `@{name}` never holds: nothing in this script is labelled `{rule.key}`",
                                "a label that a value or a function here has", _close(rule.key, given.labels)))  # fmt: skip
            continue
        for item in _entries(rule.value):
            for word, at in _words(item.value):
                if item.key == "deny" and not given.gives(word):
                    found.append(_never(at, f"nothing is denied by this: no operation of this script is `{word}`",
                                        _kinds(given), _close(word, given.labels)))  # fmt: skip
    declared = {
        label for node in nodes if isinstance(node, s.ExeStatement | x.RunExpr) for label in node.labels
    }
    for item in _entries(_section(layer, "operations")):
        if head(item.key) != "op" and not _operates(item.key, declared):
            found.append(_never(item, f"this says of no operation what it risks: none of this script is `{item.key}`",
                                "a label of a function, or `op:KIND`", _close(item.key, declared)))  # fmt: skip
    risky = declared | {
        word for item in _entries(_section(layer, "operations")) for word in (item.key, *_texts(item.value))
    }
    for word, at in _words(_section(_section(layer, "defaults"), "rules")):
        wanted = "llm" if word == INFLUENCE_RULE else word.rpartition("-")[2]
        if wanted in ("llm", *RISKS) and not any(covers(wanted, each) for each in risky):
            found.append(_never(at, f"`{word}` never refuses: no function is labelled `{wanted}`" if wanted == "llm" else
                                f"`{word}` never refuses: no operation is `{wanted}`",
                                f"`exe {wanted} @f`" if wanted == "llm" else f"a function labelled `{wanted}`, or `operations` that say so",
                                "" if wanted == "llm" else f'For example `operations: {{ "net:w": {wanted} }}`.'))  # fmt: skip


def _operates(key: str, declared: Iterable[str]) -> bool:
    return (
        key in {*_AUTOMATIC, *RISKS} or head(key) in _AUTOMATIC or any(covers(key, each) for each in declared)
    )


def _kinds(given: _Given) -> str:
    known = ", ".join(f"`op:{kind}`" for kind in sorted(given.kinds))
    return f"one of {known}" if known else ""


def _close(name: str, labels: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(labels), 1, 0.7)
    return f"Did you mean `{near[0]}`?" if near else ""


def _never(node: Syntax, message: str, expected: str, suggestion: str = "") -> Diagnostic:
    return Diagnostic("never-fires", message, node.start, node.end, expected, suggestion, WARNING)


def _layers(node: s.PolicyStatement) -> Iterator[x.ObjectExpr]:
    """The layers of a policy that stand in it."""
    for each in (node.value, *node.layers):
        if isinstance(each, x.ObjectExpr):
            yield each


def _entries(node: Syntax | None) -> list[x.EntryNode]:
    items = node.items if isinstance(node, x.ObjectExpr) else ()
    return [item for item in items if isinstance(item, x.EntryNode)]


def _section(node: Syntax | None, key: str) -> Syntax | None:
    return next((item.value for item in _entries(node) if item.key == key), None)


def _words(node: Syntax | None) -> Iterator[tuple[str, Syntax]]:
    """The words of a list, or one alone, with where they stand."""
    for item in node.items if isinstance(node, x.ListExpr | x.ObjectExpr) else (node,):
        if isinstance(item, x.WordExpr):
            yield item.word, item
        elif isinstance(item, x.LiteralExpr) and isinstance(item.value, str):
            yield item.value, item
        elif isinstance(item, x.TemplateExpr):
            yield "".join(part for part in item.parts if isinstance(part, str)), item


def _texts(node: Syntax | None) -> list[str]:
    return [word for word, _ in _words(node)]
