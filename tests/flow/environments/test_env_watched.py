"""Watching the roots says what listing them says: whatever is done to them, however many events are lost, and by whomever."""

import ctypes
import mmap
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_env_changes import NOTHING, begun, settled

from sluicegate.flow.environments.changes import fanotify
from sluicegate.flow.environments.changes.effects import Changes, changed_files, snapshot_roots
from sluicegate.flow.environments.changes.fanotify import WatchGroup
from sluicegate.flow.environments.changes.watched import Watched, tells_all
from sluicegate.flow.environments.configuration.reading import read_environment

pytestmark = pytest.mark.usefixtures("doubt_of_this_clock")
FOLDERS = ("", "p", "q", "p/r", "p/r/s")
PATHS = [f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in ("a", "b", "p", "r")]
_EXCHANGE = 2


def write(one: str, other: str) -> None:
    Path(one).write_text(other)


def append(one: str, other: str) -> None:
    with open(one, "r+") as file:
        file.seek(0, 2)
        file.write(other)


def same_again(one: str, other: str) -> None:
    """Deleted and made again with the same bytes, and the times it had."""
    status, content = os.stat(one), Path(one).read_bytes()
    os.unlink(one)
    Path(one).write_bytes(content)
    os.utime(one, ns=(status.st_atime_ns, status.st_mtime_ns))


def mapped(one: str, other: str) -> None:
    """Through memory that was read before, and the time put back."""
    status = os.stat(one)
    with open(one, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0] ^= 1
    os.utime(one, ns=(status.st_atime_ns, status.st_mtime_ns))


def by_a_link_that_is_gone(one: str, other: str) -> None:
    os.link(one, "gone")
    with open("gone", "a") as file:
        os.unlink("gone")
        file.write(other)


def in_a_folder_that_is_gone(one: str, other: str) -> None:
    os.mkdir("away")
    os.link(one, "away/x")
    os.truncate("away/x", 1)
    os.unlink("away/x")
    os.rmdir("away")


def after_it_was_unlinked(one: str, other: str) -> None:
    """A file that has another name, through the one that it loses."""
    with open(one, "a") as file:
        os.unlink(one)
        file.write(other)


def nameless(one: str, other: str) -> None:
    """A file that is made without a name, and gets one."""
    made = os.open(".", os.O_TMPFILE | os.O_WRONLY)
    try:
        os.link(f"/proc/self/fd/{made}", one, src_dir_fd=made, follow_symlinks=True)
        os.write(made, b"x")
    finally:
        os.close(made)


def exchange(one: str, other: str) -> None:
    ctypes.CDLL(None).renameat2(-100, os.fsencode(one), -100, os.fsencode(other), _EXCHANGE)


def to_and_fro(one: str, other: str) -> None:
    """Away, changed there, and back: a folder or a file."""
    os.rename(one, "elsewhere")
    target = "elsewhere/a" if os.path.isdir("elsewhere") else "elsewhere"
    with suppress(OSError):
        append(target, other)
    os.rename("elsewhere", one)


def deep(one: str, other: str) -> None:
    os.makedirs(f"{one}/p/r")
    write(f"{one}/p/r/a", other)


def over(one: str, other: str) -> None:
    write("new~", other)
    os.rename("new~", one)


