"""Whatever a program does to a tree is found: by a listing from before another command, and by watching."""

import hashlib
import json
import os
import time
from pathlib import Path

import pytest
from env_support import Runs, both, needs_bubblewrap
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluicegate.flow.environments.changes import effects
from sluicegate.flow.environments.changes.effects import (
    Changes,
    changed_files,
    roots_of,
    snapshot_roots,
    usable_again,
)
from sluicegate.flow.environments.changes.turn import Turn
from sluicegate.flow.environments.changes.watched import Watched
from sluicegate.flow.environments.configuration.reading import read_environment

PROGRAM = """
import json, mmap, os, sys

def write(a, b):
    with open(a, "w") as file: file.write(b)
def append(a, b):
    with open(a, "a") as file: file.write(b)
def cut(a, b): os.truncate(a, 0)
def over(a, b):
    write(a + "~", b); os.replace(a + "~", a)
def move(a, b): os.replace(a, b)
def link(a, b): os.link(a, b)
def through(a, b):  # by another name that is gone afterwards, in a folder that is gone, too
    os.mkdir("gone"); os.link(a, "gone/x"); append("gone/x", b); os.unlink("gone/x"); os.rmdir("gone")
def mode(a, b): os.chmod(a, 0o600 ^ os.stat(a).st_mode & 0o777 ^ 0o040)
def forged(a, b):
    was = os.stat(a); append(a, b); os.utime(a, ns=(was.st_atime_ns, was.st_mtime_ns))
def mapped(a, b):
    if os.path.getsize(a) == 0: write(a, "x")
    was = os.stat(a)
    with open(a, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory: memory[0] ^= 1
    os.utime(a, ns=(was.st_atime_ns, was.st_mtime_ns))
def later(a, b):  # by a child that outlives its parent, if it is let
    if os.fork() == 0:
        if os.fork() == 0: append(a, b)
        os._exit(0)
    os.wait()
def folder(a, b): os.mkdir(b)
def renamed(a, b): os.rename("sub", "sub2")
def swap(a, b):  # every path stays, and each stands for another file
    os.rename("sub", "aside"); os.rename("other", "sub"); os.rename("aside", "other")
def inner(a, b):
    os.mkdir("deep"); os.mkdir("deep/er"); write("deep/er/" + a.replace("/", "_"), b)
def away(a, b): os.unlink(a)
def read(a, b): open(a).read()
def look(a, b): os.listdir("."); os.stat(a)

for name, a, b in json.loads(sys.argv[1]):
    try: globals()[name](a, b)
    except OSError: pass
"""
pytestmark = pytest.mark.usefixtures("doubt_of_this_clock")
NAMES = ("a", "b", "sub/c", "sub/d", "new", "sub/new", "sub/below/e", "twin")
NOTHING = Changes(created=(), modified=(), deleted=(), incomplete=())
QUIET = ("read", "look")
LOUD = tuple(
    "write append cut over move link through mode forged mapped later folder renamed swap inner away".split()
)
STEPS = st.lists(
    st.tuples(st.sampled_from(LOUD + QUIET), st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=4
)
few = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


def made(folder: Path) -> Path:
    """A tree with a file that has two names, of a time that is past every doubt."""
    (folder / "sub" / "below").mkdir(parents=True)
    (folder / "other" / "below").mkdir(parents=True)
    for name in ("a", "b", "sub/c", "sub/d", "sub/below/e", "other/c", "other/d", "other/below/e"):
        (folder / name).write_text(f"{name}\n")
    os.link(folder / "a", folder / "twin")
    settled()
    return folder


def settled() -> None:
    """Later than the doubt about what was just changed, by the clock of files, which may be behind."""
    until = time.time_ns() + effects.UNSURE
    while effects.file_clock() <= until:
        time.sleep(0.001)


def begun(watched: Watched) -> Turn:
    """A turn; that there is one is what these tests stand on."""
    turn = watched.begin()
    assert turn is not None
    return turn


def contents(folder: Path) -> dict[str, str]:
    """Every path below a folder, with what is there."""
    found = {}
    for path in sorted(folder.rglob("*")):
        what = "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path)] = f"{path.lstat().st_mode:o} {what}"
    return found


def really(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path, what in after.items() if before.get(path) != what}


@both
@few
@given(steps=STEPS, meanwhile=STEPS)
def test_a_listing_of_before_another_command_finds_every_change(
    runs: Runs, tmp_path_factory, steps, meanwhile
):
    """And nothing that somebody else did in between, with files that the command leaves alone."""
    tree = made(tmp_path_factory.mktemp("w"))
    config = read_environment({"fs": {"write": ["."]}}, base=tree)
    old = snapshot_roots(config)
    assert usable_again(old), "the tests stand on a file system that is known"
    runs.python(PROGRAM, json.dumps(meanwhile), cwd=str(tree), fs={"write": [str(tree)]})
    settled()
    before, listing = contents(tree), old.again()
    listing = listing or snapshot_roots(config)  # a folder became another one
    runs.python(PROGRAM, json.dumps(steps), cwd=str(tree), fs={"write": [str(tree)]})
    changes = changed_files(listing, snapshot_roots(config))
    found = {*changes.created, *changes.modified}
    assert really(before, contents(tree)) <= found
    assert changes.incomplete == ()
    if all(step[0] in QUIET for step in steps):
        assert found == set()


def listed(listing, config):
    """What two listings say, which look at everything."""
    return changed_files(listing, snapshot_roots(config))


@both
@few
@given(steps=STEPS, meanwhile=STEPS, more=STEPS)
def test_watching_and_listing_give_one_answer(runs: Runs, tmp_path_factory, steps, meanwhile, more):
    tree = made(tmp_path_factory.mktemp("w"))
    config = read_environment({"fs": {"write": ["."]}}, base=tree)
    watched = Watched(roots_of(config), [], tells_all=not runs.local)
    assert watched.changes(begun(watched)) == NOTHING
    runs.python(PROGRAM, json.dumps(meanwhile), cwd=str(tree), fs={"write": [str(tree)]})
    for each in (steps, more):
        settled()
        before, listing, turn = contents(tree), snapshot_roots(config), begun(watched)
        done = runs.python(PROGRAM, json.dumps(each), cwd=str(tree), fs={"write": [str(tree)]})
        changes = watched.changes(turn, links=done.links)
        assert changes == listed(listing, config)
        assert really(before, contents(tree)) <= {*changes.created, *changes.modified}


@needs_bubblewrap
@few
@given(steps=STEPS)
def test_nothing_happened_only_where_nothing_did(sandbox: Runs, tmp_path_factory, steps):
    tree = made(tmp_path_factory.mktemp("w"))
    watched = Watched([str(tree)], [], tells_all=True)
    before, turn = contents(tree), begun(watched)
    times = {path: os.lstat(path).st_ctime_ns for path in before}
    done = sandbox.python(PROGRAM, json.dumps(steps), cwd=str(tree), fs={"write": [str(tree)]})
    nothing = watched.changes(turn, links=done.links) == NOTHING
    if nothing:
        assert contents(tree) == before
        assert {path: os.lstat(path).st_ctime_ns for path in before if not Path(path).is_dir()} == {
            path: time for path, time in times.items() if not Path(path).is_dir()
        }
    if all(step[0] in QUIET for step in steps):
        assert nothing, "reading is not a change"


@needs_bubblewrap
@pytest.mark.parametrize("name", LOUD)
def test_each_kind_of_change_is_noticed(sandbox: Runs, tmp_path_factory, name):
    tree = made(tmp_path_factory.mktemp("w"))
    config = read_environment({"fs": {"write": ["."]}}, base=tree)
    watched = Watched([str(tree)], [], tells_all=True)
    before, listing, turn = contents(tree), snapshot_roots(config), begun(watched)
    done = sandbox.python(PROGRAM, json.dumps([(name, "b", "new")]), cwd=str(tree), fs={"write": [str(tree)]})
    changes = watched.changes(turn, links=done.links)
    assert changes == listed(listing, config) != NOTHING
    assert name in ("through", "later", "mode", "away") or really(before, contents(tree))
