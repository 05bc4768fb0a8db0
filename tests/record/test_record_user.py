"""One directory of the user for settings, policies, keys and trust."""

import os
from pathlib import Path

import platformdirs
import pytest

from sluicegate.record import user
from sluicegate.record.errors import HomeError, NoHomeError
from sluicegate.record.home import Home
from sluicegate.record.user import (
    VARIABLE,
    config_directory,
    home_directory,
    state_directory,
    without_tilde,
)


def test_a_directory_that_is_named_is_taken(tmp_path):
    assert config_directory({VARIABLE: str(tmp_path)}) == tmp_path


def test_one_that_depends_on_where_one_stands_is_refused():
    with pytest.raises(HomeError, match=VARIABLE):
        config_directory({VARIABLE: "config"})


def test_keys_and_trust_lie_there_unless_they_have_a_place_of_their_own(tmp_path):
    found = Home.find({VARIABLE: str(tmp_path)}, workspace=None)
    assert (found.keys, found.trust) == (tmp_path / "keys", tmp_path / "trust.toml")
    apart = Home.find(
        {VARIABLE: str(tmp_path), "SLUICEGATE_KEYS_HOME": str(tmp_path / "apart")}, workspace=None
    )
    assert apart.keys == tmp_path / "apart" / "keys"


@pytest.mark.parametrize(
    "places",
    [
        {},
        {"XDG_CONFIG_HOME": "/elsewhere"},
        {"XDG_CONFIG_HOME": "relative"},
        {"XDG_CONFIG_HOME": ""},
        {"HOME": "/"},
        {"HOME": "/home/someone/"},
        {"ANDROID_DATA": "/data", "ANDROID_ROOT": "/system"},
        {"XDG_STATE_HOME": "/elsewhere"},
        {"XDG_STATE_HOME": "relative"},
        {"XDG_STATE_HOME": ""},
    ],
)
def test_the_directories_of_the_user_are_those_of_platformdirs(monkeypatch, places):
    for name in (VARIABLE, "XDG_CONFIG_HOME", "XDG_STATE_HOME", *user._ANDROID):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/someone")
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    assert config_directory(os.environ) == platformdirs.user_config_path("sluicegate")
    assert state_directory(os.environ, VARIABLE) == platformdirs.user_state_path("sluicegate")


def test_the_home_directory_is_told_or_what_is_missing(tmp_path, monkeypatch):
    assert home_directory({"HOME": str(tmp_path)}) == tmp_path
    with pytest.raises(HomeError, match="HOME"):
        home_directory({"HOME": "here"})
    with pytest.raises(NoHomeError, match="no home directory"):
        home_directory({"HOME": ""})
    with pytest.raises(NoHomeError, match="no such user"):
        without_tilde("~nobody-of-this-name/policy.toml")
    assert without_tilde("a/~b") == Path("a/~b")
    monkeypatch.setattr(Path, "expanduser", _no_account)
    with pytest.raises(NoHomeError, match="no home directory") as raised:
        home_directory({})
    assert raised.value.hint == "Set HOME to a directory of your own."


def _no_account(_):
    raise RuntimeError("Could not determine home directory.")
