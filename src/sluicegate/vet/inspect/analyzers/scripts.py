"""Scripts in other languages (PowerShell, batch, Ruby, Perl, PHP, Go, AppleScript and more), and staged payloads."""

from __future__ import annotations

from collections.abc import Mapping

from sluicegate.vet.inspect.analyzers.lineflow import shapes
from sluicegate.vet.inspect.analyzers.lineflow.judged import match_of
from sluicegate.vet.inspect.analyzers.lineflow.rules import RULES
from sluicegate.vet.inspect.analyzers.lineflow.staged import TooManyPlaces, staged
from sluicegate.vet.inspect.processing_order import turns
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.intake.bundle import CODE, PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Gap, GapReason

SCRIPTS = frozenset(
    {
        Kind.POWERSHELL, Kind.BATCH, Kind.RUBY, Kind.PERL, Kind.PHP, Kind.GO, Kind.APPLESCRIPT, Kind.RUST, Kind.JAVA, Kind.C,
        Kind.LUA, Kind.R, Kind.SOURCE,
    }
)  # fmt: skip
"""The languages that are followed here; the others have analyzers of their own."""
CHARACTERS = 256 * 1024
"""Characters of all scripts of one skill that are followed; what is beyond is a gap."""

_SUFFIXES = frozenset({"vbs", "vbe", "vb", "vba", "bas", "wsf", "hta", "cs", "fs", "fsx", "kt", "kts", "swift", "scala", "groovy", "dart", "nim", "cr", "ex", "exs", "jl", "nu", "zig", "hs", "ml", "clj", "cljs", "erl", "d", "tcl"})  # fmt: skip
"""Names of other sources that begin or end flows in words known here; fences are told by their words."""


def _followed(view: View) -> bool:
    """Whether a source without a language of its own is one to follow."""
    if view.origin:
        return view.artifact.kind in PROSE
    return view.path.rpartition(".")[2].lower() in _SUFFIXES


class ScriptsAnalyzer:
    """Reads every script view once; and every code view for payloads in stages."""

    rules: Mapping[str, Rule] = by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches, capabilities and gaps of all views of code."""
        matches: list[Match] = []
        able_to: list[Capability] = []
        gaps: set[Gap] = set()
        artifacts = {artifact.path: artifact for artifact in subject.bundle.artifacts}
        left = min(subject.limits.syntax_bytes, CHARACTERS)
        for view in turns(subject.views, CODE, left):
            for start, end, judged in shapes.password_dialogs(view.text):
                matches.append(match_of(view, judged, start, end, places=shapes.around(view, start)))
            for stage in staged(view, artifacts):
                if isinstance(stage, TooManyPlaces):
                    gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=stage.what))
                else:
                    matches.append(
                        match_of(view, stage.judged, stage.start, stage.end, stage.what, stage.trace)
                    )
            if view.language not in SCRIPTS or (view.language is Kind.SOURCE and not _followed(view)):
                continue
            text = view.text[:left]
            left -= len(text)
            cut = len(text) < len(view.text)
            if text:
                from sluicegate.vet.inspect.analyzers.lineflow.reader import (
                    ScriptReader,  # no other view needs it
                )
                from sluicegate.vet.inspect.analyzers.lineflow.steered import steered

                reader = ScriptReader(view, text)
                matches += reader.matches()
                able_to += reader.capabilities()
                for place in steered(text):
                    matches.append(match_of(view, place.judged, place.start, place.end, place.what))
                cut = cut or reader.partial
            if cut:
                detail = "script text too long to follow"
                gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
        return Inspected(matches=tuple(matches), capabilities=tuple(able_to), gaps=tuple(sorted(gaps)))
