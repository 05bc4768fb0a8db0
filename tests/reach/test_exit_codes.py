from pathlib import Path

from click.testing import CliRunner

from sluicegate.reach.cli.group import cli
from sluicegate.reach.exit_codes import GATE, TABLE, in_markdown
from sluicegate.vet.verdict.types import Decision

ROOT = Path(__file__).resolve().parents[2]


def test_the_gate_gives_codes_of_the_table_only():
    known = {row.code for row in TABLE}
    for codes in GATE.values():
        assert set(codes) == set(Decision.__members__)
        assert set(codes.values()) <= known
    assert GATE["caution"] == {"SAFE": 0, "CAUTION": 3, "DO_NOT_INSTALL": 1}


def test_the_table_stands_in_help_readme_and_docs():
    for command in ([], ["scan"]):
        shown = CliRunner().invoke(cli, [*command, "--help"], terminal_width=100).output
        for row in TABLE:
            assert f"  {row.code:<3}  {row.gate}\n" in shown
    for page in ("README.md", "docs/reports.md"):
        assert in_markdown() in (ROOT / page).read_text(encoding="utf-8")
