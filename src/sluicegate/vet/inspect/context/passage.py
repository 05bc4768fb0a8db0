"""Where a match stands in a Markdown text: under which heading, in which fence, list or table."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect import tongues
from sluicegate.vet.inspect.context import whole_commands
from sluicegate.vet.inspect.context.excuse import Excuse, ExcuseLevel
from sluicegate.vet.inspect.context.programs import data
from sluicegate.vet.inspect.context.programs.literal import inert, literal, searched
from sluicegate.vet.inspect.context.prose import presented
from sluicegate.vet.inspect.context.prose.purpose import SkillPurpose
from sluicegate.vet.inspect.context.prose.retractions import taken_back, uncommented
from sluicegate.vet.inspect.context.prose.reviewers import OWN
from sluicegate.vet.inspect.context.prose.sentence import (
    BAD,
    FORBIDS,
    asked,
    denied,
    done_by_another,
    gives_order,
    introduced,
    obeyed,
    ordered,
    ordered_after,
    quoted,
    reported,
    warns,
)
from sluicegate.vet.inspect.outline import Caveat, Headings
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.context.prose.orders import Orders

_ITEM = lazy(r"[ \t]*(?:>[ \t]?)*(?:[-*+]|\d{1,3}[.)]|\||>|❌|🚫)")
_BULLET = lazy(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|$|[ \t]{2,}\S)")
_RULE = lazy(r"[ \t]*\|?[ \t:|-]{3,}$")
_SHOWS = lazy(
    r"\b(?:examples?|patterns?|findings?|threats?|checks?|severity|detect\w{0,6}|catch(?:es)?|signatures?|risks?|categor\w{1,3})\b",
    re.IGNORECASE,
)
"""What the head of a table says of its entries in a skill about security; elsewhere it says nothing."""
_LABEL = lazy(
    r"[ \t]*(?:#|//|--|;|<!--|REM )[ \t]{0,3}(?:❌|🚫|⛔|(?:very )?(?:BAD|DANGEROUS|MALICIOUS|VULNERABLE|UNSAFE"
    r"|INSECURE|WRONG|ATTACK|EXPLOIT|PAYLOAD|BLOCKED|ANTI-?PATTERN|HIDDEN IN|(?:NEVER|DON'T|DO NOT) (?:DO|RUN|USE|EXECUTE))\b)",
    re.IGNORECASE,
)
_RULES = lazy(r"[ \t>]{0,12}(?:`{3,}|~{3,})[ \t]{0,4}(?:yara|yar|sigma|snort|suricata)\b", re.IGNORECASE)
"""A fence of rules of a detector, which nothing runs."""
_DATA = lazy(r"[ \t>]{0,12}(?:`{3,}|~{3,})[ \t]{0,4}(?:ya?ml|json|toml)\b", re.IGNORECASE)
_DIFF = lazy(r"[ \t>]{0,12}(?:`{3,}|~{3,})[ \t]{0,4}(?:diff|patch)\b", re.IGNORECASE)
_ADDED = lazy(r"^\+", re.MULTILINE)
_NOT_DONE = lazy(
    r"\b(?:do|does|must|should|may|will|can|shall)(?: not|n['’]t)\W{0,4}$|\b(?:never|forbidden|not allowed)\W{0,4}$",
    re.IGNORECASE,
)
_STAND_IN = lazy(
    r"(?:://|/dev/(?:tcp|udp)/)(?:(?!localhost)[A-Za-z_][\w-]{0,40}(?=[/:\s'\")]|$)|[<\[{])|\b(?:[LR]HOST|ATTACKER_?IP)\b"
)
"""A host that no one has: a single word, or a gap to fill in."""
_LEAD = 60
"""Lines above an item, a row or a fence among which what leads to it is looked for."""
_LINE = 400
"""Characters of such a line that are looked at."""
_BLOCK = 8_000
"""Characters of a fence that are looked at."""
_SEVERAL = 4
"""Items or rows that make a catalogue."""


class MatchPlace(NamedTuple):
    """A match in the raw text of an artifact.

    ``words``: it is about sentences, not about commands; ``foreign``: its rule reads other languages;
    ``grave``: it is HIGH or worse, so that a doubt about its excuse counts; ``whole``: it is read where it is quoted,
    too, so that only what the surroundings say excuses it.
    """

    view: View
    start: int
    end: int
    words: bool
    foreign: bool = False
    grave: bool = True
    whole: bool = False


class Effort:
    """How many characters may still be read for orders in the texts of one bundle."""

    def __init__(self, most: int = 400_000) -> None:
        self._left = most

    def take(self, wanted: int) -> int:
        """At most ``wanted``, and no more than is left."""
        given = min(wanted, self._left)
        self._left -= given
        return given


class Passages:
    """The passages of one Markdown text, and what their surroundings say of them."""

    def __init__(self, view: View, *, purpose: SkillPurpose, effort: Effort) -> None:
        self._effort = effort
        self._view = view
        self._text = view.text
        self._headings = Headings(view)
        self._purpose = purpose
        self._manifest = view.path.rpartition("/")[2].lower() == "skill.md"
        self._orders: Orders | None = None
        self._leads: dict[int, tuple[str, bool]] = {}

    def excuse(self, place: MatchPlace) -> Excuse | None:
        """Why what stands there is not said, or None. Nothing that the text orders is excused."""
        line = self._view.line_of(place.start) + 1
        if searched(self._text, place.start, place.end):
            return Excuse(level=ExcuseLevel.INERT, reason="what a search looks for")
        fence = self._headings.fence(line)
        found = self._open(place, line) if fence is None else self._fenced(place, line, fence)
        if found is None or (found.level is not ExcuseLevel.INERT and self._taken_back):
            return None
        end = self._said_until(place) if fence is None else self._line_start(fence[1])
        if ordered_after(self._text, end, self._after(line, fence)):
            return None
        if self.orders().cover(line, self._view.line_of(max(place.start, place.end - 1)) + 1):
            return None
        if place.words or not place.grave or found.sure or found.level is ExcuseLevel.INERT:
            return None if self.orders().cut else found
        doubt = self._doubt(place, line, fence)
        return found._replace(doubt=doubt) if doubt else found

    def _said_until(self, place: MatchPlace) -> int:
        """Where what a match belongs to ends: a quotation is shown whole, with the orders in it."""
        span = quoted(self._text, place.start, place.end, foreign=place.foreign)
        return place.end if span is None else max(place.end, span[1])

    @cached_property
    def _taken_back(self) -> bool:
        return taken_back(self._text)

    @cached_property
    def _obeyed(self) -> bool:
        return obeyed(self._text)

    @cached_property
    def _uncommented(self) -> bool:
        return uncommented(self._text)

    def orders(self) -> Orders:
        """What this text orders to carry out, in any language."""
        if self._orders is None:
            from sluicegate.vet.inspect.context.prose.orders import Orders

            self._orders = Orders(self._text, self._effort.take(len(self._text)))
        return self._orders

    def _doubt(self, place: MatchPlace, line: int, fence: tuple[int, int] | None) -> str:
        """Why a command that its surroundings excuse is worth a look all the same, or ``""``.

        One that could be pasted and would reach someone is shown for a reason only in a catalogue: a table or
        a list of several in a skill about security.
        """
        if self.orders().unread(line):
            return "a text near it cannot be read for what it orders"
        if self._line(line).lstrip().startswith(("# ", "// ")) and fence is not None:
            return ""
        first, stop = self._line_start(line), self._line_end(place.end)
        if not whole_commands.whole(
            self._text[max(first, place.start - _LINE) : min(stop, place.end + _LINE)]
        ):
            return ""
        if fence is None and self._purpose.security and self._catalogue(line):
            return ""
        return "it is whole, and names a real address"

    def _catalogue(self, line: int) -> bool:
        """Whether a line is one of several items or rows in a row that each show something."""
        found = 1
        for step in (-1, 1):
            number = line + step
            while number > 0 and _ITEM.match(text := self._line(number)) and "`" in text:
                found += 1
                number += step
        return found >= _SEVERAL

    def shown(self, place: MatchPlace) -> Excuse | None:
        """The excuse of words that stand in a quotation or a fence which its surroundings call an example.

        A quotation or a fence alone says nothing: whoever reviews a skill reads what is quoted, too.
        """
        line = self._view.line_of(place.start) + 1
        if (
            self._headings.fence(line) is None
            and not self.quotes(place)
            and not self._block_quoted(place, line)
        ):
            return None
        return self.excuse(place._replace(words=True, whole=True))

    def _block_quoted(self, place: MatchPlace, line: int) -> bool:
        """Whether a match stands in a block quotation that does not speak of this very skill."""
        return (
            self._line(line).lstrip().startswith(">")
            and OWN.search(self._text, self._line_start(line), place.end + _LINE) is None
        )

    def presented(self, place: MatchPlace) -> bool:
        """Whether a match stands in a block quotation, of whatever it speaks, that the line before it calls an attack."""
        line = self._view.line_of(place.start) + 1
        if not self._line(line).lstrip().startswith(">"):
            return False
        while line > 1 and self._line(line - 1).lstrip().startswith(">"):
            line -= 1
        return warns(self._led_to(line)[0], commands=False)

    def fenced(self, place: MatchPlace) -> str:
        """The text of the fence in which a match stands, from its opening line up to the match, or ``""``."""
        fence = self._headings.fence(self._view.line_of(place.start) + 1)
        return "" if fence is None else self._text[self._line_start(fence[0]) : place.start]

    def quotes(self, place: MatchPlace) -> bool:
        """Whether a quotation on the line of a match holds it."""
        return quoted(self._text, place.start, place.end, foreign=place.foreign) is not None

    def _open(self, place: MatchPlace, line: int) -> Excuse | None:
        """In running text, an item or a row: negated, quoted as an example, or listed where it is warned of."""
        if (
            self._purpose.security
            and not self._headings.done(line)
            and not self._obeyed
            and presented.narrated(self._text, place.start)
        ):
            return Excuse(
                level=ExcuseLevel.EXAMPLE, reason="said to be done by others, or only supposed", sure=True
            )
        if not place.whole and (word := denied(self._text, place.start, place.end, foreign=place.foreign)):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason=f"negated in its sentence ({word})")
        if place.words and done_by_another(self._text, place.start):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="said to be done by an attacker")
        if self._purpose.security and self._shown_block(line):
            reason = "a quotation of which a text about attacks tells"
            return Excuse(level=ExcuseLevel.EXAMPLE, reason=reason, sure=True)
        span = quoted(self._text, place.start, place.end, foreign=place.foreign)
        if ordered(self._text, place.start if span is None else span[0]):
            return None
        if span is not None and introduced(self._text, *span, foreign=place.foreign):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="quoted as an example, not said")
        if span is not None and place.words and self._purpose.security and self._said_by_another(span, line):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="quoted from what some text says")
        if span is not None and place.words and asked(self._text, *span):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="quoted in a question, or as what is flagged")
        caveat = self._headings.caveat(line)
        listed = span is not None or _ITEM.match(self._text, self._line_start(line)) is not None
        if listed and (caveat is Caveat.PLAIN or (caveat is Caveat.SOME and span is not None)):
            return Excuse(
                level=ExcuseLevel.EXAMPLE, reason="an item or example under a heading that warns of it"
            )
        if listed and self._led(line, place.start, foreign=place.foreign):
            reason = "an item of a list or table of what to look for"
            sure = self._purpose.security and self._tells(line)
            return Excuse(level=ExcuseLevel.EXAMPLE, reason=reason, sure=sure)
        return self._covered(place, line)

    def _shown_block(self, line: int) -> bool:
        """Whether a line stands in a block quotation that the line before it, or the heading over it, says is shown."""
        if self._obeyed or not self._line(line).lstrip().startswith(">") or self._headings.done(line):
            return False
        while line > 1 and self._line(line - 1).lstrip().startswith(">"):
            line -= 1
        lead = self._lead(line)
        if lead.rstrip("*_ ").endswith(":") and (gives_order(lead) or presented.presents(lead)):
            return not gives_order(lead)
        if presented.callout(self._line(line)):
            return False
        return any(map(presented.heads_examples, self._headings.over(line)))

    def _said_by_another(self, span: tuple[int, int], line: int) -> bool:
        """Whether a quotation is what some page or mail says: named before it, or by the line that leads to a block of it."""
        if self._obeyed:
            return False
        if reported(self._text, span[0]):
            return True
        start = self._line_start(line)
        if self._text[start : span[0]].strip(" \t") != ">":
            return False
        lead = self._lead(line)
        return lead.rstrip().endswith(":") and not gives_order(lead) and reported(lead, len(lead))

    def _covered(self, place: MatchPlace, line: int) -> Excuse | None:
        """A command outside the setup of a skill that teaches to attack: the trade, and worth a look."""
        if not self._purpose.offence or place.words or self._headings.setup(line):
            return None
        stop = self._line_end(place.end)
        if _STAND_IN.search(self._text, self._line_start(line), min(stop, place.start + 2 * _LINE)):
            return Excuse(
                level=ExcuseLevel.AIMLESS,
                reason="the skill teaches such attacks, and this names no real host",
            )
        return Excuse(level=ExcuseLevel.COVERED, reason="the skill says that it teaches such attacks")

    def _fenced(self, place: MatchPlace, line: int, fence: tuple[int, int]) -> Excuse | None:
        """In a fence: what leads to it, the heading over it or a label in it calls it an example."""
        lead, orders = self._led_to(fence[0])
        if orders:
            return self._covered(place, line)
        if not place.words and self._line(line).lstrip().startswith(("# ", "// ")) and not self._uncommented:
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="in a comment of the program, which is not run")
        if self._purpose.security and self._detects(place, fence):
            return Excuse(
                level=ExcuseLevel.EXAMPLE, reason="a value that a detection rule looks for", sure=True
            )
        if self._removed(line, fence):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="a line that a change removes", sure=True)
        if self._purpose.security and (told := self._told(line, fence, lead)) is not None:
            return told
        if self._purpose.code_review and presented.worse(lead):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="what a review of code calls worse", sure=True)
        caveat = self._headings.caveat(line)
        if warns(lead, commands=not place.words):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="a block that the text before it warns of")
        if caveat is Caveat.PLAIN or self._labelled(line, fence[0]):
            return Excuse(
                level=ExcuseLevel.EXAMPLE, reason="an item or example under a heading that warns of it"
            )
        if not place.whole and self._string(place, line):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="a string that stands alone, and not a command")
        if caveat is Caveat.SOME and self._purpose.security and (place.words or not self._manifest):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="a block under a heading that warns of it")
        return self._covered(place, line)

    def _detects(self, place: MatchPlace, fence: tuple[int, int]) -> bool:
        """Whether a match stands in a rule of a detector: by the language of its fence, or by the key it stands under."""
        opening = self._line(fence[0])
        if _RULES.match(opening) is not None or presented.detector(self._block(fence)):
            return True
        return _DATA.match(opening) is not None and (
            data.excuse(self._view, place.start) is not None or data.tried(self._view, place.start)
        )

    def _block(self, fence: tuple[int, int]) -> str:
        """The beginning of what a fence holds."""
        first = self._line_start(fence[0] + 1)
        return self._text[first : min(self._line_start(fence[1]), first + _BLOCK)]

    def _removed(self, line: int, fence: tuple[int, int]) -> bool:
        """Whether a line of a fence is one that a change takes out, and others come in for it."""
        return (
            self._line(line).startswith("-")
            and _DIFF.match(self._line(fence[0])) is not None
            and _ADDED.search(self._block(fence)) is not None
        )

    def _told(self, line: int, fence: tuple[int, int], lead: str) -> Excuse | None:
        """The excuse of a fence that is a log, or that the line which leads to it or the heading over it says is shown."""
        if self._headings.done(line) or self._obeyed:
            return None
        over = self._headings.over(line)
        headed = not lead and bool(over) and presented.heads_examples(over[-1])
        logged = presented.logged(self._block(fence))
        sure = logged or presented.reports(lead)
        if not sure and (self._purpose.offence or not (headed or presented.presents(lead))):
            return None
        reason = "a block of which a text about attacks tells"
        return Excuse(level=ExcuseLevel.EXAMPLE, reason=reason, sure=sure)

    def _string(self, place: MatchPlace, line: int) -> bool:
        """Whether a line of a fence is one quoted string, which a shell would not run as a command."""
        first = self._line_start(line)
        opening = literal(self._text, first, place.start, place.end)
        if opening is None or self._text[first:opening].strip(" \t-*>"):
            return False
        rest = self._text[place.end : self._line_end(place.end)].rstrip(" \t,;\r")
        return rest.endswith(self._text[opening]) and inert(self._text, opening, self._line_end(place.end))

    def _labelled(self, line: int, opened: int) -> bool:
        """Whether the nearest comment above a line of a fence, or the line itself, calls it bad."""
        for number in range(line, max(opened, line - 12), -1):
            text = self._line(number)
            if _LABEL.match(text):
                return True
            if number < line and text.lstrip().startswith(("#", "//", "--")):
                return False
        return False

    def _never(self, head: str, line: int, at: int) -> bool:
        """Whether the head of the column in which a match stands says that such things are not done."""
        column = self._text.count("|", self._line_start(line), at)
        cells = head.split("|")
        return column < len(cells) and _NOT_DONE.search(cells[column]) is not None

    def _led(self, line: int, at: int, *, foreign: bool) -> bool:
        """Whether the table's head or the line that leads to a list says what its entries are."""
        if self._line(line).lstrip(" \t>").startswith("|"):
            for number in range(line - 1, max(1, line - 4 * _LEAD), -1):
                text = self._line(number).lstrip(" \t>")
                if not text.startswith("|"):
                    return False
                if "-" in text and _RULE.match(text):
                    head = self._line(number - 1) if number > 1 else ""
                    cells = any(FORBIDS.match(cell) for cell in head.split("|")) or self._never(
                        head, line, at
                    )
                    return (
                        cells
                        or bool(BAD.search(head))
                        or (self._purpose.security and self._entry(head, line, at))
                    )
            return False
        lead = self._lead(line).rstrip("*_ ")
        if self._purpose.security and presented.reports(lead) and not self._headings.done(line):
            return True
        return warns(lead, commands=False) or (
            foreign and lead.endswith((":", "：")) and tongues.names_example(lead)
        )

    def _entry(self, head: str, line: int, at: int) -> bool:
        """Whether the head of a table says that the entries of a column are shown, or their row that they are refused."""
        if _SHOWS.search(head) or presented.refused(self._line(line).split("|")):
            return True
        column, cells = self._text.count("|", self._line_start(line), at), head.split("|")
        named = cells[column : column + 1] if column else cells
        return (
            any(cell.strip() for cell in named)
            and not any(map(presented.procedural, named))
            and not self._headings.done(line)
        )

    def _tells(self, line: int) -> bool:
        """Whether a row says when or that others did what it holds, or that it is refused, or the line that leads to a list does."""
        row = self._line(line)
        if row.lstrip(" \t>").startswith("|"):
            return presented.refused(row.split("|")) or presented.dated(row.split("|")) or presented.past(row)
        return presented.reports(self._lead(line).rstrip("*_ "))

    def _lead(self, line: int, *, items: bool = False) -> str:
        """The last line of the text above an item or a fence: not empty, and itself an item only where allowed."""
        for number in range(line - 1, max(0, line - _LEAD), -1):
            text = self._line(number)
            if not text.strip() or self._headings.fence(number) is not None:
                continue
            if items or _BULLET.match(text) is None:
                return "" if text.lstrip().startswith("#") else text
        return ""

    def _led_to(self, opened: int) -> tuple[str, bool]:
        """What leads to the fence that is opened on a line, and whether it tells to carry it out."""
        known = self._leads.get(opened)
        if known is None:
            lead = self._lead(opened, items=True).rstrip("*_ ")
            known = self._leads[opened] = (lead, gives_order(lead))
        return known

    def _after(self, line: int, fence: tuple[int, int] | None) -> int:
        """The end of the paragraph that a match stands in, or of the one after its fence."""
        at = self._line_start(line if fence is None else fence[1] + 1)
        end = self._text.find("\n\n", at + 2)
        return len(self._text) if end == -1 else end

    def _line_start(self, line: int) -> int:
        starts = self._view.line_starts()
        return starts[line - 1] if line <= len(starts) else len(self._text)

    def _line(self, line: int) -> str:
        start = self._line_start(line)
        return self._text[start : min(start + _LINE, self._line_end(start))]

    def _line_end(self, start: int) -> int:
        end = self._text.find("\n", start)
        return len(self._text) if end == -1 else end
