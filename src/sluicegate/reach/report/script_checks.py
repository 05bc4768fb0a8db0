"""What was found in scripts without running them: as text for people, as JSON, as SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from sluicegate.reach.report.escape import json_safe, no_orders, printable, sarif_message, scalar
from sluicegate.reach.report.text.columns import width, wrap
from sluicegate.script.diagnostics import CODES, ERROR, Diagnostic
from sluicegate.script.parse.program import ParsedScript
from sluicegate.script.source import SourceText

_COLUMNS = 80
_BEFORE = 30
"""Columns of a long line that are shown before what is marked."""
Position = Annotated[int, Meta(ge=1)]
_INSTEAD = str.maketrans({"\t": " "})


class CheckedScript(Struct, frozen=True, kw_only=True):
    """A script, and what was found in it."""

    script: ParsedScript
    found: tuple[Diagnostic, ...]


class DiagnosticEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One remark. Lines and columns count from 1; the end is the column behind the last character."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    line: Position
    column: Position
    end_line: Position
    end_column: Position
    expected: str = ""
    suggestion: str = ""


class ScriptEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One script."""

    file: str
    dialect: Literal["specification", "mlld"]
    mode: Literal["strict", "markdown"]
    errors: int
    warnings: int
    diagnostics: tuple[DiagnosticEntry, ...]


class ScriptsDocument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``sluicegate validate --format json`` writes."""

    version: Literal["1"] = "1"
    scripts: tuple[ScriptEntry, ...]


def as_text(checked: Sequence[CheckedScript]) -> str:
    """For people: place, what is wrong, the line with a mark, what was expected, a way forward."""
    lines: list[str] = []
    errors = warnings = 0
    for one in checked:
        for each in one.found:
            lines += [*told(one.script.source, each), ""]
            errors += each.severity == ERROR
            warnings += each.severity != ERROR
    names = printable(checked[0].script.source.name) if len(checked) == 1 else f"{len(checked)} scripts"
    said = ", ".join(
        f"{count} {word}{'s' * (count != 1)}"
        for count, word in ((errors, "error"), (warnings, "warning"))
        if count
    )
    lines.append(f"{names}: {said or 'nothing wrong'}")
    return no_orders("\n".join(lines) + "\n")


def told(text: SourceText, each: Diagnostic) -> list[str]:
    """One remark: its place, what is wrong, the line with a mark, what was expected, a way forward."""
    at = text.place(each.start)
    head = f"{text.name}:{at.line}:{at.column}: {each.severity}: {each.message} [{each.code}]"
    lines = wrap(printable(head), _COLUMNS, rest="  ")
    number = str(at.line)
    source = text.line(at.line).translate(_INSTEAD)
    first, last = at.column - 1, min(len(source), at.column - 1 + max(1, each.end - each.start))
    room = _COLUMNS - len(number) - 5
    if len(source) > room:  # what is marked, and some before it
        cut = max(0, first - _BEFORE)
        source = (
            ("…" if cut else "")
            + source[cut : cut + room - 2]
            + ("…" if len(source) > cut + room - 2 else "")
        )
        first, last = first - cut + bool(cut), min(last - cut + bool(cut), room)
    shown = printable(source)
    marked = max(1, width(printable(source[first:last])))
    lines.append(f"  {number} | {shown}".rstrip())
    lines.append(f"  {' ' * len(number)} | {' ' * width(printable(source[:first]))}{'^' * marked}")
    if each.expected:
        lines += wrap(f"expected {printable(each.expected)}", _COLUMNS, first="  ", rest="    ")
    if each.suggestion:
        lines += wrap(printable(each.suggestion), _COLUMNS, first="  ", rest="    ")
    return lines


def as_json(checked: Sequence[CheckedScript]) -> str:
    """For programs."""
    document = ScriptsDocument(scripts=tuple(map(_entry, checked)))
    return json_safe(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _entry(one: CheckedScript) -> ScriptEntry:
    severities = [each.severity for each in one.found]
    return ScriptEntry(
        file=scalar(one.script.source.name),
        dialect=one.script.dialect.value,
        mode=one.script.mode.value,
        errors=severities.count(ERROR),
        warnings=len(severities) - severities.count(ERROR),
        diagnostics=tuple(_diagnostic(one.script, each) for each in one.found),
    )


def _diagnostic(script: ParsedScript, each: Diagnostic) -> DiagnosticEntry:
    start, end = script.source.place(each.start), script.source.place(max(each.start, each.end))
    return DiagnosticEntry(
        code=each.code,
        severity=each.severity,  # type: ignore[arg-type]
        message=scalar(each.message),
        line=start.line,
        column=start.column,
        end_line=end.line,
        end_column=end.column,
        expected=scalar(each.expected),
        suggestion=scalar(each.suggestion),
    )


def as_sarif(checked: Sequence[CheckedScript]) -> str:
    """For code scanning services and editors: one run, with a rule for each code."""
    from urllib.parse import quote

    from sluicegate.reach.report.words import wording
    from sluicegate.reach.report.words.references import about_tool

    codes = list(CODES)
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Sluicegate",
                        "semanticVersion": wording.version(),
                        "informationUri": about_tool(),
                        "rules": [{"id": code, "shortDescription": {"text": CODES[code]}} for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(
                        quote(scalar(one.script.source.name), safe="/!-._~"),
                        _diagnostic(one.script, each),
                        codes,
                    )
                    for one in checked
                    for each in one.found
                ],
            }
        ],
    }
    return json_safe(msgspec.json.format(msgspec.json.encode(log), indent=2).decode()) + "\n"


def _result(file: str, entry: DiagnosticEntry, codes: Sequence[str]) -> dict[str, object]:
    said = ". ".join(
        part.rstrip(".")
        for part in (entry.message, entry.expected and f"Expected {entry.expected}", entry.suggestion)
        if part
    )
    region = {
        "startLine": entry.line, "startColumn": entry.column, "endLine": entry.end_line, "endColumn": entry.end_column,
    }  # fmt: skip
    return {
        "ruleId": entry.code,
        "ruleIndex": codes.index(entry.code),
        "level": entry.severity,
        "message": {"text": sarif_message(said)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}}],
    }


FORMS: Mapping[str, Callable[[Sequence[CheckedScript]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
}
