"""Letters written as escapes, percent codes, rot13 or backwards; the lines that hold them, made plain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.disguises.runs import lowered, shape
from sluicegate.vet.intake.views.evaluate.literals import named_character
from sluicegate.vet.intake.views.programs.language import guess
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.intake.views.words import HARMFUL, ROT13, TURNED, words_in
from sluicegate.vet.lazy import lazy

_LONG = 8_000  # characters of a line that is turned whole
_NEAR = 1_000  # characters kept on both sides of a word in a longer one
_LEAST = 3  # letters or digits of one line that must have been escaped
# Percent codes of spaces and signs that say as much: the letters of a sentence may stand as they are.
_SIGNS = 5
_ESCAPES = lazy(
    r"((?:\\x[0-9A-Fa-f]{2})++)|\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,6})\}|\\U([0-9A-Fa-f]{8})|"
    r"\\(0?[0-3][0-7]{2})|&#[xX]([0-9A-Fa-f]{1,6});?|&#([0-9]{1,7});?|\\N\{([A-Z0-9 -]{2,80})\}"
)
_IN_WORD = lazy(
    r"(?<=[A-Za-z_$.])\\u(?:00[4-7][0-9A-Fa-f]|\{0{0,4}[4-7][0-9A-Fa-f]\})|"
    r"\\u(?:00[4-7][0-9A-Fa-f]|\{0{0,4}[4-7][0-9A-Fa-f]\})(?=[A-Za-z_$])"
)
"""An ASCII letter that is escaped in the middle of a word: nobody needs that, and one hides the word."""
_ESCAPED_LETTER = lazy(
    r"\\(?:u00|x|U000000)([4-7][0-9A-Fa-f]|2[dD])|&#(?:[xX]0{0,6}([4-7][0-9A-Fa-f]|2[dD])|0{0,6}(45|6[5-9]|[7-9][0-9]|1[01][0-9]|12[0-2]));?"
)
_PERCENT = lazy(r"(?:%[0-9A-Fa-f]{2})++")
_OCTAL = lazy(rb"\\0?[01][0-7]{2}\\0?[01][0-7]{2}")
_LETTER = lazy(rb"\\u(?:00[46]|\{0{0,4}[46]|00[57][0-9Aa]|\{0{0,4}[57][0-9Aa])")
"""An ASCII letter (or a sign next to them) that is escaped."""

_WORD = lazy("(?<![A-Za-z])(?:" + "|".join(map(re.escape, HARMFUL)) + ")", re.IGNORECASE)


def lines_with(text: str, data: bytes, markers: tuple[bytes, ...]) -> dict[int, str]:
    """Lines of ``text`` (0-based number to text, in order) in which one of the markers stands; linear in it.

    The markers are looked for in ``data``, which has one byte a character of ``text``.
    """
    starts: set[int] = set()
    for marker in markers:
        at = data.find(marker)
        while at != -1:
            starts.add(data.rfind(b"\n", 0, at) + 1)
            end = data.find(b"\n", at)
            at = data.find(marker, end) if end != -1 else -1
    found: dict[int, str] = {}
    line = last = 0
    for start in sorted(starts):
        line += data.count(b"\n", last, start)
        last = start
        end = data.find(b"\n", start)
        found[line] = text[start : end if end != -1 else len(text)]
    return found


def _character(code: int) -> str:
    if code < 32 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return " "
    return chr(code)


def _unescape(found: re.Match[str]) -> str:
    run = found[1]
    if run:
        data = bytes.fromhex(run.replace("\\x", ""))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        return "".join([c if c >= " " else " " for c in text]) if not text.isprintable() else text
    if found[8]:
        return named_character(found[8]) or found[0]
    number = found[2] or found[3] or found[4] or found[6]
    if number:
        return _character(int(number, 16))
    return _character(int(found[5], 8) if found[5] else int(found[7]))


def _changed(
    lines: dict[int, str],
    pattern: re.Pattern[str],
    replace: Callable[[re.Match[str]], str],
    signs: int | None = None,
) -> dict[int, str]:
    """The lines in which the replacement brings out three letters or digits, or so many ``signs``, at least."""
    out: dict[int, str] = {}
    gained = others = 0

    def counting(found: re.Match[str]) -> str:
        nonlocal gained, others
        new = replace(found)
        letters = sum(map(str.isalnum, new))
        gained += letters
        others += len(new) - letters
        return new

    for number, line in lines.items():
        gained = others = 0
        new = pattern.sub(counting, line)
        if gained >= _LEAST or (signs is not None and others >= signs):
            out[number] = new
    return out


def _derived(view: View, lines: dict[int, str], kind: str, language: Kind | None = None) -> Derived:
    body = "\n".join(lines.values())
    if language is None:
        language = guess(body)
    return Derived(
        text=body, language=language, step=Step(kind=kind), where=Each(lines=[(n, n) for n in lines])
    )


def escape_views(view: View, limits: Limits) -> Iterator[Product]:
    """Views ``escape`` and ``percent``: the lines that hold escaped letters, with the letters."""
    text, data = view.text, shape(view.text)
    language = view.language if view.language in CODE else None
    markers = _markers(data)
    if markers:
        held = lines_with(text, data, markers)
        lines = _changed(held, _ESCAPES, _unescape)
        for number, line in held.items() if language is not None else ():
            if number not in lines and _IN_WORD.search(line):
                lines[number] = _ESCAPES.sub(_unescape, line)
        if lines:
            yield _derived(view, dict(sorted(lines.items())), "escape", language)
    if data.count(b"%") > 2:
        lines = _changed(lines_with(text, data, (b"%",)), _PERCENT, lambda m: _percent(m[0]), _SIGNS)
        if lines:
            yield _derived(view, lines, "percent", language)


def _markers(data: bytes) -> tuple[bytes, ...]:
    """The beginnings of escapes of which there are enough to hide something."""
    markers = []
    if data.find(b"\\") != -1:  # ``in`` costs an exception first
        markers += [b"\\x"] if b"\\x" in data else []
        markers += [b"\\u"] if data.count(b"\\u") > 2 or _LETTER.search(data) else []
        markers += [b"\\U"] if data.count(b"\\U") > 2 else []
        markers += [b"\\N{"] if data.find(b"\\N{") != -1 else []
        if (b"\\1" in data or b"\\01" in data) and _OCTAL.search(data):
            markers += [b"\\1", b"\\0"]
    if data.find(b"&") != -1 and data.count(b"&#") > 2:
        markers.append(b"&#")
    return tuple(markers)


def _percent(run: str) -> str:
    text = unquote(run, errors="replace")
    return "".join([c if c >= " " else " " for c in text])


def turned_views(view: View, limits: Limits) -> Iterator[Product]:
    """Views ``rot13`` and ``reversed``: lines that say something only when they are turned."""
    text, held = view.text, words_in(view.text)
    last = view.origin[-1].kind if view.origin else ""
    for kind, words in TURNED.items():
        if kind not in held or kind == last:
            continue
        lower = lowered(text)
        present = tuple([word for word in words if lower.find(word) != -1])
        lines: dict[int, str] = {}
        for number, line in lines_with(text, lower, present).items():
            new = line.translate(ROT13) if kind == "rot13" else line[::-1]
            if _says_more(new, line):
                lines[number] = new if len(new) <= _LONG else _near_words(new)
        if lines:
            yield _derived(view, lines, kind)


def _near_words(line: str) -> str:
    """Of a very long line the parts around the words looked for."""
    parts, end = [], 0
    for found in _words_of(line):
        if found.end() > end:
            start = max(end, found.start() - _NEAR)
            end = found.end() + _NEAR
            parts.append(line[start:end])
    return " ".join(parts)


def _says_more(new: str, old: str) -> bool:
    """Whether the turned line holds more of the words looked for than the line as it stands."""
    return sum(1 for _ in _words_of(new)) > sum(1 for _ in _words_of(old))


def _words_of(line: str) -> Iterator[re.Match[str]]:
    """The matches of ``_WORD``. In a very long line it is tried only where such a word stands: to try it everywhere takes seconds."""
    if len(line) <= _LONG or not line.isascii():
        yield from _WORD.finditer(line)
        return
    low, end = line.lower(), 0
    for start in sorted({start for word in HARMFUL for start in _places_of(word, low)}):
        found = _WORD.match(line, start) if start >= end else None
        if found is not None:
            yield found
            end = found.end()


def _places_of(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at != -1:
        yield at
        at = text.find(word, at + 1)


def spelled_out(text: str) -> str:
    """``text`` with the letters of ASCII that are escaped as JSON, TOML, YAML or XML have it.

    Whoever looks for a key in a document before it is read looks here too: the reader sees the letters.
    """
    if "\\" not in text and "&#" not in text:
        return text
    return _ESCAPED_LETTER.sub(_letter, text)


def _letter(found: re.Match[str]) -> str:
    return chr(int(found[3]) if found[3] else int(found[1] or found[2], 16))


def entities(text: str) -> str:
    """``text`` with all HTML entities replaced."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
