"""The tables: every block can be read, every role and reader that is named exists, and no program is in two blocks."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sluicegate.flow.operations.commands import analysis
from sluicegate.flow.operations.commands.registry import READERS, ROLES
from sluicegate.known.commands import tables
from sluicegate.known.commands.spec import WRAPPING, Spec, family, spec

assert analysis  # its import registers roles and readers
BLOCKS = [block.strip("\n") for block in tables.blocks().split("\n\n") if block.strip()]
NAMES = [name.strip() for block in BLOCKS for name in block.partition("\n")[0].split(",")]
WORDS = {
    "stop",
    "single",
    "plain",
    "inert",
    "attached",
    "strict",
    "alike",
    "shared",
    "shell",
    "sub",
    "answers",
}
OWN_ROLES = {"assign..."}  # read by the walk itself


def known(name: str) -> Spec:
    found = spec(name)
    assert found is not None
    return found


def wrong_in(name: str) -> list[str]:
    """What a block names that does not exist."""
    found = known(name)
    roles = [role for _, given in found.operands for role in given]
    roles += [role for option in found.options.values() for role in option.roles]
    wrong = [
        role
        for role in roles
        if role.removesuffix("...").removeprefix("+") not in ROLES and role not in WRAPPING | OWN_ROLES
    ]
    wrong += sorted(found.words - WORDS)
    wrong += [found.reader] if found.reader and found.reader not in READERS else []
    wrong += [option for option in found.options if not option.startswith("-")]
    wrong += [option for given, _ in found.operands for option in sorted(given - set(found.options))]
    return wrong


def test_every_block_can_be_read_and_names_only_what_exists():
    assert {name: wrong for name in NAMES if (wrong := wrong_in(name))} == {}
    assert len(NAMES) > 600


def test_no_program_is_in_two_blocks():
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []


def test_no_option_is_written_twice_in_a_block_with_different_meanings():
    wrong = []
    for block in BLOCKS:
        seen: dict[str, str] = {}
        for line in block.split("\n")[1:]:
            left, _, right = line.strip().partition(" = ")
            if left.startswith(("!", "*")):
                continue
            for name in re.split(r",? ", left):
                if name in seen and seen[name] != right:
                    wrong.append((block.partition("\n")[0][:40], name))
                seen[name] = right
    assert wrong == []


def test_whoever_starts_another_program_knows_all_of_its_options():
    for name in NAMES:
        found = known(name)
        if any(role in WRAPPING for _, given in found.operands for role in given):
            assert "strict" in found.words, name


def test_programs_that_share_a_block_and_start_another_are_said_to_be_alike():
    """An option that is a flag of one and takes a value in another would hide which program is started."""
    for block in BLOCKS:
        names = block.partition("\n")[0].split(",")
        found = known(names[0].strip())
        assert len(names) == 1 or "strict" not in found.words or "alike" in found.words, names


@pytest.mark.parametrize(
    ("name", "same"),
    [("python3.11", "python"), ("vim.basic", "vim"), ("gawk", "awk"), ("dash", "sh"), ("nc.openbsd", "nc"), ("ld-linux-x86-64.so.2", "ld.so"), ("gcc-12", "gcc"), ("nothing", "")],
)  # fmt: skip
def test_versions_and_makes_share_a_table(name, same):
    assert family(name) == (family(same) if same else "")
    assert bool(spec(name)) is bool(same)
