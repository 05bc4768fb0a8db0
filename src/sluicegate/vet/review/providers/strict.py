"""A JSON Schema in the part of the language that every wire enforces."""

from __future__ import annotations

from collections.abc import Mapping

_UNENFORCED = frozenset(
    {"$schema", "default", "examples", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
     "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"}
)  # fmt: skip
_NAMED = ("properties", "$defs", "definitions")


def strict(schema: object) -> object:
    """``schema`` with objects closed and all their properties required, and without what some vendors refuse.

    Vendors enforce a schema strictly only in this form. What is left out (lengths, ranges) is checked when the answer is
    read, which trusts no vendor anyway.
    """
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, object] = {}
    for key, value in schema.items():
        if key in _UNENFORCED:
            continue
        if key in _NAMED and isinstance(value, Mapping):
            made[key] = {name: strict(one) for name, one in value.items()}
        else:
            made[key] = strict(value)
    properties = made.get("properties")
    if made.get("type") == "object" or isinstance(properties, dict):
        names = list(properties) if isinstance(properties, dict) else []
        made |= {
            "type": "object",
            "properties": properties or {},
            "required": names,
            "additionalProperties": False,
        }
    return made
