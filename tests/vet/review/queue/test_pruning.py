"""What is taken out of the queue: what a later ruling replaced, and never what anything rests on."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from queue_machines import HARMFUL, Machine

from sluicegate.vet.review.queue.queue import State
from sluicegate.vet.verdict.types import Decision

DAY = 86_400


@pytest.fixture
def mira(tmp_path):
    return Machine(tmp_path / "mira", "mira")


def pruned(machine, *, days=1, open_items=False):
    def prune(queue):
        found = queue.prunable(machine.now // 10**9 - days * DAY, open_items=open_items)
        queue.prune(found)
        return len(found.items), len(found.rulings)

    return machine.do(prune)


def later(machine, days):
    machine.now += days * DAY * 10**9
    machine.today += timedelta(days=days)


def test_what_was_replaced_goes_and_what_counts_stays(mira):
    docket = mira.wait_for()
    for reason in ("one", "two", "three"):
        mira.rule(docket, reason=reason)
    assert pruned(mira) == (0, 2)
    assert mira.scan().skills[0].verdict.rulings.given[0].reason == "three"
    assert pruned(mira) == (0, 0)


def test_an_open_item_stays_unless_that_is_asked_for_and_is_queued_again(mira):
    docket = mira.wait_for()
    later(mira, 10)
    assert pruned(mira) == (0, 0)
    assert pruned(mira, days=11, open_items=True) == (0, 0), "it is not so old"
    assert pruned(mira, open_items=True) == (1, 0)
    assert mira.wait_for() == docket


def test_an_item_that_was_ruled_on_stays(mira):
    mira.rule(mira.wait_for())
    mira.rule(mira.wait_for(HARMFUL), approves=False)
    later(mira, 1000)
    assert pruned(mira, open_items=True) == (0, 0)
    assert {each.state for each in mira.do(lambda queue: queue.items())} == {State.APPROVED, State.REJECTED}


def test_a_ruling_that_ended_stays_so_that_an_older_one_from_elsewhere_does_not_count(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    noor.trusts(mira)
    mira.rule(mira.wait_for(), reason="for ever")
    mira.sends(noor)
    mira.rule(mira.do(lambda queue: queue.items())[0].item.docket, expires=date(2026, 11, 24))
    later(mira, 400)
    assert pruned(mira) == (0, 1)
    assert mira.scan().decision is Decision.CAUTION
    mira.trusts(noor)
    noor.now = mira.now
    brought = noor.sends(mira)
    assert brought.rulings == 1, "the one that was taken out"
    assert mira.scan().decision is Decision.CAUTION, "and the newest of that person has ended"


def test_a_rejection_that_holds_stays_for_the_key_of_the_later_ruling_may_be_revoked(mira):
    docket = mira.wait_for()
    mira.rule(docket, approves=False)
    mira.rule(docket)
    assert pruned(mira) == (0, 0)
    assert mira.scan().decision is Decision.SAFE


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.booleans(), st.none() | st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=6
    ),
    st.integers(0, 12),
)
def test_no_decision_of_any_day_becomes_milder_or_other_by_it(tmp_path_factory, rulings, after):
    mira = Machine(tmp_path_factory.mktemp("mira"), "mira")
    docket = mira.wait_for()
    for approves, days, wait in rulings:
        expires = None if days is None else mira.today + timedelta(days=days)
        mira.rule(docket, approves=approves, expires=expires)
        later(mira, wait)
    later(mira, after)
    days = [mira.today + timedelta(days=ahead) for ahead in (-9, -3, 0, 1, 4, 9)]
    before = [decided_on(mira, day) for day in days]
    pruned(mira)
    assert [decided_on(mira, day) for day in days] == before


def decided_on(machine, day):
    """What the item comes to on a day."""
    today, machine.today = machine.today, day
    (found,) = machine.do(lambda queue: queue.items())
    machine.today = today
    return found.decision
