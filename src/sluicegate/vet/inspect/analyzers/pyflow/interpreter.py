"""The fixpoint: every module, then every function, run until nothing they share grows any more."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.pyflow.expressions import evaluate, frame_result
from sluicegate.vet.inspect.analyzers.pyflow.frame import MAX_RUNS, Analysis, UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    files as models_files,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    load as models_load,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    logs as models_logs,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    net as models_net,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    run as models_run,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    sources as models_sources,
)
from sluicegate.vet.inspect.analyzers.pyflow.models import (
    text as models_text,
)
from sluicegate.vet.inspect.analyzers.pyflow.program import (
    NO_PARAMETERS,
    Module,
    PyScope,
    PyUnit,
    is_notebook_cell,
)
from sluicegate.vet.inspect.analyzers.pyflow.statements import run_block
from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import (
    SEPARATORS_PER_SCAN,
    Parsed,
    Room,
    both_ends,
    parse_loudly,
    surely_shallow,
    too_large,
    unwarned,
)
from sluicegate.vet.inspect.analyzers.pyflow.syntax.silent import Silence
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, join, make
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Gap, GapReason

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms

SKIPPED_STEPS = frozenset({"folded", "normalised", "invisible"})
"""Derived views of a text that is already analysed in its raw form."""
MAX_VIEWS = 2_000
RUNS_PER_UNIT = 6
"""Work bound: all runs together stay below this many times the number of units."""

MODELS = (models_text, models_files, models_sources, models_net, models_logs, models_run, models_load)
"""Importing them fills the tables."""


class Interpretation(NamedTuple):
    """What was found out, and what could not be looked at."""

    analysis: Analysis
    gaps: tuple[Gap, ...]


def python_views(views: tuple[View, ...]) -> tuple[View, ...]:
    """The views that are Python in their own right."""
    return tuple(
        v
        for v in views
        if v.language is Kind.PYTHON and not (v.origin and v.origin[-1].kind in SKIPPED_STEPS)
    )


def analyse(
    views: tuple[View, ...],
    syntax_bytes: int,
    *,
    programs: BundlePrograms | None = None,
    listening: bool = False,
) -> Interpretation:
    """Run all Python of a bundle together. ``views`` are those of ``python_views``, ``programs`` those of the bundle.

    ``listening``: they are read for what they do with what they are given, and for what they print.
    """
    analysis = Analysis(views)
    analysis.programs, analysis.listening = programs, listening
    gaps: list[Gap] = []
    with unwarned():
        units = _load(analysis, views, syntax_bytes, gaps)
    for unit in units:
        analysis.enqueue(unit)
    broken = _settle(analysis)
    gaps += [
        Gap(path=p, reason=GapReason.ANALYSIS_LIMIT, detail="Python nested too deeply to follow")
        for p in broken
    ]
    if analysis.crowded and views:
        gaps.append(
            Gap(
                path=views[0].path,
                reason=GapReason.ANALYSIS_LIMIT,
                detail="more Python, or deeper, than is followed",
            )
        )
    return Interpretation(analysis, tuple(dict.fromkeys(gaps)))


class _Reader:
    """Gives the trees of views, as far as they are to be followed; what is not is a gap."""

    def __init__(
        self, analysis: Analysis, views: tuple[View, ...], syntax_bytes: int, gaps: list[Gap]
    ) -> None:
        self._analysis = analysis
        self._syntax_bytes = syntax_bytes
        self._gaps = gaps
        self._silence = Silence(() if analysis.listening else views)
        self._room = Room()
        self._admitted = self._short_ones(views)
        self._seen: set[tuple[str, str]] = set()

    def tree(self, index: int, view: View) -> ast.Module | None:
        """The tree of a view, or None where nothing in it is to be followed, or was followed before."""
        if index >= MAX_VIEWS:
            self._left_out(view, "Python too large for a syntax tree")
            return None
        text = view.text
        whole = not too_large(text, self._syntax_bytes)
        if not whole:
            self._left_out(
                view, "Python too large for a syntax tree; its beginning and its end were followed"
            )
            text = both_ends(text, self._syntax_bytes)
        if (view.path, text) in self._seen:
            return None
        self._seen.add((view.path, text))
        silent = self._silence.covers(view)
        if silent and surely_shallow(view.text):
            self._analysis.pass_over(view.text)
            return None
        if text not in self._admitted and not self._room.takes(text):
            self._left_out(view, "more Python than is followed in one skill")
            return None
        outcome = parse_loudly(text)
        if not isinstance(outcome, Parsed):
            if whole and (outcome.limit or view.is_file):
                self._left_out(view, f"Python not parsed: {outcome.why}"[:120])
            return None
        if outcome.cut and view.is_file:
            self._left_out(view, "Python with errors; the parts that hold them were not followed")
        if silent:
            self._analysis.pass_over(view.text)
            return None
        return outcome.tree

    def _short_ones(self, views: tuple[View, ...]) -> frozenset[str]:
        """Where all together are too long: the shortest for which there is room. None is lost to a long one before it."""
        texts = dict.fromkeys(view.text for view in views)  # in their order, which decides among equals
        if sum(map(len, texts)) <= SEPARATORS_PER_SCAN:
            return frozenset()
        shortest = sorted((text for text in texts if not too_large(text, self._syntax_bytes)), key=len)
        return frozenset(itertools.takewhile(self._room.takes, shortest))

    def _left_out(self, view: View, detail: str) -> None:
        self._gaps.append(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))


def _load(analysis: Analysis, views: tuple[View, ...], syntax_bytes: int, gaps: list[Gap]) -> list[PyUnit]:
    """Parse every view and make its module known before any runs."""
    units: list[PyUnit] = []
    notebooks: dict[str, Module] = {}
    earlier: dict[str, PyScope] = {}
    reader = _Reader(analysis, views, syntax_bytes, gaps)
    for index, view in enumerate(views):
        tree = reader.tree(index, view)
        if tree is None:
            continue
        module = notebooks.get(view.path) if is_notebook_cell(view) else None
        if module is None:
            module = Module(view.path, [index], earlier.get(view.path) if view.origin else None)
            if is_notebook_cell(view):
                notebooks[view.path] = module
            elif view.origin:
                earlier[view.path] = module.scope
                module.scope.parent = module.fallback
            else:
                analysis.modules.add(module)
        units.append(
            PyUnit(
                "<module>",
                tree.body,
                NO_PARAMETERS,
                serial=analysis.next_serial(),
                module=module,
                parent=None,
                view=index,
                is_module=True,
            )
        )
    analysis.bodies = units
    return units


def _settle(analysis: Analysis) -> list[str]:
    """Run units until the queue is empty; gives paths of those that were too deep."""
    broken: list[str] = []
    total = 0
    while analysis.steps > 0 and (unit := analysis.next_unit()) is not None:
        if unit.runs >= MAX_RUNS or total > RUNS_PER_UNIT * (analysis.serial + 20):
            analysis.crowded = True
            continue
        unit.runs += 1
        total += 1
        before = unit.result
        try:
            _run(analysis, unit)
        except RecursionError:
            broken.append(unit.module.path)
            continue
        if unit.result is not before:
            for caller in unit.misled():
                analysis.enqueue(caller)
    analysis.crowded = analysis.crowded or bool(analysis.waiting or analysis.later)
    return broken


def _run(analysis: Analysis, unit: PyUnit) -> None:
    frame = UnitRun(analysis, unit, unit.view)
    for index, name in enumerate(unit.parameters):
        _, texts, refs, parts = unit.incoming[index]
        frame.env[name] = make(PyValue, (1 << index, texts, refs, parts))
    if unit.lambda_body is not None:
        value = evaluate(frame, unit.lambda_body)
        unit.result = join(unit.result, frame_result(frame, value))
    elif unit.is_module:
        _run_module(frame, unit.body)
    else:
        if unit.closed is not None:
            for name in unit.parameters:
                analysis.publish(unit.closed, name, frame.concrete(frame.env[name]))
        run_block(frame, unit.body)


def _run_module(frame: UnitRun, body: list[ast.stmt]) -> None:
    """Notebook cells see what earlier cells left."""
    if len(frame.module.views) > 1 or frame.module.fallback is not None:
        for name, value in frame.module.scope.names.items():
            frame.env.setdefault(name, value)
    run_block(frame, body)


__all__ = ["NOTHING", "Interpretation", "analyse", "python_views"]
