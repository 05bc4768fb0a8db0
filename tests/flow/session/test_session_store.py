"""Sessions between processes: many writers, kills at any moment, one settlement each."""

import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys

import pytest
from session_samples import SECOND, SECRET, asked, granted, store, told

from sluicegate.flow.labels import Labels
from sluicegate.flow.session import kernels, provenance
from sluicegate.flow.session.store import SessionError, Stale, Store
from sluicegate.record.errors import RecordError

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

context = multiprocessing.get_context("fork")


def settled(kept, permit, *, now=1, labels=("src:mcp",), session="agent"):
    return kept.settle(permit, session, Labels.of(*labels), now=now, context=True)


def test_what_is_granted_counts_at_once_and_what_is_settled_counts_too(tmp_path):
    kept = store(tmp_path)
    permit = granted(kept, expects=("src:mcp",))
    assert kept.look("agent").labels == Labels.of("src:mcp")
    assert settled(kept, permit, labels=("src:mcp", "secret")) == kernels.SETTLES
    assert kept.look("agent").labels == Labels.of("secret", "src:mcp")
    kept.close()
    assert store(tmp_path).look("agent").labels == Labels.of("secret", "src:mcp")


def test_a_permit_settles_once_here_and_elsewhere(tmp_path):
    kept = store(tmp_path)
    permit = granted(kept)
    assert settled(store(tmp_path), permit) == kernels.SETTLES
    assert settled(kept, permit) == settled(store(tmp_path), permit) == kernels.USED


def test_a_second_store_in_this_process_loses_nothing_of_the_first(tmp_path):
    """A permit that is settled is settled for every process, also when this one had opened the file twice."""
    kept = store(tmp_path)
    permit = granted(kept)
    again = store(tmp_path)
    again.look("agent")
    again.close()
    code = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('SELECT * FROM session').fetchall(); d.close()"
    subprocess.run([sys.executable, "-c", code, str(kept.path)], check=True)
    assert settled(kept, permit) == kernels.SETTLES
    code = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); print(d.execute('SELECT state FROM permit').fetchall()); d.close()"
    ran = subprocess.run([sys.executable, "-c", code, str(kept.path)], check=True, capture_output=True)
    assert ran.stdout == b"[(1,)]\n"


def test_what_is_wrong_with_a_permit_is_said(tmp_path):
    import msgspec

    kept = store(tmp_path)
    kept.begin("other", owner="me")
    permit = granted(kept, issued=5 * SECOND)
    forged = msgspec.structs.replace(permit, values={"id": 18})
    assert settled(kept, forged) == kernels.FORGED
    assert settled(kept, forged.sealed(b"x" * 32)) == kernels.FORGED
    assert settled(kept, permit, session="other") == kernels.FOREIGN
    assert settled(kept, msgspec.structs.replace(permit, number=9).sealed(SECRET)) == kernels.UNRECORDED
    assert settled(kept, permit, now=15 * SECOND) == kernels.LATE
    assert settled(kept, permit, now=4 * SECOND) == kernels.LATE  # the clock went back
    assert settled(kept, forged.sealed(SECRET), now=6 * SECOND) == kernels.OTHER
    assert settled(kept, permit, now=15 * SECOND - 1) == kernels.SETTLES


def test_who_decided_with_less_has_to_decide_again(tmp_path):
    kept, other = store(tmp_path), store(tmp_path)
    seen = kept.look("agent")
    other.take("agent", told("src:mcp"))
    with pytest.raises(Stale):
        kept.grant(asked(), "", seen=seen, strict=False, context=True)
    seen = kept.look("agent")
    granted(other)  # brings nothing that was not there
    kept.grant(asked(), "", seen=seen, strict=False, context=True)
    with pytest.raises(Stale):
        kept.grant(asked(), "", seen=seen, strict=True, context=True)
    assert kept.look("agent").grants == 2


def test_permits_of_others_meanwhile_take_the_next_number(tmp_path):
    """Where nothing else is new, and no guard counts calls, the decision stands."""
    first, second = store(tmp_path), store(tmp_path)
    seen = first.look("agent")
    assert granted(second).number == 0
    late = first.grant(asked(), "close", seen=seen, strict=False, context=True)
    assert late.number == 1
    assert settled(second, late) == kernels.SETTLES
    assert first.look("agent").grants == 2


def test_labels_as_an_earlier_release_spelled_them_are_the_same(tmp_path):
    kept = store(tmp_path)
    kept.take("agent", told("src:mcp", "secret"))
    kept._opened().execute('UPDATE session SET labels = \'["secret", "src:mcp"]\'')
    seen = kept.look("agent")
    assert seen.labels == Labels.of("secret", "src:mcp")
    assert kept.grant(asked(), "", seen=seen, strict=True, context=True).number == 0
    assert kept.look("agent").labels == seen.labels


