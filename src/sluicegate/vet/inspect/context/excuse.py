"""How much an excuse is worth. Nothing goes below ``FLOOR``, and a reason always stands beside it."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity

FLOOR = 250
COMMAND = 390
"""A CRITICAL command that only its surroundings excuse: where it can be run, it still gives a CAUTION."""
COVERED = 500
"""What the purpose of the skill covers and nothing excuses: a person must look."""

_REACHES = frozenset({Category.REMOTE_CODE, Category.EXFILTRATION, Category.DESTRUCTIVE, Category.MALWARE})
_WORDS = frozenset({"prose", "config", "program", *(kind.value for kind in PROSE)})


class Adjusted(NamedTuple):
    """A lower confidence, a lower severity or both, and the reason in words. ``severity`` None keeps it.

    ``told``: a text only tells of it, so that it is words, which alone never block.
    """

    confidence: int
    reason: str
    severity: Severity | None = None
    told: bool = False


class Adjuster(Protocol):
    """Judges a match by what surrounds it."""

    def adjust(self, rule: Rule, match: Match, confidence: int) -> Adjusted | None:
        """What to lower, with its reason, or None to leave it."""
        ...


class ExcuseLevel(IntEnum):
    """What is known of a match.

    The skill's trade covers it; so it does, and it names a stand-in where a host would be; it is an input of tests; it is
    shown and not said; nothing can run it.
    """

    COVERED = 0
    AIMLESS = 1
    INPUT = 2
    EXAMPLE = 3
    INERT = 4


class Excuse(NamedTuple):
    """Why a match is not what it seems, and how far that goes."""

    level: ExcuseLevel
    reason: str
    doubt: str = ""
    """Why a command that only its surroundings excuse is worth a look all the same, or empty."""
    sure: bool = False
    """Whether the text says who did it, so that nobody takes a command for an order, however whole it is."""


def of_words(rule: Rule) -> bool:
    """Whether a rule is about sentences to an agent, and not about commands or code."""
    return rule.stated is EvidenceKind.WORDS or _WORDS.issuperset(rule.languages)


def weigh(rule: Rule, match: Match, confidence: int, excuse: Excuse, *, purpose: bool) -> Adjusted | None:
    """The adjustment that an excuse is worth, or None where it changes nothing.

    1. What the trade of the skill covers stays worth a look: what was CRITICAL, and what reaches out or
       destroys, is HIGH at ``COVERED``; the rest, and what is aimed at a stand-in, is MEDIUM there, and
       what was MEDIUM is listed only. Of inputs of tests, so is all that was not CRITICAL, and all in a skill that is
       about such things.
    2. What nothing can run, and an example in a skill that is about such things, is listed and not scored.
    3. In any other skill, a CRITICAL command stays at ``COMMAND``, so that surroundings alone never make
       it SAFE; everything else goes to ``FLOOR``, and words to HIGH at most.
    4. A command in doubt that was HIGH or worse stays HIGH at ``COVERED``, whatever the skill says it is for. In one that
       is about such things it is words: any number of them are something to look at, and no more.
    """
    severity = rule.severity if match.severity is None else match.severity
    least, cap, reason, told = FLOOR, severity, excuse.reason, False
    if excuse.doubt and severity > Severity.MEDIUM and not of_words(rule):  # 4
        least, cap, reason = COVERED, Severity.HIGH, f"{reason}; {excuse.doubt}"
        told = purpose and excuse.level is ExcuseLevel.EXAMPLE
    elif excuse.level is ExcuseLevel.COVERED:  # 1
        least = COVERED if severity > Severity.MEDIUM else FLOOR
        cap = Severity.HIGH if severity is Severity.CRITICAL or rule.category in _REACHES else Severity.MEDIUM
    elif excuse.level is ExcuseLevel.AIMLESS:
        least, cap = COVERED if severity > Severity.MEDIUM else FLOOR, Severity.MEDIUM
    elif excuse.level is ExcuseLevel.INPUT:
        least, cap = COVERED if severity is Severity.CRITICAL and not purpose else FLOOR, Severity.MEDIUM
    elif excuse.level is ExcuseLevel.INERT:  # 2
        cap = Severity.LOW
    elif purpose:
        cap, reason = Severity.LOW, f"{reason}; the skill says that it is about security"
    elif of_words(rule):  # 3
        cap = Severity.HIGH
    elif severity is Severity.CRITICAL:
        least = COMMAND
    lowered, capped = min(confidence, least), min(severity, cap)
    if lowered == confidence and capped == severity and not told:
        return None
    return Adjusted(
        confidence=lowered, reason=reason, severity=capped if capped < severity else None, told=told
    )
