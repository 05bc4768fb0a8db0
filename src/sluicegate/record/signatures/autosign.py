"""What is signed without being asked: the author's own, untainted words, and nothing else.

A signature says "these are instructions that their author wrote". Text that came from anywhere else, was shaped
by a model, or is secret (the signature of a template holds its text) must never get one by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from msgspec import Struct

_FROM_A_FILE = ("src:file", "dir:")


class Autosign(Struct, frozen=True, kw_only=True):
    """What the policy asks for: all templates, and values whose names match one of the globs (without ``@``)."""

    templates: bool = False
    variables: tuple[str, ...] = ()


class Sign(Struct, frozen=True):
    """Sign it."""


class Leave(Struct, frozen=True, kw_only=True):
    """Leave it unsigned, and why."""

    reason: str


def autosign(rule: Autosign, *, name: str, template: bool, labels: Iterable[str]) -> Sign | Leave:
    """Whether the policy's wish applies to a value.

    1. The rule asks for it: a template, or a name that matches.
    2. No label but ``trusted`` and, beside ``trusted``, those of a file (``src:file``, ``dir:…``): the words are
       the author's own, or come from a file that the policy trusts. Any other label, known or not, refuses.
    """
    plain = name.removeprefix("@")
    if not (template and rule.templates) and not any(
        fnmatchcase(plain, glob.removeprefix("@")) for glob in rule.variables
    ):  # 1
        return Leave(reason="the policy does not ask for it")
    present = set(labels)
    foreign = present - {"trusted"}
    if "trusted" in present:
        foreign = {label for label in foreign if not _of_a_file(label)}
    if foreign:  # 2
        return Leave(reason=f"not the author's own untainted words: {', '.join(sorted(foreign))}")
    return Sign()


def _of_a_file(label: str) -> bool:
    source, directory = _FROM_A_FILE
    return label == source or label.startswith(directory)
