"""The form of a reviewer's answer: what ``verdict.replies`` reads as whole, as types and as JSON Schema.

The order of the fields is the order in which a model writes them: what it saw comes before what it decides. Every field is
required and no other is allowed, and nothing but types and closed lists of words is asked: what the wires of all vendors
take. An answer is read by ``verdict.replies``, which trusts none of this.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from sluicegate.vet.verdict.consensus import Role

VerdictWord = Literal["SAFE", "SUSPICIOUS", "MALICIOUS"]
SeverityWord = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]


class FindingAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An opinion on one finding."""

    id: str
    note: str
    confidence: float
    verdict: VerdictWord


class AddedAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that the scanner did not find."""

    path: str
    line: int
    note: str
    severity: SeverityWord
    confidence: float


class ReviewAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a reviewer of findings, or of the whole skill, answers."""

    summary: str
    findings: tuple[FindingAnswer, ...]
    added: tuple[AddedAnswer, ...]
    injection: bool
    injection_evidence: str
    overall: VerdictWord


class DetectorAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an injection detector answers."""

    injection_evidence: str
    injection: bool


ANSWERS: dict[Role, type[Struct]] = {
    Role.FINDINGS: ReviewAnswer,
    Role.SKILL: ReviewAnswer,
    Role.DETECTOR: DetectorAnswer,
}


def answer_schema(role: Role) -> dict[str, Any]:
    """The JSON Schema of a role's answer: one object, without references, every object closed and every field required."""
    (root,), definitions = msgspec.json.schema_components([ANSWERS[role]], ref_template="{name}")
    inlined: dict[str, Any] = _inlined(root, definitions)
    return inlined


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"]], definitions)
    plain = {
        key: {name: _inlined(each, definitions) for name, each in value.items()}
        if key == "properties"
        else _inlined(value, definitions)
        for key, value in schema.items()
        if key not in ("title", "description")
    }
    return {"type": "string", **plain} if "enum" in plain else plain
