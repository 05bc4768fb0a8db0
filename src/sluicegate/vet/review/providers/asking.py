"""One question to one model: what goes in, what comes out, and the border at which nothing else gets through."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

import msgspec

from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.review.providers.keys import HeldKey

LONGEST_DETAIL = 300
LONGEST_NAME = 200

LONGEST_AFTER = 86_400.0
"""Seconds: a server that asks to wait longer than a day is not believed."""
_SECONDS_TO_CLOSE = 5.0
_MOST_COUNTED = 2**53

Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST_COUNTED)]
"""A count that the other side states."""


class AskBounds(NamedTuple):
    """What one question may cost: ``seconds`` from end to end, ``answer`` bytes of the model's text, ``tokens`` it may write."""

    seconds: float = 120.0
    answer: int = 256 * 1024
    tokens: int = 8192

    @property
    def wire(self) -> int:
        """Bytes of a whole reply on the wire: the text may be escaped there, and other things stand around it."""
        return 4 * self.answer + 64 * 1024


class ModelQuestion(NamedTuple):
    """What is asked: ``system`` is ours, ``user`` holds what is under review, ``schema`` the form of the answer."""

    system: str
    user: str
    schema: Mapping[str, object]
    model: str
    bounds: AskBounds = AskBounds()


class TokenUsage(NamedTuple):
    """Tokens that the wire says were read and written."""

    read: int
    written: int


class ModelAnswer(NamedTuple):
    """The model's text, as it came. ``body`` and ``model`` (as the wire names it) are untrusted."""

    body: bytes
    model: str
    usage: TokenUsage | None = None


class FailureCode(StrEnum):
    """Why there is no whole answer. Stable: reports and programs rely on these words."""

    TIMEOUT = "timeout"
    RATE_LIMIT = "rate-limit"
    SERVER = "server"
    UNREACHABLE = "unreachable"
    DROPPED = "dropped"
    REFUSED = "refused"
    CUT_OFF = "cut-off"
    TOO_BIG = "too-big"
    NOT_UTF8 = "not-utf8"
    MALFORMED = "malformed"
    AUTHENTICATION = "authentication"
    MODEL_UNKNOWN = "model-unknown"
    ADDRESS = "address"
    REJECTED = "rejected"
    SETUP = "setup"
    BROKEN = "broken"


AGAIN = frozenset(
    {
        FailureCode.TIMEOUT,
        FailureCode.RATE_LIMIT,
        FailureCode.SERVER,
        FailureCode.UNREACHABLE,
        FailureCode.DROPPED,
    }
)
"""Where the same question may be answered a little later."""


class ModelFailure(NamedTuple):
    """Why there is no whole answer.

    ``detail`` says what is wrong and what to do; it may quote the other side, so escape it before showing. ``after`` are
    the seconds that the other side asked us to wait. ``heard`` is what could be heard all the same (a refusal, the part
    before the cut, the first bytes of a reply that was too big or no reply at all): what it says against a skill counts.
    """

    code: FailureCode
    detail: str
    after: float | None = None
    heard: bytes = b""
    usage: TokenUsage | None = None
    model: str = ""

    @property
    def again(self) -> bool:
        """Whether asking again may help."""
        return self.code in AGAIN


