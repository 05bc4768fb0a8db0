"""What is said of a directory is what is known of each file in it: found by names, sizes and labels, and held against opening each."""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from record_samples import changed, labels, make_place

from sluicegate.record.files import below
from sluicegate.record.files.below import recall_below
from sluicegate.record.files.files import FileLabels, Known, Unknown, Untracked

FOLDERS = ("", "p", "p/r", "q")
PATHS = [f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in ("a", "b", "p", "é\udcff")]
CONTENTS = (b"", b"a", b"b", b"aa", b"bb", b"ccc")
LABELS = ((), ("secret",), ("pii",), ("pii", "secret"), ("trusted",), ("secret", "trusted"), ("untrusted",))
OPS = (
    "write",
    "write",
    "stranger",
    "append",
    "spread",
    "rename",
    "link",
    "symlink",
    "copy",
    "unlink",
    "out",
    "out",
    "in",
)
steps = st.lists(
    st.tuples(
        st.sampled_from(OPS), st.sampled_from(PATHS), st.sampled_from(PATHS), st.sampled_from(CONTENTS), st.sampled_from(LABELS)
    ),
    max_size=14,
)  # fmt: skip


def do(files: FileLabels, root: Path, what: tuple[str, str, str, bytes, tuple[str, ...]]) -> None:
    """One thing that happens in a tree, or beside it."""
    op, one, other, content, given_labels = what
    path, second, beside = root / one, root / other, root.parent / "beside"
    if op == "write":
        path.write_bytes(content)
        files.remember(path, given_labels, "op:output")
    elif op == "stranger":
        path.write_bytes(content)
    elif op == "append":
        before = path.stat().st_size
        with path.open("ab") as file:
            file.write(content)
        files.remember(path, given_labels, "op:append", appended=path.stat().st_size - before)
    elif op == "spread":
        files.spread(path if path.exists() else path.parent, given_labels, "op:sh")
    elif op == "rename":
        path.rename(second)
    elif op == "link":
        os.link(path, second)
    elif op == "symlink":
        second.symlink_to(path)
    elif op == "copy":
        shutil.copyfile(path, second)
    elif op == "unlink":
        path.unlink()
    elif op == "out":
        (beside / path.name).write_bytes(content)
        files.remember(beside / path.name, given_labels, "op:output")
    elif op == "in":
        second.symlink_to(beside)


def each_file(folder: Path) -> list[Path]:
    """Every regular file below a folder, links followed, each directory once."""
    waiting, seen, found = [os.path.realpath(folder)], set(), []
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        for name in os.listdir(at):
            real = os.path.realpath(os.path.join(at, name))
            with suppress(OSError):
                mode = os.lstat(real).st_mode
                if stat.S_ISDIR(mode):
                    waiting.append(real)
                elif stat.S_ISREG(mode):
                    found.append(Path(real))
    return found


def one_by_one(files: FileLabels, folder: Path) -> tuple[set[str], bool]:
    """The labels of all files below a folder, each opened; and whether something is unknown."""
    said = [known for path in each_file(folder) if not isinstance(known := files.recall(path), Untracked)]
    found = {label for one in said for label in one.labels}
    unknown = any(isinstance(one, Unknown) for one in said)
    if unknown or any(one.labels and "trusted" not in one.labels for one in said):
        found.discard("trusted")
    return found, unknown


def at_once(files: FileLabels, folder: Path) -> tuple[set[str], bool]:
    """The same by ``recall_below``."""
    known = recall_below(files, folder, each=lambda one: None)
    found = set() if isinstance(known, Untracked) else set(known.labels)
    return found, isinstance(known, Unknown)


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "elsewhere"])
@settings(max_examples=200)
@given(done=steps)
@example(
    done=[
        ("write", "a", "a", b"a", ("secret",)),
        ("copy", "a", "p/a", b"", ()),
        ("unlink", "a", "a", b"", ()),
    ]
)
@example(done=[("spread", "é\udcff", "a", b"", ("secret",)), ("stranger", "é\udcff", "a", b"ccc", ())])
@example(done=[("write", "é\udcff", "a", b"a", ("pii",)), ("stranger", "é\udcff", "a", b"ccc", ())])
@example(done=[("out", "a", "a", b"bb", ("secret",)), ("stranger", "p/a", "a", b"bb", ())])
def test_it_says_what_opening_each_file_does(tmp_path_factory, tracked, done):
    place = make_place(tmp_path_factory.mktemp("b"))
    root, beside = place.root / "tree", place.root / "beside"
    beside.mkdir()
    for folder in FOLDERS:
        (root / folder).mkdir(exist_ok=True)
    with place.open() as ledger:
        files = FileLabels(ledger, tracked=(root,) if tracked else ())
        for what in done:
            with suppress(OSError):
                do(files, root, what)
            assert at_once(files, root) == one_by_one(files, root)
        for folder in (each for each in (root / "p", beside) if each.is_dir()):
            assert at_once(files, folder) == one_by_one(files, folder)
        again = FileLabels(ledger, tracked=(root,) if tracked else ())
        assert at_once(again, root) == one_by_one(again, root)
        again.close()
        files.close()


