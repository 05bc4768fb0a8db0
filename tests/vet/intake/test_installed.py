"""What is installed for the agents of a machine: every place, each thing read once, nothing passed over."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluicegate.known.agents import Holds, Level, places
from sluicegate.vet.errors import NothingToInspect
from sluicegate.vet.intake.installed.machine import Installed, Looked, PlaceState, open_installed, project_of
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


def _plugin(folder: Path, **parts: object) -> Path:
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / ".claude-plugin/plugin.json").write_text(json.dumps({"name": folder.name, **parts}))
    (folder / "hooks").mkdir()
    (folder / "hooks/hooks.json").write_text("{}")
    _skill(folder / "skills/notes")
    return folder


def _registry(home: Path, *, installed: object, marketplaces: object = None) -> None:
    folder = home / ".claude/plugins"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "installed_plugins.json").write_text(json.dumps(installed))
    if marketplaces is not None:
        (folder / "known_marketplaces.json").write_text(json.dumps(marketplaces))


@pytest.mark.parametrize("many", [False, True])
def test_a_plugin_that_is_installed_anywhere_is_found(
    home: Path, project: Path, tmp_path: Path, many: bool
) -> None:
    plugin = _plugin(tmp_path / "elsewhere/helper")
    place = {"scope": "user", "installPath": str(plugin), "gitCommitSha": "0" * 40}
    entry = [place, {**place, "scope": "project"}] if many else place
    _registry(home, installed={"version": 2 if many else 1, "plugins": {"helper@market": entry}})
    with (found := _open(home, project)).source:
        assert set(_roots(found)) == {"~", str(plugin), f"{plugin}/skills/notes"}
        assert "hooks/hooks.json" in {path.removeprefix(f"{plugin}/") for path in _texts(found)}
    assert _at(found, str(plugin)) == Looked(
        agents=("Claude Code",),
        level=Level.USER,
        holds=Holds.PLUGINS,
        path=str(plugin),
        state=PlaceState.READ,
        units=2,
    )
    assert _at(found, "~/.claude/plugins/installed_plugins.json").state is PlaceState.READ


def test_a_plugin_in_the_cache_is_read_once_and_one_that_is_gone_is_said(home: Path, project: Path) -> None:
    inside = _plugin(home / ".claude/plugins/cache/market/helper/1.0.0")
    gone = home / "gone"
    _registry(
        home,
        installed={
            "plugins": {"a@market": [{"installPath": str(inside)}], "b@market": [{"installPath": str(gone)}]}
        },
    )
    with (found := _open(home, project)).source:
        cache = "~/.claude/plugins/cache/market/helper/1.0.0"
        assert sorted(_roots(found)) == ["~", cache, f"{cache}/skills/notes"]
    assert _at(found, "~/gone").state is PlaceState.ABSENT


@pytest.mark.parametrize("uses", [False, True])
def test_the_list_of_a_marketplace_is_read_where_something_is_installed_from_it(
    home: Path, project: Path, uses: bool
) -> None:
    market = home / ".claude/plugins/marketplaces/market"
    _plugin(market / "plugins/offered")
    (market / ".claude-plugin").mkdir()
    (market / ".claude-plugin/marketplace.json").write_text('{"name": "market", "plugins": []}')
    inside = _plugin(home / ".claude/plugins/cache/market/helper")
    name = "helper@market" if uses else "helper@other"
    _registry(
        home,
        installed={"plugins": {name: [{"installPath": str(inside)}]}},
        marketplaces={"market": {"source": {"source": "github"}, "installLocation": str(market)}},
    )
    with (found := _open(home, project)).source:
        texts = _texts(found)
    listed = "~/.claude/plugins/marketplaces/market/.claude-plugin/marketplace.json"
    assert (listed in texts) is uses
    assert not any("offered" in path for path in texts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"plugins": []}',
        '{"plugins": {"a": {"version": "1"}}}',
        '{"plugins": {"a": ["/x"]}}',
        '{"plugins": {"a": {"installPath": "/half\\ud800"}}}',
        "[" * 10_000,
        json.dumps({"plugins": {f"p{n}": {"installPath": "/x"} for n in range(2_001)}}),
    ],
)
def test_a_registry_that_nobody_understands_is_a_gap(home: Path, project: Path, text: str) -> None:
    (home / ".claude/plugins").mkdir(parents=True)
    (home / ".claude/plugins/installed_plugins.json").write_text(text)
    with (found := _open(home, project)).source:
        gaps = [gap for unit in found.source.units().units for gap in read_unit(unit, Limits(), ()).gaps]
    assert any("what is installed is not known" in gap.detail for gap in gaps)


def test_a_plugin_that_lies_in_the_projects_own_marketplace_is_found(home: Path, project: Path) -> None:
    _plugin(project / "kept/helper")
    (project / ".agents/plugins").mkdir(parents=True)
    source = {"source": "local", "path": "./kept/helper"}
    content = {"plugins": [{"name": "helper", "source": source}, {"name": "other", "source": {"url": "x"}}]}
    (project / ".agents/plugins/marketplace.json").write_text(json.dumps(content))
    with (found := _open(home, project)).source:
        assert "./kept/helper" in _roots(found)


@pytest.mark.parametrize("path", ["../outside", "/", "~/x/../../.."])
def test_a_project_names_no_folder_outside_of_it(
    home: Path, project: Path, tmp_path: Path, path: str
) -> None:
    _plugin(tmp_path / "outside")
    (project / ".agents/plugins").mkdir(parents=True)
    content = {"plugins": [{"name": "helper", "source": path if path == "/" else f"./{path}"}]}
    (project / ".agents/plugins/marketplace.json").write_text(json.dumps(content))
    with (found := _open(home, project)).source:
        gaps = [gap for unit in found.source.units().units for gap in read_unit(unit, Limits(), ()).gaps]
        assert not any("outside" in root for root in _roots(found))
    assert any("stands outside of the project" in gap.detail for gap in gaps)


@pytest.mark.parametrize("link", [False, True])
def test_an_extension_that_is_linked_is_read_where_it_stands(
    home: Path, project: Path, tmp_path: Path, link: bool
) -> None:
    real = tmp_path / "work/helper"
    real.mkdir(parents=True)
    (real / "gemini-extension.json").write_text('{"name": "helper"}')
    place = home / ".gemini/extensions"
    other = place / "other"
    other.mkdir(parents=True)
    (other / "gemini-extension.json").write_text('{"name": "other"}')
    if link:
        (place / "helper").symlink_to(real)
    else:
        (place / "helper").mkdir()
        (place / "helper/.gemini-extension-install.json").write_text(
            json.dumps({"source": str(real), "type": "link"})
        )
    with (found := _open(home, project)).source:
        assert b'{"name": "helper"}' in _texts(found).values()
        assert b'{"name": "other"}' in _texts(found).values()


def test_a_plugin_that_two_agents_have_is_one_place_that_they_share(home: Path, project: Path) -> None:
    real = _plugin(home / "work/helper")
    (home / ".gemini/extensions").mkdir(parents=True)
    (home / ".gemini/extensions/helper").symlink_to(real)
    _registry(home, installed={"plugins": {"helper@market": {"installPath": str(real)}}})
    with (found := _open(home, project)).source:
        assert sorted(_roots(found)) == ["~", "~/work/helper", "~/work/helper/skills/notes"]
    assert _at(found, "~/work/helper").agents == ("Claude Code", "Gemini CLI")


def test_a_folder_of_links_alone_leaves_no_gap(home: Path, project: Path, tmp_path: Path) -> None:
    _plugin(tmp_path / "work/helper")
    (home / ".cursor/plugins").mkdir(parents=True)
    (home / ".cursor/plugins/helper").symlink_to(tmp_path / "work/helper")
    with (found := _open(home, project)).source:
        units = found.source.units().units
        assert [gap for unit in units for gap in read_unit(unit, Limits(), ()).gaps] == []
        assert "~/.cursor/plugins/helper" in _roots(found)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(chosen=st.sets(st.sampled_from(places()), min_size=1, max_size=6))
def test_whatever_stands_at_a_place_is_read(tmp_path_factory: pytest.TempPathFactory, chosen: set) -> None:
    base = tmp_path_factory.mktemp("machine")
    wanted = set()
    for number, place in enumerate(sorted(chosen, key=str)):
        root = base / ("home" if place.level is Level.USER else "project") / place.path
        if place.holds in (Holds.SETTINGS, Holds.REGISTRY):
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


@pytest.mark.parametrize("folder", ["/", "{home}", "{home}/..", "/usr", "/sys/kernel", "//"])
@pytest.mark.parametrize("by", ["registry", "link", "skill"])
def test_a_folder_that_holds_far_more_than_a_plugin_is_not_read_as_one(
    home: Path, project: Path, folder: str, by: str
) -> None:
    target = folder.format(home=home)
    (home / "SKILL.md").write_text(SKILL)
    plugins = home / ".claude/plugins"
    plugins.mkdir(parents=True)
    if by == "registry":
        entry = {"plugins": {"a@b": [{"installPath": target}]}}
        (plugins / "installed_plugins.json").write_text(json.dumps(entry))
    elif by == "link":
        (home / ".claude/plugins/cache").mkdir()
        (home / ".claude/plugins/cache/a").symlink_to(target)
    else:
        _skill(home / ".claude/skills/notes")
        (home / ".claude/skills/all").symlink_to(target)
    with (found := _open(home, project)).source:
        texts = _texts(found)
        gaps = [gap for unit in found.source.units().units for gap in read_unit(unit, Limits(), ()).gaps]
    assert not any(path.endswith("/SKILL.md") and "notes" not in path for path in texts), list(texts)[:5]
    assert by != "registry" or any("far more than a plugin" in gap.detail for gap in gaps)
    assert gaps
