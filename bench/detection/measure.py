"""Measure detection on labelled skills.

    python bench/detection/measure.py CORPUS                     print the tables
    python bench/detection/measure.py CORPUS --write FILE.md     and write them
    python bench/detection/measure.py CORPUS --results FILE.json what was decided, skill by skill, with the rules

CORPUS is a `.jsonl.gz` of records or a folder (see corpus.py). Intervals are Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import Sample, samples

from sluicegate import Decision, ScanConfig
from sluicegate.vet.errors import NothingToInspect
from sluicegate.vet.inspect.catalogue import build_analyzers
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.skill import scan_unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was decided of one sample. ``rules`` are those that scored, with severity, strongest first."""

    sample: Sample
    decision: Decision
    score: int
    rules: tuple[str, ...]
    gaps: tuple[str, ...]


def run(found: Iterable[Sample], without: Sequence[str] = ()) -> tuple[list[Result], float]:
    """Scan every sample in this process; the results and the CPU seconds of the scans alone."""
    config = ScanConfig(disable=tuple(without))
    analyzers = build_analyzers(config)
    results, spent = [], 0.0
    for sample in found:
        began = time.process_time()
        try:
            with open_source(str(sample.folder), config.limits) as source:
                reports = [scan_unit(unit, config, analyzers) for unit in source.units().units]
        except NothingToInspect:
            reports = []
        spent += time.process_time() - began
        verdicts = [report.verdict for report in reports]
        results.append(
            Result(
                sample=sample,
                decision=max((v.decision for v in verdicts), default=Decision.SAFE),
                score=max((v.score for v in verdicts), default=0),
                rules=tuple(
                    dict.fromkeys(f"{f.rule}:{f.severity.name}" for v in verdicts for f in v.findings)
                ),
                gaps=tuple(sorted({f"{g.reason}" for v in verdicts for g in v.gaps})),
            )
        )
    return results, spent


def interval(hits: int, total: int) -> str:
    """Wilson's 95 % interval of a rate, in per cent."""
    if total == 0:
        return "–"
    z, p = 1.96, hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * max(0.0, middle - half):.1f}–{100 * min(1.0, middle + half):.1f}"


def rate(results: Sequence[Result], least: Decision) -> tuple[int, int]:
    """How many of the results are ``least`` or stricter, and how many there are."""
    return sum(r.decision >= least for r in results), len(results)


def row(name: str, results: Sequence[Result]) -> list[str]:
    """One row: name, number, SAFE, CAUTION, DO_NOT_INSTALL, rates with intervals."""
    counts = Counter(r.decision for r in results)
    refused, total = rate(results, Decision.DO_NOT_INSTALL)
    noticed, _ = rate(results, Decision.CAUTION)
    return [
        name,
        str(total),
        *(str(counts[d]) for d in Decision),
        f"{100 * refused / total:.1f} % ({interval(refused, total)})",
        f"{100 * noticed / total:.1f} % ({interval(noticed, total)})",
    ]


HEAD = ["", "skills", "SAFE", "CAUTION", "DO_NOT_INSTALL", "DO_NOT_INSTALL (95 %)", "CAUTION or worse (95 %)"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(cells)} |" for cells in rows),
        "",
    ]


