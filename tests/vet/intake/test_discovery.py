"""Which skills a source holds."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake.discovery import Found, UnitPlan, discover


def plan(*paths: str, name: str = "source") -> UnitPlan:
    return discover([Found(path=path) for path in paths], name)


def roots(found: UnitPlan) -> list[str]:
    return [part.root for part in found.parts]


def test_a_skill_at_the_root_is_the_one_unit() -> None:
    found = plan("SKILL.md", "x/SKILL.md", "y")
    assert roots(found) == [""]
    assert found.unassigned == 0


def test_topmost_skills_are_units_and_the_rest_is_counted() -> None:
    found = plan("skills/b/skill.md", "skills/a/SKILL.md", "skills/a/deep/SKILL.md", "README.md", "src/x.py")
    assert roots(found) == ["skills/a", "skills/b"]
    assert found.unassigned == 2


def test_names_that_share_a_beginning() -> None:
    found = plan("a/SKILL.md", "a-b/SKILL.md", "a.c/x", "ab/x")
    assert roots(found) == ["a", "a-b"]
    assert found.unassigned == 2


def test_what_else_an_agent_loads_makes_a_unit_of_the_rest() -> None:
    for path in (
        "CLAUDE.md", "sub/AGENTS.md", ".cursorrules", ".cursor/rules/x.mdc",
        ".github/copilot-instructions.md",
        ".claude/settings.json", ".mcp.json", "commands/x.md", "hooks/hooks.json", ".codex/config.toml",
    ):  # fmt: skip
        found = plan(path, "src/x.py", "skills/a/SKILL.md")
        assert roots(found) == ["", "skills/a"], path
        assert found.parts[0].skip == ("skills/a",)
        assert found.unassigned == 0


def test_nothing_to_load() -> None:
    assert plan("README.md", "src/commands/x.md", ".github/workflows/ci.yml").parts == ()
    assert plan(".git/hooks/x", ".git/SKILL.md").parts == ()
    assert plan().parts == ()


@pytest.mark.parametrize("name", ["dependabot.yml", "CODEOWNERS", "PULL_REQUEST_TEMPLATE.md", "a/b/c.yml"])
def test_what_stands_in_the_folder_of_a_forge_is_no_agents(name: str) -> None:
    assert roots(plan(f".github/{name}", f"deep/.github/{name}", "skills/a/SKILL.md")) == ["skills/a"]


@pytest.mark.parametrize("path", ["hooks/any.json", "copilot/settings.json", "agents/x.md"])
def test_what_an_agent_loads_there_is_a_unit(path: str) -> None:
    assert roots(plan(f".github/{path}", "skills/a/SKILL.md")) == ["", "skills/a"]


def test_plugins_own_what_no_skill_owns() -> None:
    found = plan(
        ".claude-plugin/marketplace.json", "p/a/.claude-plugin/plugin.json", "p/a/skills/s/SKILL.md",
        "p/a/hooks/hooks.json",
        "p/b/.claude-plugin/plugin.json", "README.md",
    )  # fmt: skip
    assert roots(found) == ["", "p/a", "p/a/skills/s", "p/b"]
    assert found.parts[0].skip == ("p/a", "p/a/skills/s", "p/b")
    assert found.parts[1].skip == ("skills/s",)


def test_an_agents_own_folder_is_all_its_own() -> None:
    assert roots(plan("settings.json", name=".claude")) == [""]


def test_what_hides_a_skill_is_a_unit() -> None:
    found = discover(
        [
            Found(path="skills/a/SKILL.md"),
            Found(path="skills/b", link=True),
            Found(path="shut", blocked=True),
        ],
        "source",
    )
    assert roots(found) == ["shut", "skills/a", "skills/b"]
    assert roots(discover([Found(path="b", link=True)], "skills")) == ["b"]


_PATH = st.lists(
    st.sampled_from(
        ["a", "b", "c", "SKILL.md", "CLAUDE.md", ".claude-plugin", "plugin.json", ".github", "hooks"]
    ),
    min_size=1,
    max_size=5,
)


@given(st.lists(_PATH.map("/".join), unique=True, max_size=15), st.randoms(use_true_random=False))
@example(["a", "a/.claude-plugin/plugin.json"], random.Random(0))
@settings(max_examples=200, deadline=None)
def test_every_file_has_one_place_whatever_the_order(paths: list[str], chance: random.Random) -> None:
    found = plan(*paths)
    shuffled = list(paths)
    chance.shuffle(shuffled)
    assert plan(*shuffled) == found
    places = 0
    for path in paths:
        owners = [
            part.root
            for part in found.parts
            if (not part.root or path == part.root or path.startswith(part.root + "/"))
            and not any(
                ((path[len(part.root) + 1 :] if part.root else path) + "/").startswith(skipped + "/")
                for skipped in part.skip
            )
        ]
        assert len(owners) <= 1
        places += len(owners)
    assert places + found.unassigned == len(paths)
