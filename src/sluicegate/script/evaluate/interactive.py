"""A script that is typed line by line: each input is carried out, and what it defines holds from then on.

1. An input is a script of its own, with the names of those before it. One with errors does nothing.
2. Policies are in force from the beginning, and so are given with the first script; an input that declares or imports one is
   refused, for what ran before would not have been under it. A guard holds from the input on that declares it.
3. An input stands alone: whether one before it has returned, or has failed, decides nothing of it. Its steps are counted anew.
4. A value may be typed alone, also one that is no statement: it is shown, as policy lets it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sluicegate.flow.labels import EMPTY
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.modules import ModuleReader, documents
from sluicegate.script.evaluate.program import carry_out, failures_told, new_run, read
from sluicegate.script.parse.program import parse
from sluicegate.script.source import SourceText

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.flow.policy.modules.needs import InstalledPackages
    from sluicegate.script.evaluate.run import Run

LONGEST: Final = 1_000_000
"""Characters of one input."""


class InteractiveRun:
    """A run that goes on with each input. ``run`` is that of the first script, which was carried out."""

    def __init__(
        self,
        run: Run,
        *,
        reader: ModuleReader,
        folder: Path,
        installed: InstalledPackages | None = None,
    ) -> None:
        self._run, self._reader, self._folder = run, reader, folder
        self._installed, self._inputs = installed, 0

    @property
    def monitor(self) -> Monitor:
        """What decides about each effect."""
        return self._run.monitor

    @property
    def names(self) -> list[str]:
        """The names that have a value."""
        return sorted(self._run.scope.names())

    def carry_out(self, text: str) -> list[str]:
        """Carry an input out, and show the value that it is, if it is one. What failed in branches, as far as it may be told.
        Raises FlowError."""
        self._inputs += 1
        source = SourceText(text, f"input {self._inputs}")
        if len(text) > LONGEST:
            raise ScriptError(
                "too-long", f"an input has at most {LONGEST} characters", hint="Put it into a file."
            )
        script = read(_as_statement(source), known=self.names)
        module = self._reader.load(script, path=self._run.path, folder=self._folder)
        if documents(module):
            raise ScriptError(
                "misplaced",
                "policies are in force from the beginning",
                hint="Write it into a file, and begin anew with it: sluicegate repl FILE, or --policy FILE.",
            )
        budget = self._run.budget
        budget.begin()
        self._run.context, self._run.denied = {}, False  # an interruption may have left them
        began = new_run(
            module,
            self._run.monitor,
            given=self._run.given,
            budget=budget,
            installed=self._installed,
            servers=self._run.servers,
            after=self._run,
        )
        began.labels = EMPTY
        try:
            carry_out(began, echo=True)
        finally:
            told = failures_told(began.monitor, began.failures)
        return told


def _as_statement(source: SourceText) -> SourceText:
    """The input; one that is a value and no statement as a statement that shows it (4)."""
    shown = SourceText(f"show {source.text}", source.name)
    return shown if parse(source).errors and not parse(shown).errors else source


def wants_more(text: str) -> bool:
    """Whether an input is not at its end: something in it is open, or it breaks off where more has to come."""
    if not text.strip():
        return False
    source = SourceText(text, "input")
    if _as_statement(source) is not source:
        return False
    end = len(text.rstrip())
    return any(each.code == "unclosed" or each.start >= end for each in parse(source).errors)
