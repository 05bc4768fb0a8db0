"""The GitLab component: its script, run by a shell with the variables a runner gives."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
_INPUT = re.compile(r"\$\[\[ inputs\.([a-z-]+) \]\]")


@pytest.fixture
def component(repository, tmp_path, command):
    spec, jobs = yaml.safe_load_all((ROOT / "templates" / "scan.yml").read_text())
    job = jobs["sluicegate"]

    def run(shell="sh", environ=None, **inputs):
        values = {
            name: str(one["default"]).replace("False", "false")
            for name, one in spec["spec"]["inputs"].items()
        }
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}
        known = {"PATH": f"{Path(command).parent}:/usr/bin:/bin", "HOME": str(tmp_path), **(environ or {})}
        for name, value in job["variables"].items():
            text = value["value"] if isinstance(value, dict) else value
            known[name] = _INPUT.sub(lambda found: values[found[1]], text)
        script = "\n".join(job["script"])
        assert "$[[" not in script
        done = subprocess.run(
            [shell, "-e", "-c", script],
            cwd=repository,
            env=known,
            check=False,
            capture_output=True,
            text=True,
        )
        quality = repository / job["artifacts"]["reports"]["codequality"]
        return done, json.loads(quality.read_text()) if quality.is_file() else None

    return run


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_the_job_fails_as_the_gate_decides_and_leaves_its_reports(component, repository, shell):
    done, issues = component(shell)
    assert done.returncode == 1
    assert issues[0]["location"]["path"] == "skills/bad/SKILL.md"
    assert (repository / "sluicegate-report.html").is_file()
    assert component(shell, path="skills/good")[1] == []
    assert component(shell, path="skills/good")[0].returncode == 0
    assert component(shell, fail_on="never")[0].returncode == 0


def test_a_repository_without_skills_passes(component, repository, git):
    git(repository, "rm", "-rq", "skills")
    (repository / "notes.txt").write_text("Nothing for an agent.\n")
    done, issues = component()
    assert (done.returncode, issues) == (0, [])
    assert component(path="absent")[0].returncode == 2


def test_only_what_a_merge_request_changes(component, repository, git):
    base = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": git(repository, "rev-parse", "HEAD").strip()}
    (repository / "gl-code-quality-report.json").write_text('[{"forged": true}]')
    done, issues = component(environ=base, new_only="true")
    assert (done.returncode, issues) == (0, [])
    (repository / "skills" / "bad" / "more.md").write_text("More.\n")
    assert component(environ=base, new_only="true")[0].returncode == 1
    assert component(new_only="true")[0].returncode == 1


def test_a_report_that_was_committed_as_a_link_is_not_written_through(component, repository, tmp_path):
    (repository / "gl-code-quality-report.json").symlink_to(tmp_path / "victim")
    component(path="skills/good")
    assert not (tmp_path / "victim").exists()


@pytest.mark.parametrize(
    "word", ['"; touch stolen; "', "$(touch stolen)", "--fail-on=never", "`touch stolen`"]
)
@pytest.mark.parametrize("name", ["path", "config", "baseline", "fail_on"])
def test_no_input_is_code_or_another_option(component, repository, name, word):
    done, issues = component(**{name: word})
    assert done.returncode == 2
    assert issues is None
    assert not list(repository.rglob("stolen"))
