"""Real clusters on this machine: the same report, and a worker that is killed costs no other skill anything.

`make clusters` installs dask and ray and runs this; elsewhere it is skipped.
"""

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path

import pytest

import sluicegate
from sluicegate import ConfigError, Scanner
from sluicegate.executors import dask_executor, ray_executor
from sluicegate.vet.scanner import see_all

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs
SKILL = "---\nname: s\ndescription: Sorts notes. Use it to sort notes.\n---\n\nSort the notes {}.\n"
KILLED = "s07"


@pytest.fixture(scope="module")
def start(tmp_path_factory) -> Iterator[Path]:
    """A folder whose sitecustomize makes every worker die of the skill ``KILLED``, as often as it meets it."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "tries").mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os\n"
        "import sluicegate.vet.intake.units as units\n"
        "whole = units.read_unit\n"
        "def read_unit(unit, limits, exclude):\n"
        f"    if unit.name == {KILLED!r}:\n"
        f"        open(os.path.join({str(folder / 'tries')!r}, str(os.getpid())), 'w').close()\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return whole(unit, limits, exclude)\n"
        "units.read_unit = read_unit\n"
    )
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = f"{folder}{os.pathsep}{before.get('PYTHONPATH', '')}"
    os.environ["HOME"] = str(folder)  # they write there
    os.environ["RAY_AUTH_MODE"] = "disabled"
    yield folder
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module", params=["dask", "ray"])
def executor(request, start: Path) -> Iterator[Executor]:
    if request.param == "dask":
        yield from _dask()
    else:
        yield from _ray()


def _dask() -> Iterator[Executor]:
    pytest.importorskip("distributed")
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield dask_executor(client)


def _ray() -> Iterator[Executor]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        yield ray_executor()
    finally:
        ray.shutdown()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for number in range(40):
        (tmp_path / f"t{number:02}").mkdir()
        (tmp_path / f"t{number:02}" / "SKILL.md").write_text(SKILL.format(number))
    return tmp_path


def test_a_cluster_gives_the_same_report(executor, many: Path) -> None:
    assert sluicegate.scan(many, executor=executor) == sluicegate.scan(many)
    with Scanner() as scanner:
        sources = sorted(many.iterdir())
        assert list(scanner.scan_many(sources, executor=executor)) == list(scanner.scan_many(sources))


def test_a_worker_that_is_killed_costs_one_more_try_and_then_a_gap(executor, many: Path, start: Path) -> None:
    whole = sluicegate.scan(many).skills
    (many / KILLED).mkdir()
    (many / KILLED / "SKILL.md").write_text(SKILL.format("all"))
    before = set((start / "tries").iterdir())
    found = {skill.name: skill for skill in sluicegate.scan(many, executor=executor).skills}
    killed = found.pop(KILLED)
    assert [gap.reason for gap in killed.verdict.gaps] == ["analysis-failed"]
    assert killed.verdict.decision.name == "CAUTION"
    assert len(set((start / "tries").iterdir()) - before) == 2
    assert list(found.values()) == list(whole)


def test_a_cluster_goes_on_where_a_run_stopped(executor, many: Path, tmp_path_factory) -> None:
    kept = tmp_path_factory.mktemp("kept") / "results"
    sources = sorted(many.iterdir())
    with Scanner() as scanner:
        stopped = scanner.scan_many(sources, executor=executor, resume=kept)
        first = next(stopped)
        stopped.close()
        assert len(kept.read_text().splitlines()) == 2
        whole = list(scanner.scan_many(sources, executor=executor, resume=kept))
    assert whole[0] == first
    assert len(kept.read_text().splitlines()) == 41


def test_a_worker_with_other_rules_is_an_error_of_the_run(executor) -> None:
    with pytest.raises(ConfigError, match="other rules"):
        executor.submit(see_all, sluicegate.ScanConfig(), "another digest", False, []).result()


@pytest.mark.skipif(find_spec("distributed") is not None, reason="it is installed")
def test_without_dask_the_extra_is_named() -> None:
    with pytest.raises(ConfigError) as missing:
        dask_executor(None)  # type: ignore[arg-type]
    assert "sluicegate[dask]" in missing.value.hint


@pytest.mark.skipif(find_spec("ray") is not None, reason="it is installed")
def test_without_ray_the_extra_is_named() -> None:
    with pytest.raises(ConfigError) as missing:
        ray_executor()
    assert "sluicegate[ray]" in missing.value.hint
