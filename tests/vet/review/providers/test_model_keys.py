"""Keys are read where they are kept, at the moment of use, and shown nowhere."""

import copy
import pickle
from pathlib import Path

import pytest

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.keys import fetch

KEY = "sk-0123456789"


def test_from_the_environment() -> None:
    assert fetch("env:MY_KEY", {"MY_KEY": KEY}).unseal() == KEY


def test_from_a_file_that_nobody_else_may_read(tmp_path: Path) -> None:
    place = tmp_path / "key"
    place.write_text(f"{KEY}\nnotes\n")
    place.chmod(0o600)
    assert fetch(f"file:{place}").unseal() == KEY
    place.chmod(0o644)
    with pytest.raises(ConfigError, match="others"):
        fetch(f"file:{place}")
    with pytest.raises(ConfigError, match="no key from"):
        fetch(f"file:{tmp_path / 'none'}")


def test_from_a_command_that_no_shell_reads() -> None:
    path = {"PATH": "/usr/bin:/bin"}
    assert fetch(f"command:printf %s {KEY}", path).unseal() == KEY
    assert fetch("command:printf '%s' '$(id)'", path).unseal() == "$(id)"
    with pytest.raises(ConfigError, match="exit code 1"):
        fetch("command:false", path)
    with pytest.raises(ConfigError, match="not installed"):
        fetch("command:no-such-store x", path)


@pytest.mark.parametrize(
    "address", [KEY, "", "env:", "http://x", f"command:printf '{KEY}", f"env:{KEY}", "op://a"]
)
def test_what_names_no_place_is_not_quoted(address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        fetch(address)
    assert KEY not in caught.value.diagnostics()


@pytest.mark.parametrize("value", ["a b\nc", "\x1b[0m", "kéy", " ", "x" * 20_000])
def test_what_is_no_key_is_refused_and_not_quoted(value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        fetch("env:MY_KEY", {"MY_KEY": value})
    assert value.strip() == "" or value not in caught.value.diagnostics()


def test_a_held_key_shows_and_moves_nothing() -> None:
    held = fetch(f"command:printf %s {KEY}", {"PATH": "/usr/bin:/bin"})
    assert KEY not in f"{held!r} {held} {held:>40}"
    for move in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            move(held)
