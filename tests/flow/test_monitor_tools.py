"""Calls take their place before anyone decides, so that counting them has no race."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.monitor.effects.tools import Scopes, Tools


def test_a_call_sees_the_places_before_its_own():
    tools = Tools()
    first, second = tools.reserve("a"), tools.reserve("b")
    assert tools.calls(first) == ()
    assert tools.calls(second) == ("a",)
    assert tools.calls() == ("a", "b")
    tools.release(first)
    assert tools.calls(second) == ()
    tools.release(second)
    third = tools.reserve("c")  # where the first stood
    tools.release(first)
    assert tools.calls() == ("c",) and tools.calls(third) == ()


def test_no_more_than_four_calls_pass_however_many_start_together():
    tools = Tools()
    passed = []
    start = threading.Barrier(16)

    def call():
        start.wait()
        place = tools.reserve("send")
        if len(tools.calls(place)) >= 4:
            tools.release(place)
        else:
            passed.append(place)

    threads = [threading.Thread(target=call) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 4
    assert len(tools.calls()) == 4


def test_a_scope_counts_anew_and_is_counted_outside():
    scopes = Scopes()
    scopes.current().reserve("before")
    with scopes.enter() as inner:
        scopes.current().reserve("inside")
        assert inner.calls() == ("inside",)
    assert scopes.current().calls() == ("before", "inside")


def test_a_place_given_back_is_given_back_everywhere():
    scopes = Scopes()
    with scopes.enter() as inner:
        place = scopes.current().reserve("x")
        scopes.current().release(place)
        assert inner.calls() == ()
    assert scopes.current().calls() == ()


names = st.frozensets(st.sampled_from("abcd"))
allowed = st.one_of(st.none(), names)


@given(st.lists(st.tuples(allowed, names), max_size=4), st.sampled_from("abcd"))
def test_an_inner_scope_is_never_wider(levels, name):
    scopes = Scopes()
    permitted = scopes.current().permits(name)

    def descend(rest, before):
        if not rest:
            return
        with scopes.enter(allowed=rest[0][0], denied=rest[0][1]) as scope:
            now = scope.permits(name)
            assert before or not now
            descend(rest[1:], now)
        assert scopes.current().permits(name) == before

    descend(levels, permitted)
