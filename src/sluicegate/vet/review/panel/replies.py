"""Replies that count: what is kept of what a seat gave back, what it comes to, and what is to be asked next.

1. Every answer counts and is recorded.
2. A failure counts and is recorded when the model made it (it would not answer, or wrote too much), or when what could be
   heard speaks against the skill. It never passes: what was heard is handed on as text that is not a whole reply.
3. Any other failure is silence, and may be another time.
4. What speaks against a skill counts also where everything is asked anew, or by two processes at once: a model is not a lottery
   that somebody plays until it is won. A person ends it, with a ruling.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.providers.asking import FailureCode, ModelAnswer, ModelFailure, TokenUsage
from sluicegate.vet.verdict.consensus import Role, Vote
from sluicegate.vet.verdict.kernels import attempted
from sluicegate.vet.verdict.replies import Part, read, read_damaged
from sluicegate.vet.verdict.reply_json import MOST_BYTES, decode, salvage

_MADE_BY_MODEL = frozenset({FailureCode.REFUSED, FailureCode.CUT_OFF, FailureCode.TOO_BIG})
_NO_REPLY = b"\xef\xbb\xbf"
"""A byte order mark: before it, no text is a whole reply, and everything in it is heard as before."""


class RecordedReply(NamedTuple):
    """What a seat gave back. ``code`` is that of a failure; empty for an answer. ``body`` and ``model`` are untrusted."""

    code: str
    body: bytes
    model: str = ""
    usage: TokenUsage | None = None

    @property
    def counted(self) -> bytes:
        """The bytes that the verdict reads."""
        if not self.code:
            return self.body
        return _NO_REPLY + self.body[: MOST_BYTES - len(_NO_REPLY)]


class ReplyTerms(NamedTuple):
    """Against what a reply is read: the reviewer, its role, the findings asked about, and the artifacts."""

    reviewer: str
    role: Role
    about: Collection[str]
    parts: Mapping[str, Part]


class NextStep(Enum):
    """What is to be asked of a seat about a package, by what it replied so far."""

    ASK = "ask"
    REPAIR = "repair"
    DONE = "done"


def vote_of(reply: RecordedReply, terms: ReplyTerms) -> Vote:
    """What one reply comes to, as the envelope reads it."""
    try:
        value = decode(reply.counted)
    except ValueError:
        return read_damaged(salvage(reply.counted)).vote
    return read(terms.reviewer, terms.role, value, terms.about, terms.parts).vote


def vote_of_all(replies: Sequence[RecordedReply], terms: ReplyTerms) -> Vote:
    """The worst of them; an abstention counts for nothing beside another."""
    vote = Vote.ABSTAINED
    for reply in replies:
        vote = Vote(attempted(vote, vote_of(reply, terms)))
    return vote


def alarm_of(replies: Sequence[RecordedReply], terms: ReplyTerms) -> tuple[RecordedReply, ...]:
    """The reply that speaks most against the skill, the first of several; none where none does (4)."""
    worst = max(replies, key=lambda each: vote_of(each, terms), default=None)
    return () if worst is None or vote_of(worst, terms) <= Vote.ABSTAINED else (worst,)


def beside(
    known: Sequence[RecordedReply], given: Sequence[RecordedReply], terms: ReplyTerms
) -> tuple[RecordedReply, ...]:
    """What counts of replies of other runs and those of this one: behind the alarm of another, unless they say as much (4)."""
    alarm = alarm_of(known, terms)
    if alarm and vote_of(alarm[0], terms) <= max(vote_of(each, terms) for each in given):
        alarm = ()
    return (*alarm, *given)


def next_step(replies: Sequence[RecordedReply], terms: ReplyTerms) -> NextStep:
    """What to do after these.

    1. Without a reply, the package is asked about.
    2. A first answer that is not whole is asked for once more. One that speaks of malice stands as it is.
    3. That is all.
    """
    if not replies:
        return NextStep.ASK  # 1
    first = replies[0]
    if len(replies) == 1 and not first.code and vote_of(first, terms) is Vote.ABSTAINED:
        return NextStep.REPAIR  # 2
    return NextStep.DONE  # 3


def that_counts(given: ModelAnswer | ModelFailure, terms: ReplyTerms) -> RecordedReply | None:
    """The reply that a seat gave, if it is one that counts."""
    if isinstance(given, ModelAnswer):
        return RecordedReply("", given.body, given.model, given.usage)
    reply = RecordedReply(given.code.value, given.heard, given.model, given.usage)
    if given.code in _MADE_BY_MODEL or vote_of(reply, terms) is not Vote.ABSTAINED:
        return reply
    return None
