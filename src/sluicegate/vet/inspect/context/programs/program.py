"""What a match in a program is: an entry of a table of patterns, what a search looks for, a comment, a test.

Programs run, so nothing here takes a program's word for it: a table whose name sounds harmless must not be
handed to anything that executes, in this file or in any other of the bundle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.context.excuse import Excuse, ExcuseLevel
from sluicegate.vet.inspect.context.programs.execution import SINK, Execution
from sluicegate.vet.inspect.context.programs.lists import SoughtLists
from sluicegate.vet.inspect.context.programs.literal import literal, searched
from sluicegate.vet.inspect.context.prose.retractions import run_from
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.context.programs.inputs import Inputs

_COMPARES = lazy(
    r"(?:assert\w{0,20}|expect|toMatch|toBe|toEqual|search|match|findall|fullmatch|test|it|describe|includes|bool|len|isinstance|dict)$"
)
_CALLED = lazy(r"([A-Za-z_]\w{0,60})\(")
_TEST_PATH = lazy(
    r"(?:^|/)(?:tests?|__tests__|specs?|fixtures?|testdata)/|(?:^|/)(?:test_[^/]{1,80}|[^/]{1,80}(?:_test|\.test|\.spec|_spec))\.\w{1,4}$",
    re.IGNORECASE,
)
_TESTING = lazy(
    r"\bimport (?:unittest|pytest)\b|\bfrom (?:unittest|pytest)\b|^\s{0,8}(?:async )?def test_\w|\b(?:describe|it|test)\(\s?[\"'`]|\bassert\b|#\[test\]|^func Test",
    re.MULTILINE,
)
_HASH = frozenset(
    {Kind.PYTHON, Kind.SHELL, Kind.RUBY, Kind.PERL, Kind.R, Kind.MAKEFILE, Kind.DOCKERFILE, Kind.POWERSHELL, Kind.YAML, Kind.TOML}
)  # fmt: skip
_SLASH = frozenset(
    {Kind.JAVASCRIPT, Kind.TYPESCRIPT, Kind.GO, Kind.RUST, Kind.JAVA, Kind.C, Kind.PHP}
)  # fmt: skip

_BEFORE = 400
"""Characters of a line that are looked at before a match."""
_NAMES = 16
"""Names of lists that are followed through the bundle; whoever needs more is not believed."""


class ProgramStrings:
    """The programs of a bundle: which of their strings are looked for, and which are run."""

    def __init__(self, views: Sequence[View]) -> None:
        self._views = views
        self._lists: dict[int, tuple[View, SoughtLists]] = {}
        self._inputs: dict[str, tuple[Inputs, bool]] = {}
        self._run: dict[str, bool] = {}
        self._executions: dict[str, Execution] = {}

    def excuse(self, view: View, start: int, end: int, *, words: bool) -> Excuse | None:
        """Why what stands in a program is not run, or None."""
        text = view.text
        first = max(text.rfind("\n", 0, start) + 1, start - _BEFORE)
        line = text[first:start]
        if not words and _comment(view, first, line):
            return Excuse(level=ExcuseLevel.EXAMPLE, reason="in a comment of the program, which is not run")
        if searched(text, start, end):
            return Excuse(level=ExcuseLevel.INERT, reason="what a search looks for")
        if not words and self._listed(view, start, end):
            return Excuse(
                level=ExcuseLevel.INPUT, reason="an entry of a list of inputs of a test, which nothing runs"
            )
        opening = literal(text, first, start, end)
        if opening is None:
            return None
        if SINK.search(text, first, opening) is not None:
            return None
        name = self._table(view, start)
        if name and not self._runs(name):
            return Excuse(
                level=ExcuseLevel.EXAMPLE, reason="an entry of a list of patterns that the code looks for"
            )
        if _TEST_PATH.search(view.path) and self._tests(view, first, opening):
            return Excuse(level=ExcuseLevel.INERT, reason="an input of a test, in a file that runs nothing")
        return None

    def _listed(self, view: View, start: int, end: int) -> bool:
        """Whether a string of a Python file of tests is one of its inputs, and nothing in the bundle runs those."""
        if (
            view.language is not Kind.PYTHON
            or view.origin
            or _TEST_PATH.search(view.path) is None
            or _TESTING.search(view.text) is None
        ):
            return False
        known = self._inputs.get(view.path)
        if known is None:
            from sluicegate.vet.inspect.context.programs.inputs import Inputs

            inputs = Inputs(view, self._views, self._execution)
            known = self._inputs[view.path] = (inputs, inputs.quiet and not self._taken(view))
        inputs, quiet = known
        name = inputs.name(start, end) if quiet else None
        return name is not None and not (name and self._runs(name))

    def _taken(self, view: View) -> bool:
        """Whether a program of the bundle that executes something names this one."""
        file = view.path.rpartition("/")[2]
        stem = file.partition(".")[0]
        near = [each for each in self._views if each.path != view.path and stem in each.text]
        return run_from(file, near) or any(self._execution(each).executes for each in near)

    def _tests(self, view: View, first: int, opening: int) -> bool:
        """Whether a string of a test file goes into assertions and functions of that file, which run nothing."""
        called = _CALLED.findall(view.text, first, opening)
        if not called or not all(_asserts(view.text, name) for name in called):
            return False
        return _TESTING.search(view.text) is not None and not self._execution(view).executes

    def _table(self, view: View, start: int) -> str:
        known = self._lists.get(id(view))
        if known is None:
            known = self._lists[id(view)] = (view, SoughtLists(view))
        return known[1].name(start)

    def _runs(self, name: str) -> bool:
        """Whether some program of the bundle may run what the list of this name holds."""
        known = self._run.get(name)
        if known is None:
            if len(self._run) >= _NAMES:
                return True
            known = self._run[name] = any(
                self._execution(view).runs(name) for view in self._views if name in view.text
            )
        return known

    def _execution(self, view: View) -> Execution:
        known = self._executions.get(view.path)
        if known is None:
            known = self._executions[view.path] = Execution(view.text)
        return known


def _comment(view: View, first: int, line: str) -> bool:
    bare = line.lstrip(" \t")
    if view.language in _HASH:
        return bare.startswith("#") and not bare.startswith("#!")
    return view.language in _SLASH and bare.startswith(("//", "* "))


def _asserts(text: str, name: str) -> bool:
    """Whether a called name is an assertion, a comparison, or a function that this very text defines."""
    if _COMPARES.match(name) is not None:
        return True
    return re.search(rf"\b(?:def|function|const|let|func)[ \t]{{1,3}}{re.escape(name)}\b", text) is not None
