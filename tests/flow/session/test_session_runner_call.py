"""A call that its runner names is asked about once, and found again by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from monitor_samples import bench, guard, registry

from sluicegate.flow import Denial, Denied, Labels, Permit
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import AllowWith

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

POLICY = {
    "sources": {"src:mcp": "untrusted"},
    "defaults": {"rules": ["no-untrusted-destructive"]},
    "arguments": {"bank:pay": {"amount": {"max": 100}}},
}


def entries(monitor):
    """What the ledger tells by now."""
    monitor.parts.ledger.flush()
    return (monitor.parts.cwd / ".sluicegate/sec/audit.jsonl").read_text().splitlines()


@pytest.fixture
def monitor(tmp_path):
    return bench(tmp_path, POLICY, recorded=True).monitor


def test_who_asks_again_gets_the_same_permit(monitor):
    session = monitor.session("chat")
    first = monitor.decide("bank:pay", {"amount": 5}, session, call="toolu_1")
    again = monitor.decide("bank:pay", {"amount": 5}, session, call="toolu_1")
    assert isinstance(first, Permit)
    assert again == first
    assert len(session.calls) == 1


def test_who_asks_again_gets_the_same_denial_and_one_event(monitor):
    session = monitor.session("chat")
    first = monitor.decide("bank:pay", {"amount": 500}, session, call="toolu_1")
    told = len(entries(monitor))
    assert isinstance(first, Denial)
    assert monitor.decide("bank:pay", {"amount": 500}, session, call="toolu_1") == first
    assert len(entries(monitor)) == told


def test_something_else_under_the_name_is_refused(monitor):
    session = monitor.session("chat")
    monitor.decide("bank:pay", {"amount": 5}, session, call="toolu_1")
    for operation, values in (("bank:pay", {"amount": 6}), ("bank:ask", {"amount": 5}), ("bank:pay", {})):
        found = monitor.decide(operation, values, session, call="toolu_1")
        assert isinstance(found, Denial)
        assert found.code == "PERMIT_DENIED"
    found = monitor.decide("bank:pay", {"amount": 5}, session, labels=("destructive",), call="toolu_1")
    assert isinstance(found, Denial)


def test_a_call_settles_by_its_name_with_the_values_it_was_permitted(monitor):
    session = monitor.session("chat")
    monitor.decide("bank:pay", {"amount": 5}, session, call="toolu_1")
    assert session.permit_of("toolu_2", {"amount": 5}) is None
    other = session.permit_of("toolu_1", {"amount": 6})
    with pytest.raises(Denied) as refused:
        monitor.settle(other, "paid")
    assert refused.value.denial.rule == "permits are for one operation"
    assert monitor.settle(session.permit_of("toolu_1", {"amount": 5}), "paid").labels == Labels.of("src:mcp")
    with pytest.raises(Denied):
        monitor.settle(session.permit_of("toolu_1", {"amount": 5}), "paid")
    found = monitor.decide("bank:pay", {"amount": 5}, session, call="toolu_1")
    assert isinstance(found, Denial), "a call that was done is not permitted anew"


def test_a_permit_that_is_over_is_not_given_again(tmp_path):
    now = [1_000_000_000_000]
    monitor = bench(tmp_path, {**POLICY, "session": {"lifetime": 5}}, clock=lambda: now[0]).monitor
    session = monitor.session("chat")
    assert isinstance(monitor.decide("bank:pay", {"amount": 5}, session, call="a"), Permit)
    now[0] += 6_000_000_000
    session.look()
    assert isinstance(monitor.decide("bank:pay", {"amount": 5}, session, call="a"), Denial)


def test_what_guards_have_changed_is_not_said_again(tmp_path):
    less = guard("op:mcp", AllowWith(value=1))
    monitor = bench(tmp_path, POLICY, guards=registry(less)).monitor
    session = monitor.session("chat")
    first = monitor.decide("bank:pay", {"amount": 5}, session, call="a")
    assert isinstance(first, Permit)
    assert first.values == {"amount": 1}
    assert isinstance(monitor.decide("bank:pay", {"amount": 5}, session, call="a"), Denial)
    monitor.settle(session.permit_of("a", {"amount": 1}), "paid")


def test_a_session_that_is_begun_anew_knows_no_call(monitor):
    session = monitor.session("chat", owner="me")
    first = monitor.decide("bank:pay", {"amount": 5}, session, call="a")
    session.reset(owner="me")
    again = monitor.decide("bank:pay", {"amount": 5}, session, call="a")
    assert isinstance(again, Permit)
    assert again.number != first.number


def test_no_values_are_kept(tmp_path, monitor):
    session = monitor.session("chat")
    monitor.decide("bank:note", {"text": "CANARY-4711"}, session, call="a")
    monitor.decide("bank:pay", {"amount": 500, "text": "CANARY-4711"}, session, call="b")
    rows = session.store._opened().execute("SELECT asked, kept FROM call").fetchall()
    assert len(rows) == 2
    assert not any(b"CANARY" in part for row in rows for part in row)


@pytest.mark.parametrize("name", ["a\nb", "x" * 501])
def test_what_is_no_name_is_an_error(monitor, name):
    with pytest.raises(FlowError, match="name of a call"):
        monitor.decide("bank:pay", {"amount": 5}, monitor.session("chat"), call=name)
    with pytest.raises(FlowError, match="name of a call"):
        monitor.session("chat").permit_of(name, {})


def test_without_a_session_a_call_has_no_name(monitor):
    with pytest.raises(FlowError, match="session"):
        monitor.decide("bank:pay", {"amount": 5}, call="a")


STEPS = st.lists(
    st.tuples(st.sampled_from("ds"), st.sampled_from("ab"), st.sampled_from([1, 2, 500])), max_size=12
)


@given(steps=STEPS)
def test_each_name_permits_one_thing_and_settles_once(tmp_path_factory, steps):
    """Against a model: a name is bound by the first question, and is over with the first settlement."""
    monitor = bench(tmp_path_factory.mktemp("call"), POLICY).monitor
    session = monitor.session("chat")
    bound: dict[str, int] = {}
    done: set[str] = set()
    for what, name, amount in steps:
        if what == "d":
            found = monitor.decide("bank:pay", {"amount": amount}, session, call=name)
            first = bound.setdefault(name, amount)
            assert isinstance(found, Permit) == (first == amount <= 100 and name not in done)
        else:
            permit = session.permit_of(name, {"amount": amount})
            assert (permit is None) == (bound.get(name, 500) > 100)
            if permit is None:
                continue
            if bound[name] == amount and name not in done:
                monitor.settle(permit, "ok")
                done.add(name)
            else:
                with pytest.raises(Denied):
                    monitor.settle(permit, "ok")
