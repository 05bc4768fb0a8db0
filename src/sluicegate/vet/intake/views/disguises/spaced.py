"""Letters set apart so that no word can be matched: ``i g n o r e``, ``i.g.n.o.r.e``, ``i-g-n-o-r-e``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.views.disguises.runs import shape
from sluicegate.vet.lazy import lazy

_SEPARATORS = " .-_*|"
_LETTERS = bytes(97 if chr(c).isalpha() or c == 0x3F else c for c in range(256))
_ANY = bytes(97 if chr(c).isalpha() or c == 0x3F else 32 if chr(c) in _SEPARATORS else 10 for c in range(256))
_SOME = b"a a a a "
"""What every needle begins with when all separators are one: one search says of most texts that there is nothing.

A search for what ends in the rarer of the two is faster.
"""
_NEEDLES = tuple(("a" + separator).encode() * 4 + b"a" for separator in _SEPARATORS)
_RUN = lazy(
    r"(?<![^\W_])[^\W\d_](?:"
    + "|".join(rf"(?:{re.escape(separator)}[^\W\d_](?![^\W_])){{4,}}+" for separator in _SEPARATORS)
    + ")"
)
_SHORT = lazy(r"(?<!\S)[^\W\d_]([ .*|_-])[^\W\d_](?:\1[^\W\d_]){0,2}(?!\S)")
"""Short words set apart: only beside a longer one, for alone they may be initials."""
_LONG = 65_536  # characters of a line in which letters are joined wherever they stand
_NEAR = 2_000  # characters that are kept on both sides of them in a longer one
_GAP = lazy(r"(?<=\S) {2,}+(?=\S)")

# Words that a run set in single spaces is cut into, since its own word breaks are lost.
_WORDS = frozenset(
    "ignore disregard forget override bypass all any the your previous prior above earlier instruction "
    "instructions rule rules guideline guidelines system prompt prompts message messages and or of to in from "
    "with send upload post execute run download install delete remove reveal print show password passwords "
    "secret secrets token tokens key keys api credential credentials file files user users do not never tell "
    "say without asking curl wget bash sudo http https you are now act as this is safe approve new follow "
    "these only hidden admin mode developer jailbreak environment variables data".split()
)
_LONGEST = max(map(len, _WORDS))


def _cut(letters: str) -> str:
    """``letters`` cut into known words, longest first; as it is when that cannot be done to the end."""
    lower, at, words = letters.lower(), 0, []
    while at < len(lower):
        for size in range(min(_LONGEST, len(lower) - at), 0, -1):
            if lower[at : at + size] in _WORDS:
                words.append(letters[at : at + size])
                at += size
                break
        else:
            return letters
    return " ".join(words)


def join_spaced(line: str) -> str:
    """``line`` with the letters of set-apart words joined."""

    def joined(found: re.Match[str]) -> str:
        letters = found[0][::2]
        return _cut(letters) if len(letters) > 7 else letters

    new = _RUN.sub(joined, line)
    if new == line:
        return line
    return _GAP.sub(" ", _SHORT.sub(lambda found: found[0][::2], new))


def near_runs(line: str) -> str:
    """``line``; of a very long one the parts around letters set apart, which is all that ``join_spaced`` is about."""
    if len(line) <= _LONG:
        return line
    parts: list[str] = []
    end = 0
    for found in _runs_in(line):
        start, last = max(end, found.start() - _NEAR), max(end, found.end() + _NEAR)
        parts += (" " if start > end and parts else "", line[start:last])
        end = last
    return "".join(parts)


def _runs_in(line: str) -> Iterator[re.Match[str]]:
    """The matches of ``_RUN``. In a very long line it is tried only where a needle stands: to try it everywhere takes seconds."""
    if len(line) <= _LONG:
        yield from _RUN.finditer(line)
        return
    data = shape(line).translate(_LETTERS)
    places = {needle: data.find(needle) for needle in _NEEDLES}
    at = 0
    while places:
        places = {
            needle: next_place
            for needle, place in places.items()
            if (next_place := place if place >= at else data.find(needle, at)) != -1
        }
        if places:
            found = _RUN.match(line, at := min(places.values()))
            if found is not None:
                yield found
            at = found.end() if found is not None else at + 1


def may_be_spaced(text: str) -> bool:
    """Whether ``spaced_lines`` may find a line."""
    return _letters(text) is not None


def _letters(text: str) -> bytes | None:
    data = shape(text)
    if _SOME not in data.translate(_ANY):
        return None
    data = data.translate(_LETTERS)
    return data if any(needle in data for needle in _NEEDLES) else None


def spaced_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line (0-based number, text) that has at least five letters set apart."""
    data = _letters(text)
    if data is None:
        return
    starts: set[int] = set()
    for needle in _NEEDLES:
        at = data.find(needle)
        while at != -1:
            starts.add(text.rfind("\n", 0, at) + 1)
            end = data.find(b"\n", at)
            at = data.find(needle, end) if end != -1 else -1
    line = last = 0
    for start in sorted(starts):
        line += text.count("\n", last, start)
        last = start
        end = text.find("\n", start)
        body = text[start : end if end != -1 else len(text)]
        if next(_runs_in(body), None) is not None:
            yield line, body
