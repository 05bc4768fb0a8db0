"""Kinds of tokens, and the columns in which the tokens of a script are kept."""

from __future__ import annotations

from msgspec import Struct

NAME = "name"
"""``@x``; its value is the name without the sign."""
WORD = "word"
"""A bare word, with its colons: ``var``, ``op:cmd:git``, ``no-secret-exfil``."""
NUMBER = "number"
TEXT = "text"
"""In single quotes."""
QUOTED = "quoted"
"""In double quotes, with holes."""
BACKTICK = "backtick"
COLONS = "colons"
"""Between ``::`` or ``:::``."""
PATTERN = "pattern"
"""A regular expression between slashes."""
FILE = "file"
"""``<path>`` or ``<path # section>``."""
CODE = "code"
"""A word that a body in braces follows: ``cmd``, ``sh``, ``js``, ``node``, ``py``, ``prose``, ``run``."""
BODY = "body"
"""What stands in the braces after a CODE word, braces included."""
PROSE = "prose"
"""Text between directives, in Markdown mode."""
FRONT = "front matter"
UNKNOWN = "character"
UNCLOSED = "unclosed"
END = "end of the script"

OPERANDS = frozenset({NAME, NUMBER, TEXT, QUOTED, BACKTICK, COLONS, PATTERN, FILE, BODY, ")", "]", "}"})
"""What ends an operand: after it ``<`` compares and ``/`` divides."""


class Comment(Struct, frozen=True, gc=False):
    """A remark of the author, from its sign to the end of its line."""

    start: int
    end: int
    sign: str


class Tokens(Struct):
    """The tokens of a script, in columns: a list for each property is half the cost of an object for each token.

    The kind of a bracket or operator is its own text. ``breaks`` says whether a line break stands before a token. The last
    token is END.
    """

    text: str
    kinds: list[str]
    values: list[str]
    starts: list[int]
    ends: list[int]
    breaks: list[bool]
    comments: list[Comment]

    def add(self, kind: str, value: str, start: int, end: int, breaks: bool) -> None:
        """Append a token."""
        self.kinds.append(kind)
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.breaks.append(breaks)
