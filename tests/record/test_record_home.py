"""Where the keys live: never in the workspace."""

from pathlib import Path

import pytest

from sluicegate.record.errors import HomeError
from sluicegate.record.home import Home


def test_the_variable_names_all_three_places(tmp_path):
    home = Home.find({"SLUICEGATE_KEYS_HOME": str(tmp_path)}, workspace=None)
    assert home == Home(
        keys=tmp_path / "keys",
        trust=tmp_path / "trust.toml",
        ledgers=tmp_path / "ledgers",
        sessions=tmp_path / "sessions",
        reviews=tmp_path / "reviews",
    )


def test_without_the_variable_the_directories_of_the_user_are_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    home = Home.find({}, workspace=None)
    for path in (home.keys, home.trust, home.ledgers):
        assert path.is_relative_to(tmp_path)
        assert "sluicegate" in path.parts


def test_a_relative_home_is_refused():
    with pytest.raises(HomeError, match="absolute"):
        Home.find({"SLUICEGATE_KEYS_HOME": "keys"}, workspace=None)


@pytest.mark.parametrize("inside", ["keys", ".", "a/b", "a/../keys"])
def test_a_home_in_the_workspace_is_refused(tmp_path, inside):
    with pytest.raises(HomeError, match="inside the workspace"):
        Home.find({"SLUICEGATE_KEYS_HOME": str(tmp_path / inside)}, workspace=tmp_path)


def test_a_home_that_a_link_leads_into_the_workspace_is_refused(tmp_path):
    workspace = tmp_path / "workspace"
    (workspace / "hidden").mkdir(parents=True)
    (tmp_path / "home").symlink_to(workspace / "hidden")
    with pytest.raises(HomeError, match="inside the workspace"):
        Home.at(tmp_path / "home", workspace=workspace)


def test_one_place_in_the_workspace_is_enough(tmp_path):
    workspace = tmp_path / "workspace"
    (tmp_path / "home").mkdir()
    workspace.mkdir()
    (tmp_path / "home" / "ledgers").symlink_to(workspace)
    with pytest.raises(HomeError, match="inside the workspace"):
        Home.at(tmp_path / "home", workspace=workspace)


def test_a_workspace_reached_through_a_link_is_the_same(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(HomeError):
        Home.at(tmp_path / "real" / "home", workspace=tmp_path / "link")


def test_a_home_beside_the_workspace_is_fine(tmp_path):
    home = Home.at(tmp_path / "workspace-keys", workspace=tmp_path / "workspace")
    assert home.keys == Path(tmp_path / "workspace-keys/keys")
