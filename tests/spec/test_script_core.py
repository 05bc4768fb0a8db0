"""Scripts of the core language run as the reference model says, and what is seen of them does not depend on secrets."""

from contextlib import ExitStack
from itertools import chain

import pytest

from drt.flow import campaign, scripts
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.values import Labeled
from sluicegate.script.evaluate import control, faults
from sluicegate.script.evaluate.nodes import access, blocks, calls, conditions, loops, operators
from sluicegate.script.evaluate.outcome import Returned


def test_the_evaluator_is_the_model():
    """Cases that ``make verify`` does not run."""
    for number in range(100_000, 100_060):
        case = scripts.generate(number)
        assert scripts.broken(case) == [], scripts.written(case)


def unlabelled(outcome):
    return Labeled(outcome.value if isinstance(outcome, Returned) else None)


def uncaught(run, action, instead):
    with ExitStack() as stack:
        return action(control.Depends(stack, run.conditions))


WRONG = {
    "the value of a block has no labels of its branches": (control, "value_of", unlabelled),
    "names that a branch gives values to have no labels of it": (conditions, "bound_on", lambda *_: None),
    "names that a loop gives values to have no labels of it": (loops, "bound_on", lambda *_: None),
    "names of a block that returned have no labels of it": (control, "bound_on", lambda *_: None),
    "what a body can see besides does not count": (calls, "closure", lambda function: EMPTY),
    "a lookup has the labels of the part alone": (
        access,
        "indexed",
        lambda run, value, index: control.apply(run, access._looked_up, value, Labeled(0)),
    ),
    "a condition always holds": (conditions, "truth", lambda value: True),
    "an operator does not stop": (operators, "truth", lambda value: True),
    "an error in what follows a branch ends the script": (blocks, "following", uncaught),
    "arms for denials do not hear of values that failed": (faults, "tells_of_denial", lambda words: False),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_evaluator_that_is_wrong_is_found_out(what, monkeypatch):
    where, name, instead = WRONG[what]
    monkeypatch.setattr(where, name, instead)
    kept = (case for _, case in campaign.kept() if isinstance(case, scripts.ScriptCase))
    assert any(map(scripts.broken, chain(kept, map(scripts.generate, range(60)))))
