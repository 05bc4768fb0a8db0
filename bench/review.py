"""Measure a review: how long a hundred packages take three seats, against the least that it could take.

    python bench/review.py                      five runs, five questions at once at each seat
    python bench/review.py --at-once 20 --runs 3

A server in a process of its own answers each question after 200 ms, over real sockets. The least is what the seats wait at
the configured number of questions at once: 100 packages / 5 at once x 0.2 s. Measured are the panel (once the vendors'
libraries are imported: that happens once in a process) and ``sluicegate review`` as a whole. Wall time says what a user
waits, CPU time what it costs. On a machine that does other work the first grows; the shortest of several runs tells most.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import msgspec

SECONDS = 0.2
FAMILIES = ("gpt", "claude", "qwen")
WIRES = ("openai-chat", "openai-responses", "anthropic")
SKILL = "---\nname: {0}\ndescription: {1} {2}. Use it when asked to {1} {2}.\n---\nRead the {2} that the user names, and {1} them.\n"
VERBS = ("count", "date", "file", "list", "merge", "name", "print", "rank", "sort", "tag")
NOUNS = ("books", "films", "goals", "maps", "notes", "plans", "poems", "shops", "songs", "trips")
PACKAGES = len(VERBS) * len(NOUNS)
SPAWN = multiprocessing.get_context("spawn")


class Took(NamedTuple):
    """Seconds of one run."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} s ({self.cpu:.2f} CPU s)"


def serve(pipe: Connection) -> None:
    """Answer SAFE after 200 ms; when something is said, say how many questions came, and how many were under way at most."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    servers, personalities = map(importlib.import_module, ("model_server", "model_personalities"))
    now, most = dict.fromkeys(WIRES, 0), dict.fromkeys(WIRES, 0)

    def late(asked):  # type: ignore[no-untyped-def]
        now[asked.wire] += 1
        most[asked.wire] = max(most[asked.wire], now[asked.wire])
        time.sleep(SECONDS)
        now[asked.wire] -= 1
        return personalities.always_safe(asked)

    with servers.ModelServer(late) as server:
        pipe.send({wire: server.url(wire) for wire in WIRES})
        pipe.recv()
        pipe.send((len(server.received), most))


def settings(urls: dict[str, str], at_once: int) -> str:
    """Three seats that each review whole skills, one over each wire."""
    return "".join(
        f'[[review.seats]]\nname = "s-{wire}"\nwire = "{wire}"\nurl = "{urls[wire]}"\nmodel = "m-{wire}"\n'
        f'family = "{family}"\nrole = "skill"\nat-once = {at_once}\n\n'
        for wire, family in zip(WIRES, FAMILIES, strict=True)
    )


def command(home: Path) -> Took:
    """``sluicegate review`` of all skills, in a process of its own, with everything that it does."""
    words = [
        str(Path(sys.executable).with_name("sluicegate")),
        "review",
        str(home / "skills"),
        "-q",
        "--summary",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"SLUICEGATE_CONFIG_HOME": str(home), "SLUICEGATE_KEYS_HOME": str(home / "state")}
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    if (code := os.waitstatus_to_exitcode(status)) != 0:
        sys.exit(f"the review ended with {code}, and all seats said SAFE")
    return Took(wall, usage.ru_utime + usage.ru_stime)


def panel(home: Path) -> Took:
    """The panel alone: from skills that are scanned and mediated to what all seats said of them."""
    from sluicegate.vet.mediation import mediated
    from sluicegate.vet.review.mediator.settings import MediatorSettings
    from sluicegate.vet.review.panel.run import review_all
    from sluicegate.vet.review.panel.settings import PanelSettings
    from sluicegate.vet.review.panel.store import ReplyStore
    from sluicegate.vet.review.providers import anthropic_wire, openai_wires  # noqa: F401 - imported before the clock runs
    from sluicegate.vet.review.providers.seats import SeatSettings
    from sluicegate.vet.reviewing import to_be_asked
    from sluicegate.vet.scanner import Scanner

    seats = tomllib.loads((home / "sluicegate.toml").read_text())["review"]["seats"]
    settings = PanelSettings(tuple(msgspec.convert(seat, SeatSettings) for seat in seats))
    with Scanner() as scanner:
        cases = to_be_asked([mediated(str(home / "skills"), scanner, MediatorSettings())], anyway=False)
    with ReplyStore(home / "answers" / "answers.sqlite") as store:
        began, cpu = time.perf_counter(), time.process_time()
        review_all(cases, settings, store)
        return Took(time.perf_counter() - began, time.process_time() - cpu)


def served(at_once: int, measure: Callable[[Path], Took], *, apart: bool) -> Took:
    """One measurement before a server of its own, with what that saw checked; ``apart`` in a process of its own."""
    ours, theirs = SPAWN.Pipe()
    server = SPAWN.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for verb, noun in itertools.product(VERBS, NOUNS):
            skill = home / "skills" / f"{verb}-{noun}"
            skill.mkdir(parents=True)
            (skill / "SKILL.md").write_text(SKILL.format(skill.name, verb, noun))
        (home / "sluicegate.toml").write_text(settings(ours.recv(), at_once))
        if apart:
            with SPAWN.Pool(1) as pool:
                took = pool.apply(measure, (home,))
        else:
            took = measure(home)
    ours.send("enough")
    received, most = ours.recv()
    server.join()
    if received != PACKAGES * len(WIRES) or set(most.values()) != {at_once}:
        sys.exit(f"{received} questions were asked, so many at once: {most}")
    return took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--at-once", type=int, default=5, help="questions under way at each seat")
    asked = parser.parse_args()
    least = PACKAGES / asked.at_once * SECONDS
    print(f"{PACKAGES} packages, {len(WIRES)} seats, {asked.at_once} at once at each: at least {least:.1f} s")
    ratios = []
    for number in range(asked.runs):
        alone, whole = served(asked.at_once, panel, apart=True), served(asked.at_once, command, apart=False)
        ratios.append(alone.wall / least)
        print(
            f"run {number + 1}: the panel {alone}, {ratios[-1]:.2f} of the least; the whole command {whole}",
            flush=True,
        )
    print(
        f"the panel: {min(ratios):.2f} to {max(ratios):.2f} of the least, median {statistics.median(ratios):.2f}"
    )


if __name__ == "__main__":
    main()
