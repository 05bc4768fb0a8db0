"""What ``sluicegate policy`` prints: explanations, results of tables, layers; for people at 80 columns, and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from sluicegate.flow.denial import Denial
from sluicegate.flow.policy.questions.explain import Explanation, LayerAnswer
from sluicegate.flow.policy.questions.sketch import RefusedCommand
from sluicegate.flow.policy.questions.table import Outcome, word_for
from sluicegate.flow.policy.text.check import remarks
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.problems import dotted, line_of
from sluicegate.flow.policy.text.schema import Policy, SessionRules
from sluicegate.reach.report.escape import json_safe, printable

_WIDTH = 80
_COLUMN = 20


def checked(document: Document) -> str:
    """A policy that is well formed: what it holds, and what in it has no effect."""
    lines = [printable(f"{document.file or document.name}: {_summary(document.policy)}")]
    for each in remarks(document.policy):
        line = line_of(each.path, document.lines)
        place = f"{document.file or document.name}:{line}" if line else document.file or document.name
        lines += _wrapped(f"{place}: {dotted(each.path)}: {each.message}. {each.hint}", "  ", "    ")
    return "\n".join(lines) + "\n"


def _summary(policy: Policy) -> str:
    """What a policy holds, in a few words."""
    parts = []
    given = policy.capabilities
    if given is not None:
        lists = [key for key in ("allow", "danger", "deny") if getattr(given, key) is not None]
        parts.append(f"capabilities ({', '.join(lists) or 'empty'})")
    if policy.defaults.rules:
        parts.append(f"{_count(len(policy.defaults.rules), 'built-in rule')}")
    for key, word in (("labels", "label rule"), ("operations", "operation"), ("sources", "source")):
        found = getattr(policy, key)
        if found:
            parts.append(_count(len(found), word))
    if policy.data:
        parts.append(_count(len(policy.data), "place of data"))
    ruled = sum(map(len, policy.arguments.values()))
    if ruled:
        parts.append(_count(ruled, "argument rule"))
    if policy.auth:
        parts.append(_count(len(policy.auth), "credential"))
    if policy.defaults.unlabeled:
        parts.append(f"unlabeled is {policy.defaults.unlabeled}")
    others = [key for key in ("privilege", "keychain", "env") if getattr(policy, key) is not None]
    if policy.session != SessionRules():
        others.append("session")
    return ", ".join([*parts, *others]) or "no rule about operations"


def _count(number: int, word: str) -> str:
    first, _, rest = word.partition(" of ")
    plural = first if number == 1 else f"{first}s"
    return f"{number} {plural}{' of ' + rest if rest else ''}"


def explained(found: Sequence[Explanation]) -> str:
    """The explanation of everything that an operation does, one after the other."""
    if len(found) == 1:
        return _explained(found[0])
    denied = sum(isinstance(each.decision, Denial) for each in found)
    word = "DENIED" if denied else "ALLOWED"
    head = f"{word:<10}{len(found)} things happen, {denied or 'none'} of them {'is' if denied == 1 else 'are'} denied"
    return "\n".join([*_wrapped(head, "", " " * 10), "", *(_explained(each) for each in found)])


def _explained(found: Explanation) -> str:
    """An explanation: the decision first, then every layer with its steps, then the way forward."""
    denial = found.decision if isinstance(found.decision, Denial) else None
    word = "DENIED" if denial else "ALLOWED"
    lines = _wrapped(f"{word:<10}{found.operation}", "", " " * 10)
    lines += _wrapped(f"data      [{', '.join(found.labels)}]", "", " " * 10)
    lines += _wrapped(f"operation [{', '.join(found.operation_labels)}]", "", " " * 10)
    for said in found.layers:
        lines += ["", *_layer(said)]
    if denial is not None:
        lines += ["", *_wrapped(denial.reason, "Why   ", " " * 6)]
        for at, text in enumerate(denial.suggestions):
            lines += _wrapped(text, "Try   " if not at else " " * 6, " " * 8)
    if not found.layers:
        lines += ["", "No layer is in force."]
    return "\n".join(lines) + "\n"


def _layer(said: LayerAnswer) -> list[str]:
    verdict = f"denies at step {said.refused_by}" if said.refused_by else "permits"
    place = f" ({said.file})" if said.file and said.file != said.name else ""
    lines = _wrapped(f"{said.name}{place}: {verdict}", "", "  ")
    for step in said.steps:
        mark = "x" if step.refuses else " "
        head = f"{mark} {step.number} {step.title}".ljust(_COLUMN)
        for at, remark in enumerate(step.remarks):
            first = head if not at else " " * _COLUMN
            text = f"{remark.text}  [{remark.place}]" if remark.place else remark.text
            lines += _wrapped(text, first, " " * (_COLUMN + 2))
    return lines


def explained_json(found: Sequence[Explanation]) -> str:
    """The explanation of everything that an operation does, for programs."""
    denied = any(isinstance(each.decision, Denial) for each in found)
    return _json({
        "schema": "sluicegate-policy-explanation-1",
        "decision": "deny" if denied else "allow",
        "requests": [_explanation(each) for each in found],
    })  # fmt: skip


def _explanation(found: Explanation) -> dict[str, Any]:
    return {
        "operation": found.operation,
        "labels": list(found.labels),
        "operation_labels": list(found.operation_labels),
        "decision": "deny" if isinstance(found.decision, Denial) else "allow",
        "denial": _denial(found.decision) if isinstance(found.decision, Denial) else None,
        "layers": [
            {
                "name": said.name,
                "file": said.file,
                "permits": not said.refused_by,
                "refused_by_step": said.refused_by or None,
                "operation_labels": list(said.operation_labels),
                "steps": [
                    {
                        "number": step.number,
                        "title": step.title,
                        "refuses": step.refuses,
                        "remarks": [{"text": remark.text, "place": remark.place} for remark in step.remarks],
                    }
                    for step in said.steps
                ],
            }
            for said in found.layers
        ],
    }


def tested(outcomes: Sequence[tuple[str, Sequence[Outcome]]]) -> str:
    """The results of tables: every difference in full, then the count."""
    lines: list[str] = []
    total = wrong = 0
    for file, found in outcomes:
        total += len(found)
        for each in found:
            if not each.differences:
                continue
            wrong += 1
            lines += _wrapped(f"{file}:{each.line}: {each.expect.operation}", "", "  ")
            lines += _wrapped(f"with [{', '.join(each.expect.labels)}]", "  ", "    ")
            for text in each.differences:
                lines += _wrapped(text, "  ", "    ")
            if isinstance(each.decision, Denial):
                told = f"{each.decision.code}: {each.decision.rule}; {each.decision.layer}"
                lines += _wrapped(told, "  ", "    ")
            elif isinstance(each.decision, RefusedCommand):
                lines += _wrapped(each.decision.message, "  ", "    ")
            if each.expect.because:
                lines += _wrapped(f"expected because {each.expect.because}", "  ", "    ")
            lines.append("")
    lines.append(f"{total - wrong} of {total} decisions are as expected.")
    return "\n".join(lines) + "\n"


def tested_json(outcomes: Sequence[tuple[str, Sequence[Outcome]]]) -> str:
    """The results of tables for programs."""
    return _json({
        "schema": "sluicegate-policy-test-1",
        "tables": [
            {
                "file": file,
                "decisions": [
                    {
                        "line": each.line,
                        "operation": each.expect.operation,
                        "labels": list(each.expect.labels),
                        "expected": each.expect.decision,
                        "decision": word_for(each.decision),
                        "denial": _denial(each.decision) if isinstance(each.decision, Denial) else None,
                        "differences": list(each.differences),
                    }
                    for each in found
                ],
            }
            for file, found in outcomes
        ],
    })  # fmt: skip


def shown_layers(documents: Sequence[Document]) -> str:
    """The layers in force, in order."""
    if not documents:
        return (
            "No policy is in force: everything is permitted.\nBegin with [flow] policy in sluicegate.toml.\n"
        )
    lines = ["Every layer is asked, and all have to permit. The first gives credentials.", ""]
    for at, document in enumerate(documents, start=1):
        place = f" ({document.file})" if document.file and document.file != document.name else ""
        lines += _wrapped(f"{document.name}{place}", f"{at:>2} ", "   ")
        if document.policy.description:
            lines += _wrapped(document.policy.description, "   ", "   ")
        lines += _wrapped(_summary(document.policy), "   ", "   ")
    return "\n".join(lines) + "\n"


def shown_json(documents: Sequence[Document]) -> str:
    """The layers in force for programs, each with what it says."""
    import msgspec

    return _json({
        "schema": "sluicegate-policy-layers-1",
        "layers": [
            {"name": each.name, "file": each.file, "policy": msgspec.to_builtins(each.policy)} for each in documents
        ],
    })  # fmt: skip


def _denial(denial: Denial) -> dict[str, Any]:
    return {
        "code": str(denial.code),
        "blocked_by": denial.blocked_by,
        "rule": denial.rule,
        "layer": denial.layer,
        "reason": denial.reason,
        "labels": list(denial.labels),
        "operation_labels": list(denial.operation_labels),
        "suggestions": list(denial.suggestions),
    }


def _json(document: dict[str, Any]) -> str:
    return json_safe(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    """Text on lines of at most 80 columns, with nothing in it that steers a terminal."""
    safe = printable(text)
    return textwrap.wrap(
        safe, _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    ) or [first.rstrip()]
