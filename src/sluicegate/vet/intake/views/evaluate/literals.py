"""String literals of Python and JavaScript: their extent and their value."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_LINE_BODY = r'"(?P<c>(?:[^"\\\n]++|\\.)*+)"|' + r"'(?P<d>(?:[^'\\\n]++|\\.)*+)'"
_PYTHON_BODY = (
    r'"""(?P<a>(?:[^"\\]++|\\.|"(?!""))*+)"""|'
    + r"""'{3}(?P<b>(?:[^'\\]++|\\.|'(?!''))*+)'{3}|"""
    + _LINE_BODY
)
PYTHON_STRING = lazy(rf"(?P<prefix>[rRbBuUfF]{{0,2}})(?:{_PYTHON_BODY})", re.DOTALL)
SCRIPT_STRING = lazy(rf"(?P<prefix>)(?:`(?P<a>(?:[^`\\]++|\\.)*+)`|{_LINE_BODY})", re.DOTALL)

_PYTHON_END = r"(?=(?:[ \t\r\n\f]++|\\\r?\n|#[^\n]*+)*+(?![rRbBuUfF]{0,2}[\"']|[\s\[.?%+]))"
_SCRIPT_END = r"(?=(?:[ \t\r\n\f]++|//[^\n]*+)*+(?![\s\[.?+]))"
PYTHON_END, SCRIPT_END = lazy(_PYTHON_END), lazy(_SCRIPT_END)
"""The place behind a literal that is an expression by itself.

What follows, behind white space and comments, can neither go on with it nor be done to it: no literal, no ``+`` or
``%``, no index, no method. Most literals of a program are so, and there is nothing to work out.
"""
PYTHON_ALONE = rf"[rRbBuU]{{0,2}}(?>{_PYTHON_BODY}){_PYTHON_END}"
SCRIPT_ALONE = rf"(?>`(?:[^`\\$]++|\\[^$]|\$(?!\{{))*+`|{_LINE_BODY}){_SCRIPT_END}"
"""Sources of patterns (under ``re.DOTALL``) of such a literal, without holes."""
_ESCAPE = lazy(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|([0-7]{1,3})|(\r?\n)|"
    r"N\{([A-Z0-9 -]{2,80})\}|(.))",
    re.DOTALL,
)
_SIMPLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "a": "\a",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "`": "`",
}


def _character(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3] or found[4]
    if digits or found[5]:
        code = int(digits, 16) if digits else int(found[5], 8)
        return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
    if found[6]:
        return ""
    if found[7]:
        return named_character(found[7]) or found[0]
    return _SIMPLE.get(found[8], found[0])


def named_character(name: str) -> str:
    """The character of this name in Unicode; empty for none."""
    import unicodedata

    try:
        return unicodedata.lookup(name)
    except KeyError:
        return ""


def unescape(body: str) -> str:
    """The value of a literal's body."""
    return _ESCAPE.sub(_character, body) if "\\" in body else body


def body_of(found: re.Match[str]) -> str:
    """The body of a matched literal, escapes as written."""
    group = found.lastgroup
    return found[group] if group and group != "prefix" else ""


def quote(value: str) -> str:
    """``value`` as a literal on one line that Python and JavaScript read alike."""
    out = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    if out.isprintable():
        return f'"{out}"'
    return (
        '"'
        + "".join([c if c.isprintable() or c == "\t" else f"\\u{min(ord(c), 0xFFFD):04x}" for c in out])
        + '"'
    )
