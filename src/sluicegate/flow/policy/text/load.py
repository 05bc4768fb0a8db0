"""Reading policies: from files, from the standard ones that are shipped, from a tree of plain values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.shipped import shipped
from sluicegate.flow.policy.text.check import problems
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.positions import Lines
from sluicegate.flow.policy.text.problems import PolicyProblems
from sluicegate.flow.policy.text.schema import KEY_ALIASES, Policy
from sluicegate.flow.policy.text.shape import misshapen
from sluicegate.flow.policy.text.tree import SUFFIXES, check_bounds, parse, parse_file, plain
from sluicegate.flow.policy.text.vocabulary import nearest
from sluicegate.record.errors import NoHomeError
from sluicegate.record.user import without_tilde

STANDARD: Final = ("production", "development", "sandbox", "agent")
"""The standard policies."""

_PREFIX: Final = "sluicegate:"


def text_of_standard(name: str) -> str:
    """The text of a standard policy, ``production`` or ``sluicegate:production``. Raises PolicyError."""
    plain_name = name.removeprefix(_PREFIX)
    if plain_name not in STANDARD:
        hint = nearest(plain_name, STANDARD)
        if plain_name and name == plain_name:
            hint = f"{hint} A policy of your own is named by its file, such as ./{plain_name[:40]}.toml."
        raise PolicyError(f"there is no standard policy {shown(plain_name)}", hint=hint)
    return shipped(f"standard/{plain_name}.toml")


def standard(name: str) -> Document:
    """A standard policy. Raises PolicyError for any other name."""
    return _standard(_PREFIX + name.removeprefix(_PREFIX))


@cache
def _standard(called: str) -> Document:
    tree = parse(text_of_standard(called), notation="toml", name=called)
    return from_tree(tree.root, name=called, lines=tree.lines)


def is_standard(name: str) -> bool:
    """Whether a name is that of a standard policy, and no file's."""
    return name.startswith(_PREFIX) or ("/" not in name and Path(name).suffix.lower() not in SUFFIXES)


def load(name: str, *, base: Path) -> Document:
    """The policy of a name: a standard one, or a file (relative to ``base``).

    A name without ``/`` and without a suffix of a policy's file is a standard policy. Raises PolicyError.
    """
    if is_standard(name):
        return standard(name)
    try:
        path = without_tilde(name)
    except NoHomeError as error:
        raise PolicyError(f"{shown(name)} names no file: {error.message}", hint=error.hint) from None
    return load_file(path if path.is_absolute() else base / path, shown_as=name)


def load_file(path: Path, *, shown_as: str = "") -> Document:
    """The policy in a TOML, YAML or JSON file. Raises PolicyError."""
    name = plain(shown_as or str(path))
    tree = parse_file(path, name=name)
    return from_tree(tree.root, name="", file=name, lines=tree.lines)


def from_tree(root: object, *, name: str, file: str = "", lines: Lines | None = None) -> Document:
    """The policy that a tree of plain values says.

    ``name`` is what it is called if it does not say so itself. Raises PolicyProblems with everything that is
    wrong with it, and PolicyError when it is too large to look at.
    """
    where = file or name or "policy"
    found_lines = lines if lines is not None else {}
    check_bounds(root, name=where)
    tree = _renamed(root)
    wrong = misshapen(tree, Policy)
    if wrong:
        raise PolicyProblems(where, wrong, found_lines)
    policy = msgspec.convert(tree, Policy)
    if msgspec.structs.replace(policy, name="", description="") == Policy():
        raise PolicyError(
            f"{where} says nothing, so it would permit everything",
            hint="Begin with [defaults] or [capabilities]; 'sluicegate policy show production' shows one.",
        )
    wrong = problems(policy)
    if wrong:
        raise PolicyProblems(where, wrong, found_lines)
    called = policy.name or name or Path(file).stem
    return Document(policy=policy, name=called, file=file, lines=found_lines)


def _renamed(root: object) -> object:
    """The tree with each key under the one name that the schema knows."""
    if not isinstance(root, Mapping):
        return root
    tree = dict(root)
    for (table, old), new in KEY_ALIASES.items():
        inner = tree.get(table)
        if isinstance(inner, dict) and old in inner and new not in inner:
            tree[table] = {(new if key == old else key): value for key, value in inner.items()}
    return tree
