"""Where packages are taken from: other registries, and plain addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.known import hosts
from sluicegate.vet.inspect.analyzers.purpose import describes, owner_name, promise_of
from sluicegate.vet.inspect.analyzers.structures.dependencies import (
    INSTALL,
    REQUIREMENTS,
    RUNS,
    WORD,
    declared,
)
from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    base_name,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

URL = rule(
    "url-dependency", "A dependency comes from an address, not from a registry", Category.SUPPLY_CHAIN, MEDIUM, 550,
    why="Whoever controls the address can change the package at any time, unseen by the registry.",
    fix="Depend on a released version in a registry, or pin a full commit.",
    references=("LLM03", "ASI04", "CWE-829"),
)  # fmt: skip
INDEX = rule(
    "alternative-index", "Packages are taken from another registry", Category.SUPPLY_CHAIN, HIGH, 650,
    why="Another index can serve its own package under the name of a known one (dependency confusion).",
    fix="Use the public registry, or one that you run.",
    references=("LLM03", "ASI04", "CWE-427"),
)  # fmt: skip

_INDEX = lazy(
    r"(?:--extra-index-url|--index-url|--registry|--find-links|PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_)?INDEX_URL"
    r"|NPM_CONFIG_REGISTRY|\bextra-index-url|\bindex-url|\bregistry|(?<=install )-i|\[\[(?:tool\.(?:uv|poetry|pdm)\.)?(?:index|source)\]\][^\[]{0,300}?\burl)[ \t=]{1,4}[\"']?(https?://[^\s\"'\\`]{3,200})"
)
_INDEX_WORDS = (
    "index-url",
    "INDEX_URL",
    "egistry",
    "REGISTRY",
    "find-links",
    "install -i",
    "index]]",
    "source]]",
)
_INDEX_FILES = frozenset(
    {
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
        "pip.conf",
        "pip.ini",
        "pyproject.toml",
        "uv.toml",
        "pipfile",
        "bunfig.toml",
    }
)
_URL = lazy(r"(?:git\+)?(?:https?|git|ssh)://[^\s\"'`;]{4,300}")
_COMMIT = lazy(r"[@#/][0-9a-f]{40}\b|#sha256=|@v?\d+\.\d+")
_LINE = lazy(r"^(?![ \t]{0,8}[#-])[^\n]{1,400}", re.MULTILINE)
_OPTIONS = ("-url", "-i", "--registry", "--find-links", "-f", "-r", "-c")
_COMMANDS = frozenset({Kind.SHELL, Kind.DOCKERFILE})
_TELLING = frozenset({Kind.TEXT, Kind.INI, Kind.TOML, Kind.YAML})


@structure_rule(INDEX)
def other_indexes(facts: BundleFacts) -> Iterator[Match]:
    """Another registry, in files that installers read and in commands."""
    for view in facts.views:
        if view.language not in _COMMANDS and (view.origin or not _read_by_installers(view)):
            continue
        if not any(word in view.text for word in _INDEX_WORDS):
            continue
        for found in _INDEX.finditer(view.text):
            host = foreign_host(found[1])
            if host:
                documented = any(step.kind in ("fence", "command") for step in view.origin)
                suspect = hosts.classify(found[1]) is hosts.Host.SUSPECT
                named = "egistry" in found[0] or "index-url" in found[0]
                theirs = not suspect and _declared(facts, host)
                mild = (HIGH, 550) if named and _own(facts, view) and not theirs else (MEDIUM, 600)
                severity, confidence = (
                    mild if (documented or theirs) and not suspect else (HIGH, 750 if suspect else 650)
                )
                yield Match(
                    rule=INDEX.id, view=view, start=found.start(), end=found.end(), severity=severity, confidence=confidence,
                    adjustments=weighed(INDEX, severity, confidence, f"it depends on its host ({host}) and on where it stands"),
                )  # fmt: skip
                break


def _read_by_installers(view: View) -> bool:
    name = base_name(view.path).lower()
    return view.language in _TELLING and (
        name in _INDEX_FILES or "npmrc" in name or REQUIREMENTS.match(name) is not None
    )


def _own(facts: BundleFacts, view: View) -> bool:
    """Whether a text is the SKILL.md itself, whose commands an agent runs, and not a reference beside it."""
    return facts.manifest is not None and view.path == facts.manifest.path


def _declared(facts: BundleFacts, host: str) -> bool:
    """Whether the name or the description says by name whose index this is: a company's own, for its own people."""
    name = owner_name(host)
    if facts.manifest is None or len(name) < 4 or describes(name) >= len(name) - 3:
        return False
    return name in re.sub(r"[\W_]+", "", promise_of(facts.manifest.text).declared.lower())


def foreign_host(url: str) -> str:
    """The host of an index that is neither a known registry nor local nor a placeholder; else empty."""
    if hosts.classify(url) is hosts.Host.LOCAL:
        return ""
    for _, host in hosts.urls(url):
        if not hosts.registry(host) and not any(c in host for c in "$<{") and "your" not in host:
            return host
    return ""


@structure_rule(URL)
def addresses(facts: BundleFacts) -> Iterator[Match]:
    """Packages by address."""
    for view in (*facts.raw, *(v for v in facts.shell if v.origin and "://" in v.text)):
        for start, end in _addresses(view):
            url = view.text[start:end]
            host = hosts.classify(url.removeprefix("git+"))
            pinned = _COMMIT.search(url) is not None
            if host is hosts.Host.LOCAL or (pinned and host is not hosts.Host.SUSPECT):
                continue
            severity, confidence = _weigh(host)
            yield Match(
                rule=URL.id, view=view, start=start, end=end, severity=severity, confidence=confidence,
                adjustments=weighed(URL, severity, confidence, "it depends on its host"),
            )  # fmt: skip


def _weigh(host: hosts.Host) -> tuple[Severity, int]:
    if host is hosts.Host.SUSPECT:
        return HIGH, 700
    return (MEDIUM, 550) if host is hosts.Host.UNKNOWN else (LOW, 400)


def _addresses(view: View) -> Iterator[tuple[int, int]]:
    name = base_name(view.path).lower()
    if not view.origin and REQUIREMENTS.match(name):
        for line in _LINE.finditer(view.text):
            found = _URL.search(line[0].partition(" #")[0])
            if found is not None:
                yield line.start() + found.start(), line.start() + found.end()
    elif not view.origin and name in ("package.json", "pyproject.toml") and "://" in view.text:
        for dependency in declared(view):
            found = _URL.search(dependency.rest)
            at = view.text.find(found[0], dependency.start) if found is not None else -1
            if found is not None and at != -1:
                yield at, at + len(found[0])
    elif view.language is Kind.SHELL:
        for command in _fetching(view.text):
            group = command.lastindex or 1
            for word in WORD.finditer(view.text, command.start(group), command.end(group)):
                if group == RUNS and not word[0].startswith(("-", "http", "git")):
                    break  # what follows the program's name are its own arguments
                before = view.text[max(0, word.start() - 24) : word.start()].rstrip(" =\"'")
                if _URL.match(word[0]) and not before.endswith(_OPTIONS):
                    yield word.start(), word.end()


def _fetching(text: str) -> Iterator[re.Match[str]]:
    """The commands of installers, which do not go on beyond a line, on the lines that hold an address."""
    last = 0
    while (at := text.find("://", last)) != -1:
        first, last = text.rfind("\n", last, at) + 1, text.find("\n", at)
        last = len(text) if last == -1 else last
        yield from INSTALL.finditer(text, first, last)
