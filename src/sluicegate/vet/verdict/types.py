"""The nouns a verdict is made of.

This room imports nothing but the standard library's pure parts, and what makes named tuples: no I/O, no clock, no
randomness, no logging. Everything here is frozen, slotted and keyword-only. Confidence is an integer number of
thousandths everywhere (0 to 1000), so that no arithmetic of a verdict ever meets a float.
"""

from __future__ import annotations

from datetime import date
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review
    from sluicegate.vet.verdict.ruling import Rulings


class _Named(IntEnum):
    """Numbers for arithmetic, names for people: ``print`` and f-strings show ``SAFE``, and not ``0`` (which ``:d`` shows)."""

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec) if spec.endswith("d") else format(self.name, spec)


class Severity(_Named):
    """How bad it is if the finding is true. The order of the numbers is the order of badness."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    CRITICAL = 3


class Band(_Named):
    """A range of scores: LOW 0..20, MEDIUM 21..50, HIGH 51..80, CRITICAL 81..100."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    CRITICAL = 3


class Decision(_Named):
    """What to do. A larger number is never safer, so ``max`` of two decisions is the stricter one."""

    SAFE = 0
    CAUTION = 1
    DO_NOT_INSTALL = 2


class Category(StrEnum):
    """The family of a rule. ``REVIEWER_MANIPULATION`` alone decides: see ``decision``."""

    PROMPT_INJECTION = "prompt-injection"
    HIDDEN_INSTRUCTION = "hidden-instruction"
    REVIEWER_MANIPULATION = "reviewer-manipulation"
    PROMPT_LEAK = "prompt-leak"
    ANTI_REFUSAL = "anti-refusal"
    MEMORY_POISONING = "memory-poisoning"
    SOCIAL_ENGINEERING = "social-engineering"
    HARMFUL_CONTENT = "harmful-content"
    EXFILTRATION = "exfiltration"
    CREDENTIAL_ACCESS = "credential-access"
    HARDCODED_SECRET = "hardcoded-secret"
    REMOTE_CODE = "remote-code"
    DANGEROUS_CODE = "dangerous-code"
    DESTRUCTIVE = "destructive"
    MALWARE = "malware"
    OBFUSCATION = "obfuscation"
    PERSISTENCE = "persistence"
    SELF_MODIFICATION = "self-modification"
    PRIVILEGE_ESCALATION = "privilege-escalation"
    EXCESSIVE_AGENCY = "excessive-agency"
    AGENT_CONFIGURATION = "agent-configuration"
    TOOL_MISUSE = "tool-misuse"
    TRIGGER_ABUSE = "trigger-abuse"
    LEAST_PRIVILEGE = "least-privilege"
    DISGUISE = "disguise"
    UNICODE_DECEPTION = "unicode-deception"
    SUPPLY_CHAIN = "supply-chain"
    NETWORK = "network"
    RESOURCE_ABUSE = "resource-abuse"
    INTAKE = "intake"
    CUSTOM = "custom"


class EvidenceKind(StrEnum):
    """What a finding rests on. Words alone never block: see ``score.by_kind``.

    A flow of data from a source to a sink; a command or call that does the deed; a structure (manifest, hook, file that
    is not what it says); words, in prose or in the comments and texts of programs, that only talk of it.
    """

    FLOW = "flow"
    COMMAND = "command"
    STRUCTURE = "structure"
    WORDS = "words"


class Author(StrEnum):
    """Who says so: one of our rules, a rule the user loaded, or a model (whose word can only raise)."""

    RULE = "rule"
    USER_RULE = "user-rule"
    MODEL = "model"


class Location(NamedTuple):
    """Where a finding stands.

    ``path`` is the artifact (``outer.zip!/inner.sh`` for a member of an archive); lines are 1-based and
    inclusive, in the artifact, and 0 where it has none (a link, machine code); ``origin`` is how the inspected
    text was derived from the artifact, outermost step first (``("fence bash", "base64")``), empty for the raw text.
    """

    path: str
    start_line: int
    end_line: int
    origin: tuple[str, ...] = ()

    @property
    def begin(self) -> str:
        """``path:12``, or the path alone where the artifact has no lines. Untrusted text, as the path is."""
        return f"{self.path}:{self.start_line}" if self.start_line > 0 else self.path


