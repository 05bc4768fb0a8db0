"""The adjuster: finds where a match stands and asks what that place says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sluicegate.vet.inspect import tongues
from sluicegate.vet.inspect.context.excuse import FLOOR, Adjusted, Excuse, ExcuseLevel, of_words, weigh
from sluicegate.vet.inspect.context.passage import Effort, MatchPlace, Passages
from sluicegate.vet.inspect.context.programs import data
from sluicegate.vet.inspect.context.programs.execution import SINK
from sluicegate.vet.inspect.context.programs.literal import literal
from sluicegate.vet.inspect.context.programs.program import ProgramStrings
from sluicegate.vet.inspect.context.prose.pointers import carried_out
from sluicegate.vet.inspect.context.prose.purpose import SkillPurpose, purpose_of
from sluicegate.vet.inspect.context.prose.retractions import run_from
from sluicegate.vet.inspect.context.prose.reviewer_text import PLACE, given, statement, vector
from sluicegate.vet.inspect.context.prose.reviewers import DOUBTFUL, TALK, Mention, followed, mentioned
from sluicegate.vet.inspect.context.prose.sentence import negation, quoted
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE, Kind
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

_OPEN = frozenset(
    {
        "normalised",
        "fence",
        "front-matter",
        "folded",
        "spliced",
        "link",
        "document",
        "cell",
        "name",
    }
)
"""Derivations that show what every reader sees. Any other one hides, and what is hidden is not excused."""
_PROTECTS = lazy(
    r"\bchmod[ \t]{1,3}(?:-\w{1,3}[ \t]{1,3}){0,2}(?:0?[0-7]00|go[-=]\w{0,3}|[ug]o?=\w{0,3},go=)[ \t][^\n;|&]{0,200}$"
)
_GIVEN = lazy(r"[\w)]\($")
_PRINTED = lazy(r"(?:print|echo|log|warn|error|fail)\w{0,4}\($", re.IGNORECASE)
_FOLLOWS = lazy(
    r"\b(?:follow|obey|carry out|do (?:what|as|exactly)|act on|comply|execute|perform|adopt)\b", re.IGNORECASE
)
_TESTS = lazy(
    r"^\s{0,8}(?:async )?def test_\w|\b(?:describe|it|test)\(\s?[\"'`]|^func Test|#\[test\]|\bimport (?:unittest|pytest)\b",
    re.MULTILINE,
)
_RIGHTS = frozenset({"privilege-escalation", "shell-privilege"})
_IMAGE = lazy(r"[ \t>]{0,12}(?:`{3,}|~{3,})[ \t]{0,4}(?:dockerfile|containerfile)\b", re.IGNORECASE)
"""How a fence begins that holds the recipe of an image."""
_VARIABLE = lazy(r"\$\{?(\w{1,40})")
_LINE = 200
_SEARCH = 20_000


class Sections:
    """Lowers what is talked about rather than said. Only raw views of one bundle are asked about it."""

    def __init__(self, views: Iterable[View]) -> None:
        known = list(views)
        self._runs: dict[str, bool] = {}
        self._raw = {view.path: view for view in known if not view.origin}
        self._programs = ProgramStrings([view for view in self._raw.values() if view.language in CODE])
        self._passages: dict[str, Passages] = {}
        self._known: SkillPurpose | None = None
        self._told: bool | None = None
        self._ordered: dict[str, bool] = {}
        self._low: list[tuple[View, str]] | None = None
        self._effort = Effort()

    def adjust(self, rule: Rule, match: Match, confidence: int) -> Adjusted | None:
        """What to lower, with its reason, or None. What is hidden, and what the skill orders, stays."""
        if match.view is None or (confidence <= FLOOR and rule.severity is Severity.LOW):
            return None
        if rule.category is Category.REVIEWER_MANIPULATION:
            return self._to_reviewer(rule, match, match.view, confidence)
        excuse = self._excuse(rule, match, match.view)
        if excuse is None or self._done(match.view.path):
            return None
        return weigh(rule, match, confidence, excuse, purpose=self._purpose().security)

    def _to_reviewer(self, rule: Rule, match: Match, view: View, confidence: int) -> Adjusted | None:
        """Why words to a reviewer order nothing of whoever reviews this skill, or None.

        1. What is hidden is meant.
        2. It is a statement of a program; or nobody is told to follow what is shown, and the sentence itself says so.
        3. It is shown as an example, an input or an expectation. What speaks of this very skill is worth a look even then.
        """
        raw = self._raw.get(view.path, view)
        place = self._place(rule, match, view, raw)
        if not self._open(view, raw, place):  # 1
            return None
        around, start, end = (view, match.start, match.end) if place is None else place[:3]
        purpose = self._purpose()
        fence = "" if place is None else self._passage(place.view).fenced(place)
        found = statement(view, match.start, fence)  # 2
        if found is None and any(map(followed, self._prose())):
            return None
        if found is None and not tongues.speaks(rule.id):
            found = mentioned(around.text, start, end, reviewing=purpose.reviewing)
        if (found is None or found.confidence > TALK) and not self._done(view.path):  # 3
            shown = None if place is None else self._passage(place.view).shown(place)
            if shown is not None:
                return weigh(rule, match, confidence, shown, purpose=purpose.security)
            if place is not None and self._passage(place.view).presented(place):
                presented = Mention(DOUBTFUL, "a quotation that the line before it calls an attack")
                found = presented if found is None or found.confidence > DOUBTFUL else found
            kept = self._in_data(view, match, place, raw)
            if kept is not None and (found is None or kept.confidence < found.confidence):
                found = kept
        if found is None or found.confidence >= confidence:
            return None
        listed = Severity.MEDIUM if found.confidence <= TALK else None
        return Adjusted(confidence=found.confidence, reason=found.reason, severity=listed)

    def _in_data(self, view: View, match: Match, place: MatchPlace | None, raw: View) -> Mention | None:
        quotes = place is not None and self._passage(place.view).quotes(place)
        found = vector(view, match.start, match.end, purpose=self._purpose(), quotes=quotes)
        if found is None and view.language in CODE and raw.language in CODE:
            listed = self._programs.excuse(view, match.start, match.end, words=True)
            found = None if listed is None else Mention(TALK, listed.reason)
        return found

    def _done(self, path: str) -> bool:
        """Whether the skill has what a text shows carried out."""
        return self._carried_out() or self._named(path) or self._run(path)

    def _prose(self) -> Iterator[str]:
        return (view.text[:_SEARCH] for view in self._raw.values() if view.language in PROSE)

    def _excuse(self, rule: Rule, match: Match, view: View) -> Excuse | None:
        raw = self._raw.get(view.path)
        if raw is None:
            raw = view
        place = self._place(rule, match, view, raw)
        if not self._open(view, raw, place):
            return None
        if rule.category is Category.CREDENTIAL_ACCESS and _protects(view.text, match.start):
            return Excuse(level=ExcuseLevel.INERT, reason="the command closes the file to others")
        if rule.id in _RIGHTS and self._of_the_work(match, view, place):
            return Excuse(
                level=ExcuseLevel.INERT, reason="it changes the project or an image, and not this machine"
            )
        if view.language in CODE:
            prose = of_words(rule) or place is not None  # a comment in a fence is read like the text round it
            found = self._programs.excuse(view, match.start, match.end, words=prose)
            if found is not None and not (
                found.level is ExcuseLevel.INPUT and self._ordered_by_name(view.path)
            ):
                return found
        if place is not None:
            return self._passage(place.view).excuse(place)
        if view.language in CONFIG:
            said = data.denied(view, match.start, match.end) if of_words(rule) else None
            if said is None and of_words(rule) and given(view, match.start) and not self._followed(view.path):
                return Excuse(level=ExcuseLevel.EXAMPLE, reason="an input of an evaluation or a test")
            if said is None and data.tried(view, match.start) and not self._followed(view.path):
                return Excuse(level=ExcuseLevel.EXAMPLE, reason="an input of a test that is to be refused")
            return said or data.excuse(view, match.start)
        if view.language in CODE and (word := _said(view.text, match.start, match.end)):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason=f"negated in its sentence ({word})")
        if view.language in CODE and of_words(rule):
            # Agents read programs, too; but most words in there are data: prompts, tests, what a guard looks for.
            if _tested(view, match.start, match.end):
                return Excuse(level=ExcuseLevel.EXAMPLE, reason="a string of a test")
            security = self._purpose().security
            return Excuse(
                level=ExcuseLevel.EXAMPLE if security else ExcuseLevel.COVERED, reason="words in a program"
            )
        return None

    def _of_the_work(self, match: Match, view: View, place: MatchPlace | None) -> bool:
        """Whether a command about rights changes places of the project, or stands in the recipe of an image."""
        from sluicegate.vet.inspect.analyzers.rights import of_the_project  # few skills have such a command

        command = view.text[match.start : match.end]
        if view.language is Kind.DOCKERFILE:
            return True
        if of_the_project(command) and not any(
            re.search(rf"\b{name}=[\"']?/(?!tmp/)", view.text) for name in _VARIABLE.findall(command)
        ):
            return True
        return place is not None and _IMAGE.match(self._passage(place.view).fenced(place)) is not None

    def _open(self, view: View, raw: View, place: MatchPlace | None) -> bool:
        """Whether every reader sees the text of a view: no step of its origin hides it."""
        inside = False
        for step in view.origin:
            if step.kind == "comment" and (inside or _displayed(place)):
                continue
            if step.kind not in _OPEN and not _inline(step, raw):
                return False
            inside = inside or step.kind == "fence"
        return True

    def _place(self, rule: Rule, match: Match, view: View, raw: View) -> MatchPlace | None:
        """Where a match stands in the raw prose of its artifact, if it stands there as it is."""
        if raw.language not in PROSE:
            return None
        grave = (rule.severity if match.severity is None else match.severity) > Severity.MEDIUM
        kind = (of_words(rule), tongues.speaks(rule.id), grave)
        if view is raw or not view.origin:
            return MatchPlace(view, match.start, match.end, *kind)
        first, last = view.artifact_lines(match.start, match.end)
        starts = raw.line_starts()
        if first > len(starts):
            return None
        stop = starts[last] if last < len(starts) else len(raw.text)
        text = view.text[match.start : match.end]
        at = raw.text.find(text, starts[first - 1], min(stop, starts[first - 1] + _SEARCH))
        if at == -1:  # folded or spliced: the words stand there in pieces, so the line has to do
            at = starts[first - 1]
            return MatchPlace(raw, at, at, *kind) if _pieces(view) else None
        return MatchPlace(raw, at, at + len(text), *kind)

    def _passage(self, view: View) -> Passages:
        known = self._passages.get(view.path)
        if known is None:
            known = self._passages[view.path] = Passages(view, purpose=self._purpose(), effort=self._effort)
        return known

    def _purpose(self) -> SkillPurpose:
        if self._known is None:
            self._known = purpose_of(self._raw.values())
        return self._known

    def _carried_out(self) -> bool:
        if self._told is None:
            self._told = carried_out(self._raw.values())
        return self._told

    def _named(self, path: str) -> bool:
        """Whether some text of the bundle orders to carry out what a file of this name shows.

        A program is not a list of examples and a SKILL.md is followed anyway, so to name one says nothing.
        """
        raw = self._raw.get(path)
        if raw is None or raw.language not in PROSE or path.lower().endswith("skill.md"):
            return False
        return self._ordered_by_name(path)

    def _ordered_by_name(self, path: str) -> bool:
        """Whether some other text of the bundle orders to carry out what a file of this name holds."""
        known = self._ordered.get(path)
        if known is None:
            name = path.rpartition("/")[2].lower()
            if self._low is None:
                self._low = [(v, v.text.lower()) for v in self._raw.values() if v.language in PROSE]
            named = [view.text for view, low in self._low if name in low and view.path != path]
            known = self._ordered[path] = any(_names(text, name) for text in named)
        return known

    def _followed(self, path: str) -> bool:
        """Whether some text of the bundle tells to follow what a data file of this name holds."""
        name = path.rpartition("/")[2].lower()
        return self._ordered_by_name(path) or any(
            name in line.lower() and any(not negation(line, told.start()) for told in _FOLLOWS.finditer(line))
            for text in self._prose()
            for line in text.split("\n")
        )

    def _run(self, path: str) -> bool:
        """Whether a program of the bundle runs what this text shows."""
        known = self._runs.get(path)
        if known is None:
            raw = self._raw.get(path)
            prose = raw is not None and raw.language in PROSE
            known = self._runs[path] = prose and run_from(path.rpartition("/")[2], self._raw.values())
        return known


def _tested(view: View, start: int, end: int) -> bool:
    """Whether words stand in a string of a file of tests."""
    first = max(view.text.rfind("\n", 0, start) + 1, start - _LINE)
    return (
        PLACE.search(view.path) is not None
        and _TESTS.search(view.text) is not None
        and literal(view.text, first, start, end) is not None
    )


def _names(text: str, name: str) -> bool:
    from sluicegate.vet.inspect.context.prose.orders import names

    return names(text, name)


def _pieces(view: View) -> bool:
    return any(step.kind in ("folded", "spliced") for step in view.origin)


def _inline(step: Step, raw: View) -> bool:
    """Whether a command was taken from where a reader of prose sees it."""
    return step.kind == "command" and raw.language in PROSE


def _displayed(place: MatchPlace | None) -> bool:
    """Whether an HTML comment stands in a code span, where Markdown shows it to the reader."""
    if place is None or place.view.language is not Kind.MARKDOWN:
        return False
    text = place.view.text
    span = quoted(text, place.start, place.end)
    opening = -1 if span is None else span[0]
    if opening == -1 or text[opening] != "`" or text[opening - 1 : opening] == "\\":
        return False
    paragraph = text.rfind("\n\n", 0, opening) + 2
    return (
        "<!--" in text[opening : place.start]
        and "-->" in text[place.end : text.find("`", place.end)]
        and not text.startswith("<", paragraph)
    )


def _protects(text: str, start: int) -> bool:
    first = max(text.rfind("\n", 0, start) + 1, start - 200)
    return _PROTECTS.search(text, first, start) is not None


def _said(text: str, start: int, end: int) -> str:
    """The negation that governs a match inside a message of a program, or ``""``."""
    span = quoted(text, start, end)
    if span is None:
        return ""
    opening = span[0]
    before = text[max(text.rfind("\n", 0, opening) + 1, opening - _LINE) : opening]
    if SINK.search(before) is not None or (_GIVEN.search(before) and not _PRINTED.search(before)):
        return ""
    return negation(text[opening + 1 : end], start - opening - 1)
