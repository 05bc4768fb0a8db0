"""The other skills of the same source: what a skill may collide with, or be aimed at.

Names and descriptions are read from the first bytes of each ``SKILL.md``, before any skill is scanned, so that
every skill can be judged beside the others in whatever process it is scanned. A source with one skill costs
nothing, and in one with many each is judged beside the ``NEAR`` before it and after it, in order of their roots.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from pathlib import Path

from sluicegate.vet.inspect.rule import Sibling
from sluicegate.vet.intake.units import FolderOrigin, SpoolOrigin, Unit
from sluicegate.vet.lazy import lazy

HEAD = 4096
"""Bytes of a SKILL.md in which its name and description are looked for."""
DESCRIPTION = 600
"""Characters of a description that are kept."""
NEAR = 100
"""Skills on either side that one is judged beside: more than an agent loads at once, and bounded in time."""

_NAME = lazy(r"^name[ \t]*:[ \t]*[\"']?([^\n\"'#]{1,100})", re.MULTILINE)
_DESCRIPTION = lazy(
    r"^description[ \t]*:[ \t]*(?:[|>][+-]?[ \t]*)?([^\n]*(?:\n[ \t]{1,20}[^\n]*){0,20})", re.MULTILINE
)


def siblings_of(units: Sequence[Unit]) -> list[tuple[Sibling, ...]]:
    """For each skill of a source, what those near it say of themselves, in their order.

    A skill that cannot be read gives its folder's name alone: that it cannot be read is told where it is scanned.
    """
    if len(units) < 2:
        return [()] * len(units)
    everyone = tuple(_sibling(unit) for unit in units)
    return [
        everyone[max(0, at - NEAR) : at] + everyone[at + 1 : at + 1 + NEAR] for at in range(len(everyone))
    ]


def said(head: str) -> tuple[str, str]:
    """The name and the description in the front matter of the beginning of a SKILL.md; empty where there is none."""
    text = head.removeprefix("\ufeff")
    if not text.startswith("---"):
        return "", ""
    end = text.find("\n---", 3)
    front = text[3:] if end == -1 else text[3:end]
    name, description = _NAME.search(front), _DESCRIPTION.search(front)
    return (
        name[1].strip() if name is not None else "",
        " ".join(description[1].strip(" \"'").split())[:DESCRIPTION] if description is not None else "",
    )


def _sibling(unit: Unit) -> Sibling:
    name, description = said(_head(unit).decode("utf-8", "replace"))
    return Sibling(name=name or unit.name, root=unit.root, description=description)


def _head(unit: Unit) -> bytes:
    """The first bytes of the unit's own SKILL.md. No link is followed."""
    origin = unit.origin
    try:
        if isinstance(origin, FolderOrigin):
            path = Path(origin.folder, *posixpath.join(origin.relative, "SKILL.md").split("/"))
            if path.is_symlink() or not path.is_file():
                return b""
            with path.open("rb") as file:
                return file.read(HEAD)
        if isinstance(origin, SpoolOrigin):
            for kept in origin.files:
                if kept.path.lower() == "skill.md" and kept.size is not None:
                    with open(origin.spool, "rb") as spool:  # noqa: PTH123
                        spool.seek(kept.offset)
                        return spool.read(min(HEAD, kept.size))
    except OSError:
        return b""
    return b""
