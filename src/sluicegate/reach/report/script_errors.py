"""What went wrong while a script ran, for people."""

from __future__ import annotations

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.reach.report.escape import no_orders, printable
from sluicegate.reach.report.script_checks import told
from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.evaluate.faults import place_of


def script_error(error: FlowError, words: str = "") -> str:
    """The error with its place and the line there; of a denial the rule and the way forward. ``words`` are what may be told of
    the failure behind it."""
    denial = error.denial if isinstance(error, Denied) else None
    message = denial.reason if denial is not None else error.message
    hint = "" if denial is not None else error.hint
    place = place_of(error)
    lines = []
    if place is not None:
        found = Diagnostic(error.code, message, place.start, place.end, suggestion=hint)
        lines += told(place.source, found)
    else:
        lines += [f"sluicegate: {printable(message)}", *([f"  {printable(hint)}"] if hint else [])]
    if words:
        lines.append(f"  {printable(words)}")
    if denial is not None:
        lines += ["", *(printable(line) for line in denial.render().splitlines())]
    return no_orders("\n".join(lines) + "\n")