OPS = {
    each.__name__: each
    for each in (
        write, append, same_again, mapped, by_a_link_that_is_gone, in_a_folder_that_is_gone, after_it_was_unlinked,
        nameless, exchange, to_and_fro, deep, over,
    )
}  # fmt: skip
OPS |= {
    "rename": os.rename,
    "link": os.link,
    "unlink": lambda one, _: os.unlink(one),
    "rmtree": lambda one, _: shutil.rmtree(one),
    "mkdir": lambda one, _: os.mkdir(one),
    "symlink": lambda one, other: os.symlink(other, one),
    "chmod": lambda one, _: os.chmod(one, 0o640),
    "utime": lambda one, _: os.utime(one, (0, 0)),
    "xattr": lambda one, _: os.setxattr(one, "user.x", b"y"),
    "look": lambda one, _: (os.stat(one), os.listdir(".")),
    "read": lambda one, _: os.close(os.open(one, os.O_RDONLY)),
}
LINKING = {"by_a_link_that_is_gone", "in_a_folder_that_is_gone", "nameless", "link"}
steps = st.lists(
    st.tuples(st.sampled_from(sorted(OPS)), st.sampled_from(PATHS), st.sampled_from(PATHS)), max_size=8
)
trees = st.sets(st.sampled_from(PATHS)).map(sorted)
many = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def done(tree: Path, what) -> None:
    """Do these things in a tree, those that go."""
    back = os.getcwd()
    os.chdir(tree)
    try:
        for name, one, other in what:
            with suppress(OSError, ValueError):
                OPS[name](one, other)
    finally:
        os.chdir(back)


def links_in(what) -> bool:
    """What the sandbox would say of a command that does these things."""
    return any(name in LINKING for name, _, _ in what)


def grown(tree: Path, files) -> Path:
    for folder in FOLDERS[: 1 + len(files) % len(FOLDERS)]:
        (tree / folder).mkdir(exist_ok=True)
    for each in files:
        with suppress(OSError):
            (tree / each).write_text(each)
    with suppress(OSError):
        os.link(tree / files[0], tree / "twin")
    return tree


def listing(*roots: Path, without=()):
    """What is listed for a sandbox of these roots."""
    config = read_environment({"fs": {"write": [str(root) for root in roots]}}, base=Path("/"))
    return snapshot_roots(config, without=without)


@pytest.mark.parametrize("tells", [True, False], ids=["told", "times"])
@many
@given(files=trees.filter(bool), first=steps, then=steps, between=steps, rests=st.booleans())
def test_both_give_one_answer(tmp_path_factory, tells, files, first, then, between, rests):
    tree = grown(tmp_path_factory.mktemp("w"), files)
    watched = Watched([str(tree)], [], tells_all=tells)
    for what in (first, then):
        if rests:
            watched.rest()
            done(tree, between[:2])
        settled()
        before, turn = listing(tree), begun(watched)
        done(tree, what)
        assert watched.changes(turn, links=links_in(what)) == changed_files(before, listing(tree))
        done(tree, between)


@many
@given(files=trees.filter(bool), first=steps, then=steps)
def test_commands_at_the_same_time(tmp_path_factory, files, first, then):
    """Each is told of all that happened while it ran."""
    tree = grown(tmp_path_factory.mktemp("w"), files)
    watched = Watched([str(tree)], [], tells_all=True)
    settled()
    one, before_one = begun(watched), listing(tree)
    done(tree, first)
    settled()
    other, before_other = begun(watched), listing(tree)
    done(tree, then)
    changes = watched.changes(one, links=links_in([*first, *then]))
    assert changes == changed_files(before_one, listing(tree))
    assert watched.changes(other, links=links_in(then)) == changed_files(before_other, listing(tree))


def lost_once():
    """``Group.read`` that finds once that events were lost."""
    told = iter([fanotify.Untold])
    really = WatchGroup.read

    def read(group: WatchGroup):
        for error in told:
            raise error
        return really(group)

    return read


@many
@given(files=trees.filter(bool), what=steps)
@example(files=["b"], what=[("rename", "p", "a"), ("write", "p", "x")])  # a file where a folder was
@example(files=["b"], what=[("unlink", "b", ""), ("mkdir", "b", "")])  # and the other way round
def test_when_events_are_lost(tmp_path_factory, files, what):
    tree = grown(tmp_path_factory.mktemp("w"), files)
    watched = Watched([str(tree)], [], tells_all=True)
    settled()
    before, turn = listing(tree), begun(watched)
    done(tree, what)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WatchGroup, "read", lost_once())
        changes = watched.changes(turn)
    assert changes == changed_files(before, listing(tree))


