"""What decides when labels join, as loop-free functions over truth values.

Translated to Coq from this source text and proven as it stands, so bodies stay within ``and``, ``or`` and
``not``, as in ``sluicegate.flow.policy.kernels``.

A set of labels *vouches* if it holds ``trusted``. It is *stained* if it holds ``untrusted`` or an origin.
"""

from __future__ import annotations


def doubtful(vouches: bool, stained: bool) -> bool:
    """Whether a set takes ``trusted`` away from what it is joined with: stained, and nobody vouched for it."""
    return stained and not vouches


def trust_survives(first: bool, first_stained: bool, second: bool, second_stained: bool) -> bool:
    """Whether ``trusted`` is in the join of two sets: one of them vouches and neither is doubtful."""
    return (first or second) and not doubtful(first, first_stained) and not doubtful(second, second_stained)
