"""Measure what asking before and telling after costs, in a session that is kept on disk.

    python bench/flow/session.py

CPU time, without the garbage collector. Each figure is the best of many short runs, and beside it their median: on a
machine that others use, the best is nearer to what the code costs. There are three layers of 20 rules, a ledger, and a
session that has taken in the words of a user and 5,000 words of a stranger. Three arguments: one that the user's words
endorse, one number, one text of four words. The yardstick is a fixed loop of plain Python, so that figures of two
machines, or of two hours of one, can be compared.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from sluicegate.flow import Denial, Monitor, Permit  # noqa: E402 - the checkout comes first
from sluicegate.flow.policy.layers import Layers  # noqa: E402
from sluicegate.flow.policy.rules.places import Place  # noqa: E402
from sluicegate.flow.policy.text.load import from_tree  # noqa: E402
from sluicegate.flow.session.store import Store  # noqa: E402
from sluicegate.record.home import Home  # noqa: E402
from sluicegate.record.keys.keys import Keys  # noqa: E402
from sluicegate.record.ledger.ledger import Ledger  # noqa: E402

RUNS, TIMES = 60, 40
SECRET = b"bench" * 8
LABELS = ("secret", "pii", "internal", "sensitive", "team")
TARGETS = ("op:show", "op:output", "exfil", "destructive")


def layers(base: Path) -> Layers:
    """Three layers of 20 rules, and what a policy of an agent says besides."""
    agent = {"sources": {"src:mcp": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}}
    trees = [
        {"labels": {f"{label}:{layer}": {"deny": list(TARGETS)} for label in LABELS}} for layer in range(3)
    ]
    documents = [from_tree({**tree, **agent}, name=str(n)) for n, tree in enumerate(trees)]
    return Layers(documents, place=Place(base=str(base), home=str(base)))


def measured(work: Callable[[int], object], runs: int = RUNS, times: int = TIMES) -> str:
    """Microseconds of one call: the best of all runs, and their median."""
    samples, at = [], 0
    gc.collect()
    gc.disable()
    for _ in range(runs):
        began = time.process_time()
        for _ in range(times):
            work(at)
            at += 1
        samples.append((time.process_time() - began) / times * 1e6)
    gc.enable()
    return f"{min(samples):7.1f}  ({statistics.median(samples):.1f})"


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "project")
        root.mkdir()
        home = Home.at(Path(folder, "home"), workspace=root)
        ledger = Ledger.open(
            root / "audit.jsonl", keys=Keys(home, clock=time.time_ns), clock=time.time_ns, fail_closed=False
        )
        place = home.sessions / "bench" / "sessions.db"
        monitor = Monitor(layers=layers(root), ledger=ledger, cwd=root, sessions=lambda: Store(place, SECRET))
        session = monitor.session("agent")
        session.heard("please look at the issues of acme/site, and nothing else")
        session.took_in({"words": [f"word-{n}" for n in range(5000)]}, "src:mcp", source="mcp:web:get")
        permits: list[Permit] = []

        def decide(at: int) -> None:
            values = {"repo": "acme/site", "page": at, "query": "four words of text"}
            answer = monitor.decide("github:list", values, session)
            if isinstance(answer, Denial):
                sys.exit("a decision is another than expected: the measurement would mean nothing")
            permits.append(answer)

        def deny(at: int) -> None:
            values = {"repo": "acme/site", "page": at}
            answer = monitor.decide("github:delete", values, session, labels=("destructive",))
            if not isinstance(answer, Denial):
                sys.exit("a decision is another than expected: the measurement would mean nothing")

        def reopen(_: int) -> None:
            session._forget(0)
            session.look()

        rows = {
            "yardstick: sum(range(1000))": measured(lambda _: sum(range(1000))),
            "decide, in a warm session, with its event": measured(decide),
            "decide, refused": measured(deny),
            "settle, a result of four words": measured(
                lambda at: monitor.settle(permits[at], "four words of text")
            ),
            "open a session that has taken in this": measured(reopen, 30, 1),
        }
        monitor.parts.close()
        ledger.close()
    print("CPU microseconds: the best of the runs, and their median")
    for name, figures in rows.items():
        print(f"{name:45}{figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
