"""What lies outside the roots is never read, whichever way a path leads there."""

import os
from pathlib import Path

import pytest

from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.server.roots import ReadRoots, roots_here, roots_of, roots_of_client


@pytest.fixture
def place(tmp_path):
    (tmp_path / "project/skill").mkdir(parents=True)
    (tmp_path / "project/skill/SKILL.md").write_text("x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("x")
    (tmp_path / "project-too").mkdir()
    (tmp_path / "project/link").symlink_to("../outside")
    (tmp_path / "project/chain").symlink_to("link")
    (tmp_path / "project/inner").symlink_to("skill")
    (tmp_path / "way-in").symlink_to("project")
    return tmp_path


def test_a_path_is_where_it_leads(place):
    roots = roots_of([place / "way-in"])
    assert roots.folders == (place / "project",)
    for said in (
        "skill",
        "./skill/../skill",
        "inner",
        str(place / "way-in/skill"),
        str(place / "project/skill"),
    ):
        assert roots.place(said, "path") == place / "project/skill"
    assert roots.place(".", "path") == place / "project"


def test_nothing_outside_is_read_nor_told_of(place):
    roots = roots_of([place / "project"])
    outside = [
        "..",
        "../outside",
        "/etc",
        "link",
        "link/secret",
        "chain/secret",
        "../project-too",
        "skill/../../outside/secret",
    ]
    for said in (*outside, *(f"{one}/nothing" for one in outside), "~/x/../../../etc"[2:]):
        with pytest.raises(UsageError, match="lies outside the roots"):
            roots.place(said, "path")
    for said in ("", "a\0b", "https://example.com/x.zip", "file:///etc/passwd"):
        with pytest.raises(UsageError, match="is the path of"):
            roots.place(said, "path")
    with pytest.raises(UsageError, match="is not there"):
        roots.place("nothing", "path")
    assert not roots.holds(place / "project/link/secret") and roots.holds(place / "way-in/skill")


def test_where_roots_come_from(place, monkeypatch):
    with pytest.raises(UsageError, match="is not a folder"):
        roots_of([place / "project/skill/SKILL.md"])
    assert roots_of_client(
        [f"file://{place}/way-in", "https://x/y", "file://host/etc", f"file://{place}/no"]
    ) == ReadRoots((place / "project",))
    assert roots_of_client([f"file://{place}/project%2Fskill"]).folders == (place / "project/skill",)
    with pytest.raises(UsageError, match="names no folder"):
        roots_of_client([])
    monkeypatch.setenv("HOME", str(place / "project"))
    assert roots_here(place / "outside").folders == (place / "outside",)
    for everything in (Path("/"), place, place / "project", place / "way-in"):
        with pytest.raises(UsageError, match="holds everything"):
            roots_here(everything)
    assert os.path.realpath(place) == str(place)
