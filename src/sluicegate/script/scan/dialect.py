"""Which dialect and mode a script is in: as its first lines say, else as its content tells.

1. A comment before all else may say it: ``// sluicegate: dialect=mlld mode=markdown``.
2. Mode: a name that ends in ``.md`` says Markdown; so does a line that begins with a slash and a directive. Else it is strict.
   Where lines with and without a slash stand beside each other, neither is right: it is an error until the pragma says which.
3. Dialect: the sign of a comment ``//``, a bare word as a value, a set, labels with spaces between tell the specification's;
   ``box`` and a template between ``:::`` tell mlld's. With neither it is the specification's.
"""

from __future__ import annotations

import re
from enum import Enum

from msgspec import Struct

from sluicegate.patterns import late
from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.scan.scanner import MARKDOWN


class Dialect(Enum):
    """Whose language it is, where the two differ."""

    SPECIFICATION = "specification"
    MLLD = "mlld"


class ScriptMode(Enum):
    """Whether all text is script, or only lines that begin with a slash."""

    STRICT = "strict"
    MARKDOWN = "markdown"


class Pragma(Struct, frozen=True):
    """What the first lines say; None where they say nothing of it."""

    dialect: Dialect | None = None
    mode: ScriptMode | None = None
    problems: tuple[Diagnostic, ...] = ()


_HEAD = late(r"(?:[ \t]*(?:\n|(?://|>>|<<)[^\n]*(?:\n|\Z)))+")
_PRAGMA = late(r"(?://|>>|<<)[ \t]*sluicegate:[ \t]*(?P<settings>[^\n]*)")
_BARE = late(
    r"^(?:(?:var|let|exe|policy)[ \t]+(?:[\w:,-]+[ \t]+)*@\w+[ \t]*[=(]|guard[ \t]+[\w@][^\n]*=[ \t]*when|needs[ \t]*\{|"
    r"import[ \t]+(?:policy|\{|\"))",
    re.MULTILINE,
)
_FENCED = late(
    r"^[ ]{0,3}(?P<marks>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?:[ ]{0,3}(?P=marks)[ \t]*$|\Z)", re.MULTILINE
)
_KNOWN: dict[str, dict[str, Dialect | ScriptMode]] = {
    "dialect": {each.value: each for each in Dialect},
    "mode": {each.value: each for each in ScriptMode},
}


def read_pragma(text: str) -> Pragma:
    """What the comments before all else say (1)."""
    head = _HEAD.match(text)
    found = _PRAGMA.search(text, 0, head.end()) if head else None
    if found is None:
        return Pragma()
    told: dict[str, Dialect | ScriptMode] = {}
    problems = []
    for word in re.finditer(r"\S+", found["settings"]):
        key, _, value = word[0].partition("=")
        start = found.start("settings") + word.start()
        values = _KNOWN.get(key, {})
        if value not in values:
            known = " or ".join(f"{key}={each}" for each in values) if values else "dialect=… or mode=…"
            problems.append(
                Diagnostic("bad-pragma", f"unknown setting {word[0]}", start, start + len(word[0]), known)
            )
        else:
            told[key] = values[value]
    dialect, mode = told.get("dialect"), told.get("mode")
    return Pragma(
        dialect if isinstance(dialect, Dialect) else None,
        mode if isinstance(mode, ScriptMode) else None,
        tuple(problems),
    )


def tell_mode(text: str, name: str, pragma: Pragma) -> tuple[ScriptMode, tuple[Diagnostic, ...]]:
    """The mode of a script, and what speaks against it (2)."""
    if pragma.mode is not None:
        return pragma.mode, ()
    slashed = next((found for found in MARKDOWN.finditer(text) if found["word"]), None)
    if slashed is None:
        return (ScriptMode.MARKDOWN if name.endswith(".md") else ScriptMode.STRICT), ()
    fences = [found.span() for found in _FENCED.finditer(text)]
    bare = next(
        (found for found in _BARE.finditer(text) if not any(a <= found.start() < b for a, b in fences)), None
    )
    if bare is None or name.endswith(".md"):
        return ScriptMode.MARKDOWN, ()
    end = text.find("\n", bare.start())
    problem = Diagnostic(
        "mixed-mode",
        f"this line has no slash before {bare[0].split()[0]}, and another has: /{slashed['word']}",
        bare.start(),
        len(text) if end < 0 else end,
        "a slash before every directive, or before none",
        "Say which it is in the first line: // sluicegate: mode=strict",
    )
    return ScriptMode.MARKDOWN, (problem,)
