"""Kills, rotation, moves and strangers: whatever was done to the file, nothing before it is lost, never in silence."""

import gzip
import os
import shutil

import pytest
from record_samples import history, make_place, operations, pushes, set_aside, some, the_only

from sluicegate.record.ledger import events, lines
from sluicegate.record.ledger.verifying import Broken, Fault, Sound


def forget_the_last(place, count=1):
    """As if the last writer had been killed between the file and the memory, ``count`` flushes ago."""
    (memory,) = place.keys.home.ledgers.iterdir()
    saved = (memory / "head").read_bytes()
    for number in range(count):
        place.write(1 + number)
    (memory / "head").write_bytes(saved)


@pytest.mark.parametrize("quarter", range(4))
def test_a_line_torn_at_any_byte_is_set_aside_and_nothing_before_it_is_lost(place, quarter):
    place.write(2)
    whole = place.path.read_bytes()
    forget_the_last(place)
    tail = place.path.read_bytes()[len(whole) :]
    home = place.keys.home.ledgers
    saved = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for length in range(1 + quarter, len(tail), 4):
        place.path.write_bytes(whole + tail[:length])
        for path, data in saved.items():
            path.write_bytes(data)
        loose = place.verify()
        assert isinstance(loose, Sound)
        assert any(f"{length} loose bytes" in note for note in loose.facts.notes)
        place.open().close()
        (aside,) = set_aside(place)
        assert aside.read_bytes() == tail[:length]
        told = the_only(place, events.Quarantine)
        assert (told.file, told.size, told.reason) == (aside.name, length, "torn")
        assert operations(place) == pushes(0, 1)
        assert isinstance(place.verify(), Sound)
        aside.unlink()


def test_lines_that_were_written_and_not_yet_remembered_are_taken_in(place):
    place.write(2)
    forget_the_last(place, count=3)
    before = operations(place)
    assert isinstance(place.verify(), Sound)
    place.write(1)
    assert operations(place) == [*before, *pushes(0)]
    assert isinstance(place.verify(), Sound)
    assert set_aside(place) == []


def test_a_long_tail_that_was_not_remembered_is_taken_in_whole(place):
    place.write(1)
    (memory,) = place.keys.home.ledgers.iterdir()
    saved = (memory / "head").read_bytes()
    with place.open(flush_every=10_000) as ledger:
        for number in range(400):
            ledger.append(events.Run(phase="start", program="x" * 4000, detail=str(number)))
    (memory / "head").write_bytes(saved)
    place.write(1)
    assert len(history(place).of_kind(events.Run)) == 400
    assert isinstance(place.verify(), Sound)


def _forged(place):
    """A line that follows from the last, as somebody would write it who has the file and no more."""
    last = lines.read(place.path.read_bytes().splitlines()[-1])
    event = events.Bless(var="@evil", by="guard:none", add=("trusted",))
    part = lines.part(events.EventId("dead.1"), last.ts, event)
    return lines.write(last.seq + 1, last.hash, part, bytes(32))[0]


@pytest.mark.parametrize("what", ["forged line", "text", "old line", "blank"])
def test_what_others_append_is_set_aside(place, what):
    place.write(3)
    old = place.path.read_bytes()
    added = {
        "forged line": _forged(place),
        "text": b"hello\n",
        "old line": old.splitlines(keepends=True)[-1],
        "blank": b"\n",
    }[what]
    place.path.write_bytes(old + added)
    assert isinstance(place.verify(), Broken)
    place.write(1)
    assert set_aside(place)[0].read_bytes() == added
    assert the_only(place, events.Quarantine).reason == "foreign"
    assert history(place).of_kind(events.Bless) == ()
    assert isinstance(place.verify(), Sound)


def test_an_open_ledger_finds_out_too(place):
    with place.open(flush_every=1) as ledger:
        ledger.append(some(1))
        with place.path.open("ab") as other:
            other.write(b'{"seq":')
        ledger.append(some(2))
    assert operations(place) == pushes(1, 2)
    assert the_only(place, events.Quarantine).reason == "torn"


