"""From a syntax tree to the steps in which its meaning is worked out: children before parents.

A tree is walked once, with an explicit stack, so that depth never costs Python's; its steps are then run as often
as a program has something to learn. What is the same in every run is worked out here: literals, and what is made
of literals alone. What nobody asks for and does nothing has no step.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Protocol

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.jsflow.values import HOLE, LONGEST, NOTHING, Val, united

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree, TreeCursor

NAME = "name"
"""The kind of a step that looks up a name."""
_GATHER = "gather"
"""The kind of a step that unites the facts of its parts."""

_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
    }
)
_DOES = frozenset(
    """call_expression new_expression member_expression subscript_expression variable_declarator assignment_expression
    augmented_assignment_expression import_statement return_statement for_in_statement export_statement
    class_declaration abstract_class_declaration class""".split()
) | _FUNCTIONS  # fmt: skip
"""Nodes that may tell something or teach names, whether or not their value is asked for."""
_WRAPPERS = frozenset(
    {
        "parenthesized_expression", "await_expression", "non_null_expression", "as_expression", "spread_element",
        "template_substitution", "required_parameter", "optional_parameter", "rest_pattern",
    }
)  # fmt: skip
_JOINED = frozenset({"string", "template_string", "binary_expression"})
_MEANT = frozenset(
    """pair object import_clause named_imports import_specifier namespace_import object_pattern pair_pattern
    object_assignment_pattern export_clause export_specifier namespace_export import_require_clause""".split()
)
"""Nodes that do nothing and have a value by a rule of their own."""
_LISTS = frozenset(
    {"arguments", "array", "formal_parameters", "array_pattern", "class_body", "assignment_pattern"}
)
_PLAIN = _WRAPPERS | _JOINED | _LISTS | {_GATHER}
"""Nodes whose value depends on those of their children alone."""
_KEEPS = _DOES | _MEANT | _PLAIN
_SPELLED = {"member_expression": "property", "variable_declarator": "name", "pair": "key"}
"""Of a kind of nodes, the field of whose name the spelling is asked for alone, whatever else it stands for."""
_NAMES = frozenset(
    {
        "identifier", "property_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
        "this", "private_property_identifier", "import", "meta_property",
    }
)  # fmt: skip
_TEXTS = frozenset({"string_fragment", "number", "regex", "escape_sequence"})
_ESCAPED = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\'": "'", '\\"': '"'}

Part = tuple[str, str, int]
"""Field and kind of a child, and the slot in which its value stands."""
Step = tuple[str, str, list[Part], int, int, int]
"""Kind, text of a name, parts, offsets in bytes (in place of the first, of a ``return``: the number of its
function), and the slot for the value."""


class Handler(Protocol):
    """Works out the values of steps."""

    def run(self, steps: list[Step], values: list[Val]) -> None:
        """Put the value of each step into its slot; later steps read it there."""
        ...


_TOKEN, _NAME, _TEXT, _STRING, _OTHER = range(5)
"""Roles: a sign or a comment, that are nothing; a name; a part of a literal; a literal; all other nodes."""
_LEAVES = (_NAME, _TEXT)
_PENDING = Val()
"""Stands in the slot of a step till it is run for the first time."""


class _Kind(NamedTuple):
    name: str
    role: int
    keeps: bool
    does: bool
    function: bool


_NO_KIND = _Kind("", _OTHER, False, False, False)


class _Kinds(dict[int, _Kind]):
    """The kinds of nodes of one grammar by their numbers, as they turn up."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, number: int) -> _Kind:
        name = self._language.node_kind_for_id(number) or ""
        role = _OTHER
        if name in _NAMES:
            role = _NAME
        elif name in _TEXTS:
            role = _TEXT
        elif name == "string":
            role = _STRING
        elif not name[:1].isalpha() or name == "comment":
            role = _TOKEN
        kind = self[number] = _Kind(name, role, name in _KEEPS, name in _DOES, name in _FUNCTIONS)
        return kind


@cache
def _kinds(language: Language) -> _Kinds:
    return _Kinds(language)


def composed(kind: str, values: list[Val]) -> Val:
    """The value of a plain node from those of its children."""
    if kind in _WRAPPERS:
        for value in values:
            if value.name or value.text or value.tags or value.props or value.shape == "map":
                return value
        return NOTHING
    if kind in _JOINED:
        text = "".join([value.text or (HOLE if value.tags else "") for value in values])[:LONGEST]
        return Val(united(values), "", text)
    return Val(united(values), "", "", values if kind != _GATHER else ())


class _Frame:
    """A node whose children are being read. ``parts`` is None where nobody asks for its value."""

    __slots__ = ("end", "field", "keeps", "kind", "parts", "start")

    def __init__(self, kind: _Kind, field: str, start: int, end: int, parts: list[Part] | None) -> None:
        self.kind = kind
        self.field = field
        self.start = start
        self.end = end
        self.parts = parts
        self.keeps = kind.keeps and parts is not None


