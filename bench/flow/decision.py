"""Measure one decision: ours, and the same cases side by side with other engines.

    python bench/flow/decision.py                                       print the tables
    python bench/flow/decision.py --write docs/performance-flow.md      and write them

The other engines are optional: cedarpy (Cedar, Rust), casbin (Python) and common-expression-language (CEL, Rust).
Which of them are missing is said. ``make bench-flow`` runs this with all of them, in an environment of its own.

CPU time is reported, without the garbage collector, as ``timeit`` does. Each figure is the median of seven runs, the best
of them in brackets; the machine's other work moves them. Every engine gets the same rules and the same requests, in
whatever form suits it best and parsed beforehand, and has to give the same decisions, or the measurement stops.

The rules are label rules, since that is what every engine can say: ``deny (label, target)`` holds if a label of
the data and a label of the operation are the named ones or stand below them. The others get the prefixes of all
labels ready-made; we find them ourselves.
"""

from __future__ import annotations

import argparse
import gc
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from sluicegate.flow.denial import Denial  # noqa: E402 - the checkout comes first
from sluicegate.flow.labels import Labels  # noqa: E402
from sluicegate.flow.policy.layers import Layers  # noqa: E402
from sluicegate.flow.policy.request import CommandView, Request  # noqa: E402
from sluicegate.flow.policy.rules.places import Place  # noqa: E402
from sluicegate.flow.policy.text.load import from_tree  # noqa: E402
from sluicegate.record.home import Home  # noqa: E402
from sluicegate.record.keys.keys import Keys  # noqa: E402
from sluicegate.record.ledger import events  # noqa: E402
from sluicegate.record.ledger.ledger import Ledger  # noqa: E402

PLACE = Place(base="/project", home="/home/user", resolve=lambda path: path)
LAYERS = 3
RUNS = 7
LABELS = ("secret", "pii", "internal", "untrusted", "src:mcp")
TARGETS = (
    ("op:show", "op:log", "net:w", "op:cmd:git:push"),
    ("op:output", "op:cmd:curl", "exfil", "op:mcp:github"),
    ("op:install", "op:sh", "destructive", "op:cmd:rm"),
)
Rule = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A value's labels and an operation's, and whether the rules permit it."""

    name: str
    taint: tuple[str, ...]
    leaves: tuple[str, ...]
    permitted: bool


CASES = (
    Case(name="own words to show", taint=("team",), leaves=("op:show",), permitted=True),
    Case(
        name="secret to git status",
        taint=("secret:aws", "src:user"),
        leaves=("op:cmd:git:status",),
        permitted=True,
    ),
    Case(
        name="mcp, pii to write",
        taint=("src:mcp", "pii", "team"),
        leaves=("op:write", "fs:w"),
        permitted=True,
    ),
    Case(
        name="secret to git push", taint=("secret:aws",), leaves=("op:cmd:git:push", "net:w"), permitted=False
    ),
    Case(name="mcp to curl", taint=("src:mcp", "team"), leaves=("op:cmd:curl", "exfil"), permitted=False),
    Case(name="untrusted to rm", taint=("src:mcp", "untrusted"), leaves=("op:cmd:rm",), permitted=False),
)


def rules(count: int, layer: int) -> list[Rule]:
    """``count`` rules for a layer: those that the cases are about, then rules about other labels and operations."""
    own = [(label, target) for label in LABELS for target in TARGETS[layer]]
    more = [(f"team{n % 50}:part{layer}-{n}", f"op:cmd:tool{n}:sub{n % 7}") for n in range(count - len(own))]
    return [*own, *more]


@cache
def prefixes(names: tuple[str, ...]) -> list[str]:
    """Every label and everything it stands below; found once, so that it costs the engines nothing."""
    found = [":".join(name.split(":")[:n]) for name in names for n in range(1, name.count(":") + 2)]
    return list(dict.fromkeys(found))


def tree(layer: list[Rule], *, capabilities: bool) -> dict[str, object]:
    """A layer as a policy."""
    labels: dict[str, dict[str, list[str]]] = {}
    for label, target in layer:
        labels.setdefault(label, {"deny": []})["deny"].append(target)
    made: dict[str, object] = {"labels": labels}
    if capabilities:
        more = [f"cmd:tool{n}:*" for n in range(max(0, len(layer) - 20))]
        made["capabilities"] = {"allow": ["cmd:git:*", "cmd:curl:*", "cmd:rm:*", *more], "deny": ["sh"]}
    return made


def ours(count: int, *, capabilities: bool = False) -> Layers:
    """Three layers of ours with ``count`` rules each."""
    documents = [
        from_tree(tree(rules(count, n), capabilities=capabilities), name=f"layer {n}") for n in range(LAYERS)
    ]
    return Layers(documents, place=PLACE)


def request(case: Case, *, more: str = "", command: bool = False) -> Request:
    """A case as a request; ``more`` makes it another operation than any before."""
    leaves = (*case.leaves[:-1], f"{case.leaves[-1]}{more}")
    if not command:
        return Request(kind="call", leaves=leaves)
    argv = ("status", f"file{more}")
    return Request(kind="cmd", leaves=leaves, command=CommandView("/usr/bin/git", "git", argv, argv))


def measure(work: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and best microseconds of one call, over ``RUNS`` runs of ``times`` calls each."""
    samples = []
    gc.collect()
    gc.disable()
    for _ in range(RUNS):
        began = time.process_time()
        for _ in range(times):
            work()
        samples.append((time.process_time() - began) / times * 1e6)
    gc.enable()
    return statistics.median(samples), min(samples)


