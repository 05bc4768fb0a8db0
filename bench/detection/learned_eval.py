"""Would a small learned analyzer earn its place? Train it with sources left out, and measure what it adds to the rules.

    make learned CORPUS=FILE                            in its own virtual environment
    python bench/detection/learned_eval.py CORPUS       where sluicegate, scikit-learn and scipy are installed
        --write FILE.md                                 and write the tables

For every malicious source M and every source B of real benign skills a model is trained on all others, and judges M
and B alone. Its threshold comes from benign skills of the sources that are neither, each judged by a model that did
not see it. The rule would be a MEDIUM on at most three passages of a skill; the verdict's own arithmetic decides.
Intervals of rates are Wilson's, those of differences a bootstrap over clusters, at 95 %.
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from corpus import samples
from learned_model import (
    Design,
    Flags,
    Floats,
    Grams,
    Positive,
    Table,
    build,
    evened,
    train,
    without,
    worst_passages,
)
from measure import interval, table
from passages import Skill, read

from sluicegate import Decision
from sluicegate.vet.verdict.score import score
from sluicegate.vet.verdict.types import Author, Category, EvidenceKind, Finding, Location, Severity

DESIGNS = (
    Design(name="words, naive", grams=Grams.WORDS, positive=Positive.ALL, guarded=False),
    Design(name="words, worst passages", grams=Grams.WORDS, positive=Positive.WORST, guarded=True),
    Design(name="words, worst passages, evened", grams=Grams.WORDS, positive=Positive.WORST, guarded=True, even=True),
    Design(name="words, hit by rules", grams=Grams.WORDS, positive=Positive.HIT, guarded=True),
    Design(name="characters, hit by rules", grams=Grams.CHARACTERS, positive=Positive.HIT, guarded=True),
    Design(name="characters, hit by rules, evened", grams=Grams.CHARACTERS, positive=Positive.HIT, guarded=True, even=True),
)  # fmt: skip
CONTROL = "no word read: fewer passages alone"
MOST = 3
RATES = (0.01, 0.05, 0.10)
BOUNDS = {Decision.CAUTION: 21, Decision.DO_NOT_INSTALL: 51}
"""The least score for each decision."""
RESAMPLES = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What the rule would be: severity and confidence of each passage, alarming on ``rate`` of benign skills."""

    name: str
    severity: Severity
    confidence: int
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One model's judgement of one skill: the worst passages, and the threshold at each of ``RATES``."""

    skill: int
    passages: Floats
    thresholds: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Every skill judged by models that saw none of its source, and how well ranked they were."""

    design: Design
    seen: float
    neighbour: float
    held_out: dict[str, float]
    trials: tuple[Trial, ...]


def area(bad: Floats, good: Floats) -> float:
    """The probability that a malicious skill scores above a benign one (ties count half)."""
    ordered = np.sort(good)
    below = np.searchsorted(ordered, bad, "left") + np.searchsorted(ordered, bad, "right")
    return float(below.mean() / 2 / len(ordered))


def examine(data: Table, design: Design) -> Outcome:
    """Train one design in every way: on all, with clusters left out, with sources left out."""
    real = np.array([skill.real for skill in data.skills]) & ~data.malicious
    every = np.ones(len(data.skills), dtype=bool)
    seen = judged(data, design, every)[:, 0]
    fold = np.array([zlib.crc32(skill.cluster.encode()) % 5 for skill in data.skills])
    apart = np.empty(len(fold))
    for number in range(5):
        apart[fold == number] = judged(data, design, fold != number)[fold == number, 0]
    held_out, trials = {}, []
    for source in np.unique(data.source[data.malicious]).tolist():
        ranked, found = leave_out(data, design, source, real)
        held_out[source] = ranked
        trials += found
    return Outcome(
        design=design,
        seen=area(seen[data.malicious], seen[real]),
        neighbour=area(apart[data.malicious], apart[real]),
        held_out=held_out,
        trials=tuple(trials),
    )


def judged(data: Table, design: Design, chosen: Flags) -> Floats:
    """The worst passages of every skill, as a model trained on the chosen skills sees them."""
    best = worst_passages(data, train(data, design, chosen), MOST)
    return evened(data, best, chosen) if design.even else best


def leave_out(data: Table, design: Design, source: str, real: Flags) -> tuple[float, list[Trial]]:
    """Models without a malicious source, each also without one of real benign skills."""
    benign = np.unique(data.source[real]).tolist()
    judged_here = data.source == source  # its synthetic benign skills too, where it has some
    bad = data.malicious & judged_here
    best = {name: judged(data, design, without(data, (source, name))) for name in benign}
    own = {name: real & (data.source == name) for name in benign}
    unseen = {name: best[name][own[name], 0] for name in benign}
    trials = []
    for name in benign:
        others = np.concatenate([unseen[other] for other in benign if other != name])
        limits = tuple(float(np.quantile(others, 1 - rate, method="higher")) for rate in RATES)
        for skill in np.flatnonzero(judged_here | own[name]).tolist():
            trials.append(Trial(skill=skill, passages=best[name][skill], thresholds=limits))
    mean = np.mean([best[name][bad, 0] for name in benign], axis=0)
    return area(mean, np.concatenate(list(unseen.values()))), trials


def with_rule(skill: Skill, trial: Trial, rating: Rating) -> int:
    """The score of a skill when the rule's findings join those of all others."""
    limit = trial.thresholds[RATES.index(rating.rate)]
    added = [
        Finding(
            rule="learned-instruction",
            title="",
            category=Category.PROMPT_INJECTION,
            kind=EvidenceKind.WORDS,
            severity=rating.severity,
            confidence=rating.confidence,
            message="",
            evidence="",
            location=Location(path="SKILL.md", start_line=1, end_line=1),
            executable=False,
            fingerprint=str(number),
            author=Author.RULE,
        )
        for number in range(int((trial.passages > limit).sum()))
    ]
    return score((*skill.findings, *added))


