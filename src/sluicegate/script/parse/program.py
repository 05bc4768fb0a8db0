"""The whole of a script: its dialect and mode, its tree, and everything that is wrong with how it is written."""

from __future__ import annotations

from msgspec import Struct

from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.parse import statements
from sluicegate.script.parse.cursor import Cursor, Parsers
from sluicegate.script.parse.expressions import postfix
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect, ScriptMode, read_pragma, tell_mode
from sluicegate.script.scan.scanner import LONGEST, scan, scan_markdown
from sluicegate.script.source import SourceText
from sluicegate.script.tree.statements import ScriptTree

MOST_ERRORS = 100
"""Errors of one script that are told."""

_PARSERS = Parsers(statements.block, statements.body, statements.bracketed, postfix)


class ParsedScript(Struct, frozen=True):
    """A script as it was read. Where ``errors`` has something, the tree lacks what could not be read, and must not run."""

    source: SourceText
    tokens: t.Tokens
    dialect: Dialect
    mode: ScriptMode
    tree: ScriptTree
    errors: tuple[Diagnostic, ...]


def parse(source: SourceText) -> ParsedScript:
    """Read a script. Nothing is raised: what cannot be read is in ``errors``, in the order in which it stands there."""
    text = source.text
    if len(text) > LONGEST:
        problem = Diagnostic("too-long", f"{len(text)} characters, and {LONGEST} is the most", 0, 0)
        return ParsedScript(
            source, scan(""), Dialect.SPECIFICATION, ScriptMode.STRICT, ScriptTree(0, 0, ()), (problem,)
        )
    pragma = read_pragma(text)
    mode, mixed = tell_mode(text, source.name, pragma)
    tokens = scan_markdown(text) if mode is ScriptMode.MARKDOWN else scan(text)
    cursor = Cursor(tokens, _PARSERS)
    try:
        tree = ScriptTree(0, len(text), statements.statements(cursor, ""))
    except (
        RecursionError
    ):  # whoever called us stood deep already; the bound on levels keeps all others from it
        cursor.found.append(
            Diagnostic("too-deep", "levels stand too deep inside each other", cursor.here(), cursor.here())
        )
        tree = ScriptTree(0, len(text), ())
    errors = [*pragma.problems, *mixed, *cursor.found]
    told = {sign.dialect for sign in cursor.signs}
    dialect = pragma.dialect or (Dialect.MLLD if told == {Dialect.MLLD} else Dialect.SPECIFICATION)
    if pragma.dialect is not None:
        errors += [
            _of_another(sign, pragma.dialect) for sign in cursor.signs if sign.dialect is not pragma.dialect
        ]
        if pragma.dialect is Dialect.MLLD:
            errors += [
                Diagnostic(
                    "dialect",
                    "a comment with `//` is of the dialect of the specification",
                    c.start,
                    c.end,
                    "`>>`",
                )
                for c in tokens.comments
                if c.sign == "//" and "sluicegate:" not in text[c.start : c.end]
            ]
    errors.sort(key=lambda each: each.start)
    return ParsedScript(source, tokens, dialect, mode, tree, tuple(errors[:MOST_ERRORS]))


def _of_another(sign: Diagnostic, dialect: Dialect) -> Diagnostic:
    other = "mlld" if dialect is Dialect.SPECIFICATION else "the specification"
    return Diagnostic(
        "dialect", f"{sign.message} is of the dialect of {other}", sign.start, sign.end, sign.expected
    )
