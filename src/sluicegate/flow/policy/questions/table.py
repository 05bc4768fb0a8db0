"""Tables of expected decisions: what a policy is meant to say, in a file, checked line by line.

    policy = ["production"]

    [[expect]]
    operation = "cmd:git push origin main"
    labels = ["secret"]
    decision = "deny"
    rule = 'capabilities.allow'

``decision`` is ``allow``, ``deny``, or ``refuse`` for a command that never gets to a policy, because a value could
change what it is. ``rule`` and ``layer`` may be the beginning of what the denial says. ``base`` and ``home`` are where relative paths
and ``~`` lead; nothing on the machine is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import LabelError, PolicyError
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.layers import ALLOW, Authorized, Layers
from sluicegate.flow.policy.questions.questions import check_words
from sluicegate.flow.policy.questions.sketch import RefusedCommand, sketch
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.load import load
from sluicegate.flow.policy.text.positions import Lines
from sluicegate.flow.policy.text.problems import PolicyProblems, line_of
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.shape import misshapen
from sluicegate.flow.policy.text.tree import parse_file, plain
from sluicegate.flow.policy.text.vocabulary import nearest

_BASE, _HOME = "/project", "/home/user"


class Expect(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One line of a table."""

    operation: str
    decision: Literal["allow", "deny", "refuse"]
    labels: list[str] = []
    operation_labels: list[str] = []
    paths: list[str] = []
    hosts: list[str] = []
    code: str = ""
    rule: str = ""
    layer: str = ""
    because: str = ""


class Table(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A table: the policies it is about, first the project's own, and what they should say."""

    expect: list[Expect]
    policy: list[str] = []
    base: str = _BASE
    home: str = _HOME


class ReadTable(Struct, frozen=True):
    """A table with its file and the lines in it."""

    table: Table
    file: str
    lines: Lines


class Outcome(Struct, frozen=True):
    """One line of a table with what was decided; ``differences`` is empty if it is what was expected."""

    expect: Expect
    line: int
    decision: Authorized | Denial | RefusedCommand
    differences: tuple[str, ...]


def read_table(path: Path) -> ReadTable:
    """The table in a TOML, YAML or JSON file. Raises PolicyError."""
    name = plain(str(path))
    tree = parse_file(path, name=name)
    wrong = misshapen(tree.root, Table)
    if wrong:
        raise PolicyProblems(name, wrong, tree.lines)
    table = msgspec.convert(tree.root, Table)
    if not table.expect:
        raise PolicyError(f"{name} expects nothing", hint="Add [[expect]] with operation and decision.")
    return ReadTable(table, name, tree.lines)


def run(read: ReadTable, *, documents: Sequence[Document] = (), directory: Path) -> list[Outcome]:
    """Every line of a table with what was decided.

    ``documents`` take the place of the table's own policies; ``directory`` is where those are looked for.
    Raises PolicyError when a line cannot be understood, or there is no policy at all.
    """
    table = read.table
    found = list(documents) or [load(name, base=directory) for name in table.policy]
    if not found:
        raise PolicyError(
            f"{read.file} names no policy", hint='Add policy = ["production"], or use --policy.'
        )
    place = Place(base=table.base, home=table.home, resolve=lambda path: path)
    layers = Layers(found, place=place)
    policies = [document.policy for document in found]
    return [
        _outcome(each, line_of(("expect", at), read.lines), layers, policies, read.file)
        for at, each in enumerate(table.expect)
    ]


def _outcome(expect: Expect, line: int, layers: Layers, policies: Sequence[Policy], file: str) -> Outcome:
    if expect.code and expect.code not in Code.__members__:
        raise PolicyError(
            f"{file}:{line}: there is no code {shown(expect.code)}",
            hint=nearest(expect.code, Code.__members__),
        )
    try:
        requests = sketch(
            expect.operation,
            place=layers.place,
            declared=expect.operation_labels,
            paths=expect.paths,
            hosts=expect.hosts,
        )
        labels = Labels.of(*expect.labels)
        # A table is about policies and no machine, so what a ledger has seen does not count.
        check_words(policies, expect.labels, expect.operation_labels, lambda: (frozenset(), frozenset()))
    except RefusedCommand as error:
        return _compared(expect, line, error)
    except (PolicyError, LabelError) as error:
        hint = error.hint.replace("--operation-labels", "operation_labels")
        raise PolicyError(f"{file}:{line}: {error.message}", hint=hint) from None
    return _compared(expect, line, authorize_all(layers, requests, labels))


def authorize_all(layers: Layers, requests: Sequence[Request], labels: Labels) -> Authorized | Denial:
    """The first denial among several requests of one operation; else that all are permitted."""
    for request in requests:
        decision = layers.authorize(request, labels)
        if isinstance(decision, Denial):
            return decision
    return ALLOW


def _compared(expect: Expect, line: int, decision: Authorized | Denial | RefusedCommand) -> Outcome:
    return Outcome(expect, line, decision, tuple(_differences(expect, decision)))


def word_for(decision: Authorized | Denial | RefusedCommand) -> str:
    """The word a table has for a decision."""
    if isinstance(decision, RefusedCommand):
        return "refuse"
    return "deny" if isinstance(decision, Denial) else "allow"


def _differences(expect: Expect, decision: Authorized | Denial | RefusedCommand) -> list[str]:
    got = word_for(decision)
    if got != expect.decision:
        return [f"expected {expect.decision}, got {got}"]
    if not isinstance(decision, Denial):
        return [
            f"{key} says something about a denial"
            for key in ("code", "rule", "layer")
            if getattr(expect, key)
        ]
    found = []
    if expect.code and decision.code != expect.code:
        found.append(f"expected the code {expect.code}, got {decision.code}")
    if expect.rule and not decision.rule.startswith(expect.rule):
        found.append(f"expected the rule {expect.rule}, got {decision.rule}")
    if expect.layer and not decision.layer.startswith(expect.layer):
        found.append(f"expected the layer {expect.layer}, got {decision.layer}")
    return found
