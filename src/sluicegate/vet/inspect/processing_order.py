"""The order in which texts are followed where all of them share one bound: a long one must not use it up for others."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View


def turns(views: Iterable[View], languages: Collection[Kind], most: int) -> list[View]:
    """The views of these languages; as they come while they are short enough together, else the shortest first.

    So what one more text keeps from being followed is longer than it, and never a short one behind it.
    """
    wanted = [view for view in views if view.language in languages]
    if sum([len(view.text) for view in wanted]) <= most:
        return wanted
    return sorted(wanted, key=lambda view: len(view.text))
