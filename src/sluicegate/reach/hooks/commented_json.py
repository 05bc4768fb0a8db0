"""JSON as people write it in settings, with comments and commas at the end, changed without touching what was not meant.

1. Comments and superfluous commas are seen as blanks of the same length, so each value is found where it stands in the text.
2. A member of the object is put in behind the others, changed where it stands, or taken out with its comma; the rest of the text stays
   as it is, to the letter.
3. A member whose old value holds a comment is not changed: nobody would know where the comment belongs then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

_COMMENT: Final = late(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_COMMA: Final = late(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')
_BLANK: Final = late(r"[^\n\r]")
_INDENT: Final = late(r"\n([ \t]+)\S")
_DECODER: Final = json.JSONDecoder()


class CommentInside(Exception):
    """A value that is to be changed holds a comment; the text is the name of it."""


class _Member(NamedTuple):
    """A member of the object: where its name begins, its value, and where that ends."""

    begin: int
    value: int
    end: int


def plain(text: str) -> str:
    """The text with blanks in the place of comments and of commas at the end (1)."""
    return str(_COMMA.sub(_blanked, _uncommented(text)))


def _uncommented(text: str) -> str:
    return str(_COMMENT.sub(_blanked, text))


def _blanked(found: Any) -> str:
    token: str = found[0]
    return token if token.startswith('"') else str(_BLANK.sub(" ", token))


def changed(text: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The text of an object, with its members as in ``after``. Raises CommentInside (3)."""
    indent = _INDENT.search(text)
    step = indent.group(1) if indent else "  "
    for name in [name for name in before if name not in after]:
        text = _without(text, name)
    for name, value in after.items():
        if name not in before:
            text = _with(text, name, _shown(value, step), step)
        elif before[name] != value:
            found = _members(text)[name]
            _no_comment(text, found, name)
            text = text[: found.value] + _shown(value, step) + text[found.end :]
    return text


def _shown(value: object, step: str) -> str:
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{step}")


def _no_comment(text: str, member: _Member, name: str) -> None:
    value = text[member.value : member.end]
    if _uncommented(value) != value:
        raise CommentInside(name)


def _members(text: str) -> dict[str, _Member]:
    return dict(_each(plain(text)))


def _each(text: str) -> Iterator[tuple[str, _Member]]:
    at = text.index("{") + 1
    while True:
        at = _behind(text, at)
        if text[at] == "}":
            return
        begin = at
        name, at = _DECODER.raw_decode(text, at)
        value = _behind(text, _behind(text, at) + 1)
        _, at = _DECODER.raw_decode(text, value)
        yield name, _Member(begin, value, at)
        at = _behind(text, at)
        if text[at] == ",":
            at += 1


def _behind(text: str, at: int) -> int:
    """Where the next character stands that is not a blank."""
    while text[at].isspace():
        at += 1
    return at


def _with(text: str, name: str, value: str, step: str) -> str:
    """The text with one member more, behind the last and what is said of that."""
    members = list(_members(text).values())
    seen = plain(text)
    last = members[-1].end if members else seen.index("{") + 1
    end = _behind(seen, last)
    line = f"\n{step}{json.dumps(name)}: {value}"
    if members and "," not in _uncommented(text)[last:end]:
        text, end = f"{text[:last]},{text[last:]}", end + 1
    return f"{text[:end].rstrip()}{line}\n{text[end:]}"


def _without(text: str, name: str) -> str:
    """The text without a member, and without the comma and the blanks that it leaves."""
    found = _members(text)[name]
    _no_comment(text, found, name)
    seen = plain(text)
    behind = _behind(seen, found.end)
    if seen[behind] == ",":
        return text[: found.begin] + text[_behind(text, behind + 1) :]
    extra = _uncommented(text).find(",", found.end, behind)  # one that stands at the end
    rest = text[found.end :] if extra < 0 else text[found.end : extra] + text[extra + 1 :]
    begin = len(text[: found.begin].rstrip())
    before = len(seen[: found.begin].rstrip())
    if seen[before - 1] == ",":  # of the member before
        return text[: before - 1] + text[before:begin] + rest
    return text[:begin] + (rest.lstrip() if text[begin - 1] == "{" else rest)
