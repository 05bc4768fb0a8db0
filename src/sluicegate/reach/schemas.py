"""The JSON Schemas that are published: generated from the types that do the decoding, never by hand."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any


def report_schema() -> str:
    """The schema of ``--format json``."""
    from sluicegate.reach.report.json.model import schema

    return schema()


def settings_schema() -> str:
    """The schema of ``sluicegate.toml`` and of ``[tool.sluicegate]``."""
    import msgspec

    from sluicegate.flow.policy.text.schema import Policy
    from sluicegate.flow.project import FlowSection
    from sluicegate.reach.settings import Settings
    from sluicegate.reach.settings_queue import QueueSection

    (scan, flow, policy, queue), definitions = msgspec.json.schema_components(
        [Settings, FlowSection, Policy, QueueSection], ref_template="#/$defs/{name}"
    )
    root = definitions[scan["$ref"].rpartition("/")[2]]
    root["properties"] |= {"flow": flow, "policy": policy, "queue": queue}
    return _published("sluicegate settings", {**scan, "$defs": _with_categories(definitions)})


def policy_schema() -> str:
    """The schema of a policy, in TOML, YAML or JSON."""
    import msgspec

    from sluicegate.flow.policy.text.schema import Policy

    document = msgspec.json.schema(Policy)
    return _published("sluicegate policy", {**document, "$defs": _with_categories(document["$defs"])})


def table_schema() -> str:
    """The schema of a table of expected decisions (``sluicegate policy test``)."""
    import msgspec

    from sluicegate.flow.policy.questions.table import Table

    return _published("sluicegate policy table", msgspec.json.schema(Table))


def packages_schema() -> str:
    """The schema of what ``sluicegate mediate`` writes."""
    import msgspec

    from sluicegate.reach.mediated import MediatedSource

    return _published("sluicegate packages for reviewers", msgspec.json.schema(MediatedSource))


def queue_schema() -> str:
    """The schema of what ``sluicegate queue list``, ``show`` and ``flags`` write with ``--format json``."""
    import msgspec

    from sluicegate.reach.queue_json import QueueDocument

    return _published("sluicegate queue", msgspec.json.schema(QueueDocument))


def mcp_schema() -> str:
    """The schemas of what the tools of ``sluicegate mcp`` answer, by the names of the types."""
    import msgspec

    from sluicegate.reach.mcp.server.answers import ANSWERS

    forms, definitions = msgspec.json.schema_components(ANSWERS, ref_template="#/$defs/{name}")
    return _published("sluicegate answers to agents", {"anyOf": list(forms), "$defs": definitions})


def scripts_schema() -> str:
    """The schema of ``sluicegate validate --format json``."""
    import msgspec

    from sluicegate.reach.report.script_checks import ScriptsDocument

    return _published("sluicegate scripts", msgspec.json.schema(ScriptsDocument))


def _with_categories(definitions: dict[str, Any]) -> dict[str, Any]:
    """The definitions, with the categories of capabilities as the only keys of their maps."""
    from sluicegate.flow.policy.text.vocabulary import CATEGORIES, CATEGORY_ALIASES

    names = {"enum": sorted({*CATEGORIES, *CATEGORY_ALIASES})}
    lists = definitions["CapabilityLists"]["properties"]
    for each in lists.values():
        for form in each["anyOf"]:
            for map_form in (form, form.get("items", {}), *form.get("items", {}).get("anyOf", ())):
                if map_form.get("type") == "object":
                    map_form["propertyNames"] = names
    return definitions


def _published(title: str, document: dict[str, Any]) -> str:
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps({**head, **described(document)}, indent=2, sort_keys=True) + "\n"


def described(document: dict[str, Any]) -> dict[str, Any]:
    """The schema with its descriptions as people read them.

    They come from docstrings, which Python keeps as they are written, and since 3.13 without their indentation.
    """

    def clean(name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: clean(key, each) for key, each in value.items()}
        if isinstance(value, list):
            return [clean("", each) for each in value]
        return inspect.cleandoc(value) if name == "description" and isinstance(value, str) else value

    return {key: clean(key, each) for key, each in document.items()}


SCHEMAS: Mapping[str, Callable[[], str]] = {
    "report": report_schema,
    "settings": settings_schema,
    "policy": policy_schema,
    "policy-table": table_schema,
    "packages": packages_schema,
    "queue": queue_schema,
    "mcp": mcp_schema,
    "scripts": scripts_schema,
}
