"""The budget of a run: room is reserved before a question goes out, and what it took in truth counts afterwards."""

from __future__ import annotations

import asyncio

from sluicegate.vet.review.panel.settings import Amount, ReviewBudget


class BudgetAccount:
    """What was spent and what is reserved, of one budget, in one event loop."""

    def __init__(self, budget: ReviewBudget) -> None:
        self._budget = budget
        self._reserved = Amount()
        self._under_way = 0
        self._settled = asyncio.Event()
        self.spent = Amount()

    async def reserve(self, need: Amount) -> bool:
        """Whether there is room for ``need``, which is then reserved.

        What others have reserved may turn out to be more than they take, so as long as any of them is under way, it is
        waited for. Where nobody is, and there is no room, there will be none.
        """
        while not self._fits(need):
            if not self._under_way:
                return False
            await self._settled.wait()
        self._reserved = self._reserved.and_also(need)
        self._under_way += 1
        return True

    def settle(self, need: Amount, spent: Amount) -> None:
        """Give back what was reserved, and count what was spent."""
        self._reserved = self._reserved.without(need)
        self._under_way -= 1
        self.spent = self.spent.and_also(spent)
        self._settled.set()
        self._settled = asyncio.Event()

    def _fits(self, need: Amount) -> bool:
        then = self.spent.and_also(self._reserved).and_also(need)
        return then.tokens <= self._budget.tokens and (
            self._budget.cost is None or then.cost <= self._budget.cost
        )
