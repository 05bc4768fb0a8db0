"""Letters written as escapes, percent codes, rot13 or backwards; the lines that hold them, made plain."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from penstock.vet.intake.bundle import CODE, Kind
from penstock.vet.intake.limits import Limits
from penstock.vet.intake.views.derived import Derived, Each, Product
from penstock.vet.intake.views.language import guess
from penstock.vet.intake.views.view import Step, View
from penstock.vet.lazy import lazy

_LONG = 8_000  # characters of a line that is turned whole
_NEAR = 1_000  # characters kept on both sides of a word in a longer one
_LEAST = 3  # letters or digits of one line that must have been escaped
_ESCAPES = lazy(
    r"((?:\\x[0-9A-Fa-f]{2})++)|\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,6})\}|\\U([0-9A-Fa-f]{8})|"
    r"\\([0-3][0-7]{2})|&#[xX]([0-9A-Fa-f]{1,6});?|&#([0-9]{1,7});?"
)
_PERCENT = lazy(r"(?:%[0-9A-Fa-f]{2})++")
_OCTAL = lazy(r"\\[01][0-7]{2}\\[01][0-7]{2}")

_WORDS = (
    "ignore", "instruction", "curl ", "import ", "http", "exec", "bash", "password", "system", "secret", "eval(",
    "wget", "subprocess", "disregard", "previous", "prompt", "token", "powershell", "sudo ", "rm -rf", "credential",
)  # fmt: skip
_WORD = lazy("(?<![A-Za-z])(?:" + "|".join(map(re.escape, _WORDS)) + ")", re.IGNORECASE)
_ROT13_WORDS = tuple(codecs.encode(word, "rot13") for word in _WORDS)
_REVERSED_WORDS = tuple(word[::-1] for word in _WORDS)
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)


def lines_with(text: str, markers: tuple[str, ...]) -> dict[int, str]:
    """Lines (0-based number to text, in order) in which one of the markers stands; linear in the text."""
    starts: set[int] = set()
    for marker in markers:
        at = text.find(marker)
        while at != -1:
            starts.add(text.rfind("\n", 0, at) + 1)
            end = text.find("\n", at)
            at = text.find(marker, end) if end != -1 else -1
    found: dict[int, str] = {}
    line = last = 0
    for start in sorted(starts):
        line += text.count("\n", last, start)
        last = start
        end = text.find("\n", start)
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
    number = found[2] or found[3] or found[4] or found[6]
    if number:
        return _character(int(number, 16))
    return _character(int(found[5], 8) if found[5] else int(found[7]))


def _changed(
    lines: dict[int, str], pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]
) -> dict[int, str]:
    """The lines in which the replacement brings out at least three letters or digits."""
    out: dict[int, str] = {}
    gained = 0

    def counting(found: re.Match[str]) -> str:
        nonlocal gained
        new = replace(found)
        gained += sum(map(str.isalnum, new))
        return new

    for number, line in lines.items():
        gained = 0
        new = pattern.sub(counting, line)
        if gained >= _LEAST:
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
    text = view.text
    markers = [m for m in ("\\x", "\\u", "\\U", "&#") if text.count(m) > 2 or (m == "\\x" and m in text)]
    if "\\1" in text and _OCTAL.search(text):
        markers += ["\\1", "\\0"]
    language = view.language if view.language in CODE else None
    if markers:
        lines = _changed(lines_with(text, tuple(markers)), _ESCAPES, _unescape)
        if lines:
            yield _derived(view, lines, "escape", language)
    if text.count("%") > 2:
        lines = _changed(lines_with(text, ("%",)), _PERCENT, lambda m: _percent(m[0]))
        if lines:
            yield _derived(view, lines, "percent", language)


def _percent(run: str) -> str:
    text = unquote(run, errors="replace")
    return "".join([c if c >= " " else " " for c in text])


def turned_views(view: View, limits: Limits) -> Iterator[Product]:
    """Views ``rot13`` and ``reversed``: lines that say something only when they are turned."""
    lower = _lower(view.text)
    last = view.origin[-1].kind if view.origin else ""
    for kind, words in (("rot13", _ROT13_WORDS), ("reversed", _REVERSED_WORDS)):
        present = tuple(word for word in words if word in lower)
        if not present or kind == last:
            continue
        lines: dict[int, str] = {}
        for number in lines_with(lower, present):
            line = _line(view, number)
            new = line.translate(_ROT13) if kind == "rot13" else line[::-1]
            if _says_more(new, line):
                lines[number] = new if len(new) <= _LONG else _near_words(new)
        if lines:
            yield _derived(view, lines, kind)


def _lower(text: str) -> str:
    """``text`` in lower case, character for character (some capitals have longer lower forms)."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join([c if len(c.lower()) != 1 else c.lower() for c in text])


def _line(view: View, number: int) -> str:
    start = view.line_starts()[number]
    end = view.text.find("\n", start)
    return view.text[start : end if end != -1 else len(view.text)]


def _near_words(line: str) -> str:
    """Of a very long line the parts around the words looked for."""
    parts, end = [], 0
    for found in _WORD.finditer(line):
        if found.end() > end:
            start = max(end, found.start() - _NEAR)
            end = found.end() + _NEAR
            parts.append(line[start:end])
    return " ".join(parts)


def _says_more(new: str, old: str) -> bool:
    """Whether the turned line holds more of the words looked for than the line as it stands."""
    return len(_WORD.findall(new)) > len(_WORD.findall(old))


def entities(text: str) -> str:
    """``text`` with all HTML entities replaced."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
