"""What a Markdown text says about itself: its headings and its fences, found once for each view."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import IntEnum

from sluicegate.vet.inspect import tongues
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_MARK = lazy(r"\n {0,3}(?:(`{3,}|~{3,})|(#{1,6})[ \t]+([^\n]{1,200}))")
_PLAIN = lazy(
    r"red flags?\b|malicious|indicators?\b|suspicious|anti-?patterns?\b|what to look for|bad practice|known bad"
    r"|forbidden|prohibited|never (?:do|run|use)|\bdo not\b|\bdon't\b|blocked|blocklist|deny ?list"
    r"|warning signs?\b|dangerous (?:commands?|patterns?|operations?)|false positives?"
    r"|(?:injection|threat|exploit|attack|jailbreak|detection) (?:patterns?|examples?|signatures?|payloads?|strings?|categor)"
    r"|what (?:an? |the )?(?:\w{1,12} ){0,2}(?:injection|attack|jailbreak|exploit)s?(?: attempts?)? looks? like"
    r"|(?:what|things) (?:it|we|this|the \w{1,20}) (?:catch|detect|flag|block)",
    re.IGNORECASE,
)
_SOME = lazy(
    r"attack|detect|threat|vulnerab|exploit|pitfall|mistake|danger|injection|jailbreak|security check|signature"
    r"|unsafe|deny|denied|test (?:case|suite|result|scenario|payload)|adversarial|expected finding|\brisks?\b"
    r"|obfuscat|evasion|exfiltrat|persistence|privilege escalation|command (?:&|and) control|\bc2\b|harvest|backdoor"
    r"|reverse shell|adversar|security issues?|critical (?:findings?|checks?|threats?|issues?)|poisoning|tampering|hijack|spoof",
    re.IGNORECASE,
)
_NUMBER = r"[\W_]{0,4}(?:\d{1,2}(?:\.\d{1,2}){0,2}[.):]?\s)?[\W_]{0,4}"
_ACT = lazy(
    rf"{_NUMBER}(?:install|set ?up|usage\b|run\b|how to (?:run|use|install|fix)|quick ?start|getting started|configur|fix"
    r"|remed|mitigat|respon[sd]|contain(?:ment)?\b|clean|recover|resol|solution|do this|instead)",
    re.IGNORECASE,
)
_STEP = lazy(
    rf"{_NUMBER}(?:step\b|phase\b|prerequisites?\b|requirements?\b|correct|good\b|safe(?:r|ly)?\b|workflow|procedure"
    r"|instructions?\b|commands?\b|verif|how to)",
    re.IGNORECASE,
)
_SETUP = lazy(
    rf"{_NUMBER}(?:install|set ?up|quick ?start|getting started|prerequisites?\b|requirements?\b|required tools|configur"
    r"|usage\b|environment|before you|dependenc|tools?\b)",
    re.IGNORECASE,
)
_DETECT = lazy(
    r"[\W\d_]{0,12}(?:detect(?:ion|ing)?|hunting|investigat\w{2,4}|triage|analysis)\b[^\w]{0,6}$",
    re.IGNORECASE,
)


class Caveat(IntEnum):
    """How plainly a heading says that what follows is to be watched for and not to be done."""

    NONE = 0
    SOME = 1
    PLAIN = 2


class Headings:
    """The headings of a Markdown text, and which of its lines stand in a fence."""

    def __init__(self, view: View) -> None:
        # The title of a SKILL.md does not count: anyone can call theirs a scanner.
        self._titled = view.path.rpartition("/")[2].lower() == "skill.md"
        self._lines: list[int] = []
        self._fences: list[int] = []
        self._headings: list[tuple[int, str]] = []
        self._over: list[tuple[int, ...]] = []
        """The numbers of the headings that hold a heading, level by level, and its own."""
        self._caveats: dict[int, tuple[bool, Caveat]] = {}
        self._held: dict[tuple[int, ...], Caveat] = {}
        open_: list[int] = []
        fence = ""
        for mark in _MARK.finditer("\n" + view.text):
            line = view.line_of(mark.start()) + 1
            if mark[1]:
                if not fence or (mark[1][0] == fence[0] and len(mark[1]) >= len(fence)):
                    fence = "" if fence else mark[1]
                    self._fences.append(line)
            elif not fence:
                level = len(mark[2])
                while open_ and self._headings[open_[-1]][0] >= level:
                    open_.pop()
                open_.append(len(self._lines))
                self._lines.append(line)
                self._headings.append((level, mark[3]))
                self._over.append(tuple(open_))

    def caveat(self, line: int) -> Caveat:
        """What the heading above this line (1-based), and those that hold it, say of what stands there."""
        over = self._holding(line)
        held = self._held.get(over)
        if held is None:
            held = Caveat.NONE
            for number in over:
                apart, caveat = self._own_of(number)
                held = caveat if apart else max(held, caveat)
            self._held[over] = held
        return held

    def setup(self, line: int) -> bool:
        """Whether a heading over this line (1-based) says that it makes ready what the skill needs."""
        return any(_SETUP.match(self._headings[number][1]) for number in self._holding(line))

    def over(self, line: int) -> list[str]:
        """The headings over a line (1-based), from the outermost on; without the title of a SKILL.md."""
        return [
            heading
            for level, heading in (self._headings[number] for number in self._holding(line))
            if not (self._titled and level == 1)
        ]

    def done(self, line: int) -> bool:
        """Whether a heading over this line (1-based) says that something is to be done, or made ready."""
        return any(_ACT.match(heading) or _SETUP.match(heading) for heading in self.over(line))

    def _holding(self, line: int) -> tuple[int, ...]:
        """The numbers of the headings over a line, from the outermost on."""
        at = bisect_right(self._lines, line) - 1
        return self._over[at] if at >= 0 else ()

    def _own_of(self, number: int) -> tuple[bool, Caveat]:
        known = self._caveats.get(number)
        if known is None:
            level, heading = self._headings[number]
            known = self._caveats[number] = _own(heading, title=self._titled and level == 1)
        return known

    def fence(self, line: int) -> tuple[int, int] | None:
        """The lines (1-based) that open and close the fence in which this line stands, or None."""
        at = bisect_right(self._fences, line)
        if at % 2 == 0:
            return None
        return self._fences[at - 1], self._fences[at] if at < len(self._fences) else 1 << 60


def _own(heading: str, *, title: bool) -> tuple[bool, Caveat]:
    """Whether a heading stands apart from those that hold it, and its own caveat.

    What is to be done about the things warned of is not one of them; how to detect them shows some.
    """
    if title:
        return False, Caveat.NONE
    if _ACT.match(heading):
        return True, Caveat.NONE
    if _STEP.match(heading):
        return True, Caveat.SOME if _PLAIN.search(heading) or _SOME.search(heading) else Caveat.NONE
    if _DETECT.match(heading):
        return True, Caveat.SOME
    if _PLAIN.search(heading):
        return False, Caveat.PLAIN
    if _SOME.search(heading) or tongues.HEADING.search(heading):
        return False, Caveat.SOME
    return False, Caveat.NONE
