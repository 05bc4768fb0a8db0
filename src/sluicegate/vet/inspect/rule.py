"""The nouns of inspection: a rule, a match, and what an analyzer is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Category, EvidenceKind, Finding, Gap, Severity

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms


class RuleKind(StrEnum):
    """The three kinds of rule, and no more."""

    PATTERN = "pattern"
    FLOW = "flow"
    STRUCTURE = "structure"


class Rule(NamedTuple):
    """What to look for, and what to tell people about it.

    ``confidence`` in thousandths. ``languages`` names the views a pattern rule runs over: names of ``Kind``
    or the groups ``prose``, ``code``, ``config``, ``any``. ``references`` are OWASP, MITRE ATLAS and CWE ids
    (``LLM01``, ``ASI01``, ``AML.T0051``, ``CWE-94``). ``stated`` is what kind of evidence the rule finds, where that is
    not what its kind and languages say.
    """

    id: str
    title: str
    category: Category
    severity: Severity
    confidence: int
    kind: RuleKind
    why: str
    fix: str
    references: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("any",)
    custom: bool = False
    stated: EvidenceKind | None = None

    @property
    def evidence_kind(self) -> EvidenceKind:
        """What a finding of this rule rests on: as stated, else told from the kind of rule and where it looks.

        A pattern that looks only where people write (prose, settings, comments and texts of programs) finds words.
        """
        if self.stated is not None:
            return self.stated
        if self.kind is RuleKind.PATTERN:
            return EvidenceKind.WORDS if _WRITTEN.issuperset(self.languages) else EvidenceKind.COMMAND
        return EvidenceKind.FLOW if self.kind is RuleKind.FLOW else EvidenceKind.STRUCTURE


_WRITTEN = frozenset({"prose", "config", "program"})


def flow_rule(
    id: str,
    title: str,
    category: Category,
    severity: Severity,
    confidence: int,
    why: str,
    fix: str,
    *references: str,
    languages: tuple[str, ...],
) -> Rule:
    """A flow rule, written in the order in which people read one."""
    return Rule(
        id=id,
        title=title,
        category=category,
        severity=severity,
        confidence=confidence,
        kind=RuleKind.FLOW,
        why=why,
        fix=fix,
        references=references,
        languages=languages,
    )


class Match(NamedTuple):
    """A rule that matched, before it becomes a finding.

    Either ``view`` with ``start`` and ``end`` (characters of its text, end exclusive), or ``path`` alone for
    a match on a whole artifact or on something that is not an artifact. ``evidence`` defaults to the
    matched text. ``confidence`` and ``severity`` replace the rule's own where the analyzer knows better;
    then ``adjustments`` must say why.

    ``trace`` holds the constants on which the match rests, each behind its role (``source=~/.aws/credentials``,
    ``url=https://...``, ``command=...``), in any order: a fingerprint covers them as it does the evidence, so what
    was accepted is not accepted with another of them. No line numbers, and no names that mean nothing outside.
    ``places`` are other places, of this text or another, whose statements it rests on, and ``files`` are the paths of
    files of which it rests on every statement, and on what they name. ``found`` are numbers of the subject's findings: it
    rests on all that these rest on.
    """

    rule: str
    view: View | None = None
    start: int = 0
    end: int = 0
    path: str = ""
    evidence: str = ""
    message: str = ""
    confidence: int | None = None
    severity: Severity | None = None
    adjustments: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    places: tuple[tuple[View, int, int], ...] = ()
    files: tuple[str, ...] = ()
    found: tuple[int, ...] = ()


class Capability(NamedTuple):
    """What code in the bundle can do: ``net:HOST``, ``fs:r:GLOB``, ``fs:w:GLOB``, ``cmd:NAME``, ``env:NAME``.

    ``name`` is the whole string, ``*`` standing for what could not be determined; ``path`` and ``line`` say
    where it was seen first.
    """

    name: str
    path: str
    line: int


class Sibling(NamedTuple):
    """Another skill of the source: its declared name (its folder's, where it declares none), its root, what it says
    it is for."""

    name: str
    root: str
    description: str


class Subject(NamedTuple):
    """What every analyzer is given: the bundle and all of its views, raw ones first.

    ``capabilities`` and ``findings`` are what the analyzers that ran before this one found, so that one which
    compares intent with behaviour can stand after those which see behaviour. ``siblings`` are the other skills
    of the same source. ``programs`` is what the analyzers of flows know together of the programs of the bundle.
    """

    bundle: Bundle
    views: tuple[View, ...]
    limits: Limits = Limits()
    capabilities: tuple[Capability, ...] = ()
    findings: tuple[Finding, ...] = ()
    siblings: tuple[Sibling, ...] = ()
    programs: BundlePrograms | None = None


class Inspected(NamedTuple):
    """What an analyzer gives back. A gap says what it did not look at."""

    matches: tuple[Match, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Analyzer(Protocol):
    """One way of looking. Pure: the same subject gives the same result."""

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by id."""
        ...

    def inspect(self, subject: Subject) -> Inspected:
        """Look at all views of the subject. Never raises for anything the subject contains."""
        ...


def strongest(found: Iterable[Match], most: int) -> list[Match]:
    """At most so many matches, the strongest of them, in the order in which they were found."""
    matches = list(found)
    if len(matches) <= most:
        return matches

    def weight(at: int) -> tuple[int, int]:
        return -(matches[at].severity or 0), -(matches[at].confidence or 0)

    return [matches[at] for at in sorted(sorted(range(len(matches)), key=weight)[:most])]


def by_id(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Rules by id; raises ValueError when two share one."""
    table: dict[str, Rule] = {}
    for rule in rules:
        if rule.id in table:
            raise ValueError(f"two rules are called {rule.id}")
        table[rule.id] = rule
    return table
