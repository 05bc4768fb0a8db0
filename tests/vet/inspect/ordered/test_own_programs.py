"""What the skill's own programs, packages and recipes load or run and the skill does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.types import GapReason

HEAD = "---\nname: notes\ndescription: Keeps the notes of a project in order.\n---\n\n# Notes\n\n"


def gaps(folder: Path, files: dict[str, str]) -> list[str]:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    verdict = scan(str(folder), ScanConfig()).skills[0].verdict
    return [gap.detail for gap in verdict.gaps if gap.reason is GapReason.NOT_IN_BUNDLE]


PROGRAMS = [
    "import runpy\nrunpy.run_path('b.py')\n",
    "exec(open('b.py').read())\n",
    "import ctypes\nctypes.CDLL('./b.so')\n",
    "from . import b\nb.go()\n",
    "from .b import go\ngo()\n",
    "from .b.c import (\n    go,\n)\n",
    "from ..b import go\n",
    "def main():\n    from . import here, b as other\n",
]
RUN = {"SKILL.md": HEAD + "Run `scripts/a.py`.\n", "scripts/here.py": "print(1)\n"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_of_the_skill_that_loads_what_is_not_here_leaves_a_gap(
    tmp_path: Path, program: str
) -> None:
    assert len(gaps(tmp_path, {**RUN, "scripts/a.py": program})) == 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_loads_what_is_here_leaves_none(tmp_path: Path, program: str) -> None:
    here = {"scripts/b.py": "", "scripts/b.so": "", "scripts/b/c.py": "", "b.py": ""}
    assert gaps(tmp_path, {**RUN, "scripts/a.py": program, **here}) == []


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("templates/app/a.py", "from . import models\nfrom .views import go\n"),
        ("scripts/a.py", "open('b.py').read()\n"),
        ("scripts/a.py", "exec('print(1)')\n"),
        ("scripts/a.py", "# from . import b\nx = 'from .b import c'\n"),
    ],
)
def test_what_is_for_a_project_or_loads_nothing_leaves_none(tmp_path: Path, path: str, program: str) -> None:
    assert gaps(tmp_path, {**RUN, "scripts/a.py": "print(1)\n", path: program}) == []


def test_a_name_of_a_package_is_no_module(tmp_path: Path) -> None:
    package = {"scripts/__init__.py": "version = '1'\n", "scripts/a.py": "from . import version\n"}
    assert gaps(tmp_path, {**RUN, **package}) == []


RECIPES = [
    ("Run `npm run boot`.", "package.json", '{"name": "x", "scripts": {"boot": "node lib/gone.js"}}'),
    ("```sh\nyarn boot\n```", "package.json", '{"name": "x", "scripts": {"boot": "sh tools/gone.sh"}}'),
    ("Run `make boot`.", "Makefile", "boot:\n\tsh lib/gone.sh\n"),
    ("```sh\nmake boot\n```", "Makefile", "all: boot\n\nboot:\n\t@python3 lib/gone.py\n"),
]


@pytest.mark.parametrize(("text", "path", "recipe"), RECIPES)
def test_a_recipe_of_the_skill_that_runs_what_is_not_here_leaves_a_gap(
    tmp_path: Path, text: str, path: str, recipe: str
) -> None:
    assert len(gaps(tmp_path, {"SKILL.md": HEAD + text + "\n", path: recipe})) == 1


@pytest.mark.parametrize(("text", "path", "recipe"), RECIPES)
def test_a_recipe_that_nobody_has_run_or_that_is_for_a_project_leaves_none(
    tmp_path: Path, text: str, path: str, recipe: str
) -> None:
    assert gaps(tmp_path / "a", {"SKILL.md": HEAD + "See the files.\n", path: recipe}) == []
    assert gaps(tmp_path / "b", {"SKILL.md": HEAD + text + "\n", f"templates/{path}": recipe}) == []
    here = {"lib/gone.js": "", "tools/gone.sh": "", "lib/gone.sh": "", "lib/gone.py": ""}
    assert gaps(tmp_path / "c", {"SKILL.md": HEAD + text + "\n", path: recipe, **here}) == []