class ModelProvider(Protocol):
    """Something that asks a model. One belongs to one event loop; questions may overlap.

    Whoever writes one for others: call models without tools, keep within ``question.bounds`` while reading, and put no
    key into what is raised or given back. ``ask`` below holds all of this to its bounds again.
    """

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """Ask once."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


async def ask(provider: ModelProvider, question: ModelQuestion) -> ModelAnswer | ModelFailure:
    """One answer or one failure, within the bounds of the question. Never raises, unless it is cancelled.

    1. The seconds run from end to end, whatever the other side sends meanwhile.
    2. Whatever a provider raises is a failure, also where it would end this process: with exit code 0, a skill would pass that
       nobody decided on. Its words are not shown: they could quote a key.
    3. What it gives back is of the kinds that there are, and no longer than was asked for. Counts that are none are left out.
    """
    import asyncio  # settings are read with these types, and most commands do without

    try:
        async with asyncio.timeout(question.bounds.seconds):  # 1
            given = await provider.ask(question)
    except TimeoutError:
        return late(question.bounds.seconds)
    except BaseException as error:
        if _ends_us(error):
            raise
        return _broken(provider, f"raised {type(error).__name__}")
    return _held(provider, given, question.bounds)  # 3


async def close(provider: ModelProvider) -> ModelFailure | None:
    """Let a provider close what it has open, for a few seconds; why it could not. Never raises, unless it is cancelled."""
    import asyncio

    try:
        async with asyncio.timeout(_SECONDS_TO_CLOSE):
            await provider.close()
    except BaseException as error:
        if _ends_us(error):
            raise
        return _broken(provider, "could not be closed")
    return None


def _ends_us(error: BaseException) -> bool:
    """Whether an error is not a provider's own: a person interrupts, or whoever waits for it was told to stop. One that would end the
    program with a code of its choice is: the gate would be open."""
    import asyncio

    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or task.cancelling() > 0
    return not isinstance(error, Exception | SystemExit)


def _broken(provider: ModelProvider, what: str) -> ModelFailure:
    return ModelFailure(
        FailureCode.BROKEN, f"the provider {type(provider).__name__} {what}; this is an error in the provider"
    )


def not_set_up(message: str, hint: str) -> ModelFailure:
    """A key, a package or a program is not there: what is wrong, and what to do, as two sentences."""
    return ModelFailure(FailureCode.SETUP, f"{message}. {hint[:1].upper()}{hint[1:]}")


def late(seconds: float) -> ModelFailure:
    """No whole answer in time."""
    return ModelFailure(
        FailureCode.TIMEOUT,
        f"no whole answer within {seconds:g} seconds; give the seat more (seconds = ...), or a faster model",
    )


def too_big(most: int, heard: bytes, usage: TokenUsage | None = None, model: str = "") -> ModelFailure:
    """An answer of more than ``most`` bytes."""
    detail = f"the answer is longer than {most} bytes; a model that does this does not keep to the form"
    return ModelFailure(FailureCode.TOO_BIG, detail, heard=heard[:most], usage=usage, model=model)


def answered(text: str, model: str, usage: TokenUsage | None, most: int) -> ModelAnswer | ModelFailure:
    """The answer that a text makes, unless it is empty or too long."""
    body = text.encode("utf-8", "replace")
    if len(body) > most:
        return too_big(most, body, usage, model)
    if not body.strip():
        return ModelFailure(FailureCode.MALFORMED, "the model gave an empty answer", usage=usage, model=model)
    return ModelAnswer(body, model, usage)


def refused(text: str, model: str, usage: TokenUsage | None, most: int) -> ModelFailure:
    """The model, or a filter before it, would not answer."""
    detail = "the model, or a filter of its vendor, would not answer this question"
    return ModelFailure(
        FailureCode.REFUSED, detail, heard=text.encode("utf-8", "replace")[:most], usage=usage, model=model
    )


def cut_off(text: str, model: str, usage: TokenUsage | None, most: int) -> ModelFailure:
    """The answer ended where the tokens ended."""
    detail = "the answer was cut off at the bound of tokens; give the seat more (tokens = ...)"
    return ModelFailure(
        FailureCode.CUT_OFF, detail, heard=text.encode("utf-8", "replace")[:most], usage=usage, model=model
    )


def without_key(given: ModelAnswer | ModelFailure, key: HeldKey | None) -> ModelAnswer | ModelFailure:
    """The same with nothing of the key in it: what a model or a server says is recorded and reported, and a proxy or an agent
    may quote what it was sent.
    """
    if key is None:
        return given
    model = key.taken_from(given.model)
    if isinstance(given, ModelAnswer):
        return given._replace(body=_taken_from(given.body, key), model=model)
    return given._replace(
        detail=key.taken_from(given.detail), heard=_taken_from(given.heard, key), model=model
    )


def _taken_from(said: bytes, key: HeldKey) -> bytes:
    """Bytes need not be UTF-8, and stay as they are besides."""
    return key.taken_from(said.decode("latin-1")).encode("latin-1")


def _held(provider: ModelProvider, given: object, bounds: AskBounds) -> ModelAnswer | ModelFailure:
    if isinstance(given, ModelAnswer) and isinstance(given.body, bytes) and isinstance(given.model, str):
        model, usage = _words(given.model, LONGEST_NAME), _counts(given.usage)
        if len(given.body) > bounds.answer:
            return too_big(bounds.answer, given.body, usage, model)
        try:
            given.body.decode()
        except UnicodeDecodeError:
            return ModelFailure(
                FailureCode.NOT_UTF8, "the answer is not UTF-8", heard=given.body, model=model
            )
        return ModelAnswer(given.body, model, usage)
    if (
        isinstance(given, ModelFailure)
        and isinstance(given.code, FailureCode)
        and isinstance(given.heard, bytes)
    ):
        return ModelFailure(
            given.code,
            _words(given.detail, LONGEST_DETAIL),
            _wait(given.after),
            given.heard[: bounds.answer],
            _counts(given.usage),
            _words(given.model, LONGEST_NAME),
        )
    return _broken(provider, "gave neither an answer nor a failure")


def _words(said: object, longest: int) -> str:
    """A text that can be recorded; of what is none, nothing."""
    return said.encode("utf-8", "replace").decode()[:longest] if isinstance(said, str) else ""


def _counts(usage: object) -> TokenUsage | None:
    """Counts of tokens, where both are counts: one below 0 would give room back to the budget."""
    if not isinstance(usage, TokenUsage):
        return None
    both = (usage.read, usage.written)
    return usage if all(type(each) is int and 0 <= each <= _MOST_COUNTED for each in both) else None


def _wait(after: object) -> float | None:
    """Seconds to wait, where they are seconds."""
    if isinstance(after, bool) or not isinstance(after, int | float) or not 0 <= after <= LONGEST_AFTER:
        return None
    return float(after)
