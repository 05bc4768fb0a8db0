"""The image: what its file says, and its steps, carried out without an engine."""

import re
import shutil
import subprocess
import sys

import pytest
from action_runner import ROOT
from ci_samples import BAD, SKILL

DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
STEPS = [line.split(None, 1) for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]


def last(word):
    return [value for key, value in STEPS if key == word][-1]


def test_it_runs_as_nobody_and_names_what_it_stands_on():
    assert last("USER") == "65534:65534"
    assert all(
        re.fullmatch(r"python:3\.\d+-slim-[a-z]+( AS build)?", value) for key, value in STEPS if key == "FROM"
    )
    assert not [key for key, _ in STEPS if key == "ADD"]
    assert last("ENTRYPOINT") == '["sluicegate"]'


def test_the_second_stage_fetches_and_runs_nothing():
    second = STEPS[max(at for at, (key, _) in enumerate(STEPS) if key == "FROM") :]
    assert [key for key, _ in second] == ["FROM", "COPY", "ENV", "WORKDIR", "USER", "ENTRYPOINT", "CMD"]


def test_only_what_the_package_is_built_from_goes_in():
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert lines[1] == "*"
    assert all((ROOT / name).exists() for name in kept)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")
def test_its_steps_make_a_command_that_works_as_nobody_without_a_network(tmp_path):
    context, installed = tmp_path / "context", tmp_path / "installed"
    context.mkdir()
    for name in (
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    ):
        (context / name).parent.mkdir(parents=True, exist_ok=True)
        here = ROOT / name
        shutil.copytree(here, context / name) if here.is_dir() else shutil.copy(here, context / name)
    run = (
        last("RUN")
        .replace("/opt/sluicegate", str(installed))
        .replace("python -m venv", f"{sys.executable} -m venv")
    )
    constraint = {
        "PIP_CONSTRAINT": str(context / "constraints.txt"),
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    subprocess.run(["sh", "-euc", run], cwd=context, env=constraint, check=True)
    assert not (installed / "bin" / "pip").exists()
    for name, text in (("good", SKILL), ("bad", BAD)):
        (tmp_path / "work" / name).mkdir(parents=True)
        (tmp_path / "work" / name / "SKILL.md").write_text(text)
    tmp_path.chmod(0o755)
    box = [
        "bwrap", "--unshare-all", "--die-with-parent", "--uid", "65534", "--gid", "65534", "--clearenv",
        "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--ro-bind", str(installed), str(installed),
        "--ro-bind", str(tmp_path / "work"), "/mnt", "--chdir", "/mnt", "--dev", "/dev", "--proc", "/proc",
        "--setenv", "SLUICEGATE_CONFIG_HOME", "/etc/sluicegate", "--setenv", "PYTHONSAFEPATH", "1",
        str(installed / "bin" / "sluicegate"),
    ]  # fmt: skip
    for words, code in (
        (("scan", "good"), 0),
        (("scan", "bad"), 1),
        (("--help",), 0),
        (("scan", "absent"), 2),
    ):
        done = subprocess.run([*box, *words], capture_output=True, text=True, check=False)
        assert done.returncode == code, (words, done.stderr)
