"""Labelled values for Python programs: the content goes along, and does not show.

    key = Labeled("sk-123", Labels.of("secret"))
    header = Labeled.format("Bearer {}", key)         # <secret>
    parts = key.map(lambda text: text.split("-"))     # every part is <secret>
    print(header, f"{key}", [key])                    # placeholders, wherever text is made of it

What goes in comes out labelled: ``map``, ``combine``, operators, ``==``, ``[]``, ``format``. A list, tuple,
dict, set, dataclass or struct of ``msgspec`` with labelled parts keeps the labels of each part; ``labels`` is the join of all of them.
``.keys() .values() .items() .len() .contains(x) .get(k) .each(f)`` are labelled by the shape, ``value[key]``
by the shape, the part and the key.

A function that raises inside ``map`` does not raise out of it: that it failed is as secret as the value. The
result is a value that failed (``.failed``, ``.failure``, ``.recover(f)``; ``LabeledFailure`` when it is opened).

What a program does because of a value is labelled as well, if it says so:

    with branch(key == other):          # everything in here carries the labels of both
        if key == other: ...            # the truth may be asked here, and nowhere else
    select(key == other, "yes", "no")   # the same for one value

``pc()`` is what all branches carry at this point; the monitor joins it to every operation.

For the monitor and the rooms above:

    Labeled(content, labels=EMPTY, trail=NO_TRAIL)   joins what is found inside, and pc()
    labels_of(thing)       all labels in a thing: containers, exceptions, functions with what they captured
    captured(function)     the same, said of a function: closure, defaults, globals, partial, bound object
    attach(error, labels)  note on an exception what it tells of; ``branch(error)`` takes it up again
    carry(function)        the function inside of the branches in force now, whenever it runs
    relabel(value, change) the value with change(labels) on its shape and on every part
    placeholder(labels)    what stands in a text for a value with these labels: ``<secret src:mcp>``
    asked(value)           the content, inside of branches that carry its labels; so model(value), its class, by those of
                           its shape, structure(value); weight(thing, most), how large it is written out
    hand_out_opener()      ``_unseal = hand_out_opener()`` in the monitor: the one way to a content;
                           _unseal(thing) opens containers too, raises LabeledFailure for one that failed

What Python cannot prevent: code in the same process that wants the content gets it (the garbage collector, a
debugger, a function given to ``map`` that stores its argument). Labelled values keep honest programs from
leaking by accident and by trickery of data; hostile code belongs in an environment of its own.
"""

from __future__ import annotations

from sluicegate.flow.values.carrier import attach, captured, labels_of
from sluicegate.flow.values.counter import branch, carry, pc
from sluicegate.flow.values.failures import LabeledFailure
from sluicegate.flow.values.functions import combine, relabel, select
from sluicegate.flow.values.labeled import Labeled, asked, model, structure, weight
from sluicegate.flow.values.opaque import placeholder
from sluicegate.flow.values.opening import Opener, hand_out_opener

__all__ = [
    "Labeled",
    "LabeledFailure",
    "Opener",
    "asked",
    "attach",
    "branch",
    "captured",
    "carry",
    "combine",
    "hand_out_opener",
    "labels_of",
    "model",
    "pc",
    "placeholder",
    "relabel",
    "select",
    "structure",
    "weight",
]
