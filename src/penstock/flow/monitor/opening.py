"""The one place where the content of labelled values comes out (``values.hand_out_opener``).

Whatever opens a value imports ``unseal`` from here, so that reading who imports it tells where contents go.
"""

from __future__ import annotations

from typing import Any, Final

from penstock.flow.values import hand_out_opener
from penstock.flow.values.contents import holds_carrier

_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})

unseal: Final = hand_out_opener()


def carries(thing: object) -> bool:
    """Whether there is a labelled value in a thing that can be opened: itself, or a part of a container."""
    return type(thing) not in _PLAIN and holds_carrier(thing)


def content(thing: object) -> Any:
    """The thing with every labelled value in it opened; itself if there is none. Raises ``LabeledFailure``."""
    return unseal(thing) if carries(thing) else thing
