"""The skill that is to be reviewed, and its texts as they may be shown, each prepared once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.rule import Capability
from sluicegate.vet.intake.bundle import Artifact, Bundle
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.mediator.prepared import PreparedText, quotable
from sluicegate.vet.verdict.types import Finding, Gap, Location

_FINGERPRINT = lazy(r"[0-9a-f]{8,64}")
_RULE = lazy(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class ReviewSubject(NamedTuple):
    """One skill as it was scanned: its bytes, the texts made of them, and all that the scanner found."""

    bundle: Bundle
    views: tuple[View, ...]
    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    declared: str = ""
    description: str = ""


class SkillTexts:
    """The files of a skill by their numbers, which stand for their names outside of frames, and their texts."""

    def __init__(self, subject: ReviewSubject) -> None:
        self.subject = subject
        self.files: tuple[Artifact, ...] = subject.bundle.artifacts
        self.number = {artifact.path: at for at, artifact in enumerate(self.files, 1)}
        self._raw = {view.path: view for view in subject.views if not view.origin}
        self._derived: dict[tuple[str, tuple[str, ...]], list[View]] = defaultdict(list)
        for view in subject.views:
            if view.origin:
                self._derived[view.path, view.chain].append(view)
        self._prepared: dict[int, PreparedText] = {}

    def prepared(self, view: View) -> PreparedText:
        """The text of a view as it may be shown."""
        held = self._prepared.get(id(view))
        if held is None:
            held = self._prepared[id(view)] = PreparedText(view.text, view.language)
        return held

    def raw(self, path: str) -> View | None:
        """The text of a file; None where it is none."""
        return self._raw.get(path)

    def derived(self, location: Location) -> Sequence[View]:
        """The derived texts in which a finding may stand, in order."""
        return [
            view
            for view in self._derived.get((location.path, location.origin), ())
            if _meets(view, location.start_line, location.end_line)
        ]

    def all_derived(self, path: str) -> Sequence[View]:
        """Every derived text of a file, in order."""
        return [view for view in self.subject.views if view.origin and view.path == path]

    def place(self, location: Location) -> str:
        """Where something stands, in words of ours."""
        number = self.number.get(location.path)
        file = f"file {number}" if number is not None else "a file that was not read"
        if location.start_line <= 0:
            return f"{file} as a whole"
        if location.start_line == location.end_line:
            return f"line {location.start_line} of {file}"
        return f"lines {location.start_line} to {location.end_line} of {file}"


def _meets(view: View, first: int, last: int) -> bool:
    start, end = view.map_lines(0, view.text.count("\n"))
    return first <= end and last >= start


def facts(finding: Finding) -> str:
    """What the scanner says of a finding, in words of ours. Raises ConfigError for a fingerprint that is none of ours."""
    if _FINGERPRINT.fullmatch(finding.fingerprint) is None:
        raise ConfigError(f"{finding.fingerprint[:80]!r} is not the fingerprint of a finding")
    scored = (
        f"confidence {finding.confidence} of 1000, {finding.category.value}, evidence: {finding.kind.value}"
    )
    return f"  id {finding.fingerprint}\n  {scored}"


def rule_of(finding: Finding) -> str:
    """The rule of a finding, if it has a name as ours have."""
    return finding.rule if _RULE.fullmatch(finding.rule) is not None else "a rule of another name"


def blank_free(text: str) -> list[str]:
    """The lines of a short untrusted text that hold anything, as they may stand in a frame."""
    return [line for line in quotable(text) if not re.fullmatch(r"\s*", line)]
