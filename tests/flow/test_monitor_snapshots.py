"""What is done is what was judged, whoever changes the arguments meanwhile."""

import pytest
from monitor_samples import bench, guard, registry

from sluicegate.flow import Allow, Permit
from sluicegate.flow.errors import FlowError

POLICY = {"arguments": {name: {"p.amount": {"max": 100}} for name in ("bank:pay", "pay")}}


@pytest.fixture
def changing(tmp_path):
    """A monitor whose guard lets an argument be changed while it looks, and the argument."""
    box = {"amount": 5, "deep": [{"x": 1}]}

    def looks(context) -> bool:
        box["amount"] = 5000
        box["deep"][0]["x"] = 2
        return True

    watching = [guard(f"op:{kind}", Allow(), when=looks, name=f"slow-{kind}") for kind in ("mcp", "call")]
    return bench(tmp_path, POLICY, guards=registry(*watching)).monitor, box


@pytest.mark.parametrize("session", ["", "chat"])
def test_a_permit_is_for_what_was_judged(changing, session):
    monitor, box = changing
    found = monitor.decide("bank:pay", {"p": box}, monitor.session(session) if session else None)
    assert isinstance(found, Permit)
    assert found.values == {"p": {"amount": 5, "deep": [{"x": 1}]}}
    monitor.settle(found, "done")


def test_an_effect_outside_is_given_what_was_judged(changing):
    monitor, box = changing
    given = []
    monitor.external("bank:pay", {"p": box}, lambda p: given.append(p))
    assert given == [{"amount": 5, "deep": [{"x": 1}]}]


def test_a_function_is_not_called_with_what_nobody_judged(changing):
    monitor, box = changing
    given = []

    @monitor.operation
    def pay(p):
        given.append(p)

    with pytest.raises(FlowError, match="was changed while it was decided on"):
        pay(box)
    assert given == []