def test_more_events_than_the_kernel_keeps(tmp_path: Path, monkeypatch):
    tree = tmp_path
    for number in range(200):
        (tree / f"f{number}").write_text("x")
    watched = Watched([str(tree)], [], tells_all=True)
    settled()
    before, turn = listing(tree), begun(watched)
    most = int(Path("/proc/sys/fs/fanotify/max_queued_events").read_text())
    monkeypatch.chdir(tree)
    for number in range(most + 10):  # an event for each name
        os.rename(f"f7{number}" if number else "f7", f"f7{number + 1}")
    os.rename(f"f7{most + 10}", "f7")
    (tree / "f1").write_text("y")
    told, really = [], WatchGroup.read

    def read(group: WatchGroup):
        try:
            return really(group)
        except fanotify.Untold:
            told.append("lost")
            raise

    monkeypatch.setattr(WatchGroup, "read", read)
    changes = watched.changes(turn)
    assert told == ["lost"]
    assert changes == changed_files(before, listing(tree))
    assert changes.modified == (f"{tree}/f1", f"{tree}/f7")
    assert watched.changes(begun(watched)) == NOTHING


def test_of_what_is_opened_nothing_is_told_while_it_rests(tmp_path: Path):
    (tmp_path / "p").mkdir()
    for name in ("a", "p/b"):
        (tmp_path / name).write_text("x")
    watched = Watched([str(tmp_path)], [], tells_all=True)
    watched.changes(begun(watched))

    def told() -> list[int]:
        for name in ("a", "p/b"):
            (tmp_path / name).read_text()
        return [event.mask for event in watched._group.read()]

    assert told() == [fanotify.OPEN] * 2
    turn = begun(watched)
    watched.rest()
    assert told() == [fanotify.OPEN] * 2, "a command that may write runs"
    watched.changes(turn)
    watched.rest()
    assert told() == []
    (tmp_path / "a").write_text("y")
    assert watched._group.read(), "what changes is told"
    begun(watched)
    assert told() == [fanotify.OPEN] * 2


@pytest.mark.parametrize("tells", [True, False], ids=["told", "times"])
def test_a_folder_that_has_the_number_of_one_that_is_gone(tmp_path: Path, tells):
    """File systems give a number again at once. The new folder is not the one that was watched."""
    watched = Watched([str(tmp_path)], [], tells_all=tells)
    (tmp_path / "p").mkdir()
    for name in ("first", "then"):
        settled()
        before, turn = listing(tmp_path), begun(watched)
        for _ in range(3):
            (tmp_path / "p").rmdir()
            (tmp_path / "p").mkdir()
        (tmp_path / "p" / name).write_text("x")
        assert watched.changes(turn, links=False) == changed_files(before, listing(tmp_path))
        settled()
        before, turn = listing(tmp_path), begun(watched)
        (tmp_path / "p" / name).write_text("y")
        assert watched.changes(turn, links=False) == changed_files(before, listing(tmp_path)) != NOTHING
        (tmp_path / "p" / name).unlink()


