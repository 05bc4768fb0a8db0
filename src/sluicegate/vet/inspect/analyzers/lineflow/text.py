"""A script made plain: lower case, without the tricks that split words, in statements, with its names.

Every function keeps the number of lines, so that what is found can be shown where it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

JOINED = 8
"""Lines that one statement may run over."""
LONGEST = 4000
"""Characters of one statement that are looked at."""
SIGILS = frozenset({Kind.POWERSHELL, Kind.PERL, Kind.PHP, Kind.BATCH})
"""Languages whose variables are marked as such."""

_LOWER = {ord(letter): ord(letter.lower()) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_TICK = lazy(r"`(?=[a-z0-9(\-$])")
_GLUE = lazy(r"'[ \t]{0,4}\+[ \t]{0,4}'|\"[ \t]{0,4}\+[ \t]{0,4}\"")
_GLUE_VB = lazy(r"\"[ \t]{0,4}&[ \t]{0,4}\"")
_GLUE_DOT = lazy(r"'[ \t]{0,4}\.[ \t]{0,4}'|\"[ \t]{0,4}\.[ \t]{0,4}\"")
_CARET = lazy(r"\^(?=[a-z0-9])")
_ORDERED = lazy(
    r"\([ \t]{0,4}[\"']((?:\{\d{1,2}\}){2,40}+)[\"'][ \t]{0,4}-f[ \t]{0,4}((?:[\"'][^\"'\n]{0,80}[\"'][ \t,]{0,4}){2,40}+)\)"
)
_QUOTED = lazy(r"[\"']([^\"'\n]{0,80})[\"']")
_INDEX = lazy(r"\{(\d{1,2})\}")
_NAMES_SIGIL = lazy(r"[$@%!]\{?(?:script:|global:|local:|private:|using:)?(\w{1,60})")
_NAMES_BARE = lazy(r"[a-z_]\w{0,60}")
_CALLS_DASHED = lazy(r"[a-z]\w{0,30}(?:-\w{1,30}){1,3}")
_OPERATOR = lazy(r"(?<![=!<>~*/|^%-])(?::=|\+=|\.=|=|<-|<<)(?![=~>])")
_SET_AS = lazy(r"\s{0,20}set\s{1,4}(\w{1,60})\s{1,4}to\s")
_SET_BATCH = lazy(r"(?:^|[\s(&])set\s{1,4}(?:/[ap]\s{1,4})?\"?(\w{1,60})=")
_HANDLE = lazy(r"\bopen\s{0,2}\(?\s{0,2}(?:my\s{1,2})?\$?(\w{1,60})\s{0,2},\s{0,2}[\"'][<>]")
_PARAMETERS = lazy(r"\|[\w, $@*&()]{1,80}\|")
"""The parameters of a block."""
_COLLECTS = lazy(
    r"\b(\w{1,60})\.(?:writestring|push|append|push_str|concat|merge!|store)\s{0,2}\(|\bpush\s{0,2}\(?\s{0,2}@(\w{1,60})"
)
"""A call that puts something into a thing that is there."""
_BEFORE = lazy(r"[;{}\n]")
_LOOP = lazy(r"\bfor(?:each)?\s{0,2}\(?\s{0,2}(?:my\s|var\s|auto\s)?[$@]?(\w{1,60})\s{1,2}(?:in\b|\()|(?:do|\{)\s{0,2}\|\s{0,2}(\w{1,60})|\bas\s\$(\w{1,60})\)")  # fmt: skip
_DEFINED = lazy(
    r"\s{0,40}(?:(?:pub|public|private|protected|static|async|local|export)\s{1,2}){0,3}+(?:function|def|sub|func|fn|on)\s{1,3}(?:\([^)\n]{0,60}\)\s{0,2})?(?:self\.)?([a-z_][\w-]{0,60})[^\n(]{0,20}(\([^)\n]{0,300})?"
)
_WORD = lazy(r"[a-z_]\w{0,60}")
_CLOSING = ("}", "end", ")")
_NEVER = frozenset(
    {
        "self",
        "this",
        "_",
        "args",
        "argv",
        "err",
        "error",
        "ok",
        "class",
        "new",
        "true",
        "false",
        "null",
        "nil",
    }
)
"""Names that say nothing of one value."""
_HASH = lazy(r"(?m)^[ \t]{0,80}#(?!!)[^\n]*+")
_SLASHES = lazy(r"(?m)^[ \t]{0,80}(?://|\*(?=[\s/]))[^\n]*+")
_DASHES = lazy(r"(?m)^[ \t]{0,80}--[^\n]*+")
_REMARK = lazy(r"(?m)^[ \t]{0,80}(?:@?rem\s|::|')[^\n]*+")
_BY_HASH, _BY_SLASHES = (_HASH, ("#",)), (_SLASHES, ("//", "*"))
_BY_DASHES, _BY_REMARK = (_DASHES, ("--",)), (_REMARK, ("rem", "::", "'"))
_COMMENTS: dict[Kind, tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = {
    Kind.POWERSHELL: (_BY_HASH,), Kind.RUBY: (_BY_HASH,), Kind.PERL: (_BY_HASH,), Kind.R: (_BY_HASH,), Kind.PHP: (_BY_HASH, _BY_SLASHES),
    Kind.GO: (_BY_SLASHES,), Kind.RUST: (_BY_SLASHES,), Kind.JAVA: (_BY_SLASHES,), Kind.C: (_BY_SLASHES,), Kind.LUA: (_BY_DASHES,),
    Kind.APPLESCRIPT: (_BY_DASHES,), Kind.BATCH: (_BY_REMARK,), Kind.SOURCE: (_BY_HASH, _BY_SLASHES, _BY_REMARK),
}  # fmt: skip
"""What a line of comment looks like in lower case, and marks of which it holds one."""
_POD = lazy(r"(?m)^=[a-z]")
_CUT = lazy(r"(?m)^=cut[^\n]*+")


def plain(text: str, language: Kind) -> str:
    """The text in ASCII lower case, with quoted pieces that are glued together joined."""
    low = _without_comments(text.translate(_LOWER), language)
    if language is Kind.POWERSHELL:
        if "`" in low:
            low = _TICK.sub("", low)
        if " -f" in low or '"-f' in low or "'-f" in low:
            low = _ORDERED.sub(_in_order, low)
    if language is Kind.BATCH and "^" in low:
        low = _CARET.sub("", low)
    if language is Kind.SOURCE:
        low = _GLUE_VB.sub("", low)
    return (_GLUE_DOT if language in (Kind.PERL, Kind.PHP) else _GLUE).sub("", low)


def _without_comments(text: str, language: Kind) -> str:
    """Whole lines of comment are emptied: they do not run."""
    for comment, marks in _COMMENTS.get(language, ()):
        if one_of(marks, text):
            text = comment.sub("", text)
    if language is not Kind.PERL or "\n=" not in text:
        return text
    kept: list[str] = []
    at = 0
    while (pod := _POD.search(text, at)) is not None:
        cut = _CUT.search(text, pod.start())
        end = cut.end() if cut is not None else len(text)
        kept += (text[at : pod.start()], "\n" * text.count("\n", pod.start(), end))
        at = end
    return "".join(kept) + text[at:]


def _in_order(found: re.Match[str]) -> str:
    pieces = _QUOTED.findall(found[2])
    places = [int(number) for number in _INDEX.findall(found[1])]
    return "('" + "".join(pieces[place] for place in places if place < len(pieces)) + "')"


class ScriptStatement(NamedTuple):
    """One or more lines (0-based, inclusive) that belong together."""

    text: str
    first: int
    last: int


class Lines:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def starts(self) -> list[int]:
        """The character at which each line begins."""
        return [0, *(found.end() for found in re.finditer("\n", self._text))]


class ScriptText:
    """The plain text of a view as statements."""

    def __init__(self, text: str, language: Kind) -> None:
        self.language = language
        self.text = plain(text, language)
        self.functions: dict[str, frozenset[str]] = {}
        self.inside: list[str] = []
        """The function in which each statement stands, or ``""``."""
        self.gives: list[bool] = []
        """Whether each statement may be what its function gives back."""
        self.targets: list[str] = []
        """The name to which each statement gives a value, or ``""``."""
        self.known: set[str] = set()
        self._names = _NAMES_SIGIL if language in SIGILS else _NAMES_BARE
        self._lines = Lines(self.text)

    @cached_property
    def _parts(self) -> tuple[list[ScriptStatement], list[int]]:
        """All statements, and the number of the statement in which each line stands."""
        found = list(_statements(self.text, self.language))
        of_line = [0] * len(self._lines.starts)
        for number, statement in enumerate(found):
            for line in range(statement.first, statement.last + 1):
                of_line[line] = number
        self._read_names(found)
        return found, of_line

    @property
    def statements(self) -> list[ScriptStatement]:
        """All statements, in order. Not to be changed."""
        return self._parts[0]

    def number(self, offset: int) -> int:
        """The number of the statement in which a character of the text stands."""
        return self._parts[1][bisect_right(self._lines.starts, offset) - 1]

    def within(self, offset: int) -> int:
        """The place of a character of the text in its statement."""
        return offset - self._lines.starts[self.statements[self.number(offset)].first]

    def names(self, text: str) -> set[str]:
        """The variables and functions that a piece of a statement mentions, as far as the script knows them."""
        found = set(self._names.findall(text))
        if self.language in SIGILS and self.functions:
            found |= self.functions.keys() & set(_CALLS_DASHED.findall(text) + _WORD.findall(text))
        return found & self.known

    def _read_names(self, statements: list[ScriptStatement]) -> None:
        current, margin = "", 0
        known: set[str] = set()
        for statement in statements:
            body = statement.text.lstrip()
            indent = len(statement.text) - len(body)
            closes = bool(body) and body.startswith(_CLOSING)
            if self.gives and body:
                self.gives[-1] = self.gives[-1] or closes
            if current and closes and indent <= margin:
                current = ""
            defined = _DEFINED.match(statement.text)
            if defined is not None:
                current, margin = defined[1], indent
                self.functions[current] = frozenset(_WORD.findall(defined[2] or ""))
                known.add(current)
                known |= self.functions[current]
            self.inside.append(current)
            self.gives.append(defined is not None or "return" in body)
            target = "" if defined is not None else _target(statement.text, self.language)
            self.targets.append(target)
            if target:
                known.add(target)
        self.known = known - _NEVER - ({"env"} if self.language is Kind.RUBY else set())


def _statements(text: str, language: Kind) -> Iterator[ScriptStatement]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        last = at
        piece = lines[at]
        while last + 1 < len(lines) and last - at < JOINED and _continues(piece, lines[last + 1], language):
            last += 1
            piece = f"{piece}\n{lines[last]}"
        yield ScriptStatement(piece[:LONGEST], at, last)
        at = last + 1


_OPEN = (",", "(", "|", "\\", "&&", "||", "+", "->", "=")


def _continues(line: str, following: str, language: Kind) -> bool:
    end = line[-200:].rstrip()
    start = following[:40].lstrip()
    if not end or not start or start[0] in "#}":
        return False
    if language is Kind.POWERSHELL and end[-1] == "`":
        return True
    if language is Kind.BATCH:
        return end[-1] == "^"
    if language is Kind.SOURCE and end.endswith(" _"):
        return True
    return end.endswith(_OPEN) or end[-1] == "¬" or start.startswith((".", "->", "|"))


def _target(text: str, language: Kind) -> str:
    """The name that a statement gives a value to, or ``""``."""
    if language is Kind.APPLESCRIPT:
        found = _SET_AS.match(text)
        return found[1] if found is not None else ""
    if language is Kind.BATCH:
        found = _SET_BATCH.search(text)
        return found[1] if found is not None else ""
    handle = _HANDLE.search(text, 0, 300)
    if handle is not None:
        return str(handle[1])
    operator = _OPERATOR.search(text, 0, 300)
    if operator is not None:
        left = _PARAMETERS.sub(" ", _BEFORE.split(text[: operator.start()])[-1])
        first, _, second = left.partition(",")
        left = (second if first.rstrip().endswith(("_", " _")) and second else first).partition("[")[0]
        if "(" not in left.strip().removeprefix("my (").removeprefix("("):
            words: list[str] = _WORD.findall(
                left.rpartition(":")[2] if language is Kind.POWERSHELL else left.partition(":")[0]
            )
            if words:
                chained = "." in left or "->" in left
                return words[0] if chained else words[-1]
    collects = _COLLECTS.search(text, 0, 300)
    if collects is not None:
        return str(collects[1] or collects[2])
    loop = _LOOP.search(text, 0, 300)
    names = [str(name) for name in loop.groups() if name] if loop is not None else []
    return names[0] if names else ""
