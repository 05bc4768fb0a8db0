"""Statements that declare: functions, guards, policies, what comes in and goes out, what is needed, what is signed."""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.patterns import late
from sluicegate.script.parse.cursor import Cursor
from sluicegate.script.parse.expressions import expression
from sluicegate.script.parse.labels import label_list
from sluicegate.script.parse.literals import braces, plain_text
from sluicegate.script.parse.special import arms_of
from sluicegate.script.scan import tokens as t
from sluicegate.script.tree import statements as s

TIMINGS = ("before", "after", "always", "for")
_PACKAGE = late(r"[\w@.][^,\]\[\n]*")
_MODULE = late(r"@[\w-]+(?:/[\w.-]+)*")


def _exe(p: Cursor) -> s.StatementNode:
    """``exe LABELS @f(a, b) = body``"""
    start = p.here()
    p.at += 1
    labels = label_list(p)
    name = p.need(t.NAME, "`@name`" if labels else "labels and `@name`", "A name begins with `@`.")
    parameters: list[s.ParameterNode] = []
    if p.kinds[p.at] == "(":
        opened = p.here()
        p.at += 1
        while p.kinds[p.at] != ")":
            at = p.here()
            parameters.append(
                s.ParameterNode(
                    at,
                    p.ends[p.at],
                    p.need(t.WORD, "the name of a parameter", "Parameters are named without `@`."),
                )
            )
            if not p.take(","):
                break
        p.need_close(")", opened)
    p.need("=", "`=` and what it does")
    body = p.parsers.bracketed(p) if p.kinds[p.at] == "[" else expression(p)
    return s.ExeStatement(start, p.last(), labels, name, tuple(parameters), body)


def _guard(p: Cursor) -> s.StatementNode:
    """``guard privileged @name TIMING FILTER = when [ arms ] with { … }``"""
    start = p.here()
    p.at += 1
    privileged = p.take_word("privileged")
    name = p.need(t.NAME, "") if p.kinds[p.at] == t.NAME else ""
    if not p.word(*TIMINGS):
        raise p.stop("`before`, `after`, `always` or `for`", known=TIMINGS)
    timing = p.values[p.at]
    p.at += 1
    if p.kinds[p.at] == t.NAME:
        filter = "@" + p.values[p.at]
    elif p.kinds[p.at] in (t.WORD, t.CODE):
        filter = p.values[p.at]
    else:
        raise p.stop("what it guards: a label, `op:KIND` or `@function`")
    p.at += 1
    p.need("=", "`=` and `when [ … ]`")
    p.need_word("when", "`when` and arms")
    arms = arms_of(p, expression)
    options = None
    if p.word("with") and not p.breaks[p.at]:
        p.at += 1
        options = braces(p, expression)
    return s.GuardStatement(start, p.last(), privileged, name, timing, filter, arms, options)


def _policy(p: Cursor) -> s.StatementNode:
    """``policy @p = { … }``, ``policy @p = union(@a, @b)``"""
    start = p.here()
    p.at += 1
    name = p.need(t.NAME, "`@name`", "A name begins with `@`.")
    p.need("=", "`=` and `{` or `union(`")
    if p.kinds[p.at] == "{":
        p.plain = True
        value = braces(p, expression)
        p.plain = False
        return s.PolicyStatement(start, p.last(), name, value, ())
    p.need_word("union", "`{` and a policy, or `union(@a, @b)`")
    opened = p.here()
    p.need("(", "`(` and policies")
    layers = []
    while p.kinds[p.at] != ")":
        layers.append(expression(p))
        if not p.take(","):
            break
    p.need_close(")", opened)
    return s.PolicyStatement(start, p.last(), name, None, tuple(layers))


def _import(p: Cursor) -> s.StatementNode:
    """``import policy @p from "module" except { … }``, ``import { @a as @b } from "module"``, ``import "module" as @ns``"""
    start = p.here()
    p.at += 1
    kind, alias, server, named = "", "", False, False
    names: tuple[s.ImportedName, ...] = ()
    if p.word("policy", "tools"):
        kind = p.values[p.at]
        p.at += 1
    if kind == "policy" and p.kinds[p.at] == t.NAME:
        at, name = p.here(), p.values[p.at]
        p.at += 1
        names = (s.ImportedName(at, p.last(), (name,), ""),)
    elif p.kinds[p.at] == "{":
        names, named = _names(p), True
    if named or kind:
        p.need_word("from", "`from` and a module")
        server = p.take_word("mcp")
    module = _module(p)
    if p.take_word("as"):
        alias = p.need(t.NAME, "`@name`")
    excepted = _names(p) if p.take_word("except") else ()
    return s.ImportStatement(start, p.last(), kind, names, module, server, alias, excepted)


