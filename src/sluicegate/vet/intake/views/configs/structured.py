"""Configuration documents of every format read to one shape. Never raises, whatever the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import cast

from sluicegate.vet.intake.formats import FORMATS, Kind
from sluicegate.vet.intake.views.configs.document import ConfigDocument, ConfigScalar, Path, Scalar
from sluicegate.vet.intake.views.late import late

__all__ = ["ConfigDocument", "ConfigScalar", "read_document", "scalars"]

_READERS = {row.kind: row.reader for row in FORMATS if row.reader}


@lru_cache(maxsize=8)
def read_document(text: str, kind: Kind) -> ConfigDocument:
    """The document in ``text``. For a kind that is not a configuration format: no entries, and an error."""
    reader = _READERS.get(kind)
    if reader is None:
        return ConfigDocument(entries=(), error=f"{kind.value} is not a configuration format")
    return cast("Callable[[str], ConfigDocument]", late(reader))(text)


def scalars(text: str, kind: Kind) -> list[tuple[Path, Scalar, int]]:
    """Key path, value and first line (1-based) of every scalar, in order."""
    return [(entry.path, entry.value, entry.first) for entry in read_document(text, kind).entries]