class TreeReading:
    """The steps of one tree, and the slots for their values.

    ``base`` is where ``source`` begins in the whole text; offsets given to the handler are of the whole.
    """

    def __init__(self, tree: Tree, source: bytes, base: int = 0) -> None:
        self._tree: Tree | None = tree
        self._source = source
        self._base = base
        self._steps: list[Step] = []
        self._seen: list[int] = []
        """How many nodes have been visited when a step can be run."""
        self._values: list[Val] = []
        self._functions = [-1]
        self._nodes = 0

    def run(self, handler: Handler, budget: int) -> int:
        """Run what stands in the first ``budget`` nodes; what is left of them, negative when they did not suffice."""
        if self._tree is not None:
            self._read(self._tree)
            self._tree = None
        if self._nodes <= budget:
            handler.run(self._steps, self._values)
            return budget - self._nodes
        handler.run(self._steps[: bisect_right(self._seen, budget)], self._values)
        return -1

    def _read(self, tree: Tree) -> None:
        """Visit all nodes. Without a value are the root, statements, and what does not stand in a node that keeps."""
        kinds = _kinds(tree.language)
        cursor = tree.walk()
        frame = _Frame(_NO_KIND, "", 0, 0, None)
        frames: list[_Frame] = []
        while (node := cursor.node) is not None:
            self._nodes += 1
            kind = kinds[node.kind_id]
            role = kind.role
            if role == _OTHER or (role == _STRING and not self._literal(node, cursor, frame)):
                field = (cursor.field_name or "") if frame.keeps else ""
                if cursor.goto_first_child():
                    frames.append(frame)
                    frame = self._open(kind, node, field, frame)
                    continue
                if frame.keeps:
                    self._constant(frame, field, kind.name, Val(shape=kind.name))
            elif frame.parts is not None and role in _LEAVES:
                self._leaf(kind, node, cursor, frame)
            while not cursor.goto_next_sibling():
                if not frames:
                    return
                cursor.goto_parent()
                inner, frame = frame, frames.pop()
                self._close(inner, frame)

    def _literal(self, node: Node, cursor: TreeCursor, parent: _Frame) -> bool:
        """Read a string whole where its children need not be visited: its value is its text, or is not asked for."""
        if parent.keeps:
            raw = self._source[node.start_byte : node.end_byte]
            if b"\\" in raw or b"&" in raw or node.child_count not in (2, 3) or node.has_error:
                return False
            text = raw[1:-1][:LONGEST].decode("utf-8", "replace")
            self._constant(parent, cursor.field_name or "", "string", Val(text=text))
        self._nodes += node.descendant_count - 1
        return True

    def _leaf(self, kind: _Kind, node: Node, cursor: TreeCursor, parent: _Frame) -> None:
        """A name, which has a value wherever it is asked for, or a part of a literal."""
        start, end = node.start_byte, node.end_byte
        text = self._source[start : min(end, start + LONGEST)].decode("utf-8", "replace")
        if kind.role == _NAME:
            field = (cursor.field_name or "") if parent.keeps else ""
            if text and _SPELLED.get(parent.kind.name) == field:
                self._constant(parent, field, kind.name, Val(name=text, shape=text))
                return
            self._step(NAME, text, [], 0, 0, parent, field, kind.name)
        elif parent.keeps:
            if kind.name == "escape_sequence":
                text = _ESCAPED.get(text, "")
            self._constant(parent, cursor.field_name or "", kind.name, Val(text=text, shape=kind.name))

    def _open(self, kind: _Kind, node: Node, field: str, parent: _Frame) -> _Frame:
        asked = kind.does or (
            parent.parts is not None and not (parent.kind.function and kind.name == "statement_block")
        )
        start = self._base + node.start_byte
        if kind.function:
            self._functions.append(start)
        return _Frame(kind, field, start, self._base + node.end_byte, [] if asked else None)

    def _close(self, frame: _Frame, parent: _Frame) -> None:
        """All children of a node have been read."""
        kind, parts = frame.kind, frame.parts
        if parts is None:
            return
        if not kind.keeps:
            if not parent.keeps and parent.parts is not None:
                parent.parts += parts  # facts are united all at once
            elif parent.keeps and parts:
                self._step(_GATHER, "", parts, 0, 0, parent, frame.field, kind.name)
            elif parent.keeps:
                self._constant(parent, frame.field, kind.name, NOTHING)
            return
        start = frame.start
        if kind.function:
            self._functions.pop()
        elif kind.name == "return_statement":
            start = self._functions[-1]
        values = [self._values[slot] for _, _, slot in parts] if kind.name in _PLAIN else [_PENDING]
        if _PENDING not in values:
            self._constant(parent, frame.field, kind.name, composed(kind.name, values))
        else:
            self._step(kind.name, "", parts, start, frame.end, parent, frame.field, kind.name)

    def _constant(self, parent: _Frame, field: str, kind: str, value: Val) -> None:
        """A value that is the same in every run, in a node that keeps."""
        if parent.parts is not None:
            parent.parts.append((field, kind, len(self._values)))
            self._values.append(value)

    def _step(
        self,
        step: str,
        text: str,
        parts: list[Part],
        start: int,
        end: int,
        parent: _Frame,
        field: str,
        kind: str,
    ) -> None:
        """A value that is worked out in every run."""
        slot = len(self._values)
        if parent.parts is not None:
            parent.parts.append((field, kind, slot))
        self._values.append(_PENDING)
        self._steps.append((step, text, parts, start, end, slot))
        self._seen.append(self._nodes)
