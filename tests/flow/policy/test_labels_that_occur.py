"""A label that nothing ever has is refused in a policy and in a guard, with the one that must have been meant."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.errors import GuardError
from sluicegate.flow.guards.filters import Filter
from sluicegate.flow.labels import directories
from sluicegate.flow.labels.segments import as_given, segment
from sluicegate.flow.operations.leaves import leaf
from sluicegate.flow.policy.text.load import load_file
from sluicegate.flow.policy.text.problems import PolicyProblems
from sluicegate.flow.policy.text.vocabulary import meant_directory, meant_operation

NEVER = [
    ("op:cmd:g%69t", "op:cmd:git"), ("op:cmd:caf\u00e9", "op:cmd:caf%c3%a9"), ("op:cmd:npm:install:@x/y", "op:cmd:npm:install:%40x/y"),
    ("op:cmd:a%2Fb", "op:cmd:b"), ("op:cmd:git:%41dd", "op:cmd:git:Add"), ("op:cmd:a%", "op:cmd:a%25"), ("op:cmd:/usr/bin/git", "op:cmd:git"),
    ("op:cmd:git?", "op:cmd:git%3f"), ("op:sh:x", "op:sh"), ("op:read:/x", "op:read"), ("op:fetch:GET", "op:fetch:get"), ("op:mcp:git%68ub", "op:mcp:github"),
    ("op:interpreter:python", "op:py"), ("op:interpreter:sh", "op:sh"), ("op:cmd:%C3%A9", "op:cmd:%c3%a9"),
]  # fmt: skip
NOWHERE = [
    ("dir:/tmp/", "dir:/tmp"), ("dir:tmp", "dir:/tmp"), ("dir:/a/../b", "dir:/b"), ("dir:/a//b", "dir:/a/b"), ("dir:/a/./b", "dir:/a/b"),
    ("dir:/tmp/*", "dir:/tmp"), ("dir:~/x", "whole path"),
]  # fmt: skip


def refused(tmp_path: Path, text: str) -> str:
    """What is said against a policy; nothing where it is taken."""
    path = tmp_path / "p.toml"
    path.write_text(text)
    try:
        load_file(path)
    except PolicyProblems as error:
        return " ".join(f"{each.message} {each.hint}" for each in error.problems)
    return ""


@pytest.mark.parametrize(("label", "meant"), NEVER)
@pytest.mark.parametrize(
    "rule",
    ['[labels.secret]\ndeny = ["{}"]', '[labels.secret]\nallow = "{}"', '[operations]\n"{}" = "exfil"'],
)
def test_an_operation_that_there_cannot_be(tmp_path, label, meant, rule):
    assert f"Write {meant}." in refused(tmp_path, rule.format(label))
    assert refused(tmp_path, rule.format(meant)) == ""


@pytest.mark.parametrize(("label", "meant"), NOWHERE)
def test_a_directory_that_there_cannot_be(tmp_path, label, meant):
    assert meant in refused(tmp_path, f'[labels."{label}"]\ndeny = ["net:w"]')


@pytest.mark.parametrize(("label", "meant"), [*NEVER, *NOWHERE])
def test_guards_refuse_the_same(label, meant):
    with pytest.raises(GuardError) as error:
        Filter.of(label)
    assert meant in error.value.hint


@pytest.mark.parametrize("label", ["net:x", "fs:W", "code:inlined", "data:x"])
def test_what_only_we_give_is_one_of_what_we_give(tmp_path, label):
    assert "not a known operation label" in refused(tmp_path, f'[labels.secret]\ndeny = ["{label}"]')


@pytest.mark.parametrize("entry", ["fs:r:/srv/", "fs:w:~/.ssh/", "fs:rw:@base/out/"])
def test_a_folder_as_a_glob_says_what_it_means(tmp_path, entry):
    """``fs:r:/srv/`` denied to list the folder, and not to read a file in it."""
    assert f"{entry.split(':', 2)[2]}**" in refused(tmp_path, f'[capabilities]\ndeny = ["{entry}"]')
    assert refused(tmp_path, f'[capabilities]\ndeny = ["{entry}**"]') == ""


@pytest.mark.parametrize("name", [":x", "x:", ":"])
def test_a_tool_without_a_name(tmp_path, name):
    assert "names no tool" in refused(tmp_path, f'[arguments."{name}"]\nn = {{ max = 1 }}')


@given(st.lists(st.text(max_size=200), max_size=3))
def test_every_label_of_a_command_is_the_one_that_is_meant(words):
    made = leaf("cmd", "git", *words)
    assert meant_operation(made) == made


@given(st.sampled_from(["mcp", "call", "sign", "install", "output"]), st.text(max_size=200))
def test_so_is_every_other(kind, name):
    made = leaf(kind, name)
    assert meant_operation(made) == made


@given(st.text(max_size=80))
def test_what_is_meant_can_be(text):
    assert as_given(as_given(text)) == as_given(text)
    assert as_given(segment(text)) == segment(text)


def test_every_directory_of_a_file_is_the_one_that_is_meant():
    for name in directories("/srv/a b/c.d").names():
        assert meant_directory(name) == name


def test_to_append_is_to_write(tmp_path):
    assert refused(tmp_path, '[labels.secret]\nallow = ["op:write:append"]') == ""
