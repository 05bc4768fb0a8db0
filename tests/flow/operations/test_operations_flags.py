"""Options: however they are written, the flags and words that rules see are the same; nothing is hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operation_samples import CWD, HERE, requests

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import command
from sluicegate.flow.policy.request import CommandView


def view(text: str, **values: object) -> CommandView:
    found = requests(text, **values)[0].command
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf x", "rm -fr x", "rm -r -f x", "rm -f -r x", "rm --recursive --force x", "rm --force x --recursive", "rm --rec --for x", "rm x -rf", "rm -Rf x", "rm -rvf x",
        "rm -if -r x", "rm --force --interactive=never -R x",
    ],
)  # fmt: skip
def test_the_same_options_are_the_same_flags(text):
    found = view(text)
    assert {"-r", "-R", "--recursive", "-f", "--force"} <= found.flags
    assert found.words == ("x",)
    assert found.words_known


def test_behind_two_dashes_nothing_is_an_option():
    found = view("rm -- -rf")
    assert not found.flags
    assert found.words == ("-rf",)
    assert found.arguments == ("--", "-rf")


@pytest.mark.parametrize(
    ("text", "words", "flags"),
    [
        ("git -C /src -c user.name=x push origin", ("push", "origin"), {"-C", "-c"}),
        ("git --git-dir=/x --no-pager log -n5", ("log",), {"--git-dir", "--no-pager", "-n"}),
        ("git push --force-with-lease=a origin b", ("push", "origin", "b"), {"--force-with-lease"}),
        ("git push origin +b", ("push", "origin", "+b"), {"--force", "-f"}),
        ("git remote add -f up http://a.b", ("remote", "add", "up", "http://a.b"), {"-f"}),
        ("docker container run --rm alpine ls", ("container", "run", "alpine"), {"--rm"}),
        ("npm --prefix src run test --silent", ("run", "test"), {"--prefix", "--silent", "-s"}),
        ("kubectl -n x delete pod y", ("delete", "pod", "y"), {"-n", "--namespace"}),
        (
            "curl -sSfLo out -XPOST http://a.b",
            ("http://a.b",),
            {"-s", "-S", "-f", "-L", "-o", "-X", "--request"},
        ),
        ("curl --upl a http://a.b", ("http://a.b",), {"--upload-file", "-T"}),
        ("tar xzf a.tar -C /x", (), {"-x", "-z", "-f", "-C", "--extract"}),
        ("find . -type f -delete", (".",), {"-type", "-delete"}),
        (
            "grep -rn -e a --include='*.py' src",
            ("src",),
            {"-r", "-n", "-e", "--include", "--recursive"},
        ),
    ],
)
def test_words_are_without_options_and_their_values(text, words, flags):
    found = view(text)
    assert found.words == words
    assert flags <= found.flags


def test_an_option_that_is_not_known_hides_nothing():
    found = view("frobnicate -abc --level high destroy --out=x")
    assert {"-abc", "-a", "-b", "-c", "--level", "--out"} <= found.flags
    assert found.words == ("high", "destroy")
    assert not found.words_known


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("git status", {"op:cmd:git:status"}),
        ("git -C /x -c user.name=a --no-pager status -s", {"op:cmd:git:status"}),
        ("git remote add a b", {"op:cmd:git:remote:add"}),
        ("npm run test", {"op:cmd:npm:run:test", "op:interpreter:npm"}),
        ("npm run test:unit", {"op:cmd:npm:run:test%3aunit", "op:interpreter:npm"}),
        ("docker container exec box ls", {"op:cmd:docker:container:exec"}),
        ("ls -la src", {"op:cmd:ls"}),
        ("echo hello", {"op:cmd:echo"}),
        ("frobnicate", {"op:cmd:frobnicate"}),
        ("frobnicate status", {"op:cmd:frobnicate:status"}),
        ("frobnicate status all now more", {"op:cmd:frobnicate:status:all:now"}),
        ("frobnicate ./file", {"op:cmd:frobnicate"}),
        ("frobnicate --config=x status", {"op:cmd:frobnicate:status"}),
        (
            "frobnicate --config status destroy",
            {"op:cmd:frobnicate:status:destroy", "op:cmd:frobnicate:destroy"},
        ),
        (
            "frobnicate -a b -c d destroy x",
            {"op:cmd:frobnicate:b", "op:cmd:frobnicate:d:destroy:x", "op:cmd:frobnicate:destroy:x"},
        ),
    ],
)
def test_leading_words_are_subcommands_in_every_reading(text, leaves):
    assert set(requests(text)[0].leaves) == leaves


def test_a_value_that_turns_out_to_be_a_subcommand_is_one():
    assert requests("frobnicate {x}", x="destroy")[0].leaves == ("op:cmd:frobnicate:destroy",)
    assert requests("frobnicate db {x}", x="destroy")[0].leaves == ("op:cmd:frobnicate:db:destroy",)
    assert requests("frobnicate {x}", x="a b")[0].leaves == ("op:cmd:frobnicate",)
    assert requests("frobnicate ./{x}", x="destroy")[0].leaves == ("op:cmd:frobnicate",)


def test_declared_labels_are_leaves_of_everything_that_is_started():
    defined = command("env curl http://a.b", programs=HERE, cwd=CWD, labels=("net:w", "exfil"))
    assert defined.labels == ("net:w", "exfil")
    (operation,) = defined.operations()
    assert operation.leaves == ("op:cmd:env", "op:cmd:curl", "net:w", "exfil")


_OPTIONS = st.sampled_from(
    ["-r", "-f", "-rf", "-fr", "--recursive", "--force", "--rec", "-v", "-i", "x", "y", "-Rfv"]
)


@given(st.lists(_OPTIONS, min_size=1, max_size=6))
def test_flags_do_not_depend_on_the_order_or_the_grouping(words):
    text = " ".join(words)
    wanted = {letter for word in words if word[0] == "-" and word[1] != "-" for letter in word[1:]}
    wanted |= {"r" for word in words if word.startswith("--rec")} | {
        "f" for word in words if word == "--force"
    }
    found = view(f"rm {text}")
    assert {f"-{letter}" for letter in wanted} <= found.flags
    assert found.words == tuple(word for word in words if word[0] != "-")


@given(
    st.text(alphabet="-abcxfr=/. 'é", max_size=12),
    st.sampled_from(["rm", "git log", "curl", "tar -x", "frobnicate", "find ."]),
)
def test_every_argument_is_a_flag_or_a_word_or_the_value_of_one(text, start):
    try:
        found = view(f"{start} '" + text.replace("'", "") + "'")
    except CommandError:
        return
    argument = found.arguments[-1]
    assert argument == text.replace("'", "")
