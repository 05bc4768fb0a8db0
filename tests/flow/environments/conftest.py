"""Fixtures: ``sandbox`` and ``local`` run commands for real; ``marked`` finds what was left running."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from env_support import Marked, Runs

from sluicegate.flow.environments.changes import effects, turn
from sluicegate.flow.environments.confinement import cgroups
from sluicegate.flow.environments.run import running


@pytest.fixture
def sandbox(tmp_path: Path) -> Runs:
    return Runs(tmp_path, local=False)


@pytest.fixture
def local(tmp_path: Path) -> Runs:
    return Runs(tmp_path, local=True)


@pytest.fixture
def runs(request: pytest.FixtureRequest, tmp_path: Path) -> Runs:
    return Runs(tmp_path, local=request.param == "local")


@pytest.fixture(params=["groups", "no groups"])
def grouping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Limits as this machine can hold them, and as one holds them that has no control groups."""
    if request.param == "no groups":
        nowhere = cgroups.Hierarchies(version_1={}, version_2=None, controllers_2=frozenset())
        monkeypatch.setattr(running, "_hierarchies", lambda: nowhere)
    return request.param


COARSE = 5
"""The clock of Linux from which a file gets its times: CLOCK_REALTIME_COARSE, which ``time`` does not name."""


@pytest.fixture
def doubt_of_this_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Doubt as long as the clock of this kernel needs, and not the coarsest there is: every example waits until it is over."""
    ticks = round(2e9 * time.clock_getres(COARSE))
    assert 0 < ticks <= effects.UNSURE
    for module in (effects, turn):
        monkeypatch.setattr(module, "UNSURE", ticks)


@pytest.fixture
def marked() -> Iterator[Marked]:
    mark = Marked()
    yield mark
    for pid in mark.running():
        os.kill(pid, 9)
