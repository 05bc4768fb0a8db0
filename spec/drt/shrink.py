"""Making a failing case small, keeping it, and running kept ones again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from drt.cases import Case, Plain, from_json, to_json

FAILURES = Path(__file__).resolve().parent / "failures"


def shrink(case: Case, fails: Callable[[Case], bool], *, most: int = 3000) -> Case:
    """A case that still fails and in which nothing single can be left out; at most ``most`` attempts."""
    tried = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(case):
            tried += 1
            if tried > most:
                return case
            if _fails(smaller, fails):
                case, progress = smaller, True
                break
    return case


def save(case: Case, why: str) -> Path:
    """Keep a failing case as a file; it is run again by every ``make verify``."""
    FAILURES.mkdir(exist_ok=True)
    number = len(list(FAILURES.glob("*.json")))
    path = FAILURES / f"{number:03d}-{''.join(c if c.isalnum() else '-' for c in why)[:40]}.json"
    path.write_text(to_json(case) + "\n", encoding="utf-8")
    return path


def kept() -> Iterator[tuple[str, Case]]:
    """The kept cases, by name."""
    for path in sorted(FAILURES.glob("*.json")):
        yield path.name, from_json(path.read_text(encoding="utf-8"))


def _fails(case: Case, fails: Callable[[Case], bool]) -> bool:
    try:
        return fails(case)
    except (IndexError, KeyError, ValueError):
        return False  # no longer a case at all


def _smaller(case: Case) -> Iterator[Case]:
    for name in ("replies", "entries", "batches", "paths"):
        items: list[Plain] = getattr(case, name)
        for at in range(len(items)):
            if name == "batches":
                yield case._replace(
                    batches=items[:at] + items[at + 1 :],
                    replies=[[s, b - (b > at), v] for s, b, v in case.replies if b != at],
                )
            else:
                yield case._replace(**{name: items[:at] + items[at + 1 :]})
    for at, batch in enumerate(case.batches):
        for one in range(len(batch)):
            yield case._replace(
                batches=[*case.batches[:at], batch[:one] + batch[one + 1 :], *case.batches[at + 1 :]]
            )
    for at, (seat, number, value) in enumerate(case.replies):
        for smaller in _smaller_value(value):
            yield case._replace(
                replies=[*case.replies[:at], [seat, number, smaller], *case.replies[at + 1 :]]
            )
    if case.gaps:
        yield case._replace(gaps=0)


def _smaller_value(value: Plain) -> Iterator[Plain]:
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield value[:at] + value[at + 1 :]
            yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _smaller_value(item))
    elif isinstance(value, dict) and set(value) != {"raise"}:
        for name, item in value.items():
            yield {k: v for k, v in value.items() if k != name}
            yield from ({**value, name: smaller} for smaller in _smaller_value(item))
