"""Listings of reStructuredText, AsciiDoc, Org, LaTeX, Texinfo, man pages and wikis: programs and commands that are shown as they are typed.

The marks count, not the suffix of the file: a guide may be called anything. A listing whose language nobody names is
read as what it says; one that reads as prose gives nothing, for its lines stand in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product
from sluicegate.vet.intake.views.programs.language import guess, named, without_prompts
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_MOST = 10_000
"""Listings of one text."""
_HINTS = (
    "::\n",
    "code::",
    "code-block::",
    "sourcecode::",
    "prompt::",
    "----",
    "....",
    "[source",
    "#+",
    "\n: ",
    "\\begin{",
    "<syntaxhighlight",
    "{{{",
    "{code",
    "{noformat",
    "[code",
    "[literal",
    "@example",
    "@verbatim",
    ".nf\n",
)
"""One of them stands in every text with a listing."""
_DIRECTIVE = lazy(
    r"[ \t]*+\.\.[ \t]++(?:code-block|code|sourcecode|prompt|parsed-literal|highlight)::[ \t]*+([\w+-]*+)"
)
_OPTION = lazy(r"[ \t]++:[\w-]++:")
_DELIMITER = lazy(r"(-{4,}+|\.{4,}+)[ \t]*+\Z")
_ATTRIBUTES = lazy(r"\[(?:source|listing|literal|,)[^\]\n]{0,200}+\][ \t]*+\Z")
_MARKS = (
    (lazy(r"[ \t]*+\\begin\{(?:lstlisting|minted|verbatim|Verbatim|BVerbatim|alltt|semiverbatim|console|bash|tcblisting)\*?\}"
          r"(?:\[[^\]]{0,200}?(?:language=\{?(\w{1,20}))?[^\]]{0,200}\])?(?:\{([\w+-]{1,20})\})?"), "\\end{"),
    (lazy(r"[ \t]*+<(?:syntaxhighlight|source)\b(?:[^>]{0,80}?lang=[\"']?([\w+-]{1,20}))?[^>]{0,80}>[ \t]*+\Z"), "</"),
    (lazy(r"[ \t]*+\{\{\{(?:#!([\w+-]{1,20}))?[ \t]*+\Z"), "}}}"),
    (lazy(r"[ \t]*+\{code(?::([\w+-]{1,20}))?[^}\n]{0,80}\}[ \t]*+\Z"), "{code}"),
    (lazy(r"[ \t]*+\{(noformat)\}[ \t]*+\Z"), "{noformat}"),
    (lazy(r"[ \t]*+\[code(?:[= ]\"?([\w+-]{1,20})\"?)?\][ \t]*+\Z"), "[/code]"),
    (lazy(r"@(?:example|smallexample|verbatim|lisp)()[ \t]*+\Z"), "@end "),
    (lazy(r"\.nf()[ \t]*+\Z"), ".fi"),
)  # fmt: skip
"""How a listing begins in a line, with the name of its language, and how the line begins that ends it."""
_OPENED = ("\\", "<", "{", "[", "@", ".n")
_ORG_BEGIN = lazy(r"[ \t]*+#\+begin_(?:src|example)\b[ \t]*+([\w+-]*+)", re.IGNORECASE)
_ORG_END = lazy(r"[ \t]*+#\+end_(?:src|example)\b", re.IGNORECASE)
_ORG_LINE = lazy(r"[ \t]*+:[ \t](?=\S)")


class _Listing(NamedTuple):
    """The lines from ``first`` to before ``stop`` (0-based), and the name of their language where one is given."""

    first: int
    stop: int
    name: str


def listing_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``fence`` view of each listing that is a program."""
    if not one_of(_HINTS, view.text):
        return
    lines = view.text.split("\n")
    number = 0
    for listing in _listings(lines):
        body = "\n".join(_undented(lines[listing.first : listing.stop]))
        language = (named(listing.name) if listing.name else None) or guess(body)
        if language is Kind.TEXT:
            language = guess(body)
        if language not in CODE:
            continue
        if number == _MOST:
            detail = f"more than {_MOST} listings; the rest was not looked at apart"
            yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
            return
        number += 1
        if language is Kind.SHELL:
            body = without_prompts(body)
        step = Step("fence", listing.name[:40] or "listing")
        yield Derived(body, language, step, Aligned(listing.first), verbatim=True)