def test_what_is_never_settled_is_told_once(tmp_path):
    kept = store(tmp_path)
    first, second = granted(kept, expects=("src:mcp",)), granted(kept, issued=5 * SECOND)
    assert kept.lapse("agent", 9 * SECOND) == []
    ((name, shown, expects),) = kept.lapse("agent", 10 * SECOND) or store(tmp_path).lapse(
        "agent", 10 * SECOND
    )
    assert (name, shown, expects) == ("agent/0", first.shown, ("src:mcp",))
    assert store(tmp_path).lapse("agent", 10 * SECOND) == []
    assert settled(kept, first, now=1) == kernels.LATE
    assert settled(kept, second, now=11 * SECOND) == kernels.SETTLES


def test_the_owner_alone_begins_anew(tmp_path):
    kept = store(tmp_path)
    out = granted(kept, expects=("secret",))
    kept.take("agent", told("src:mcp"))
    seen = kept.look("agent")
    with pytest.raises(SessionError, match="only the owner"):
        kept.reset("agent", owner="somebody")
    labels, void = kept.reset("agent", owner="me")
    assert labels == Labels.of("secret", "src:mcp")
    assert [each.name for each in void] == ["agent/0"]
    assert kept.look("agent").labels == Labels.of() and kept.taken("agent", 0) == []
    assert kept.calls("agent") == ()
    assert settled(kept, out) == kernels.LATE
    with pytest.raises(Stale):
        kept.grant(asked(), "", seen=seen, strict=False, context=True)
    assert granted(kept).number == 1  # a number is never given twice


def test_a_decision_of_before_a_reset_is_no_permit_after_it(tmp_path):
    """Also if nothing was permitted and nothing taken in, so that nothing but the count of resets tells them apart."""
    kept = store(tmp_path)
    seen = kept.look("agent")
    store(tmp_path).reset("agent", owner="me")
    with pytest.raises(Stale):
        kept.grant(asked(), "", seen=seen, strict=False, context=True)


def test_a_child_takes_in_what_its_parent_has_and_may_still_get(tmp_path):
    kept = store(tmp_path)
    kept.take("agent", told("src:mcp"))
    granted(kept, expects=("secret",))
    kept.begin("agent.1", owner="me")
    kept.inherit("agent.1", "agent")
    assert kept.look("agent.1").labels == Labels.of("secret", "src:mcp")
    assert [each.source for each in kept.taken("agent.1", 0)] == ["mcp:gh:list"]


def test_the_file_is_this_users_alone(tmp_path):
    kept = store(tmp_path)
    for path in kept.path.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept.close()
    kept.path.chmod(0o644)
    with pytest.raises(RecordError, match="read or written by others"):
        store(tmp_path)


