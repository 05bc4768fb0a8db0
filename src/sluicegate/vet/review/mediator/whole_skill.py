"""The one package for reviewers of the whole skill: what it says beside what it does.

1. What it says of itself, its files, what its programs can do, and what the scanner found, by deed.
2. The instructions that an agent loads first.
3. Each other file: beside a program stand the instructions that name it. Programs with findings come first, the worst of
   them before the others; then those that instructions name; then the rest of what is text.
4. Of a file that does not fit, the lines around findings and its beginning are shown; of one that does not fit even so, none.
   How many lines are not shown stands in the package, and in the omissions.

Instruction and code of one deed stand together, since a reviewer that is shown either alone misses what they do together.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.mediator.about_findings import GROUND_TRUTH, described, in_order
from sluicegate.vet.review.mediator.excerpts import shown, source_words
from sluicegate.vet.review.mediator.frame import Part, Quote, QuotedRow, Said, tokens_of
from sluicegate.vet.review.mediator.packages import MediatedPackage, Omission, package
from sluicegate.vet.review.mediator.prepared import quotable_row
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import SkillTexts, facts, rule_of
from sluicegate.vet.review.mediator.tokens import BYTES_PER_TOKEN
from sluicegate.vet.review.mediator.visible import cut
from sluicegate.vet.verdict.consensus import Role
from sluicegate.vet.verdict.deeds import DEED_OF, Deed
from sluicegate.vet.verdict.types import Finding

_MOST_FILES = 150
_MOST_CAPABILITIES = 80
_MOST_FINDINGS = 60
_MOST_ODD_NAMES = 50
"""Names of files with blanks or signs in them that are looked for in instructions."""
_NAME = lazy(r"[\w@%+][\w.@%+-]*")
_MOST_PASSAGES = 6
"""Passages of instructions beside one program."""
_BEGINNING = 12
"""Lines from the beginning of a file that is shown in parts."""
_LEAST_ROW = 10
"""Bytes of a row with nothing in it."""
_RESERVE = 120
"""Estimated tokens for what is said of the lines that are not shown."""
_WHY = "over the budget of the package for the whole skill"


class WholeSkill(NamedTuple):
    """The package, what is not in it, and how many lines of each file are."""

    package: MediatedPackage
    omissions: tuple[Omission, ...]
    lines: dict[str, int]


def whole_skill(texts: SkillTexts, settings: MediatorSettings) -> WholeSkill:
    """The package of the role ``SKILL``."""
    findings = in_order(texts.subject.findings)
    builder = _Builder(texts, settings, findings)
    builder.overview()  # 1
    for view in builder.order():  # 2, 3
        builder.add(view)
    return builder.done()  # 4


def _cost(parts: Sequence[Part]) -> int:
    """At least the estimated tokens of parts behind others, whose frames have longer numbers."""
    return tokens_of(parts) + 2 * sum(isinstance(part, Quote) for part in parts)


class _Builder:
    def __init__(self, texts: SkillTexts, settings: MediatorSettings, findings: Sequence[Finding]) -> None:
        self._texts = texts
        self._settings = settings
        self._findings = findings
        self._budget = settings.skill_tokens - _RESERVE
        self._parts: list[Part] = []
        self._used = 0
        self._omissions: list[Omission] = []
        self._lines: dict[str, int] = {}
        self._of_file: dict[str, list[Finding]] = defaultdict(list)
        for finding in findings:
            for place in (finding.location, *finding.also):
                self._of_file[place.path].append(finding)

    def overview(self) -> None:
        """What is known of the skill before any of it is read."""
        files = self._texts.files
        self._put([Said(f"One whole skill of {len(files)} files.\n{GROUND_TRUTH}"), *described(self._texts)])
        listed = [
            QuotedRow(
                cut(quotable_row(f"{file.path}  ({file.kind.value}, {len(file.data)} bytes)"), 200),
                line=number,
            )
            for number, file in enumerate(files[:_MOST_FILES], 1)
        ]
        self._list("the names of the files, by number", listed, len(files), "file names")
        capabilities = self._texts.subject.capabilities
        can = [
            QuotedRow(cut(quotable_row(str(each.name)), 160)) for each in capabilities[:_MOST_CAPABILITIES]
        ]
        self._list("what the programs can do, as the scanner saw it", can, len(capabilities), "capabilities")
        gaps = self._texts.subject.gaps
        uninspected = [
            QuotedRow(cut(quotable_row(f"{gap.path}: {gap.detail}"), 200))
            for gap in gaps[: _MOST_PASSAGES * 4]
        ]
        self._list("what the scanner could not inspect", uninspected, len(gaps), "gaps")
        self._scanned()

    def _list(self, label: str, rows: list[QuotedRow], count: int, what: str) -> None:
        """A list, as far as it fits into a fifth of the budget."""
        most = self._budget // 5
        while rows and tokens_of([Quote(label, tuple(rows))]) > most:
            rows = rows[: len(rows) * 3 // 4]
        if rows:
            self._put([Quote(label, tuple(rows))])
        if len(rows) < count:
            self._put([Said(f"{count - len(rows)} more {what} are not listed.")])
            self._omit("", count - len(rows), f"{what} that found no room in the package for the whole skill")

    def _scanned(self) -> None:
        """Every finding in a line, by the deed that it states; what it says in words is asked of others."""
        by_deed: dict[Deed, list[int]] = defaultdict(list)
        lines = []
        for number, finding in enumerate(self._findings[:_MOST_FINDINGS], 1):
            place = self._texts.place(finding.location)
            lines.append(
                f"Finding {number}: {finding.severity.name}, {rule_of(finding)}, {place}\n{facts(finding)}"
            )
            by_deed[DEED_OF[finding.category]].append(number)
        while lines and tokens_of([Said("\n".join(lines))]) > self._budget // 4:
            lines.pop()
        left = len(self._findings) - len(lines)
        deeds = [
            f"Deed {deed.value}: findings {', '.join(str(n) for n in numbers if n <= len(lines))}."
            for deed, numbers in by_deed.items()
            if deed is not Deed.NONE and numbers[0] <= len(lines)
        ]
        said = [f"\nThe scanner has {len(self._findings)} findings.", *lines, *deeds]
        if left:
            said.append(f"{left} more, of the least severe, are not listed here.")
            self._omit("", left, "findings that are not listed in the package for the whole skill")
        self._put([Said("\n".join(said))])

    def order(self) -> list[View]:
        """The texts of all files, in the order in which they are shown."""
        views = [view for file in self._texts.files if (view := self._texts.raw(file.path)) is not None]
        named = {view.path for view in views if self._passages(view)}

        def key(view: View) -> tuple[int, int, str]:
            name = posixpath.basename(view.path).lower()
            worst = max((finding.severity for finding in self._of_file[view.path]), default=None)
            if name == "skill.md" or (view.language in PROSE and "/" not in view.path and not named):
                return 0, view.path.count("/"), view.path
            if worst is not None:
                return 1, -worst, view.path
            if view.path in named:
                return 2, 0, view.path
            return (3 if view.language in PROSE else 4), 0, view.path

        return sorted(views, key=key)

    def add(self, view: View) -> None:
        """Show a file: whole, in part, or not at all."""
        text = self._texts.prepared(view)
        count = len(text.raw)
        beside = self._beside(view)
        label = source_words(self._texts, view)
        marked = self._marked(view, count)
        some = sorted({*range(min(_BEGINNING, count)), *self._around(marked, count)})
        room = self._budget - self._used
        for lines in (range(count), some):
            if len(lines) * _LEAST_ROW // BYTES_PER_TOKEN > room:
                continue
            quotes = shown(text, label, lines, marked, self._settings.line_length)
            for parts in ([*beside, *quotes], quotes):
                if lines and _cost(parts) <= room:
                    self._put(parts)
                    self._lines[view.path] = len(lines)
                    if len(lines) < count:
                        self._omit(view.path, count - len(lines), _WHY)
                    return
        self._lines[view.path] = 0
        self._omit(view.path, count, _WHY)

    def _beside(self, view: View) -> list[Part]:
        """The instructions that name a file, in frames."""
        number = self._texts.number.get(view.path, 0)
        passages = self._passages(view)
        findings = sorted({n for n, f in enumerate(self._findings, 1) if f in self._of_file[view.path]})
        about = f" Findings {', '.join(map(str, findings[:20]))} are about it." if findings else ""
        head = f"\nFile {number}."
        if not passages:
            return [Said(head + about)]
        left = len(passages) - _MOST_PASSAGES
        more = f" {left} more are not shown beside it." if left > 0 else ""
        parts: list[Part] = [
            Said(f"{head}{about} Instructions name it; what they say stands before it.{more}")
        ]
        for other, line in passages[:_MOST_PASSAGES]:
            text = self._texts.prepared(other)
            near = range(max(0, line - 1), min(len(text.raw), line + 2))
            rows = tuple(
                QuotedRow(cut(text.raw[n], self._settings.line_length), line=n + 1, marked=n == line)
                for n in near
            )
            parts.append(
                Quote(f"instructions that name file {number}, in {source_words(self._texts, other)}", rows)
            )
        return parts

    def _passages(self, view: View) -> list[tuple[View, int]]:
        """The lines of prose that name a file, by its path or by a name that is long enough to mean it."""
        name = posixpath.basename(view.path)
        if len(name) < 4 or name.lower() == "skill.md":
            return []
        return [(other, line) for other, line in self._naming[name] if other.path != view.path]

    @cached_property
    def _naming(self) -> Mapping[str, list[tuple[View, int]]]:
        """The lines of prose that hold the name of each file, all found in one pass over the prose."""
        names = {posixpath.basename(file.path) for file in self._texts.files}
        odd = [name for name in names if _NAME.fullmatch(name) is None][:_MOST_ODD_NAMES]
        found: dict[str, list[tuple[View, int]]] = defaultdict(list)
        for file in self._texts.files:
            view = self._texts.raw(file.path)
            if view is None or view.language not in PROSE:
                continue
            for number, line in enumerate(view.text.split("\n")):
                said = {word.rstrip(".") for word in _NAME.findall(line)}
                for name in (said & names) | {name for name in odd if name in line}:
                    found[name].append((view, number))
        return found

    def _marked(self, view: View, count: int) -> set[int]:
        return {
            line
            for finding in self._of_file[view.path]
            for place in (finding.location, *finding.also)
            if place.path == view.path and place.start_line > 0
            for line in range(
                min(place.start_line, count) - 1, min(place.end_line, count, place.start_line + 40)
            )
        }

    def _around(self, marked: set[int], count: int) -> set[int]:
        around = self._settings.context_lines
        return {n for line in marked for n in range(max(0, line - around), min(count, line + around + 1))}

    def _put(self, parts: Sequence[Part]) -> None:
        self._parts += parts
        self._used += _cost(parts)

    def _omit(self, path: str, count: int, why: str) -> None:
        self._omissions.append(Omission(role=Role.SKILL, path=path, why=why, amount=count))

    def done(self) -> WholeSkill:
        """The package, with what is not in it said at its end."""
        out = [o for o in self._omissions if o.path]
        if out:
            none = sum(self._lines.get(o.path) == 0 for o in out)
            self._put(
                [
                    Said(
                        f"\nNot shown, for want of room: {sum(o.amount for o in out)} lines of {len(out)} files, {none} of which are "
                        "not shown at all. Say SAFE of nothing that you have not seen."
                    )
                ]
            )
        return WholeSkill(
            package=package(Role.SKILL, (), tuple(self._parts)),
            omissions=tuple(self._omissions),
            lines=self._lines,
        )
