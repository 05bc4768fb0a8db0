"""The guards of a review: what is verified before a model is asked, and what may be blessed of its answers.

They go by the operation alone and never by what an answer says, so that no answer has a part in which of them allow.

1. ``signed-instructions``, before a question: the instructions that go in verify now, as they stand. Otherwise nobody is asked.
2. ``envelope``, after the answers were put together: the envelope (``vet.verdict``) is run here, and what it admits takes their
   place. Whoever calls the operation, and with what, gets nothing past it.
3. ``verdict`` and ``verdict-influence``: what the envelope gave is blessed. They have the privilege, from ``review.toml``.
4. ``admitted-alone``, before the decision: it is taken on what was blessed, and on nothing that merely has no labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sluicegate.flow.guards import (
    Allow,
    AllowWith,
    Bless,
    Deny,
    Filter,
    Guard,
    GuardBundle,
    GuardContext,
    GuardRule,
    RemoveLabels,
    Timing,
)
from sluicegate.flow.values import Labeled
from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.prompts.instructions import ReviewInstructions
from sluicegate.vet.verdict import envelope
from sluicegate.vet.verdict.admitted import admitted
from sluicegate.vet.verdict.consensus import Panel
from sluicegate.vet.verdict.envelope import Package, Reply, Review
from sluicegate.vet.verdict.replies import Part
from sluicegate.vet.verdict.types import Finding

ASK, ENVELOPE, DECIDE = "review.ask", "review.envelope", "review.decide"
SIGNED = "signed-instructions"


class GivenReplies(NamedTuple):
    """All that a panel gave back about one skill, and what it was asked: what the envelope reads."""

    findings: tuple[Finding, ...]
    packages: tuple[Package, ...]
    replies: tuple[Reply, ...]
    panel: Panel
    parts: Mapping[str, Part]


def _are_signed(context: GuardContext) -> Labeled[bool]:
    """Whether the instructions, the first of what goes in, are those of this release as they verify now."""
    told = cast("Labeled[ReviewInstructions]", context.values[0])
    return told.map(_verifies)


def _verifies(told: ReviewInstructions) -> bool:
    told.verify()
    return True


def _in_envelope(context: GuardContext) -> AllowWith:
    """What the envelope admits, in place of what was put together; what is not a set of replies fails, and stays a failure."""
    return AllowWith(cast("Labeled[GivenReplies]", context.input).map(_read))


def _read(given: GivenReplies) -> Review:
    if type(given) is not GivenReplies:
        raise TypeError("the envelope reads the replies of a panel")
    return admitted(
        envelope.review(given.findings, given.packages, given.replies, panel=given.panel, parts=given.parts)
    )


def _is_blessed(context: GuardContext) -> bool:
    return context.has("trusted") and not context.has("untrusted") and not context.has("influenced")


GUARDS = GuardBundle(
    name="review",
    guards=(
        Guard(
            name=SIGNED,
            timing=Timing.BEFORE,
            filter=Filter.of(f"fn:{ASK}"),
            rules=(
                GuardRule(when=_are_signed, then=Allow()),
                GuardRule(
                    then=Deny(
                        reason="The instructions of the reviewer are not those that were signed for this release",
                        suggestion="Install sluicegate again",
                    )
                ),
            ),
        ),
        Guard(
            name="envelope",
            timing=Timing.AFTER,
            filter=Filter.of(f"fn:{ENVELOPE}"),
            rules=(GuardRule(then=_in_envelope),),
        ),
        Guard(
            name="verdict",
            timing=Timing.AFTER,
            filter=Filter.of(f"fn:{ENVELOPE}"),
            rules=(GuardRule(then=Bless()),),
        ),
        Guard(
            name="verdict-influence",
            timing=Timing.AFTER,
            filter=Filter.of(f"fn:{ENVELOPE}"),
            rules=(GuardRule(then=RemoveLabels(names=("influenced",))),),
        ),
        Guard(
            name="admitted-alone",
            timing=Timing.BEFORE,
            filter=Filter.of(f"fn:{DECIDE}"),
            rules=(
                GuardRule(when=_is_blessed, then=Allow()),
                GuardRule(
                    then=Deny(
                        reason="A decision is taken on what the envelope admits of the answers, and on nothing else",
                        suggestion="Put the replies into the envelope",
                    )
                ),
            ),
        ),
    ),
)
"""The guards of every review, in their order. None can be bypassed."""
