"""One seat and one package: asked, asked again where that may help, repaired once, and recorded.

1. A question goes out when the seat has a place free, its pace permits it, and the budget has room.
2. A failure that may pass is tried again, a few times, after as long as the server asks or else longer each time.
3. What counts is recorded before anything follows from it.
4. A seat that nobody answers for is not asked about other packages. No other failure does that: what a skill's own text can
   bring about (a filter in front of a model, say) must take nothing from the other packages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.packages import MediatedPackage
from sluicegate.vet.review.mediator.tokens import estimate
from sluicegate.vet.review.panel.budget import BudgetAccount
from sluicegate.vet.review.panel.pace import SeatPace
from sluicegate.vet.review.panel.questions import PlacedSeat, most, question, read_tokens
from sluicegate.vet.review.panel.settings import Amount, amount
from sluicegate.vet.review.prompts.instructions import ReviewInstructions
from sluicegate.vet.review.providers.asking import (
    FailureCode,
    ModelAnswer,
    ModelFailure,
    ModelProvider,
    ask,
)
from sluicegate.vet.review.providers.seats import SeatSettings

TRIES: Mapping[FailureCode, int] = {
    FailureCode.RATE_LIMIT: 6,
    FailureCode.SERVER: 4,
    FailureCode.DROPPED: 3,
    FailureCode.TIMEOUT: 2,
    FailureCode.UNREACHABLE: 2,
}
"""How often one question is asked at most, while it ends so."""
LONGEST_WAIT = 120.0
_BELIEVED = 10
"""Times what one question may take by our estimate, up to which a server's count of it is believed."""
_FIRST_WAIT, _LONGEST_STEP = 1.0, 30.0
_NOT_READ = frozenset(
    {
        FailureCode.RATE_LIMIT,
        FailureCode.UNREACHABLE,
        FailureCode.AUTHENTICATION,
        FailureCode.MODEL_UNKNOWN,
        FailureCode.ADDRESS,
        FailureCode.REJECTED,
        FailureCode.SETUP,
    }
)
"""Failures with which a model has read nothing, so that nothing was spent."""

NOT_RECORDED, OVER_BUDGET = "not-recorded", "budget"
"""Why nothing was asked: reasons of ours, beside the codes of failures."""


class Unasked(NamedTuple):
    """Nothing went out, and why."""

    code: str
    detail: str


class Surroundings(NamedTuple):
    """What a review takes from the world: time, chance, and the way to models. ``chance`` gives numbers from 0 to 1."""

    clock: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    chance: Callable[[], float]
    nonce: Callable[[], str]


class SeatAsker:
    """One seat for one run: who answers for it, its pace, and its free places.

    ``make`` makes who answers, when the first question is sure to come: that imports a vendor's library. None: nobody does.
    """

    def __init__(
        self,
        place: PlacedSeat,
        make: Callable[[SeatSettings], ModelProvider] | None,
        account: BudgetAccount,
        world: Surroundings,
    ) -> None:
        self.place, self.seat, self._make = place, place.seat, make
        self.provider: ModelProvider | None = None
        self._account, self._world = account, world
        self._pace = SeatPace(place.seat, world.clock, world.sleep)
        self._free = asyncio.Semaphore(place.seat.most_at_once)
        self._lost: float | None = None
        self._nobody: ModelFailure | None = None

    def prepare(self) -> None:
        """Have somebody who answers, where anybody does. Raises ConfigError when that cannot be."""
        if self.provider is None and self._make is not None:
            self.provider = self._make(self.seat)

    async def ask(
        self,
        package: MediatedPackage,
        told: ReviewInstructions,
        *,
        repair: bool,
        counts: Callable[[ModelFailure], bool],
        sent: Callable[[], None],
        waits: Callable[[str, float], None],
    ) -> ModelAnswer | ModelFailure | Unasked:
        """Ask, and again where that may help: not after a failure that ``counts``, for what was heard then was said.

        ``sent`` is called before each question, ``waits`` before each wait. Raises InstructionsChanged unless ``told`` verifies
        each time.
        """
        tries = 0
        while True:
            given = await self._once(package, told, repair=repair, sent=sent)
            tries += 1
            if not isinstance(given, ModelFailure) or not given.again or counts(given):
                break
            wait = self._wait(given, tries)
            if self._nobody is not None or tries >= TRIES[given.code] or wait > LONGEST_WAIT:  # 2
                break
            if given.code is FailureCode.RATE_LIMIT:
                self._pace.pause(wait)
            waits(given.code.value, wait)
            await self._world.sleep(wait)
        return given

    async def _once(
        self, package: MediatedPackage, told: ReviewInstructions, *, repair: bool, sent: Callable[[], None]
    ) -> ModelAnswer | ModelFailure | Unasked:
        self.prepare()
        if self.provider is None:
            return Unasked(NOT_RECORDED, "no answer is recorded, and nothing is asked")
        async with self._free:  # 1
            if self._nobody is not None:
                return self._nobody
            told.verify()
            need = most(self.seat, package, told)
            if not await self._account.reserve(need):
                return Unasked(OVER_BUDGET, "the budget of the review has no room for the question")
            spent = need
            try:
                await self._pace.turn(need.tokens)
                asked = question(self.seat, package, told, self._world.nonce(), repair=repair)
                sent()
                begun = self._world.clock()
                given = await ask(self.provider, asked)
                self._look_whether_anybody_is_there(given, begun)  # 4
                spent = self._spent(given, read_tokens(package, told), need)
            finally:
                self._account.settle(need, spent)
        return given

    def _look_whether_anybody_is_there(self, given: ModelAnswer | ModelFailure, begun: float) -> None:
        """Nobody is, where a question that was sent after a first failure, and a pause, fails so, too."""
        if not isinstance(given, ModelFailure):
            self._lost = None
        elif given.code is FailureCode.SETUP:
            self._nobody = given
        elif given.code is not FailureCode.UNREACHABLE:
            self._lost = None
        elif self._lost is None:
            self._lost = self._world.clock()
            self._pace.pause(_FIRST_WAIT)
        elif begun > self._lost:
            self._nobody = given

    def _wait(self, failure: ModelFailure, tries: int) -> float:
        """As long as the server asks; or doubled with each try, and spread, so that many do not come back at once."""
        spread = 0.5 + self._world.chance()
        return max(failure.after or 0.0, min(_FIRST_WAIT * 2.0 ** (tries - 1), _LONGEST_STEP) * spread)

    def _spent(self, given: ModelAnswer | ModelFailure, read: int, need: Amount) -> Amount:
        """What a question took: as the server says, else as far as can be told, else all that it might.

        A server that says nothing was read, or written in an answer, has not counted. One that says more than many times what the
        question may take takes no more than that: the budget is also that of the other seats, and their alarms.
        """
        usage = given.usage
        if usage is not None and usage.read and (usage.written or isinstance(given, ModelFailure)):
            said = amount(self.seat, usage.read, usage.written)
            return Amount(min(said.tokens, _BELIEVED * need.tokens), min(said.cost, _BELIEVED * need.cost))
        if isinstance(given, ModelAnswer):
            return amount(self.seat, read, estimate(given.body.decode("utf-8", "replace")))
        return Amount() if given.code in _NOT_READ else need