@pytest.mark.parametrize("to", ["p", "away", "/tmp", "nowhere"])
def test_a_link_in_the_place_of_a_folder(tmp_path: Path, to):
    """What is found by the old paths is something else."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a").write_text("x")
    watched = Watched([str(tmp_path)], [], tells_all=True)
    settled()
    before, turn = listing(tmp_path), begun(watched)
    (tmp_path / "p" / "a").write_text("y")
    os.rename(tmp_path / "p", tmp_path / "away")
    os.symlink(to, tmp_path / "p")
    assert watched.changes(turn, links=False) == changed_files(before, listing(tmp_path))


def test_roots_in_each_other_and_roots_that_are_files(tmp_path: Path):
    """A file has one name in one root, and another as a root itself."""
    for folder in ("one/in", "two"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("one/in/a", "two/b", "single", "other"):
        (tmp_path / name).write_text("x")
    os.link(tmp_path / "single", tmp_path / "two" / "linked")
    roots = [tmp_path / name for name in ("one", "one/in", "two", "single", "other")]
    watched = Watched(map(str, roots), [], tells_all=True)
    for name in ("one/in/a", "two/b", "single", "two/linked"):
        settled()
        before, turn = listing(*roots), begun(watched)
        (tmp_path / name).write_text("y")
        assert watched.changes(turn) == changed_files(before, listing(*roots)) != NOTHING


def test_a_root_that_is_gone_counts_as_changed(tmp_path: Path):
    (tmp_path / "w").mkdir()
    watched = Watched([str(tmp_path / "w")], [], tells_all=True)
    turn = begun(watched)
    (tmp_path / "w").rmdir()
    assert watched.changes(turn).incomplete == (f"{tmp_path}/w",)
    assert watched.begin() is None


def test_another_folder_in_the_place_of_a_root(tmp_path: Path):
    for name in ("w", "v"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text(name)
    tree = tmp_path / "w"
    watched = Watched([str(tree)], [], tells_all=True)
    settled()
    before, turn = listing(tree), begun(watched)
    exchange(str(tree), str(tmp_path / "v"))
    assert watched.changes(turn) == changed_files(before, listing(tree))


def test_our_own_state_is_no_change(tmp_path: Path):
    state = tmp_path / ".sluicegate"
    (state / "sec").mkdir(parents=True)
    settled()
    watched = Watched([str(tmp_path)], [str(state)], tells_all=True)
    turn = begun(watched)
    (state / "sec" / "audit.jsonl").write_text("{}")
    state.chmod(0o700)
    assert watched.changes(turn) == NOTHING


def test_what_others_did_before_is_not_the_commands(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    watched = Watched([str(tmp_path)], [], tells_all=True)
    begun(watched)
    (tmp_path / "mine" / "new").write_text("theirs")
    os.rename(tmp_path / "mine", tmp_path / "moved")
    settled()
    turn = begun(watched)
    (tmp_path / "moved" / "other").write_text("the command's")
    assert watched.changes(turn) == Changes(
        created=(f"{tmp_path}/moved/other",), modified=(), deleted=(), incomplete=()
    )


FORKED = """
import os, sys
from pathlib import Path
from sluicegate.flow.environments.changes.watched import Watched
tree = Path(sys.argv[1])
watched = Watched([str(tree)], [], tells_all=True)
turn = watched.begin()
(tree / "a").write_text("y")
if (child := os.fork()) == 0:
    own = watched.begin()
    (tree / "b").write_text("z")
    os._exit(0 if own and watched.changes(own).created == (f"{tree}/b",) else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
changes = watched.changes(turn)
assert (changes.created, changes.modified) == ((f"{tree}/b",), (f"{tree}/a",))
print("well")
"""


def test_in_a_fork(tmp_path: Path):
    """A child takes no events away from its parent, and is told of its own."""
    (tmp_path / "a").write_text("x")
    settled()
    words = [sys.executable, "-c", FORKED, str(tmp_path)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("well\n", "")


def test_too_many_entries_are_not_watched(tmp_path: Path):
    for number in range(5):
        (tmp_path / str(number)).touch()
    assert Watched([str(tmp_path)], [], tells_all=True, most=5).begin() is None
    assert Watched([str(tmp_path)], [], tells_all=True, most=6).begin() is not None


def test_where_the_kernel_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(group: WatchGroup, mask: int) -> None:
        group._fd = -1
        raise fanotify.Untold

    monkeypatch.setattr(WatchGroup, "__init__", refused)
    assert Watched([str(tmp_path)], [], tells_all=True).begin() is None


def test_a_form_of_handles_that_is_not_known_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fanotify, "_inode", lambda form, handle: -1)
    assert Watched([str(tmp_path)], [], tells_all=True).begin() is None


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="there is no folder in memory")
def test_memory_that_was_read_before_it_is_written_on_tmpfs():
    """No time tells of it there, so two listings miss it."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        tree = Path(folder)
        for name in ("a", "b"):
            (tree / name).write_text("x" * 100)
        os.link(tree / "a", tree / "twin")
        watched = Watched([folder], [], tells_all=True)
        settled()
        turn = begun(watched)
        with open(tree / "a", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
            memory[0] ^= 1
        (tree / "b").read_text()
        assert watched.changes(turn).modified == (f"{folder}/a", f"{folder}/twin")


MOUNTED = """
import os, subprocess, sys
from pathlib import Path
from sluicegate.flow.environments.changes.watched import Watched
tree = Path(sys.argv[1])
for name in ("into", "from"): (tree / name).mkdir()
for name in ("file", "from/a"): (tree / name).write_text("x")
watched = Watched([str(tree / "into")], [], tells_all=True)
turn = watched.begin()
subprocess.run(["mount", "--bind", str(tree / "from"), str(tree / "into")], check=True)
subprocess.run(["umount", str(tree / "into")], check=True)
(tree / "into" / "below").mkdir()
(tree / "into" / "below" / "b").write_text("x")
assert str(tree / "into" / "below" / "b") in watched.changes(turn).created
turn = watched.begin()
subprocess.run(["mount", "--bind", str(tree / "from"), str(tree / "into" / "below")], check=True)
(tree / "from" / "a").write_text("y")
assert str(tree / "into" / "below" / "a") in watched.changes(turn).created
turn = watched.begin()
(tree / "from" / "a").write_text("z")
assert watched.changes(turn).modified == (str(tree / "into" / "below" / "a"),)
subprocess.run(["mount", "--bind", str(tree / "from"), str(tree / "into")], check=True)
subprocess.run(["mount", "--bind", str(tree / "file"), str(tree / "into" / "a")], check=True)
assert watched.begin() is None, "a file that has another name outside"
print("well")
"""


def test_what_is_mounted_in_a_root(tmp_path: Path):
    tried = subprocess.run(["unshare", "-Urm", "true"], check=False, capture_output=True)
    if tried.returncode != 0:
        pytest.skip("no namespace to mount in")
    words = ["unshare", "-Urm", sys.executable, "-c", MOUNTED, str(tmp_path)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("well\n", "")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"fs": {"write": ["."]}}, True),
        ({"provider": "local"}, False),
        ({"provider": "local", "fs": {"write": ["."]}}, False),
        ({"provider": "podman", "image": "x", "fs": {"write": ["."]}}, False),
    ],
)
def test_all_is_told_in_the_sandbox_alone(tmp_path: Path, config, said):
    assert tells_all(read_environment(config, base=tmp_path)) == said


def names_of(inventory, tree: Path):
    """What an inventory has below a folder."""
    return {
        (path, name, inode, name in folder.special)
        for path, folder in inventory.below(str(tree))
        for name, inode in folder.files.items()
    }


def names_in(tree: Path):
    """What stands there."""
    return {
        (folder, name, status.st_ino, not stat.S_ISREG(status.st_mode))
        for folder, below, names in os.walk(tree)
        for name in (*names, *(each for each in below if Path(folder, each).is_symlink()))
        if (status := os.lstat(Path(folder, name)))
    }


@many
@given(files=trees.filter(bool), what=steps, then=steps)
def test_the_names_that_are_known_are_those_that_stand_there(tmp_path_factory, files, what, then):
    tree = grown(tmp_path_factory.mktemp("w"), files)
    watched = Watched([str(tree)], [], tells_all=True)
    with watched.names(begin=False) as inventory:
        assert inventory is None  # nothing is watched before the first command
    begun(watched)
    for each in (what, then):
        done(tree, each)
        with watched.names(begin=True) as inventory:
            assert names_of(inventory, tree) == names_in(tree)
