"""A page of text for a terminal: lines of a width, colours and links where they are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import no_orders, one_line, printable
from sluicegate.reach.report.text.columns import width, wrap
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import SkillReport
from sluicegate.vet.verdict.types import Decision, Location, Severity

if TYPE_CHECKING:
    from sluicegate.reach.report.text.links import Links

_RESET = "\x1b[0m"
_STYLE = {
    "SAFE": "\x1b[1;32m",
    "CAUTION": "\x1b[1;33m",
    "DO_NOT_INSTALL": "\x1b[1;31m",
    "CRITICAL": "\x1b[1;31m",
    "HIGH": "\x1b[31m",
    "MEDIUM": "\x1b[33m",
    "LOW": "\x1b[36m",
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
}
"""By name: a Decision equals the Severity of its number, so that both cannot be keys of one table."""


def styled(name: Decision | Severity | str, text: str, *, color: bool) -> str:
    """``text`` in a colour, where colours are wanted."""
    if not color or not text:
        return text
    return f"{_STYLE[name if isinstance(name, str) else name.name]}{text}{_RESET}"


class TextPage:
    """Lines on their way out."""

    __slots__ = ("color", "lines", "links", "rules", "width")

    def __init__(self, *, width: int, color: bool, rules: dict[str, Rule], links: Links | None) -> None:
        self.width, self.color, self.rules, self.links = width, color, rules, links
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def style(self, name: Decision | Severity | str, text: str) -> str:
        return styled(name, text, color=self.color)

    def heading(self, text: str, note: str = "") -> None:
        """A heading, with a note beside it, or below where it has no room."""
        self.add("", self.style("bold", text))
        if note and width(text) + 2 + width(note) <= self.width:
            self.lines[-1] += f"  {self.style('dim', note)}"
        elif note:
            self.wrapped(note, first="  ", style="dim")

    def wrapped(self, text: str, *, first: str = "", rest: str | None = None, style: str = "") -> None:
        """Untrusted ``text``, on one line of thought, wrapped."""
        rest = " " * width(first) if rest is None else rest
        lines = wrap(one_line(text), self.width, first=first, rest=rest)
        self.add(*((self.style(style, line) for line in lines) if style else lines))

    def rule_line(self) -> None:
        """A line from side to side between two parts."""
        self.add("", self.style("dim", "=" * self.width), "")

    def place(self, skill: SkillReport, location: Location, said: str) -> str:
        """``path:line``, which opens the file where the terminal can."""
        shown = printable(said)
        if self.links is None:
            return shown
        from sluicegate.reach.report.text.links import linked

        return linked(shown, self.links.artifact(skill, location.path))

    def rule(self, name: str) -> str:
        """The id of a rule, which opens its page where the terminal can."""
        shown = one_line(name)
        if self.links is None:
            return shown
        from sluicegate.reach.report.text.links import linked

        return linked(shown, self.links.rule(name))

    def text(self) -> str:
        """The whole page."""
        return no_orders("\n".join(line.rstrip(" ") for line in self.lines) + "\n")