def reached(data: Table, scores: Sequence[tuple[int, int]], bound: Decision, least: int) -> Floats:
    """For each skill, in how many of its trials it is ``bound`` or stricter when ``least`` is the least score for it."""
    hits, trials = np.zeros(len(data.skills)), np.zeros(len(data.skills))
    for skill, value in scores:
        hits[skill] += value >= least or data.skills[skill].decision >= bound
        trials[skill] += 1
    return hits / np.maximum(trials, 1)


def resampled(data: Table, change: Floats, chosen: Flags) -> str:
    """The 95 % interval of a mean change, in points of a per cent, by resampling clusters."""
    groups: dict[str, list[float]] = defaultdict(list)
    for skill in np.flatnonzero(chosen).tolist():
        groups[data.skills[skill].cluster].append(float(change[skill]))
    sums = np.array([sum(values) for _, values in sorted(groups.items())])
    sizes = np.array([len(values) for _, values in sorted(groups.items())])
    draws = np.random.default_rng(0).integers(0, len(sums), (RESAMPLES, len(sums)))
    means = 100 * sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{low:+.1f} to {high:+.1f}"


def rules_at(data: Table, real: Flags, bound: Decision, alarms: float) -> tuple[int, Floats]:
    """The lowest bound at which the rules alone raise at most ``alarms``, and what they reach there."""
    scores = [(number, skill.score) for number, skill in enumerate(data.skills)]
    least = BOUNDS[bound]
    while least > 1 and reached(data, scores, bound, least - 1)[real].sum() <= alarms + 1e-9:
        least -= 1
    return least, reached(data, scores, bound, least)


def shortness(data: Table) -> Floats:
    """A score that reads nothing: the fewer passages the worse. What a model must beat to have read anything."""
    return -np.array([len(skill.passages) for skill in data.skills], dtype=float)