def test_a_damaged_file_and_one_of_another_version_permit_nothing(tmp_path):
    kept = store(tmp_path)
    kept.close()
    for path in kept.path.parent.iterdir():
        if path != kept.path:
            path.unlink()
    kept.path.write_bytes(b"no database at all, but long enough to be one" * 40)
    with pytest.raises(SessionError, match="cannot be read"):
        store(tmp_path)
    kept.path.write_bytes(b"")
    with sqlite3.connect(kept.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(SessionError, match="another version"):
        store(tmp_path)


def test_words_of_a_file_of_before_are_known_and_endorse_no_code(tmp_path):
    """Of the version before it is not known what stood between the words."""
    kept = store(tmp_path)
    digest = provenance.digester(SECRET)
    words = provenance.words_of(["remove the old branch"], digest)
    kept.take("agent", told()._replace(tokens=b"".join(each.tobytes() for each in words[:4])))
    kept.close()
    with sqlite3.connect(kept.path) as database:
        database.executescript("DROP TABLE approval; DROP TABLE elsewhere; PRAGMA user_version = 4")
    database.close()
    (row,) = store(tmp_path).taken("agent", 0)
    index = provenance.TextIndex()
    index.add(provenance.unpacked(row.tokens))
    assert index.holds("old branch", digest)
    assert not index.holds("old branch", digest, code=True)
    assert index.holds("branch", digest, code=True)


def _take_turns(root, writer, count, barrier):
    kept = Store(root / "state" / "sessions.db", SECRET)
    barrier.wait()
    for number in range(count):
        while True:
            try:
                permit = granted(kept, expects=(f"w{writer}:{number}",))
                break
            except Stale:
                continue
        assert settled(kept, permit, labels=(f"s{writer}:{number}",)) == kernels.SETTLES
        kept.take("agent", told(f"t{writer}:{number}"))


def test_writers_take_turns(tmp_path):
    kept = store(tmp_path)
    barrier = context.Barrier(4)
    writers = [context.Process(target=_take_turns, args=(tmp_path, n, 20, barrier)) for n in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join(timeout=60)
        assert one.exitcode == 0
    look = kept.look("agent")
    expected = {f"{kind}{w}:{n}" for kind in "wst" for w in range(4) for n in range(20)}
    assert set(look.labels.names()) == expected
    assert (look.grants, look.taken) == (80, 80)
    assert len({each.number for each in kept.taken("agent", 0)}) == 80


def _settle(root, token, barrier, results):
    from sluicegate.flow.session.permit import Permit

    kept = Store(root / "state" / "sessions.db", SECRET)
    permits = [Permit.read(each) for each in token]
    barrier.wait()
    results.put([settled(kept, permit) for permit in permits])


def test_of_many_who_settle_one_permit_one_does(tmp_path):
    kept = store(tmp_path)
    tokens = [granted(kept).token() for _ in range(20)]
    barrier, results = context.Barrier(4), context.Queue()
    racers = [context.Process(target=_settle, args=(tmp_path, tokens, barrier, results)) for _ in range(4)]
    for one in racers:
        one.start()
    answers = [results.get(timeout=60) for _ in racers]
    for one in racers:
        one.join(timeout=60)
    for each in zip(*answers, strict=True):
        assert sorted(each) == [kernels.SETTLES, kernels.USED, kernels.USED, kernels.USED]


def _grant_for_ever(root, writer, pipe):
    """Grant, settle and take in, and say what was acknowledged; until killed."""
    kept = Store(root / "state" / "sessions.db", SECRET)
    number = 0
    while True:
        try:
            permit = granted(kept, expects=(f"w{writer}:{number}",))
        except Stale:
            continue
        os.write(pipe, f"w{writer}:{number}\n".encode())
        settled(kept, permit, labels=(f"s{writer}:{number}",))
        os.write(pipe, f"s{writer}:{number}\n".encode())
        kept.take("agent", told(f"t{writer}:{number}"))
        os.write(pipe, f"t{writer}:{number}\n".encode())
        number += 1


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path):
    kept = store(tmp_path)
    acknowledged: set[str] = set()
    for turn in range(5):
        read, write = os.pipe()
        writers = [
            context.Process(target=_grant_for_ever, args=(tmp_path, f"{turn}{n}", write)) for n in range(3)
        ]
        for one in writers:
            one.start()
        os.close(write)
        heard = b""
        with os.fdopen(read, "rb", buffering=0) as pipe:
            while heard.count(b"\n") < 7 + 9 * turn:
                heard += pipe.read(4096)
            for one in writers:
                os.kill(one.pid, signal.SIGKILL)
            for one in writers:
                one.join()
            while more := pipe.read(65536):
                heard += more
        acknowledged.update(heard.decode().rpartition("\n")[0].split())
    look = kept.look("agent")
    names = set(look.labels.names())
    assert acknowledged <= names and len(acknowledged) > 50
    assert look.taken == len(kept.taken("agent", 0))
    # Nothing by halves: what was settled was granted, and the one that was taken in was settled.
    assert {name[1:] for name in names if name[0] == "t"} <= {name[1:] for name in names if name[0] == "s"}
    assert {name[1:] for name in names if name[0] == "s"} <= {name[1:] for name in names if name[0] == "w"}
    granted(kept)


def test_a_child_of_a_fork_has_a_connection_of_its_own(tmp_path):
    kept = store(tmp_path)

    def in_child():
        kept.take("agent", told("src:mcp"))

    child = context.Process(target=in_child)
    child.start()
    child.join(timeout=60)
    assert child.exitcode == 0
    assert kept.look("agent").labels == Labels.of("src:mcp")
    kept.take("agent", told("secret"))
    assert kept.look("agent").taken == 2


def test_the_events_of_what_was_taken_in_are_kept_until_one_follows_from_them(tmp_path):
    kept, other = store(tmp_path), store(tmp_path)
    kept.take("agent", told()._replace(event="w.1"))
    other.take("agent", told()._replace(event="w.2"))  # it has not seen the first
    assert kept.look("agent").events == ("w.1", "w.2")
    kept.take("agent", told())
    kept.take("agent", told()._replace(event="w.3", follows=("w.1", "w.2")))
    assert other.look("agent").events == ("w.3",)
    kept.child("child", "agent", owner="me")
    kept.take("child", told()._replace(event="w.4", follows=("w.3",)))
    kept.take("agent", told()._replace(event="w.5", follows=("w.3",)))
    kept.inherit("agent", "child")
    assert kept.look("agent").events == ("w.5", "w.4")
    kept.reset("agent", owner="me")
    assert kept.look("agent").events == ()
