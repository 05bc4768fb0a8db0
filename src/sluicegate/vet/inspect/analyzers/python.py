"""Flow analysis of Python: which data reaches which operation, over all Python texts of a bundle together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.intake.bundle import Kind

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
    from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis


class PythonAnalyzer:
    """The flow rules for Python. The interpreter is imported when the first Python text is met."""

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by id."""
        from sluicegate.vet.inspect.analyzers.pyflow.rules import RULES

        return by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Look at every Python view of the subject. Never raises for anything the subject contains."""
        if not any(view.language is Kind.PYTHON for view in subject.views):
            return Inspected()
        from sluicegate.vet.inspect.analyzers.programs import programs_of
        from sluicegate.vet.inspect.analyzers.purpose import Stated
        from sluicegate.vet.inspect.analyzers.pyflow.interpreter import analyse, python_views

        programs = programs_of(subject)
        outcome = analyse(python_views(subject.views), subject.limits.syntax_bytes, programs=programs)
        analysis = outcome.analysis
        analysis.stated = Stated(subject.views)
        capabilities = []
        for name, (view, line) in sorted(analysis.capabilities.items()):
            where = analysis.views[view]
            capabilities.append(
                Capability(name=name, path=where.path, line=where.map_lines(line - 1, line - 1)[0])
            )
        found = _judged(analysis, programs)
        analysis.forget()
        return Inspected(matches=found, capabilities=tuple(capabilities), gaps=outcome.gaps)


def _judged(analysis: Analysis, programs: BundlePrograms) -> tuple[Match, ...]:
    """The rules that are broken; and the bundle's programs are told what these write and run. Many do nothing of the kind, and
    what judges it is not imported for them."""
    if not analysis.hits and not analysis.written:
        return ()
    from sluicegate.vet.inspect.analyzers.pyflow.judging.handed import note_code, note_files
    from sluicegate.vet.inspect.analyzers.pyflow.judging.judge import matches

    found = tuple(matches(analysis, programs))
    note_files(analysis, programs)
    note_code(analysis, programs)
    return found
