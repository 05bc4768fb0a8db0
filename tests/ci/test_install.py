"""The first step of the action: an environment of its own, from the action's own sources."""

import pytest
from action_runner import run_action
from ci_samples import SKILL


def test_a_python_that_is_too_old_is_said(tmp_path):
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    run = run_action(tmp_path, tmp_path, {"python": str(old)})
    assert run.codes == {"install": 2}
    assert "Python 3.11 or later is needed" in run.log
    assert run.outputs["decision"] == ""


@pytest.mark.slow
def test_the_whole_action_and_nothing_of_the_repository_is_imported(tmp_path):
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name in ("pip.py", "venv.py", "json.py", "sitecustomize.py", "encodings.py"):
        (workspace / name).write_text("open('stolen', 'w')\n")
    (workspace / "pip.conf").write_text("[global]\nindex-url = http://192.0.2.7/\n")
    (workspace / "SKILL.md").write_text(SKILL)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run = run_action(workspace, temporary)
    assert run.codes == {"install": 0, "scan": 0, "decide": 0} or run.outputs["exit-code"] == "3", run.log
    assert not list(tmp_path.rglob("stolen"))
    assert run.outputs["decision"] in {"SAFE", "CAUTION"}
