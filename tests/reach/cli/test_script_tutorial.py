"""The tutorial of the script language, run as its reader runs it: each script prints what the page says."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tutorial-script.md").read_text("utf-8")
STEPS = re.findall(
    r"```mld\n// (\S+)\n(.*?)```\n\n```console\n\$ sluicegate run \1\n(.*?)```", PAGE, re.DOTALL
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").write_text("")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(work)
    return work


def test_every_script_of_the_page_is_run():
    assert PAGE.count("```mld") == PAGE.count("```console") == len(STEPS) == 8


@pytest.mark.parametrize(("name", "text", "printed"), STEPS, ids=[name for name, *_ in STEPS])
def test_a_step_prints_what_the_page_says(sluicegate, project, name, text, printed):
    if "@sluicegate/sandbox" in text and shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap")
    (project / name).write_text(f"// {name}\n{text}")
    checked = sluicegate("validate", name)
    assert checked.code == 0, checked.out
    ran = sluicegate("run", name)
    assert (ran.out + ran.err).replace(f"{project}/", "") == printed
    assert ran.code == ("Operation denied" in printed)


def test_the_standard_policy_keeps_the_secret_of_the_example(sluicegate, project):
    """The first level of engagement: nothing but the import."""
    shutil.copy(ROOT / "examples" / "scripts" / "standard-policy.mld", project)
    ran = sluicegate("run", "standard-policy.mld")
    assert (ran.code, ran.out) == (1, "posted: the build is green\n")
    assert "sluicegate:production" in ran.err
    assert "sk-live" not in ran.err
