"""Syntax trees of Python that need not be correct.

Real skills hold Python 2, half a snippet, merge markers, prompts, and what only a newer Python knows. What the parser
rejects even when it is written anew is cut out line by line, as spaces, so that positions stay true, and the rest is
parsed. The number of tries is bounded, and with it the work: at most ``TRIES`` parses of the whole text, fewer when
it is long, none when it is very long; then it is parsed in groups of blocks.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

TRIES = 24
BYTES_PER_SCAN = 600_000
"""Work bound: tries times characters stays below this."""
GROUP = 16_384
"""Characters of blocks at the left margin that are parsed together as the last resort."""
MAX_SEPARATORS = 150_000
"""A tree takes time and memory by its nodes and not by its bytes; this many separators make about a million
bytes of common code."""
SEPARATORS_PER_SCAN = 3 * MAX_SEPARATORS
"""The same for all texts of one scan, whose trees stay in memory together (a kilobyte for each, at worst)."""
MAX_FIELDS = 2_000_000_000
"""Braces times characters: CPython 3.11 searches each field of a format string from the string's start."""
SURE_LENGTH = 2_000
SURE_BRACKETS = 100
SURE_SIGNS = 300
"""A text within these three is never too deep for the parser, which gives up at 200 brackets inside each other,
at 3,000 nodes (each at least a character), and at 6,000 calls of its own, of which a bracket takes up to 30
and a sign up to 3."""
_SEPARATORS = (",", "\n", ";", "(", ".", "=", "+", "[", "<", "{", ">", "*", "-")
_FSTRING = lazy(r"[fF][rR]?[\"']")

_PRINT = lazy(
    r"^([ \t]*)print[ \t]+(?![=(.,\[+\-*/%<>!&|^:]|in\b|is\b|and\b|or\b|not\b|if\b)(\S[^\n]*)$", re.M
)
_EXEC = lazy(r"^([ \t]*)exec[ \t]+(?![=(.,])(\S[^\n]*)$", re.M)
_EXCEPT = lazy(r"^([ \t]*except[ \t]+[\w.]+)[ \t]*,[ \t]*(\w+)[ \t]*:", re.M)
_PROMPT = lazy(r"^(>>>|\.\.\.|In \[\d{1,4}\]:)[ ]?", re.M)
_COMMENT = lazy(r"^[ \t]*#[^\n]*", re.M)
_MAGIC = lazy(r"^[ \t]*[!%][^\n]*$", re.M)


class Parsed(NamedTuple):
    """A tree, and how many lines or blocks were cut out to get it."""

    tree: ast.Module
    cut: int


class Unparsed(NamedTuple):
    """No tree; ``limit`` when the text is too deep or too large for a parser, else it is not Python."""

    limit: bool
    why: str


def separators(text: str) -> int:
    """How much there is of a text, as a tree."""
    return sum(map(text.count, _SEPARATORS))


class Room:
    """How much one scan may still turn into trees. No text is counted before there are many characters."""

    def __init__(self, most: int = SEPARATORS_PER_SCAN) -> None:
        self._left = most
        self._uncounted: list[str] = []
        self._characters = 0

    def takes(self, text: str) -> bool:
        """Whether there is room for the tree of a text; then it is taken."""
        if self._characters + len(text) <= self._left:  # no text has more separators than characters
            self._uncounted.append(text)
            self._characters += len(text)
            return True
        self._left -= sum(map(separators, self._uncounted))
        self._uncounted, self._characters = [], 0
        if (needed := separators(text)) > self._left:
            return False
        self._left -= needed
        return True


def too_large(text: str, most: int) -> bool:
    """Whether a text is too large for one tree: more than ``most`` characters, too many separators or braces."""
    length = len(text)
    return (
        length > most
        or (length > MAX_SEPARATORS and separators(text) > MAX_SEPARATORS)
        or (length * length > MAX_FIELDS and text.count("{") * length > MAX_FIELDS)
    )


