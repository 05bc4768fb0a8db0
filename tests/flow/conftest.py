"""What several modules of these tests ask for."""

import os

import pytest


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch):
    """What a loss of power would leave is not what is tested here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
