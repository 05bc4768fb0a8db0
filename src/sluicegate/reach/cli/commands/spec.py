"""``sluicegate spec``: what must always hold, how each behaviour was ruled, and what holds it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import click

RULINGS = ("intended", "incidental", "bug-fixed", "withdrawn")
STRATA = {
    "S1": "pure arithmetic of a verdict",
    "S2": "the envelope around models",
    "S3": "the models themselves: out of scope",
    "F1": "one decision on a flow: labels, policies, guards, environments",
    "F2": "programs under the monitor: non-interference",
}
KINDS = ("theorems", "exhaustive", "contracts", "differential", "properties", "tests")
PLACES = {
    "theorems": ("spec/coq/proven.toml",),
    "exhaustive": ("spec/drt/exhaustive.py", "spec/drt/flow/exhaustive.py"),
    "contracts": ("spec/contracts.py",),
    "differential": ("spec/drt/sides.py", "spec/drt/flow/sides.py"),
    "properties": (
        "spec/drt/properties.py",
        "spec/drt/flow/properties.py",
        "spec/drt/flow/programs.py",
        "spec/drt/flow/scripts.py",
    ),
}
_SHAPES = {
    "theorems": "\n{} = '''\n",
    "exhaustive": "\ndef {}() -> None:\n",
    "contracts": "\ndef {}(",
    "differential": '\n        "{}": ',
    "properties": '\n        "{}": ',
}


_STRENGTHS = ("proven", "exhaustive", "tested", "NOT BACKED")
_LEGEND = """\
proven: a theorem, about the decision kernels as they stand or about the lists around them as written in Coq,
which production is tested against. exhaustive: every case of a finite scope. tested: examples and properties.
proven in part: some clauses are proven; 'sluicegate spec ID' shows how each is held."""


Backing = tuple[tuple[str, str], ...]
"""Kinds of backing, each with a name of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a behaviour that can be held on its own. ``says`` is empty where it is the whole behaviour."""

    says: str
    backing: Backing


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One line of the specification, in one clause or several."""

    id: str
    stratum: str
    statement: str
    where: str
    ruling: str
    reason: str
    clauses: tuple[Clause, ...]

    @property
    def backing(self) -> Backing:
        """What backs any clause, each name once."""
        return tuple(dict.fromkeys(pair for clause in self.clauses for pair in clause.backing))


def parse(text: str) -> tuple[Behaviour, ...]:
    """The behaviours that ``behaviours.toml`` states. Raises ValueError where it is not well formed."""
    behaviours = []
    for table in tomllib.loads(text)["behaviour"]:
        whole, parts = table.pop("backing", None), table.pop("clause", [])
        fields = set(Behaviour.__dataclass_fields__) - {"clauses"}
        unknown, missing = set(table) - fields, fields - set(table)
        if unknown or missing:
            raise ValueError(f"{table.get('id')}: unknown {sorted(unknown)}, missing {sorted(missing)}")
        if whole is not None and parts:
            raise ValueError(f"{table['id']}: it is backed as a whole or by clauses, not both")
        clauses = [_clause(table["id"], {"says": "", **(whole or {})})] if not parts else []
        for part in parts:
            if not part.get("says", "").strip():
                raise ValueError(f"{table['id']}: a clause says nothing")
            clauses.append(_clause(table["id"], part))
        behaviours.append(Behaviour(**table, clauses=tuple(clauses)))
    return tuple(behaviours)


def _clause(behaviour: str, part: dict[str, Any]) -> Clause:
    unknown = set(part) - {"says", *KINDS}
    if unknown:
        raise ValueError(f"{behaviour}: unknown {sorted(unknown)}")
    named = tuple((kind, name) for kind in KINDS for name in part.get(kind, ()))
    return Clause(says=part["says"], backing=named)


def load() -> tuple[Behaviour, ...]:
    """The behaviours of this release: those in the package, or those of the checkout it runs from."""
    packed = resources.files("sluicegate.vet.verdict").joinpath("behaviours.toml")
    if packed.is_file():
        return parse(packed.read_text(encoding="utf-8"))
    root = checkout()
    if root is None:
        raise click.ClickException("behaviours.toml is neither in the package nor beside it")
    return parse((root / "spec/behaviours.toml").read_text(encoding="utf-8"))


def checkout() -> Path | None:
    """The root of the checkout this module runs from; ``None`` when it is installed."""
    root = Path(__file__).resolve().parents[5]
    return root if (root / "spec/behaviours.toml").is_file() else None


def missing_backing(behaviour: Behaviour, root: Path) -> tuple[str, ...]:
    """Names among the backing of a behaviour that do not exist under ``root``."""
    return tuple(name for kind, name in behaviour.backing if not _exists(kind, name, root))


