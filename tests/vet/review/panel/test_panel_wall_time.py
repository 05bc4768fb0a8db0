"""How long a panel takes, over real sockets: what the seats wait, and no more.

The server runs in the loop of the panel, and the seconds of both pass only while neither has anything to do. So what is
measured is how long everybody waits for everybody else, whatever else the machine does; `bench/review.py` measures by a clock.
"""

import asyncio
import json
import time
from collections import Counter
from contextlib import asynccontextmanager, suppress

import pytest

from model_personalities import always_safe
from model_server import question, reply, wire_of
from panel_samples import case, jumping, seat, split, world
from sluicegate.vet.review.panel.run import ReviewRun, review_cases
from sluicegate.vet.review.panel.settings import PanelSettings
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.providers.seats import WIRES
from sluicegate.vet.verdict.types import Decision

SECONDS = 0.2
PATIENCE = 0.02


@asynccontextmanager
async def thinking():
    """A server that answers each question after ``SECONDS``: its port, and how many were under way at most, by wire."""
    now, most, asked = Counter(), Counter(), Counter()

    async def talk(reader, writer):
        while head := await reader.readuntil(b"\r\n\r\n"):
            size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            path = head.split(b" ", 2)[1].decode()
            wire = wire_of(path)
            one = question(wire, path, json.loads(await reader.readexactly(size)))
            asked[wire] += 1
            now[wire] += 1
            most[wire] = max(most[wire], now[wire])
            await asyncio.sleep(SECONDS)
            now[wire] -= 1
            body = json.dumps(reply(wire, one, always_safe(one))).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
            )
            writer.write(body)

    talks = []

    async def handle(reader, writer):
        talks.append(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError):
            await talk(reader, writer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=100)
    try:
        yield server.sockets[0].getsockname()[1], asked, most
    finally:
        server.close()
        await asyncio.gather(*talks)


def timed(cases, at_once, **given):
    """The reviews, the seconds that were waited, those of the processor, and what the server saw."""

    async def work():
        async with thinking() as (port, asked, most):
            seats = tuple(
                seat(wire, family=family, wire=wire, at_once=at_once, **given,
                     url=f"http://127.0.0.1:{port}" + ("" if wire == "anthropic" else "/v1"))
                for wire, family in zip(WIRES, ("gpt", "qwen", "claude"), strict=True)
            )  # fmt: skip
            async with ReviewRun(PanelSettings(seats), ReplyStore(None), world=world()) as run:
                began = asyncio.get_running_loop().time()
                made = await review_cases(run, cases)
                return made, asyncio.get_running_loop().time() - began, asked, most

    began = time.process_time()
    (made, waited, asked, most), _ = jumping(work(), PATIENCE)
    return made, waited, time.process_time() - began, asked, most


def test_a_hundred_packages_and_three_seats_take_what_they_must():
    (made,), waited, cpu, asked, most = timed([split(100)], 5)
    assert made.review.decision is Decision.SAFE
    assert set(asked.values()) == {100} and set(most.values()) == {5}, "no more at once than the seat allows"
    least = 100 / 5 * SECONDS
    assert least * 0.99 <= waited <= 1.5 * least
    assert cpu <= 3 * least, "it takes a quarter of this on a machine that does nothing else"


def _alone(number: int):
    """A skill that no other is like: nobody asks two of the same."""
    return case(0, files={"SKILL.md": f"---\nname: notes\ndescription: Keeps notes.\n---\nNote {number}.\n"})


@pytest.mark.parametrize("at_once", [1, 40])
def test_a_seat_waits_for_no_other_skill(at_once):
    """A package of each skill: as many are under way as a seat allows, and not as many as skills are taken at once."""
    count = 3 if at_once == 1 else 80
    made, waited, _, asked, most = timed([_alone(n) for n in range(count)], at_once, role="skill")
    assert {one.review.decision for one in made} == {Decision.SAFE}
    assert set(asked.values()) == {count}
    if at_once == 1:
        assert set(most.values()) == {1}
        assert waited <= 1.5 * SECONDS * count
    else:  # a busy machine lets the clock jump before all are under way
        assert all(20 <= under_way <= at_once for under_way in most.values())
        assert waited <= SECONDS * count / 20
