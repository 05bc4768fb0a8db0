"""Where lock files and the manifests of languages say that packages are to be fetched from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.known import hosts
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.analyzers.structures.indexes import foreign_host
from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
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
from sluicegate.vet.verdict.types import Category

LOCKED = rule(
    "locked-address", "A lock file or manifest fetches packages from an unknown host", Category.SUPPLY_CHAIN, HIGH, 600,
    why="Installers trust the addresses in a lock file, and nobody reads them. A package under a known name can come from anywhere.",
    fix="Write the lock file again against the public registry, or say in the description which registry it is and why.",
    references=("LLM03", "ASI04", "CWE-829", "CWE-494"),
)  # fmt: skip

_ADDRESS = r"(https?://[^\s\"'`<>]{4,300})"
_SOURCES: tuple[tuple[tuple[str, ...], str, re.Pattern[str]], ...] = (
    (("package-lock.json", "npm-shrinkwrap.json"), "resolved", lazy(rf'"resolved"\s{{0,4}}:\s{{0,4}}"{_ADDRESS}')),
    (("yarn.lock", "bun.lock"), "resol", lazy(rf'resol(?:ved|ution):?\s{{1,4}}"[^"\n]{{0,120}}?{_ADDRESS}')),
    (
        ("bun.lock",), "://",
        lazy(rf'\[\s{{0,20}}"(?:@[^"\n/]{{1,80}}/)?[^"\n@]{{1,120}}@(?:"\s{{0,8}},\s{{0,20}}"|[^"\n]{{1,120}}"\s{{0,8}},\s{{0,20}}"|){_ADDRESS}'),
    ),
    (("pnpm-lock.yaml",), "tarball", lazy(rf"tarball:\s{{0,4}}[\"']?{_ADDRESS}")),
    (("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"), "url", lazy(rf'\burl\s{{0,4}}=\s{{0,4}}"{_ADDRESS}')),
    (("uv.lock",), "registry", lazy(rf'registry\s{{0,4}}=\s{{0,4}}"{_ADDRESS}')),
    (("Pipfile", "Pipfile.lock"), "url", lazy(rf'"?url"?\s{{0,4}}[:=]\s{{0,4}}"{_ADDRESS}')),
    (
        ("pyproject.toml", "*.py"),
        "tool.",
        lazy(rf"(?m)^[# \t]{{0,8}}\[\[?tool\.(?:uv|poetry|pdm)[\w.]{{0,20}}\]\]?[^\[]{{0,300}}?\b(?:url|index-url|find-links)\s{{0,4}}=\s{{0,4}}\[?[\"']{_ADDRESS}"),
    ),
    (("Gemfile", "*.gemspec", "gems.rb"), "://", lazy(rf"(?m)^\s{{0,8}}(?:source|gem\b[^\n]{{0,120}}(?:git|source):?)\s{{0,4}}(?:=>)?\s{{0,4}}\(?[\"']{_ADDRESS}")),
    (("Gemfile.lock",), "remote", lazy(rf"(?m)^\s{{1,8}}remote:\s{{1,4}}{_ADDRESS}")),
    (("composer.json", "composer.lock"), '"url"', lazy(rf'"url"\s{{0,4}}:\s{{0,4}}"{_ADDRESS}')),
    (("Cargo.toml", "Cargo.lock", "config.toml"), "://", lazy(rf'\b(?:index|registry|git|source)\s{{0,4}}=\s{{0,4}}"(?:sparse\+|registry\+|git\+)?{_ADDRESS}')),
    (("nuget.config", "NuGet.config", "NuGet.Config"), "<add", lazy(rf'<add\s[^>\n]{{0,120}}value="{_ADDRESS}')),
    (
        ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        "://",
        lazy(rf"\burl\s{{0,4}}[=(]?\s{{0,4}}(?:uri\()?[\"']{_ADDRESS}"),
    ),
    ((".yarnrc.yml",), "Server", lazy(rf"npmRegistryServer:\s{{0,4}}[\"']?{_ADDRESS}")),
    (("environment.yml", "environment.yaml", ".condarc"), "://", lazy(rf"(?m)^\s{{0,8}}-\s{{1,4}}{_ADDRESS}")),
)  # fmt: skip
"""Names of files (``*`` stands for what is in front of a suffix), a word without which nothing is looked for, and where the address stands."""
_REPLACED = lazy(
    r"(?m)^\s{0,8}(?:replace\s{1,4})?[\w.~/-]{3,120}(?:\s{1,4}v[\w.+-]{1,60})?\s{1,4}=>\s{1,4}((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12})/[\w.~/-]{1,160}"
)
_GO_HOSTS = frozenset(
    {
        "golang.org",
        "gopkg.in",
        "google.golang.org",
        "k8s.io",
        "sigs.k8s.io",
        "go.uber.org",
        "cloud.google.com",
    }
)
_REGISTRIES = lazy(
    r"(?:^|\.)(?:pythonhosted\.org|rubygems\.org|rubyonrails\.org|golang\.org|crates\.io|packagist\.org|maven\.org|apache\.org|gradle\.org|google\.com"
    r"|nuget\.org|deno\.land|esm\.sh|conda\.io|anaconda\.com|bitbucket\.org|githubusercontent\.com|jitpack\.io|sonatype\.org|spring\.io|jetbrains\.com)$"
)
_FEW = 3
"""Matches of one file: one host is one finding."""


@structure_rule(LOCKED)
def locked(facts: BundleFacts) -> Iterator[Match]:
    """Foreign hosts in the files that package managers read."""
    stated = Stated(facts.views)
    for view in facts.raw:
        seen: dict[str, tuple[int, int]] = {}
        for start, end, host in _addresses(view):
            if host not in seen and len(seen) < _FEW:
                seen[host] = (start, end)
        for host, (start, end) in seen.items():
            severity, confidence = (MEDIUM, 500) if stated.explains(host) else (HIGH, 600)
            yield Match(
                rule=LOCKED.id, view=view, start=start, end=end, severity=severity, confidence=confidence,
                message=f"Packages are fetched from {host}. {LOCKED.why}",
                adjustments=weighed(LOCKED, severity, confidence, "the skill says whose host it is"),
            )  # fmt: skip


def _addresses(view: View) -> Iterator[tuple[int, int, str]]:
    name = base_name(view.path)
    if name in ("go.mod", "go.work") and "=>" in view.text:
        for found in _REPLACED.finditer(view.text):
            host = found[1].lower()
            if host not in hosts.CODE_HOSTS and host not in _GO_HOSTS and not _REGISTRIES.search(host):
                yield *found.span(), host
        return
    for names, word, pattern in _SOURCES:
        if not any(name == each or (each[0] == "*" and name.endswith(each[1:])) for each in names):
            continue
        if word not in view.text or (view.language is Kind.PYTHON and "# ///" not in view.text):
            continue
        for found in pattern.finditer(view.text):
            host = foreign_host(found[1])
            if host and host not in hosts.CODE_HOSTS and not _REGISTRIES.search(host):
                yield *found.span(), host
