"""What a module depends on: commands and packages.

This is about what is installed, not about what is permitted: a need gives nothing and takes nothing away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.modules.versions import Ecosystem, satisfies
from sluicegate.flow.policy.text.vocabulary import nearest

_RUNTIMES: Final = {"sh": "sh", "node": "node", "python": "python3", "py": "python3"}
_NOTHING: Final = ("js", "network", "filesystem")
"""Words that name no package and no command; a module may list them, and they are always there."""
_KINDS: Final = ("cmd", *_RUNTIMES, *_NOTHING)


class Need(Struct, frozen=True):
    """One dependency: a command, or a package with a constraint on its version (empty: any)."""

    kind: str
    name: str
    constraint: str = ""

    @property
    def text(self) -> str:
        """The need for people."""
        return f"{self.kind}: {self.name} {self.constraint}".rstrip()


class InstalledPackages(Protocol):
    """What is there."""

    def command(self, name: str) -> bool:
        """Whether a command is found."""
        ...

    def package(self, ecosystem: Ecosystem, name: str) -> str | None:
        """The version of a package, or None if it is not there."""
        ...


def read_needs(tree: Mapping[str, object] | Sequence[str]) -> tuple[Need, ...]:
    """The needs a tree says: ``{ node = ["express@^4.0.0"], cmd = ["git"], sh = true }``. Raises PolicyError."""
    given = dict.fromkeys(tree) if not isinstance(tree, Mapping) else tree
    found: list[Need] = []
    for kind, value in given.items():
        if kind not in _KINDS:
            raise PolicyError(f"needs: there is no kind {shown(kind)}", hint=nearest(kind, _KINDS))
        if kind in _RUNTIMES:
            found.append(Need("cmd", _RUNTIMES[kind]))
        if value is None or value is True:
            continue
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise PolicyError(f"needs.{kind} is not a list of names", hint='Write needs.cmd = ["git", "jq"].')
        found += [_need(kind, item) for item in value]
    return tuple(dict.fromkeys(found))


def _need(kind: str, text: str) -> Need:
    if kind == "cmd":
        if re.fullmatch(r"[\w.+@-]{1,100}", text):
            return Need("cmd", text)
    elif kind in ("python", "py"):
        match = re.fullmatch(r"([A-Za-z0-9][\w.-]*)\s*([=!~<>].*)?", text)
        if match and len(text) <= 200:
            satisfies("1", match[2] or "", "python")
            return Need("python", match[1], (match[2] or "").strip())
    elif kind == "node":
        match = re.fullmatch(r"((?:@[\w.-]+/)?[\w.-]+)(?:@(.+))?", text)
        if match and len(text) <= 200:
            satisfies("1", match[2] or "", "node")
            return Need("node", match[1], (match[2] or "").strip())
    raise PolicyError(f"needs.{kind}: {shown(text)} names nothing", hint="Write a name, then a constraint.")


def unmet(needs: Sequence[Need], installed: InstalledPackages) -> Denial | None:
    """The denial that names every need that is not there; None when all are."""
    missing = [each for each in needs if not _met(each, installed)]
    if not missing:
        return None
    return Denial(
        code=Code.DEPENDENCY_UNMET,
        operation="load of a module",
        blocked_by="Needs",
        rule=f"needs lists {', '.join(each.text for each in missing)}",
        reason="What the module depends on is not installed",
        suggestions=tuple(_advice(each, installed) for each in missing),
    )


def _met(need: Need, installed: InstalledPackages) -> bool:
    if need.kind == "cmd":
        return installed.command(need.name)
    ecosystem: Ecosystem = "python" if need.kind == "python" else "node"
    version = installed.package(ecosystem, need.name)
    return version is not None and satisfies(version, need.constraint, ecosystem)


def _advice(need: Need, installed: InstalledPackages) -> str:
    if need.kind == "cmd":
        return f"Install the command {need.name}, or put it on the search path"
    ecosystem: Ecosystem = "python" if need.kind == "python" else "node"
    version = installed.package(ecosystem, need.name)
    has = f" (found: {version})" if version is not None else ""
    return f"Install the {need.kind} package {need.name} {need.constraint}".rstrip() + has
