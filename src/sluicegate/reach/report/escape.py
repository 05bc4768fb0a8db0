"""Making untrusted text safe to show: on a terminal, in HTML, in Markdown, in a GitHub annotation.

Everything a skill wrote is hostile. It may hold terminal control sequences, characters that change the
direction of what stands beside them, characters that cannot be seen, and markup. Which these
are is written out in ``known.characters``, so that the same report is the same bytes under every Python.
"""

from __future__ import annotations

import re
from functools import cache

from sluicegate.known.characters import SELECTOR, UNSEEN
from sluicegate.vet.lazy import lazy

# In the log of a build, ``##[name]``, ``##vso[name]`` and ``##teamcity[name]`` are orders to the machine that
# runs it (GitHub, Azure Pipelines, TeamCity), wherever they stand in a line.
_ORDER = "(?<=#)#(?=[A-Za-z]*\\[)"
_NOT_NEWLINE = "(?!\n)"
_BLANKS = lazy("[ \t\r\n]+")
_SURROGATE = lazy("[\ud800-\udfff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNBROKEN = str.maketrans(_SHORT)


@cache
def _hazard(newline: bool) -> re.Pattern[str]:
    """One character to show; line feeds are none with ``newline``. Compiled when first needed."""
    return re.compile(f"{_NOT_NEWLINE if newline else ''}[{UNSEEN}]|{SELECTOR}|{_ORDER}")


def _name(found: re.Match[str]) -> str:
    """One character as an escape: ``\\x1b``, ``\\u202e``, ``\\U000e0041``."""
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _harmless(text: str) -> bool:
    """Whether a short look says that nothing in ``text`` has to be escaped."""
    return text.isascii() and text.isprintable() and "##" not in text


def printable(text: str, *, newline: bool = False) -> str:
    """``text`` with every character that steers a terminal, or a build by its log, or cannot be seen, as an escape.

    With ``newline`` line feeds stay. The result always encodes to UTF-8.
    """
    if _harmless(text):
        return text
    return _hazard(newline).sub(_name, text)


def one_line(text: str) -> str:
    """``text`` on one line: runs of blanks and line ends become one space, then ``printable``."""
    return printable(_BLANKS.sub(" ", text).strip(" "))


def unbroken(text: str) -> str:
    """A name, or a sentence that quotes one, with line ends and tabs as escapes: formats fold them as blanks, or break lines."""
    return text if text.isprintable() else text.translate(_UNBROKEN)


def hazards(text: str) -> list[tuple[str, bool]]:
    """``text`` cut into pieces, each with whether it is one hazardous character already shown as ``U+202E``.

    Line feeds stay as they are. For formats that can mark such a character better than an escape does.
    """
    if _harmless(text):
        return [(text, False)] if text else []
    pieces: list[tuple[str, bool]] = []
    at = 0
    for found in _hazard(True).finditer(text):
        if found.start() > at:
            pieces.append((text[at : found.start()], False))
        pieces.append((f"U+{ord(found.group()):04X}", True))
        at = found.end()
    if at < len(text):
        pieces.append((text[at:], False))
    return pieces


_STYLES = r"\x1b(?:\[[0-9;]*m|\]8;;[!-~]*\x1b\\)"
"""Colours, and both ends of a link: a terminal shows none of them, so that what follows begins the line."""
_AT_START = lazy(rf"^((?:[^\S\n]|{_STYLES})*):(?=(?:{_STYLES})*:)", re.MULTILINE)


def no_orders(page: str, *, colon: str = "\\x3a") -> str:
    """``page`` without lines that begin with ``::``, which GitHub reads as orders in the log of a build.

    ``colon`` stands for the first of the two. Colours and links in front of them and between them change nothing.
    """
    if "::" not in page and "\x1b" not in page:
        return page
    return _AT_START.sub(lambda found: f"{found[1]}{colon}", page)


def scalar(text: str) -> str:
    """``text`` without lone surrogates (each shown as ``\\udXXX``), so that it encodes to UTF-8."""
    return text if text.isascii() else _SURROGATE.sub(_name, text)


def json_safe(document: str) -> str:
    """A JSON text with every hazardous character inside its strings written as ``\\uXXXX``.

    The document means the same; it can be shown on a terminal. Its own line feeds stay.
    """
    if document.isascii() and "\x7f" not in document and "##" not in document:
        return document
    return _hazard(True).sub(_json_name, document)


def _json_name(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def html(text: str, *, newline: bool = False) -> str:
    """``text`` for an HTML element or a quoted attribute value: ``printable``, then entities."""
    return printable(text, newline=newline).translate(_HTML)


def github_data(text: str) -> str:
    """``text`` as the message of a workflow command: one line, whatever it holds."""
    return printable(text, newline=True).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """``text`` as the value of a property of a workflow command."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")


_WORD_EDGE_LEFT = "(\"'"
_WORD_EDGE_RIGHT = ").,;:!?\"'"
_BACKTICKS = lazy("`+")
_COMMIT = lazy("[0-9a-fA-F]{7,}")
_ISSUE = lazy("gh-[0-9]+", re.IGNORECASE)


def markdown_code(text: str) -> str:
    """``text`` as a Markdown code span, which nothing inside it can end; also safe in a table cell.

    Inside a code span there are no links, pictures, HTML, headings, mentions or emoji. ``|`` would still end
    a table cell, and is written ``\\x7c``.
    """
    inner = one_line(unbroken(text)).replace("|", "\\x7c") or " "
    longest = max((len(run) for run in _BACKTICKS.findall(inner)), default=0)
    fence = "`" * (longest + 1)
    pad = (
        " "
        if inner.startswith("`") or inner.endswith("`") or (inner[0] == inner[-1] == " " and inner.strip())
        else ""
    )
    return f"{fence}{pad}{inner}{pad}{fence}"


def markdown_text(text: str) -> str:
    """``text`` as Markdown prose: plain words stay words, every other word becomes a code span.

    A backslash is not enough: GitHub looks for mentions, issue numbers and addresses in the rendered text.
    """
    return " ".join(_markdown_word(word) for word in one_line(text).split(" ") if word)


def _markdown_word(word: str) -> str:
    """One word of ``markdown_text``: itself when it is plain, its core in a code span when it is not."""
    core = word.lstrip(_WORD_EDGE_LEFT).rstrip(_WORD_EDGE_RIGHT)
    if not core:
        return word
    start = word.index(core)
    letters = core.replace("-", "").replace("'", "").replace("%", "")
    plain = letters.isalnum() and core[0] != "-" and "--" not in core
    if word[start + len(core) :].startswith((".", ")")) and (core.isdigit() or core.lower() == "www"):
        plain = False  # "1." at the start of a line begins a list, and "www." an address
    if plain and not _COMMIT.fullmatch(core) and not _ISSUE.fullmatch(core):
        return word
    return f"{word[:start]}{markdown_code(core)}{word[start + len(core) :]}"


def markdown_block(text: str, language: str = "") -> str:
    """``text`` as a fenced block whose fence is longer than any run of backticks in it."""
    body = printable(text, newline=True)
    longest = max((len(run) for run in _BACKTICKS.findall(body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def sarif_message(text: str) -> str:
    """``text`` as a SARIF plain text message: brackets would make a link there."""
    return printable(text, newline=True).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def markdown_prose(text: str) -> str:
    """A rule's prose as Markdown: what it wrote between backticks is code, the rest is ``markdown_text``."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # an odd backtick: no pairs to speak of
        return markdown_text(text)
    shown = ""
    for at, part in enumerate(parts):
        piece = markdown_code(part) if at % 2 else _spaced(part)
        shown += f" {piece}" if shown.endswith("`") and piece.startswith("`") else piece
    return shown


def _spaced(text: str) -> str:
    """``markdown_text`` that keeps a blank at either end."""
    if not text.strip():
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{markdown_text(text)}{' ' if text[-1].isspace() else ''}"
