"""Keys are read where they are kept, at the moment of use, and shown nowhere."""

import copy
import json
import pickle
from pathlib import Path

import pytest

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.keys import fetch, fetch_here

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


@pytest.mark.parametrize("address", ["command:pass show x", "op://vault/item/field"])
def test_no_program_of_the_project_gives_a_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "below").mkdir()
    for name in ("pass", "op"):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n: >{tmp_path}/ran\necho {KEY}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path / "below")
    with pytest.raises(ConfigError, match="inside the project") as caught:
        fetch_here(address)
    assert "off PATH" in str(caught.value.hint) and not (tmp_path / "ran").exists()
    (tmp_path / ".git").rmdir()
    assert fetch_here(address).unseal() == KEY


@pytest.mark.parametrize("address", ["command:bin/key", "command:./key x", "file:key", "file:./key"])
def test_no_path_leads_to_a_key_from_the_current_folder(address: str) -> None:
    with pytest.raises(ConfigError, match="current folder"):
        fetch(address)


@pytest.mark.parametrize("value", ["sk-0123/456789", 'sk-"0123"'])
def test_what_quotes_a_key_is_shown_without_it(value: str) -> None:
    held = fetch("env:MY_KEY", {"MY_KEY": value})
    quoted = f"{value} {json.dumps(value)} {json.dumps(value).replace('/', chr(92) + '/')}"
    assert held.taken_from(quoted) == '[key] "[key]" "[key]"'


@pytest.mark.parametrize("word", ["ollama", "none", "x", "MALICIOUS", "injection_evidence"])
def test_a_word_that_a_local_server_is_given_takes_nothing_from_an_answer(word: str) -> None:
    said = f'{{"{word}": true}}'
    assert fetch("env:MY_KEY", {"MY_KEY": word}).taken_from(said) == said


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
