"""What all guards of an operation decide together.

Evaluation is pure, given the functions in the guards: nothing is performed here, and what should be (an
event, an environment, another round) stands in the outcome.

1. Every guard that matches is asked about what was asked for: the values as they came.
2. Where an earlier guard has changed a value, a guard is also asked about the changed one, and it is that one
   its own change acts on: changes chain in the order of the guards.
3. If a change brought labels that further guards watch for, these are asked as well.
4. Then every guard that has not seen the values as they are now is asked about them; only its denial or
   retry counts.
5. ALWAYS guards are asked after all others, in the same steps, and know of a denial.
6. Any denial denies; else any retry asks again, and denies after three rounds; else there are changes or none.

So a guard that denies what was asked for denies it whatever other guards there are, and in whatever order;
and what flows in the end has been seen, as it flows, by every guard that matches. No guard that allows can
take back the denial of another, or of policy. A guard that cannot decide denies.
"""

from __future__ import annotations

from sluicegate.flow.guards.context import GuardContext, Timing
from sluicegate.flow.guards.outcomes import GuardOutcome
from sluicegate.flow.guards.registry import SelectedGuards
from sluicegate.flow.guards.round import MOST_RETRIES, Round

__all__ = ["MOST_RETRIES", "evaluate"]


def evaluate(selected: SelectedGuards, context: GuardContext) -> GuardOutcome:
    """Ask the guards (steps 1 to 6).

    With ``context.denial`` set the operation is denied already, and stays so.
    """
    round_ = Round(context)
    waiting = list(selected.guards)
    # 5.
    for last in (False, True):
        while True:
            now = [each for each in waiting if last or each.guard.timing is not Timing.ALWAYS]
            if not now:
                break
            for registered in now:
                round_.ask(registered)  # 1. and 2.
            numbers = {each.number for each in round_.asked}
            waiting = [each for each in waiting if each.number not in numbers]
            if round_.changed:  # 3.
                known = numbers | {each.number for each in waiting}
                further = selected.also(round_.now.operation, round_.now.taints)
                waiting += [each for each in further if each.number not in known]
        # 4.
        for registered in tuple(round_.asked):
            round_.review(registered)
    # 6.
    return round_.outcome()
