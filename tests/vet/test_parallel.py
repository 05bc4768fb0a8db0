"""Many skills in many processes: the same reports, none lost, whatever happens to a worker."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import penstock
from penstock import ScanConfig
from penstock.vet.intake.sources import open_source
from penstock.vet.parallel import scan_in_parallel
from penstock.vet.verdict.types import Decision, GapReason

SKILL = "---\nname: s\ndescription: Sorts notes. Use it to sort notes.\n---\n\nSort the notes {}.\n"


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"s{number:02}").mkdir()
        (tmp_path / f"s{number:02}" / "SKILL.md").write_text(SKILL.format(number))
    return tmp_path


def test_any_executor_gives_the_same_report(many):
    with ThreadPoolExecutor(1) as pool:
        spread = penstock.scan(str(many), executor=pool)
    assert spread == penstock.scan(str(many), ScanConfig(jobs=1))


def test_a_skill_that_ends_its_process_twice_is_a_gap_and_loses_no_other(many, monkeypatch):
    """The worker imports a module that ends the process when it meets skill s07: as a parser's crash would."""
    bomb = many / "bomb"
    bomb.mkdir()
    (bomb / "sitecustomize.py").write_text(
        "import os\n"
        "import penstock.vet.skill as skill\n"
        "whole = skill.scan_unit\n"
        "def scan_unit(unit, config, analyzers):\n"
        "    if unit.name == 's07':\n"
        "        os._exit(9)\n"
        "    return whole(unit, config, analyzers)\n"
        "skill.scan_unit = scan_unit\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{bomb}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    config = ScanConfig()
    with open_source(str(many), config.limits) as source:
        reports = list(scan_in_parallel(source.units().units, config, workers=2))
    assert [r.name for r in reports] == sorted(r.name for r in reports)
    assert len(reports) == 40
    broken = [r for r in reports if r.verdict.gaps]
    assert [r.name for r in broken] == ["s07"]
    assert broken[0].verdict.gaps[0].reason is GapReason.ANALYSIS_FAILED
    assert broken[0].verdict.decision is Decision.CAUTION


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_everything_and_decides_nothing(tmp_path, jobs):
    for number in range(60):
        (tmp_path / "many" / f"s{number:02}").mkdir(parents=True)
        (tmp_path / "many" / f"s{number:02}" / "SKILL.md").write_text(SKILL.format(number) * 2_000)
    scan = subprocess.Popen(
        [sys.executable, "-m", "penstock", "scan", str(tmp_path / "many"), "-j", jobs, "--no-config", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        time.sleep(1.5)  # long enough to be at work, short enough not to be done
        os.killpg(scan.pid, signal.SIGINT)
        out, err = scan.communicate(timeout=30)
    finally:
        scan.kill()
    assert scan.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
