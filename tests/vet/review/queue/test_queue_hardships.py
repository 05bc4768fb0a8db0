"""The queue where things go wrong: two persons at once, clocks that go back, files that are damaged or somebody else's."""

import os
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from queue_machines import DOUBTFUL, PLAIN, Machine
from test_flags import AIMED, Flagging

from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.queue import State
from sluicegate.vet.verdict.types import Decision

HOUR = 3600 * 10**9


@pytest.fixture
def mira(tmp_path):
    return Machine(tmp_path / "mira", "mira")


RULES = """
import sys
from pathlib import Path
from queue_machines import Machine
place, person, docket, word = sys.argv[1:]
machine = Machine(Path(place), person, new=False)
sys.stdin.read(1)
for number in range(6):
    machine.rule(docket, approves=word == "yes", reason=f"{number}")
"""


def test_two_persons_rule_at_once_and_the_rejection_blocks(mira):
    docket = mira.wait_for()
    mira.keys.new("noor")
    running = [
        subprocess.Popen(
            [sys.executable, "-c", RULES, str(mira.home.reviews.parent), person, docket, word],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.path.dirname(__file__)},
        )
        for person, word in (("mira", "yes"), ("noor", "no"))
    ]
    for each in running:
        each.communicate(b"!")
    assert [each.returncode for each in running] == [0, 0]
    mira.now += HOUR
    (found,) = mira.do(lambda queue: queue.items())
    assert (found.state, len(found.rulings)) == (State.REJECTED, 2), "the newest of each"
    assert mira.scan().decision is Decision.DO_NOT_INSTALL


def test_the_last_that_a_person_ruled_counts_also_when_the_clock_went_back(mira):
    docket = mira.wait_for()
    mira.rule(docket)
    mira.now -= 200 * 10**9
    assert mira.rule(docket, approves=False).state is State.REJECTED
    mira.now += HOUR
    assert mira.scan().decision is Decision.DO_NOT_INSTALL


def test_what_would_be_replaced_by_a_ruling_of_the_past_is_not_signed(mira):
    """An approval of a clock that was ahead counts once its time has come, whatever was ruled since."""
    docket = mira.wait_for()
    mira.now += 48 * HOUR
    mira.rule(docket)
    mira.now -= 48 * HOUR
    assert mira.scan().decision is Decision.CAUTION, "it has not come yet"
    with pytest.raises(QueueError, match="which has not come yet"):
        mira.rule(docket, approves=False)


def test_in_one_second_the_later_ruling_counts(mira):
    docket = mira.wait_for()
    for approves in (True, False, True):
        mira.now -= 10**9  # which ``rule`` adds
        mira.rule(docket, approves=approves)
    assert mira.scan().decision is Decision.SAFE


@pytest.fixture(scope="module")
def passed_on(tmp_path_factory):
    """A file with an item, a ruling and a flag, and somebody who trusts whoever signed them."""
    mira = Flagging(tmp_path_factory.mktemp("mira"), "mira")
    noor = Flagging(tmp_path_factory.mktemp("noor"), "noor")
    noor.trusts(mira)
    mira.rule(mira.wait_for())
    mira.flag(AIMED)
    data = mira.do(lambda queue: queue.export(queue.items(), mira.keys.signer("mira"), queue.publishers()))
    return msgspec.json.decode(data), noor


@given(st.data())
def test_what_is_signed_as_one_thing_is_not_taken_for_another(passed_on, data):
    document, noor = passed_on
    parts = {name: document[name][0] for name in ("items", "rulings", "flags")}
    places = data.draw(st.permutations(list(parts)))
    moved = {place: [parts[name]] for place, name in zip(parts, places, strict=True)}
    brought = noor.do(lambda queue: queue.import_from(msgspec.json.encode({**document, **moved})))
    assert len(brought.refused) == sum(place != name for place, name in zip(parts, places, strict=True))
    assert all(line.isprintable() for line in brought.refused)


@given(st.data())
def test_a_damaged_file_brings_what_is_whole_and_nothing_else(passed_on, data):
    document, noor = passed_on
    text = msgspec.json.encode(document).decode()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = (
        text[:at] + data.draw(st.sampled_from(["", "x", '"', "\x00", "\ud800", "{" * 2000])) + text[at + 1 :]
    )
    try:
        noor.do(lambda queue: queue.import_from(damaged.encode("utf-8", "surrogatepass")))
    except QueueError as error:
        assert "not a file of items and rulings" in error.message
    known = noor.do(lambda queue: queue.for_scan())
    assert {each.ruling.reason for each in known.rulings.given} <= {"read all of it"}
    assert {flag.publisher for flag in known.flags.flags} <= {"github.com/owner"}


@pytest.mark.parametrize("name", ["\x1b[2J\x07", "\u202enoitcejer", "# [a](b) <b>\n|", "x" * 5000, "\ud800"])
def test_a_hostile_name_is_shown_as_text_and_cut(mira, name):
    from sluicegate.reach.queue_json import queue_json
    from sluicegate.reach.report.text.queue_page import flags_page, item_page, queue_page
    from sluicegate.vet.review.queue.flags import FlaggedPublisher
    from sluicegate.vet.review.queue.items import item_of
    from sluicegate.vet.review.queue.store import StoredFlag

    skill = mira.scan(DOUBTFUL).skills[0]._replace(name=name, description=name)
    mira.do(lambda queue: queue.add([item_of(name, skill)]))
    (found,) = mira.do(lambda queue: queue.items())
    flagged = FlaggedPublisher(name[:300].replace("\ud800", "?"), "d", (StoredFlag("p", "b", name[:9], name[:9], 5, name[:9]),), (), False, 0, 1)  # fmt: skip
    for width in (40, 80):
        for page in (
            queue_page([found], width=width, color=False),
            item_page(found, width=width, color=False, everything=True),
            flags_page([flagged], width=width, color=False),
        ):
            assert all(line.isprintable() for line in page.splitlines())
            assert max(map(len, page.splitlines())) <= width
            assert len(page) < 5000
    if name.isascii():
        assert not set("\x1b\x07\u202e") & set(queue_json([found], [flagged]))


def test_a_skill_that_poses_as_a_publisher_gets_nothing_of_its_ruling(tmp_path):
    mira = Flagging(tmp_path / "mira", "mira")
    mira.flag(AIMED)
    mira.rules()
    posing = {"SKILL.md": PLAIN, "data.bin": DOUBTFUL["data.bin"]}
    report = mira.report(posing, "", name="github.com:owner")
    assert (report.decision, report.notes) == (Decision.CAUTION, ())


def test_no_clock_ends_a_rejection(mira, tmp_path):
    """Set back, behind or ahead: an approval waits until its time has come, a rejection does not."""
    docket = mira.wait_for()
    mira.rule(docket)
    assert mira.scan().decision is Decision.SAFE
    mira.now += 86_400 * 10**9
    mira.rule(docket, approves=False)
    mira.now -= 86_400 * 10**9
    assert mira.scan().decision is Decision.DO_NOT_INSTALL, "the clock was set back"
    noor = Machine(tmp_path / "noor", "noor")
    noor.trusts(mira)
    noor.now = mira.now
    assert mira.sends(noor)[:2] == (1, 2)
    assert noor.scan().decision is Decision.DO_NOT_INSTALL, "and where it is behind"
