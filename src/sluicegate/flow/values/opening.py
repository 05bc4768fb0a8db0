"""The one way in which the content of a labelled value comes out."""

from __future__ import annotations

from typing import Any, NoReturn, final

from sluicegate.flow.errors import FlowError
from sluicegate.flow.values.contents import Failure
from sluicegate.flow.values.labeled import Labeled, failure_for, open_content


@final
class Opener:
    """Gives the content of labelled values. There is one, and the monitor has it (see ``hand_out_opener``)."""

    __slots__ = ()

    def __call__(self, thing: object) -> Any:
        """The content of a value, or of a container of values. Raises ``LabeledFailure`` if one has failed."""
        value = thing if isinstance(thing, Labeled) else Labeled(thing)
        content = open_content(value)
        if isinstance(content, Failure):
            raise failure_for(value)
        return content

    def __reduce__(self) -> NoReturn:
        raise TypeError("the opener of labelled values cannot be copied or pickled")


_handed_out = False


def hand_out_opener() -> Opener:
    """The opener, once in a process: to ``sluicegate.flow.monitor``, which takes it when it is imported.

    Whoever asks again is refused (``FlowError``). That is a convention, kept so that every place where a
    content comes out can be found by reading the monitor; Python has no way to enforce it.
    """
    global _handed_out
    if _handed_out:
        raise FlowError(
            "the opener of labelled values has been handed out",
            hint="a value comes out through an operation of the monitor",
        )
    _handed_out = True
    return Opener()