class TestRotation:
    def rename(self, place):
        place.path.rename(place.path.with_name("audit.jsonl.1"))

    def rename_and_create(self, place):
        self.rename(place)
        place.path.touch(mode=0o600)

    def copy_and_truncate(self, place):
        shutil.copy(place.path, place.path.with_name("audit.jsonl-20260119"))
        os.truncate(place.path, 0)

    def compress(self, place):
        with gzip.open(place.path.with_name("audit.jsonl.1.gz"), "wb") as packed:
            packed.write(place.path.read_bytes())
        place.path.unlink()

    @pytest.mark.parametrize("how", ["rename", "rename_and_create", "copy_and_truncate", "compress"])
    @pytest.mark.parametrize("running", [True, False])
    def test_it_is_told_and_goes_on(self, place, how, running):
        with place.open(flush_every=1) as ledger:
            ledger.append(some(1))
            ledger.append(some(2))
            if running:
                getattr(self, how)(place)
                ledger.append(some(3))
        if not running:
            getattr(self, how)(place)
            with place.open() as ledger:
                ledger.append(some(3))
        assert place.path.read_bytes().count(b"\n") == 2  # that it was rotated, and the event
        told = the_only(place, events.Rotation)
        assert (told.after, told.found) == (3, "no-file" if how in ("rename", "compress") else "empty-file")
        assert operations(place) == pushes(1, 2, 3)
        found = place.verify()
        assert isinstance(found, Sound)
        assert (found.facts.first, found.facts.last, len(found.facts.files)) == (1, 5, 2)

    def test_many_times_also_with_strangers_beside(self, place):
        place.path.parent.mkdir(parents=True)
        place.path.with_name("audit.jsonl.notes").write_text("my notes\n")
        place.path.with_name("audit.jsonl.broken.gz").write_bytes(b"\x1f\x8b nonsense")
        for number in range(4):
            place.write(2)
            place.path.rename(place.path.with_name(f"audit.jsonl.{9 - number}"))
        place.write(1)
        found = place.verify()
        assert isinstance(found, Sound)
        assert len(found.facts.files) == 5
        assert len(operations(place)) == 9

    def test_a_copy_made_earlier_does_not_disturb(self, place):
        place.write(2)
        shutil.copy(place.path, place.path.with_name("audit.jsonl.bak"))
        place.write(2)
        assert isinstance(place.verify(), Sound)
        self.rename(place)
        place.write(1)
        assert isinstance(place.verify(), Sound)

    def test_a_file_moved_elsewhere_is_named(self, place, tmp_path):
        place.write(2)
        place.path.rename(tmp_path / "old")
        place.write(1)
        found = place.verify()
        assert isinstance(found, Broken)
        assert found.breaks[0].fault is Fault.MISSING_LINES
        assert "lines 1 to 3" in found.breaks[0].detail
        assert isinstance(place.verify(rotated=[tmp_path / "old"]), Sound)
        assert isinstance(place.verify(allow_missing_start=True), Sound)

    def test_a_missing_file_in_between_is_not_a_missing_start(self, place):
        for number in range(3):
            place.write(2)
            place.path.rename(place.path.with_name(f"audit.jsonl.{number}"))
        place.write(1)
        place.path.with_name("audit.jsonl.1").unlink()
        assert isinstance(place.verify(allow_missing_start=True), Broken)

    def test_lines_cut_off_show_although_it_goes_on(self, place):
        place.write(5)
        kept = place.path.read_bytes().splitlines(keepends=True)[:3]
        place.path.write_bytes(b"".join(kept))
        place.write(1)
        assert the_only(place, events.Rotation).found == "shorter-file"
        found = place.verify()
        assert isinstance(found, Broken)
        assert "lines 4 to 6" in found.breaks[0].detail

    def test_an_exchanged_end_shows_although_it_goes_on(self, place):
        place.write(5)
        data = place.path.read_bytes()
        place.path.write_bytes(data[:-60] + b"X" * 59 + b"\n")
        place.write(1)
        assert the_only(place, events.Rotation).found == "altered-file"
        assert isinstance(place.verify(), Broken)

    def test_a_shortened_file_with_a_torn_end(self, place):
        place.write(5)
        data = place.path.read_bytes()
        place.path.write_bytes(data[:-200])
        place.write(1)
        assert the_only(place, events.Rotation).found == "shorter-file"
        assert the_only(place, events.Quarantine).reason == "torn"
        assert operations(place)[-1:] == pushes(0)
        assert isinstance(place.verify(), Broken)

    def test_deleting_everything_shows(self, place):
        place.write(3)
        shutil.rmtree(place.root / ".sluicegate")
        found = place.verify()
        assert isinstance(found, Broken)
        assert found.breaks[0].fault is Fault.CUT_OFF
        place.write(1)
        assert isinstance(place.verify(), Broken)


