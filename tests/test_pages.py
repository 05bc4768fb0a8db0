"""Every Python block that the documentation prints is run by some test; this one runs those of the README."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
RUN_BY = {
    "README.md": "tests/test_pages.py",
    "docs/adapters.md": "tests/adapters/test_adapters_page.py",
    "docs/api.md": "tests/test_api.py",
    "docs/patterns/audit-guard.md": "tests/flow/test_audit_guard.py",
    "docs/environments.md": "tests/flow/environments/test_env_docs.py",
    "docs/ledger.md": "tests/record/test_record_docs.py",
    "docs/recipes.md": "tests/test_recipes.py",
    "docs/sessions.md": "tests/flow/session/test_session_docs.py",
    "docs/signing.md": "tests/record/test_record_docs.py",
    "docs/tutorial-flow.md": "tests/flow/test_monitor_tutorial.py",
}


def ran(block: str, folder: Path) -> str:
    home = folder / "home"
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "SLUICEGATE_KEYS_HOME": str(home / "keys")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=folder / "project", env=environ, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_page_with_a_program_is_run() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    printed = {
        page.relative_to(ROOT).as_posix() for page in pages if "\n```python\n" in page.read_text("utf-8")
    }
    assert printed == set(RUN_BY)
    for page, test in RUN_BY.items():
        assert Path(page).name in (ROOT / test).read_text("utf-8"), test


def test_the_programs_of_the_readme_run_with_its_policy(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "examples").symlink_to(ROOT / "examples")
    (policy,) = [text for kind, text in BLOCKS if kind == "toml" and "[policy" in text]
    (tmp_path / "project" / "sluicegate.toml").write_text(policy)
    vet, flow = [text for kind, text in BLOCKS if kind == "python"]
    assert ran(vet, tmp_path).startswith("DO_NOT_INSTALL\n")
    out = ran(flow, tmp_path)
    assert out.startswith("#general: The build is green.\nOperation denied\n")
    assert 'defaults.rules includes "no-secret-exfil"' in out


def test_the_map_names_every_room() -> None:
    """A room is a package two or three levels deep; who adds one has to say in docs/architecture.md what it is."""
    house = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("```")[1]
    source = ROOT / "src" / "sluicegate"
    packages = [
        each.parent for pattern in ("*/*/", "*/*/*/") for each in source.glob(f"{pattern}__init__.py")
    ]
    missing = [each.relative_to(source).as_posix() for each in packages if f"{each.name}/" not in house]
    assert not missing
