"""Every block of the specification validates, or is a fragment that does not without its context and does with it."""

import pytest
from seed_blocks import SeedBlock, blocks

from sluicegate.script.diagnostics import ERROR
from sluicegate.script.parse.program import parse
from sluicegate.script.resolve.resolve import resolve
from sluicegate.script.source import SourceText
from sluicegate.script.tree.statements import ProseStatement

BLOCKS = blocks()


def errors(text: str) -> list[str]:
    parsed = parse(SourceText(text))
    assert not any(isinstance(each, ProseStatement) for each in parsed.tree.statements)
    return [
        f"{parsed.source.place(each.start).line}: {each.code}: {each.message}"
        for each in (*parsed.errors, *resolve(parsed))
        if each.severity == ERROR
    ]


def test_all_blocks_are_here() -> None:
    """88 of the specification and one in a numbered list, one of the page that was asked for, 64 of the other pages."""
    names = [each.name.partition("-")[0] for each in BLOCKS]
    assert (names.count("spec"), names.count("atoms")) == (89, 65)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.name)
def test_a_block_validates_or_is_a_fragment(block: SeedBlock) -> None:
    assert errors(block.script) == []
    assert bool(errors(block.text)) == block.fragment