def both_ends(text: str, most: int) -> str:
    """What of a text that is too large one tree may hold, each line in its place.

    Lines that are comments are left out. If that is not enough, the beginning and the end are kept, by whole lines; the
    beginning alone where the lines between them are themselves too many.
    """
    lines = _COMMENT.sub("", text).split("\n")
    first = _fits(lines, most // 2, MAX_SEPARATORS // 3)
    last = len(lines) - _fits(lines[first:][::-1], most // 2, MAX_SEPARATORS // 3)
    if last - first > MAX_SEPARATORS // 3:
        return "\n".join(lines[:first])
    return "\n".join([*lines[:first], *[""] * (last - first), *lines[last:]])


def _fits(lines: list[str], most: int, signs: int) -> int:
    """How many of the lines, from the first on, have no more characters and separators than these."""
    for number, line in enumerate(lines):
        most -= len(line) + 1
        signs -= separators(line) + 1
        if most < 0 or signs < 0:
            return number
    return len(lines)


def parse(text: str) -> Parsed | Unparsed:
    """The tree of a text, or of as much of it as can be saved. Never raises, never warns."""
    with unwarned():
        return parse_loudly(text)


@contextmanager
def unwarned() -> Iterator[None]:
    """Without the warnings of the parser. To set this up costs as much as to parse a few lines."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def surely_shallow(text: str) -> bool:
    """Whether it is sure that no limit of the parser stands against a text."""
    return (
        len(text) <= SURE_LENGTH
        and text.count("(") + text.count("[") + text.count("{") <= SURE_BRACKETS
        and text.count("-") + text.count("+") + text.count("~") <= SURE_SIGNS
    )


def parse_loudly(text: str) -> Parsed | Unparsed:
    """As ``parse``, for callers that parse several texts in one ``unwarned``."""
    length = len(text)
    # A text has no more separators than characters, nor more braces.
    if length > MAX_SEPARATORS and separators(text) > MAX_SEPARATORS:
        return Unparsed(True, "too many tokens for a syntax tree")
    if length * length > MAX_FIELDS and text.count("{") * length > MAX_FIELDS and _FSTRING.search(text):
        return Unparsed(True, "too many format fields for a syntax tree")
    source = text.replace("\0", " ").replace("\f", " ").removeprefix("\ufeff")
    first = _try(source)
    if isinstance(first, ast.Module):
        return Parsed(first, 0)
    if isinstance(first, Unparsed):
        return first
    if source.lstrip("\n")[:1].isspace():
        inside = _try("if 1:\n" + source)
        if isinstance(inside, ast.Module):
            ast.increment_lineno(inside, -1)
            return Parsed(inside, 0)
    return _rewritten(source, first)


def _rewritten(source: str, error: SyntaxError) -> Parsed | Unparsed:
    """The tree of a text that is not Python of this version, after it was written anew."""
    from sluicegate.vet.inspect.analyzers.pyflow.syntax.newer import fill, rewrite

    text, fields = rewrite(_older_python(source))
    outcome = error if text == source else _try(text)
    parsed = _recover(text, outcome) if isinstance(outcome, SyntaxError) else outcome
    if isinstance(parsed, ast.Module):
        parsed = Parsed(parsed, 0)
    if isinstance(parsed, Parsed):
        return Parsed(parsed.tree, parsed.cut + fill(parsed.tree, fields))
    return parsed


def _older_python(source: str) -> str:
    """Statements of Python 2 and marks of interactive sessions, written so that the parser takes them."""
    source = _PROMPT.sub("", source) if ">>>" in source or "In [" in source else source
    source = _PRINT.sub(r"\1print(\2)", source)
    source = _EXEC.sub(r"\1exec(\2)", source)
    source = _EXCEPT.sub(r"\1 as \2:", source)
    return _MAGIC.sub("", source)


def _try(source: str) -> ast.Module | SyntaxError | Unparsed:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        if "too many nested" in (error.msg or "") or "too complex" in (error.msg or ""):
            return Unparsed(True, "nested too deeply for a syntax tree")
        return error.with_traceback(None)  # which would hold this frame, and the text, in a circle
    except (RecursionError, MemoryError):
        return Unparsed(True, "nested too deeply for a syntax tree")
    except (ValueError, OverflowError, UnicodeError) as error:
        return Unparsed(False, type(error).__name__)


def _recover(source: str, outcome: ast.Module | SyntaxError | Unparsed) -> Parsed | Unparsed:
    """Parse again and again with the offending lines blanked out; keep the indentation of what follows."""
    lines = source.split("\n")
    cut: set[int] = set()
    for _ in range(min(TRIES, BYTES_PER_SCAN // max(1, len(source)))):
        if not isinstance(outcome, SyntaxError) or not _blank(lines, outcome, cut):
            break
        outcome = _try("\n".join(lines))
    if isinstance(outcome, ast.Module):
        return Parsed(outcome, len(cut))
    return _prefixes(lines, outcome, len(cut)) if isinstance(outcome, SyntaxError) else outcome


def _blank(lines: list[str], error: SyntaxError, cut: set[int]) -> bool:
    """Replace the lines of an error by ``pass`` at the same indentation; false when none is left."""
    at = min(max((error.lineno or 1) - 1, 0), len(lines) - 1)
    message = error.msg or ""
    if "expected an indented block" in message:
        before = at - 1
        while before >= 0 and not lines[before].strip():
            before -= 1
        if before >= 0 and before not in cut:
            lines[before] = lines[before].rstrip() + " pass"
            cut.add(before)
            return True
    if "unexpected indent" in message or "unindent does not match" in message:
        previous = next((line for line in reversed(lines[:at]) if line.strip()), "")
        if at not in cut:
            cut.add(at)
            indent = previous[: len(previous) - len(previous.lstrip())]
            lines[at] = indent + lines[at].lstrip()
            return True
    while at >= 0 and (at in cut and lines[at].strip() in ("", "pass")):
        at -= 1
    if at < 0:
        return False
    cut.add(at)
    line = lines[at]
    lines[at] = line[: len(line) - len(line.lstrip())] + "pass"
    return True


def _prefixes(lines: list[str], error: SyntaxError, cut: int) -> Parsed | Unparsed:
    """The last resort: the blocks at the left margin, parsed in groups on both sides of the error."""
    body: list[ast.stmt] = []
    starts = [
        i for i, line in enumerate(lines) if line[:1] and not line[0].isspace() and line[0] not in "#)]}"
    ]
    ends = [*starts[1:], len(lines)]
    budget = 4 * sum(map(len, lines)) + 1_000
    stack = _groups(lines, starts)
    while stack and budget > 0:
        low, high = stack.pop()
        chunk = "\n".join(lines[starts[low] : ends[high - 1]])
        budget -= len(chunk)
        outcome = _try(chunk)
        if isinstance(outcome, ast.Module):
            for node in outcome.body:
                ast.increment_lineno(node, starts[low])
            body.extend(outcome.body)
        elif isinstance(outcome, Unparsed) and outcome.limit:
            return outcome
        elif high - low > 1:
            middle = (low + high) // 2
            stack += [(middle, high), (low, middle)]
        else:
            cut += 1
    if not body:
        return Unparsed(False, error.msg or "not Python")
    return Parsed(ast.Module(body=body, type_ignores=[]), cut + len(stack))


def _groups(lines: list[str], starts: list[int]) -> list[tuple[int, int]]:
    """Blocks that are parsed together, as pairs of indices into their starts; the last ones first."""
    groups: list[tuple[int, int]] = []
    low = size = at = 0
    for index, start in enumerate(starts):
        size += sum(map(len, lines[at:start]))
        at = start
        if size > GROUP:
            groups.append((low, index))
            low, size = index, 0
    if low < len(starts):
        groups.append((low, len(starts)))
    return groups[::-1]
