"""What a name claims a file to be. Only a claim: ``kinds`` holds it against the content."""

from __future__ import annotations

from sluicegate.vet.intake.agent_files import is_named_hook
from sluicegate.vet.intake.formats import Kind, by_word

SUFFIXES = by_word("suffixes")
NAMES = by_word("names")

LICENCES = ("license", "licence", "copying", "unlicense", "notice", "copyright", "ofl", "eula")
"""What the name of a licence file begins with, lower case."""

DATA_SUFFIXES = frozenset(
    {
        "json", "jsonl", "csv", "tsv", "dat", "data", "log", "tmp", "bak", "cache", "db", "xml", "toml",
        "lock", "map", "snap", "po", "properties", "ini", "cfg", "txt",
    }
)  # fmt: skip
"""Suffixes under which nobody expects a program."""


def suffix_of(name: str) -> str:
    """What follows the last dot of a lower-case base name; empty when there is none or nothing before it."""
    stem, dot, suffix = name.rpartition(".")
    return suffix if dot and stem else ""


def base_name(path: str) -> str:
    """The last part of a path, lower case."""
    return path[path.rfind("/") + 1 :].lower()


def claimed_kind(path: str) -> Kind | None:
    """What the name claims the file to be; None when the name claims nothing that we know."""
    name = base_name(path)
    known = NAMES.get(name)
    if known is not None:
        return known
    suffix = suffix_of(name)
    if suffix == "sample" or name.startswith(("dockerfile.", "containerfile.", "makefile.")):
        return NAMES.get(name.partition(".")[0])
    if name.startswith(".env."):
        return Kind.INI
    if is_named_hook(name):
        return Kind.JSON
    if suffix in ("example", "template", "dist", "in", "sample"):
        return claimed_kind(name[: -len(suffix) - 1]) if name.count(".") > 1 else None
    return SUFFIXES.get(suffix)
