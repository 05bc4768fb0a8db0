"""How a label is written, and what it speaks of."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from sluicegate.flow.errors import LabelError

SOURCES: Final = (
    "mcp",
    "exec",
    "file",
    "dynamic",
    "user",
    "network",
    "env",
    "skill",
    "prompt",
    "earlier",
    "mcp-client",
)
"""The sources the model names; ``src:env:<provider>`` has a third segment. The last four are of agents: a skill that was loaded,
a prompt that nobody is known to have typed, what an agent had taken in before anybody looked, and the client of an MCP gateway."""

ORIGINS: Final = frozenset({"src", "dir", "llm", "influenced"})
"""First segments of labels that say where a value came from."""

_FACTS = frozenset({"src", "dir"})
_PROTECTED = ORIGINS | {"secret", "sensitive", "untrusted"}
_LONGEST, _LONGEST_DIRECTORY = 200, 16_384


class LabelCategory(StrEnum):
    """What a label speaks of."""

    TRUST = "trust"
    SENSITIVITY = "sensitivity"
    RISK = "risk"
    INFLUENCE = "influence"
    PROVENANCE = "provenance"
    OPERATION = "operation"
    CUSTOM = "custom"


_CATEGORIES: Final = {
    "trusted": LabelCategory.TRUST,
    "untrusted": LabelCategory.TRUST,
    "sensitive": LabelCategory.SENSITIVITY,
    "secret": LabelCategory.SENSITIVITY,
    "exfil": LabelCategory.RISK,
    "destructive": LabelCategory.RISK,
    "privileged": LabelCategory.RISK,
    "influenced": LabelCategory.INFLUENCE,
    "src": LabelCategory.PROVENANCE,
    "dir": LabelCategory.PROVENANCE,
    "llm": LabelCategory.PROVENANCE,
    "op": LabelCategory.OPERATION,
}


def head(name: str) -> str:
    """The first segment of a label."""
    return name.partition(":")[0]


def covers(prefix: str, name: str) -> bool:
    """Whether ``prefix`` is ``name``, or whole segments of its beginning, or ``*``."""
    return prefix == name or prefix == "*" or name.startswith(f"{prefix}:")


def category(name: str) -> LabelCategory:
    """What the label speaks of; whatever has no meaning of its own here is CUSTOM."""
    return _CATEGORIES.get(head(name), LabelCategory.CUSTOM)


def is_origin(name: str) -> bool:
    """Whether the label says where a value came from: ``src:...``, ``dir:...``, ``llm``, ``influenced``."""
    return head(name) in ORIGINS


def is_factual(name: str) -> bool:
    """Whether the label records a fact of origin, ``src:...`` or ``dir:...``; clearing keeps these."""
    return head(name) in _FACTS


def is_protected(name: str) -> bool:
    """Whether taking the label away would hide a secret, a distrust or an origin (part 4.3)."""
    return head(name) in _PROTECTED


def check(name: str) -> str:
    """The label itself, if it is well formed.

    Segments are joined by ``:`` and are not empty. A label holds no blank, no ``,``, ``!`` or ``*`` (they
    have a meaning where labels are written) and nothing that does not print. Of these, ``dir:`` labels are
    only held to: no blank, nothing that does not print.

    Raises ``LabelError``, also for a label that only looks like one with a meaning (``Secret``).
    """
    first, *rest = name.split(":")
    directory = first == "dir"
    if not name.isprintable() or any(char in name for char in (" " if directory else " ,!*")):
        raise LabelError(
            f"{shown(name)} is not a label: it holds a blank, or a character that labels do not have",
            hint="write segments joined by colons, as in secret, net:w or src:mcp",
        )
    if not first or not all(rest):
        raise LabelError(f"{shown(name)} is not a label: a segment is empty", hint="write it as in net:w")
    longest = _LONGEST_DIRECTORY if directory else _LONGEST
    if len(name) > longest:
        raise LabelError(f"{shown(name)} is not a label: it is longer than {longest} characters")
    _check_meaning(name, first, rest)
    return name


def _check_meaning(name: str, first: str, rest: list[str]) -> None:
    """Refuse what looks like a label with a meaning and would have none. Raises ``LabelError``."""
    meant = first.casefold()
    if meant != first and meant in _CATEGORIES:
        raise LabelError(f"{shown(name)} is not {meant}", hint="these labels are written in small letters")
    if first == "src" and rest and rest[0] not in SOURCES and rest[0].casefold() in SOURCES:
        raise LabelError(f"{shown(name)} is not src:{rest[0].casefold()}", hint="write it in small letters")
    if rest and category(name) is LabelCategory.TRUST:
        raise LabelError(f"{shown(name)} is not a label: {first} has no parts", hint=f"write {first}")


def shown(name: str) -> str:
    """A name for a message: quoted, cut to 60 characters, and nothing in it that does not print."""
    return repr(written(name))


def written(name: str, most: int = 60) -> str:
    """A name that somebody else chose, as a part of a text: cut, and nothing in it that does not print."""
    text = name if len(name) <= most else f"{name[:most]}..."
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)
