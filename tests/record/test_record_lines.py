"""Events and lines have one spelling, and come back as they were."""

import hashlib
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.clock import stamp
from sluicegate.record.ledger import events, lines
from sluicegate.record.ledger.events import Event, EventId

KEY = bytes(range(32))
ID = EventId("abc123.7")
plain = st.text(st.characters(exclude_categories=["Cs"]))
every_event = st.one_of(
    *(st.from_type(kind) for kind in (events.Label, events.Bless, events.Conflict, events.Run, events.Lost)),
    st.builds(events.Allow, operation=plain, labels=st.lists(plain).map(tuple), inputs=st.lists(plain).map(tuple)),
    st.builds(events.Denial, operation=plain, code=plain, rule=plain, reason=plain),
    st.builds(
        events.Write, path=plain, taint=st.lists(plain).map(tuple), writer=plain, hash=plain,
        size=st.integers(0, 2**60), device=st.integers(0, 2**64 - 1), inode=st.integers(0, 2**64 - 1),
        generation=st.integers(0, 2**32), appended=st.booleans(), partly=st.booleans(),
    ),
)  # fmt: skip


def line(event: Event, seq: int = 5, prev: str = "a" * 64) -> bytes:
    return lines.write(seq, prev, lines.part(ID, stamp(0), event), KEY)[0]


@settings(deadline=None)
@given(every_event)
def test_an_event_comes_back(event):
    data = events.encode(event)
    try:
        assert events.decode(data) == event
    except AssertionError:
        # Lone surrogates, which JSON cannot hold, are written as escapes.
        assert "\\ud" in data.decode()


@settings(deadline=None)
@given(every_event, st.integers(1, 10**17))
def test_a_line_comes_back_and_is_authentic(event, seq):
    data, hash = lines.write(seq, "b" * 64, lines.part(ID, stamp(10**18), event), KEY)
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    found = lines.read(data[:-1])
    assert (found.seq, found.prev, found.id, found.hash) == (seq, "b" * 64, ID, hash)
    assert found.hash == hashlib.sha256(data[:-1]).hexdigest()
    assert events.encode(found.event()) == events.encode(event)
    assert found.authentic(KEY)
    assert not found.authentic(bytes(32))


@settings(deadline=None)
@given(every_event, st.data())
def test_no_changed_byte_leaves_an_authentic_line(event, data):
    written = line(event)[:-1]
    at = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != written[at]))
    try:
        found = lines.read(written[:at] + bytes([byte]) + written[at + 1 :])
    except ValueError:
        return
    assert not found.authentic(KEY)


@settings(deadline=None)
@given(st.binary() | plain.map(str.encode))
def test_garbage_is_no_line_and_no_event(data):
    for read in (lines.read, events.decode):
        with pytest.raises(ValueError):
            read(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"event":"lost","count":1,"reason":"x","reason":"x"}',
        b'{"event":"lost","count":1,"reason":"x","more":1}',
        b'{"event":"lost", "count":1,"reason":"x"}',
        b'{"event":"lost","reason":"x","count":1}',
        b'{"event":"lost","count":1.0,"reason":"x"}',
        b'{"event":"lost","count":"1","reason":"x"}',
        b'{"event":"lost","count":1,"reason":"\\u0078"}',
        b'{"event":"lost","count":1,"reason":"x","inputs":[]}',
        b'{"event":"found","count":1,"reason":"x"}',
        b'{"count":1,"reason":"x"}',
        b'{"event":' + b"[" * 100_000,
        b'{"event":"lost","count":1,"reason":"\xff"}',
    ],
)
def test_another_spelling_is_no_event(data):
    assert events.decode(b'{"event":"lost","count":1,"reason":"x"}') == events.Lost(count=1, reason="x")
    with pytest.raises(ValueError):
        events.decode(data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seq":5', b'"seq":05'),
        (b'"seq":5', b'"seq":0'),
        (b'"seq":5', b'"seq":-5'),
        (b'"seq":5', b'"seq":5.0'),
        (b'"seq":5', b'"seq": 5'),
        (b'"prev":"aa', b'"prev":"AA'),
        (b'"id":"abc', b'"id":"ABC'),
        (b'"ts":"1970', b'"ts":"70'),
        (b'"mac":"', b'"mac":"g'),
        (b'"}', b'"} '),
        (b'{"seq"', b' {"seq"'),
        (b'"id"', b'"seq":5,"id"'),
    ],
)
def test_another_spelling_is_no_line(old, new):
    written = line(events.Lost(count=1, reason="x"))[:-1]
    changed = written.replace(old, new, 1)
    assert changed != written
    with pytest.raises(ValueError):
        lines.read(changed)


def test_a_name_that_is_no_text_is_written_with_escapes():
    event = events.Run(phase="start", program="caf\udce9")
    assert events.decode(events.encode(event)) == events.Run(phase="start", program="caf\\udce9")


def test_several_events_come_back():
    several = (events.Lost(count=1, reason="x"), events.Run(phase="end", program="y"))
    assert events.decode_all(events.encode_all(several)) == several
    with pytest.raises(ValueError):
        events.decode_all(b"{}")


def test_lines_are_split_and_long_ones_cut():
    assert list(lines.split(io.BytesIO(b"a\n\nb"))) == [b"a\n", b"\n", b"b"]
    pieces = list(lines.split(io.BytesIO(b"x" * (lines.LIMIT * 2 + 5) + b"\na\n")))
    assert [len(piece) for piece in pieces] == [lines.LIMIT, lines.LIMIT, 6, 2]


def test_every_kind_of_event_has_a_name_of_its_own():
    assert len(set(events.KINDS)) == len(events.KINDS) == len(Event.__args__)
