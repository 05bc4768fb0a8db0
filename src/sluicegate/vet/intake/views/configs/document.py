"""A configuration document as a flat, ordered list of scalars with their key paths and lines."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple

Scalar = str | int | float | bool | None
Path = tuple[str | int, ...]

DEPTH_MOST = 100
"""Containers inside each other; a deeper document is read up to there and is not complete."""
ENTRIES_MOST = 50_000
"""Scalars and containers of one document; of a longer one the rest is not read, and it is not complete."""


class ConfigScalar(NamedTuple):
    """One scalar: ``path`` of keys and indexes, its value, its first and last line (1-based, inclusive)."""

    path: Path
    value: Scalar
    first: int
    last: int

    @property
    def key(self) -> str:
        """The last key of the path that is a name; ``""`` when there is none."""
        for part in reversed(self.path):
            if isinstance(part, str):
                return part
        return ""


class ConfigDocument(NamedTuple):
    """The entries in order. ``error`` says in words why the reading is not complete; ``""`` when it is."""

    entries: tuple[ConfigScalar, ...]
    error: str = ""

    @property
    def complete(self) -> bool:
        """Whether all of the document was read and it is well formed."""
        return not self.error
