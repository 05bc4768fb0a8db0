"""Our hooks get into the settings of a host and out again, and nothing else there changes."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.reach.cli.group import cli
from sluicegate.reach.hooks import run
from sluicegate.reach.hooks.commented_json import changed, plain
from sluicegate.reach.hooks.installing import (
    HOSTS,
    command_of,
    missing,
    read,
    with_hooks,
    without_hooks,
)

PYTHON = "/opt/a b/python"
IN_SETTINGS = [host for host, about in HOSTS.items() if not about.own]
PLUGINS = [host for host, about in HOSTS.items() if about.own]
ENTRY = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["echo", "./mine hook claude", "x"])}
)
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(ENTRY, min_size=1, max_size=2)}, optional={"matcher": st.just("Bash")}
)
EVENTS = st.sampled_from(["PreToolUse", "BeforeTool", "Stop", "SessionStart"])
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.text(max_size=3),
        "hooks": st.dictionaries(EVENTS, st.lists(GROUP, min_size=1, max_size=2), min_size=1),
    },
)


@given(settings=SETTINGS, host=st.sampled_from(IN_SETTINGS))
def test_what_was_put_in_comes_out_again(settings, host):
    command = command_of(PYTHON, host)
    installed = with_hooks(settings, host, command)
    assert without_hooks(installed) == {**HOSTS[host].root, **settings}
    assert with_hooks(installed, host, command) == installed
    assert missing(installed, host, command) == []
    assert set(missing(settings, host, command)) == {*HOSTS[host].matched, *HOSTS[host].events}
    for event, groups in settings.get("hooks", {}).items():
        assert installed["hooks"][event][: len(groups)] == groups


def test_what_answers_is_what_can_be_installed():
    assert tuple(HOSTS) == run.HOSTS


def test_entries_of_an_older_installation_are_written_anew():
    old = with_hooks({}, "claude", "/old/venv/bin/sluicegate hook claude")
    assert missing(old, "claude", command_of(PYTHON, "claude"))
    assert with_hooks(old, "claude", command_of(PYTHON, "claude")) == with_hooks(
        {}, "claude", command_of(PYTHON, "claude")
    )


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "// comment", "{/* \n}", "[" * 100_000, "\udcff"],
)
def test_what_has_another_form_is_left_as_it_is(tmp_path, text):
    file = tmp_path / "settings.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Exception, match=r"settings\.json") as wrong:
        read(file)
    assert "left as it is" in wrong.value.hint
    assert file.read_bytes() == text.encode("utf-8", "surrogateescape")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place, work = tmp_path / "home", tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    place.mkdir(mode=0o700)
    for name in ("SLUICEGATE_KEYS_HOME", "SLUICEGATE_POLICY", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.chdir(work)
    return place


def command(*words: str, typed: str | None = None):
    return CliRunner().invoke(cli, ["hook", *words], input=typed)


@pytest.mark.parametrize("host", IN_SETTINGS)
def test_install_writes_and_tries_status_says_so_and_remove_takes_it_away(home, host):
    about = HOSTS[host]
    file = home / about.user
    file.parent.mkdir(parents=True)
    mine = {**about.root, "model": "x", "permissions": {"deny": ["Read(~/.ssh/**)"]}}
    text = json.dumps(mine, indent=4) + "\n"
    file.write_text(text)
    file.chmod(0o640)
    done = command("install", host, "--yes")
    assert done.exit_code == 0, done.output
    assert "it works" in done.output and about.cannot in done.output
    assert file.stat().st_mode & 0o777 == 0o640
    found = json.loads(file.read_text())
    assert found["model"] == "x"
    assert set(about.net) <= set(found["permissions"]["deny"])
    assert not about.net_file or (home / about.net_file).exists()
    assert "nothing to change" in command("install", host, "--yes").output
    assert f"{host}: {file}\n" in command("status").output
    assert command("remove", host, "--yes").exit_code == 0
    assert file.read_text() == text, "a rule of the user's that is also one of ours stays"
    assert not about.net_file or not (home / about.net_file).exists()
    assert f"{host}: not installed" in command("status").output


@pytest.mark.parametrize("host", PLUGINS)
def test_a_plugin_is_written_tried_and_taken_away(home, host):
    path = home / HOSTS[host].user
    done = command("install", host, "--yes")
    assert done.exit_code == 0, done.output
    assert "it works" in done.output and HOSTS[host].cannot in done.output
    script = path if path.is_file() else path / "index.js"
    assert json.dumps(sys.executable) in script.read_text()
    assert "nothing to change" in command("install", host, "--yes").output
    script.write_text("// changed\n")
    found = command("status")
    assert found.exit_code == 1 and "not as it would be written now" in found.output
    assert command("remove", host, "--yes").exit_code == 0
    assert not path.exists()


def test_what_held_nothing_else_is_gone_afterwards(home):
    assert command("install", "copilot", "--yes").exit_code == 0
    assert command("remove", "copilot", "--yes").exit_code == 0
    assert not (home / HOSTS["copilot"].user).exists()


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "cursor"])
def test_a_file_that_was_not_there_before_is_gone_afterwards_and_one_that_was_is_not(home, host):
    file = home / HOSTS[host].user
    assert command("install", host, "--yes").exit_code == 0
    assert command("remove", host, "--yes").exit_code == 0
    assert not file.exists()
    file.write_text("{}\n")
    assert command("install", host, "--yes").exit_code == 0
    assert command("remove", host, "--yes").exit_code == 0
    assert json.loads(file.read_text()) == HOSTS[host].root


COMMENTED = """{
  // what I use
  "model": "x", /* why: it, "is" // good */
  "list": [1, 2, // two
    3,],
  "url": "https://x.example//y", // a comma,
}
"""


def test_comments_stay_where_they_are(home):
    file = home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text(COMMENTED)
    done = command("install", "gemini", "--yes")
    assert done.exit_code == 0, done.output
    assert file.read_text().startswith(COMMENTED.rstrip("}\n"))
    assert set(read(file)[1]) == {"model", "list", "url", "hooks"}
    assert "nothing to change" in command("install", "gemini", "--yes").output
    assert command("remove", "gemini", "--yes").exit_code == 0
    assert read(file)[1] == {"model": "x", "list": [1, 2, 3], "url": "https://x.example//y"}
    for comment in ("// what I use", '/* why: it, "is" // good */', "// two", "// a comma,"):
        assert comment in file.read_text()


def test_what_would_lose_a_comment_is_said_to_be_written_by_hand(home):
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"hooks": {/* mine */ "Stop": []}}')
    done = command("install", "claude", "--yes")
    assert done.exit_code != 0
    assert "comment inside" in str(done.exception) and '"PreToolUse"' in done.exception.hint
    assert file.read_text() == '{"hooks": {/* mine */ "Stop": []}}'


PLAIN = st.dictionaries(
    st.sampled_from(["a", "b", "hooks", "x,y"]), st.sampled_from([1, "//", "/* , */ }", [], {"k": [1, {}]}])
)
GAP = st.sampled_from(["", " ", "\n  ", " /* c, } */ ", " // , c\n", "\n// { c\n\t"])


@given(before=PLAIN, after=PLAIN, gaps=st.lists(GAP, min_size=20, max_size=20), comma=st.booleans())
def test_whatever_is_changed_the_rest_stays(before, after, gaps, comma):
    gap = iter(gaps).__next__
    inner = ",".join(
        f"{gap()}{json.dumps(name)}{gap()}:{gap()}{json.dumps(value)}{gap()}"
        for name, value in before.items()
    )
    text = f"{gap()}{{{inner}{',' if comma and before else ''}{gap()}}}{gap()}"
    assert json.loads(plain(text)) == before
    then = changed(text, before, after)
    assert json.loads(plain(then)) == after
    assert json.loads(plain(changed(then, after, before))) == before
    if before == after:
        assert then == text


def test_a_hook_that_does_not_work_is_said(home, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    done = command("install", "claude", "--yes")
    assert done.exit_code != 0
    assert "does not work" in str(done.exception)
    found = command("status")
    assert found.exit_code == 1
    assert "does not work" in found.output


def test_nothing_is_written_that_nobody_agreed_to(home):
    done = command("install", "claude")
    assert done.exit_code != 0
    assert "+" in done.output
    assert not (home / ".claude/settings.json").exists()


def test_a_project_has_its_own_file(home):
    assert command("install", "claude", "--project", "--yes").exit_code == 0
    assert Path(".claude/settings.json").exists()
    assert not (home / ".claude").exists()


def test_a_link_stays_one(home, tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(real)
    assert command("install", "claude", "--yes").exit_code == 0
    assert (home / ".claude/settings.json").is_symlink()
    assert "hooks" in json.loads(real.read_text())


def test_what_is_tried_lies_nowhere_among_the_calls_of_the_user(home, monkeypatch):
    keys = home / "keys-of-mine"
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(keys))
    assert command("install", "claude", "--yes").exit_code == 0
    assert not (keys / "sessions").exists()
