"""A home, a workspace and a clock of their own for every test."""

import pytest
from record_samples import TEXT, Place, make_place

from sluicegate.record.files.files import FileLabels


@pytest.fixture
def place(tmp_path) -> Place:
    return make_place(tmp_path)


@pytest.fixture
def ledger(place):
    with place.open() as ledger:
        yield ledger


@pytest.fixture
def files(place, ledger):
    files = FileLabels(ledger, tracked=(place.root,))
    yield files
    files.close()


@pytest.fixture
def secret(place, files):
    """A file that was written with the label ``secret``."""
    path = place.root / "secret.txt"
    path.write_bytes(TEXT)
    files.remember(path, ("secret",), "op:output")
    return path
