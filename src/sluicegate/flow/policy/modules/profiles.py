"""Profiles: how a module degrades under what policy permits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.request import CommandView, Request, RequestHole
from sluicegate.flow.policy.rules.capabilities import CompiledLists
from sluicegate.flow.policy.rules.entries import ListEntry, read
from sluicegate.flow.policy.rules.places import Place, typical
from sluicegate.flow.policy.rules.subjects import RequestSubject, Subjects, host_tokens, subjects
from sluicegate.flow.policy.text.problems import Problem
from sluicegate.flow.policy.text.vocabulary import GATED

_PROBE: Final = "sluicegate-probe"
"""A name that no list has: what stands for "any" when a pattern asks for any."""


class Profile(Struct, frozen=True):
    """One way in which a module can work, and the capabilities it needs for that."""

    name: str
    requires: tuple[ListEntry, ...]
    description: str = ""


class SelectedProfile(Struct, frozen=True):
    """The profile to work in."""

    profile: Profile


def read_profiles(tree: Mapping[str, object]) -> tuple[Profile, ...]:
    """The profiles a tree says, in order: ``{ full = { requires = ["sh", "network"] } }``. Raises PolicyError."""
    return tuple(_profile(name, given) for name, given in tree.items())


def _profile(name: str, given: object) -> Profile:
    if not isinstance(given, Mapping) or set(given) - {"requires", "description"}:
        raise PolicyError(f"profiles.{shown(name)} is not a profile", hint='Write { requires = ["sh"] }.')
    requires, description = given.get("requires", []), given.get("description", "")
    words = list(requires) if isinstance(requires, list | tuple | Mapping) else [None]
    if not all(isinstance(word, str) for word in words) or not isinstance(description, str):
        raise PolicyError(f"profiles.{shown(name)}.requires is not a list of capabilities")
    problems: list[Problem] = []
    entries = read([str(word) for word in words], ("requires",), problems).entries
    if problems:
        raise PolicyError(f"profiles.{shown(name)}: {problems[0].message}", hint=problems[0].hint)
    return Profile(name, entries, description)


def select(profiles: Sequence[Profile], layers: Layers, *, forced: str = "") -> SelectedProfile | Denial:
    """The profile to work in.

    1. If one is forced, only that one is tried. Raises PolicyError if there is none of that name.
    2. The first, in the order of their declaration, all of whose capabilities every layer permits.
    """
    tried = list(profiles)
    if forced:  # 1
        tried = [each for each in profiles if each.name == forced]
        if not tried:
            known = ", ".join(each.name for each in profiles) or "none"
            raise PolicyError(f"there is no profile {shown(forced)}", hint=f"Declared here: {known}.")
    reasons: list[str] = []
    for profile in tried:  # 2
        missing = [entry.text for entry in profile.requires if not permits(layers, entry)]
        if not missing:
            return SelectedProfile(profile)
        reasons.append(f"{profile.name} needs {', '.join(missing)}")
    return Denial(
        code=Code.PROFILE_UNMET,
        operation="choice of a profile",
        blocked_by="Policy capabilities",
        rule="profiles",
        layer=", ".join(layer.name for layer in layers.layers),
        reason="No profile can work with what policy permits",
        suggestions=(*reasons, "Declare a profile that requires less, or change capabilities.allow"),
    )


def permits(layers: Layers, entry: ListEntry) -> bool:
    """Whether every layer permits a capability.

    Of a whole category some has to be permitted; of a pattern all that it says, with a name that no list has in
    the place of each wildcard.
    """
    if entry.category == "env" and entry.parts:
        return layers.variable(entry.parts[0])
    return all(layer.lists is None or _layer_permits(layer.lists, entry, layers) for layer in layers.layers)


def _layer_permits(lists: CompiledLists, entry: ListEntry, layers: Layers) -> bool:
    category = entry.category
    if category == "keychain":
        return category in lists.opts.whole and category not in lists.denies.whole
    if not entry.parts:
        return _some(lists, category)
    for_deny, for_allow = _probes(entry, layers.place)
    return lists.denied(for_deny) is None and lists.missing(for_allow) is None


def _some(lists: CompiledLists, category: str) -> bool:
    """Whether anything of a category is permitted."""
    allows = lists.allows
    listed = allows is not None and any(entry.category == category for entry in allows.entries)
    if category in lists.denies.whole:
        return listed and allows is not None and category not in allows.whole
    closed = allows is not None and (category in GATED or category in allows.mentioned)
    return listed or not closed


def _probes(entry: ListEntry, place: Place) -> tuple[Subjects, Subjects]:
    """What to ask a deny list and an allow list about a pattern."""
    category, parts = entry.category, entry.parts
    if category == "cmd":
        program, *rest = parts if len(parts) > 1 else (*parts, "*")
        literal = [part for part in rest if part != "*"]
        words = tuple(part for part in literal if not part.startswith("-"))
        flags = frozenset(part for part in literal if part.startswith("-"))
        asked = tuple(RequestHole() if part == "*" else part for part in rest)
        denied = CommandView("", program, tuple(literal), words, flags)
        allowed = CommandView("", program, asked, words, flags)
        return (
            subjects(Request(kind="cmd", leaves=(), command=denied)),
            subjects(Request(kind="cmd", leaves=(), command=allowed)),
        )
    if category == "fs":
        tokens = typical(parts[1], place, _PROBE)
        both = Subjects(tuple(RequestSubject("fs", tokens, mode) for mode in parts[0]))
    elif category == "network":
        both = Subjects((RequestSubject("network", host_tokens(parts[0].replace("*", _PROBE))),))
    else:
        both = Subjects((RequestSubject(category, tuple(_PROBE if part == "*" else part for part in parts)),))
    return both, both
