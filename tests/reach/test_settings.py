"""Where settings come from and what they may say."""

import pytest

from sluicegate.reach.settings import find, limits_of, settings_of, severities_of
from sluicegate.reach.settings_trust import digests_of, load, save
from sluicegate.record.trusted_settings import real
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.verdict.types import Severity


def trust(tmp_path, directory):
    """As a person would, who has read them."""
    read, settings = settings_of(directory)
    save(tmp_path / "user", {**load(tmp_path / "user"), real(read.path): digests_of(read, settings)})


def found(tmp_path, *, start=None, targets=(), explicit=None):
    return find(
        start=start or tmp_path / "project",
        user_directory=tmp_path / "user",
        targets=targets,
        explicit=explicit,
    )


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project" / "sub").mkdir(parents=True)
    (tmp_path / "project" / ".git").mkdir()
    (tmp_path / "user").mkdir()
    return tmp_path / "project"


def test_project_over_user(tmp_path, project):
    (tmp_path / "user" / "sluicegate.toml").write_text(
        '[scan]\njobs = 3\nexclude = ["a"]\n[severity]\nx = "low"\n'
    )
    (project / "sluicegate.toml").write_text('[scan]\nexclude = ["b"]\n[severity]\ny = "high"\n')
    trust(tmp_path, project)
    settings = found(tmp_path, start=project / "sub").settings
    assert settings.scan.jobs == 3
    assert settings.scan.exclude == ["b"]
    assert severities_of(settings) == (("x", Severity.LOW), ("y", Severity.HIGH))


def test_pyproject_table(tmp_path, project):
    (project / "pyproject.toml").write_text("[tool.sluicegate.limits]\ntotal-bytes = 77\n")
    trust(tmp_path, project)
    assert limits_of(found(tmp_path).settings).total_bytes == 77


def test_pyproject_without_a_table_is_passed_over(tmp_path, project):
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert found(tmp_path).files == ()


def test_stops_at_the_root_of_the_repository(tmp_path, project):
    (tmp_path / "sluicegate.toml").write_text("[scan]\njobs = 9\n")
    assert found(tmp_path).settings.scan.jobs is None


def test_a_file_inside_the_target_is_not_read(tmp_path, project):
    (project / "sluicegate.toml").write_text('[rules]\ndisable = ["*"]\n')
    result = found(tmp_path, targets=(project,))
    assert result.settings.rules.disable is None
    assert result.ignored == (project / "sluicegate.toml",)


def test_explicit_file_is_read_alone(tmp_path, project):
    (tmp_path / "user" / "sluicegate.toml").write_text("[scan]\njobs = 3\n")
    (tmp_path / "mine.toml").write_text("[scan]\nfail-on = 'never'\n")
    settings = found(tmp_path, explicit=tmp_path / "mine.toml").settings
    assert settings.scan.fail_on == "never"
    assert settings.scan.jobs is None


def test_paths_are_relative_to_the_file(tmp_path, project):
    (project / "sluicegate.toml").write_text('[scan]\nbaseline = "b.toml"\nyara = ["r"]\n')
    (project / "r").mkdir()
    (project / "r" / "own.yar").write_text("rule own { condition: false }")
    trust(tmp_path, project)
    settings = found(tmp_path, start=project / "sub").settings
    assert settings.scan.baseline == str(project / "b.toml")
    assert settings.scan.yara == [str(project / "r")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[scan]\nexlude = []\n", "Did you mean exclude?"),
        ("[scna]\n", "Did you mean scan?"),
        ("[limits]\ntotal_bytes = 3\n", "Did you mean total-bytes?"),
        ("[limits]\ntotal-bytes = 0\n", "total-bytes"),
        ("[limits]\ntotal-bytes = 'many'\n", "total-bytes"),
        ("[scan]\nfail-on = 'cautoin'\n", "Did you mean caution?"),
        ("[severity]\nx = 'hgih'\n", "Did you mean high?"),
        ("[scan\n", "not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_a_way_forward(tmp_path, project, text, says):
    (project / "sluicegate.toml").write_text(text)
    with pytest.raises(ConfigError) as error:
        found(tmp_path)
    assert says in error.value.diagnostics()
    assert "sluicegate.toml" in error.value.diagnostics()


def test_tables_of_flow_are_neither_used_nor_judged_by_a_scan(tmp_path):
    (tmp_path / "sluicegate.toml").write_text(
        "[flow]\nanything = 1\n[policy]\nelse = 2\n[severity]\nx = 'high'\n"
    )
    found = find(start=tmp_path, user_directory=tmp_path / "none", targets=(), explicit=None)
    assert found.least == {"x": Severity.HIGH}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[scan]\n\nfail-on = 3\n", 3),
        ("[scan]\njobs = 2\nexlude = []\n", 3),
        ("[severity]\nx = 'low'\ny = 'hgih'\n", 3),
        ("[rules]\ndisable = [\n  'a',\n  3,\n]\n", 4),
        ("[scan]\nfail-on = 'cautoin'\n", 2),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, project, text, line):
    (project / "sluicegate.toml").write_text(text)
    with pytest.raises(ConfigError, match=rf"sluicegate\.toml:{line}: "):
        found(tmp_path)
    (project / "sluicegate.toml").unlink()
    shared = "[project]\nname = 'x'\n" + text.replace("[", "[tool.sluicegate.", 1)
    (project / "pyproject.toml").write_text(shared)
    with pytest.raises(ConfigError, match=rf"pyproject\.toml:{line + 2}: "):
        found(tmp_path)


@pytest.mark.parametrize("text", ["[tool.sluicegate]\nscan = [\n", "[tool]\nsluicegate = 3\n"])
def test_a_broken_table_of_ours_is_not_passed_over(tmp_path, project, text):
    (project / "pyproject.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"pyproject\.toml"):
        found(tmp_path)


def test_a_broken_file_that_does_not_speak_of_us_is_passed_over(tmp_path, project):
    (project / "pyproject.toml").write_text("[project\n")
    assert found(tmp_path).files == ()


@pytest.mark.parametrize("target", ["SKILL.md", "scripts", "scripts/run.py"])
def test_a_skill_does_not_configure_the_scan_of_its_parts(tmp_path, project, target):
    (project / "skill.md").write_text("a skill")
    (project / "sluicegate.toml").write_text('[rules]\ndisable = ["*"]\n')
    result = found(tmp_path, targets=(project / target,))
    assert result.ignored == (project / "sluicegate.toml",)
    assert result.files == ()
