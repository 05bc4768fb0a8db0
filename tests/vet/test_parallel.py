"""Many skills in many processes: the same reports, none lost, whatever happens to a worker."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import ClassVar

import pytest

import sluicegate
from sluicegate import ConfigError, ScanConfig
from sluicegate.vet.baseline import Accepted, BaselineFile
from sluicegate.vet.parallel import Work, in_executor
from sluicegate.vet.report import SkillReport
from sluicegate.vet.scanner import Scanner, see_all
from sluicegate.vet.verdict.suppression import GlobEntry
from sluicegate.vet.verdict.types import Decision, GapReason

SKILL = "---\nname: s\ndescription: Sorts notes. Use it to sort notes.\n---\n\nSort the notes {}.\n"


def test_whoever_watches_sees_small_steps() -> None:
    """Of a thousand skills no task holds more than four, so that a bar moves several times in a second."""
    sizes: list[int] = []

    def job(pieces):
        sizes.append(len(pieces))
        return pieces

    with ThreadPoolExecutor(2) as pool:
        assert list(in_executor(range(1000), Work(job, lambda piece, how: piece), pool)) == list(range(1000))
    assert max(sizes) <= 4


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"s{number:02}").mkdir()
        (tmp_path / f"s{number:02}" / "SKILL.md").write_text(SKILL.format(number))
    return tmp_path


def test_any_executor_gives_the_same_report(many):
    with ThreadPoolExecutor(1) as pool:
        spread = sluicegate.scan(str(many), executor=pool)
    assert spread == sluicegate.scan(str(many), ScanConfig(jobs=1))


def test_skills_of_one_source_know_each_other_in_any_number_of_processes(many):
    at = many / "s03" / "SKILL.md"
    at.write_text(
        at.read_text().replace("name: s", "name: tidy") + "\nAlways disable the `sweeper` before you begin.\n"
    )
    (many / "s31" / "SKILL.md").write_text(SKILL.replace("name: s", "name: sweeper").format(1))
    here = sluicegate.scan(str(many), ScanConfig(jobs=1))
    assert {s.name for s in here.skills if fired(s, "skill-named-against")} == {"s03"}
    assert sluicegate.scan(str(many), ScanConfig(jobs=2)) == here
    alone = sluicegate.scan(str(at.parent))
    assert not fired(alone.skills[0], "skill-named-against")


def fired(skill: SkillReport, rule: str) -> bool:
    return any(f.rule == rule for f in (*skill.verdict.findings, *skill.verdict.listed))


def meet(folder: Path, name: str, then: str) -> str:
    """A PYTHONPATH under which every process does ``then`` when it meets the skill ``name``."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os\n"
        "import sluicegate.vet.intake.units as units\n"
        "whole = units.read_unit\n"
        "def read_unit(unit, limits, exclude):\n"
        f"    if unit.name == {name!r}:\n"
        f"        {then}\n"
        "    return whole(unit, limits, exclude)\n"
        "units.read_unit = read_unit\n"
    )
    return f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"


@pytest.fixture(params=["ours", "theirs"])
def executor(request):
    """Our own processes, and an executor of somebody else's, which is broken for good once a process dies."""
    if request.param == "ours":
        yield None
    else:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pool


def test_a_skill_that_kills_its_worker_is_a_gap_and_loses_no_other(
    many, tmp_path_factory, monkeypatch, executor
):
    """As a parser's crash would, or the kernel when memory runs out."""
    start, tries = tmp_path_factory.mktemp("at") / "start", tmp_path_factory.mktemp("tries")
    kill = f"open(os.path.join({str(tries)!r}, str(os.getpid())), 'w').close(); os.kill(os.getpid(), 9)"
    monkeypatch.setenv("PYTHONPATH", meet(start, "s07", kill))
    report = sluicegate.scan(str(many), ScanConfig(jobs=2), executor=executor)
    assert len(list(tries.iterdir())) == 2
    assert [r.name for r in report.skills] == [f"s{number:02}" for number in range(40)]
    broken = [r for r in report.skills if r.verdict.gaps]
    assert [r.name for r in broken] == ["s07"]
    assert broken[0].verdict.gaps[0].reason is GapReason.ANALYSIS_FAILED
    assert broken[0].verdict.decision is Decision.CAUTION
    (many / "s07" / "SKILL.md").unlink()
    whole = sluicegate.scan(str(many), ScanConfig(jobs=1)).skills
    assert [r for r in report.skills if r.name != "s07"] == list(whole)