class TestMoves:
    def test_a_moved_workspace_takes_its_memory_along(self, place, tmp_path):
        place.write(3)
        place.root.rename(tmp_path / "renamed")
        place.root = tmp_path / "renamed"
        place.write(1)
        assert operations(place) == pushes(0, 1, 2, 0)
        found = place.verify()
        assert isinstance(found, Sound)
        assert found.facts.remembered == 5
        assert history(place).of_kind(events.Adopt) == ()

    def test_a_new_workspace_where_a_moved_one_was_is_a_new_ledger(self, place, tmp_path):
        place.write(3)
        old = place.root
        old.rename(tmp_path / "renamed")
        place.root = tmp_path / "renamed"
        place.write(1)
        place.root = old
        old.mkdir()
        place.write(1)
        assert len(history(place).entries) == 2
        assert isinstance(place.verify(), Sound)

    def test_a_copied_workspace_goes_on_under_another_id(self, place, tmp_path):
        place.write(3)
        original = place.root
        shutil.copytree(original, tmp_path / "copy")
        place.root = tmp_path / "copy"
        place.write(1)
        adopted = the_only(place, events.Adopt)
        assert adopted.ledger != adopted.before
        assert isinstance(place.verify(), Sound)
        place.root = original
        place.write(1)
        assert isinstance(place.verify(), Sound)

    def test_a_ledger_from_another_machine_is_adopted(self, place, tmp_path):
        other = make_place(tmp_path / "elsewhere")
        other.write(3)
        place.path.parent.mkdir(parents=True)
        shutil.copy(other.path, place.path)
        with place.path.open("ab") as handle:
            handle.write(b'{"seq":5,"pr')
        before = place.verify()
        assert isinstance(before, Broken)
        assert Fault.NOT_VOUCHED_FOR in {one.fault for one in before.breaks}
        place.write(1)
        assert the_only(place, events.Adopt).before == the_only(place, events.Genesis).ledger
        assert the_only(place, events.Quarantine).reason == "torn"
        found = place.verify()
        assert isinstance(found, Sound)
        assert any("taken over" in note for note in found.facts.notes)

    def test_an_exchanged_ledger_shows(self, place, tmp_path):
        place.write(3)
        other = make_place(tmp_path / "elsewhere")
        other.write(9)
        shutil.copy(other.path, place.path)
        found = place.verify()
        assert isinstance(found, Broken)
        assert {one.fault for one in found.breaks} >= {Fault.OTHER_LEDGER, Fault.NOT_AUTHENTIC, Fault.CUT_OFF}

    def test_a_ledger_of_the_same_home_in_place_of_another_shows(self, place, tmp_path):
        place.write(3)
        first = place.root
        place.root = tmp_path / "second"
        place.root.mkdir()
        place.write(3)
        second = place.path.read_bytes()
        place.root = first
        place.path.write_bytes(second)
        found = place.verify()
        assert isinstance(found, Broken)
        assert Fault.OTHER_LEDGER in {one.fault for one in found.breaks}
