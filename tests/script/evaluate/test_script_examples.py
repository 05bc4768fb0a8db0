"""The examples run, and show what they say."""

from pathlib import Path

import pytest
from script_runs import run

EXAMPLES = Path(__file__).parents[3] / "examples" / "scripts"
SHOWS = {
    "secrets-stay": [
        "posted to dev: the build is green",
        "kept here: Data labelled secret cannot flow to net:w",
        '["secret"]',
    ],
    "guarded": ["dropped scratch_1", "refused: Only scratch tables are dropped", "customer ****"],
    "modules": ["Hello Ada", "Hallo Emmy", "Hi Li"],
}


@pytest.mark.parametrize("name", SHOWS)
def test_an_example_runs(name):
    ran = run((EXAMPLES / f"{name}.mld").read_text(), folder=EXAMPLES)
    lines = ran.out.splitlines()
    assert (ran.error, ran.told, len(lines)) == (None, [], len(SHOWS[name]))
    assert all(line.startswith(begin) for line, begin in zip(lines, SHOWS[name], strict=True))


def test_all_examples_are_tried():
    """``audit-guard`` asks a model: ``tests/reach/cli/test_audit_guard_script.py`` runs it."""
    assert {path.stem for path in EXAMPLES.glob("*.mld")} == {*SHOWS, "audit-guard"}