def ranking_rows(data: Table, outcomes: Sequence[Outcome]) -> list[list[str]]:
    """How well each design ranks malicious skills above real benign ones, the further away the less it has seen."""
    sizes = {name: int((data.malicious & (data.source == name)).sum()) for name in outcomes[0].held_out}
    real = np.array([skill.real for skill in data.skills]) & ~data.malicious
    short = shortness(data)
    by_source = [area(short[data.malicious & (data.source == name)], short[real]) for name in sizes]
    overall = f"{area(short[data.malicious], short[real]):.2f}"
    control = [
        CONTROL,
        overall,
        overall,
        overall,
        *(f"{value:.2f}" for value in by_source),
    ]
    return [
        [
            o.design.name,
            f"{o.seen:.2f}",
            f"{o.neighbour:.2f}",
            f"{np.average(list(o.held_out.values()), weights=[sizes[n] for n in o.held_out]):.2f}",
            *(f"{value:.2f}" for value in o.held_out.values()),
        ]
        for o in outcomes
    ] + [control]


def alone_rows(data: Table, outcomes: Sequence[Outcome]) -> list[list[str]]:
    """What the model finds by itself at each rate, and how many of those the rules miss."""
    real = np.array([skill.real for skill in data.skills]) & ~data.malicious
    synthetic = ~real & ~data.malicious
    short = shortness(data)
    found = []
    for at, rate in enumerate(RATES):
        for outcome in outcomes:
            hits, trials = np.zeros(len(data.skills)), np.zeros(len(data.skills))
            for trial in outcome.trials:
                hits[trial.skill] += trial.passages[0] > trial.thresholds[at]
                trials[trial.skill] += 1
            found.append((outcome.design.name, rate, hits / np.maximum(trials, 1)))
        limit = np.quantile(short[real], 1 - rate, method="lower")
        found.append((CONTROL, rate, (short > limit).astype(float)))
    missed = data.malicious & np.array([s.decision is Decision.SAFE for s in data.skills])
    rows = []
    for name, rate, share in found:
        alarms, hit, mild = share[real].sum(), share[data.malicious].sum(), share[synthetic].sum()
        rows.append([
            name,
            f"{100 * rate:.0f} %",
            f"{100 * alarms / real.sum():.1f} % ({interval(round(alarms), int(real.sum()))})",
            f"{100 * mild / synthetic.sum():.1f} % ({interval(round(mild), int(synthetic.sum()))})",
            f"{100 * hit / data.malicious.sum():.1f} % ({interval(round(hit), int(data.malicious.sum()))})",
            f"{share[missed].sum():.1f} of {missed.sum()}",
        ])  # fmt: skip
    return rows


def joined_rows(data: Table, outcome: Outcome, ratings: Sequence[Rating], bound: Decision) -> list[list[str]]:
    """Rules and model together: recall and false alarms, and the rules alone at the same false-alarm rate."""
    real = np.array([skill.real for skill in data.skills]) & ~data.malicious
    alone = reached(data, [(n, s.score) for n, s in enumerate(data.skills)], bound, BOUNDS[bound])
    rows = []
    for rating in ratings:
        scores = [(t.skill, with_rule(data.skills[t.skill], t, rating)) for t in outcome.trials]
        both = reached(data, scores, bound, BOUNDS[bound])
        least, same = rules_at(data, real, bound, float(both[real].sum()))
        rows.append([
            outcome.design.name,
            rating.name,
            f"{100 * rating.rate:.0f} %",
            f"{100 * both[data.malicious].mean():.1f} % ({resampled(data, both - alone, data.malicious)})",
            f"{100 * both[real].mean():.1f} % ({resampled(data, both - alone, real)})",
            f"{100 * same[data.malicious].mean():.1f} % (from a score of {least})",
            resampled(data, both - same, data.malicious),
        ])  # fmt: skip
    return rows


