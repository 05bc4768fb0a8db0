"""The reference model of a review under the monitor: the labels of its values, and whether its operations may happen.

Imports nothing of ours but the models of flow and of capabilities.
"""

from __future__ import annotations

from typing import NamedTuple

from model import flow
from model.capabilities import Operation

SKILL = frozenset({"src:skill", "untrusted"})
ASK = Operation("call", ("exfil", "llm"))
ENVELOPE = Operation("call", ("op:call:review.envelope",))
DECIDE = Operation("call", ("privileged", "review:decide"))
RETURN = Operation("return", ("op:return",))
REVEAL = Operation("call", ("op:call:reveal", "op:show"))
ALL = {"ask": ASK, "envelope": ENVELOPE, "decide": DECIDE, "return": RETURN, "reveal": REVEAL}
TRUST = ("trusted", "untrusted", "influenced", "llm", "src", "dir")
"""Labels, and kinds of them, that say whether something is to be believed. What a caller does not believe is not about the skill."""


class Course(NamedTuple):
    """A review: whether its seat is asked, the labels of the answer and of what is admitted of it, and whether it is decided."""

    asked: bool
    answer: frozenset
    admitted: frozenset
    decided: bool


def permits(policy, operation, labels):
    """Whether a policy lets it happen."""
    return flow.decide(policy, operation, labels) == flow.PERMITTED


def may_decide(policy, labels):
    """Whether the verdict may be taken on a value: policy permits it, and it was blessed."""
    believed = "trusted" in labels and not labels & {"untrusted", "influenced"}
    return believed and permits(policy, DECIDE, labels)


def kept(around):
    """What a review takes along of the branches that it is begun in: what is secret, and not what is distrusted."""
    return frozenset(label for label in around if label.split(":")[0] not in TRUST)


def review(policy, around):
    """What becomes of one package and one seat, begun in branches with these labels."""
    pc = kept(around)
    shown = flow.join(SKILL, pc)
    asked = permits(policy, ASK, shown)
    answer = flow.result_labels([policy], [SKILL], pc, frozenset(), True) if asked else shown
    blessed = flow.change("bless", frozenset(), answer, True)
    admitted = flow.change("remove", {"influenced"}, blessed, True)
    return Course(asked, answer, admitted, may_decide(policy, admitted))
