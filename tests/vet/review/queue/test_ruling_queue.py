"""The queue with a real file, real keys and real verdicts: what counts, what does not, and who hears of it."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from queue_machines import DOUBTFUL, HARMFUL, PLAIN, TODAY, Machine

from sluicegate.vet.baseline import Accepted, BaselineFile
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.items import item_of
from sluicegate.vet.review.queue.queue import QueueSettings, State, day_named
from sluicegate.vet.review.queue.statements import open_ruling
from sluicegate.vet.review.queue.store import QueueStore, StoredItem
from sluicegate.vet.scanner import Scanner
from sluicegate.vet.verdict.suppression import ExactEntry
from sluicegate.vet.verdict.types import Decision


@pytest.fixture
def mira(tmp_path):
    return Machine(tmp_path / "mira", "mira")


def test_an_approval_makes_caution_safe_and_nothing_else_does(mira):
    assert mira.scan().decision is Decision.CAUTION
    docket = mira.wait_for()
    assert mira.scan().decision is Decision.CAUTION
    assert mira.rule(docket[:8]).state is State.APPROVED
    report = mira.scan()
    assert report.decision is Decision.SAFE
    (ruling,) = report.skills[0].verdict.rulings.given
    assert (ruling.person, ruling.reason, ruling.docket) == ("mira", "read all of it", docket)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({**DOUBTFUL, "SKILL.md": PLAIN + b"And by name.\n"}, "the content is another"),
        ({**DOUBTFUL, "more.bin": bytes(range(256))}, "the content is another"),
    ],
)
def test_other_content_voids_it_and_that_is_said(mira, files, why):
    mira.rule(mira.wait_for())
    report = mira.scan(files)
    assert report.decision is Decision.CAUTION
    assert report.notes == (f"mira approved notes on 2026-11-23; that does not hold here: {why}.",)


def test_the_same_bytes_with_other_findings_or_gaps_void_it_and_that_is_said(mira):
    mira.rule(mira.wait_for())
    known = mira.do(lambda queue: queue.known())
    with Scanner(ScanConfig(today=TODAY, rulings=known, disable=("pipe-to-shell",))) as scanner:
        report = scanner.scan_bytes(DOUBTFUL, name="notes")
    assert report.decision is Decision.CAUTION
    assert any("it was about other findings, gaps or replies" in note for note in report.notes)


def test_it_ends_after_its_last_day(mira):
    mira.rule(mira.wait_for(), expires=date(2026, 11, 24))
    mira.today = date(2026, 11, 24)
    assert mira.scan().decision is Decision.SAFE
    mira.today = date(2026, 11, 25)
    report = mira.scan()
    assert report.decision is Decision.CAUTION
    assert any("it has expired" in note for note in report.notes)
    assert mira.do(lambda queue: queue.items())[0].state is State.OPEN
    with pytest.raises(QueueError, match="in the past"):
        day_named("2026-11-22", TODAY)
    for wrong in ("tomorrow", "20261130", "2026-W48-1", ""):
        with pytest.raises(QueueError, match="takes a day"):
            day_named(wrong, TODAY)


def test_do_not_install_ends_by_an_override_alone_and_settings_can_forbid_it(mira):
    docket = mira.wait_for(HARMFUL)
    with pytest.raises(QueueError, match="to approve it is to override"):
        mira.rule(docket)
    assert mira.rule(docket, overrides=True).decision is Decision.SAFE
    assert mira.scan(HARMFUL).decision is Decision.SAFE
    mira.settings = mira.settings._replace(override_block=False)
    report = mira.scan(HARMFUL)
    assert report.decision is Decision.DO_NOT_INSTALL
    assert "notes was approved, and your settings let nobody override DO_NOT_INSTALL." in report.notes
    with pytest.raises(QueueError, match="let nobody override"):
        mira.rule(docket, overrides=True)


def test_an_approval_does_not_replace_a_rejection_that_was_not_shown(mira):
    docket = mira.wait_for()
    shown = mira.do(lambda queue: queue.find(docket))
    mira.rule(docket, approves=False, reason="saw it in another window")
    mira.now += 10**9
    given = {"reason": "read all of it", "overrides": False, "expires": None}
    with pytest.raises(QueueError, match="rejected it while you looked at it"):
        mira.do(lambda queue: queue.seal(shown, mira.keys.signer(mira.person), approves=True, **given))
    assert mira.do(lambda queue: queue.find(docket)).state is State.REJECTED
    mira.do(lambda queue: queue.seal(shown, mira.keys.signer(mira.person), approves=False, **given))
    assert mira.rule(docket).state is State.APPROVED, "looked at again, it can be approved"


def scanned(machine, **changes):
    """The same bytes with other findings: a rule is off, or nothing is wrong."""
    known = machine.do(lambda queue: queue.known())
    with Scanner(ScanConfig(today=machine.today, rulings=known, **changes)) as scanner:
        return scanner.scan_bytes(HARMFUL, name="notes")


def accepting(machine):
    """A baseline that accepts all that is found in ``HARMFUL``."""
    found = scanned(machine).skills[0].verdict
    entries = [
        ExactEntry(rule=f.rule, path=f.location.path, fingerprint=f.fingerprint, reason="r", owner="o")
        for f in (*found.findings, *found.listed)
    ]
    return BaselineFile(entries=tuple(Accepted(entry=entry) for entry in entries))


def test_a_rejection_ends_by_a_later_ruling_of_the_same_person_on_that_content(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    mira.trusts(noor)
    noor.trusts(mira)
    mild = {"baseline": accepting(mira)}
    assert scanned(mira, **mild).decision is Decision.SAFE
    docket = mira.wait_for(HARMFUL)
    mira.rule(docket, overrides=True)
    assert scanned(mira).decision is Decision.SAFE
    mira.rule(docket, approves=False)
    for changes in ({}, mild, {"disable": ("pipe-to-shell",)}):
        report = scanned(mira, **changes)
        assert report.decision is Decision.DO_NOT_INSTALL
        assert "rejected by mira" in report.skills[0].verdict.reasons
        assert not report.notes or "does not hold" not in report.notes[0]
    assert mira.scan({**HARMFUL, "x.md": b"x"}).skills[0].verdict.rulings.given == ()

    rejected = item_of("here", scanned(mira, **mild).skills[0])
    assert rejected.decision == "SAFE", "it waits, though nothing but the rejection is against it"
    mira.do(lambda queue: queue.add([rejected]))
    assert mira.sends(noor).items == 2
    assert noor.rule(rejected.docket).state is State.REJECTED
    noor.sends(mira)
    assert scanned(mira, **mild).decision is Decision.DO_NOT_INSTALL, "another person does not end it"
    assert mira.rule(rejected.docket).state is State.APPROVED
    assert scanned(mira, **mild).decision is Decision.SAFE
    assert scanned(mira).decision is Decision.DO_NOT_INSTALL, "an approval from before the rejection is over"
    assert "rejected" not in " ".join(scanned(mira).skills[0].verdict.reasons)

    mira.rule(docket, approves=False, expires=date(2026, 11, 24))
    assert scanned(mira, **mild).decision is Decision.DO_NOT_INSTALL
    mira.today = date(2026, 11, 25)
    assert scanned(mira, **mild).decision is Decision.SAFE
    assert scanned(mira).decision is Decision.DO_NOT_INSTALL
    assert any("rejected notes" in note and "it has expired" in note for note in scanned(mira).notes)


def test_an_approval_does_not_end_a_rejection_of_another_docket_that_was_not_shown(mira):
    mild = {"baseline": accepting(mira)}
    docket = mira.wait_for(HARMFUL)
    mira.rule(docket, approves=False)
    other = item_of("here", scanned(mira, **mild).skills[0])
    mira.do(lambda queue: queue.add([other]))
    mira.rule(other.docket)
    shown = mira.do(lambda queue: queue.find(other.docket))
    assert shown.state is State.APPROVED
    mira.rule(docket, approves=False, reason="saw it in another window")
    mira.now += 10**9
    given = {"reason": "read all of it", "overrides": False, "expires": None}
    with pytest.raises(QueueError, match="rejected it while you looked at it"):
        mira.do(lambda queue: queue.seal(shown, mira.keys.signer("mira"), approves=True, **given))


def test_a_rejection_goes_along_with_another_docket_of_the_same_content(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    noor.trusts(mira)
    mira.rule(mira.wait_for(HARMFUL), approves=False)
    other = item_of("here", scanned(mira, baseline=accepting(mira)).skills[0])
    mira.do(lambda queue: queue.add([other]))
    data = mira.do(lambda queue: queue.export([queue.find(other.docket)], mira.keys.signer("mira")))
    assert noor.do(lambda queue: queue.import_from(data)).rulings == 1
    assert noor.scan(HARMFUL).decision is Decision.DO_NOT_INSTALL
    assert noor.do(lambda queue: queue.find(other.docket)).state is State.REJECTED


def test_a_rejection_is_never_signed_before_an_approval_of_the_same_content(mira):
    docket = mira.wait_for(HARMFUL)
    other = item_of("here", scanned(mira, disable=("pipe-to-shell-untrusted",)).skills[0])
    assert other.docket != docket
    mira.do(lambda queue: queue.add([other]))
    mira.rule(docket, overrides=True)
    mira.now -= 60 * 10**9
    mira.rule(other.docket, approves=False)
    assert scanned(mira).decision is Decision.DO_NOT_INSTALL, "though the clock was set back"


def test_a_rejection_blocks_until_the_same_person_approves(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    mira.trusts(noor)
    noor.trusts(mira)
    docket = mira.wait_for()
    mira.sends(noor)
    noor.rule(docket, approves=False)
    noor.sends(mira)
    assert mira.rule(docket).state is State.REJECTED
    assert mira.scan().decision is Decision.DO_NOT_INSTALL
    noor.rule(docket)
    assert noor.sends(mira).rulings == 1
    assert mira.scan().decision is Decision.SAFE


def test_two_persons_are_two_machines_and_not_two_keys_of_one(mira, tmp_path):
    mira.settings = QueueSettings(persons=2)
    noor = Machine(tmp_path / "noor", "noor", persons=2)
    helper = mira.keys.new("helper")
    mira.pins(mira, noor)
    noor.pins(mira, noor)
    pinned = tuple(
        each._replace(person="helper") if each.key == str(helper.public) else each
        for each in mira.settings.pinned
    )
    mira.settings = mira.settings._replace(pinned=pinned)
    docket = mira.wait_for()
    assert mira.rule(docket).state is State.OPEN
    assert "notes was approved by 1 of the 2 persons that are needed." in mira.scan().notes
    with pytest.raises(QueueError, match="all keys of one machine are one person"):
        mira.rule(docket, who="helper")
    signed = Machine.queue(mira, QueueStore(None))
    item = mira.do(lambda queue: queue.find(docket))
    alone = mira.settings
    mira.settings = QueueSettings()  # as a program would that has the key
    sealed = signed.seal(
        item, mira.keys.signer("helper"), approves=True, reason="me too", overrides=False, expires=None
    )
    mira.do(lambda queue: queue.keep(*sealed))
    mira.settings = alone
    assert mira.scan().decision is Decision.CAUTION
    mira.trusts(noor)
    noor.trusts(mira)
    mira.sends(noor)
    noor.rule(docket)
    noor.sends(mira)
    assert mira.scan().decision is Decision.SAFE


def test_whoever_is_trusted_for_what_they_publish_approves_of_nothing_here(mira, tmp_path):
    """Their skills are signed with the key that would rule. They can only be stricter, and end what they said."""
    publisher = Machine(tmp_path / "publisher", "publisher")
    publisher.trusts(mira)
    mira.trusts(publisher)
    docket = mira.wait_for()
    mira.sends(publisher)
    assert publisher.rule(docket).state is State.APPROVED, "on a machine of their own"
    assert publisher.sends(mira).rulings == 1
    assert mira.scan().decision is Decision.CAUTION
    (line,) = mira.do(lambda queue: queue.counted().refused)
    assert "the approval of publisher on notes does not count" in line
    publisher.rule(docket, approves=False)
    publisher.sends(mira)
    mira.now = publisher.now
    assert mira.scan().decision is Decision.DO_NOT_INSTALL
    publisher.rule(docket)
    publisher.sends(mira)
    mira.now = publisher.now
    assert mira.scan().decision is Decision.CAUTION
    mira.settings = QueueSettings(who=("publisher",))
    assert mira.scan().decision is Decision.SAFE, "where settings say so"


def test_without_pinned_keys_a_second_person_is_nobody(mira, tmp_path):
    """Whoever takes the key away that ruled, and makes another, was two persons."""
    mira.settings = QueueSettings(persons=2)
    noor = Machine(tmp_path / "noor", "noor", persons=2)
    docket = mira.wait_for()
    mira.trusts(noor)
    noor.trusts(mira)
    mira.rule(docket)
    mira.sends(noor)
    mira.settings = noor.settings = QueueSettings(who=("mira", "noor"))
    noor.rule(docket)
    noor.sends(mira)
    assert mira.scan().decision is Decision.SAFE, "one is enough"
    mira.settings = QueueSettings(persons=2, who=("mira", "noor"))
    assert mira.scan().decision is Decision.CAUTION


def test_a_person_of_two_pinned_keys_is_one_and_the_newest_of_both_counts(mira, tmp_path):
    desk = Machine(tmp_path / "desk", "mira@desk")
    mira.trusts(desk)
    desk.trusts(mira)
    mira.settings = QueueSettings(persons=2)
    mira.pins(mira, desk)
    mira.settings = mira.settings._replace(
        pinned=tuple(each._replace(person="mira") for each in mira.settings.pinned)
    )
    docket = mira.wait_for()
    mira.rule(docket)
    mira.sends(desk)
    desk.now += 9 * 10**9
    desk.rule(docket, reason="read it again")
    assert desk.sends(mira).rulings == 1
    mira.now += 99 * 10**9
    found = mira.do(lambda queue: queue.find(docket))
    assert (found.state, found.approvals, found.persons) == (State.OPEN, 1, ("mira",))
    assert [(each.person, each.reason) for each in found.rulings] == [("mira", "read it again")]
    desk.now = mira.now
    desk.rule(docket, approves=False)
    desk.sends(mira)
    mira.now += 10**9
    assert mira.scan().decision is Decision.DO_NOT_INSTALL
    mira.settings = mira.settings._replace(persons=1)
    assert mira.rule(docket).state is State.APPROVED, "the same person ends it, with the other key"


def test_a_key_that_replaces_a_pinned_one_counts_once_it_is_pinned(mira):
    mira.pins(mira)
    docket = mira.wait_for()
    mira.rule(docket, reason="with the first key")
    mira.keys.rotate("mira")
    mira.now += 10**9
    with pytest.raises(QueueError, match=r"the key ed25519:.* of mira is not pinned"):
        mira.rule(docket)
    assert mira.scan().decision is Decision.SAFE, "the first was good when it signed"
    mira.pins(mira)
    assert mira.rule(docket, approves=False).state is State.REJECTED
    first = next(k for k in mira.keys.trust().keys.values() if k.not_after is not None)
    mira.keys.revoke(first.key.id)
    assert mira.rule(docket).state is State.APPROVED
    mira.keys.revoke(next(k for k in mira.keys.trust().keys.values() if k.revoked is None).key.id)
    assert mira.scan().decision is Decision.CAUTION, "a pin makes no revoked key count"


def test_no_name_makes_a_key_count_that_is_not_pinned(mira, tmp_path):
    """Somebody trusts another key under the name of a person: names are not asked."""
    other = Machine(tmp_path / "other", "noor")
    noor = Machine(tmp_path / "noor", "noor")
    mira.settings = QueueSettings(persons=2)
    mira.pins(mira, noor)
    mira.trusts(noor, other)
    other.trusts(mira)
    docket = mira.wait_for()
    mira.rule(docket)
    mira.sends(other)
    other.rule(docket)
    assert other.sends(mira).rulings == 1
    assert mira.scan().decision is Decision.CAUTION
    (line,) = mira.do(lambda queue: queue.counted().refused)
    assert line.endswith("of noor is not pinned")
    with pytest.raises(QueueError, match="no key of mallory is pinned"):
        mira.do(lambda q: q.check_may_rule(q.find(docket).subject, signer="mallory", approves=False))


def test_only_who_may_rule_does(mira):
    docket = mira.wait_for()
    mira.rule(docket)
    mira.settings = QueueSettings(who=("noor",))
    assert mira.scan().decision is Decision.CAUTION
    refused = mira.do(lambda queue: queue.counted().refused)
    assert refused == ("the ruling of mira on notes does not count: by your settings mira may not rule",)
    with pytest.raises(QueueError, match="mira may not rule here"):
        mira.rule(docket)


def test_a_key_that_is_named_is_not_another_of_the_same_name(mira):
    docket = mira.wait_for()
    (key,) = mira.keys.trust().keys.values()
    mira.settings = QueueSettings(who=(str(key.key),))
    mira.rule(docket)
    assert mira.scan().decision is Decision.SAFE
    mira.keys.rotate("mira")
    mira.now += 10**9
    with pytest.raises(QueueError, match="mira may not rule here"):
        mira.rule(docket)
    assert mira.scan().decision is Decision.SAFE, "the new key does not count, and the old one does"
    named, mira.settings = mira.settings, QueueSettings()
    mira.rule(docket, approves=False)
    assert mira.scan().decision is Decision.DO_NOT_INSTALL
    mira.settings = named
    assert mira.scan().decision is Decision.SAFE
    assert any("may not rule" in line for line in mira.do(lambda queue: queue.counted().refused))


def test_a_revoked_key_rules_nothing_and_that_is_said(mira):
    mira.rule(mira.wait_for())
    mira.keys.revoke(mira.keys.stored()[0].public.id)
    assert mira.scan().decision is Decision.CAUTION
    (line,) = mira.do(lambda queue: queue.counted().refused)
    assert "revoked-key" in line


def test_what_a_stranger_signed_is_refused(mira, tmp_path):
    eve = Machine(tmp_path / "eve", "eve")
    docket = mira.wait_for()
    eve.trusts(mira)
    mira.sends(eve)
    eve.rule(docket)
    brought = eve.sends(mira)
    assert (brought.items, brought.rulings) == (0, 0)
    assert len(brought.refused) == 2
    assert all("untrusted-key" in line for line in brought.refused)
    assert mira.scan().decision is Decision.CAUTION


def test_an_item_of_another_machine_says_whose_it_is_until_it_is_scanned_here(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    noor.trusts(mira)
    docket = mira.wait_for()
    mira.sends(noor)
    assert noor.do(lambda queue: queue.find(docket)).origin == "mira"
    assert noor.wait_for() == docket
    assert noor.do(lambda queue: queue.find(docket)).origin == ""


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    mira = Machine(tmp_path_factory.mktemp("signed") / "mira", "mira")
    docket = mira.wait_for()
    mira.rule(docket)
    with QueueStore(mira.home.reviews / "queue.sqlite") as store:
        return mira, store.rulings()[0]


@given(st.data())
def test_no_change_of_a_signed_ruling_is_believed(signed, data):
    mira, envelope = signed
    at = data.draw(st.integers(0, len(envelope) - 1))
    byte = data.draw(st.integers(0, 255))
    changed = envelope[:at] + bytes([byte]) + envelope[at + 1 :]
    opened = open_ruling(changed, trust=mira.keys.trust(), now=mira.now)
    assert (getattr(opened, "approves", None) is True) == (changed == envelope)


@given(st.binary(max_size=200))
def test_a_file_that_is_none_is_an_error_of_ours(signed, data):
    mira, _ = signed
    with QueueStore(None) as store, pytest.raises(QueueError, match="not a file of items"):
        mira.queue(store).import_from(data)


def test_a_ruling_in_the_file_under_a_wrong_docket_is_about_what_was_signed(mira):
    docket = mira.wait_for()
    other = mira.wait_for({**DOUBTFUL, "SKILL.md": PLAIN + b"More.\n"})
    mira.rule(docket)
    with sqlite3.connect(mira.home.reviews / "queue.sqlite") as database:
        database.execute("UPDATE ruling SET docket = ?", (other,))
    database.close()
    states = {each.item.docket: each.state for each in mira.do(lambda queue: queue.items())}
    assert states == {docket: State.APPROVED, other: State.OPEN}


def test_an_item_that_was_put_under_another_docket_is_no_item(mira):
    mira.wait_for()
    with sqlite3.connect(mira.home.reviews / "queue.sqlite") as database:
        database.execute("UPDATE item SET docket = ?", ("0" * 64,))
    database.close()
    with pytest.raises(QueueError, match="damaged"):
        mira.do(lambda queue: queue.items())


@pytest.mark.parametrize(
    ("reason", "says"),
    [("", "gives no reason"), (" \u200b ", "gives no reason"), ("x" * 2001, "longer than 2,000")],
)
def test_a_ruling_says_why(mira, reason, says):
    docket = mira.wait_for()
    with pytest.raises(QueueError, match=says):
        mira.rule(docket, reason=reason)
    assert mira.scan().decision is Decision.CAUTION


def test_words_that_name_no_item_or_several(mira):
    with pytest.raises(QueueError, match="the queue is empty"):
        mira.do(lambda queue: queue.find("notes"))
    docket = mira.wait_for()
    assert mira.do(lambda queue: queue.find("notes")).item.docket == docket
    mira.wait_for(HARMFUL)
    for word, says in (("notes", "2 items"), ("nots", "no item"), (docket[:3], "no item")):
        with pytest.raises(QueueError, match=says):
            mira.do(lambda queue, word=word: queue.find(word))


def test_what_is_safe_or_could_not_be_read_waits_for_nobody(mira):
    assert item_of("here", mira.scan({"SKILL.md": PLAIN}).skills[0]) is None
    skill = mira.scan().skills[0]
    assert item_of("here", skill._replace(digest="")) is None


def test_the_file_is_for_its_user_alone(mira):
    mira.wait_for()
    place = mira.home.reviews / "queue.sqlite"
    assert {path.stat().st_mode & 0o077 for path in (place, place.parent)} == {0}
    place.chmod(0o644)
    with pytest.raises(QueueError, match="read or written by others"):
        mira.do(lambda queue: queue.items())


@pytest.mark.parametrize("version", [3, 99])
def test_a_file_of_another_version_is_not_written_over(mira, version):
    mira.wait_for()
    place = mira.home.reviews / "queue.sqlite"
    with sqlite3.connect(place) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(QueueError, match="another version"):
        mira.do(lambda queue: queue.items())


WRITER = """
import sys
from pathlib import Path
from sluicegate.vet.review.queue.store import QueueStore, StoredItem
who = sys.argv[2]
with QueueStore(Path(sys.argv[1])) as store:
    for n in range(int(sys.argv[3])):
        docket = f"{who}-{n}"
        store.add_items([StoredItem(docket, b"a", "", n), StoredItem(docket + "-b", b"b", "", n)])
        store.add_rulings([(docket, docket.encode())])
        print(docket, flush=True)