def test_a_worker_that_dies_once_costs_nothing_but_time(many, tmp_path_factory, monkeypatch):
    start, mark = tmp_path_factory.mktemp("at") / "start", tmp_path_factory.mktemp("once") / "done"
    once = f"os.path.exists({str(mark)!r}) or (open({str(mark)!r}, 'w').close(), os.kill(os.getpid(), 9))"
    before = sluicegate.scan(str(many), ScanConfig(jobs=1))
    monkeypatch.setenv("PYTHONPATH", meet(start, "s07", once))
    assert sluicegate.scan(str(many), ScanConfig(jobs=2)) == before
    assert mark.exists()


def test_what_fails_in_a_worker_is_a_gap(many, tmp_path_factory, monkeypatch):
    start = tmp_path_factory.mktemp("at") / "start"
    monkeypatch.setenv("PYTHONPATH", meet(start, "s07", "raise MemoryError"))
    report = sluicegate.scan(str(many), ScanConfig(jobs=2))
    assert [r.name for r in report.skills if r.verdict.decision is not Decision.SAFE] == ["s07"]
    assert "MemoryError" in report.skills[7].verdict.gaps[0].detail


def test_what_an_executor_cancels_is_done_again_and_then_a_gap(many):
    """Dask cancels what it lost the data of."""

    class Cancelling(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            if all(piece.unit.name != "s07" for piece in args[0]):
                return super().submit(fn, *args, **kwargs)
            lost = Future()
            lost.cancel()
            return lost

    with Cancelling(2) as pool:
        report = sluicegate.scan(str(many), executor=pool)
    assert [skill.name for skill in report.skills if skill.verdict.gaps] == ["s07"]
    assert "CancelledError" in report.skills[7].verdict.gaps[0].detail


@pytest.mark.parametrize("given", [[], [None], [None, None], None])
def test_an_executor_that_loses_results_leaves_gaps_and_no_skill_out(many, given):
    class Losing(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            if all(piece.unit.name != "s07" for piece in args[0]):
                return super().submit(fn, *args, **kwargs)
            lost = Future()
            lost.set_result(given)
            return lost

    with Losing(2) as pool:
        (report,) = Scanner(ScanConfig()).scan_many([str(many)], executor=pool)
    assert len(report.skills) == 40
    assert [skill.name for skill in report.skills if skill.verdict.gaps] == ["s07"]
    assert report.skills[7].verdict.gaps[0].reason is GapReason.ANALYSIS_FAILED


def test_what_is_no_executor_is_refused(many):
    with pytest.raises(ConfigError, match="not int"):
        sluicegate.scan(str(many), executor=5)


def test_workers_begin_no_script_anew_and_say_when_they_cannot_start(many, tmp_path):
    script = tmp_path.with_name(f"{tmp_path.name}.py")
    scan = f"sluicegate.scan({str(many)!r}, sluicegate.ScanConfig(jobs=2))"
    script.write_text(
        f"import multiprocessing, sluicegate\nprint('begun')\n{scan}\nprint('done')\n"
        f"multiprocessing.set_executable('/bin/false')\n{scan}\n"
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout) == (1, "begun\ndone\n")
    # Python itself has its say around it, about what was killed.
    assert any(
        line.endswith("WorkerError: worker processes cannot be started") for line in ran.stderr.splitlines()
    )


def test_a_worker_with_other_rules_is_refused(many):
    scanner = Scanner(ScanConfig())
    with ThreadPoolExecutor(1) as pool, pytest.raises(ConfigError, match="other rules"):
        pool.submit(see_all, scanner.config, "another digest", False, []).result()


def test_a_task_is_small(many, tmp_path):
    """What goes to a worker names its skills; it does not hold them, nor what a reviewer accepted."""
    (many / "s00" / "data.txt").write_text("words " * 500_000)
    accepted = [
        GlobEntry(rule=f"rule-{at}", path="*", reason="because", owner="mira", expires=date(2099, 1, 1))
        for at in range(5_000)
    ]
    config = ScanConfig(baseline=BaselineFile(entries=tuple(Accepted(entry=entry) for entry in accepted)))

    class Weighed(ThreadPoolExecutor):
        sizes: ClassVar[list[int]] = []

        def submit(self, fn, /, *args, **kwargs):
            task = pickle.dumps((fn, args, kwargs))
            self.sizes.append(len(task))
            fn, args, kwargs = pickle.loads(task)
            return super().submit(fn, *args, **kwargs)

    with Weighed(1) as pool:
        assert sluicegate.scan(str(many), config, executor=pool) == sluicegate.scan(str(many), config)
    assert 1 < len(pool.sizes) <= 40
    assert max(pool.sizes) < 20_000


def test_results_come_in_the_order_of_input_while_others_run(many):
    """The first report is there before the last skill was handed over."""
    handed = []

    class Slow(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):
            handed.append(len(args[0]))
            return super().submit(fn, *args, **kwargs)

    sources = [str(many / f"s{at % 40:02}") for at in range(3_000)]
    with Slow(1) as pool:
        results = Scanner().scan_many(sources, executor=pool)
        assert next(results).skills[0].name == "s00"
        assert sum(handed) < 3_000
        assert next(results).skills[0].name == "s01"
        results.close()


@pytest.mark.parametrize(("jobs", "by"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)])
def test_ctrl_c_ends_everything_and_decides_nothing(many, tmp_path_factory, jobs, by):
    """SIGTERM, which the first process alone is sent, as well: its workers would hold its output open for ever."""
    folder = tmp_path_factory.mktemp("ctrl-c")
    here, gate = folder / "here", folder / "gate"
    # It waits in Python: an interrupt right before a call that blocks would be seen only when the call returns.
    waits = f"open({str(here)!r}, 'w').close(); any(map(os.path.exists, iter(lambda: {str(gate)!r}, '')))"
    with subprocess.Popen(
        [sys.executable, "-m", "sluicegate", "scan", str(many), "-j", jobs, "--no-config", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": meet(folder / "start", "s07", waits)},
        # A shell that starts the tests in the background has them ignore Ctrl-C, and so all they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as scan:
        try:
            while not here.exists():
                assert scan.poll() is None, "the scan ended before it met the skill"
            (os.killpg if by is signal.SIGINT else os.kill)(scan.pid, by)
            out, err = scan.communicate(timeout=60)
        finally:
            scan.kill()
            gate.touch()
    assert scan.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_workers_end_with_a_scan_that_is_killed(many, tmp_path_factory):
    """Nobody is left to tell them: they would wait for work for ever, and hold its output open."""
    folder = tmp_path_factory.mktemp("killed")
    here, gate = folder / "here", folder / "gate"
    waits = f"open({str(here)!r}, 'w').close(); any(map(os.path.exists, iter(lambda: {str(gate)!r}, '')))"
    with subprocess.Popen(
        [sys.executable, "-m", "sluicegate", "scan", str(many), "-j", "2", "--no-config", "-q"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": meet(folder / "start", "s07", waits)},
    ) as scan:
        try:
            while not here.exists():
                assert scan.poll() is None, "the scan ended before it met the skill"
            scan.kill()
            scan.communicate(timeout=30)  # its workers write there, too
        finally:
            gate.touch()


def test_processes_import_nothing_from_the_folder_that_one_stands_in(many, tmp_path_factory, monkeypatch):
    """A cloned repository with a module of such a name would run in every worker."""
    folder = tmp_path_factory.mktemp("cloned")
    for name in ("multiprocessing", "pickle", "struct", "sluicegate"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    here = sluicegate.scan(str(many), ScanConfig(jobs=1))
    assert sluicegate.scan(str(many), ScanConfig(jobs=2)) == here
    assert not (folder / "ran").exists()
    assert "PYTHONSAFEPATH" not in os.environ
