"""SQLite files of one user: made once, by whoever is first, checked, and kept while many have them open."""

import os
import sqlite3
import subprocess
import sys

import pytest

from sluicegate.record.database import OtherVersion, Schema, changing, is_read_only, open_database
from sluicegate.record.errors import KeyFileError

ONE = ("CREATE TABLE note (text TEXT)",)
TWO = ("ALTER TABLE note ADD COLUMN day INTEGER NOT NULL DEFAULT 0", "CREATE TABLE other (x)")
FIRST, SECOND = Schema((ONE,)), Schema((ONE, TWO))
COUNTS = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(d.execute('SELECT count(*) FROM note').fetchone()[0]); d.close()"


def opened(path, schema=FIRST, **more):
    return open_database(path, schema, durable=False, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "notes.sqlite"


def elsewhere(path):
    """How many notes another process sees, which opens the file and is the last to close it."""
    ran = subprocess.run(
        [sys.executable, "-c", COUNTS, str(path)], capture_output=True, text=True, check=True
    )
    return int(ran.stdout)


def test_it_is_for_its_user_alone_with_a_log_that_many_write(path):
    database = opened(path)
    assert {each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_opening_it_again_in_this_process_loses_nothing_of_what_is_written_since(path):
    """A descriptor of it that is closed ends the locks of all: another process then takes the log away."""
    first = opened(path)
    opened(path).close()
    assert elsewhere(path) == 0
    first.execute("INSERT INTO note VALUES ('a')")
    assert elsewhere(path) == 1
    first.close()


def test_each_version_is_made_of_the_one_before_and_what_is_there_stays(path):
    with opened(path) as before:
        before.execute("INSERT INTO note VALUES ('a')")
    before.close()
    after = opened(path, SECOND)
    assert after.execute("SELECT * FROM note").fetchall() == [("a", 0)]
    after.close()
    with pytest.raises(OtherVersion):
        opened(path)


@pytest.mark.parametrize(("version", "schema"), [(1, Schema((ONE,), first=2)), (9, FIRST), (-1, FIRST)])
def test_a_file_of_a_version_that_is_not_known_stays_as_it_is(path, version, schema):
    opened(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(OtherVersion):
        opened(path, schema)
    assert path.read_bytes() == before


@pytest.mark.parametrize("spoil", ["link", "mode", "pipe"])
def test_what_is_not_ours_is_not_opened(path, spoil):
    opened(path).close()
    if spoil == "mode":
        path.chmod(0o640)
    else:
        path.unlink()
        os.mkfifo(path) if spoil == "pipe" else path.symlink_to("/dev/null")
    with pytest.raises(KeyFileError):
        opened(path)


def test_a_change_is_whole_or_not_there(path):
    database = opened(path)
    with pytest.raises(ZeroDivisionError), changing(database):
        database.execute("INSERT INTO note VALUES ('a')")
        raise ZeroDivisionError
    with changing(database):
        database.execute("INSERT INTO note VALUES ('b')")
    assert database.execute("SELECT text FROM note").fetchall() == [("b",)]
    database.close()


ADDS = """
import sys
from pathlib import Path
from sluicegate.record.database import Schema, open_database
database = open_database(Path(sys.argv[1]), Schema((("CREATE TABLE note (text TEXT)",),)), durable=False)
database.execute("INSERT INTO note VALUES ('a')")
"""


def test_many_make_it_at_once_and_each_finds_its_tables(path):
    running = [subprocess.Popen([sys.executable, "-c", ADDS, str(path)]) for _ in range(6)]
    assert [each.wait(60) for each in running] == [0] * 6
    assert elsewhere(path) == 6


def test_in_memory_nobody_else_sees_it():
    first, second = opened(None), opened(None)
    first.execute("INSERT INTO note VALUES ('a')")
    assert second.execute("SELECT count(*) FROM note").fetchone() == (0,)


@pytest.fixture
def mounted_read_only(monkeypatch):
    """The file system says that nothing can be written; SQLite is then told the same."""

    class ReadOnlyMount:
        f_flag = os.ST_RDONLY

    def mount():
        monkeypatch.setattr(os, "statvfs", lambda _: ReadOnlyMount)

    return mount


def test_on_a_read_only_file_system_it_is_read_and_not_written(path, mounted_read_only):
    with opened(path) as database:
        database.execute("INSERT INTO note VALUES ('a')")
    database.close()
    before = path.read_bytes()
    mounted_read_only()
    database = opened(path)
    assert database.execute("SELECT text FROM note").fetchall() == [("a",)]
    with pytest.raises(sqlite3.OperationalError) as refused:
        database.execute("INSERT INTO note VALUES ('b')")
    assert is_read_only(refused.value)
    database.close()
    assert path.read_bytes() == before
    with pytest.raises(OtherVersion, match="an older version"):
        opened(path, SECOND)


def test_what_stands_in_the_log_alone_is_not_left_out_in_silence(path, mounted_read_only):
    database = opened(path)
    database.execute("INSERT INTO note VALUES ('a')")
    mounted_read_only()
    with pytest.raises(sqlite3.OperationalError, match="was not closed") as refused:
        opened(path)
    assert is_read_only(refused.value)
    database.close()
