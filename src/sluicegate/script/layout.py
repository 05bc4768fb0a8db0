"""The layout of a script: its tokens on the lines that its author chose, with even indents and spaces.

1. Line breaks stay where they are; of several empty lines one stays, and none behind an opening bracket or before a closing one.
2. A line is indented by two columns more than the one on which the bracket around it was opened; so is one that goes on with what
   the line before began.
3. Spaces stand as the table says, except where they mean something: before a bracket that calls or indexes, around ``!`` and a
   sign, in the names of packages.
4. Text, templates, bodies of code and prose stay as they are.

Nothing else changes: what comes out is read again, and must say the same with the same comments.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from sluicegate.errors import SluicegateError
from sluicegate.script.parse.program import ParsedScript, parse
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import ScriptMode
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import Syntax, shape

_INDENT = "  "
_CLOSES = {")": "(", "]": "[", "}": "{"}
_CONTINUES = frozenset({"|", ".", "?.", "&&", "||", "??", "?", ":"})
"""What goes on, at the head of a line, with the line before."""
_WAITS = frozenset(
    {
        "=>",
        "=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "==",
        "!=",
        "~=",
        "!~=",
        "<",
        ">",
        "<=",
        ">=",
        "&&",
        "||",
        "??",
        "|",
        "?",
    }
)
"""What waits, at the end of a line, for the next."""
_TIGHT = frozenset({".", "?.", "...", "!", "-"})
"""What stands as close to its neighbours as it was written."""


class LayoutError(SluicegateError):
    """A script could not be laid out."""

    code = "script-layout"


class _Bracket:
    """An open bracket: ``loose`` when spaces stand inside of it, the indent of its line, and how many ``?`` wait for ``:``."""

    __slots__ = ("indent", "loose", "sign", "waiting")

    def __init__(self, sign: str, loose: bool, indent: int) -> None:
        self.sign, self.loose, self.indent, self.waiting = sign, loose, indent, 0


class _Layout:
    """One script on its way out."""

    def __init__(self, script: ParsedScript) -> None:
        self.tokens, self.text = script.tokens, script.source.text
        self.markdown = script.mode is ScriptMode.MARKDOWN
        self.lists, self.indexes, self.exact = _places(script.tree)
        self.out: list[str] = []
        self.brackets: list[_Bracket] = []
        self.indent = self.ternaries = 0

    def run(self) -> str:
        """The whole script."""
        before: tuple[str, int] | None = None
        for kind, value, start, end in _items(self.tokens):
            if kind in (t.PROSE, t.FRONT):
                self._prose(value, before)
            elif before is None or before[0] == t.PROSE or "\n" in self.text[before[1] : start]:
                self._break(kind, before, start)
                self._head(kind, start, before)
                self.out.append(value)
            else:
                self.out.append(self._between(before, kind, start))
                self.out.append(value)
            if kind in _CLOSES and self.brackets:
                self.brackets.pop()
            if kind in ("(", "[", "{"):
                loose = kind == "{" or (kind == "[" and start not in self.lists and start not in self.indexes)
                self.brackets.append(_Bracket(kind, loose, self.indent))
            if kind == "?":
                self._waiting(1)
            before = (kind, end)
        return "".join(self.out).rstrip("\n") + "\n" if self.out else ""

    def _waiting(self, more: int) -> int:
        """How many ``?`` of this bracket wait for their ``:``; then so many more do."""
        if self.brackets:
            count = self.brackets[-1].waiting
            self.brackets[-1].waiting = max(0, count + more)
        else:
            count = self.ternaries
            self.ternaries = max(0, count + more)
        return count

    def _prose(self, value: str, before: tuple[str, int] | None) -> None:
        if before is not None and not (self.out and self.out[-1].endswith("\n")):
            self.out.append("\n")
        self.out.append(value if value.endswith("\n") else value + "\n")
        self.brackets.clear()

    def _break(self, kind: str, before: tuple[str, int] | None, start: int) -> None:
        """End the line before, and keep one empty line (1)."""
        if before is None:
            return
        if before[0] in (t.PROSE, t.FRONT):
            if before[0] == t.FRONT and "\n" in self.text[before[1] : start]:
                self.out.append("\n")
            return
        empty = self.text[before[1] : start].count("\n") > 1
        self.out.append(
            "\n\n" if empty and before[0] not in ("(", "[", "{") and kind not in _CLOSES else "\n"
        )

    def _head(self, kind: str, start: int, before: tuple[str, int] | None) -> None:
        """The indent of a line (2)."""
        if not self.brackets:
            self.ternaries = self.ternaries if kind in _CONTINUES else 0
        if kind in _CLOSES and self.brackets:
            self.indent = self.brackets[-1].indent
        else:
            self.indent = self.brackets[-1].indent + 1 if self.brackets else 0
            if kind in _CONTINUES or (before is not None and before[0] in _WAITS):
                self.indent += 1
        if kind == ":":
            self._waiting(-1)
        slash = self.markdown and not self.brackets and start > 0 and self.text[start - 1] == "/"
        self.out.append("/" if slash else _INDENT * self.indent)

    def _exact(self, start: int) -> bool:
        """Whether spaces stay as they are around this token."""
        at = bisect_right(self.exact, (start, 0)) - 1
        return at >= 0 and self.exact[at][0] < start < self.exact[at][1]

    def _between(self, before: tuple[str, int], kind: str, start: int) -> str:
        """What stands between two tokens of one line (3)."""
        last, end = before
        as_it_was = "" if end == start else " "
        if kind == "comment":
            return "  "
        if self._exact(start):
            return as_it_was
        if kind in (",", ";"):
            return ""
        if last == ",":
            inside = self.brackets and (self.brackets[-1].sign != "[" or not self.brackets[-1].loose)
            return " " if inside else as_it_was
        if last in ("(", "[", "{"):
            return " " if self.brackets[-1].loose and kind != _partner(last) else ""
        if kind in _CLOSES and self.brackets:
            return " " if self.brackets[-1].loose else ""
        if kind == ":":
            return " " if self._waiting(-1) else ""
        if kind == "[":
            return "" if start in self.indexes else " "
        if last in _TIGHT or kind in _TIGHT or kind in ("(", "["):
            return as_it_was if last not in _WAITS or last in _TIGHT else " "
        return " "


def _partner(opening: str) -> str:
    return next(closing for closing, sign in _CLOSES.items() if sign == opening)


def _items(tokens: t.Tokens) -> Iterator[tuple[str, str, int, int]]:
    """Tokens and comments in their order: kind, text, start, end."""
    text, comments = tokens.text, iter(tokens.comments)
    comment = next(comments, None)
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        while comment is not None and comment.start < start:
            yield "comment", text[comment.start : comment.end].rstrip(), comment.start, comment.end
            comment = next(comments, None)
        if kind != t.END:
            yield kind, text[start:end], start, end
    while comment is not None:
        yield "comment", text[comment.start : comment.end].rstrip(), comment.start, comment.end
        comment = next(comments, None)


def _places(tree: s.ScriptTree) -> tuple[set[int], set[int], list[tuple[int, int]]]:
    """Where lists begin, where indexes do, and what keeps the spaces between its words."""
    lists: set[int] = set()
    indexes: set[int] = set()
    exact: list[tuple[int, int]] = []
    waiting: list[object] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += node
        elif isinstance(node, Syntax):
            if isinstance(node, x.ListExpr):
                lists.add(node.start)
            elif isinstance(node, x.IndexStep):
                indexes.add(node.start)
            elif isinstance(node, s.NeedNode | s.ImportStatement):
                exact.append((node.start, node.end))
            waiting += [getattr(node, name) for name in node.__struct_fields__[2:]]
    return lists, indexes, sorted(exact)


def layout(script: ParsedScript) -> str:
    """The text of a script, laid out. Raises LayoutError where it has errors, or would say something else."""
    name = script.source.name
    if script.errors:
        raise LayoutError(
            f"{name} has errors, and is left as it is", hint=f"'sluicegate validate {name}' shows them."
        )
    made = _Layout(script).run()
    again = parse(SourceText(made, name))
    said = [
        [tokens.text[c.start : c.end].rstrip() for c in tokens.comments]
        for tokens in (script.tokens, again.tokens)
    ]
    if again.errors or shape(again.tree) != shape(script.tree) or said[0] != said[1]:
        raise LayoutError(
            f"{name} would not say the same when laid out, and is left as it is",
            hint="This is a defect of sluicegate: please report it with the script.",
        )
    return made
