"""Hard links that a command makes in the sandbox are told, and made all the same."""

import os
from pathlib import Path

import pytest
from env_support import Runs, needs_bubblewrap

from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.confinement import seccomp
from sluicegate.flow.environments.errors import Cancelled
from sluicegate.flow.environments.run.command import Command, Limit, Stage

pytestmark = needs_bubblewrap
ALL_WAYS = """
import ctypes, os
os.link("a", "b")
os.link("a", "c", src_dir_fd=os.open(".", os.O_RDONLY))
made = os.open(".", os.O_TMPFILE | os.O_WRONLY)
os.link(f"/proc/self/fd/{made}", "d", src_dir_fd=made, follow_symlinks=True)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a").write_text("x")
    return tmp_path / "w"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("cat a; echo y >b; mkdir d; mv b d; cp a c; ln -s a s; chmod 600 a; rm -r d", False),
        ("ln a b", True),
        ("mkdir d; ln a d/x; rm -r d", True),
        ("ln a nowhere/x", True),
        ("(sleep 0; ln a b) & wait", True),
        ("exec sh -c 'exec ln a b'", True),
    ],
)
def test_whether_there_was_a_link(sandbox: Runs, tree: Path, words, said):
    done = sandbox("sh", "-c", words, cwd=str(tree), fs={"write": [str(tree)]})
    assert done.links == said
    assert (tree / "b").exists() == ("ln a b" in words)


def test_every_way_to_make_one_works(sandbox: Runs, tree: Path):
    done = sandbox.python(ALL_WAYS, cwd=str(tree), fs={"write": [str(tree)]})
    assert (done.codes, done.stderr, done.links) == ((0,), b"", True)
    assert sorted(os.listdir(tree)) == ["a", "b", "c", "d"]


def test_in_any_stage(sandbox: Runs, tree: Path):
    for first, then in ((("ln", "a", "b"), ("cat",)), (("true",), ("ln", "a", "c"))):
        assert sandbox(*first, then=(then,), cwd=str(tree), fs={"write": [str(tree)]}).links
    assert not sandbox("true", then=(("cat",),), cwd=str(tree), fs={"write": [str(tree)]}).links


def test_a_thousand_of_them(sandbox: Runs, tree: Path):
    words = "import os, threading\ndef some(n):\n for k in range(250): os.link('a', f'{n}-{k}')\n"
    words += "threads = [threading.Thread(target=some, args=(n,)) for n in range(4)]\n"
    words += "[each.start() for each in threads]; [each.join() for each in threads]"
    done = sandbox.python(words, cwd=str(tree), fs={"write": [str(tree)]})
    assert (done.codes, done.stderr, done.links) == ((0,), b"", True)
    assert (tree / "a").stat().st_nlink == 1001


def test_one_that_is_killed_meanwhile(sandbox: Runs, tree: Path):
    words = "while :; do ln -f a b; sleep 0.01; done"
    done = sandbox("sh", "-c", words, cwd=str(tree), fs={"write": [str(tree)]}, limits={"time": "1500ms"})
    assert (done.killed_for, done.links) == (Limit.TIME, True)


def test_the_program_holds_nothing_by_which_links_are_told(sandbox: Runs, tree: Path):
    """It could allow its own."""
    said = sandbox.says("import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])")
    assert said == "[0, 1, 2]"


@pytest.mark.parametrize("telling", [(0, b""), (999_999, b"\0" * 8)], ids=["no machine", "no such call"])
def test_where_the_kernel_does_not_tell_there_may_have_been_one(
    sandbox: Runs, tree: Path, monkeypatch, telling
):
    monkeypatch.setattr(seccomp, "telling", lambda _: telling)
    done = sandbox("cat", "a", cwd=str(tree), fs={"write": [str(tree)]})
    assert (done.stdout, done.links) == (b"x", True)


def test_without_a_sandbox_there_may_have_been_one(local: Runs):
    assert local("true").links


def test_cancelling_one_that_links(sandbox: Runs, tree: Path):
    reader, writer = os.pipe()
    provider = sandbox.provider()
    config = read_environment({"fs": {"write": [str(tree)]}}, base=tree)
    words = ("sh", "-c", "ln a b; echo; while :; do ln -f a b; done")
    os.write(writer, b"c")
    with pytest.raises(Cancelled):
        provider.execute(provider.create(config), Command(stages=(Stage(argv=words),)), cancel=reader)
    os.close(reader)
    os.close(writer)
