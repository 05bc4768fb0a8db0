"""Links on a terminal (OSC 8): text that opens a file or a page when it is clicked.

A link is ``ESC ] 8 ; ; ADDRESS ESC \\ TEXT ESC ] 8 ; ; ESC \\``. The address is percent-encoded, so it holds printable
ASCII alone and nothing that a skill named can end it; the text is escaped by whoever gives it, as all text is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from sluicegate.reach.report.escape import scalar
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.words.places import ReportPaths
from sluicegate.reach.report.words.references import page_of
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport

_LONGEST = 2_000
"""Bytes of an address; terminals drop a link with a longer one, some of them with its text."""


def linked(text: str, address: str) -> str:
    """``text`` as a link; the bare text when there is nowhere to go."""
    if not text or not address or len(address) > _LONGEST:
        return text
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


def _file(path: str) -> str:
    """The address of a file of this machine; with its name, so that a terminal on another does not look there."""
    from urllib.parse import quote  # only where links are wanted

    return f"file://{quote(os.uname().nodename)}{quote(scalar(path), safe='/-._~')}"


class Links(NamedTuple):
    """Where the artifacts of one report and the pages of its rules can be opened."""

    places: ReportPaths
    rules: Mapping[str, Rule]
    rules_url: str = ""

    @classmethod
    def of(cls, report: Report, options: Options) -> Links:
        """The links of one report."""
        rules = {rule.id: rule for rule in report.rules}
        return cls(places=ReportPaths.of(report, absolute=True), rules=rules, rules_url=options.rules_url)

    def artifact(self, skill: SkillReport, path: str) -> str:
        """The address of an artifact on disk; empty for one inside an archive, from a URL or from a pipe."""
        place = self.places.path(skill, path)
        return _file(place) if place.startswith("/") and "!/" not in place else ""

    def rule(self, name: str) -> str:
        """The address of the page of a rule; empty where it has none."""
        from sluicegate.vet.inspect.pages import page_path

        rule = self.rules.get(name)
        if self.rules_url and rule is not None:
            return page_of(rule, self.rules_url)
        path = None if rule is not None and rule.custom else page_path(name)
        return _file(str(path)) if path is not None else ""
