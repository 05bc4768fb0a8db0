"""Flows from one program of a bundle to another through the files that one writes and the other reads.

1. The analyzers of flows have noted what their programs write into which files. Where no other program names one of
   these, nothing is left to do.
2. Programs in the languages of those that name one are read again, knowing what the files hold. What they write in turn
   is noted, and so on until nobody learns more; after ``ROUNDS`` that is a gap.
3. Told is what came through another program; the rest was told before.
4. What a program runs of what it is given is told as well (see ``given``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.given import given_code
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.verdict.types import Finding, Gap, GapReason

if TYPE_CHECKING:
    from sluicegate.vet.inspect.rule import Analyzer

ROUNDS = 4
"""Times that programs are read again because others write what they read."""


class LinkedAnalyzer:
    """Has the other analyzers of flows read again what reads the files that others write."""

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by id: those of the analyzers that it has read again, and one of its own."""
        from sluicegate.vet.inspect.analyzers.linked_rules import RULES

        return by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """The flows that go through files from program to program."""
        programs = subject.programs
        if programs is None:
            return Inspected()
        found: dict[tuple[str, int, int, int], Match] = {}
        gaps: set[Gap] = set()
        for _ in range(ROUNDS):
            languages = programs.share()  # 1
            if not languages:
                break
            for analyzer in _analyzers(languages):  # 2
                seen = analyzer.inspect(subject)
                gaps.update(seen.gaps)
                found |= {(m.rule, id(m.view), m.start, m.end): m for m in seen.matches if m.files}  # 3
        else:
            if programs.share():
                detail = "programs hand files to each other in too many steps to follow"
                gaps.add(Gap(path="", reason=GapReason.ANALYSIS_LIMIT, detail=detail))
        given = tuple(given_code(subject.views, programs))  # 4
        told = {_place(finding) for finding in subject.findings}
        return Inspected(
            matches=(*given, *(match for match in found.values() if _place_of(match) not in told)),
            gaps=tuple(sorted(gaps)),
        )


def _analyzers(languages: frozenset[Kind]) -> Iterator[Analyzer]:
    if Kind.PYTHON in languages:
        from sluicegate.vet.inspect.analyzers.python import PythonAnalyzer

        yield PythonAnalyzer()
    if Kind.SHELL in languages:
        from sluicegate.vet.inspect.analyzers.shell import ShellAnalyzer

        yield ShellAnalyzer()
    if languages & {Kind.JAVASCRIPT, Kind.TYPESCRIPT}:
        from sluicegate.vet.inspect.analyzers.javascript import JavaScriptAnalyzer

        yield JavaScriptAnalyzer()


def _place(finding: Finding) -> tuple[str, str, int, str]:
    return finding.rule, finding.location.path, finding.location.start_line, finding.message


def _place_of(match: Match) -> tuple[str, str, int, str]:
    if match.view is None:
        return match.rule, match.path, 1, match.message
    return match.rule, match.view.path, match.view.artifact_lines(match.start, match.end)[0], match.message