def ceiling_rows(data: Table, ratings: Sequence[Rating]) -> list[list[str]]:
    """What a perfect model could add: the rule on one or three passages of every malicious skill, on no other."""
    real = np.array([skill.real for skill in data.skills]) & ~data.malicious
    missed = [n for n in np.flatnonzero(data.malicious).tolist() if _safe(data.skills[n])]
    passing = [n for n in np.flatnonzero(real).tolist() if _safe(data.skills[n])]
    rows = []
    for rating in ratings:
        for passages in (1, MOST):
            every = np.full(MOST, -np.inf)
            every[:passages] = np.inf
            nothing, caution = (0.0,) * len(RATES), BOUNDS[Decision.CAUTION]
            lifted = [
                [with_rule(data.skills[n], Trial(skill=n, passages=every, thresholds=nothing), rating) >= caution for n in group]
                for group in (missed, passing)
            ]  # fmt: skip
            rows.append(
                [
                    rating.name,
                    str(passages),
                    f"{sum(lifted[0])} of {len(missed)}",
                    f"{sum(lifted[1])} of {len(passing)}",
                ]
            )
    return rows


def _safe(skill: Skill) -> bool:
    return skill.decision is Decision.SAFE


JOINED = [
    "design",
    "rule",
    "rate",
    "recall (change)",
    "false alarms (change)",
    "rules alone at these false alarms",
    "change of recall against that",
]


def report(skills: Sequence[Skill], log: Callable[[str], None]) -> list[str]:
    """Every table, as Markdown."""
    mild = Rating(name="MEDIUM, 700", severity=Severity.MEDIUM, confidence=700, rate=RATES[0])
    full = Rating(name="MEDIUM, 1000", severity=Severity.MEDIUM, confidence=1000, rate=RATES[0])
    loud = Rating(name="HIGH, 500 (not allowed)", severity=Severity.HIGH, confidence=500, rate=RATES[0])
    ratings = [replace(rating, rate=rate) for rating in (mild, full) for rate in (RATES[0], RATES[-1])]
    outcomes: list[Outcome] = []
    noticed: list[list[str]] = []
    refused: list[list[str]] = []
    data = build(skills, DESIGNS[0].grams)
    for before, design in pairwise((DESIGNS[0], *DESIGNS)):
        began = time.process_time()
        if design.grams is not before.grams:
            data = build(skills, design.grams)
        outcomes.append(examine(data, design))
        noticed += joined_rows(data, outcomes[-1], [*ratings, loud], Decision.CAUTION)
        refused += joined_rows(data, outcomes[-1], ratings, Decision.DO_NOT_INSTALL)
        log(f"{design.name}: {time.process_time() - began:.0f} s of CPU")
    ranking = ["design", "same skills", "other clusters", "other sources", *outcomes[0].held_out]
    alone = [
        "design",
        "rate aimed at",
        "false alarms, real",
        "false alarms, synthetic",
        "recall",
        "of the misses of the rules",
    ]
    ceiling = ["rule", "passages", "misses raised to CAUTION", "benign, if it fired on all of them"]
    return [
        "## What a perfect model could add",
        "",
        *table(ceiling, ceiling_rows(data, (mild, full))),
        "## Ranking: area under the curve, malicious against real benign",
        "",
        *table(ranking, ranking_rows(data, outcomes)),
        "## Alone, sources left out",
        "",
        *table(alone, alone_rows(data, outcomes)),
        "## Rules and model, CAUTION or worse, sources left out",
        "",
        *table(JOINED, noticed),
        "## Rules and model, DO_NOT_INSTALL, sources left out",
        "",
        *table(JOINED, refused),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    with samples(args.corpus) as found:
        skills = list(read(found))
    lines = report(skills, lambda text: print(text, file=sys.stderr, flush=True))
    print("\n".join(lines))
    if args.write:
        args.write.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
