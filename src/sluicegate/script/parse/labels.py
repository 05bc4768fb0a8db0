"""Labels where they are given: of a variable, of a function, of a value that is returned."""

from __future__ import annotations

from sluicegate.script.parse.cursor import Cursor
from sluicegate.script.parse.literals import Parser
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect
from sluicegate.script.tree.statements import LabelChange, RelabelNode

NOT_LABELS = frozenset(
    {"allow", "append", "box", "deny", "env", "for", "foreach", "if", "let", "log", "new", "output", "pass", "retry", "run", "show",
     "sign", "snapshot", "stream", "template", "var", "verify", "when"}
)  # fmt: skip
"""Words that a name may follow for another reason."""


def label_list(p: Cursor) -> tuple[str, ...]:
    """Labels, with commas or spaces between, up to a name."""
    found: list[str] = []
    start, spaced = p.here(), False
    while p.kinds[p.at] == t.WORD and not p.breaks[p.at] and p.values[p.at] not in NOT_LABELS:
        found.append(p.values[p.at])
        p.at += 1
        if p.kinds[p.at] == ",":
            p.at += 1
            if p.kinds[p.at] != t.WORD or p.breaks[p.at]:
                raise p.stop("a label after `,`")
        elif p.kinds[p.at] == t.WORD:
            spaced = True
    if spaced:
        p.sign(Dialect.SPECIFICATION, start, "labels with spaces between", "a comma between labels")
    return tuple(found)


def relabelled(p: Cursor, expression: Parser) -> RelabelNode | None:
    """``pii,!internal @x``; None, and nothing is read, where no labels stand before a name."""
    begin, start = p.at, p.here()
    changes: list[LabelChange] = []
    while True:
        at = p.here()
        removed = p.take("!")
        if removed and (p.kinds[p.at] != t.WORD or not p.adjoins()):
            break
        if p.kinds[p.at] != t.WORD or p.values[p.at] in NOT_LABELS:
            break
        label = p.values[p.at]
        p.at += 1
        mark = "-" if removed else ""
        if p.kinds[p.at] == "!" and p.adjoins():
            if removed or label not in ("trusted", "clear"):
                raise p.stop("`,` or a name", "Only `trusted!` and `clear!` have a `!` behind.")
            p.at += 1
            mark = "+"
        changes.append(LabelChange(at, p.last(), label, mark))
        if p.kinds[p.at] == t.NAME and not p.breaks[p.at] and not p.adjoins():
            value = expression(p)
            return RelabelNode(start, value.end, tuple(changes), value)
        if not p.take(","):
            break
    p.at = begin
    return None
