"""Whatever is done to a ledger is found, and named."""

import gzip
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_samples import make_place, some

from sluicegate.record.errors import LedgerError
from sluicegate.record.home import Home
from sluicegate.record.keys import trust
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events, lines
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.ledger.verifying import Broken, Fault, Sound


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A ledger of 15 lines with checkpoints, and its bytes."""
    place = make_place(tmp_path_factory.mktemp("written"))
    place.write(12, checkpoint_every=6)
    place.whole = place.path.read_bytes()
    return place


@pytest.fixture(scope="module")
def abroad(written, tmp_path_factory):
    """The same ledger as somebody sees it who trusts its signer and has no memory of it."""
    home = Home.at(tmp_path_factory.mktemp("abroad"))
    keys = Keys(home, clock=written.clock)
    keys.add_trusted(tuple(written.keys.trust().keys.values()))
    return keys


def faults(place, data=None, keys=None, **options):
    """What is wrong once the file holds ``data``."""
    place.path.write_bytes(place.whole if data is None else data)
    found = Ledger.verify(place.path, keys=keys or place.keys, **options)
    return {one.fault for one in found.breaks} if isinstance(found, Broken) else set()


def test_it_is_sound_as_it_was_written(written, abroad):
    assert faults(written) == set()
    assert faults(written, keys=abroad) == set()


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_changed_byte_is_found(written, data):
    whole = written.whole
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    assert faults(written, whole[:at] + bytes([byte]) + whole[at + 1 :])


@settings(deadline=None)
@given(data=st.data())
def test_any_changed_byte_before_a_checkpoint_is_found_abroad(written, abroad, data):
    signed = Ledger.verify(written.path, keys=abroad).facts.signed if faults(written) == set() else 0
    rows = written.whole.splitlines(keepends=True)
    whole, covered = written.whole, sum(map(len, rows[: signed + 1]))
    assert signed > 6
    at = data.draw(st.integers(0, covered - 40))  # the MAC of the last checkpoint is not under its signature
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    assert faults(written, whole[:at] + bytes([byte]) + whole[at + 1 :], keys=abroad)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_any_lines_that_are_dropped_are_found(written, length):
    rows = written.whole.splitlines(keepends=True)
    for at in range(len(rows) - length + 1):
        assert faults(written, b"".join(rows[:at] + rows[at + length :])), at


def test_any_two_lines_exchanged_are_found(written):
    rows = written.whole.splitlines(keepends=True)
    for one, two in itertools.combinations(range(len(rows)), 2):
        changed = rows.copy()
        changed[one], changed[two] = changed[two], changed[one]
        assert faults(written, b"".join(changed)), (one, two)


def test_any_line_repeated_anywhere_is_found(written):
    rows = written.whole.splitlines(keepends=True)
    for one, two in itertools.product(range(len(rows)), range(len(rows) + 1)):
        assert faults(written, b"".join([*rows[:two], rows[one], *rows[two:]])), (one, two)


@settings(deadline=None)
@given(data=st.data())
def test_any_bytes_cut_off_are_found(written, data):
    at = data.draw(st.integers(0, len(written.whole) - 1))
    assert faults(written, written.whole[:at])


@settings(deadline=None)
@given(data=st.data(), added=st.binary(min_size=1, max_size=40))
def test_any_bytes_put_in_between_are_found(written, data, added):
    at = data.draw(st.integers(0, len(written.whole) - 1))
    changed = written.whole[:at] + added + written.whole[at:]
    if changed != written.whole:
        assert faults(written, changed)


def test_an_empty_and_a_deleted_file_are_found(written):
    assert faults(written, b"") == {Fault.CUT_OFF}
    written.path.unlink()
    found = Ledger.verify(written.path, keys=written.keys)
    assert isinstance(found, Broken)
    assert [one.fault for one in found.breaks] == [Fault.CUT_OFF]


def _rewritten(place, secret, through=None):
    """Every line written anew with another secret, as somebody could who has the code and the file."""
    prev, rows = lines.NOTHING, []
    for row in place.whole.splitlines():
        line = lines.read(row)
        event = line.event()
        if isinstance(event, events.Allow) and event.operation == "cmd git push 3":
            event = some(99)
        data, prev = lines.write(line.seq, prev, lines.part(line.id, line.ts, event), secret)
        rows.append(data)
    return b"".join(rows)


def test_a_chain_made_anew_is_found_at_home_and_abroad(written, abroad):
    forged = _rewritten(written, bytes(32))
    assert Fault.NOT_AUTHENTIC in faults(written, forged)
    assert Fault.CUT_OFF in faults(written, forged)
    assert Fault.BAD_CHECKPOINT in faults(written, forged, keys=abroad)


def test_with_the_secret_stolen_the_memory_still_knows_the_end(written):
    from sluicegate.record.ledger import memory

    known = memory.load(memory.place_of(written.keys.home, written.path))
    assert faults(written, _rewritten(written, known.mac_key)) >= {Fault.BAD_CHECKPOINT, Fault.CUT_OFF}


def test_a_forged_checkpoint_that_claims_a_trusted_key_is_found(written, abroad):
    rows = written.whole.splitlines()
    at = next(n for n, row in enumerate(rows) if b'"checkpoint"' in row)
    line = lines.read(rows[at])
    event = line.event()
    forged = events.Checkpoint(
        **{f: getattr(event, f) for f in event.__struct_fields__} | {"time": "2026-01-20T00:00:00Z"}
    )
    data, _ = lines.write(line.seq, line.prev, lines.part(line.id, line.ts, forged), bytes(32))
    cut = b"".join(row + b"\n" for row in rows[:at]) + data
    assert Fault.BAD_CHECKPOINT in faults(written, cut, keys=abroad)


@pytest.mark.parametrize("why", ["stranger", "revoked", "ended"])
def test_a_checkpoint_that_nobody_trusted_vouches_for_counts_for_nothing(written, abroad, tmp_path, why):
    keys = Keys(Home.at(tmp_path / "home"), clock=written.clock)
    if why != "stranger":
        trusted = abroad.trust()
        (id,) = trusted.keys
        changes = {"revoked": 1} if why == "revoked" else {"not_after": 1}
        trust.save(keys.home.trust, trusted.changed(id, **changes))
    assert faults(written, keys=keys) == {Fault.NOT_VOUCHED_FOR}
    found = Ledger.verify(written.path, keys=keys)
    assert found.facts.signed == 0
    assert any("counts for nothing" in note for note in found.facts.notes)


def test_breaks_are_named_by_file_and_row(written):
    rows = written.whole.splitlines(keepends=True)
    rows[4] = b"garbage\n"
    faults(written, b"".join(rows))
    found = Ledger.verify(written.path, keys=written.keys)
    assert isinstance(found, Broken)
    assert (found.breaks[0].fault, found.breaks[0].row, found.breaks[0].file) == (
        Fault.NOT_A_LINE,
        5,
        written.path,
    )


def test_a_thousand_breaks_are_counted_and_a_few_shown(written):
    faults(written, b"garbage\n" * 1000)
    found = Ledger.verify(written.path, keys=written.keys)
    assert isinstance(found, Broken)
    assert len(found.breaks) < 30
    assert len(found.breaks) + found.more >= 1000


def test_a_huge_line_takes_no_memory_and_is_found(written):
    assert Fault.NOT_A_LINE in faults(written, written.whole + b"x" * (3 * lines.LIMIT) + b"\n")


def test_lines_by_somebody_else_after_the_remembered_one_are_found(written):
    last = lines.read(written.whole.splitlines()[-1])
    more = lines.write(last.seq + 1, last.hash, lines.part(last.id, last.ts, some()), bytes(32))[0]
    assert faults(written, written.whole + more) == {Fault.NOT_AUTHENTIC}


def test_a_clock_that_went_back_is_noted(place):
    place.write(2)
    place.clock.advance(-365 * 86_400)
    place.write(2)
    found = place.verify()
    assert isinstance(found, Sound)
    (note,) = [note for note in found.facts.notes if "clock" in note]
    assert note.endswith("the clock went back, from 2026-01-19T10:30:00Z to 2025-01-19T10:30:00Z")


def test_a_clock_that_goes_back_while_a_program_runs_is_noted(place):
    with place.open() as ledger:
        for _ in range(10):
            ledger.append(some())
            place.clock.advance(-2)
    notes = [note for note in place.verify().facts.notes if "clock" in note]
    assert len(notes) == 6
    assert notes[-1].endswith("4 more times")


def test_lines_that_waited_for_their_flush_are_no_clock_that_went_back(place):
    with place.open() as waiting:
        waiting.append(some(1))
        place.clock.advance(3600)
        place.write(1)
        place.clock.advance(3600)
        waiting.append(some(2))
    assert not any("clock" in note for note in place.verify().facts.notes)


def test_nothing_to_verify_is_an_error_and_not_an_answer(place):
    with pytest.raises(LedgerError, match="there is no ledger"):
        place.verify()


def test_a_named_file_that_is_none_is_an_error(written, tmp_path):
    faults(written)
    (tmp_path / "x").write_text("nothing")
    with pytest.raises(LedgerError, match="not a file of a ledger"):
        Ledger.verify(written.path, keys=written.keys, rotated=[tmp_path / "x"])
    with pytest.raises(LedgerError, match="cannot read"):
        Ledger.verify(written.path, keys=written.keys, rotated=[tmp_path / "none"])


def test_a_changed_byte_in_a_rotated_and_compressed_file_is_found(place):
    place.write(5)
    data = place.path.read_bytes()
    packed = place.path.with_name("audit.jsonl.1.gz")
    packed.write_bytes(gzip.compress(data))
    place.path.unlink()
    place.write(1)
    assert isinstance(place.verify(), Sound)
    packed.write_bytes(gzip.compress(data.replace(b"push 3", b"pull 3")))
    found = place.verify()
    assert isinstance(found, Broken)
    assert {one.file for one in found.breaks} == {packed}


def test_verifying_writes_nothing(written):
    faults(written)
    before = {path: path.stat().st_mtime_ns for path in written.root.parent.rglob("*")}
    Ledger.verify(written.path, keys=written.keys)
    assert {path: path.stat().st_mtime_ns for path in written.root.parent.rglob("*")} == before
