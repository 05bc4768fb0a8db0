"""Capabilities in all their spellings, brought to one form.

A list holds words with their category in front (``"cmd:git:*"``, ``"fs:r:~/.ssh/*"``, ``"sh"``) and may hold
maps; a map has one key for each category (``cmd = ["cat", { git = ["status"] }]``, ``filesystem = { read =
["**"] }``, ``network = { domains = [] }``, ``sh = true``). Both become entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import Problem
from sluicegate.flow.policy.text.schema import CapabilityList, Entries, Program
from sluicegate.flow.policy.text.vocabulary import (
    CATEGORIES,
    CATEGORY_ALIASES,
    INTERPRETERS,
    nearest,
)

MODES: Final = {"r": "r", "w": "w", "rw": "rw", "read": "r", "write": "w"}
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
METHOD_PROGRAMS: Final = ("curl", "wget")
"""Programs whose HTTP method can be read from their arguments."""

_EVERYTHING: Final = ("*", "all")
_MOST_WILDCARDS: Final = 4
_NO_PARTS: Final = (*INTERPRETERS, "keychain")


class ListEntry(Struct, frozen=True):
    """One thing that a list allows, denies or opts into.

    ``parts`` is empty for a whole category; for ``cmd`` and the like it is the tokens of the pattern, for
    ``fs`` the mode and the glob, for ``network`` the domain, for ``env`` the name. ``methods`` are those of
    HTTP that it is about, None for all. ``path`` is where it stands in the policy.
    """

    category: str
    parts: tuple[str, ...]
    path: Path
    methods: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """The entry as a list would spell it."""
        if self.category == "keychain":
            return "@keychain"
        text = ":".join((self.category, *(re.sub(r"([:\s])", r"\\\1", part) for part in self.parts)))
        return f"{text} ({', '.join(self.methods)})" if self.methods is not None else text


class ReadList(Struct, frozen=True):
    """The entries of one list, and which categories it speaks of, empty ones included."""

    entries: tuple[ListEntry, ...]
    mentioned: frozenset[str]


def read(given: CapabilityList, path: Path, problems: list[Problem]) -> ReadList:
    """The entries of ``capabilities.allow``, ``danger`` or ``deny``; what is wrong is added to ``problems``."""
    reader = _Reader(problems)
    if isinstance(given, dict):
        reader.map(given, path)
    else:
        for at, item in enumerate(given):
            if isinstance(item, dict):
                reader.map(item, (*path, at))
            else:
                reader.word(item, (*path, at))
    return ReadList(tuple(reader.entries), frozenset(reader.mentioned))


class _Reader:
    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.entries: list[ListEntry] = []
        self.mentioned: set[str] = set()

    def wrong(self, path: Path, message: str, hint: str = "") -> None:
        self.problems.append(Problem(path=path, message=message, hint=hint))

    def add(self, category: str, parts: tuple[str, ...], path: Path, methods: object = None) -> None:
        self.mentioned.add(category)
        if parts and parts[0] in _EVERYTHING and len(parts) == 1:
            parts = ()
        if category in _NO_PARTS and parts:
            self.wrong(path, f"{category} has no parts", f'Write "{category}".')
            return
        made = methods if isinstance(methods, tuple) else None
        self.entries.append(ListEntry(category, parts, path, made))

    def category(self, name: str, path: Path) -> str:
        """The category called ``name``, or nothing and a problem."""
        category = CATEGORY_ALIASES.get(name, name)
        if category in CATEGORIES:
            return category
        hint = nearest(name, (*CATEGORIES, *CATEGORY_ALIASES))
        if re.fullmatch(r"[\w.+-]+", name):
            hint = f'{hint} For the command, write "cmd:{name}".'.strip()
        self.wrong(path, f"there is no category {shown(name)}", hint)
        return ""

    def word(self, text: str, path: Path) -> None:
        """``cmd:git:*``, ``fs:r:GLOB``, ``sh``, ``@keychain``: the category stands in front."""
        name, colon, rest = text.removeprefix("op:").partition(":")
        category = self.category(name, path)
        if not category:
            return
        if not colon:
            self.add(category, (), path)
        elif category == "fs":
            mode, _, glob = rest.partition(":")
            self.file(mode, glob, path)
        else:
            self.pattern(category, rest, path)

    def map(self, given: dict[str, Entries], path: Path) -> None:
        """``{ cmd = [...], filesystem = { read = [...] }, sh = true }``."""
        for name, value in given.items():
            where = (*path, name)
            category = self.category(name, where)
            if not category:
                continue
            self.mentioned.add(category)
            if value is None or value is True:
                self.add(category, (), where)
            elif value is False:
                self.wrong(where, "false says nothing here", "Leave it out, or list it under deny.")
            elif isinstance(value, dict):
                self.nested(category, value, where)
            elif category == "fs" and value not in _EVERYTHING:
                self.wrong(where, "needs read or write", 'Write filesystem = { read = ["**"], write = [] }.')
            else:
                self.many(category, value, where)

    def many(self, category: str, value: str | list[str | dict[str, Program]], path: Path) -> None:
        if isinstance(value, str):
            self.pattern(category, value, path)
            return
        for at, item in enumerate(value):
            if isinstance(item, dict):
                self.nested(category, item, (*path, at))
            else:
                self.pattern(category, item, (*path, at))

    def nested(self, category: str, value: dict[str, Program], path: Path) -> None:
        """A map inside a category: programs of ``cmd``, servers of ``mcp``, modes of ``fs``, ``domains``."""
        for key, inner in value.items():
            where = (*path, key)
            if category == "fs":
                self.files(key, inner, where)
            elif category == "network":
                self.domains(key, inner, where)
            elif category in ("cmd", "mcp"):
                self.program(category, key, inner, where)
            else:
                self.wrong(where, f"{category} takes no table", f'Write "{category}".')

    def files(self, key: str, value: Program, path: Path) -> None:
        if key not in MODES:
            self.wrong(path, f"there is no mode {shown(key)}", nearest(key, MODES))
            return
        globs = [value] if isinstance(value, str) else value
        if not isinstance(globs, list):
            self.wrong(path, "needs a list of globs", 'Write read = ["**"].')
            return
        for at, glob in enumerate(globs):
            self.file(key, glob, (*path, at))

    def file(self, mode: str, glob: str, path: Path) -> None:
        if mode not in MODES:
            self.wrong(path, f"there is no mode {shown(mode)}", "Write fs:r:GLOB or fs:w:GLOB.")
        elif not glob:
            self.wrong(path, "needs a glob", f"Write fs:{MODES[mode]}:** for every path.")
        elif any(_too_wild(part) for part in glob.split("/")):
            self.wrong(path, f"more than {_MOST_WILDCARDS} wildcards in one segment", "Use fewer.")
        elif glob.startswith("~") and glob[1:2] not in ("", "/"):
            self.wrong(path, "the home of another user is not known", "Write the whole path.")
        elif glob.startswith("@") and glob.partition("/")[0] not in ("@base", "@root"):
            self.wrong(
                path, f"there is no {shown(glob.partition('/')[0])}", "@base is the project's directory."
            )
        else:
            self.add("fs", (MODES[mode], glob), path)

    def domains(self, key: str, value: Program, path: Path) -> None:
        if key != "domains":
            self.wrong(path, "there is no such key", nearest(key, ["domains"]))
        elif value in (None, True, "*"):
            self.add("network", (), path)
        elif isinstance(value, list):
            for at, domain in enumerate(value):
                self.domain(domain, (*path, at))
        else:
            self.wrong(path, "needs a list of domains", 'Write domains = ["api.example.com"].')

    def domain(self, text: str, path: Path) -> None:
        name = text.lower().rstrip(".")
        if name == "*":
            self.add("network", (), path)
        elif re.fullmatch(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f:]+", name) and ".." not in name:
            self.add("network", (name,), path)
        else:
            self.wrong(
                path,
                f"{shown(text)} is not a domain",
                "Write a host name, or *.example.com for all below it.",
            )

    def program(self, category: str, name: str, value: Program, path: Path) -> None:
        """``git = ["status", "log:*"]``, ``curl = { methods = ["GET"] }``, ``jq = true``."""
        head = self.tokens(category, name, path)
        if not head:
            return
        if value is None or value is True or value in _EVERYTHING:
            self.add(category, (*head, "*"), path)
        elif value is False:
            self.wrong(path, "false says nothing here", "Leave it out, or list it under deny.")
        elif isinstance(value, dict):
            self.methods(category, name, value, path)
        else:
            for at, text in enumerate([value] if isinstance(value, str) else value):
                where = path if isinstance(value, str) else (*path, at)
                rest = self.tokens(category, text, where)
                if rest:
                    self.add(category, (*head, *rest), where)

    def methods(self, category: str, name: str, value: dict[str, list[str]], path: Path) -> None:
        if category != "cmd" or set(value) != {"methods"}:
            unknown = next((key for key in value if key != "methods"), "methods")
            self.wrong((*path, unknown), "there is no such key", "Write a list, or { methods = [...] }.")
            return
        if name not in METHOD_PROGRAMS:
            self.wrong(
                path, "methods are known of curl and wget only", f'Write {name} = ["*"] for all of it.'
            )
            return
        named = tuple(method.upper() for method in value["methods"])
        for at, method in enumerate(named):
            if method not in METHODS:
                self.wrong(
                    (*path, "methods", at), f"there is no method {shown(method)}", nearest(method, METHODS)
                )
        self.add(category, (name, "*"), path, named)

    def pattern(self, category: str, text: str, path: Path) -> None:
        """What stands after the category, as a pattern of that category."""
        if category == "network":
            self.domain(text, path)
        elif category == "fs":
            self.wrong(path, "needs a mode", "Write fs:r:GLOB or fs:w:GLOB.")
        elif category == "env":
            if re.fullmatch(r"[A-Za-z_*][A-Za-z0-9_*]*", text) and not _too_wild(text):
                self.add(category, (text,), path)
            else:
                self.wrong(path, f"{shown(text)} is not the name of an environment variable")
        else:
            parts = self.tokens(category, text, path)
            if parts:
                self.add(category, parts, path)

    def tokens(self, category: str, text: str, path: Path) -> tuple[str, ...]:
        """A pattern split at its colons (``\\:`` is a colon, ``\\ `` a blank); nothing and a problem if wrong."""
        parts = tuple(split(text))
        if not all(parts):
            self.wrong(path, "a part of the pattern is empty", 'Write "git:push:*".')
        elif any(part == "**" for part in parts):
            self.wrong(path, "** is for paths", 'Write "*" for any arguments.')
        elif any(_too_wild(part) for part in parts):
            self.wrong(path, f"more than {_MOST_WILDCARDS} wildcards in one part", "Use fewer.")
        elif re.search(r"(?<!\\)\s", text):
            better = ":".join(text.split())
            self.wrong(
                path, "parts are separated by colons, not blanks", f"Write {shown(f'{category}:{better}')}."
            )
        else:
            return parts
        return ()


def split(text: str) -> Iterator[str]:
    """The parts of a pattern: separated by colons that have no backslash before them."""
    for part in re.split(r"(?<!\\):", text):
        yield re.sub(r"\\([:\s])", r"\1", part)


def _too_wild(part: str) -> bool:
    return len(re.findall(r"\*+|\?", part)) > _MOST_WILDCARDS
