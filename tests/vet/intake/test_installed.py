"""What is installed for the agents of a machine: every place, each thing read once, nothing passed over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluicegate.known.agents import Holds, Level, places
from sluicegate.vet.errors import NothingToInspect
from sluicegate.vet.intake.installed import Installed, Looked, PlaceState, open_installed, project_of
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.units import read_unit
from sluicegate.vet.verdict.types import GapReason

SKILL = "---\nname: notes\ndescription: Keeps notes.\n---\nWrite the note down.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


def _skill(folder: Path, text: str = SKILL) -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text)
    return folder


def _open(home: Path | None, project: Path, **environ: str) -> Installed:
    return open_installed(home, project, environ, Limits())


def _roots(found: Installed) -> list[str]:
    return [unit.root for unit in found.source.units().units]


def _at(found: Installed, path: str) -> Looked:
    return next(looked for looked in found.looked if looked.path == path)


def _texts(found: Installed) -> dict[str, bytes]:
    bundles = [read_unit(unit, Limits(), ()) for unit in found.source.units().units]
    return {f"{b.root}/{a.path}": a.data for b in bundles for a in b.artifacts}


def test_skills_of_the_user_and_of_the_project(home: Path, project: Path) -> None:
    _skill(home / ".claude/skills/notes")
    _skill(project / ".agents/skills/other")
    with (found := _open(home, project)).source:
        assert _roots(found) == ["./.agents/skills/other", "~/.claude/skills/notes"]
    assert _at(found, "~/.claude/skills").state is PlaceState.READ
    assert _at(found, "~/.cursor/skills").state is PlaceState.ABSENT


def test_a_folder_that_agents_share_is_one_place(home: Path, project: Path) -> None:
    _skill(project / ".agents/skills/other")
    with (found := _open(home, project)).source:
        shared = _at(found, "./.agents/skills")
    assert {
        "Codex",
        "Cline",
        "Zed",
        "Pi",
        "Cursor",
        "Gemini CLI",
        "GitHub Copilot",
        "OpenCode",
        "Amp",
    } <= set(shared.agents)
    assert shared.units == 1


def test_a_link_to_a_skill_that_stands_elsewhere_is_counted_and_read_once(home: Path, project: Path) -> None:
    real = _skill(home / ".agents/skills/notes")
    (home / ".claude/skills").mkdir(parents=True)
    (home / ".claude/skills/notes").symlink_to(real)
    with (found := _open(home, project)).source:
        assert _roots(found) == ["~/.agents/skills/notes"]
    assert _at(found, "~/.claude/skills").linked == 1


def test_a_link_to_a_skill_outside_of_every_place_is_followed(
    home: Path, project: Path, tmp_path: Path
) -> None:
    _skill(tmp_path / "kept/notes")
    (home / ".claude/skills").mkdir(parents=True)
    (home / ".claude/skills/notes").symlink_to(tmp_path / "kept/notes")
    with (found := _open(home, project)).source:
        assert _texts(found) == {"~/.claude/skills/notes/SKILL.md": SKILL.encode()}


def test_a_link_that_leads_to_no_skill_stays_a_gap(home: Path, project: Path, tmp_path: Path) -> None:
    (home / ".claude/skills").mkdir(parents=True)
    (home / ".claude/skills/gone").symlink_to(tmp_path / "gone")
    with (found := _open(home, project)).source:
        (unit,) = found.source.units().units
        (gap,) = read_unit(unit, Limits(), ()).gaps
    assert gap.reason is GapReason.LINK


def test_settings_of_one_agent_are_one_unit(home: Path, project: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text('{"hooks": {}}')
    (home / ".claude.json").write_text('{"mcpServers": {}}')
    (project / ".mcp.json").write_text("{}")
    with (found := _open(home, project)).source:
        assert _texts(found) == {
            "~/.claude/settings.json": b'{"hooks": {}}',
            "~/.claude.json": b'{"mcpServers": {}}',
            "./.mcp.json": b"{}",
        }
        assert {unit.name for unit in found.source.units().units} == {"Claude Code settings"}


def test_settings_that_are_too_large_leave_a_gap(home: Path, project: Path) -> None:
    (home / ".claude.json").write_text('{"a": "' + "x" * 200 + '"}')
    with open_installed(home, project, {}, Limits(file_bytes=100)).source as source:
        (unit,) = source.units().units
        bundle = read_unit(unit, Limits(file_bytes=100), ())
    assert [gap.reason for gap in bundle.gaps] == [GapReason.TOO_LARGE]


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_what_is_no_settings_file_is_a_gap_and_never_waited_for(home: Path, project: Path, kind: str) -> None:
    make = os.mkfifo if kind == "fifo" else os.mkdir
    make(home / ".claude.json")
    with (found := _open(home, project)).source:
        (unit,) = found.source.units().units
        assert [gap.reason for gap in read_unit(unit, Limits(), ()).gaps] == [GapReason.UNREADABLE]
    assert _at(found, "~/.claude.json").state is PlaceState.UNREADABLE


def test_a_plugin_without_a_manifest_is_read_all_the_same(home: Path, project: Path) -> None:
    plugin = home / ".config/opencode/plugin/hello.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("export default 1\n")
    with (found := _open(home, project)).source:
        assert _texts(found) == {"~/.config/opencode/plugin/hello.js": b"export default 1\n"}


def test_a_variable_puts_a_folder_elsewhere(home: Path, project: Path, tmp_path: Path) -> None:
    _skill(tmp_path / "moved/skills/notes")
    _skill(home / ".claude/skills/unread")
    with (found := _open(home, project, CLAUDE_CONFIG_DIR=str(tmp_path / "moved"))).source:
        assert _roots(found) == [f"{tmp_path}/moved/skills/notes"]


def test_nothing_installed_is_an_error(home: Path, project: Path) -> None:
    with pytest.raises(NothingToInspect, match=r"nothing is installed for any agent: \d+ places"):
        _open(home, project)


def test_without_a_home_directory_the_project_is_looked_at(project: Path) -> None:
    _skill(project / "skills/notes")
    with (found := _open(None, project)).source:
        assert _roots(found) == ["./skills/notes"]
    assert {looked.level for looked in found.looked} == {Level.PROJECT}


def test_a_project_that_is_the_home_directory_is_read_once(home: Path) -> None:
    _skill(home / ".claude/skills/notes")
    with (found := _open(home, home)).source:
        assert _roots(found) == ["~/.claude/skills/notes"]


def test_the_project_is_the_nearest_repository(project: Path, tmp_path: Path) -> None:
    (project / "deep/er").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    assert project_of(project / "deep/er") == project.resolve()
    assert project_of(tmp_path / "plain") == (tmp_path / "plain").resolve()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(chosen=st.sets(st.sampled_from(places()), min_size=1, max_size=6))
def test_whatever_stands_at_a_place_is_read(tmp_path_factory: pytest.TempPathFactory, chosen: set) -> None:
    base = tmp_path_factory.mktemp("machine")
    wanted = set()
    for number, place in enumerate(sorted(chosen, key=str)):
        root = base / ("home" if place.level is Level.USER else "project") / place.path
        if place.holds is Holds.SETTINGS:
            root.parent.mkdir(parents=True, exist_ok=True)
        elif place.holds is Holds.COMMANDS or place.holds is Holds.PLUGINS:
            root.mkdir(parents=True, exist_ok=True)
            root /= "one.md"
        else:
            root /= f"skill{number}/SKILL.md"
            root.parent.mkdir(parents=True, exist_ok=True)
        root.write_text(f"text {number}\n")
        wanted.add(f"text {number}\n".encode())
    (base / "home").mkdir(exist_ok=True)
    (base / "project").mkdir(exist_ok=True)
    with (found := _open(base / "home", base / "project")).source:
        assert wanted <= set(_texts(found).values())
