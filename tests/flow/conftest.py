"""What several modules of these tests ask for."""

import os
from collections.abc import Iterator

import pytest

from sluicegate.record.files.index import Index


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch):
    """What a loss of power would leave is not what is tested here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(autouse=True)
def no_index_left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests that need a monitor for two lines do not end it as programs do; Python complains of open databases."""
    opened: list[Index] = []
    begin = Index.__init__

    def remembered(index: Index, *arguments: object, **named: object) -> None:
        begin(index, *arguments, **named)
        opened.append(index)

    monkeypatch.setattr(Index, "__init__", remembered)
    yield
    for index in opened:
        index.close()
