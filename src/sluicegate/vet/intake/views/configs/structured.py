"""Configuration documents of every format read to one shape. Never raises, whatever the text."""

from __future__ import annotations

from functools import lru_cache

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.configs.document import Document, Entry, Path, Scalar
from sluicegate.vet.intake.views.configs.read_json import read_json
from sluicegate.vet.intake.views.configs.read_lines import read_ini, read_toml
from sluicegate.vet.intake.views.configs.read_plist import read_plist
from sluicegate.vet.intake.views.configs.read_yaml import read_yaml

__all__ = ["Document", "Entry", "read_document", "scalars"]

_READERS = {
    Kind.JSON: read_json,
    Kind.NOTEBOOK: read_json,
    Kind.YAML: read_yaml,
    Kind.TOML: read_toml,
    Kind.INI: read_ini,
    Kind.PLIST: read_plist,
}


@lru_cache(maxsize=8)
def read_document(text: str, kind: Kind) -> Document:
    """The document in ``text``. For a kind that is no configuration format: no entries, and an error."""
    reader = _READERS.get(kind)
    if reader is None:
        return Document(entries=(), error=f"{kind.value} is not a configuration format")
    return reader(text)


def scalars(text: str, kind: Kind) -> list[tuple[Path, Scalar, int]]:
    """Key path, value and first line (1-based) of every scalar, in order."""
    return [(entry.path, entry.value, entry.first) for entry in read_document(text, kind).entries]
