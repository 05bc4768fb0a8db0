"""What an editor asks about a place in a script: what stands there, where it is defined, what may be written there.

A script that is being written is broken most of the time. So names come from what could be read of it, and the place in a policy
comes from the tokens before it alone.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct

from sluicegate.flow.labels.names import SOURCES
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.vocabulary import KNOWN_LABELS, KNOWN_TARGETS, OPERATION_KINDS
from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.documentation import said_of
from sluicegate.script.parse.declarations import TIMINGS
from sluicegate.script.parse.program import ParsedScript, parse
from sluicegate.script.parse.statements import STARTS
from sluicegate.script.resolve.resolve import ResolvedNames, names_of
from sluicegate.script.resolve.scopes import GIVEN, TRANSFORMERS, Binding
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.scanner import scan
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax, nodes_in

_LABELLED: Final = ("var", "let", "exe", "run", "guard", "privileged", *TIMINGS)
"""Words that labels stand behind."""
_BEFORE_LABEL: Final = (
    rf"(?:\b(?:{'|'.join(_LABELLED)})|=>)[ \t]+(?:@\w+[ \t]+(?:{'|'.join(TIMINGS)})[ \t]+)?"
    r"(?:[\w:!-]+[ ,]+)*[\w:!-]*$"
)
_LABEL_KEYS: Final = {("labels",), ("operations",), ("sources",)}
"""Where the keys of a policy are labels."""


class Suggestion(Struct, frozen=True):
    """Something that may be written at a place. ``kind`` is what it is: name, label, key, word."""

    text: str
    kind: str
    detail: str = ""


class NamePlace(Struct, frozen=True):
    """Offsets of a part of a script."""

    start: int
    end: int


class AssistedScript:
    """A script that an editor shows: read, as far as it can be, once for all questions about it."""

    def __init__(self, source: SourceText) -> None:
        self.text = source.text
        self.script: ParsedScript = parse(source)
        self.names: ResolvedNames = names_of(self.script)
        found = (*self.script.errors, *self.names.found)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(found, key=lambda each: each.start))

    def binding(self, offset: int) -> Binding | None:
        """What the name at an offset means: where it is used, and where it is defined."""
        written = next((f for f in re.finditer(r"@?\w+", self.text) if f.start() <= offset <= f.end()), None)
        if written is None:
            return None
        name = written[0].removeprefix("@")
        for use in self.names.uses:
            if (
                use.binding.name == name
                and use.node.start <= written.start()
                and written.end() <= use.node.end
            ):
                return use.binding
        for scope in self.names.scopes:
            binding = scope.bindings.get(name)
            if binding is not None and self.definition(binding).start == written.start():
                return binding
        return None

    def definition(self, binding: Binding) -> NamePlace:
        """Where the name itself stands in what defines it."""
        node = binding.node
        found = re.compile(rf"@?\b{re.escape(binding.name)}\b").search(self.text, node.start, node.end)
        return NamePlace(*found.span()) if found else NamePlace(node.start, node.end)

    def hover(self, offset: int) -> str:
        """What is known of what stands at an offset, in Markdown; empty where nothing is."""
        binding = self.binding(offset)
        if binding is not None:
            labels = (
                ", ".join(f"`{each}`" for each in sorted(self.labels(binding))) or "none that the script says"
            )
            said = f"**`@{binding.name}`** ({binding.kind})\n\nlabels: {labels}"
            return said + "\n\nWhat policy, guards and imports add is known when it runs."
        word = next((f for f in re.finditer(r"[a-z]+", self.text) if f.start() <= offset < f.end()), None)
        told = self.script.tokens
        if word is None or not any(start == word.start() for start in told.starts):
            return ""
        return said_of(word[0])

    def labels(self, binding: Binding) -> frozenset[str]:
        """The labels that the script itself gives to what a name means: declared, by where it comes from, and of what it is
        made of. A label that is taken away on the way is among them."""
        labels: set[str] = set()
        waiting, seen = [binding], {id(binding)}
        while waiting:
            node = waiting.pop().node
            if not isinstance(node, s.VarStatement | s.ExeStatement):
                continue
            labels.update(node.labels if isinstance(node, s.VarStatement) else {"llm"} & {*node.labels})
            value = node.value if isinstance(node, s.VarStatement) else node.body
            labels.update(_origins(value))
            for use in self.names.uses:
                if id(use.binding) not in seen and value.start <= use.node.start < value.end:
                    seen.add(id(use.binding))
                    waiting.append(use.binding)
        return frozenset(labels)

    def suggestions(self, offset: int) -> list[Suggestion]:
        """What may be written at an offset."""
        before = self.text[max(0, offset - 200) : offset]
        if re.search(r"(?<![\w])@\w*$", before):
            return self._names(offset)
        line = before[before.rfind("\n") + 1 :]
        path = policy_path(self.text, offset)
        if path is not None:
            return self._of_policy(path)
        if re.fullmatch(r"[ \t]*/?\w*", line):
            return [Suggestion(word, "word", said_of(word).partition("\n\n")[2]) for word in STARTS]
        if re.search(_BEFORE_LABEL, line):
            return self._labels()
        return []

    def _names(self, offset: int) -> list[Suggestion]:
        found = {name: Suggestion(name, "name", "given to every script") for name in sorted(GIVEN)}
        found |= {name: Suggestion(name, "name", "transformer") for name in sorted(TRANSFORMERS)}
        for scope in self.names.scopes:
            if scope.node.start <= offset <= scope.node.end or scope.outer is None:
                found |= {
                    each.name: Suggestion(each.name, "name", each.kind) for each in scope.bindings.values()
                }
        return list(found.values())

    def _labels(self) -> list[Suggestion]:
        own = {label for node in nodes_in(self.script.tree) for label in _written(node)}
        known = {
            *KNOWN_LABELS,
            *KNOWN_TARGETS,
            *(f"src:{each}" for each in SOURCES),
            *(f"op:{each}" for each in OPERATION_KINDS),
        }
        return [
            Suggestion(each, "label", "of this script" if each in own else "") for each in sorted(own | known)
        ]

    def _of_policy(self, path: tuple[str, ...]) -> list[Suggestion]:
        if path in _LABEL_KEYS or (path[:1] in _LABEL_KEYS and path[-1] in ("deny", "allow")):
            return self._labels()
        shape: object = msgspec.inspect.type_info(Policy)
        for key in path:
            shape = _inside(shape, key)
        return [Suggestion(each, kind) for kind, each in _words_of(shape)]


def policy_path(text: str, offset: int) -> tuple[str, ...] | None:
    """The keys that lead to an offset inside of ``policy @p = { … }``; None outside of all policies."""
    tokens = scan(text, 0, offset)
    levels: list[str] = []
    key, policy = "", False
    for at, kind in enumerate(tokens.kinds):
        if kind == t.WORD and not levels:
            policy = tokens.values[at] == "policy" or (policy and tokens.values[at] == "union")
        elif kind in ("{", "[", "("):
            levels.append(key)
            key = ""
        elif kind in ("}", "]", ")"):
            key = levels.pop() if levels else ""
            policy = policy and bool(levels)
        elif kind in (t.WORD, t.QUOTED, t.TEXT) and tokens.kinds[at + 1] == ":":
            key = tokens.values[at].strip("\"'")
        elif kind == ",":
            key = ""
    return tuple(each for each in (*levels[1:], key) if each) if policy and levels else None


def _inside(shape: object, key: str) -> object:
    """The shape of what stands under a key."""
    if isinstance(shape, msgspec.inspect.UnionType):
        return next((found for each in shape.types if (found := _inside(each, key)) is not None), None)
    if isinstance(shape, msgspec.inspect.StructType):
        return next((field.type for field in shape.fields if field.encode_name == key), None)
    return shape.value_type if isinstance(shape, msgspec.inspect.DictType) else None


def _words_of(shape: object) -> list[tuple[str, str]]:
    """The keys and the constants that a shape has."""
    if isinstance(shape, msgspec.inspect.UnionType):
        return [word for each in shape.types for word in _words_of(each)]
    if isinstance(shape, msgspec.inspect.StructType):
        return [("key", field.encode_name) for field in shape.fields]
    if isinstance(shape, msgspec.inspect.ListType):
        return _words_of(shape.item_type)
    return (
        [("word", str(each)) for each in shape.values]
        if isinstance(shape, msgspec.inspect.LiteralType)
        else []
    )


def _origins(value: Syntax) -> set[str]:
    """Where an expression takes something from."""
    found = set()
    for node in nodes_in(value):
        if isinstance(node, x.FileExpr | x.TemplateFileExpr):
            found.add("src:file")
        elif isinstance(node, x.CodeExpr | x.RunExpr):
            found.add("src:exec")
            found.update({"llm"} & {*(node.labels if isinstance(node, x.RunExpr) else ())})
        elif isinstance(node, s.LabelChange) and node.mark != "-":
            found.add(node.label)
        elif isinstance(node, x.NameExpr) and node.name == "input":
            found.add("src:user")
    return found


def _written(node: Syntax) -> tuple[str, ...]:
    """The labels that a node writes."""
    if isinstance(node, s.VarStatement | s.ExeStatement | x.RunExpr):
        return node.labels
    return (node.label,) if isinstance(node, s.LabelChange) and node.mark == "" else ()
