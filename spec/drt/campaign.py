"""Many cases: production against the model, its properties, the checker of certificates and the oracle, on every core."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from drt.cases import Case, generate
from drt.certificates import unbelieved
from drt.oracle import answer_of_production, ask, encode, normal
from drt.properties import broken
from drt.shrink import save, shrink
from drt.sides import Run, modelled, production, run_production

KINDS = ("well-formed", "hostile")
CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A case on which the sides differ or a property fails."""

    kind: str
    number: int
    why: str
    path: str


def differs(case: Case, run: Run | None = None) -> bool:
    """Whether production and the model make different things of a case; ``run`` if production ran already."""
    return production(case, run) != modelled(case)


def compare(kind: str, start: int, stop: int, *, properties: bool = True) -> list[tuple[str, int, str]]:
    """Cases of a generator that fail, each with why."""
    failures = []
    for number in range(start, stop):
        case = generate(kind, number)
        run = run_production(case)
        if differs(case, run):
            failures.append((kind, number, "production differs from the model"))
        elif unbelieved(run):
            failures.append((kind, number, "the checker of certificates does not say yes"))
        elif properties and (names := broken(case, run)):
            failures.append((kind, number, names[0]))
    return failures


def compare_with_oracle(program: str, kind: str, start: int, stop: int) -> list[tuple[str, int, str]]:
    """Cases of a generator on which production differs from the proven functions."""
    cases = [generate(kind, number) for number in range(start, stop)]
    answers = ask(Path(program), [encode(case) for case in cases])
    return [
        (kind, start + at, "production differs from the oracle")
        for at, (case, answer) in enumerate(zip(cases, answers, strict=True))
        if normal(answer) != normal(answer_of_production(case))
    ]


def campaign(
    cases: int,
    *,
    first: int = 0,
    oracle: Path | None = None,
    properties: bool = True,
    workers: int | None = None,
) -> list[Failure]:
    """Run ``cases`` cases, half of each generator, from number ``first`` on.

    Failing ones are shrunk and kept.
    """
    half = cases // 2
    spans = [
        (kind, first + at, first + min(at + CHUNK, half)) for at in range(0, half, CHUNK) for kind in KINDS
    ]
    with ProcessPoolExecutor(workers or os.cpu_count() or 1) as pool:
        jobs = [pool.submit(compare, *span, properties=properties) for span in spans]
        if oracle is not None:
            jobs += [pool.submit(compare_with_oracle, str(oracle), *span) for span in spans]
        found = [failure for job in jobs for failure in job.result()]
    return [_keep(*failure, oracle=oracle) for failure in found[:5]]


def _keep(kind: str, number: int, why: str, *, oracle: Path | None) -> Failure:
    """Shrink a failing case and keep it."""

    def fails(case: Case) -> bool:
        if why == "production differs from the model":
            return differs(case)
        if why == "production differs from the oracle" and oracle is not None:
            return normal(ask(oracle, [encode(case)])[0]) != normal(answer_of_production(case))
        if why == "the checker of certificates does not say yes":
            return unbelieved(run_production(case)) != ""
        return why in broken(case)

    small = shrink(generate(kind, number), fails)
    return Failure(kind=kind, number=number, why=why, path=str(save(small, why)))


def report(failures: Sequence[Failure]) -> str:
    """The failures, for people."""
    return "\n".join(f"{f.kind} {f.number}: {f.why}; shrunk and kept as {f.path}" for f in failures)
