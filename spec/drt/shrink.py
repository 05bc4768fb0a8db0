"""Making a failing case small, keeping it, and running kept ones again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from drt.cases import Case, Plain, from_json, to_json
from sluicegate.vet.verdict.consensus import ReviewError

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
    except (IndexError, KeyError, ValueError, ReviewError):
        return False  # no longer a case at all


def _smaller(case: Case) -> Iterator[Case]:
    for name in ("replies", "entries", "gap_entries", "gaps", "rulings", "parts"):
        items: list[Plain] = getattr(case, name)
        for at in range(len(items)):
            yield case._replace(**{name: items[:at] + items[at + 1 :]})  # type: ignore[arg-type]
    for at, row in enumerate(case.findings):
        rest = case.findings[:at] + case.findings[at + 1 :]
        if any(other[4] == row[4] for other in rest):
            yield case._replace(findings=rest)
        else:
            fewer = [[role, [mark for mark in about if mark != row[4]]] for role, about in case.packages]
            yield case._replace(findings=rest, packages=fewer)
    for at in range(len(case.packages)):
        yield case._replace(
            packages=case.packages[:at] + case.packages[at + 1 :],
            replies=[[s, p - (p > at), a, body] for s, p, a, body in case.replies if p != at],
        )
    for at in range(len(case.seats)):
        yield case._replace(
            seats=case.seats[:at] + case.seats[at + 1 :],
            replies=[[s - (s > at), p, a, body] for s, p, a, body in case.replies if s != at],
        )
    for at, (seat, package, attempt, body) in enumerate(case.replies):
        for smaller in _smaller_body(body):
            reply = [seat, package, attempt, smaller]
            yield case._replace(replies=[*case.replies[:at], reply, *case.replies[at + 1 :]])


def _smaller_body(body: Plain) -> Iterator[Plain]:
    if "json" in body:
        yield from ({"json": value} for value in _smaller_value(body["json"]))
    elif "text" in body:
        text = body["text"]
        yield from (
            {"text": text[:at] + text[at + len(text) // 8 + 1 :]}
            for at in range(0, len(text), len(text) // 8 + 1)
        )


def _smaller_value(value: Plain) -> Iterator[Plain]:
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield value[:at] + value[at + 1 :]
            yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _smaller_value(item))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield {k: v for k, v in value.items() if k != name}
            yield from ({**value, name: smaller} for smaller in _smaller_value(item))
