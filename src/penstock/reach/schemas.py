"""The JSON Schemas that are published: generated from the types that do the decoding, never by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping


def report_schema() -> str:
    """The schema of ``--format json``."""
    from penstock.reach.report.model import schema

    return schema()


def settings_schema() -> str:
    """The schema of ``penstock.toml`` and of ``[tool.penstock]``."""
    import msgspec

    from penstock.reach.settings import Settings

    document = msgspec.json.schema(Settings)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "penstock settings",
        **document,
    }
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


SCHEMAS: Mapping[str, Callable[[], str]] = {"report": report_schema, "settings": settings_schema}
