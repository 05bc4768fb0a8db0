"""Filling holes: a value stays in its argument, whatever it is, and what a program would act on is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operation_samples import CWD, HERE, argv, filled

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import Programs, command, fill
from sluicegate.flow.operations.commands.command import LONGEST

HOSTILE = [
    "-rf", "--force", "-", "--", "; id", "| id", "$(id)", "`id`", "&& id", "> /etc/passwd", "a b", "a\tb", "a\nb", "'", '"', "\\", "*",
    "~", "$HOME", "%s", "{}", "{x}", "@x", "", " ", "\x1b[31m", "\u202e", "é", "\udcff", "A=b", "#", "!", "-calias.x=!id", "\x00"[:0], "+x",
]  # fmt: skip
TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30).filter(lambda text: "\0" not in text))


@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=4))
def test_no_value_changes_the_number_of_arguments_or_the_program(one, two, many):
    try:
        found = filled("printf -- '%s' {one} a{two}b {one} {many...} end", one=one, two=two, many=many)
    except CommandError as error:
        assert "encoded" in error.message  # the only reason behind '--'
        return
    assert found.argv == ("printf", "--", "%s", one, f"a{two}b", one, *many, "end")
    assert found.program.real == "/usr/bin/printf"


@pytest.mark.skipif(shutil.which("printf") is None, reason="needs the program printf")
@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=4))
def test_what_arrives_at_a_real_program_is_what_was_filled_in(one, two, many):
    defined = command("printf -- '%s\\0' {one} a{two}b {many...}", programs=Programs(), cwd="/")
    (operation,) = defined.operations({"one": one, "two": two, "many": many})
    try:
        found = fill(operation, lambda value: value)
    except CommandError:
        return
    ran = subprocess.run(found.argv, executable=found.program.real, capture_output=True, check=True, env={})
    expected = [one, f"a{two}b", *many]
    assert ran.stdout == b"".join(each.encode("utf-8", "surrogateescape") + b"\0" for each in expected)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("frobnicate {x}", "-x"),
        ("frobnicate a {x}", "--x"),
        ("frobnicate -v {x}", "-x"),
        ("frobnicate {x}b", "-"),
        ("frobnicate {x}-b", ""),
        ("grep {x} notes.md", "-f/etc/passwd"),
        ("git log {x}", "--output=/tmp/x"),
        ("git log -s {x}", "--output=/tmp/x"),
        ("git checkout {x}", "-b"),
        ("git push origin {x}", "+main"),
        ("git push origin {x}", ":main"),
        ("git push origin {x}", "main:other"),
        ("git clone {x}", "ext::sh -c id"),
        ("git clone {x}", "--upload-pack=id"),
        ("find {x} -name a", "-delete"),
        ("find {x} -name a", "!"),
        ("find -- {x}", "-delete"),
        ("curl {x}", "-K/tmp/x"),
        ("curl -d {x} http://a.b", "@/etc/passwd"),
        ("curl --data={x} http://a.b", "@/etc/passwd"),
        ("curl -F a={x} http://a.b", "@/etc/passwd"),
        ("curl -F a={x} http://a.b", "</etc/passwd"),
        ("curl -H {x} http://a.b", "@/etc/passwd"),
        ("curl -H 'X: '{x} http://a.b", "a\r\nY: b"),
        ("tar -cf {x} src", "host:file"),
        ("tar xf {x}", "a:b"),
        ("ssh {x} ls", "-oProxyCommand=id"),
        ("vim {x}", "+:!id"),
        ("less {x}", "+!id"),
        ("strace -o {x} ls", "|id"),
        ("strace -o {x} ls", "!id"),
        ("perl -ne print {x}", "id |"),
        ("xargs -a {x} rm", "-x"),
        ("dd {x}", "of=/dev/sda"),
    ],
)
def test_a_value_that_would_be_more_than_data_is_refused(text, value):
    with pytest.raises(CommandError) as caught:
        argv(text, x=value)
    assert caught.value.hint
    shown = caught.value.diagnostics().replace(repr(text), "").replace(text, "")
    assert len(value) < 3 or value not in shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("frobnicate -- {x}", "-x"),
        ("frobnicate --name={x}", "-x"),
        ("frobnicate ./{x}", "-x"),
        ("frobnicate {x:option}", "-x"),
        ("frobnicate {x}", "x -y"),
        ("git commit -m {x}", "-m; --amend"),
        ("git log --grep={x}", "--output=/tmp/x"),
        ("git log -- {x}", "-x"),
        ("git push origin HEAD:{x}", "+main"),
        ("grep -e {x} notes.md", "-f/etc/passwd"),
        ("grep -- {x} notes.md", "-f/etc/passwd"),
        ("find . -name {x}", "-delete"),
        ("find ./{x}", "-delete"),
        ("curl --data-raw {x} http://a.b", "@/etc/passwd"),
        ("curl --form-string a={x} http://a.b", "@/etc/passwd"),
        ("tar -c --force-local -f {x} src", "a:b"),
        ("sh -c 'echo \"$1\"' sh {x}", "$(id)"),
        ("awk -v a={x} '{print a}'", "system()"),
        ("python3 -c 'import sys' {x}", "__import__"),
        ("echo {x}", "-n"),
        ("dd if={x} of=out", "a,of=b"),
    ],
)
def test_the_way_forward_that_an_error_names_works(text, value):
    found = argv(text, x=value)
    assert any(value in each for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "env {x} git status", "env {x}", "nice {x}", "timeout 5 {x}", "xargs {x}", "xargs -I '{}' {x}", "sudo {x} ls", "sh -c {x}",
        "sh -c 'echo {x}'\"{x}\"", "bash -c {x}", "sh {x}", "bash -{x}", "python3 -c {x}", "python3 -c 'a'{x}", "python3 {x}", "python3 -m {x}",
        "node -e {x}", "node -pe {x}", "perl -e {x}", "perl -M{x} -e 1", "ruby -e {x}", "php -r {x}", "git {x}", "git -c {x} log", "git -c alias.x={x} x",
        "git -c core.pager={x} log", "git --exec-path={x} log", "git bisect run {x}", "git submodule foreach {x}", "git rebase -x {x}",
        "git difftool -x {x}", "git config {x} y", "find . {x}y -exec {x} \\;", "find . -{x}", "find . -exec {x} \\;",
        "tar --to-command={x} -xf a", "tar --checkpoint-action={x} -xf a", "tar -I {x} -xf a", "tar {x} a", "tar -T {x} -cf a", "rsync -e {x} a b:",
        "ssh host {x}", "ssh host ls {x}", "ssh -o {x} host", "ssh -o ProxyCommand={x} host", "ssh -F {x} host", "awk {x}", "awk -f {x}", "sed {x} a",
        "sed -e {x} a", "sed 's/a/'{x}'/' a", "sed -f {x} a", "vim -c {x}", "vim +{x}", "vim -S {x}", "man -P {x} ls", "sort --compress-program={x} a",
        "split --filter={x} a", "make {x}", "make CC={x}", "make -f {x}", "make -C {x}", "docker {x}", "docker run img {x}", "docker run --entrypoint {x} img",
        "docker run -v {x} img", "npx {x}", "npx -c {x}", "watch {x}", "watch ls {x}", "script -c {x}", "su -c {x}", "flock /tmp/l {x}", "flock /tmp/l -c {x}",
        "busybox {x}", "busybox sh -c {x}", "psql -c {x}", "sqlite3 -cmd {x}", "jq {x}", "curl -K {x}", "kubectl {x}", "strace {x}", "/usr/lib/ld-linux-x86-64.so.2 {x}",
        "frobnicate -{x}", "frobnicate --{x}=1", "frobnicate --a{x}", "frobnicate -a{x}", "parallel {x}", "nsenter -t 1 {x}", "chroot /x {x}", "unshare {x}", "bwrap --bind / / {x}",
        "timeout {x...} ls", "git commit -m {x...}", "socat - {x}", "crontab -l | sh -c {x}",
    ],
)  # fmt: skip
def test_a_hole_where_code_or_a_program_is_expected_is_refused_when_the_command_is_defined(text):
    with pytest.raises(CommandError) as caught:
        command(text, programs=HERE, cwd=CWD)
    assert caught.value.hint
    assert "there is no program" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("a\0b", "NUL"),
        ("a" * (LONGEST + 1), "longer"),
        ("\ud800", "encoded"),
        (None, "NoneType"),
        (b"a", "bytes"),
        ({"a": 1}, "dict"),
        ([], "empty"),
        (["a", "\0"], "NUL"),
        (["a", ["b"]], "list"),
    ],
)
def test_what_no_argument_can_be_is_refused(content, reason):
    with pytest.raises(CommandError, match=reason):
        argv("cat -- {x...}", x=content)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (5, "5"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (Path("/a/b"), "/a/b"),
        ("", ""),
        ("\udcff", "\udcff"),
    ],
)
def test_numbers_paths_and_truth_are_written_out(content, text):
    assert argv("cat -- {x}", x=content) == ("cat", "--", text)


def test_a_list_fills_only_a_hole_for_lists_and_a_value_both():
    assert argv("cat {x...}", x=["a", "b"]) == ("cat", "a", "b")
    with pytest.raises(CommandError, match="could be an option"):
        argv("cat {x...}", x=["a", "-b"])
    with pytest.raises(CommandError, match="takes one value"):
        argv("cat a{x}", x=["a"])


def test_an_argument_that_grows_too_long_is_refused():
    with pytest.raises(CommandError, match="longer"):
        argv("cat -- {x}{x}", x="é" * (LONGEST // 3))


def test_values_must_be_those_of_the_holes():
    defined = command("cat {x}", programs=HERE, cwd=CWD)
    with pytest.raises(CommandError, match="no value for the hole 'x'"):
        defined.operations({})
    with pytest.raises(CommandError, match="no hole 'y'"):
        defined.operations({"x": "a", "y": "b"})


@pytest.mark.parametrize(
    "name",
    [
        "AR",
        "TF_CLI_ARGS",
        "PIP_INDEX_URL",
        "GH_PAGER",
        "PYTEST_ADDOPTS",
        "CFLAGS",
        "KUBE_EDITOR",
        "PATH",
        "LD_PRELOAD",
        "GIT_SSH_COMMAND",
        "GIT_TRACE",
        "SLUICEGATE_POLICY",
        "DBUS_SYSTEM_BUS_ADDRESS",
        "OMPI_MCA_plm_rsh_agent",
        "BASH_ENV",
        "PYTHONPATH",
        "git_dir",
        "A=B",
        "",
        "a\n",
    ],
)
def test_no_value_is_given_as_a_variable_that_decides_what_runs(name):
    defined = command("git status", programs=HERE, cwd=CWD)
    with pytest.raises(CommandError, match="environment variable"):
        defined.operations(environment={name: "x"})


def test_other_variables_and_standard_input_go_into_the_operation():
    defined = command("git log | grep -e {x}", programs=HERE, cwd=CWD)
    first, second = defined.operations({"x": "a"}, stdin="in", environment={"GITHUB_TOKEN": "t"})
    assert [(each.name, str(each.channel)) for each in first.arguments] == [
        ("stdin", "stdin"),
        ("GITHUB_TOKEN", "environment"),
    ]
    assert [(each.name, str(each.channel)) for each in second.arguments] == [
        ("x", "argument"),
        ("GITHUB_TOKEN", "environment"),
    ]


def test_a_value_that_may_be_an_option_is_read_as_the_program_would():
    found = filled("git log {x:option}", x="--output=/tmp/x")
    assert "--output" in found.stage.effects[0].flags
    assert [use.mode for use in found.stage.effects[0].uses] == ["w"]
    with pytest.raises(CommandError, match="could change which program"):
        argv("git {x:option} log", x="-p")
    with pytest.raises(CommandError, match="could change which program"):
        argv("nice {x:option} ls", x="-n")
    with pytest.raises(CommandError, match="filled by a value"):
        argv("sed {x:option} {y}", x="-n", y="p")


def test_an_error_says_which_hole_and_never_what_was_in_it():
    secret = "-sk-live-1234567890"
    with pytest.raises(CommandError) as caught:
        argv("grep {pattern} notes.md", pattern=secret)
    assert "'pattern'" in caught.value.message
    assert not re.search("sk-live", caught.value.diagnostics() + repr(caught.value))