def problems(behaviours: tuple[Behaviour, ...], root: Path) -> list[str]:
    """Everything that keeps the specification from being complete; empty when it is."""
    found = []
    ids = [behaviour.id for behaviour in behaviours]
    found += [f"{one}: stated twice" for one in sorted({one for one in ids if ids.count(one) > 1})]
    for one in behaviours:
        if one.ruling not in RULINGS or not one.reason.strip():
            found.append(f"{one.id}: no ruling with a reason")
        if one.stratum not in STRATA:
            found.append(f"{one.id}: unknown stratum {one.stratum}")
        if one.ruling != "withdrawn" and one.stratum != "S3":
            bare = [clause.says for clause in one.clauses if not clause.backing]
            found += [f"{one.id}: nothing backs it" + (f": {says}" if says else "") for says in bare]
        found += [f"{one.id}: there is no {name}" for name in missing_backing(one, root)]
    return found


def state(behaviour: Behaviour, root: Path | None) -> str:
    """How well a behaviour is held, or what is wrong with it; "proven" only where each of its clauses is."""
    if behaviour.ruling == "withdrawn":
        return "withdrawn"
    if behaviour.stratum == "S3":
        return "out of scope"
    states = [state_of(clause, root) for clause in behaviour.clauses]
    proven = states.count("proven")
    if "NOT BACKED" in states:
        return "NOT BACKED"
    if 0 < proven < len(states):
        return f"proven in part: {proven} of {len(states)} clauses"
    return max(states, key=_STRENGTHS.index)  # the weakest


def state_of(clause: Clause, root: Path | None) -> str:
    """How well one clause is held: the strongest kind of its backing, or what is wrong with it."""
    kinds = {kind for kind, _ in clause.backing}
    if not kinds or (root is not None and not all(_exists(*pair, root) for pair in clause.backing)):
        return "NOT BACKED"
    if "theorems" in kinds:
        return "proven"
    return "exhaustive" if kinds & {"exhaustive", "contracts"} else "tested"


def _exists(kind: str, name: str, root: Path) -> bool:
    if kind == "tests":
        path, _, function = name.partition("::")
        return f"\ndef {function}(" in _text(root / path)
    return any(_SHAPES[kind].format(name) in _text(root / place) for place in PLACES[kind])


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@click.command("spec")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it."
)
def spec(ids: tuple[str, ...], form: str) -> None:
    """Show what must always hold of verdicts and flows, with the ruling and the state of each behaviour.

    With one or more IDs, show those in full: where the code is, why it was ruled so, and what backs it.
    """
    behaviours = load()
    known = {behaviour.id for behaviour in behaviours}
    for one in ids:
        if one not in known:
            raise click.BadParameter(f"there is no behaviour {one}; 'sluicegate spec' lists them")
    root = checkout()
    chosen = [behaviour for behaviour in behaviours if not ids or behaviour.id in ids]
    if form == "json":
        rows = [_plain(behaviour, root) for behaviour in chosen]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif ids:
        click.echo("\n\n".join(_in_full(behaviour, root) for behaviour in chosen))
    else:
        click.echo(_table(chosen, root))


def _table(behaviours: list[Behaviour], root: Path | None) -> str:
    lines = [f"{'id':5} {'':2}  {'ruling':10} {'state':14} statement"]
    for one in behaviours:
        words = one.statement.split()
        first = f"{one.id:5} {one.stratum:2}  {one.ruling:10} {_short(state(one, root)):14} "
        lines += _wrapped(words, first, 110)
    open_ = sum(state(one, root) == "NOT BACKED" for one in behaviours)
    lines += [
        "",
        f"{len(behaviours)} behaviours; {open_} without backing. 'sluicegate spec ID' shows one in full.",
    ]
    lines += ["", _LEGEND]
    return "\n".join(lines)


def _short(held: str) -> str:
    """A state in the width of its column."""
    return held.partition(":")[0]


def _wrapped(words: list[str], first: str, width: int) -> list[str]:
    lines, line = [], first
    for word in words:
        if len(line) + len(word) > width and line.strip():
            lines.append(line.rstrip())
            line = " " * len(first)
        line += word + " "
    return [*lines, line.rstrip()]


def _in_full(one: Behaviour, root: Path | None) -> str:
    lines = [f"{one.id}  {one.statement}"]
    lines += [f"  stratum: {one.stratum}, {STRATA[one.stratum]}", f"  where:   {one.where}"]
    lines += [f"  ruling:  {one.ruling}: {one.reason}", f"  state:   {state(one, root)}"]
    for clause in one.clauses:
        indent = "  "
        if clause.says:
            lines += ["", f"  clause:  {clause.says}", f"    state: {state_of(clause, root)}"]
            indent = "    "
        lines += [f"{indent}{kind}: {name}" for kind, name in clause.backing]
    return "\n".join(lines)


def _plain(one: Behaviour, root: Path | None) -> Mapping[str, object]:
    """A behaviour as JSON: its own fields, everything that backs it, and its clauses where it has any."""
    fields = {name: getattr(one, name) for name in Behaviour.__dataclass_fields__ if name != "clauses"}
    clauses = [
        {"says": clause.says, "state": state_of(clause, root), "backing": _by_kind(clause.backing)}
        for clause in one.clauses
        if clause.says
    ]
    return {**fields, "backing": _by_kind(one.backing), "clauses": clauses, "state": state(one, root)}


def _by_kind(backing: Backing) -> dict[str, list[str]]:
    names = {kind: [name for k, name in backing if k == kind] for kind in KINDS}
    return {kind: found for kind, found in names.items() if found}