class Finding(NamedTuple):
    """A rule that matched. ``evidence`` is untrusted text: escape it wherever it is shown.

    ``adjustments`` states, in words, every reason for which ``confidence`` differs from the rule's own.
    ``also`` holds the other places of the same match (same fingerprint).
    """

    rule: str
    title: str
    category: Category
    kind: EvidenceKind
    severity: Severity
    confidence: int
    message: str
    evidence: str
    location: Location
    executable: bool
    fingerprint: str
    also: tuple[Location, ...] = ()
    adjustments: tuple[str, ...] = ()
    author: Author = Author.RULE


class GapReason(StrEnum):
    """Why something an agent might read or run was not inspected.

    ``RULES_OFF``: not by every rule. ``NOT_IN_BUNDLE``: it is ordered to run, and stands elsewhere or nowhere.
    """

    TOO_LARGE = "too-large"
    TOO_MANY = "too-many-entries"
    TOO_DEEP = "too-deep"
    RATIO = "compression-ratio"
    ENCRYPTED = "encrypted"
    UNREADABLE = "unreadable"
    LINK = "link"
    SPECIAL = "special-file"
    UNSAFE_NAME = "unsafe-name"
    EXCLUDED = "excluded"
    RULES_OFF = "rules-off"
    OPAQUE = "opaque"
    DAMAGED = "damaged"
    VIEW_LIMIT = "view-limit"
    ANALYSIS_LIMIT = "analysis-limit"
    ANALYSIS_FAILED = "analysis-failed"
    NOT_IN_BUNDLE = "not-in-bundle"


BOUNDS = frozenset(
    {
        GapReason.TOO_LARGE,
        GapReason.TOO_MANY,
        GapReason.TOO_DEEP,
        GapReason.RATIO,
        GapReason.VIEW_LIMIT,
        GapReason.ANALYSIS_LIMIT,
        GapReason.ANALYSIS_FAILED,
    }
)
"""Reasons that whoever made the skill can bring about with more of it: a bound was reached, or an analyzer gave up."""


class Gap(NamedTuple):
    """Something an agent might read or run that was not inspected, and why. Never SAFE with one.

    ``fingerprint`` names what was left uninspected by its content; it is empty where the content is not known, and then
    no baseline can accept the gap.
    """

    path: str
    reason: GapReason
    detail: str
    fingerprint: str = ""

    @property
    def of_bound(self) -> bool:
        """Whether a bound of ours left it uninspected, behind which anything may stand."""
        return self.reason in BOUNDS


class Suppressed(NamedTuple):
    """A finding that a reviewer accepted: still reported, counted apart, never scored.

    ``globs`` are the patterns of rule and path by which it was accepted; ``None``: by an entry about this one alone.
    """

    finding: Finding
    reason: str
    owner: str
    expires: str
    globs: tuple[str, str] | None = None


class AcceptedGap(NamedTuple):
    """A gap that a reviewer accepted: still reported, and no longer an obstacle to SAFE."""

    gap: Gap
    reason: str
    owner: str
    expires: str


class StaleEntry(NamedTuple):
    """A baseline entry that suppresses nothing any more, and why (``expired`` or ``drifted``).

    ``rule`` is the reason of the gap, such as ``encrypted``, for an entry that accepts a gap.
    """

    rule: str
    path: str
    why: str


class Arithmetic(NamedTuple):
    """How a score came about: that of flows, commands and structures, that of everything, and the floor of the kinds.

    ``corroborated``: words and an act are about the same deed. ``deeds``: how many there are. ``for_a_person``: one
    of them alone is enough to ask a person.
    """

    acts: int
    everything: int
    corroborated: bool
    deeds: int
    for_a_person: bool


class Verdict(NamedTuple):
    """The decision and everything behind it.

    ``findings`` were scored (one per fingerprint, largest points first); ``listed`` are MEDIUM and LOW
    findings of confidence below 400, shown apart and not scored; ``reasons`` say in words what made the
    decision, the strongest first. ``computed`` is the decision before any person's ruling, and ``rulings`` are those
    that held on ``today``, the day of the decision; ``docket`` is the digest that a ruling must name. ``review`` is what
    a panel said, if one was asked.
    """

    decision: Decision
    computed: Decision
    score: int
    band: Band
    arithmetic: Arithmetic
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]
    listed: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[StaleEntry, ...]
    gaps: tuple[Gap, ...]
    accepted_gaps: tuple[AcceptedGap, ...]
    docket: str
    today: date
    rulings: Rulings
    review: Review | None = None
