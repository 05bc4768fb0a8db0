"""The one place where the content of labelled values comes out (``values.hand_out_opener``).

Whatever opens a value imports ``unseal`` from here, so that reading who imports it tells where contents go.
"""

from __future__ import annotations

from typing import Any, Final

from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled, hand_out_opener, pc
from sluicegate.flow.values.contents import holds_carrier

_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})

unseal: Final = hand_out_opener()


def carries(thing: object) -> bool:
    """Whether there is a labelled value in a thing that can be opened: itself, or a part of a container."""
    return type(thing) not in _PLAIN and holds_carrier(thing)


def content(thing: object, permitted: Labels) -> Any:
    """The thing with every labelled value in it opened; itself if there is none.

    ``permitted`` are the labels that were decided on. A container can change after that, by a guard or another thread;
    so it is taken in once, and opened if that has no others. Raises ``LabeledFailure``, and ``FlowError`` for others.
    """
    if isinstance(thing, Labeled):
        value = thing
    elif carries(thing):
        value = Labeled(thing)
    else:
        return thing
    if value.labels is not permitted and not value.labels <= permitted | pc():
        raise FlowError(
            "an input got other labels while it was decided on",
            hint="give the operation a container of its own: list(messages)",
        )
    return unseal(value)
