"""What is read without ``click`` is what ``click`` reads; all else is left to it."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.reach.cli.commands.scan import scan
from sluicegate.reach.cli.group import cli
from sluicegate.reach.cli.scans.words import COMPLETION, FLAGS, MANY_VALUES, ONE_VALUE, UNSAID, plain_scan

OPTIONS = {name: option for option in scan.params if isinstance(option, click.Option) for name in option.opts}
WORDS = st.one_of(
    st.sampled_from(sorted({*OPTIONS, *FLAGS, *MANY_VALUES, *ONE_VALUE})),
    st.sampled_from(["-", "--", "-h", "-qv", "-fjson", "--format=json", "--fail", "", " ", "skill", "json:x.json"]),
    st.text(max_size=6),
)  # fmt: skip


def as_click_reads(words):
    """What ``click`` hands to the command. Raises what it makes of words that it refuses."""
    # Below the group, whose help options the command keeps from the first time on.
    with click.Context(cli, info_name="sluicegate", **cli.context_settings) as group:
        return scan.make_context("scan", list(words), parent=group).params


@given(st.lists(WORDS, max_size=6))
def test_both_read_the_same(words):
    told = plain_scan(["scan", *words], {})
    if told is not None:
        assert told == as_click_reads(words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["skill"],
        ["-"],
        ["one", "", "two"],
        ["skill", "-q", "--verbose", "--no-config"],
        ["-f", "json", "--format", "sarif", "skill", "-o", "a.json", "--fail-on", "never"],
        ["--fail-on", "never", "--fail-on", "caution", "skill"],
    ],
)
def test_what_most_scans_are_told_is_read_here(words):
    told = plain_scan(["scan", *words], {})
    assert told is not None
    assert told == as_click_reads(words)


@pytest.mark.parametrize(
    "words",
    [
        ["--", "skill"],
        ["-h"],
        ["--help"],
        ["-qv"],
        ["--format=json"],
        ["--format"],
        ["--format", ""],
        ["--format", "-q"],
        ["--fail-on", " "],
        ["--jobs", "2"],
        ["--no-such-option"],
        ["skill", "--changed"],
    ],
)
def test_all_else_is_left_to_click(words):
    assert plain_scan(["scan", *words], {}) is None


def test_other_commands_and_a_shell_that_asks_are_left_to_click():
    assert plain_scan([], {}) is None
    assert plain_scan(["review", "skill"], {}) is None
    assert plain_scan(["scan", "skill"], {COMPLETION: "bash_complete"}) is None


def test_the_tables_say_what_is_declared():
    assert as_click_reads([]) == {**UNSAID, "targets": ()}
    for name, field in FLAGS.items():
        assert as_click_reads([name])[field] is True
    for name, field in ONE_VALUE.items():
        assert as_click_reads([name, "x"])[field] == "x"
    for name, field in MANY_VALUES.items():
        assert as_click_reads([name, "x", name, "y"])[field] == ("x", "y")
