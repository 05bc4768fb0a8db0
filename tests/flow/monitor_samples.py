"""A monitor for tests: policies from trees, what it shows and logs in lists, files and ledger under one directory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sluicegate.flow.environments.configuration.config import LOCAL, EnvironmentConfig, HostNetwork
from sluicegate.flow.guards import Allow, Deny, Filter, Guard, GuardRegistry, GuardRule, Timing
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import Monitor, Protected
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.values import Labeled
from sluicegate.record.files.files import FileLabels
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger

CANARY = "canary-5f3c9"
LOCALLY = EnvironmentConfig(provider=LOCAL, roots=None, net=HostNetwork())


class Lines:
    """A writer that keeps what it was given."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str, /) -> object:
        self.text += text
        return len(text)


@dataclass
class Bench:
    """A monitor, with what came out of it."""

    monitor: Monitor
    root: Path
    screen: Lines
    log: Lines
    ledger: Ledger | None = None
    keys: Keys | None = None
    sent: list[Any] = field(default_factory=list)

    def events(self) -> list[dict[str, Any]]:
        """The events of the ledger, without what is its own (chain, times, genesis, checkpoints)."""
        import msgspec

        assert self.ledger is not None
        self.ledger.flush()
        rows = [msgspec.json.decode(line) for line in self.ledger.path.read_bytes().splitlines()]
        return [row for row in rows if row["event"] not in ("genesis", "checkpoint", "adopt")]


def layers(
    *trees: dict[str, Any], base: Path = Path("/work"), home: str = "/home/nobody", project: str = ""
) -> Layers:
    documents = [from_tree(tree, name=f"layer{number}") for number, tree in enumerate(trees) if tree]
    return Layers(documents, place=Place(base=str(base), home=home), projectname=project)


def registry(*guards: Guard, **options: Any) -> GuardRegistry:
    found = GuardRegistry(**options)
    for guard in guards:
        found.add(guard)
    return found


def guard(
    word: str, action: Any = None, *, when: Any = None, timing: Timing = Timing.BEFORE, name: str = "watch"
) -> Guard:
    """A guard with one rule: by default one that denies."""
    rule = GuardRule(when=when, then=Deny(reason="not that way") if action is None else action)
    return Guard(name=name, timing=timing, filter=Filter.of(word), rules=(rule, GuardRule(then=Allow())))


def bench(
    root: Path,
    *trees: dict[str, Any],
    guards: GuardRegistry | None = None,
    recorded: bool = False,
    **options: Any,
) -> Bench:
    """A monitor at ``root``; ``recorded``: with a ledger, and files that keep their labels."""
    work = root / "work"
    work.mkdir(exist_ok=True)
    ledger = files = keys = None
    if recorded:
        keys = Keys(Home.at(root / "home", workspace=work), clock=time.time_ns, identity=lambda: "tester")
        ledger = Ledger.open(work / ".sluicegate" / "sec" / "audit.jsonl", keys=keys, clock=time.time_ns)
        files = FileLabels(ledger, tracked=(work,))
    screen, log = Lines(), Lines()
    options.setdefault("environment", LOCALLY)
    made = Monitor(
        layers=layers(*trees, base=work) if "layers" not in options else options.pop("layers"),
        guards=guards,
        ledger=ledger,
        files=files,
        cwd=work,
        screen=lambda: screen,
        log=lambda: log,
        **{
            "protected": Protected.of(written=[work / "sluicegate.toml"], read=[work / ".sluicegate"]),
            **options,
        },
    )
    return Bench(monitor=made, root=work, screen=screen, log=log, ledger=ledger, keys=keys)


def secret(content: Any = CANARY, *more: str) -> Labeled[Any]:
    return Labeled(content, Labels.of("secret", *more))
