"""What must still be there: every behaviour ever ruled with all that backs it, golden vectors, cases that failed once.

    python spec/register.py           # what is missing
    python spec/register.py --write   # add what is new

A check of nothing holds. So ``register.toml`` lists what the gates check, by name, number and digest, and a gate
fails when something in it is gone. Writing only ever adds: to take something out is to edit the file by hand,
which a person sees in the diff. A behaviour is not taken out; it is ruled "withdrawn".
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import outcomes
from drt import golden, shrink
from drt.flow import campaign as flow
from drt.flow import golden as flow_golden
from sluicegate.reach.cli.commands.spec import Behaviour, parse

ROOT = Path(__file__).resolve().parent.parent
REGISTER = ROOT / "spec" / "register.toml"
BEHAVIOURS = ROOT / "spec" / "behaviours.toml"
GOLDEN = (golden.VECTORS, flow_golden.VECTORS)
KEPT = (shrink.FAILURES, flow.FAILURES)
_WRITE = "run python spec/register.py --write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """A file of golden vectors: its digest, and the fewest lines that it may have."""

    at_least: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A behaviour as it was registered: how many clauses it has at least, and all that ever backed one."""

    reason: str
    """A digest of why it was ruled so: what is withdrawn needs another."""
    clauses: int
    backing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """Behaviours by id, files of golden vectors and kept failures by path, and the cases of tests that behaviours name."""

    behaviours: dict[str, Ruled]
    cases: dict[str, int]
    """The fewest that each test may have, parameter by parameter."""
    golden: dict[str, Vectors]
    kept: dict[str, str]


def read() -> Register:
    """The register as committed; empty where there is none."""
    if not REGISTER.is_file():
        return Register(behaviours={}, cases={}, golden={}, kept={})
    found = tomllib.loads(REGISTER.read_text(encoding="utf-8"))
    return Register(
        behaviours={
            name: Ruled(reason=one["reason"], clauses=one["clauses"], backing=tuple(one["backing"]))
            for name, one in found.get("behaviours", {}).items()
        },
        cases=found["cases"],
        golden={path: Vectors(**one) for path, one in found["golden"].items()},
        kept=found["kept"],
    )


def problems() -> list[str]:
    """What is registered and gone or changed, and what is not registered."""
    if not REGISTER.is_file():
        return [f"spec/register.toml is missing: {_WRITE}"]
    return [*behaviour_problems(), *golden_problems(), *kept_problems()]


def behaviour_problems() -> list[str]:
    """Behaviours that were ruled once and are not in the specification any more or have lost something, or are new.

    A withdrawn one may lose what backs it.
    """
    stated, ruled = _stated(), read().behaviours
    found = []
    for name, before in ruled.items():
        now = stated.get(name)
        if now is None:
            found.append(
                f"{name} was ruled once and is gone from behaviours.toml; rule it 'withdrawn' instead"
            )
        elif now.ruling == "withdrawn":
            if _reason(now) == before.reason:
                found.append(
                    f"{name} is withdrawn for the reason for which it was ruled; say why it no longer holds"
                )
        else:
            if len(now.clauses) < before.clauses:
                found.append(f"{name} has {len(now.clauses)} clauses, and had {before.clauses}")
            there = _backing(now)
            found += [
                f"{name} was backed by {one}, and is no longer" for one in before.backing if one not in there
            ]
    for name, now in stated.items():
        new = name not in ruled or len(now.clauses) > ruled[name].clauses
        if new or not set(_backing(now)) <= set(ruled[name].backing):
            found.append(f"{name} is not registered as it is: {_WRITE}")
    return found


def golden_problems() -> list[str]:
    """Golden vectors that are missing, too few or others than those recorded with the proof."""
    found, registered = [], read().golden
    for path in GOLDEN:
        name = _name(path)
        wanted = registered.get(name)
        if wanted is None:
            found.append(f"{name} is not registered: sh spec/prove.sh --record")
        elif not path.is_file():
            found.append(f"{name} is missing")
        elif _lines(path) < wanted.at_least:
            found.append(f"{name} holds {_lines(path)} golden vectors, at least {wanted.at_least} are needed")
        elif _digest(path) != wanted.sha256:
            found.append(f"{name} is not as it was recorded: sh spec/prove.sh --record")
    return found


