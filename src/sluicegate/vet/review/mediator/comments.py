"""Where the comments of a program stand, its docstrings and other strings that nobody uses among them.

1. Python, shell, JavaScript and TypeScript: by syntax tree, or by the shell's reader.
2. Where these give no whole tree, and in the other languages of which comments are known: by words (``slices.words``).
3. In anything else comments are not told from the rest, which is said where it is shown.

A reading by words can be led astray by a program that was written for it. It loses nothing even then: what is taken for a
comment is shown among the comments.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from enum import Enum
from itertools import accumulate
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.slices import words
from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.mediator.offsets import in_characters

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MOST = 1 << 20
"""Characters of a text that is given to a parser."""
_BY_WORDS = frozenset(CODE - {Kind.SOURCE, Kind.CSS})
_LONE = lazy("\r(?!\n)|[\u2028\u2029]")
_SURROGATE = lazy("[\ud800-\udfff]")
_DIRECTIVE = lazy(r"[\"']use [a-z ]{3,20}[\"']")


class Separation(Enum):
    """How comments were told from code, in words for whoever reads the package."""

    TREE = "without comments (by syntax tree)"
    WORDS = "without comments (by words; there is no syntax tree)"
    NONE = "with its comments (there is no reader for them)"


class Comments(NamedTuple):
    """The offsets of the comments of a text, in order, none overlapping the next."""

    spans: tuple[tuple[int, int], ...]
    how: Separation


def comments_of(text: str, language: Kind) -> Comments:
    """The comments of a text in this language. Never raises."""
    plain = _SURROGATE.sub("?", _LONE.sub("\n", text)).replace("\0", " ").replace("\f", " ")
    found = _by_tree(plain, language) if len(plain) <= MOST else None
    how = Separation.TREE
    if found is None:
        if language not in _BY_WORDS:
            return Comments((), Separation.NONE)
        found, how = words.comments(plain, language), Separation.WORDS
    return Comments(tuple(_joined(span for span in found if not _interpreter(plain, span))), how)


def _interpreter(text: str, span: tuple[int, int]) -> bool:
    """Whether a comment is the first line's ``#!``, which runs something."""
    return span[0] == 0 and text.startswith("#!")


def _by_tree(text: str, language: Kind) -> list[tuple[int, int]] | None:
    if language is Kind.PYTHON:
        return _python(text)
    if language is Kind.SHELL:
        from sluicegate.known.shell.comments import shell_comments

        return shell_comments(text)
    if language in (Kind.JAVASCRIPT, Kind.TYPESCRIPT):
        return _javascript(text, language)
    return None


def _joined(spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last = -1
    for start, end in sorted(spans):
        if end > max(start, last):
            yield max(start, last), end
            last = end


def _python(text: str) -> list[tuple[int, int]] | None:
    from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import too_large, unwarned

    source = text.replace("\r\n", " \n")
    if source.startswith("\ufeff"):
        source = source[1:]
    if too_large(source, MOST):
        return None
    try:
        with unwarned():
            tree = ast.parse(source)
            tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, tokenize.TokenError):
        return None
    lines = source.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=len(text) - len(source)))
    spans = [
        (starts[t.start[0] - 1] + t.start[1], starts[t.end[0] - 1] + t.end[1])
        for t in tokens
        if t.type == tokenize.COMMENT
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and _is_text(node.value):
            place = node.value
            end_line, end_column = place.end_lineno or place.lineno, place.end_col_offset or 0
            spans.append(
                (
                    starts[place.lineno - 1] + _column(lines[place.lineno - 1], place.col_offset),
                    starts[end_line - 1] + _column(lines[end_line - 1], end_column),
                )
            )
    return spans


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _column(line: str, offset: int) -> int:
    """The character of a line at a byte of its UTF-8."""
    return offset if line.isascii() else len(line.encode()[:offset].decode("utf-8", "ignore"))


def _javascript(text: str, language: Kind) -> list[tuple[int, int]] | None:
    from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces

    source = text.encode()
    spans: list[tuple[int, int]] = []
    for tree, at, piece in Pieces(4 * MOST).trees(source, language):
        if tree is None or (tree.root_node.has_error and len(piece) < len(source)):
            return None  # what runs over a cut would be read as something else
        spans += [(at + start, at + end) for start, end in _unused(tree)]
    return in_characters(source, spans)


def _unused(tree: Tree) -> Iterator[tuple[int, int]]:
    """Comments, and strings that are statements and no directives."""
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and (node.type in ("comment", "html_comment") or _is_statement_of_text(node)):
            yield node.start_byte, node.end_byte
        elif cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _is_statement_of_text(node: Node) -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1:
        return False
    inner = node.named_children[0]
    if inner.type == "template_string":
        return all(child.type != "template_substitution" for child in inner.children)
    said = (inner.text or b"").decode("utf-8", "replace")
    return inner.type == "string" and _DIRECTIVE.fullmatch(said) is None