@pytest.fixture
def box(place) -> Path:
    """A folder with many files that nobody knows."""
    box = place.root / "box"
    for folder in range(4):
        (box / str(folder)).mkdir(parents=True)
        for number in range(100):
            (box / str(folder) / f"{number}.txt").write_bytes(b"x" * (number + 1))
    return box


def counted(monkeypatch) -> tuple[list[str], list[str]]:
    """The files of which the size is asked from now on, and those that are read."""
    sized: list[str] = []
    read: list[str] = []
    size, recall = below._size, FileLabels.recall
    monkeypatch.setattr(below, "_size", lambda path: sized.append(path) or size(path))
    monkeypatch.setattr(FileLabels, "recall", lambda self, path: read.append(str(path)) or recall(self, path))
    return sized, read


def test_where_the_ledger_speaks_of_nothing_one_file_is_looked_at(files, box, monkeypatch):
    sized, read = counted(monkeypatch)
    assert changed(recall_below(files, box, each=lambda one: None), "new") == ()
    assert (len(sized), len(read)) == (1, 0)


def test_it_costs_what_the_ledger_speaks_of(files, box, monkeypatch):
    for name in ("0/1.txt", "1/2.txt", "2/2.txt"):
        files.remember(box / name, ("pii",), "op:sh")
    sized, read = counted(monkeypatch)
    assert changed(recall_below(files, box, each=lambda one: None), "new") == ("pii",)
    assert len(sized) <= 4
    assert len(read) == 1


def test_a_copy_of_what_is_known_elsewhere_is_looked_for(place, files, secret, box, monkeypatch):
    copy = box / "3" / "copy"
    copy.write_bytes(secret.read_bytes())
    _, read = counted(monkeypatch)
    assert changed(recall_below(files, box, each=lambda one: None), "new") == ("secret",)
    assert str(copy) in read
    assert all(os.stat(path).st_size == copy.stat().st_size for path in read)


def test_what_another_process_wrote_is_known(place, files, box):
    recall_below(files, box, each=lambda one: None)
    with place.open() as other:
        files_there = FileLabels(other, tracked=(place.root,))
        files_there.remember(box / "0" / "1.txt", ("secret",), "op:output")
        other.flush()
        files_there.close()
    assert changed(recall_below(files, box, each=lambda one: None), "new") == ("secret",)


def test_of_more_files_than_are_read_everything_is_said(files, secret, box, monkeypatch):
    monkeypatch.setattr(below, "_MOST_READ", 5)
    (box / "0" / "1.txt").write_bytes(secret.read_bytes()[:-1] + b"?")
    for number in range(10):
        (box / "0" / f"{number}.txt").write_bytes(secret.read_bytes()[:-1] + b"?")
    assert changed(recall_below(files, box, each=lambda one: None), "gap") == ("secret",)


def test_a_file_that_cannot_be_read_is_unknown(tmp_path, files, box, monkeypatch):
    (tmp_path / "known").write_bytes(b"xxx")
    files.remember(tmp_path / "known", ("secret",), "op:output")

    def refused(self, path):
        raise PermissionError

    monkeypatch.setattr(FileLabels, "recall", refused)
    assert isinstance(recall_below(files, box, each=lambda one: None), Unknown)


def test_what_the_ledger_of_a_project_inside_knows_counts(tmp_path, place, box):
    inner = make_place(tmp_path / "other")
    (box / "0" / "inner").mkdir()
    path = box / "0" / "inner" / ".sluicegate" / "sec" / "audit.jsonl"
    with place.open() as outer, type(outer).open(path, keys=inner.keys, clock=inner.clock) as ledger:
        files_there = FileLabels(ledger)
        (box / "0" / "inner" / "key").write_bytes(b"a key")
        files_there.remember(box / "0" / "inner" / "key", ("secret",), "op:output")
        (box / "1" / "key").write_bytes(b"a key")  # of what lies outside it says nothing
        ledger.flush()
        files = FileLabels(outer, others=lambda at: (files_there,) if at.endswith("/inner") else ())
        assert labels(recall_below(files, box, each=lambda one: None)) == ("secret",)
        assert isinstance(recall_below(files, box / "1", each=lambda one: None), Untracked)
        assert isinstance(recall_below(files, box, each=lambda one: None), Known)
        files.close()
        files_there.close()
