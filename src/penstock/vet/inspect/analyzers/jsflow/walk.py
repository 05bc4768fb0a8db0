"""Walk a syntax tree once, children before parents, with an explicit stack: depth never costs Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from penstock.vet.inspect.analyzers.jsflow.values import LONGEST, Val
from penstock.vet.inspect.analyzers.shflow.values import NONE, join

if TYPE_CHECKING:
    from tree_sitter import Tree

MOST_CHILDREN = 512
"""Children of one node that are looked at; only generated tables have more."""

_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
    }
)
_KEEPS = frozenset(
    """call_expression new_expression member_expression subscript_expression variable_declarator assignment_expression
    augmented_assignment_expression pair object arguments array template_string binary_expression import_statement
    import_clause named_imports import_specifier namespace_import object_pattern pair_pattern formal_parameters
    return_statement for_in_statement parenthesized_expression await_expression shorthand_property_identifier
    non_null_expression as_expression spread_element template_substitution string array_pattern
    export_statement export_clause export_specifier namespace_export import_require_clause class_declaration
    abstract_class_declaration class class_body required_parameter optional_parameter assignment_pattern object_assignment_pattern rest_pattern""".split()
) | _FUNCTIONS  # fmt: skip
_NAMES = frozenset(
    {
        "identifier", "property_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern",
        "this", "private_property_identifier", "import",
    }
)  # fmt: skip
_TEXTS = frozenset({"string_fragment", "number", "regex", "escape_sequence"})


class Handler(Protocol):
    """Computes the value of a node from the values of its children."""

    def leaf(self, kind: str, text: str) -> Val:
        """A name or a literal."""
        ...

    def node(self, kind: str, children: list[tuple[str, str, Val]], start: int, end: int) -> Val:
        """A node that is kept: (field, kind, value) of its children; offsets in bytes."""
        ...

    def enter(self, number: int) -> None:
        """A function literal begins."""

    def leave(self) -> None:
        """The function literal that began last ends."""


class _Frame:
    __slots__ = ("children", "end", "field", "kind", "start", "tags")

    def __init__(self, kind: str, field: str, start: int, end: int) -> None:
        self.kind = kind
        self.field = field
        self.start = start
        self.end = end
        self.children: list[tuple[str, str, Val]] | None = [] if kind in _KEEPS else None
        self.tags = NONE


def walk(tree: Tree, source: bytes, handler: Handler, budget: int, base: int = 0) -> int:
    """Visit at most ``budget`` nodes; what is left of the budget, negative when it did not suffice.

    ``base`` is where ``source`` begins in the whole text; offsets given to the handler are of the whole.
    """
    cursor = tree.walk()
    stack: list[_Frame] = []
    while True:
        budget -= 1
        node = cursor.node
        if budget < 0 or node is None:
            return budget
        kind = node.type
        if kind in _FUNCTIONS:
            handler.enter(base + node.start_byte)
        frame = _Frame(kind, cursor.field_name or "", node.start_byte, node.end_byte)
        if kind not in _NAMES and kind not in _TEXTS and cursor.goto_first_child():
            stack.append(frame)
            continue
        value = _leaf(handler, frame, source)
        while True:
            if stack:
                _add(stack[-1], frame, value)
            if cursor.goto_next_sibling():
                break
            if not stack:
                return budget
            cursor.goto_parent()
            frame = stack.pop()
            value = _finish(handler, frame, base)


def _leaf(handler: Handler, frame: _Frame, source: bytes) -> Val:
    if frame.kind in _NAMES or frame.kind in _TEXTS:
        text = source[frame.start : min(frame.end, frame.start + LONGEST)].decode("utf-8", "replace")
        return handler.leaf("name" if frame.kind in _NAMES else frame.kind, text)
    return Val(shape=frame.kind)


def _add(parent: _Frame, child: _Frame, value: Val) -> None:
    if parent.children is None:
        if value.tags:
            parent.tags = join(parent.tags, value.tags)
    elif child.kind[0].isalpha() and child.kind != "comment" and len(parent.children) < MOST_CHILDREN:
        parent.children.append((child.field, child.kind, value))


def _finish(handler: Handler, frame: _Frame, base: int) -> Val:
    if frame.children is None:
        return Val(tags=frame.tags)
    value = handler.node(frame.kind, frame.children, base + frame.start, base + frame.end)
    if frame.kind in _FUNCTIONS:
        handler.leave()
    return value
