"""Known vulnerabilities of pinned packages, asked of OSV, and only when the user said that the network may be used.

1. Package files, lock files and install commands give names with exact versions; what has no exact version cannot be
   looked up, and is what ``unpinned-dependency`` is about.
2. They are asked for in batches; an answer names the ids of advisories for each.
3. Each advisory is fetched once for its severity.
4. No answer, or one that cannot be read, is a gap: a check that was asked for and did not happen never looks like
   a check that found nothing.

What leaves the machine: names, versions and ecosystems of packages, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from sluicegate.vet.inspect.analyzers.structures.dependencies import declared, installed
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, base_name
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, RuleKind, Subject, by_id
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Gap, GapReason, Severity

_T = TypeVar("_T")

ADDRESS = "https://api.osv.dev"
"""The service. The only place in which it stands."""
TIMEOUT = 20.0
"""Seconds that one request may take."""
ANSWER = 16 * 1024 * 1024
"""Bytes of one answer that are read; a longer one is an error."""
BATCH = 500
"""Packages of one request; the service allows 1,000."""
PACKAGES = 2_000
"""Packages of one bundle that are asked for; what is beyond is a gap."""
ADVISORIES = 200
"""Advisories of one bundle whose severity is fetched; the others count as MEDIUM."""
LOCK = 2 * 1024 * 1024
"""Characters of a lock file that is read."""

VULNERABLE = Rule(
    id="vulnerable-dependency",
    title="A pinned package has known vulnerabilities",
    category=Category.SUPPLY_CHAIN,
    severity=Severity.MEDIUM,
    confidence=800,
    kind=RuleKind.STRUCTURE,
    why="What is published about this version tells anyone how to attack whoever installs it; or the package itself was "
    "published to do harm.",
    fix="Pin a version in which it is repaired. Remove a package that was reported as malicious.",
    references=("LLM03", "ASI04", "CWE-1395"),
)
_WEIGHTS: Mapping[str, tuple[Severity, int]] = {
    "CRITICAL": (Severity.HIGH, 700),
    "HIGH": (Severity.MEDIUM, 700),
    "MODERATE": (Severity.LOW, 700),
    "MEDIUM": (Severity.LOW, 700),
    "LOW": (Severity.LOW, 400),
}
"""A weakness in a package is not an attack by the skill: each counts one step less than it was rated."""
_MALICIOUS = (Severity.CRITICAL, 900)
_UNRATED = (Severity.MEDIUM, 600)

_VERSION = lazy(r"\d[\w.+!-]{0,60}")
_NPM_LOCK = frozenset({"package-lock.json", "npm-shrinkwrap.json"})
_PYTHON_LOCK = frozenset({"poetry.lock", "uv.lock", "pdm.lock"})
_ECOSYSTEMS = {"pypi": "PyPI", "npm": "npm"}


class LookupFailed(Exception):
    """The service could not be asked, or its answer could not be read; the message says why, without addresses."""


class Service(Protocol):
    """Where advisories are asked for. The network enters here and nowhere else."""

    def send(self, path: str, body: bytes | None) -> bytes:
        """The answer to a POST of ``body``, or to a GET when it is None. Raises LookupFailed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpService:
    """The service over HTTP. Follows no redirect; reads at most ``ANSWER`` bytes."""

    address: str = ADDRESS
    timeout: float = TIMEOUT

    def send(self, path: str, body: bytes | None) -> bytes:
        """One request; any failure of the network or of the service is LookupFailed."""
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import HTTPRedirectHandler, Request, build_opener

        class Stay(HTTPRedirectHandler):
            def redirect_request(self, *_: object, **__: object) -> None:
                return None

        headers = {"Content-Type": "application/json", "User-Agent": "sluicegate"}
        request = Request(self.address + path, data=body, headers=headers)  # noqa: S310  # the address is ours
        try:
            with build_opener(Stay).open(request, timeout=self.timeout) as answer:
                data: bytes = answer.read(ANSWER + 1)
        except HTTPError as error:
            code = error.code
            error.close()
            raise LookupFailed(f"the service answered {code}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise LookupFailed(f"the service cannot be reached ({type(error).__name__})") from None
        if len(data) > ANSWER:
            raise LookupFailed("the answer is longer than it may be")
        return data


class _Id(msgspec.Struct):
    id: str


class _Result(msgspec.Struct):
    vulns: list[_Id] = []


class _Batch(msgspec.Struct):
    results: list[_Result]


class _Rated(msgspec.Struct):
    severity: str = ""


class _Advisory(msgspec.Struct):
    id: str
    summary: str = ""
    withdrawn: str = ""
    database_specific: _Rated = msgspec.field(default_factory=_Rated)


@dataclass(frozen=True, slots=True, order=True)
class _Package:
    ecosystem: str
    name: str
    version: str


class OsvAnalyzer:
    """Looks pinned packages up. Answers are kept for as long as the analyzer lives: one scan of many skills asks once."""

    rules: Mapping[str, Rule] = by_id((VULNERABLE,))

    def __init__(self, service: Service | None = None) -> None:
        self._service = service or HttpService()
        self._known: dict[_Package, tuple[str, ...]] = {}
        self._advisories: dict[str, _Advisory] = {}

    def inspect(self, subject: Subject) -> Inspected:
        """One match for each vulnerable package, at the first place that names it."""
        places: dict[_Package, tuple[View, int, int]] = {}
        for package, view, start, end in _packages(BundleFacts(subject)):
            places.setdefault(package, (view, start, end))
        asked = sorted(places)[:PACKAGES]
        gaps: list[Gap] = []
        if len(asked) < len(places):
            detail = f"{len(places) - len(asked)} packages were not looked up: more than {PACKAGES}"
            gaps.append(Gap(path="", reason=GapReason.ANALYSIS_LIMIT, detail=detail))
        try:
            self._ask([package for package in asked if package not in self._known])
            matches = [m for p in asked if self._known.get(p) for m in self._match(p, *places[p])]
        except LookupFailed as error:
            detail = f"packages were not looked up for known vulnerabilities: {error}"
            gap = Gap(path="", reason=GapReason.ANALYSIS_FAILED, detail=detail)
            return Inspected(gaps=(*gaps, gap))
        return Inspected(matches=tuple(matches), gaps=tuple(gaps))

    def _ask(self, packages: Sequence[_Package]) -> None:
        for at in range(0, len(packages), BATCH):  # 2
            part = packages[at : at + BATCH]
            queries = [
                {"package": {"name": p.name, "ecosystem": p.ecosystem}, "version": p.version} for p in part
            ]
            answer = self._service.send("/v1/querybatch", msgspec.json.encode({"queries": queries}))
            results = _decode(answer, _Batch).results
            if len(results) != len(part):
                raise LookupFailed("the answer does not fit the question")
            for package, result in zip(part, results, strict=True):
                self._known[package] = tuple(sorted({found.id for found in result.vulns}))

    def _advisory(self, name: str) -> _Advisory:
        if name not in self._advisories:  # 3
            if len(self._advisories) >= ADVISORIES or re.fullmatch(r"[A-Za-z0-9._-]{3,64}", name) is None:
                return _Advisory(id=name)
            self._advisories[name] = _decode(self._service.send(f"/v1/vulns/{name}", None), _Advisory)
        return self._advisories[name]

    def _match(self, package: _Package, view: View, start: int, end: int) -> Iterator[Match]:
        found = [a for a in map(self._advisory, self._known[package]) if not a.withdrawn]
        if not found:
            return
        worst = max(found, key=_weight)
        severity, confidence = _weight(worst)
        listed = ", ".join(a.id for a in found[:6])
        yield Match(
            rule=VULNERABLE.id,
            view=view,
            start=start,
            end=end,
            evidence=f"{package.name} {package.version}: {listed}",
            message=f"{package.name} {package.version} ({package.ecosystem}): {listed}. {worst.summary[:160]}",
            severity=severity,
            confidence=confidence,
            adjustments=("the worst advisory rates it so",),
            trace=(
                f"package={package.ecosystem} {package.name} {package.version}",
                *(f"advisory={a.id}" for a in found),
            ),
        )


def _weight(advisory: _Advisory) -> tuple[Severity, int]:
    if advisory.id.startswith("MAL-"):
        return _MALICIOUS
    return _WEIGHTS.get(advisory.database_specific.severity.upper(), _UNRATED)


def _decode(data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise LookupFailed(f"the answer cannot be read ({type(error).__name__})") from None


def _packages(facts: BundleFacts) -> Iterator[tuple[_Package, View, int, int]]:  # 1
    for view in facts.raw:
        yield from _locked(view)
    asked = [d for view in facts.raw for d in declared(view)]
    asked += [d for view in facts.shell for d in installed(view)]
    for found in asked:
        version = _VERSION.search(found.rest) if found.exact and "://" not in found.rest else None
        if version is not None:
            package = _Package(_ECOSYSTEMS[found.ecosystem], found.name, version[0])
            yield package, found.view, found.start, found.end


def _locked(view: View) -> Iterator[tuple[_Package, View, int, int]]:
    name = base_name(view.path).lower()
    if name not in _NPM_LOCK | _PYTHON_LOCK or len(view.text) > LOCK:
        return
    from sluicegate.vet.intake.bundle import Kind
    from sluicegate.vet.intake.views.configs.structured import read_document

    npm = name in _NPM_LOCK
    current = ""
    for entry in read_document(view.text, Kind.JSON if npm else Kind.TOML).entries:
        path, value = entry.path, str(entry.value)
        if npm and len(path) == 3 and path[0] == "packages" and path[2] == "version":
            current = str(path[1]).rpartition("node_modules/")[2]
        elif not npm and len(path) == 3 and path[0] == "package" and path[2] == "name":
            current = value
            continue
        elif npm or len(path) != 3 or path[0] != "package" or path[2] != "version":
            continue
        if current and _VERSION.fullmatch(value):
            at = view.text.find(current)
            yield (
                _Package("npm" if npm else "PyPI", current, value),
                view,
                max(0, at),
                max(1, at + len(current)),
            )