def grouped(results: Sequence[Result], key: Callable[[Result], str]) -> list[list[str]]:
    """One row for each group, in order of name."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[key(result)].append(result)
    return [row(name, groups[name]) for name in sorted(groups)]


def f1(results: Sequence[Result], least: Decision) -> float:
    """F1 of "``least`` or stricter" as the sign of malice."""
    hits = sum(r.sample.malicious and r.decision >= least for r in results)
    flagged = sum(r.decision >= least for r in results)
    malicious = sum(r.sample.malicious for r in results)
    return 2 * hits / (flagged + malicious) if flagged + malicious else 0.0


def report(results: Sequence[Result], seconds: float) -> list[str]:
    """All tables, as Markdown."""
    bad = [r for r in results if r.sample.malicious]
    good = [r for r in results if not r.sample.malicious]
    lines = [
        f"{len(results):,} skills in {seconds:.1f} CPU seconds: {len(results) / seconds:.0f} skills per CPU-second. "
        f"F1 {f1(results, Decision.DO_NOT_INSTALL):.3f} for DO_NOT_INSTALL, {f1(results, Decision.CAUTION):.3f} for CAUTION or worse.",
        "",
    ]
    lines += table(HEAD, [
        row("malicious", bad),
        row("malicious, one a cluster", one_a_cluster(bad)),
        row("benign, real", [r for r in good if r.sample.real]),
        row("benign, synthetic", [r for r in good if not r.sample.real]),
    ])  # fmt: skip
    lines += ["## Malicious, by source", "", *table(HEAD, grouped(bad, lambda r: r.sample.source))]
    lines += ["## Malicious, by category", "", *table(HEAD, grouped(bad, lambda r: r.sample.category))]
    lines += ["## Benign, by source", "", *table(HEAD, grouped(good, lambda r: r.sample.source))]
    lines += ["## Misses (malicious, SAFE)", "", *named(r for r in bad if r.decision is Decision.SAFE)]
    lines += ["## Malicious, CAUTION only", "", *named(r for r in bad if r.decision is Decision.CAUTION)]
    lines += [
        "## False alarms (benign, DO_NOT_INSTALL)",
        "",
        *named(r for r in good if r.decision is Decision.DO_NOT_INSTALL),
    ]
    lines += ["## Benign, CAUTION", "", *named(r for r in good if r.decision is Decision.CAUTION)]
    lines += ["## Rules that fired", "", *rule_table(results)]
    return lines


def one_a_cluster(results: Sequence[Result]) -> list[Result]:
    """The mildest result of each cluster of near-duplicates: one campaign counts once."""
    worst: dict[str, Result] = {}
    for result in results:
        kept = worst.get(result.sample.cluster)
        if kept is None or result.decision < kept.decision:
            worst[result.sample.cluster] = result
    return list(worst.values())


def named(results: Iterable[Result]) -> list[str]:
    rows = [
        [
            r.sample.id,
            r.sample.source,
            r.sample.category,
            str(r.score),
            ", ".join((*r.rules[:4], *r.gaps)) or "nothing",
        ]
        for r in sorted(results, key=lambda r: (r.sample.source, r.sample.category, r.sample.id))
    ]
    return table(["id", "source", "category", "score", "what fired"], rows) if rows else ["None.", ""]


def rule_table(results: Sequence[Result]) -> list[str]:
    """For each rule, on how many malicious, benign real and benign synthetic skills it scored."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        column = "malicious" if result.sample.malicious else "real" if result.sample.real else "synthetic"
        for rule in {name.partition(":")[0] for name in result.rules}:
            counts[rule][column] += 1
    rows = [
        [rule, str(c["malicious"]), str(c["real"]), str(c["synthetic"])]
        for rule, c in sorted(
            counts.items(), key=lambda item: (-item[1]["malicious"], -item[1]["real"], item[0])
        )
    ]
    return table(["rule", "malicious", "benign, real", "benign, synthetic"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument(
        "--without", action="append", default=[], metavar="GLOB", help="leave rules out, such as campaign-*"
    )
    parser.add_argument("--quiet", action="store_true", help="only the first table")
    args = parser.parse_args()
    with samples(args.corpus) as found:
        results, seconds = run(found, args.without)
    lines = report(results, seconds)
    print("\n".join(lines[:9] if args.quiet else lines))
    if args.write:
        args.write.write_text("\n".join(lines), encoding="utf-8")
    if args.results:
        rows = [
            {
                "id": r.sample.id,
                "malicious": r.sample.malicious,
                "decision": r.decision.name,
                "score": r.score,
                "rules": r.rules,
                "gaps": r.gaps,
            }
            for r in results
        ]
        args.results.write_text(json.dumps(rows, indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
