"""A light look says whether there are settings at all; it never passes over a file that has some."""

import pytest

from sluicegate.reach import settings_files
from sluicegate.reach.settings_files import Search, find_settings
from sluicegate.record.errors import NoHomeError
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.verdict.types import Severity

QUIET = "[severity]\nx = 'high'\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "project" / "sub").mkdir(parents=True)
    (tmp_path / "project" / ".git").mkdir()
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.chdir(tmp_path / "project" / "sub")
    return tmp_path / "project"


def look():
    return find_settings(targets=(), explicit=None, none=False)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sluicegate.toml", QUIET),
        ("pyproject.toml", "[tool.sluicegate.severity]\nx = 'high'\n"),
        ("pyproject.toml", "tool = { sluicegate = { severity = { x = 'high' } } }\n"),
        ("pyproject.toml", '[tool."sluice\\u0067ate".severity]\nx = "high"\n'),
        ("pyproject.toml", '"\\U00000074ool".sluicegate.severity.x = "high"\n'),
    ],
)
def test_settings_are_found_however_they_are_written(project, name, text):
    (project / name).write_text(text)
    assert look().found.least == {"x": Severity.HIGH}


@pytest.mark.parametrize("more", ["", 'text = "two\\nlines, \\"quoted\\""\n', "pattern = '^tests\\.'\n"])
def test_without_settings_nothing_is_decoded(project, monkeypatch, more):
    (project / "pyproject.toml").write_text(f'[project]\nname = "other"\n{more}')
    monkeypatch.setattr(
        "sluicegate.reach.settings.find", lambda **_: pytest.fail("there is nothing to decode")
    )
    assert look() == Search()


def test_a_file_that_is_wrong_is_told_and_not_passed_over(project):
    (project / "sluicegate.toml").write_text("[scam]\n")
    with pytest.raises(ConfigError, match="scam"):
        look()


def test_a_folder_of_that_name_is_no_file(project):
    (project / "pyproject.toml").mkdir()
    assert not settings_files._may_speak_of_us(project / "pyproject.toml")
    assert look() == Search()


def test_where_nothing_can_be_looked_for_is_told(project, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", "/" + "a" * 300)
    with pytest.raises(ConfigError, match=r"cannot look for settings at /aaa.*too long"):
        look()


def test_a_directory_of_the_user_that_may_not_be_entered_is_said_and_stops_nothing(
    project, monkeypatch, tmp_path
):
    stat = settings_files.os.stat

    def refused(path, **options):
        if str(path).startswith(str(tmp_path / "user")):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(settings_files.os, "stat", refused)
    search = look()
    assert search.found is None
    assert search.unread == f"{tmp_path / 'user'}: Permission denied"
    (project / "sluicegate.toml").write_text(QUIET)
    assert look().found.least == {"x": Severity.HIGH}


def test_a_user_without_a_home_is_said_and_stops_nothing(project, monkeypatch):
    def nowhere(_):
        raise NoHomeError("this user has no home directory")

    monkeypatch.setattr(settings_files, "config_directory", nowhere)
    assert look() == Search(unread="this user has no home directory")


@pytest.mark.parametrize("home", ["project", "project/sub", "linked"])
def test_settings_that_came_with_what_is_judged_are_not_the_users(project, monkeypatch, home):
    """The home directory is the checkout, as some CI systems set it up, or a link in it leads elsewhere."""
    place = project.parent / home
    if home == "linked":
        place.symlink_to(project)
    (project.parent / "elsewhere").mkdir()
    (project.parent / "elsewhere" / "sluicegate.toml").write_text('[scan]\nbaseline = "accepted.toml"\n')
    (place / ".config").mkdir(exist_ok=True)
    (place / ".config" / "sluicegate").symlink_to(project.parent / "elsewhere")
    for name in ("SLUICEGATE_CONFIG_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place))
    found, unread = look()
    assert found is None and unread.endswith("lies inside the workspace or what is scanned")
    monkeypatch.chdir(project.parent)
    assert find_settings(targets=(str(project),), explicit=None, none=False).found is None
    assert look().found is not None, "where something else is judged, they are"
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(place / ".config" / "sluicegate"))
    assert find_settings(targets=(str(project),), explicit=None, none=False).found is not None, (
        "they are named"
    )
