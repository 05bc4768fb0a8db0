"""Parts of a policy: only these, or all but those.

    select(document, only=("sources", "operations"))
    select(document, only=("allow.cmd",))           one category of a list
    select(document, leave_out=("deny",))

``allow``, ``danger`` and ``deny`` stand for the lists of ``capabilities``. A part is a layer like any other, so it
can only narrow; but what is left out no longer does, and who leaves out ``deny`` should know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.rules.entries import ListEntry, read
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.schema import CapabilityLists, Policy
from sluicegate.flow.policy.text.vocabulary import CATEGORY_ALIASES, nearest

_LISTS: Final = ("allow", "danger", "deny")
_PARTS: Final = tuple(name for name in Policy.__struct_fields__ if name not in ("name", "description"))


def select(document: Document, *, only: Sequence[str] = (), leave_out: Sequence[str] = ()) -> Document:
    """A policy with only these parts, or without those. Raises PolicyError for a part that there is not."""
    kept: set[tuple[str, ...]] = _parts(only) if only else {(part,) for part in _PARTS}
    dropped = _parts(leave_out)
    given: dict[str, Any] = {
        part: getattr(document.policy, part) for part in _PARTS if any(path[0] == part for path in kept)
    }
    lists = given.get("capabilities")
    if lists is not None:
        given["capabilities"] = _narrowed(lists, kept, dropped)
    for path in dropped:
        if len(path) == 1:
            given.pop(path[0], None)
    policy = msgspec.structs.replace(Policy(), name=document.policy.name, **given)
    return replace(document, policy=policy)


def _parts(names: Sequence[str]) -> set[tuple[str, ...]]:
    """The paths that the names stand for: ``sources``, ``capabilities.allow``, ``capabilities.allow.cmd``."""
    found = set()
    for name in names:
        path = tuple(name.split("."))
        if path[0] in _LISTS:
            path = ("capabilities", *path)
        known: Sequence[str] = _PARTS
        if len(path) > 1 and path[0] == "capabilities":
            known, word = _LISTS, path[1]
        else:
            word = path[0] if len(path) == 1 else ""
        if word not in known or len(path) > 3:
            hint = nearest(word, (*_PARTS, *_LISTS))
            raise PolicyError(f"{shown(name)} is not part of a policy", hint=hint)
        found.add(path)
    return found


def _narrowed(
    lists: CapabilityLists, kept: set[tuple[str, ...]], dropped: set[tuple[str, ...]]
) -> CapabilityLists | None:
    made: dict[str, Any] = {}
    for name in _LISTS:
        given = getattr(lists, name)
        whole = ("capabilities",) in kept or ("capabilities", name) in kept
        wanted = {path[2] for path in kept if path[:2] == ("capabilities", name) and len(path) == 3}
        unwanted = {path[2] for path in dropped if path[:2] == ("capabilities", name) and len(path) == 3}
        if given is None or ("capabilities", name) in dropped or not (whole or wanted):
            continue
        if not wanted and not unwanted:
            made[name] = given
            continue
        made[name] = [
            _spelled(entry)
            for entry in read(given, ("capabilities", name), []).entries
            if _in(entry.category, wanted if not whole else None) and not _in(entry.category, unwanted)
        ]
    return msgspec.convert(made, CapabilityLists) if made else None


def _spelled(entry: ListEntry) -> str | dict[str, Any]:
    """An entry as a list spells it; one about methods has a map only."""
    if entry.methods is None:
        return entry.text
    return {entry.category: {entry.parts[0]: {"methods": list(entry.methods)}}}


def _in(category: str, names: set[str] | None) -> bool:
    """Whether a category is among the names; None stands for all of them."""
    return names is None or category in {CATEGORY_ALIASES.get(name, name) for name in names}
