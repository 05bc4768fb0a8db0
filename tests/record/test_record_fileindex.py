"""The index of file labels: shared, made again, and never the reason why something is forgotten."""

import gzip
import os
import shutil
import sqlite3

import pytest
from record_samples import TEXT, changed, labels, make_place

from sluicegate.record.errors import LedgerError
from sluicegate.record.files.files import FileLabels, Untracked
from sluicegate.record.files.index import Index
from sluicegate.record.ledger import events, lines

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


class TestTheIndex:
    def other(self, place, ledger):
        return FileLabels(ledger, tracked=(place.root,))

    def test_another_process_knows_what_was_flushed(self, place, ledger, files, secret):
        ledger.flush()
        with place.open() as second:
            files2 = FileLabels(second)
            assert labels(files2.recall(secret)) == ("secret",)
            (place.root / "two").write_bytes(b"two")
            files2.remember(place.root / "two", ("pii",), "w")
            second.flush()
            files2.close()
        assert labels(files.recall(place.root / "two")) == ("pii",)

    def index(self, place):
        (memory,) = place.keys.home.ledgers.iterdir()
        return memory / "files.db"

    def test_it_lies_outside_the_workspace_and_is_private(self, place, files, secret):
        assert not list(place.root.rglob("*.db*"))
        assert self.index(place).parent.stat().st_mode & 0o077 == 0

    @pytest.mark.parametrize("damage", [None, b"", b"garbage" * 1000])
    def test_it_is_made_again_from_the_ledger(self, place, ledger, files, secret, damage):
        ledger.flush()
        files.close()
        for path in self.index(place).parent.glob("files.db*"):
            path.unlink()
        if damage is not None:
            self.index(place).write_bytes(damage)
        again = self.other(place, ledger)
        assert labels(again.recall(secret)) == ("secret",)
        again.close()

    @pytest.mark.parametrize("kept", [True, False])
    def test_it_is_made_again_from_rotated_files(self, place, ledger, files, secret, kept):
        assert labels(files.recall(secret)) == ("secret",)
        files.close()
        place.path.with_name("audit.jsonl.1.gz").write_bytes(gzip.compress(place.path.read_bytes()))
        place.path.unlink()
        (place.root / "two").write_bytes(b"two")
        if not kept:
            for path in self.index(place).parent.glob("files.db*"):
                path.unlink()
        again = self.other(place, ledger)
        again.remember(place.root / "two", ("pii",), "w")
        assert labels(again.recall(secret)) == ("secret",)
        assert labels(again.recall(place.root / "two")) == ("pii",)
        again.close()

    def test_lines_cut_out_of_the_ledger_are_not_forgotten(self, place, ledger, files, secret):
        assert labels(files.recall(secret)) == ("secret",)
        os.truncate(place.path, 0)
        assert labels(files.recall(secret)) == ("secret",)
        ledger.append(events.Lost(count=1, reason="x"))
        ledger.flush()
        assert labels(files.recall(secret)) == ("secret",)

    @pytest.mark.parametrize("told", [True, False])
    def test_where_lines_are_missing_nothing_passes_as_untracked(
        self, place, ledger, files, secret, tmp_path, told
    ):
        (tmp_path / "elsewhere").write_bytes(b"x")
        assert files.recall(tmp_path / "elsewhere") == Untracked()
        files.close()
        for path in self.index(place).parent.glob("files.db*"):
            path.unlink()
        rows = place.path.read_bytes().splitlines(keepends=True)
        assert b'"write"' in rows[1]
        place.path.write_bytes(rows[0])
        if told:
            ledger.append(events.Lost(count=1, reason="x"))
            ledger.flush()
        again = self.other(place, ledger)
        assert changed(again.recall(tmp_path / "elsewhere"), "gap") == ()
        assert changed(again.recall(secret), "gap") == ()
        again.close()

    @pytest.mark.parametrize("seq", ["next", "huge"])
    def test_a_forged_line_teaches_nothing(self, place, ledger, files, secret, seq):

        ledger.flush()
        last = lines.read(place.path.read_bytes().splitlines()[-1])
        forged = events.Write(
            path=str(secret), taint=(), writer="eve", hash=ledger.digest(TEXT), size=len(TEXT), device=1, inode=1
        )  # fmt: skip
        number = last.seq + 1 if seq == "next" else 10**15
        with place.path.open("ab") as handle:
            handle.write(lines.write(number, last.hash, lines.part(last.id, last.ts, forged), bytes(32))[0])
        assert labels(files.recall(secret)) == ("secret",)
        (place.root / "two").write_bytes(b"two")
        files.remember(place.root / "two", ("pii",), "w")
        assert labels(files.recall(place.root / "two")) == ("pii",)
        assert labels(files.recall(secret)) == ("secret",)

    def test_what_an_adopted_ledger_says_adds_labels_and_takes_none_away(self, place, tmp_path):
        other = make_place(tmp_path / "elsewhere")
        path = place.root / "x"
        path.write_bytes(TEXT)
        with other.open() as theirs:
            files = FileLabels(theirs)
            files.remember(path, ("secret",), "w")
            files.close()
        place.path.parent.mkdir(parents=True)
        shutil.copy(other.path, place.path)
        with place.open() as ledger:
            files = FileLabels(ledger)
            assert changed(files.recall(path)) == ("secret",)
            files.close()

    def test_after_a_fork_the_child_has_an_index_of_its_own(self, place, ledger, files, secret):
        assert labels(files.recall(secret)) == ("secret",)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                assert files.recall(secret).labels == ("secret",)
                (place.root / "child").write_bytes(b"child")
                files.remember(place.root / "child", ("from-child",), "w")
                ledger.flush()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert labels(files.recall(place.root / "child")) == ("from-child",)

    def test_an_index_that_is_locked_is_not_thrown_away(self, place, ledger, files, secret, monkeypatch):
        assert labels(files.recall(secret)) == ("secret",)
        files.close()
        real = sqlite3.connect
        monkeypatch.setattr("sqlite3.connect", lambda *words, **more: real(*words, **{**more, "timeout": 0}))
        holder = real(self.index(place), isolation_level=None)
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        size = self.index(place).stat().st_size
        again = self.other(place, ledger)
        with pytest.raises(LedgerError, match="index of file labels"):
            again.recall(secret)
        assert self.index(place).stat().st_size == size
        holder.close()
        assert labels(again.recall(secret)) == ("secret",)
        again.close()

    def test_an_index_of_another_ledger_is_begun_anew(self, tmp_path):
        first = Index(tmp_path / "files.db", "one")
        event = events.Write(path="/x", taint=("a",), writer="w", hash="h", size=1, device=1, inode=2)
        first.learn([("e.1", event)])
        assert first.by_path("/x") is not None
        assert first.by_path("/x").labels == ("a",)
        first.close()
        second = Index(tmp_path / "files.db", "two")
        assert second.by_path("/x") is None
        second.close()


def test_while_the_ledger_cannot_be_opened_what_this_process_wrote_is_known(place, tmp_path):
    (place.root / ".sluicegate").write_text("in the way")
    path = place.root / "x"
    path.write_bytes(TEXT)
    with place.open(fail_closed=False, report=lambda _: None) as ledger:
        files = FileLabels(ledger)
        files.remember(path, ("secret",), "w")
        assert labels(files.recall(path)) == ("secret",)
        (tmp_path / "y").write_bytes(b"y")
        assert changed(files.recall(tmp_path / "y"), "gap") == ()
        (place.root / ".sluicegate").unlink()
        ledger.flush()
        assert files.recall(path).labels == ("secret",)
        files.close()


def test_a_closed_failure_denies(place):
    path = place.root / "x"
    path.write_bytes(TEXT)
    with place.open() as ledger:
        files = FileLabels(ledger)
        files.remember(path, (), "w")
        place.path.rename(place.path.with_name("away"))
        place.path.mkdir()
        with pytest.raises(LedgerError):
            files.recall(path)
        place.path.rmdir()
        place.path.with_name("away").rename(place.path)
        files.close()