def _undented(lines: list[str]) -> list[str]:
    if lines and all(not line.strip() or _ORG_LINE.match(line) for line in lines):
        return [_ORG_LINE.sub("", line, count=1) for line in lines]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]


def _listings(lines: list[str]) -> Iterator[_Listing]:
    """All listings, in order; each line is in one at most."""
    ends = _ends(lines)
    at = 0
    while at < len(lines):
        found = _starting(lines, at, ends)
        if found is None:
            at += 1
            continue
        yield found
        at = max(at + 1, found.stop)


def _starting(lines: list[str], at: int, ends: dict[int, int]) -> _Listing | None:
    """The listing that the line at ``at`` begins or announces."""
    line = lines[at]
    directive = _DIRECTIVE.match(line) if "::" in line else None
    if directive is not None or line.rstrip().endswith("::"):
        return _below(lines, at, directive[1] if directive is not None else "")
    if line.startswith("[") and _ATTRIBUTES.match(line):
        words = [word.strip() for word in line.strip().strip("[]").split(",")]
        return _of_block(lines, at + 1, ends, words[1] if len(words) > 1 else "")
    if at in ends and not (at and _titled(lines[at - 1])):
        return _Listing(at + 1, ends[at], "")
    if line.lstrip().startswith(_OPENED) and (marked := _of_marks(lines, at)) is not None:
        return marked
    begun = _ORG_BEGIN.match(line) if "#+" in line else None
    if begun is not None:
        return _Listing(at + 1, ends.get(at, len(lines)), begun[1])
    if ":" in line and _ORG_LINE.match(line):
        stop = at
        while stop < len(lines) and _ORG_LINE.match(lines[stop]):
            stop += 1
        return _Listing(at, stop, "")
    return None


def _of_marks(lines: list[str], at: int) -> _Listing | None:
    """The lines between a mark that begins a listing and the one that ends it, or the end of the text."""
    for opens, ends in _MARKS:
        found = opens.match(lines[at])
        if found is not None:
            stop = at + 1
            while stop < len(lines) and not lines[stop].lstrip().startswith(ends):
                stop += 1
            return _Listing(at + 1, stop, next((group for group in found.groups() if group), ""))
    return None


def _titled(line: str) -> bool:
    """Whether a line of dashes below this one underlines it: it is text, and no title or continuation of a block."""
    return (
        bool(line.strip()) and not line.startswith((".", "[", "+", "<")) and not line.rstrip().endswith(":")
    )


def _below(lines: list[str], at: int, name: str) -> _Listing:
    """The lines below one that are indented further than it, without the options of a directive."""
    width = len(lines[at]) - len(lines[at].lstrip())
    first = at + 1
    while first < len(lines) and _OPTION.match(lines[first]):
        first += 1
    stop = first
    for number in range(first, len(lines)):
        line = lines[number]
        if line.strip():
            if len(line) - len(line.lstrip()) <= width:
                break
            stop = number + 1
    return _Listing(first, stop, name)


def _of_block(lines: list[str], at: int, ends: dict[int, int], name: str) -> _Listing:
    """The block, or the paragraph, behind a line of attributes."""
    while at < len(lines) and lines[at].startswith(".") and at not in ends:  # its title
        at += 1
    if at in ends:
        return _Listing(at + 1, ends[at], name)
    stop = at
    while stop < len(lines) and lines[stop].strip():
        stop += 1
    return _Listing(at, stop, name)


def _ends(lines: list[str]) -> dict[int, int]:
    """For each line that may open a block of AsciiDoc or Org, the line that closes it; the end of the text for none."""
    found: dict[int, int] = {}
    last: dict[str, int] = {}
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line.startswith(("----", "....")) and _DELIMITER.match(line):
            mark = line.strip()
            found[number] = last.get(mark, len(lines))
            last[mark] = number
        elif "#+" in line:
            if _ORG_END.match(line):
                last["#+"] = number
            elif _ORG_BEGIN.match(line):
                found[number] = last.get("#+", len(lines))
    return found
