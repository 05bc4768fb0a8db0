"""Packages that the skill depends on, or tells to install."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures import names
from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
    LOW,
    BundleFacts,
    base_name,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Category

UNPINNED = rule(
    "unpinned-dependency", "Dependencies are not pinned", Category.SUPPLY_CHAIN, LOW, 400,
    why="Without exact versions, what is installed tomorrow is not what was looked at today.",
    fix="Pin versions, best with hashes or a lock file.",
    references=("LLM03", "ASI04", "CWE-1357"),
)  # fmt: skip
TYPOSQUAT = rule(
    "typosquat-dependency", "A dependency has almost the name of a popular package", Category.SUPPLY_CHAIN, HIGH, 650,
    why="Packages named one slip away from popular ones are published to be installed by mistake.",
    fix="Check the spelling. If the name is meant, find out who publishes it.",
    references=("LLM03", "ASI04", "CWE-829"),
)  # fmt: skip

PER_VIEW = 2_000
"""Packages of one text that are looked at."""
DOCUMENT = 512 * 1024
"""Characters of a package file that are read by keys."""

REQUIREMENTS = seldom(
    "requirement constraints".split(),
    r"(?i)^(?:[\w.-]{0,40}requirements?[\w.-]{0,40}|constraints)\.(?:txt|in)$",
)
INSTALL = lazy(
    r"(?:\bpip3?|\buv pip|\bpipx|\buv tool|\buv)[ \t]{1,8}(?:install|add|inject)[ \t]{1,8}([^\n;|&#`]{1,400})"
    r"|\b(?:npm|pnpm|yarn|bun)[ \t]{1,8}(?:install|i|add)[ \t]{1,8}([^\n;|&#`]{1,400})"
    r"|\b(?:npx|bunx|uvx)[ \t]{1,8}([^\n;|&#`]{1,200})"
)
"""A command that installs or fetches packages; the group that matched holds its words."""
RUNS = 3
"""The group of a command that fetches one package and runs it with the rest of the words."""
WORD = lazy(r"[^\s\"']+")

_REQUIREMENT = lazy(
    r"^[ \t]{0,20}([A-Za-z0-9][\w.-]{0,80})(?:\[[^\]\n]{0,80}\])?[ \t]{0,20}([^#\n]{0,200})", re.MULTILINE
)
_PACKAGE = lazy(r"(@[\w.-]{1,80}/)?[A-Za-z0-9][\w.-]{0,80}(?=$|[@=<>~!\[;])")
_TAKES_VALUE = frozenset(
    "-r -c -e --requirement --constraint --index-url -i --extra-index-url --registry --prefix -t --target --python -p --package".split()
)
_LOCKS = frozenset(
    {
        "package-lock.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
        "bun.lockb",
        "uv.lock",
        "poetry.lock",
        "pdm.lock",
    }
)


class Dependency(NamedTuple):
    """One package that is asked for: its name, the rest of what is asked, and where."""

    name: str
    rest: str
    ecosystem: str
    view: View
    start: int
    end: int
    declared: bool

    @property
    def exact(self) -> bool:
        """Whether one version and no other is asked for."""
        rest = self.rest.strip()
        if self.ecosystem == "npm":
            return rest[:1].isdigit() or "://" in rest or rest.startswith(("file:", "workspace:", "link:"))
        return "==" in rest or "@" in rest or (rest[:1].isdigit() and rest.count(".") == 2)


def declared(view: View) -> Iterator[Dependency]:
    """The packages that a package file declares; none for any other file."""
    name = base_name(view.path).lower()
    if REQUIREMENTS.match(name):
        for found in _REQUIREMENT.finditer(view.text):
            yield Dependency(found[1], found[2], "pypi", view, found.start(1), found.end(), True)
    elif name in ("package.json", "pyproject.toml") and len(view.text) <= DOCUMENT:
        yield from _document(view)


def _document(view: View) -> Iterator[Dependency]:
    from sluicegate.vet.intake.views.configs.structured import read_document

    npm = view.language is Kind.JSON
    at = 0
    for entry in read_document(view.text, view.language).entries:
        keys = [part for part in entry.path if isinstance(part, str)]
        asked = _npm(keys, str(entry.value)) if npm else _python(keys, str(entry.value))
        if asked is None:
            continue
        place = view.text.find(asked[0], at)
        at = place if place != -1 else at
        yield Dependency(asked[0], asked[1], "npm" if npm else "pypi", view, at, at + len(asked[0]), True)


def _npm(keys: list[str], value: str) -> tuple[str, str] | None:
    return (keys[1], value) if len(keys) == 2 and keys[0].lower().endswith("dependencies") else None


def _python(keys: list[str], value: str) -> tuple[str, str] | None:
    """Name and version of an entry of pyproject.toml that asks for a package."""
    if "poetry" in keys and "dependencies" in keys[:-1]:
        at = keys.index("dependencies") + 1
        plain = len(keys) == at + 1 or keys[at + 1] in ("version", "git", "url")
        return (keys[at], value) if plain and keys[at] != "python" else None
    lists = (
        keys[-1:] == ["dependencies"] or "optional-dependencies" in keys or keys[:1] == ["dependency-groups"]
    )
    if not lists and keys != ["build-system", "requires"]:
        return None
    found = _REQUIREMENT.match(value[:400])
    return (found[1], found[2]) if found is not None else None


def installed(view: View) -> Iterator[Dependency]:
    """The packages that commands of a shell text install."""
    text = view.text
    if (
        "install" not in text
        and " add " not in text
        and "npx" not in text
        and "uvx" not in text
        and "bunx" not in text
        and " i " not in text
    ):
        return
    for found in INSTALL.finditer(text):
        group = found.lastindex or 1
        ecosystem = "pypi" if group == 1 or text.startswith("uvx", found.start()) else "npm"
        skip = False
        for word in WORD.finditer(text, found.start(group), found.end(group)):
            if skip or word[0].startswith("-"):
                skip = not skip and word[0] in _TAKES_VALUE
                continue
            package = _PACKAGE.match(word[0])
            if package is not None and "/" not in word[0].removeprefix(package[1] or ""):
                name, rest = package[0], word[0][package.end() :]
                yield Dependency(name, rest, ecosystem, view, word.start(), word.start() + len(name), False)
            if group == RUNS:
                break


def _dependencies(facts: BundleFacts) -> Iterator[Dependency]:
    for view in facts.raw:
        yield from facts.first(view, declared(view), PER_VIEW, "packages")
    for view in facts.shell:
        yield from facts.first(view, installed(view), PER_VIEW, "packages")


@structure_rule(TYPOSQUAT, UNPINNED)
def packages(facts: BundleFacts) -> Iterator[Match]:
    """Names that imitate, and declared packages without a version."""
    loose: dict[str, list[Dependency]] = {}
    seen: set[tuple[str, str, str]] = set()
    for found in _dependencies(facts):
        key = (found.view.path, found.name, found.ecosystem)
        if key not in seen:
            seen.add(key)
            imitation = names.imitated(found.name, found.ecosystem)
            if imitation is not None:
                severity, confidence = imitation.severity, imitation.confidence
                yield Match(
                    rule=TYPOSQUAT.id, view=found.view, start=found.start, end=found.end, evidence=found.name,
                    message=f"{found.name} is almost {imitation.popular} ({imitation.how}). {TYPOSQUAT.why}",
                    severity=severity, confidence=confidence,
                    adjustments=weighed(TYPOSQUAT, severity, confidence, imitation.how),
                )  # fmt: skip
        if found.declared and not found.exact and not _locked(facts, found.view.path):
            loose.setdefault(found.view.path, []).append(found)
    for path in sorted(loose):
        first = loose[path][0]
        listed = ", ".join(dependency.name for dependency in loose[path][:8])
        yield Match(
            rule=UNPINNED.id, view=first.view, start=first.start, end=first.end, evidence=listed,
            message=f"No exact version: {listed}. {UNPINNED.why}",
            trace=tuple(f"package={dependency.name}" for dependency in loose[path]),
        )  # fmt: skip


def _locked(facts: BundleFacts, path: str) -> bool:
    folder = path[: len(path) - len(base_name(path))]
    return any(folder + lock in facts.artifacts for lock in _LOCKS)
