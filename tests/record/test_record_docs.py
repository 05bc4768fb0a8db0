"""The pages say what the code says: every event, fault and reason; the examples run."""

import re
from pathlib import Path

import pytest

from sluicegate.record.ledger import events
from sluicegate.record.ledger.verifying import Fault
from sluicegate.record.signatures.signatures import Reason

DOCS = Path(__file__).resolve().parents[2] / "docs"
LEDGER, SIGNING = (DOCS / "ledger.md").read_text(), (DOCS / "signing.md").read_text()


def _named_in_tables(page: str) -> set[str]:
    rows = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_every_event_and_fault_is_explained_and_no_other():
    named = {name for name in _named_in_tables(LEDGER) if " " not in name}
    assert named - {"blessed", "denied"} == set(events.KINDS) | set(Fault)


def test_every_reason_is_explained():
    assert set(Reason) <= _named_in_tables(SIGNING)


@pytest.mark.parametrize("page", [LEDGER, SIGNING], ids=["ledger", "signing"])
def test_the_examples_run(page, tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "home"))
    exec(code, {})
