"""What one guard decides about one thing it is asked."""

from __future__ import annotations

from contextlib import ExitStack
from types import CoroutineType
from typing import Final, cast, get_args

from msgspec import Struct

from sluicegate.flow.guards.actions import Action, Allow
from sluicegate.flow.guards.context import GuardContext
from sluicegate.flow.guards.model import Guard, GuardRule
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values import Labeled, branch, labels_of

_ACTIONS: Final = get_args(Action)
_ALLOW: Final = Allow()


class GuardDecision(Struct, frozen=True):
    """The action of the rule that held; ``labels`` are those of the conditions that were asked until then."""

    action: Action
    rule: int
    labels: Labels


class Undecided(Struct, frozen=True):
    """A rule could not be asked; ``why`` names the rule and what went wrong, without any value."""

    why: str
    rule: int
    labels: Labels


def decide(guard: Guard, context: GuardContext) -> GuardDecision | Undecided:
    """Ask the rules in order; the first whose condition holds decides, and none allows.

    1. Each condition is asked inside the branches of those before it, and the action is found inside all of
       them: that a rule is reached, and what it makes, depends on the conditions that did not hold.
    2. A condition or an action that raises, or gives something that is none, leaves the guard undecided.
    """
    labels, number = EMPTY, 0
    with ExitStack() as branches:
        try:
            for number, rule in enumerate(guard.rules, start=1):
                # 1.
                answer = True if rule.when is None else rule.when(context)
                labels |= labels_of(answer) | context.tools.told
                branches.enter_context(branch(labels))
                if _truth(answer):
                    action = _action(rule, context)
                    return GuardDecision(action=action, rule=number, labels=labels | context.tools.told)
        # 2.
        except (Exception, SystemExit, BaseExceptionGroup) as error:  # noqa: BLE001 - the border: a guard that fails must not let anything pass
            labels |= labels_of(error) | context.tools.told
            return Undecided(
                why=f"its rule {number} failed ({type(error).__name__})", rule=number, labels=labels
            )
    return GuardDecision(action=_ALLOW, rule=0, labels=labels)


def _truth(answer: object) -> bool:
    """A condition's answer, asked inside a branch on it. Raises ``TypeError`` if it is not a truth."""
    return bool(answer.map(_plain_truth)) if isinstance(answer, Labeled) else _plain_truth(answer)


def _plain_truth(answer: object) -> bool:
    """True or False and nothing else: a forgotten ``return`` or ``await`` must not pass for an answer."""
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, CoroutineType):
        answer.close()
    raise TypeError("a condition gives True or False")


def _action(rule: GuardRule, context: GuardContext) -> Action:
    action = rule.then(context) if callable(rule.then) else rule.then
    if isinstance(action, _ACTIONS):
        return cast("Action", action)
    raise TypeError("a rule gives an action")