def measure_each(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """The same, for work that has to be new each time: it is told which time it is."""
    samples = []
    gc.collect()
    gc.disable()
    for run in range(RUNS):
        began = time.process_time()
        for at in range(run * times, (run + 1) * times):
            work(at)
        samples.append((time.process_time() - began) / times * 1e6)
    gc.enable()
    return statistics.median(samples), min(samples)


def check(name: str, decide: Callable[[Case], bool]) -> None:
    """Stop if an engine does not give the decisions that are expected."""
    for case in CASES:
        if decide(case) is not case.permitted:
            sys.exit(
                f"{name} decides {case.name!r} otherwise than expected: the measurement would mean nothing"
            )


def shown(figures: tuple[float, float]) -> str:
    """Median and best for a table."""
    return (
        f"{figures[0]:.1f} ({figures[1]:.1f})" if figures[0] < 100 else f"{figures[0]:.0f} ({figures[1]:.0f})"
    )


def our_rows(count: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """What a decision of ours costs with ``count`` rules in each layer, from known to all new."""
    layers = ours(count)
    check(
        "sluicegate",
        lambda case: not isinstance(layers.authorize(request(case), Labels.of(*case.taint)), Denial),
    )
    known = [(request(case), Labels.of(*case.taint)) for case in CASES]

    def every_known() -> None:
        for each, labels in known:
            layers.authorize(each, labels)

    median, best = measure(every_known, 3000)
    yield "known", (median / len(CASES), best / len(CASES))

    yield "known, with its event in the ledger", with_event(layers, known)

    times = 400
    fresh = [request(CASES[n % 3], more=f":new{count}-{n}") for n in range(RUNS * times)]
    labels = [Labels.of(*case.taint) for case in CASES[:3]]
    yield "a new operation", measure_each(lambda at: layers.authorize(fresh[at], labels[at % 3]), times)

    words = [f"w{n}" for n in range(14)]
    sets = [
        Labels.of(*CASES[n % 3].taint, *(w for b, w in enumerate(words) if n >> b & 1))
        for n in range(RUNS * times)
    ]
    other = [request(CASES[n % 3], more=f":more{count}-{n}") for n in range(RUNS * times)]
    yield (
        "a new operation and a new set of labels",
        measure_each(lambda at: layers.authorize(other[at], sets[at]), times),
    )

    denied = [request(CASES[3 + n % 3], more=f":no{count}-{n}") for n in range(RUNS * times)]
    refused = [Labels.of(*case.taint) for case in CASES[3:]]
    yield (
        "a new denial, with its text",
        measure_each(lambda at: layers.authorize(denied[at], refused[at % 3]), times),
    )

    gated = ours(count, capabilities=True)
    commands = [request(CASES[1], more=f":c{count}-{n}", command=True) for n in range(RUNS * times)]
    label = Labels.of(*CASES[1].taint)
    yield (
        "a new command, capabilities and danger table too",
        measure_each(lambda at: gated.authorize(commands[at], label), times),
    )


def with_event(layers: Layers, known: list[tuple[Request, Labels]]) -> tuple[float, float]:
    """A decision with a buffered event, its share of the flushes and checkpoints included."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "project")
        place.mkdir()
        home = Home.find({"SLUICEGATE_KEYS_HOME": str(Path(folder, "keys"))}, workspace=place)
        ledger = Ledger.open(place / "audit.jsonl", keys=Keys(home, clock=time.time_ns), clock=time.time_ns)

        def decide_and_note() -> None:
            for each, labels in known:
                answer = layers.authorize(each, labels)
                names, leaves = labels.names(), each.leaves
                if isinstance(answer, Denial):
                    event: events.Event = events.Denial(
                        operation="bench", code=str(answer.code), rule=answer.rule, layer=answer.layer,
                        reason=answer.reason, operation_labels=leaves, labels=names,
                    )  # fmt: skip
                else:
                    event = events.Allow(
                        operation="bench", operation_labels=leaves, labels=names, taint=names
                    )
                ledger.append(event)

        median, best = measure(decide_and_note, 500)
        ledger.close()
    return median / len(known), best / len(known)


def cedar(count: int) -> Callable[[Case], bool]:
    """Cedar: one policy set of all layers' denials, since any forbid decides."""
    import cedarpy

    lines = ["permit(principal, action, resource);"]
    for layer in range(LAYERS):
        for label, target in rules(count, layer):
            lines.append(
                "forbid(principal, action, resource) when "
                f'{{ context.taint.contains("{label}") && context.op.contains("{target}") }};'
            )
    policies = cedarpy.PolicySet.from_str("\n".join(lines))
    entities = cedarpy.Entities.from_json_str("[]")

    def decide(case: Case) -> bool:
        asked = {
            "principal": 'Agent::"a"',
            "action": 'Action::"do"',
            "resource": 'Thing::"t"',
            "context": {"taint": prefixes(case.taint), "op": prefixes(case.leaves)},
        }
        return bool(cedarpy.is_authorized(asked, policies, entities).allowed)

    return decide


def casbin(count: int) -> Callable[[Case], bool]:
    """Casbin: one denial for each rule, matched by membership."""
    import casbin as engine

    class Names(list[str]):
        def has(self, name: str) -> bool:
            return name in self

    model = engine.Model()
    model.load_model_from_text(
        "[request_definition]\nr = taint, op\n[policy_definition]\np = label, target, eft\n"
        "[policy_effect]\ne = !some(where (p.eft == deny))\n"
        "[matchers]\nm = r.taint.has(p.label) && r.op.has(p.target)\n"
    )
    enforcer = engine.Enforcer(model)
    for layer in range(LAYERS):
        enforcer.add_policies([[label, target, "deny"] for label, target in rules(count, layer)])
    return lambda case: bool(enforcer.enforce(Names(prefixes(case.taint)), Names(prefixes(case.leaves))))


def cel(count: int) -> Callable[[Case], bool]:
    """CEL: one compiled expression for each layer."""
    import cel as engine

    programs = []
    for layer in range(LAYERS):
        clauses = [f'("{label}" in taint && "{target}" in op)' for label, target in rules(count, layer)]
        while len(clauses) > 1:  # a balanced tree: parsers of long chains run out of stack
            clauses = [" || ".join(f"({c})" for c in clauses[n : n + 8]) for n in range(0, len(clauses), 8)]
        programs.append(engine.compile(f"!({clauses[0]})"))

    def decide(case: Case) -> bool:
        asked = {"taint": prefixes(case.taint), "op": prefixes(case.leaves)}
        return all(program.execute(asked) for program in programs)

    return decide


OTHERS: tuple[tuple[str, str, Callable[[int], Callable[[Case], bool]]], ...] = (
    ("Cedar (cedarpy)", "cedarpy", cedar),
    ("Rust CEL (common-expression-language)", "cel", cel),
    ("casbin", "casbin", casbin),
)


def other_row(make: Callable[[int], Callable[[Case], bool]], name: str, count: int) -> tuple[float, float]:
    """What one decision of another engine costs; it keeps none, so none is ever known."""
    decide = make(count)
    check(name, decide)

    def every() -> None:
        for case in CASES:
            decide(case)

    began = time.process_time()
    every()
    times = max(1, min(300, int(0.1 / max(1e-6, time.process_time() - began))))
    median, best = measure(every, times)
    return median / len(CASES), best / len(CASES)


def report(counts: tuple[int, int]) -> str:
    """Both tables."""
    few, many = counts
    lines = [
        "# Performance of flow",
        "",
        f"Written by `python bench/flow/decision.py` on Python {platform.python_version()}, {platform.machine()}. "
        "CPU microseconds of one decision: the median of seven runs, the best in brackets. While other processes share "
        "the processor's cores the same figures are up to two thirds larger.",
        "",
        f"## One decision, {LAYERS} layers",
        "",
        f"| sluicegate | {few} rules in each layer | {many:,} rules | ratio of the medians |",
        "|---|---|---|---|",
    ]
    for (name, small), (_, large) in zip(our_rows(few), our_rows(many), strict=True):
        lines.append(f"| {name} | {shown(small)} | {shown(large)} | {large[0] / small[0]:.2f} |")
    lines += [
        "",
        "The aims: known 2, new 30 with 20 rules and 3 layers, with the event 25, 1,000 rules less than twice 20.",
        "",
        "## The same cases, side by side",
        "",
        "The same label rules and requests; every engine gives the same decisions. The others keep no decisions; ours",
        "are measured as *a new operation*, in which nothing is kept either but what a set of labels means.",
        "",
        f"| engine | {few} rules in each of {LAYERS} layers | {many:,} rules |",
        "|---|---|---|",
    ]
    new = [next(row for name, row in our_rows(count) if name == "a new operation") for count in counts]
    lines.append(f"| sluicegate | {shown(new[0])} | {shown(new[1])} |")
    missing = []
    for name, module, make in OTHERS:
        try:
            __import__(module)
        except ImportError:
            missing.append(name)
            continue
        lines.append(f"| {name} | {' | '.join(shown(other_row(make, name, count)) for count in counts)} |")
    if missing:
        lines += ["", f"Not installed, so not measured: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the tables to this file")
    arguments = parser.parse_args()
    text = report((20, 1000))
    sys.stdout.write(text)
    if arguments.write is not None:
        arguments.write.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
