"""What several modules of these tests ask for."""

import os
from collections.abc import Callable, Iterator

import pytest

from sluicegate.flow.session.store import Store
from sluicegate.record.files.index import Index


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch):
    """What a loss of power would leave is not what is tested here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(autouse=True)
def no_database_left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests that need a monitor for two lines do not end it as programs do; Python complains of open databases."""
    opened: list[Index | Store] = []
    for kind in (Index, Store):

        def remembered(
            one: Index | Store,
            *arguments: object,
            begin: Callable[..., None] = kind.__init__,
            **named: object,
        ) -> None:
            begin(one, *arguments, **named)
            opened.append(one)

        monkeypatch.setattr(kind, "__init__", remembered)
    yield
    for one in opened:
        one.close()
