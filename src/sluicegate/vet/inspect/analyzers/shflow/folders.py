"""The folder that each list of commands of a shell text works in, as far as ``cd`` and its like tell."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from sluicegate.known.shell.script import Script

COMMANDS = frozenset({"cd", "chdir", "pushd", "popd"})
"""The commands that change the working folder."""
_ISOLATED = frozenset({"top", "(", "$(", "`", "<(", "heredoc"})
"""Lists that run as processes of their own: a folder that one enters is not its starter's."""
_ABSOLUTE = ("/", "~", "$", "\\", "%")
_NO_FILE = frozenset("\n {}<>|;")
"""Signs of a text that is more than the name of a file."""
MOST = 64
"""Folders of one list that are remembered behind each other."""


def joined(folder: str, path: str) -> str:
    """A path as seen from outside of a folder: the same where it says itself where it is, or the folder is not known."""
    if not folder or not path or path.startswith(_ABSOLUTE):
        return path
    return posixpath.normpath(f"{folder}/{path}")


def within(folder: str, word: str) -> str:
    """The path that a word names in a folder, where it may name a file there; else empty."""
    if not folder or not word or word[0] == "-" or word.startswith(_ABSOLUTE) or "://" in word:
        return ""
    return "" if _NO_FILE & set(word[:256]) else joined(folder, word[:256])


class WorkingFolders:
    """The folders of one script. ``outside`` is the one that it is started in.

    A list that is a process of its own begins in the folder of the list around it. Loops, branches and braces share that
    of the list around them. A function shares its caller's, who has to tell (``begin``) and to ask (``of``).
    """

    __slots__ = ("_around", "_changed", "_functions", "_kinds", "_left", "_now", "_owners")

    def __init__(self, script: Script, outside: str) -> None:
        self._kinds = [scope.kind for scope in script.scopes]
        self._functions = {number for numbers in script.functions.values() for number in numbers}
        self._around = _lists_around(script)
        self._now: dict[int, str] = {0: outside}
        self._left: dict[int, list[str]] = {}
        self._changed: set[int] = set()
        self._owners: dict[int, int] = {}

    def of(self, scope: int) -> str:
        """The folder that a list works in; empty where it is not known."""
        begun: list[int] = []
        own = self._own(scope)
        while own not in self._now:
            begun.append(own)
            own = self._own(self._around.get(own, 0))
        folder = self._now[own]
        self._now |= dict.fromkeys(begun, folder)
        return folder

    def change(self, scope: int, words: Sequence[str]) -> None:
        """``cd``, ``pushd`` or ``popd`` is run in a list."""
        operands = [word for word in words[1:] if word == "-" or not word.startswith(("-", "+"))]
        left = self._left.setdefault(self._own(scope), [])
        if words[0] == "popd" or operands[:1] == ["-"]:
            self.enter(scope, left.pop() if left else "")
            return
        here = self.of(scope)
        if len(left) < MOST:
            left.append(here)
        if operands or words[0] != "pushd":
            target = operands[0] if operands else "~"
            self.enter(scope, joined(here, target))

    def enter(self, scope: int, folder: str) -> None:
        """A list goes on in this folder."""
        own = self._own(scope)
        self._now[own] = folder
        self._changed.add(own)

    def entered(self, body: int) -> str | None:
        """The folder that a function has gone to by itself, if any."""
        changed = body in self._changed and self._kinds[body] not in _ISOLATED
        return self._now[body] if changed else None

    def begin(self, body: int, folder: str, inner: frozenset[int]) -> None:
        """A function begins to run in a folder; ``inner`` are all lists inside it."""
        for scope in inner:
            self._now.pop(scope, None)
            self._left.pop(scope, None)
        self._changed.discard(body)
        self._now[body] = folder

    def _own(self, scope: int) -> int:
        """The list whose folder this one shares."""
        found = self._owners.get(scope)
        if found is None:
            found = scope
            while self._kinds[found] not in _ISOLATED and found not in self._functions:
                found = self._around.get(found, 0)
            self._owners[scope] = found
        return found


def _lists_around(script: Script) -> dict[int, int]:
    """Which list each list of a script stands in."""
    around: dict[int, int] = {}
    for command in script.commands:
        if command.body != -1:
            around[command.body] = command.scope
        words = [*command.woven.values(), *(word for _, word in command.assigns)]
        words += [redirect.word for redirect in command.redirects]
        for word in words:
            for piece in word.pieces:
                if piece.scope != -1:
                    around[piece.scope] = command.scope
    return around
