"""Text with control characters taken out: escape sequences of terminals, letters struck over, strewn control codes.

A terminal does not draw them, a model reads past them, and a word with one inside is not a word to a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Product, changed_lines
from sluicegate.vet.intake.views.disguises.runs import shape
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_CONTROLS = bytes(c for c in range(32) if c not in b"\t\n\r\f\v") + b"\x7f"
_SEQUENCE = lazy(
    r"\x1b(?:\[[0-9;:?<=>]{0,40}+[ -/]{0,4}+[@-~]|\][^\x07\x1b\n]{0,2000}+(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]|[=>78cDEHMNOZ])"
)
_STRUCK = lazy(r"[^\n\x08]\x08")
_CONTROL = lazy(r"[\x00-\x08\x0e-\x1f\x7f]")


def _plain(line: str) -> str:
    return _CONTROL.sub("", _STRUCK.sub("", _SEQUENCE.sub("", line)))


def control_views(view: View, limits: Limits) -> Iterator[Product]:
    """One ``normalised`` view of the lines of a file that hold control characters."""
    if view.origin:
        return
    data = shape(view.text)
    if len(data.translate(None, _CONTROLS)) != len(data):
        yield from changed_lines(view, _plain, "control characters")
