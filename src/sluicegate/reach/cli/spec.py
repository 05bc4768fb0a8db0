"""``sluicegate spec``: what must always hold, how each behaviour was ruled, and what holds it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path

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
_PLACES = {
    "theorems": ("spec/coq/proven.toml",),
    "exhaustive": ("spec/drt/exhaustive.py", "spec/drt/flow/exhaustive.py"),
    "contracts": ("spec/contracts.py",),
    "differential": ("spec/drt/sides.py", "spec/drt/flow/sides.py"),
    "properties": ("spec/drt/properties.py", "spec/drt/flow/properties.py", "spec/drt/flow/programs.py"),
}
_SHAPES = {
    "theorems": '    "{}",\n',
    "exhaustive": "\ndef {}() -> None:\n",
    "contracts": "\ndef {}(",
    "differential": '\n        "{}": ',
    "properties": '\n        "{}": ',
}


_LEGEND = """\
proven: a theorem, about the decision kernels as they stand or about the lists around them as written in Coq,
which production is tested against. exhaustive: every case of a finite scope. tested: examples and properties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One line of the specification. ``backing`` pairs a kind of backing with a name of it."""

    id: str
    stratum: str
    statement: str
    where: str
    ruling: str
    reason: str
    backing: tuple[tuple[str, str], ...]


def parse(text: str) -> tuple[Behaviour, ...]:
    """The behaviours that ``behaviours.toml`` states. Raises ValueError where it is not well formed."""
    behaviours = []
    for table in tomllib.loads(text)["behaviour"]:
        backing = table.pop("backing", {})
        unknown = set(backing) - set(KINDS) | set(table) - set(Behaviour.__dataclass_fields__)
        missing = set(Behaviour.__dataclass_fields__) - {"backing"} - set(table)
        if unknown or missing:
            raise ValueError(f"{table.get('id')}: unknown {sorted(unknown)}, missing {sorted(missing)}")
        named = tuple((kind, name) for kind in KINDS for name in backing.get(kind, ()))
        behaviours.append(Behaviour(**table, backing=named))
    return tuple(behaviours)


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
    root = Path(__file__).resolve().parents[4]
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
        if not one.backing and one.ruling != "withdrawn" and one.stratum != "S3":
            found.append(f"{one.id}: nothing backs it")
        found += [f"{one.id}: there is no {name}" for name in missing_backing(one, root)]
    return found


def state(behaviour: Behaviour, root: Path | None) -> str:
    """How well a behaviour is held: the strongest kind of its backing, or what is wrong with it."""
    if behaviour.ruling == "withdrawn":
        return "withdrawn"
    if behaviour.stratum == "S3":
        return "out of scope"
    if root is not None and missing_backing(behaviour, root):
        return "NOT BACKED"
    kinds = {kind for kind, _ in behaviour.backing}
    if "theorems" in kinds:
        return "proven"
    if kinds & {"exhaustive", "contracts"}:
        return "exhaustive"
    return "tested" if kinds else "NOT BACKED"


def _exists(kind: str, name: str, root: Path) -> bool:
    if kind == "tests":
        path, _, function = name.partition("::")
        return f"\ndef {function}(" in _text(root / path)
    return any(_SHAPES[kind].format(name) in _text(root / place) for place in _PLACES[kind])


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@click.command("spec")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it."
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
        rows = [{**_plain(behaviour), "state": state(behaviour, root)} for behaviour in chosen]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif ids:
        click.echo("\n\n".join(_in_full(behaviour, root) for behaviour in chosen))
    else:
        click.echo(_table(chosen, root))


def _table(behaviours: list[Behaviour], root: Path | None) -> str:
    lines = [f"{'id':5} {'':2}  {'ruling':10} {'state':12} statement"]
    for one in behaviours:
        words = one.statement.split()
        first = f"{one.id:5} {one.stratum:2}  {one.ruling:10} {state(one, root):12} "
        lines += _wrapped(words, first, 110)
    open_ = sum(state(one, root) == "NOT BACKED" for one in behaviours)
    lines += [
        "",
        f"{len(behaviours)} behaviours; {open_} without backing. 'sluicegate spec ID' shows one in full.",
    ]
    lines += ["", _LEGEND]
    return "\n".join(lines)


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
    lines += [f"  {kind}: {name}" for kind, name in one.backing]
    return "\n".join(lines)


def _plain(one: Behaviour) -> Mapping[str, object]:
    backing = {kind: [name for k, name in one.backing if k == kind] for kind in KINDS}
    return {**asdict(one), "backing": {kind: names for kind, names in backing.items() if names}}
