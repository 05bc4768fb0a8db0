"""What the words of a shell text come to: what its variables hold, where it stands, which files it has open."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.ordered.commands.runs import NAMED
from sluicegate.vet.inspect.ordered.places import (
    HERE,
    HERE_VARIABLE,
    OWN,
    OWN_VARIABLE,
    UNKNOWN,
    BundlePaths,
)
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.known.shell.script import ScriptCommand, Word

INPUTS = frozenset({"<", "<>"})
"""Redirections that open a file for reading."""
_SUBSTITUTED = lazy(r"dirname|BASH_SOURCE|\$0|realpath|readlink|\bpwd\b")
_KNOWN = {"PWD": ".", "SHELL": "sh", "BASH": "bash"}
"""What stands in variables that every shell has; the folder where the agent works is not named."""
_LONGEST = 8192
"""Characters of a word that is put together out of variables."""


class ShellValues:
    """What is known where a command of the text stands. ``script``: the text is a file, which stands in a folder of its
    own; ``text``: what was read."""

    def __init__(self, text: str, places: BundlePaths, *, script: bool) -> None:
        self._text = text
        self._places = places
        self._script = script
        self._variables: dict[str, str] = {}
        self._aliases: dict[str, list[str]] = {}
        self._open: dict[str, str] = {}
        self.folder = ""
        self.fetched = False
        """Whether what stands elsewhere was put into a folder: nobody knows then what that holds."""

    def word(self, word: Word) -> str:
        """A word with what is known of its variables."""
        if word.text is not None:
            return word.text
        out = ""
        for part in word.pieces:
            if len(out) > _LONGEST:  # no system takes such a path, and A=$A$A doubles with each line
                break
            if part.kind == "lit":
                out += part.text.removeprefix("/") if out.endswith("/") and out[:1] == "\0" else part.text
            elif part.kind == "var":
                inside = out and out[-1] not in "=:"
                out += self._variables.get(part.text, UNKNOWN) if inside else self._begin(part.text)
            else:
                raw = self._text[word.start : word.end]
                out += HERE if not out and _SUBSTITUTED.search(raw) is not None else UNKNOWN
        return out[:_LONGEST]

    def words(self, command: ScriptCommand) -> list[str]:
        """The words of a command."""
        woven = command.woven
        return [
            self.word(woven[place]) if place in woven else word for place, word in enumerate(command.words)
        ]

    def inputs(self, command: ScriptCommand) -> list[str]:
        """The files that the redirections of a command open for reading, or that were open before."""
        found = [self.word(each.word) for each in command.redirects if each.operator in INPUTS]
        for each in command.redirects:
            if each.operator == "<&" and (path := self._open.get(each.word.literal.strip("${}"))):
                found.append(path)
        return found

    def under(self, path: str) -> str:
        """A path as it stands, or below the folder into which the text went before."""
        if not self.folder or path.startswith(("/", "~", OWN, HERE, "$", UNKNOWN)):
            return path
        head = next((mark for mark in (OWN, HERE) if self.folder.startswith(mark)), "")
        inner = posixpath.normpath(posixpath.join(self.folder[len(head) :], path))
        below = (
            head
            or self.folder.startswith(("/", "~"))
            or inner.startswith("../")
            or self._places.of_scripts(self.folder)
            or not (self.fetched or UNKNOWN in inner)
        )
        return head + inner if below else UNKNOWN  # nothing says what was fetched

    def unaliased(self, words: Sequence[str]) -> list[str]:
        """The words of a command with what the alias stands for that it begins with, if it is one."""
        return [*self._aliases.get(words[0], words[:1]), *words[1:]]

    def assign(self, name: str, value: str) -> None:
        """Keep what a variable holds."""
        self._variables[name] = value

    def variable(self, name: str) -> str:
        """What a variable was set to; empty where it was not."""
        return self._variables.get(name, "")

    def alias(self, name: str, value: str) -> None:
        """Keep what an alias stands for; without a value it is shown."""
        self._aliases[name] = value.split()

    def open(self, descriptor: str, path: str) -> None:
        """Keep a file that is opened for all commands behind."""
        self._open[descriptor] = path

    def set_parameters(self, words: Sequence[str]) -> None:
        """Keep what ``set --`` gives to the parameters."""
        for place, given in enumerate(words[:9], 1):
            self._variables[str(place)] = given

    def loop(self, name: str, words: Sequence[str]) -> None:
        """Keep the word of a loop for which its commands are read: a path, best of all one that the skill does not have."""
        named = [word for word in words if "/" in word or NAMED.search(word) is not None]
        away = (word for word in named if not self._places.has_named(posixpath.basename(word)))
        self._variables[name] = next(away, named[0] if named else UNKNOWN)

    def _begin(self, name: str) -> str:
        """What a variable at the beginning of a path stands for."""
        held = self._variables.get(name, _KNOWN.get(name))
        if held is not None and held != UNKNOWN:
            return held
        if name == "HOME" or (name.startswith("XDG_") and name.endswith("_HOME")):
            return "~"
        if OWN_VARIABLE.fullmatch(name):
            return OWN
        return HERE if self._script and HERE_VARIABLE.fullmatch(name) else UNKNOWN
