"""Files that a text names without their names: what a tool reads by itself, what a folder stands for, what is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from sluicegate.known.commands.own_files import COMPOSED, OWN_FILES
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

_BESIDE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(COMPOSED.split(), (".env",)),
    "tasks.json": ("settings.json", "launch.json"),
    "launch.json": ("settings.json", "tasks.json"),
}
"""What is read together with a file of this name."""
_STANDS_FOR = frozenset(
    {
        *(file for program in ("make", "docker", "cmake", "cargo", "pip") for file in OWN_FILES[program].runs or ()),
        *COMPOSED.split(), "package.json", "action.yml", "action.yaml", "index.js", "index.mjs", "index.cjs", "index.ts",
        "__init__.py", "__main__.py", "main.py", "mod.rs", "chart.yaml", "main.tf", "kustomization.yaml",
    }
)  # fmt: skip
"""What a folder stands for where a program is given the folder."""
_IMPORTS = lazy(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]{0,4000}\)|[^\n]*)|import[ \t]+([^\n]*))",
    re.MULTILINE,
)
_AT_RUN_TIME = ("import_module", "__import__", "runpy", "exec_module", "spec_from", "require", "import")
_QUOTED = lazy(r"['\"`]([\w@.~/-]{1,200})['\"`]")
_PART = lazy(r"[\w-]+")


def read_by_tools(words: Set[str], name: str) -> set[str]:
    """Names of files that the programs among these words read by themselves, and those that go with a file of this name; a
    star in one stands for anything."""
    found = {file for word in words & OWN_FILES.keys() for file in OWN_FILES[word].every}
    return found.union(_BESIDE.get(name.casefold(), ()))


def folders(text: str, words: Set[str]) -> set[str]:
    """Which of these words, in lower case, a text names as folders: ``./sub``, ``sub/``, ``make -C sub``."""
    if not words:
        return set()
    low = text.casefold()
    return {
        word for word in words
        if re.search(rf"(?:[/\\]|-c\s*|--directory[= ]){re.escape(word)}(?![\w-])|(?<![\w-]){re.escape(word)}/(?!\w)", low)
    }  # fmt: skip


def stands_for_folder(name: str) -> bool:
    """Whether a file of this name is what is read where its folder is named."""
    return name.casefold() in _STANDS_FOR


def imported(text: str, language: Kind) -> Iterator[str]:
    """The stems under which a program may import others of the bundle; many mean nothing in it."""
    if language is Kind.PYTHON:
        for module, names, plain in _IMPORTS.findall(text):
            yield from _parts((module, names, plain))
    if any(word in text for word in _AT_RUN_TIME):
        quoted = _QUOTED.findall(text)
        yield from _parts(quoted)


def _parts(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _PART.findall(text.casefold())
