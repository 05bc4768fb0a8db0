"""``sluicegate review`` killed at any moment and started again: nothing that was answered is asked twice, nothing is lost."""

import contextlib
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from model_personalities import honest
from model_server import Asked, ModelServer

SKILLS, AT_ONCE = 9, 3
VERBS = ("count", "date", "file", "list", "merge", "name", "print", "rank", "sort")
TEXT = "---\nname: {0}-notes\ndescription: {0} notes. Use it when asked to {0} notes.\n---\nTo {0} the notes, read them.\n"
SEATS = (("one", "skill", "gpt"), ("two", "skill", "claude"), ("three", "detector", "qwen"))
QUESTIONS = SKILLS * len(SEATS)

KEEPER = """
import os, sys
import sluicegate.vet.reviewing, sluicegate.vet.scanner, sluicegate.vet.mediation
import sluicegate.reach.cli.reviews, sluicegate.vet.review.providers.openai_wires
from sluicegate.reach.cli import main as entry

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = ["sluicegate", *line.split()]
        try:
            entry.main()
        except SystemExit as stop:
            os._exit(stop.code)
        finally:
            os._exit(99)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Starts commands as new processes, without what it takes to import everything anew."""


def kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


class Killing:
    """Reviews before a server that counts, and a hand that kills them."""

    def __init__(self, tmp_path: Path, server: ModelServer, seed: int) -> None:
        self.chance, self.records = random.Random(seed), tmp_path / "state" / "reviews" / "answers.sqlite"
        self.asked: Counter[tuple[str, str]] = Counter()
        self._lock, self._kill_at, self._child = threading.Lock(), 0, 0
        self._late = 0.0
        self.server = server
        server.personality = self._answer
        self.errors = (tmp_path / "errors").open("w+")
        for verb in VERBS:
            (tmp_path / "skills" / verb).mkdir(parents=True)
            (tmp_path / "skills" / verb / "SKILL.md").write_text(TEXT.format(verb))
        (tmp_path / "user").mkdir()
        (tmp_path / "user" / "sluicegate.toml").write_text(
            "".join(
                f'[[review.seats]]\nname = "{name}"\nwire = "openai-chat"\nurl = "{server.url("openai-chat")}"\n'
                f'model = "{name}"\nrole = "{role}"\nfamily = "{family}"\nat-once = {AT_ONCE}\n'
                for name, role, family in SEATS
            )
        )
        environment = os.environ | {
            "SLUICEGATE_CONFIG_HOME": str(tmp_path / "user"),
            "SLUICEGATE_KEYS_HOME": str(tmp_path / "state"),
        }
        self.keeper = subprocess.Popen(
            [sys.executable, "-c", KEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, cwd=tmp_path, env=environment,
        )  # fmt: skip

    def _answer(self, asked: Asked):
        verb = re.search(r"To (\w+) the notes, read them", asked.user)
        with self._lock:
            assert verb is not None
            self.asked[asked.model, verb[1]] += 1
            if sum(self.asked.values()) == self._kill_at:
                if self._late:
                    threading.Timer(self._late, kill, (self._child,)).start()
                else:
                    kill(self._child)
        return honest("merge")(asked)

    def review(self, *, after: int | None = None, late: float = 0.0) -> int:
        """The exit code of one run, with its report in a file. It is killed ``late`` seconds after so many more questions, or from its start."""
        assert self.keeper.stdin is not None and self.keeper.stdout is not None
        with self._lock:
            self._late, self._kill_at = late, sum(self.asked.values()) + after if after else 0
            self.keeper.stdin.write("review skills -q -o report.json\n")
            self.keeper.stdin.flush()
            self._child = int(self.keeper.stdout.readline())
        if after == 0:
            threading.Timer(late, kill, (self._child,)).start()
        code = int(self.keeper.stdout.readline())
        self.server.settle()
        return code

    def recorded(self) -> int:
        """How many answers are on record, read by SQLite alone."""
        if not self.records.exists() or not self.records.stat().st_size:
            return 0
        with contextlib.closing(sqlite3.connect(self.records)) as database:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'reply'").fetchone():
                return 0
            return int(database.execute("SELECT count(*) FROM reply").fetchone()[0])

    def close(self) -> None:
        assert self.keeper.stdin is not None and self.keeper.stdout is not None
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait()
        self.errors.close()


@pytest.fixture
def killing(tmp_path, request):
    with ModelServer(honest()) as server:
        one = Killing(tmp_path, server, request.param)
        yield one
        one.close()


def outlived(killing: Killing, tmp_path: Path) -> int:
    """Kill a review at random until it is done, and check after each; how often it was killed."""
    kills = 0
    while True:
        before, asked = killing.recorded(), killing.asked.copy()
        after, late = killing.chance.randint(0, 8), killing.chance.choice((0, 0.001, 0.005, 0.02, 0.2))
        code = killing.review(after=after if kills else 4, late=late if kills else 0)
        new, recorded = killing.asked - asked, killing.recorded()
        assert max(new.values(), default=0) <= 1, "no question goes out twice in a run"
        lost = sum(new.values()) - (recorded - before)
        assert 0 <= lost <= AT_ONCE * len(SEATS), "what was under way, and no more"
        if code != -signal.SIGKILL:
            assert (code, recorded, lost) == (1, QUESTIONS, 0), (tmp_path / "errors").read_text()
            return kills
        kills += 1


def check(killing: Killing, tmp_path: Path) -> int:
    kills = outlived(killing, tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    total = sum(killing.asked.values())
    assert set(killing.asked) == {(name, verb) for name, _, _ in SEATS for verb in VERBS}
    assert killing.review() == 1 and sum(killing.asked.values()) == total, "all is on record"
    assert json.loads((tmp_path / "report.json").read_text()) == report
    decisions = {skill["name"]: skill["decision"] for skill in report["skills"]}
    assert decisions == {verb: "DO_NOT_INSTALL" if verb == "merge" else "SAFE" for verb in VERBS}
    return kills


@pytest.mark.parametrize("killing", [2], indirect=True)
def test_a_review_that_is_killed_at_any_moment_asks_nothing_twice_and_loses_nothing(killing, tmp_path):
    assert check(killing, tmp_path) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("killing", range(3, 23), indirect=True)
def test_and_at_many_more_moments(killing, tmp_path):
    check(killing, tmp_path)
