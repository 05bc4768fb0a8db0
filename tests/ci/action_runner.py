"""A small runner: carries out the steps of `action.yml` as GitHub's does, with its files and variables.

It knows what our own files use of the expression language, and refuses the rest: `inputs.x`, `steps.x.outputs.y`, and a
comparison with ''.
"""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass
class Run:
    """What came of a run: each step's exit code and outputs, the log, the summary, and which actions were used."""

    codes: dict[str, int] = field(default_factory=dict)
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return all(code == 0 for code in self.codes.values())


def run_action(workspace, temporary, inputs=None, *, given=None, environ=None):
    """Run the action on ``workspace``. ``given``: steps that are not run, with their outputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    unknown = set(inputs or {}) - set(action["inputs"])
    assert not unknown, unknown
    values = {name: one["default"] for name, one in action["inputs"].items()} | (inputs or {})
    run = Run(steps=dict(given or {}))
    for number, step in enumerate(action["runs"]["steps"]):
        name = step["id"]
        if name in run.steps:
            continue
        if "if" in step and not _value(step["if"], values, run.steps):
            continue
        if "uses" in step:
            run.used[step["uses"]] = {k: _filled(v, values, run.steps) for k, v in step["with"].items()}
            continue
        files = Path(tempfile.mkdtemp(prefix=f"step-{number}-", dir=temporary))
        known = {
            "PATH": os.environ["PATH"],
            "HOME": str(temporary),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_OUTPUT": str(files / "output"),
            "GITHUB_STEP_SUMMARY": str(files / "summary"),
            "RUNNER_TEMP": str(temporary),
            **(environ or {}),
            **{k: _filled(v, values, run.steps) for k, v in step.get("env", {}).items()},
        }
        (files / "script.sh").write_text(_filled(step["run"], values, run.steps))
        assert step["shell"] == "bash"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(files / "script.sh")],
            cwd=workspace, env=known, text=True, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        run.codes[name] = done.returncode
        run.log += done.stdout
        run.steps[name] = _read_outputs(files / "output")
        if (files / "summary").exists():
            run.summary += (files / "summary").read_text()
        if done.returncode:
            break
    run.outputs = {name: _filled(one["value"], values, run.steps) for name, one in action["outputs"].items()}
    return run


def orders(log):
    """The workflow commands that a runner would obey."""
    found, word = [], None
    for line in log.splitlines():
        if word is not None:
            word = None if line.strip() == f"::{word}::" else word
        elif line.lstrip().startswith("::stop-commands::"):
            word = line.strip().removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::"):
            found.append(line.strip())
    return found


def _read_outputs(path):
    if not path.exists():
        return {}
    pairs = (line.partition("=") for line in path.read_text().splitlines())
    return {name: value for name, equals, value in pairs if equals}


def _filled(text, inputs, steps):
    return _EXPRESSION.sub(lambda found: str(_value(found[0], inputs, steps)), text)


def _value(text, inputs, steps):
    inner = _EXPRESSION.fullmatch(text)
    assert inner, text
    word, compared, _ = inner[1].partition(" != ''")
    room, *path = word.split(".")
    if room == "inputs":
        value = inputs[path[0]]
    else:
        assert room == "steps" and path[1] == "outputs", word
        value = steps.get(path[0], {}).get(path[2], "")
    return value != "" if compared else value
