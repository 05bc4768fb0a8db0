"""What a fingerprint rests on is made once for what many findings share, however long it is."""

from hypothesis import given
from hypothesis import strategies as st

from sluicegate import ScanConfig
from sluicegate.vet.inspect.fingerprints import traces
from sluicegate.vet.inspect.fingerprints.fingerprint import constants
from sluicegate.vet.scanner import Scanner


def test_a_line_with_many_findings_is_read_once(tmp_path, monkeypatch):
    (tmp_path / "SKILL.md").write_text("---\nname: rows\ndescription: Rows.\n---\nSee the rows.\n")
    (tmp_path / "rows.csv").write_text(" ".join(f"coin-hive java{number}" for number in range(400)))
    read, lines = [], traces._lines
    monkeypatch.setattr(traces, "_lines", lambda *given: read.append(given[0].path) or lines(*given))
    with Scanner(ScanConfig()) as scanner:
        report = scanner.scan(tmp_path)
    found = [each for each in report.skills[0].verdict.findings if each.location.path == "rows.csv"]
    assert found
    assert read.count("rows.csv") <= 2


@given(st.lists(st.lists(st.text(" \ta\nb", max_size=6), max_size=4), max_size=4))
def test_what_is_remembered_changes_nothing(all_traces):
    known = {}
    for trace in all_traces:
        assert (
            constants(trace, known) == constants(trace) == tuple(sorted({" ".join(c.split()) for c in trace}))
        )
