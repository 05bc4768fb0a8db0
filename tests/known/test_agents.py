"""The table of agents: what it says can be used as it stands."""

from __future__ import annotations

from itertools import permutations
from pathlib import PurePosixPath

from sluicegate.known.agents import AGENTS, MOVED, Holds, Level, places


def test_every_agent_has_a_name_of_its_own_and_a_place() -> None:
    assert len({agent.name for agent in AGENTS}) == len(AGENTS)
    assert {place.agent for place in places()} == {agent.name for agent in AGENTS}


def test_places_are_plain_relative_paths() -> None:
    for place in places():
        path = PurePosixPath(place.path)
        assert not path.is_absolute()
        assert ".." not in path.parts
        assert str(path) == place.path


def test_no_place_of_an_agent_stands_in_another() -> None:
    for one, other in permutations(places(), 2):
        if (one.agent, one.level) == (other.agent, other.level):
            assert one.path != other.path
            assert not one.path.startswith(other.path + "/")


def test_the_folder_that_a_variable_moves_is_one_of_some_agent() -> None:
    heads = {place.path.partition("/")[0] for place in places() if place.level is Level.USER}
    assert set(MOVED) <= heads


def test_every_kind_of_place_is_known_at_both_levels() -> None:
    assert {(place.level, place.holds) for place in places()} == {
        (level, h) for level in Level for h in Holds
    }
