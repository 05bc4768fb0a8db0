"""The page of a rule: prose for people, and samples that the tests hold the rule to.

In a wheel the pages stand beside this module; in a checkout they are ``tests/rules/<rule-id>.md``.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sluicegate.vet.lazy import lazy

SECTIONS = ("Matches", "Does not match", "Known misses")
NONE_KNOWN = "None known."

_FENCE = lazy(r"(`{4,}|~{4,})[ \t]*(\S*)[ \t]*(.*)")
_ID = lazy(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ESCAPE = lazy(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([nrt\\]))")
_SIMPLE = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}


class PageError(ValueError):
    """A page is not written as pages are; the message names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFile:
    """One file of a sample: ``link`` is the target of a symbolic link, empty for a regular file."""

    path: str
    language: str
    data: bytes
    mode: int
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One small bundle. ``name`` is its group or the line of its fence; ``files`` in order of the page."""

    name: str
    files: tuple[SampleFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """A parsed page. ``prose`` is Markdown, the title not included."""

    title: str
    prose: str
    matches: tuple[Sample, ...]
    misses: tuple[Sample, ...]
    known_misses: tuple[Sample, ...]


def directory() -> Path:
    """Where the pages are."""
    packaged = Path(__file__).parent / "pages"
    return packaged if packaged.is_dir() else Path(__file__).parents[4] / "tests" / "rules"


def page_path(rule_id: str, where: Path | None = None) -> Path | None:
    """The file of a rule's page; None where it has none."""
    path = (where or directory()) / f"{rule_id}.md"
    return path if _ID.fullmatch(rule_id) and path.is_file() else None


def page(rule_id: str, where: Path | None = None) -> RulePage:
    """The page of a rule; LookupError when there is none, PageError when it is not well written."""
    path = page_path(rule_id, where)
    if path is None:
        raise LookupError(f"no page for {rule_id}")
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> RulePage:
    """A page from its Markdown."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith("# "):
        raise PageError("line 1: a page begins with '# ' and the rule's title")
    parts: dict[str, list[tuple[int, str]]] = {"": []}
    order: list[str] = []
    current, fence = "", ""
    for number, line in enumerate(lines[1:], 2):
        opening = _FENCE.fullmatch(line.rstrip())
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening is not None:
            fence = opening[1]
        elif line.startswith("## "):
            current = line[3:].strip()
            order.append(current)
            parts[current] = []
            continue
        parts[current].append((number, line))
    if fence:
        raise PageError("the last fence is not closed")
    if tuple(order) != SECTIONS:
        raise PageError(
            f"the sections of a page are {', '.join(SECTIONS)}, in this order, not {', '.join(order)}"
        )
    matches, misses, known = (tuple(_samples(parts[name])) for name in SECTIONS)
    if not known and NONE_KNOWN not in (line.strip() for _, line in parts[SECTIONS[2]]):
        raise PageError(f"'Known misses' holds a sample or the words '{NONE_KNOWN}'")
    prose = "\n".join(line for _, line in parts[""]).strip()
    if not prose:
        raise PageError("line 2: a page has prose for people")
    return RulePage(
        title=lines[0][2:].strip(), prose=prose, matches=matches, misses=misses, known_misses=known
    )


def _samples(lines: list[tuple[int, str]]) -> Iterator[Sample]:
    groups: dict[str, list[SampleFile]] = {}
    body: list[str] = []
    head: tuple[int, re.Match[str]] | None = None
    for number, line in lines:
        if head is None:
            opening = _FENCE.fullmatch(line.rstrip())
            if opening is not None:
                head, body = (number, opening), []
        elif line.strip() == head[1][1]:
            group, file = _file(head[0], head[1][2], head[1][3], body)
            files = groups.setdefault(group, [])
            if any(file.path == other.path for other in files):
                raise PageError(f"line {head[0]}: {file.path} stands twice in one sample")
            files.append(file)
            head = None
        else:
            body.append(line)
    return (Sample(name=name, files=tuple(files)) for name, files in groups.items())


def _file(number: int, language: str, info: str, body: list[str]) -> tuple[str, SampleFile]:
    options: dict[str, str] = {}
    for word in info.split():
        key, _, value = word.partition("=")
        if key not in {"file", "group", "mode", "escaped", "base64", "link"}:
            raise PageError(f"line {number}: {key} is not an option of a sample")
        options[key] = value
    path = options.get("file", "")
    if not path or path.startswith("/") or ".." in path.split("/"):
        raise PageError(f"line {number}: a sample needs file=PATH, relative")
    text = "\n".join(body) + ("\n" if body else "")
    try:
        if "base64" in options:
            data = base64.b64decode("".join(text.split()), validate=True)
        else:
            data = unescape(text) if "escaped" in options else text.encode()
        mode = int(options.get("mode", "644"), 8)
    except ValueError as error:
        raise PageError(f"line {number}: {error}") from error
    file = SampleFile(path=path, language=language, data=data, mode=mode, link=options.get("link", ""))
    return options.get("group") or f"line-{number}", file


def unescape(text: str) -> bytes:
    r"""Text with ``\uXXXX``, ``\UXXXXXXXX`` (UTF-8), ``\xNN`` (a byte), ``\n \r \t``, ``\\`` undone."""
    out = bytearray()
    at = 0
    for found in _ESCAPE.finditer(text):
        out += text[at : found.start()].encode()
        four, eight, byte, simple = found.groups()
        if byte is not None:
            out.append(int(byte, 16))
        elif simple is not None:
            out += _SIMPLE[simple]
        else:
            out += chr(int(four or eight, 16)).encode("utf-8", "surrogatepass")
        at = found.end()
    return bytes(out + text[at:].encode())
