"""What a file really is: by content, shebang and name together, and whether they agree."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.content.encoding import (
    control_bytes,
    decode_text,
    encoding_of,
    readable_text,
    soiled_text,
)
from sluicegate.vet.intake.content.magic import end_of_zip, kind_by_signature
from sluicegate.vet.intake.content.suffixes import (
    DATA_SUFFIXES,
    LICENCES,
    base_name,
    claimed_kind,
    suffix_of,
)
from sluicegate.vet.intake.formats import (
    ARCHIVES,
    CODE,
    COMPILED,
    FORMATS,
    MEDIA,
    PROSE,
    TEXTUAL,
    Kind,
    by_word,
)
from sluicegate.vet.lazy import lazy

__all__ = ["Classified", "claimed_kind", "classify", "decode_text", "interpreted_kind", "shebang_kind"]


class Classified(NamedTuple):
    """What the content is, and, when name and content disagree, in what (words for people)."""

    kind: Kind
    mismatch: str | None = None


_HEAD = 4096
_INTERPRETERS = by_word("interpreters")
_VERSION = lazy(r"[\d.]+$")
_LICENCE_WORDS = (
    b"permission is hereby granted", b"apache license", b"gnu general public", b"gnu lesser", b"gnu affero",
    b"redistribution and use", b"mozilla public", b"creative commons", b"open font license", b"unlicense",
    b"all rights reserved", b"copyright",
)  # fmt: skip
_PROGRAM_LINE = lazy(
    rb"(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w*(, ]+|def \w+\(.*|set -[euxo]+.*|export \w+=.*"
    rb"|(?:curl|wget|sudo|chmod|eval|exec) [^ ].*|#include <[\w./]+>|(?:const|let|var) \w+ ?= ?require\(.*"
    rb"|function \w+\(.*|@echo off|powershell .*)\s?$"
)
_WORDS = {row.kind: row.words for row in FORMATS if row.words}
_STILL_TEXT = MEDIA | {Kind.PDF}
"""Kinds whose first bytes can be put before a text that is still read as one."""
_ACCEPTS = {row.kind: {row.kind, *row.accepts} for row in FORMATS if row.accepts}


def classify(path: str, data: bytes, mode: int) -> Classified:
    """What the file is.

    1. Nothing in it: EMPTY. 2. A signature with a sound header decides, except over what is text in all but
    that: an agent and an interpreter go by the name, and read on. 3. What is not text is BINARY.
    4. In text, a shebang decides, then what the text plainly is, then the name. Where the name promises
    another family than the content keeps, ``mismatch`` says so. The name of prose is kept in spite of a
    shebang, for an agent still reads it as prose.
    """
    if not data:
        return Classified(kind=Kind.EMPTY)  # 1
    claim = claimed_kind(path)
    found = kind_by_signature(data)  # 2
    if found is not None:
        mismatch = _disagreement(path, claim, found)
        if claim in TEXTUAL and found in _STILL_TEXT and readable_text(data):
            return Classified(kind=_text(path, data, mode, claim).kind, mismatch=mismatch)
        return Classified(kind=found, mismatch=mismatch)
    if encoding_of(data) is None:  # 3
        return _not_text(path, data, claim)
    return _text(path, data, mode, claim)  # 4


def _disagreement(path: str, claim: Kind | None, found: Kind) -> str | None:
    """Why content ``found`` does not keep what the name claims; None when it does."""
    suffix = suffix_of(base_name(path))
    named = f"named .{suffix}" if suffix else "named like " + (claim.value if claim else "text")
    if claim is None:
        hidden = suffix in DATA_SUFFIXES and found in COMPILED
        return f"{named}, and holds {_WORDS.get(found, found.value)}" if hidden else None
    if claim == found or found in _ACCEPTS.get(claim, ()):
        return None
    if (claim in ARCHIVES and found in ARCHIVES) or (claim in COMPILED and found in COMPILED):
        return None
    if claim == Kind.GZIP and found in MEDIA | TEXTUAL:
        return f"{named}, and is not compressed"
    return f"{named}, and holds {_WORDS.get(found, found.value)}"


def _not_text(path: str, data: bytes, claim: Kind | None) -> Classified:
    if data.startswith(b"#!") and end_of_zip(data) >= 0:
        return Classified(kind=Kind.ZIP, mismatch=_disagreement(path, claim, Kind.ZIP))
    if claim in TEXTUAL and soiled_text(data):
        # An agent that opens this by its name still reads the words between the control bytes.
        count = control_bytes(data)
        return Classified(kind=claim or Kind.TEXT, mismatch=f"named as text, and holds {count} control bytes")
    return Classified(kind=Kind.BINARY, mismatch=_disagreement(path, claim, Kind.BINARY))


def shebang_kind(data: bytes) -> Kind | None:
    """The language of the interpreter in the first line (``#!``); None without one."""
    if not data.startswith(b"#!"):
        return None
    line = data[2:258].split(b"\n", 1)[0].decode("latin-1").strip()
    words = [word for word in line.split() if "=" not in word]
    if not words or not (words[0].startswith("/") or words[0].startswith("env")):
        return None
    program = words[0].rpartition("/")[2]
    if program == "env":
        rest = [word for word in words[1:] if not word.startswith("-")]
        if not rest:
            return Kind.SOURCE
        program = rest[0].rpartition("/")[2]
    program = program.lower().removesuffix(".exe")
    if program == "osascript" and "javascript" in line.lower():
        return Kind.JAVASCRIPT
    return interpreted_kind(program) or Kind.SOURCE


def interpreted_kind(program: str) -> Kind | None:
    """The language that an interpreter of this name reads (``python3.12``); None for what is not known as one."""
    return _INTERPRETERS.get(program) or _INTERPRETERS.get(_VERSION.sub("", program))


def _text(path: str, data: bytes, mode: int, claim: Kind | None) -> Classified:
    plain = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    head = plain[:_HEAD]
    script = shebang_kind(head)
    if script is not None:
        return _script(path, script, claim)
    seen = _plainly(head, plain)
    if claim is None:
        name = base_name(path)
        if name.startswith(LICENCES) and suffix_of(name) in ("", "txt"):
            return Classified(kind=_licence(head))
        guess = Kind.SHELL if mode & 0o111 and not suffix_of(name) else Kind.TEXT
        hidden = _hidden_program(path, head, seen)
        return Classified(kind=seen or (_program_text(head) if hidden else None) or guess, mismatch=hidden)
    if claim in TEXTUAL:
        return _claimed_text(path, head, plain, claim, seen)
    kind = seen or Kind.TEXT
    if kind in _ACCEPTS.get(claim, ()):
        return Classified(kind=kind)
    if data.startswith(b"version https://git-lfs.github.com/spec/") and len(data) < 1024:
        return Classified(kind=Kind.TEXT)
    mismatch = f"named .{suffix_of(base_name(path))}, and is text ({kind.value})"
    return Classified(kind=_program_text(head) or kind, mismatch=mismatch)


def _script(path: str, script: Kind, claim: Kind | None) -> Classified:
    """A file that begins with a shebang."""
    suffix = suffix_of(base_name(path))
    twins = {Kind.JAVASCRIPT, Kind.TYPESCRIPT}
    if claim is None:
        hidden = f"named .{suffix}, and is a {script.value} script" if suffix in DATA_SUFFIXES else None
        return Classified(kind=script, mismatch=hidden)
    if claim == script or {claim, script} <= twins:
        return Classified(kind=claim)
    if claim in CODE:
        if script == Kind.SOURCE or claim in (Kind.MAKEFILE, Kind.SOURCE, Kind.DOCKERFILE):
            return Classified(kind=claim)
        asks = f"named .{suffix}, and its first line asks for {script.value}"
        return Classified(kind=script, mismatch=asks)
    named = f"named .{suffix}" if suffix else f"named as {claim.value}"
    mismatch = f"{named}, and is a {script.value} script"
    keeps = claim in PROSE and claim not in (Kind.TEXT, Kind.CSV)
    return Classified(kind=claim if keeps else script, mismatch=mismatch)


def _plainly(head: bytes, data: bytes) -> Kind | None:
    """What text is by its own first words, whatever its name; None when they do not say."""
    start = head.lstrip()[:256]
    if start[:1] == b"<":
        return _markup(start.lower(), head)
    if start[:1] == b"{" or start[:1] == b"[":
        if data.rstrip()[-1:] not in (b"}", b"]") or start[1:3] in (b"{%", b"{{"):
            return None
        return Kind.NOTEBOOK if b'"cells"' in data and b'"nbformat"' in data else Kind.JSON
    if start.startswith((b"---\n", b"---\r\n")):
        return Kind.MARKDOWN
    return None


def _markup(start: bytes, head: bytes) -> Kind | None:
    if start.startswith(b"<?php"):
        return Kind.PHP
    if start.startswith((b"<!doctype html", b"<html")):
        return Kind.HTML
    if start.startswith(b"<svg"):
        return Kind.SVG
    if start.startswith((b"<?xml", b"<!doctype", b"<plist", b"<!--")):
        if b"<svg" in head:
            return Kind.SVG
        if b"<plist" in head:
            return Kind.PLIST
        return Kind.XML if start.startswith(b"<?xml") else None
    return None


_SPECIFIC = {
    Kind.TEXT: frozenset({Kind.PHP}),
    Kind.XML: frozenset({Kind.SVG, Kind.PLIST, Kind.HTML}),
    Kind.JSON: frozenset({Kind.NOTEBOOK}),
    Kind.HTML: frozenset({Kind.PHP}),
    Kind.SVG: frozenset({Kind.HTML, Kind.PHP}),
}
"""What text may turn out to be under a name of the first kind, besides that kind itself."""


def _claimed_text(path: str, head: bytes, data: bytes, claim: Kind, seen: Kind | None) -> Classified:
    """Text under a name that claims some kind of text."""
    name = base_name(path)
    if claim in (Kind.TEXT, Kind.MARKDOWN) and name.startswith(LICENCES):
        return Classified(kind=_licence(head) if claim == Kind.TEXT else claim)
    if seen is not None and seen in _SPECIFIC.get(claim, ()):
        odd = seen == Kind.PHP or (claim == Kind.SVG and seen == Kind.HTML)
        mismatch = f"named .{suffix_of(name)}, and is {seen.value}" if odd else None
        return Classified(kind=seen, mismatch=mismatch)
    if claim == Kind.NOTEBOOK and seen != Kind.NOTEBOOK:
        kind = Kind.JSON if seen == Kind.JSON else Kind.TEXT
        return Classified(kind=kind, mismatch="named .ipynb, and is not a notebook")
    if claim == Kind.SVG and b"<svg" not in data:
        return Classified(kind=seen or Kind.TEXT, mismatch="named .svg, and holds no picture")
    hidden = _hidden_program(path, head, seen)
    return Classified(kind=(_program_text(head) or claim) if hidden else claim, mismatch=hidden)


def _hidden_program(path: str, head: bytes, seen: Kind | None) -> str | None:
    """Why text under a data suffix is a program after all; None when it is not, or is prose by its suffix."""
    suffix = suffix_of(base_name(path))
    if suffix not in DATA_SUFFIXES or suffix == "txt" or suffix == "log":
        return None
    if seen == Kind.PHP:
        return f"named .{suffix}, and is {seen.value}"
    program = _program_text(head) if seen is None else None
    return f"named .{suffix}, and reads like a {program.value} program" if program else None


def _program_text(head: bytes) -> Kind | None:
    """The language of text whose first lines are those of a program; None when fewer than two of five are."""
    lines = [line.strip() for line in head.split(b"\n", 40)[:40]]
    first = [line for line in lines if line and not line.startswith((b"#", b"//"))][:5]
    hits = [line for line in first if len(line) <= 200 and _PROGRAM_LINE.match(line)]
    if len(hits) < 2:
        return None
    if any(line.startswith((b"import ", b"from ", b"def ")) for line in hits):
        return Kind.PYTHON
    if any(line.startswith((b"const ", b"let ", b"var ")) for line in hits):
        return Kind.JAVASCRIPT
    return Kind.SOURCE if hits[0].startswith((b"#include", b"@echo", b"powershell")) else Kind.SHELL


def _licence(head: bytes) -> Kind:
    """LICENSE only when the words of one are there: a name alone exempts nothing."""
    words = head.lower()
    return Kind.LICENSE if any(word in words for word in _LICENCE_WORDS) else Kind.TEXT
