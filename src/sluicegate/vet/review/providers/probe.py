"""Whether the seats of a panel answer: one short question of ours to each, with nothing of any skill in it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.asking import (
    ModelAnswer,
    ModelFailure,
    ModelProvider,
    ModelQuestion,
    ask,
    close,
    not_set_up,
)
from sluicegate.vet.review.providers.build import provider_of
from sluicegate.vet.review.providers.seats import SeatSettings

SYSTEM = "You are checked for readiness. Answer in the demanded form, and with nothing else."
USER = 'Answer with the JSON object {"ready": true}'
FORM = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


class Probe(NamedTuple):
    """What one seat gave, and how many seconds it took. ``formed``: the answer had the demanded form."""

    seat: SeatSettings
    given: ModelAnswer | ModelFailure
    seconds: float
    formed: bool = False


def probe_all(
    seats: Sequence[SeatSettings], clock: Callable[[], float] = time.monotonic
) -> tuple[Probe, ...]:
    """Ask every seat, all at once; in the order of the seats. Never raises.

    All providers are made before the first is asked: to import a vendor's library takes seconds of the others.
    """
    import asyncio

    made = [_made(seat) for seat in seats]

    async def run() -> tuple[Probe, ...]:
        return tuple(
            await asyncio.gather(*(_probe(seat, one, clock) for seat, one in zip(seats, made, strict=True)))
        )

    return asyncio.run(run())


def _made(seat: SeatSettings) -> ModelProvider | ModelFailure:
    try:
        return provider_of(seat)
    except ConfigError as error:
        return not_set_up(error.message, error.hint)


async def _probe(
    seat: SeatSettings, provider: ModelProvider | ModelFailure, clock: Callable[[], float]
) -> Probe:
    if isinstance(provider, ModelFailure):
        return Probe(seat, provider, 0.0)
    began = clock()
    given = await ask(provider, ModelQuestion(SYSTEM, USER, FORM, seat.model, seat.bounds))
    took = clock() - began
    given = await close(provider) or given
    return Probe(seat, given, took, isinstance(given, ModelAnswer) and _formed(given.body))


def _formed(body: bytes) -> bool:
    try:
        return bool(json.loads(body) == {"ready": True})
    except (ValueError, RecursionError):
        return False
