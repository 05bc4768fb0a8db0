"""Which skills of a folder hold a changed file."""

import pytest

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import open_source, read_unit
from sluicegate.vet.intake.units import holding

FILES = (
    "README.md",
    "CLAUDE.md",
    "skills/a/SKILL.md",
    "skills/a/scripts/run.sh",
    "skills/a/inner/SKILL.md",
    "skills/ab/SKILL.md",
    "plugin/.claude-plugin/plugin.json",
    "plugin/commands/go.md",
    "plugin/skills/c/SKILL.md",
    "skills/täter/SKILL.md",
)


@pytest.fixture
def units(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}" if name.endswith("json") else "text\n")
    (tmp_path / "skills" / "link").symlink_to("/nowhere")
    (tmp_path / "skills" / "l\udcffnk").symlink_to("/nowhere")
    with open_source(str(tmp_path), Limits()) as source:
        return source.units()


def roots(units, *paths):
    return [units.units[number].root for number in holding(units, paths)]


def test_every_file_is_held_by_the_unit_that_reads_it_and_by_no_other(units):
    for number, unit in enumerate(units.units):
        for artifact in read_unit(unit, Limits(), ()).artifacts:
            path = f"{unit.root}/{artifact.path}" if unit.root else artifact.path
            assert holding(units, [path]) == [number], path


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("skills/a/gone.md", ["skills/a"]),
        ("skills/a/inner/SKILL.md", ["skills/a"]),
        ("skills/abc/x", [""]),
        ("plugin/skills/c/x/y", ["plugin/skills/c"]),
        ("plugin/hooks/x", ["plugin"]),
        ("src/main.py", [""]),
        ("skills/link", ["skills/link"]),
        ("skills/l\udcffnk", ["skills/l\\xffnk"]),
        ("skills/täter/SKILL.md", ["skills/täter"]),
    ],
)
def test_a_path_and_who_holds_it(units, path, root):
    assert roots(units, path) == root


def test_a_folder_means_all_beneath_and_nothing_means_none(units):
    assert sorted(roots(units, "skills")) == sorted(
        ["", "skills/a", "skills/ab", "skills/link", "skills/l\\xffnk", "skills/täter"]
    )
    assert roots(units) == []
