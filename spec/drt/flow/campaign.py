"""Many cases of flow: production against the model, against its properties, and against the oracle, on every core."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from drt.campaign import Failure
from drt.flow import cases, environments, guards, programs, properties, scripts, settings, sides
from drt.flow.cases import FlowCase, Tree
from drt.flow.environments import EnvironmentCase
from drt.flow.guards import GuardCase
from drt.flow.oracle import answers_of_production, encode
from drt.flow.programs import ProgramCase
from drt.flow.scripts import ScriptCase
from drt.flow.settings import SettingsCase
from drt.oracle import ask

FAILURES = Path(__file__).resolve().parent / "failures"
KINDS: dict[str, int] = {
    "ordinary": 4,
    "hostile": 3,
    "programs": 3,
    "scripts": 2,
    "guards": 8,
    "environments": 6,
    "settings": 3,
}
"""The generators, and how many of their cases a share of a run has."""
CHUNK = 50
_ROOMS: dict[str, Any] = {
    "programs": programs,
    "scripts": scripts,
    "guards": guards,
    "environments": environments,
    "settings": settings,
}


def generate_all(shares: int) -> Iterator[Any]:
    """The cases of the first shares of a run."""
    return (generate(kind, number) for kind, size in KINDS.items() for number in range(size * shares))


def generate(kind: str, number: int) -> Any:
    """Case ``number`` of a generator."""
    if kind in ("ordinary", "hostile"):
        return cases.generate(kind, number)
    return _ROOMS[kind].generate(number)


def wrong(case: Any) -> list[str]:
    """Why a case fails; empty when it does not."""
    if isinstance(case, ProgramCase):
        return programs.broken(case)
    if isinstance(case, ScriptCase):
        return scripts.broken(case)
    if not isinstance(case, FlowCase):
        room = _ROOMS[next(name for name, shape in _SHAPES.items() if isinstance(case, shape))]
        return [] if room.production(case) == room.modelled(case) else ["production differs from the model"]
    said, expected = sides.production(case), sides.modelled(case)
    differing = [name for name in expected if said[name] != expected[name]]
    return [f"production differs from the model: {differing[0]}"] if differing else properties.broken(case)


def compare(kind: str, start: int, stop: int) -> list[tuple[str, int, str]]:
    """Cases of a generator that fail, each with why."""
    return [
        (kind, number, found[0]) for number in range(start, stop) if (found := wrong(generate(kind, number)))
    ]


def compare_with_oracle(program: str, kind: str, start: int, stop: int) -> list[tuple[str, int, str]]:
    """Cases of a generator on which production differs from the proven functions."""
    given = [cases.generate(kind, number) for number in range(start, stop)]
    lines = [encode(case) for case in given]
    said = iter(ask(Path(program), [line for each in lines for line in each]))
    failures = []
    for at, (case, asked) in enumerate(zip(given, lines, strict=True)):
        if [next(said) for _ in asked] != answers_of_production(case):
            failures.append((kind, start + at, "production differs from the oracle"))
    return failures


def campaign(
    shares: int, *, first: int = 0, oracle: Path | None = None, workers: int | None = None
) -> list[Failure]:
    """Run ``shares`` shares of cases, from share number ``first`` on. Failing ones are shrunk and kept."""
    spans = [
        (kind, (first + at) * size, (first + min(at + CHUNK, shares)) * size)
        for at in range(0, shares, CHUNK)
        for kind, size in KINDS.items()
    ]
    with ProcessPoolExecutor(workers or os.cpu_count() or 1) as pool:
        jobs = [pool.submit(compare, *span) for span in spans]
        if oracle is not None:
            asked = [span for span in spans if span[0] in ("ordinary", "hostile")]
            jobs += [pool.submit(compare_with_oracle, str(oracle), *span) for span in asked]
        found = [failure for job in jobs for failure in job.result()]
    return [_keep(*failure, oracle=oracle) for failure in found[:5]]


def _keep(kind: str, number: int, why: str, *, oracle: Path | None) -> Failure:
    """Shrink a failing case and keep it."""

    def fails(case: Any) -> bool:
        if why == "production differs from the oracle" and oracle is not None:
            return ask(oracle, encode(case)) != answers_of_production(case)
        return why in wrong(case)

    small = shrink(generate(kind, number), fails)
    return Failure(kind=kind, number=number, why=why, path=str(save(small, why)))


def shrink(case: Any, fails: Callable[[Any], bool], *, most: int = 1500) -> Any:
    """A case that still fails and in which nothing single can be left out; at most ``most`` attempts."""
    tried, progress = 0, True
    while progress:
        progress = False
        for name in case._fields:
            for smaller in _smaller(getattr(case, name)):
                tried += 1
                if tried > most:
                    return case
                candidate = case._replace(**{name: smaller})
                if _fails(candidate, fails):
                    case, progress = candidate, True
                    break
    return case


def _fails(case: Any, fails: Callable[[Any], bool]) -> bool:
    try:
        return fails(case)
    except Exception:  # noqa: BLE001 - no longer a case at all
        return False


def _smaller(value: Tree) -> Iterator[Tree]:
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield value[:at] + value[at + 1 :]
            yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _smaller(item))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield {key: other for key, other in value.items() if key != name}
            yield from ({**value, name: smaller} for smaller in _smaller(item))


_SHAPES: dict[str, type[Any]] = {
    "flow": FlowCase,
    "guards": GuardCase,
    "environments": EnvironmentCase,
    "settings": SettingsCase,
    "programs": ProgramCase,
    "scripts": ScriptCase,
}


def save(case: Any, why: str) -> Path:
    """Keep a failing case as a file; it is run again by every ``make verify``."""
    FAILURES.mkdir(exist_ok=True)
    shape = next(name for name, kind in _SHAPES.items() if isinstance(case, kind))
    number = len(list(FAILURES.glob("*.json")))
    path = FAILURES / f"{number:03d}-{''.join(c if c.isalnum() else '-' for c in why)[:40]}.json"
    path.write_text(json.dumps({"shape": shape, **case._asdict()}, sort_keys=True) + "\n", encoding="utf-8")
    return path


def kept() -> Iterator[tuple[str, Any]]:
    """The kept cases, by name."""
    for path in sorted(FAILURES.glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        yield path.name, _SHAPES[row.pop("shape")](**row)