def kept_problems() -> list[str]:
    """Kept failures that are gone or changed, or new and not registered."""
    found, registered, there = [], read().kept, dict(_kept())
    for name, digest in registered.items():
        if name not in there:
            found.append(f"{name} is a kept failure and is missing")
        elif there[name] != digest:
            found.append(f"{name} is a kept failure and has changed")
    return found + [f"{name} is not registered: {_WRITE}" for name in there if name not in registered]


def write() -> None:
    """Add what is new to the register; nothing that is in it goes."""
    last, stated = read(), _stated()
    named = {name for one in stated.values() for kind, name in one.backing if kind == "tests"}
    counted = outcomes.cases(named, ROOT)
    behaviours = dict(last.behaviours)
    for name, now in stated.items():
        before = behaviours.get(name, Ruled(reason="", clauses=0, backing=()))
        behaviours[name] = Ruled(
            reason=before.reason if now.ruling == "withdrawn" else _reason(now),
            clauses=max(before.clauses, len(now.clauses)),
            backing=tuple(dict.fromkeys((*before.backing, *_backing(now)))),
        )
    cases = {test: max(counted.get(test, 0), last.cases.get(test, 0)) for test in {**last.cases, **counted}}
    _save(replace(last, behaviours=behaviours, cases=cases, kept={**dict(_kept()), **last.kept}))


def write_golden() -> None:
    """Register the golden vectors that were written just now. The fewest that are needed never become fewer."""
    last = read()
    vectors = {}
    for path in GOLDEN:
        before = last.golden.get(_name(path))
        fewest = max(_lines(path), before.at_least if before else 0)
        vectors[_name(path)] = Vectors(at_least=fewest, sha256=_digest(path))
    _save(replace(last, golden=vectors))


def _save(found: Register) -> None:
    lines = [
        "# What must still be there. Written by `python spec/register.py --write` and `sh spec/prove.sh --record`, which only",
        "# ever add. To take something out, edit this file, and say why in the commit; a behaviour is ruled withdrawn instead.",
        *(line for name, one in found.behaviours.items() for line in _table(name, one)),
        "",
        "[cases]",
        *(f"{json.dumps(test)} = {count}" for test, count in sorted(found.cases.items())),
        "",
        "[golden]",
        *(
            f'"{path}" = {{ at_least = {one.at_least}, sha256 = "{one.sha256}" }}'
            for path, one in found.golden.items()
        ),
        "",
        "[kept]",
        *(f'"{path}" = "{digest}"' for path, digest in sorted(found.kept.items())),
    ]
    REGISTER.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(name: str, one: Ruled) -> list[str]:
    return [
        "",
        f"[behaviours.{name}]",
        f'reason = "{one.reason}"',
        f"clauses = {one.clauses}",
        "backing = [",
        *(f"    {json.dumps(each)}," for each in one.backing),
        "]",
    ]


def _stated() -> dict[str, Behaviour]:
    return {one.id: one for one in parse(BEHAVIOURS.read_text(encoding="utf-8"))}


def _backing(one: Behaviour) -> tuple[str, ...]:
    return tuple(f"{kind}: {name}" for kind, name in one.backing)


def _reason(one: Behaviour) -> str:
    return hashlib.sha256(one.reason.encode()).hexdigest()[:16]


def _kept() -> Iterator[tuple[str, str]]:
    for folder in KEPT:
        for path in sorted(folder.glob("*.json")):
            yield _name(path), _digest(path)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments: list[str]) -> int:
    """Write or check."""
    if arguments == ["--write"]:
        write()
        return 0
    found = problems()
    print("\n".join(found) or "everything that is registered is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