"""


def _writer(place, who, count):
    words = [sys.executable, "-c", WRITER, str(place), who, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_many_writers_lose_nothing_and_a_kill_leaves_what_was_said_and_nothing_half(tmp_path):
    place = tmp_path / "reviews" / "queue.sqlite"
    writers = [_writer(place, f"w{n}", 20) for n in range(3)]  # the file does not exist yet
    doomed = _writer(place, "doomed", 100_000)
    said = [doomed.stdout.readline().strip() for _ in range(15)]
    os.kill(doomed.pid, signal.SIGKILL)
    said += doomed.stdout.read().split()[:-1]
    doomed.wait()
    doomed.stdout.close()
    for writer in writers:
        said += writer.communicate()[0].split()
        assert writer.returncode == 0
    with QueueStore(place) as store:
        items = {item.docket for item in store.items()}
        rulings = {ruling.decode() for ruling in store.rulings()}
    assert set(said) <= items
    assert set(said) <= rulings
    assert len([one for one in said if one.startswith("w")]) == 60
    assert {one.removesuffix("-b") for one in items if one.endswith("-b")} == {
        one for one in items if not one.endswith("-b")
    }
    with sqlite3.connect(place) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_what_is_added_again_is_not_new():
    with QueueStore(None) as store:
        mine, theirs = StoredItem("d", b"mine", "", 1), StoredItem("d", b"theirs", "noor", 2)
        assert [store.add_items([one]) for one in (theirs, theirs, mine, theirs, mine)] == [1, 0, 0, 0, 0]
        assert store.items() == (StoredItem("d", b"mine", "", 2),)
        assert [store.add_rulings([("d", b"x")]) for _ in range(2)] == [1, 0]


def test_a_number_that_begins_as_a_skill_is_called_is_not_taken_for_it(mira):
    """Four digits of a digest are found in no time by whoever writes a skill."""
    docket = mira.wait_for()
    item = mira.do(lambda queue: queue.find(docket)).item
    called = item_of("here", mira.scan({**DOUBTFUL, "more.md": b"More.\n"}, name="notes").skills[0])
    named = msgspec.structs.replace(called, name=docket[:4])
    mira.do(lambda queue: queue.add([named]))
    with pytest.raises(QueueError, match="is the name of a skill, and another item's number begins so"):
        mira.do(lambda queue: queue.find(docket[:4]))
    assert mira.do(lambda queue: queue.find(docket[:8])).item == item
    assert mira.do(lambda queue: queue.find(named.docket[:8])).item == named


def test_ten_thousand_rulings_cost_a_scan_little(mira):
    docket = mira.wait_for()
    mira.rule(docket)
    known = mira.do(lambda queue: queue.known())
    many = tuple(known.given[0]._replace(bundle=f"{n:064x}") for n in range(10_000))
    known = known._replace(given=tuple(sorted((*known.given, *many))))
    began = time.process_time()
    for _ in range(1000):
        assert len(known.of(known.given[0].bundle).given) == 1
    assert time.process_time() - began < 1


def test_a_file_goes_between_machines_as_json(mira):
    mira.rule(mira.wait_for())
    data = mira.do(lambda queue: queue.export(queue.items(), mira.keys.signer(mira.person)))
    document = msgspec.json.decode(data)
    assert document["format"] == "sluicegate-queue-1"
    assert [len(document[part]) for part in ("items", "rulings")] == [1, 1]


def test_an_export_of_everything_has_the_rulings_on_what_waits_no_longer(mira, tmp_path):
    noor = Machine(tmp_path / "noor", "noor")
    docket = mira.wait_for()
    mira.rule(docket, approves=False)
    mira.do(lambda queue: queue._store.remove([docket], []))
    assert mira.do(lambda queue: queue.items()) == () and not mira.do(lambda queue: queue.is_empty())
    noor.trusts(mira)
    data = mira.do(lambda queue: queue.export_all(mira.keys.signer("mira")))
    assert noor.do(lambda queue: queue.import_from(data))[:3] == (0, 1, 0)
    assert noor.scan().decision is Decision.DO_NOT_INSTALL
