"""Every block of the specification and its pages, run: most to their end, the others to where the text, or this machine, ends them."""

import pytest
from script_runs import run
from seed_blocks import SeedBlock, blocks
from seed_files import prepare

from sluicegate.flow.errors import FlowError

ENDS = {
    "spec-006": ("elided", ""),
    "spec-007": ("no-keychain", ""),
    "spec-008": ("", "[]\n[]\n"),
    "spec-011": ("failed", ""),
    "spec-012": ("no-keychain", ""),
    "spec-022": ("not-constant", ""),
    "spec-027": ("command", ""),
    "spec-028": ("command", ""),
    "spec-037": ("no-module", ""),
    "spec-040": ("no-module", ""),
    "spec-042": ("no-module", ""),
    "spec-043": ("GUARD_BYPASS_BLOCKED", ""),
    "spec-046": ("not-run", ""),
    "spec-047": ("elided", ""),
    "spec-048": ("elided", ""),
    "spec-049": ("failed", ""),
    "spec-051": ("command", ""),
    "spec-055": ("no-servers", ""),
    "spec-066": ("elided", ""),
    "spec-072": ("no-module", ""),
    "spec-074": ("no-module", ""),
    "spec-075": ("no-module", ""),
    "spec-080": ("failed", ""),
    "spec-081": ("flow-error", ""),
    "spec-088": ("command", ""),
    "spec-089": ("not-constant", ""),
    "atoms-001": ("no-servers", ""),
    "atoms-015": ("GUARD_DENIED", ""),
    "atoms-020": ("policy", ""),
    "atoms-023": ("", '["influenced", "llm", "untrusted"]\n'),
    "atoms-024": ("", "true\ntrue\n"),
    "atoms-026": ("failed", ""),
    "atoms-028": ("", "false\n"),
    "atoms-030": ("", '["secret"]\n'),
    "atoms-031": ("GUARD_DENIED", ""),
    "atoms-032": ("", '["secret"]\n["secret"]\n[]\n'),
    "atoms-033": ("no-keychain", ""),
    "atoms-034": ("no-keychain", ""),
    "atoms-036": ("", '["secret"]\n'),
    "atoms-038": ("no-keychain", ""),
    "atoms-039": ("GUARD_DENIED", ""),
    "atoms-040": ("", None),
    "atoms-041": ("", '[\n  "src:exec"\n]\n'),
    "atoms-044": ("", "[]\n[]\n"),
    "atoms-047": ("flow-error", ""),
    "atoms-050": ("flow-error", ""),
    "atoms-053": ("command", ""),
    "atoms-064": ("command", ""),
}
"""How a block ends that does not go to its end without a word: the code of the error, and what it shows (None: its folder).

``elided`` and ``not-constant``: the text leaves something out. ``no-module``: it imports what nobody has. ``command``: its program is not
here. ``flow-error``: it names a signer whose key is not here. ``failed``: it signs a file that nobody vouches for, or its command does not
end well. ``no-keychain``: the text itself says later that scripts do not read it. ``no-servers``: these tests start none.
``not-run``: nothing carries it out yet.
"""
PROGRAMS = ("command", "failed")
"""Ends that depend on what is installed."""
NAMES = [block.name for block in blocks()]


@pytest.mark.parametrize("block", blocks(), ids=NAMES)
def test_a_block_runs_as_the_text_says(block: SeedBlock, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    folder = tmp_path / "work"
    folder.mkdir()
    prepare(folder)
    try:
        ran = run(block.script, folder=folder, signer="security-team")
        found = (ran.code, ran.out)
    except FlowError as error:
        found = (error.code, "")
    code, out = ENDS.get(block.name, ("", ""))
    if found[0] in PROGRAMS and code in PROGRAMS:
        return
    if not (found[0] in PROGRAMS and "claude" not in block.text and "run cmd" in block.text):
        assert found == (code, found[1] if out is None else out)


def test_few_blocks_are_not_carried_out():
    """A list that gets longer is a loss."""
    assert sum(code == "not-run" for code, _ in ENDS.values()) <= 10
    assert set(ENDS) <= set(NAMES)
