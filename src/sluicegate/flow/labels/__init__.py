"""What a value is and where it came from: labels, how they join, and who may take one away.

A label is a string of segments joined by colons: ``secret``, ``src:mcp``, ``op:cmd:git``. ``secret`` is a
prefix of ``secret:aws``: what is said of the one holds for the other. ``Labels`` is
an immutable set of labels with one object for each set, so sets compare with ``is``.

Joining, ``a | b``, is what a result inherits from what went into it. It is the union, but for ``trusted``:

1. a set *vouches* if it holds ``trusted``;
2. a set is *stained* if it holds ``untrusted`` or an origin (``src:...``, ``dir:...``, ``llm``, ``influenced``);
3. ``trusted`` is in the join if one operand vouches, and every operand that is stained vouches too.

So what nobody vouched for takes trust away, and the author's own words (no label, or only declared ones) do
not. Each set is of one of three classes, neutral < vouching < stained without vouching, and a join is of the
highest class of its operands: therefore it is associative, commutative and idempotent, and ``EMPTY`` is its
unit (``kernels.trust_survives``; proven in ``spec/coq``).

``trusted`` and ``untrusted`` exclude each other (part 4.3), but for one case: where someone claimed trust for
what is untrusted, both are held, as the record of the conflict, and it *is* untrusted. A join of sets without
a conflict has none.

    Labels.of(*names) EMPTY .join .mask .names() .has(prefix) .declared .origins .taint .untrusted .trusted
    directories(path) -> Labels            the dir: labels of a directory
    add, add_untrusted, add_trusted, bless, remove, clear -> Changed | Conflicted | Refused
    Privilege                              only ``trust.grant`` makes one, for code that reads configuration
    Trail.of(*words) .add(word) .join      which operations a value went through
"""

from __future__ import annotations

from sluicegate.flow.labels.names import (
    SOURCES,
    LabelCategory,
    category,
    check,
    covers,
    head,
    is_factual,
    is_origin,
    is_protected,
)
from sluicegate.flow.labels.sets import (
    EMPTY,
    MOST_DIRECTORIES,
    MOST_LABELS,
    Labels,
    directories,
    directory_of,
)
from sluicegate.flow.labels.trail import NO_TRAIL, Trail, coming_from, events_of
from sluicegate.flow.labels.trust import (
    Change,
    Changed,
    Conflicted,
    ConflictMode,
    Privilege,
    TrustRefused,
    add,
    add_trusted,
    add_untrusted,
    bless,
    clear,
    remove,
)

__all__ = [
    "EMPTY",
    "MOST_DIRECTORIES",
    "MOST_LABELS",
    "NO_TRAIL",
    "SOURCES",
    "Change",
    "Changed",
    "ConflictMode",
    "Conflicted",
    "LabelCategory",
    "Labels",
    "Privilege",
    "Trail",
    "TrustRefused",
    "add",
    "add_trusted",
    "add_untrusted",
    "bless",
    "category",
    "check",
    "clear",
    "coming_from",
    "covers",
    "directories",
    "directory_of",
    "events_of",
    "head",
    "is_factual",
    "is_origin",
    "is_protected",
    "remove",
]
