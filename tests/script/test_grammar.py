"""The parser accepts what the grammar accepts, and the layout of all of it says the same."""

from random import Random

import pytest
from grammar_programs import accepts, derive, mutated, written
from hypothesis import given, settings
from hypothesis import strategies as st
from seed_blocks import blocks

from sluicegate.script.layout import layout
from sluicegate.script.parse.program import parse
from sluicegate.script.source import SourceText

LONGEST = 120
"""Tokens of a program; Earley's algorithm is cubic where a grammar is ambiguous."""
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.name)
def test_the_grammar_has_every_block_of_the_specification(block):
    assert accepts(block.script)


@pytest.mark.parametrize("value", ["1", "*", "word", "-1", "true", "'a'", "(1)", "if @a [ => 1 ]"])
@pytest.mark.parametrize("step", [".b", "[0]", "(1)", "?.b.c"])
def test_what_stands_in_brackets_has_steps(value, step):
    text = f"show ({value}){step}"
    assert accepts(text)
    assert not parse(SourceText(text)).errors


@settings(max_examples=240)
@given(SEEDS, st.booleans())
def test_parser_and_grammar_accept_the_same_programs(seed, change):
    random = Random(seed)
    tokens = derive(random, random.randint(4, 16))[:LONGEST]
    text = written(mutated(random, tokens) if change else tokens)
    parsed = parse(SourceText(text))
    assert (not parsed.errors) == accepts(text), parsed.errors[:1]
    if not parsed.errors:
        once = layout(parsed)
        assert layout(parse(SourceText(once))) == once
