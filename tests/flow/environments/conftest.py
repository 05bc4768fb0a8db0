"""Fixtures: ``sandbox`` and ``local`` run commands for real; ``marked`` finds what was left running."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from env_support import Marked, Runs

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


@pytest.fixture
def marked() -> Iterator[Marked]:
    mark = Marked()
    yield mark
    for pid in mark.running():
        os.kill(pid, 9)