def _module(p: Cursor) -> str:
    """The name of a module: in quotes, or ``@author/name`` without."""
    if p.kinds[p.at] == t.NAME:
        found = _MODULE.match(p.text, p.here())
        if found is None:
            raise p.stop("a module")
        while p.starts[p.at] < found.end():
            p.at += 1
        return found[0]
    return plain_text(p, "a module: a path in quotes, or `@author/name`")


def _names(p: Cursor) -> tuple[s.ImportedName, ...]:
    """``{ @a as @b, allow.cmd }``"""
    opened = p.here()
    p.need("{", "`{` and names")
    found = []
    while p.kinds[p.at] != "}":
        start = p.here()
        if p.kinds[p.at] not in (t.NAME, t.WORD, t.CODE):
            raise p.stop("a name or `}`")
        path = [p.values[p.at]]
        p.at += 1
        while p.take("."):
            if p.kinds[p.at] not in (t.WORD, t.CODE):
                raise p.stop("the name of a field")
            path.append(p.values[p.at])
            p.at += 1
        alias = p.need(t.NAME, "`@name`") if p.take_word("as") else ""
        found.append(s.ImportedName(start, p.last(), tuple(path), alias))
        if not p.take(","):
            break
    p.need_close("}", opened)
    return tuple(found)


def _export(p: Cursor) -> s.StatementNode:
    """``export { @a, @b }``"""
    start = p.here()
    p.at += 1
    names = _names(p)
    return s.ExportStatement(start, p.last(), names)


def _needs(p: Cursor) -> s.StatementNode:
    """``needs { cmd: [git, jq], node: [express@^4.0.0], sh }``: items stand after a comma or on a line of their own."""
    start = p.here()
    p.at += 1
    opened = p.here()
    p.need("{", "`{` and what is needed")
    found = []
    while p.kinds[p.at] != "}":
        at = p.here()
        if p.kinds[p.at] not in (t.WORD, t.CODE):
            raise p.stop("what is needed: `cmd`, `node`, `python`, `sh`, …")
        kind = p.values[p.at]
        p.at += 1
        packages = _packages(p) if p.take(":") else ()
        found.append(s.NeedNode(at, p.last(), kind, packages))
        if not p.take(",") and not p.breaks[p.at]:
            break
    p.need_close("}", opened)
    return s.NeedsStatement(start, p.last(), tuple(found))


def _packages(p: Cursor) -> tuple[str, ...]:
    """``[express@^4.0.0, lodash]``: names with versions, as each language writes them."""
    opened = p.here()
    p.need("[", "`[` and names")
    found = []
    while p.kinds[p.at] != "]":
        if p.kinds[p.at] in (t.QUOTED, t.TEXT):
            found.append(plain_text(p, "a name"))
        else:
            package = _PACKAGE.match(p.text, p.here())
            if package is None:
                raise p.stop("a name, perhaps with a version")
            found.append(package[0].rstrip())
            while p.starts[p.at] < package.end() and p.kinds[p.at] != t.END:
                p.at += 1
        if not p.take(","):
            break
    p.need_close("]", opened)
    return tuple(found)


def _profiles(p: Cursor) -> s.StatementNode:
    """``profiles { full: { requires: { sh } } }``"""
    start = p.here()
    p.at += 1
    tiers = braces(p, expression)
    return s.ProfilesStatement(start, p.last(), tiers)


def _sign(p: Cursor) -> s.StatementNode:
    """``sign @x by "signer" with sha256``"""
    start = p.here()
    p.at += 1
    name = p.need(t.NAME, "`@name` of what to sign")
    signer, method = None, ""
    if p.take_word("by"):
        if p.kinds[p.at] not in (t.QUOTED, t.TEXT, t.NAME):
            raise p.stop("a signer in quotes")
        signer = p.parsers.postfix(p)
    if p.take_word("with"):
        if p.breaks[p.at]:
            raise p.stop("a method: `sha256`")
        method = p.need(t.WORD, "a method: `sha256`")
    return s.SignStatement(start, p.last(), name, signer, method)


DECLARATIONS: dict[str, Callable[[Cursor], s.StatementNode]] = {
    "exe": _exe, "guard": _guard, "policy": _policy, "import": _import, "export": _export, "needs": _needs,
    "profiles": _profiles, "sign": _sign,
}  # fmt: skip
