"""The programs of a bundle, and what each sends away of what it is given.

A flow does not end where one program starts another: ``python3 send.py "$KEY"`` sends the key when ``send.py``
sends its first argument. What a program sends is found once, when somebody hands it something, by reading it
with its arguments and its input marked.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.known.shell.script import Script
    from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis

ARGUMENT, INPUT = "argument", "input"
MOST = 32
"""Programs of one bundle that are read for what they send, and ways of sending that are kept of each."""
STEPS = 60_000
"""Steps that reading one shell program may take."""
BYTES = 65_536
"""Bytes of a program in JavaScript that is read so."""

_FOLDER = lazy(r"^(?:\$\{[^{}/]{1,80}\}|\$\w{1,60}|\$\([^()]{0,80}\)|~|\.|\*[^/]{0,80})?/+|^(?:\./)+")
_KINDS = frozenset({Kind.SHELL, Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})


class Given(NamedTuple):
    """A program sends what it was given: its arguments or its input; where to, and in which part of a request."""

    what: str
    target: str
    channel: str


class Programs:
    """Finds the programs of a bundle by the words that name them. ``python`` is their analysis, once there is one;
    ``scripts`` are the shell texts among them that have been read to their end."""

    def __init__(self, views: Iterable[View]) -> None:
        self._views = tuple(views)
        self._files = {v.path: v for v in self._views if not v.origin and v.language in _KINDS}
        self._known: dict[str, tuple[Given, ...]] = {}
        self.scripts: dict[str, Script] = {}
        self.python: Analysis | None = None

    def find(self, word: str, starter: str) -> View | None:
        """The program that a word names in a text of the bundle.

        A path is tried from the folder of that text and from the top; after a folder that is not known, the
        only program whose path ends so is meant.
        """
        found = _FOLDER.match(word)
        rest = posixpath.normpath(word[found.end() :] if found is not None else word)
        if not self._files or not rest or rest.startswith(".."):
            rest = posixpath.normpath(posixpath.join(posixpath.dirname(starter), word))
        for path in (posixpath.join(posixpath.dirname(starter), rest), rest):
            view = self._files.get(path)
            if view is not None:
                return view
        if found is None and "/" not in rest:
            return None
        ends = [view for path, view in self._files.items() if path.endswith("/" + rest)]
        return ends[0] if len(ends) == 1 else None

    def sends(self, view: View) -> tuple[Given, ...]:
        """What a program sends of what it is given. One that is being read sends nothing yet."""
        known = self._known.get(view.path)
        if known is None:
            self._known[view.path] = known = ()
            if len(self._known) <= MOST:
                known = self._known[view.path] = tuple(sorted(set(self._read(view))))[:MOST]
        return known

    def _read(self, view: View) -> Iterable[Given]:
        if view.language is Kind.SHELL:
            from sluicegate.vet.inspect.analyzers.shflow.given import given

            return given(view, self, STEPS)
        if view.language is Kind.PYTHON:
            from sluicegate.vet.inspect.analyzers.pyflow.judge_handed import given as of_python

            return of_python(self._python(), view)
        if len(view.text) > BYTES:
            return ()
        from sluicegate.vet.inspect.analyzers.jsflow.given import given as of_javascript

        return of_javascript(view)

    def _python(self) -> Analysis:
        if self.python is None:
            from sluicegate.vet.inspect.analyzers.pyflow.interpreter import analyse, python_views

            self.python = analyse(python_views(self._views), BYTES).analysis
        return self.python


_SUFFIX = lazy(r"\.\w{2,4}$")
_WORD = lazy(r"[^\s;&|<>()'\"]+")


def named(text: str) -> list[str]:
    """The words of a command line that may name a program."""
    return [word for word in _WORD.findall(text[:2048]) if _SUFFIX.search(word)][:16]
