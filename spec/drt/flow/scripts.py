"""Scripts of the core language: generated programs, as text through production and as trees through the model, twice each.

What is compared: every question that policy was asked, with its labels and the answer, in order; all that was shown; and
how the script ended. Between two runs that differ in secrets alone, what may not depend on them has to be the same.
"""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any, NamedTuple

from drt.flow.cases import Tree
from drt.flow.sides import PLACE, document
from model import scripts as model
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.monitor import Monitor
from sluicegate.flow.policy.layers import Authorized, Layers
from sluicegate.flow.policy.request import Request
from sluicegate.script.evaluate.faults import is_denial
from sluicegate.script.evaluate.modules import ModuleReader
from sluicegate.script.evaluate.program import carry_out, new_run, read
from sluicegate.script.source import SourceText

LABELS = ("secret", "secret", "pii", "untrusted", "influenced")
CONSTANTS = (None, True, False, 0, 1, 1, "", "a", "a", "b", '{"a": 1}', "[1]")
KEYS = ("a", "b", "length")
KINDS = (
    "list",
    "object",
    "field",
    "index",
    "op",
    "not",
    "short",
    "short",
    "pick",
    "pick",
    "text",
    "when",
    "when",
    "if",
    "if",
    "for",
)
CALLS = ("call", "call", "pipe", "foreach")
CLOSED: Tree = {"labels": {"secret": {"deny": ["op:show"]}}}
"""Under this policy, no more than that something failed or was refused is seen of secrets, wherever they go."""
RULES: tuple[Tree, ...] = (
    CLOSED,
    {"labels": {"secret": {"deny": ["exfil", "op:call:f1"]}, "pii": {"deny": ["op:show"]}}},
    {"defaults": {"rules": ["no-secret-exfil", "no-untrusted-destructive"]}},
    {"labels": {"untrusted": {"deny": ["op:show", "op:call:f0"]}}, "operations": {"op:show": "exfil"},
     "defaults": {"rules": ["no-secret-exfil"]}},
)  # fmt: skip


class ScriptCase(NamedTuple):
    """Policies, and a program as ``model.scripts`` describes it; ``other`` are the secrets of the second run, by name."""

    policies: list[Tree]
    functions: dict[str, Tree]
    statements: list[Tree]
    other: dict[str, Tree]

    def second(self) -> ScriptCase:
        """The same with the other secrets."""
        statements = [
            [*each[:3], self.other[each[2]]] if each[0] == "var" and each[2] in self.other else each
            for each in self.statements
        ]
        return self._replace(statements=statements)


def generate(number: int) -> ScriptCase:
    """Case ``number``."""
    rng = random.Random(f"scripts {number}")
    return _Generator(rng).case()


class _Generator:
    """Makes a program. ``names`` are those that may be used here, ``callables`` what may be called."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.made = rng, 0
        self.names: list[str] = []
        self.callables: list[Tree] = []
        self.functions: dict[str, Tree] = {}
        self.inside = False

    def case(self) -> ScriptCase:
        rng = self.rng
        head: list[Tree] = []
        for name, value in (("k", self.constant()), ("l", self.constant()), ("c", self.constant())):
            head.append(["var", [rng.choice(LABELS)] if name != "c" else [], name, value])
            self.names.append(name)
        head.append(
            [
                "var",
                rng.choice(([], [], ["pii"])),
                "o",
                ["object", ["a", self.name()], ["b", self.constant()]],
            ]
        )
        head.append(["var", [], "s", ["list", self.name(), self.constant()]])
        self.names += ["o", "s"]
        for number in range(3):
            self.function(f"f{number}")
        head.append(["var", [], "p", ["new", self.function_name(), self.expression(2)]])
        self.callables.append(["name", "p"])
        statements = [self.statement(0) for _ in range(rng.choice((2, 3, 4, 6)))]
        named = [name for name in self.names if name.startswith("v")]
        shown = [["show", ["name", rng.choice(named or self.names)]] for _ in range(3)]
        policies = [CLOSED] if rng.random() < 0.4 else rng.sample(RULES, rng.choice((0, 1, 1, 2)))
        secret = [each[2] for each in head if "secret" in each[1]]
        other = {name: self.constant() for name in secret}
        return ScriptCase(list(policies), self.functions, [*head, *statements, *shown], other)

    def function(self, name: str) -> None:
        rng, before = self.rng, self.names
        parameters = [f"x{name}", f"y{name}"][: rng.choice((1, 1, 2))]
        self.names, self.inside = [*before, *parameters, *parameters], True
        dice = rng.random()
        if dice < 0.3:
            body = ["when", [["denied"], self.expression(2)], [["any"], self.expression(2)]]
        elif dice < 0.65:
            body = self.block(1)
        else:
            body = self.expression(2)
        labels = rng.choice(([], [], ["exfil"], ["destructive"], ["net:w"]))
        self.functions[name] = [labels, parameters, body]
        self.names, self.inside = before, False
        self.callables.append(["function", name])

    def constant(self) -> Tree:
        return ["const", self.rng.choice(CONSTANTS)]

    def name(self) -> Tree:
        return ["name", self.rng.choice(self.names)]

    def function_name(self) -> Tree:
        return ["function", self.rng.choice(sorted(self.functions))]

    def fresh(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def callee(self, depth: int) -> Tree:
        if self.rng.random() < 0.2 and len(self.callables) > 1:
            return ["pick", self.expression(depth + 1), *self.rng.sample(self.callables, 2)]
        return self.rng.choice(self.callables)

    def condition(self) -> Tree:
        """What a branch depends on: most often a name, or one that is compared."""
        dice = self.rng.random()
        if dice < 0.5:
            return ["op", "==", self.name(), self.constant()]
        return self.name() if dice < 0.8 else self.expression(2)

    def container(self, name: str, kind: str, depth: int) -> Tree:
        """What has parts, most of the time."""
        dice = self.rng.random()
        if dice < 0.4:
            return ["name", name]
        return self.built(kind, depth) if dice < 0.8 else self.expression(depth + 1)

    def built(self, kind: str, depth: int) -> Tree:
        one, other = self.expression(depth + 1), self.expression(depth + 1)
        return ["list", one, other] if kind == "list" else ["object", ["a", one], ["b", other]]

    def expression(self, depth: int) -> Tree:
        rng = self.rng
        if depth >= 4 or rng.random() < (0.15, 0.3, 0.5, 0.6)[depth]:
            return self.constant() if rng.random() < 0.3 else self.name()

        def inner() -> Tree:
            return self.expression(depth + 1)

        kind = rng.choice((*KINDS, *CALLS, *CALLS) if self.callables else KINDS)
        match kind:
            case "list" | "object":
                return self.built(kind, depth)
            case "field":
                return ["field", self.container("o", "object", depth), rng.choice(KEYS)]
            case "index":
                kind, key = rng.choice((("list", 0), ("object", "a")))
                name = "s" if kind == "list" else "o"
                value = self.container(name, kind, depth)
                return ["index", value, ["const", key] if rng.random() < 0.5 else inner()]
            case "op":
                return ["op", rng.choice(("+", "+", "==", "==", "!=", "<")), inner(), inner()]
            case "not":
                return ["not", inner()]
            case "short":
                return ["short", rng.choice(("&&", "||", "??")), inner(), inner()]
            case "pick":
                return ["pick", self.condition(), inner(), inner()]
            case "text":
                return ["text", "t ", self.name(), " ", self.name()]
            case "if":
                condition, yes = self.condition(), self.statements(depth + 1)
                no = self.statements(depth + 1) if rng.random() < 0.4 else None
                return ["if", condition, yes, no]
            case _:
                return self.calling(kind, depth)

    def calling(self, kind: str, depth: int) -> Tree:
        """What calls something, or repeats, or chooses."""
        rng = self.rng
        match kind:
            case "call":
                callee = self.callee(depth)
                return [
                    "call",
                    callee,
                    *(self.expression(depth + 1) for _ in range(rng.choice((0, 1, 1, 1, 2)))),
                ]
            case "pipe":
                return ["pipe", self.expression(depth + 1), rng.choice(self.callables)]
            case "foreach":
                return ["foreach", rng.choice(self.callables), self.container("s", "list", depth)]
            case "for":
                return self.loop(depth)
        return self.choice(depth)

    def loop(self, depth: int) -> Tree:
        kind = self.rng.choice(("list", "object"))
        item, values = self.fresh("i"), self.container("s" if kind == "list" else "o", kind, depth)
        self.names.append(item)
        action = self.action(depth + 1)
        self.names.remove(item)
        return ["for", item, values, action]

    def choice(self, depth: int) -> Tree:
        rng = self.rng
        order = ["asks"] * rng.choice((1, 2))
        if rng.random() < 0.4:
            order.insert(rng.randrange(2), "denied")
        if rng.random() < 0.6:
            order.append("any")
        arms, named = [], self.names[:]
        for kind in order:
            before = self.names[:]  # what one arm names, another one does not know
            condition = self.condition() if kind == "asks" else [kind]
            arms.append([condition, self.action(depth + 1)])
            named += [name for name in self.names if name not in before]
            self.names = before
        self.names = named
        return ["when", *arms]

    def action(self, depth: int) -> Tree:
        return self.block(depth) if self.rng.random() < 0.4 and depth < 3 else self.expression(depth)

    def block(self, depth: int) -> Tree:
        return ["block", *self.statements(depth)]

    def statements(self, depth: int) -> list[Tree]:
        before = self.names[:]
        made = [self.statement(depth + 1) for _ in range(self.rng.choice((1, 2, 3)))]
        if self.rng.random() < 0.5:
            made.append(["return", self.name() if self.rng.random() < 0.6 else self.expression(depth + 1)])
        kept = [
            name for name in self.names if name not in before and name.startswith("v") and not self.inside
        ]
        self.names = [*before, *kept]
        if len(made) == 1 and made[0][0] == "do":
            made.append(["show", self.name()])  # a value alone in brackets is a list
        return made

    def statement(self, depth: int) -> Tree:
        rng, dice = self.rng, self.rng.random()
        if dice < 0.2:
            keyword = rng.choice(("var", "let")) if depth else "var"
            labels = [rng.choice(LABELS)] if rng.random() < 0.2 else []
            made = [keyword, labels, self.fresh("v" if keyword == "var" else "w"), self.expression(1)]
            self.names.append(made[2])
            return made
        if dice < 0.45:
            return ["show", self.expression(1)]
        if dice < 0.75 and depth < 3:
            condition, yes = self.condition(), self.statements(depth)
            return ["do", ["if", condition, yes, self.statements(depth) if rng.random() < 0.5 else None]]
        if dice < 0.85 and depth < 3:
            return ["do", rng.choice((self.loop, self.choice))(depth + 1)]
        if dice < 0.93 and self.callables:
            return ["do", ["call", rng.choice(self.callables), self.expression(2)]]
        return ["return", self.expression(2)] if depth else ["show", self.expression(1)]


# As text.


def written(case: ScriptCase) -> str:
    """The program as a script."""
    lines = []
    for name, (labels, parameters, body) in case.functions.items():
        lines.append(f"exe {','.join(labels)} @{name}({', '.join(parameters)}) = {_text(body, bare=True)}")
    return "\n".join([*lines, *map(_line, case.statements)]) + "\n"


def _line(node: Tree) -> str:
    kind, *rest = node
    if kind in ("var", "let"):
        labels, name, value = rest
        return f"{kind} {','.join(labels)} @{name} = {_text(value)}"
    if kind == "return":
        return f"=> {_text(rest[0])}"
    return f"show {_text(rest[0])}" if kind == "show" else _text(rest[0], bare=True)


def _block(statements: list[Tree]) -> str:
    return "[\n" + "\n".join(map(_line, statements)) + "\n]"


def _text(node: Tree, *, bare: bool = False) -> str:
    kind, *rest = node
    match kind:
        case "const":
            return f"'{rest[0]}'" if isinstance(rest[0], str) else json.dumps(rest[0])
        case "name" | "function":
            return f"@{rest[0]}"
        case "any" | "denied":
            return {"any": "*"}.get(kind, kind)
        case "list":
            return f"[{', '.join(map(_text, rest))}]"
        case "object":
            return f"{{ {', '.join(f'{key}: {_text(value)}' for key, value in rest)} }}"
        case "text":
            return "`" + "".join(each if isinstance(each, str) else _text(each) for each in rest) + "`"
        case "field":
            return f"({_text(rest[0])}).{rest[1]}"
        case "index":
            return f"({_text(rest[0])})[{_text(rest[1])}]"
        case "op" | "short":
            return f"({_text(rest[1])} {rest[0]} {_text(rest[2])})"
        case "not":
            return f"(!{_text(rest[0])})"
        case "pick":
            return f"({_text(rest[0])} ? {_text(rest[1])} : {_text(rest[2])})"
        case "call":
            return f"{_text(rest[0])}({', '.join(map(_text, rest[1:]))})"
        case "pipe":
            return f"({_text(rest[0])} | {_text(rest[1])})"
        case "new":
            return f"new {_text(rest[0])}({', '.join(map(_text, rest[1:]))})"
        case "foreach":
            made = f"foreach {_text(rest[0])}({_text(rest[1])})"
        case "for":
            made = f"for @{rest[0]} in {_text(rest[1])} => {_text(rest[2])}"
        case "when":
            arms = "\n".join(f"{_text(condition)} => {_text(action)}" for condition, action in rest)
            made = f"when [\n{arms}\n]"
        case "if":
            condition, yes, no = rest
            made = f"if {_text(condition)} {_block(yes)}" + (f" else {_block(no)}" if no else "")
        case _:
            return _block(rest)
    return made if bare else f"({made})"


NODES = (
    "const", "name", "list", "object", "text", "field", "index", "op", "not", "short", "pick", "when", "if", "function", "new",
    "call", "pipe", "foreach", "for", "any", "denied", "block", "var", "let", "show", "return", "do",
)  # fmt: skip
"""Every kind of node that programs are made of."""


def nodes(tree: Tree) -> set[str]:
    """The kinds of the nodes in a piece of a program."""
    if not isinstance(tree, list):
        return set()
    own = {tree[0]} if tree and isinstance(tree[0], str) and tree[0] in NODES else set()
    return own.union(*map(nodes, tree))


# Both sides.

Trace = tuple[str, list[str], list[Any]]


class _Watched(Layers):
    """Layers that note what they are asked."""

    def __init__(self, policies: list[Tree]) -> None:
        super().__init__([document(tree, number) for number, tree in enumerate(policies)], place=PLACE)
        self.asked: list[Any] = []

    def authorize(self, request: Request, labels: Labels) -> Any:
        said = super().authorize(request, labels)
        if "op:log" not in request.leaves:  # that something failed, for the log
            self.asked.append(
                (frozenset(request.leaves), frozenset(labels.names()), isinstance(said, Authorized))
            )
        return said


def production(case: ScriptCase) -> Trace:
    """How production's evaluator runs the text."""
    layers, screen = _Watched(case.policies), io.StringIO()

    def no_file(path: str) -> SourceText:
        raise FileNotFoundError(path)

    reader = ModuleReader(root=Path("/"), open_file=no_file, check=read)
    module = reader.load(read(SourceText(written(case))), path="", folder=Path("/"))
    with Monitor(layers=layers, cwd=Path("/"), screen=lambda: screen, log=io.StringIO) as monitor:
        run = new_run(module, monitor, given={})
        try:
            carry_out(run)
        except FlowError as error:
            ended = "denied" if is_denial(error) else "failed"
        else:
            ended = "done"
    return ended, screen.getvalue().splitlines(), layers.asked


def modelled(case: ScriptCase) -> Trace:
    """How the reference model runs the tree."""
    script = model.Script(case.policies, {"functions": case.functions, "statements": case.statements})
    ended = script.run()
    return ended, "".join(f"{text}\n" for text in script.shown).splitlines(), script.asked


def broken(case: ScriptCase) -> list[str]:
    """What does not hold of a case; empty when all does."""
    both = (case, case.second())
    traces = [production(each) for each in both]
    claims = {
        "the evaluator runs it as the model does": traces == [modelled(each) for each in both],
        "what is seen does not depend on secrets": case.policies != [CLOSED]
        or _seen(traces[0]) == _seen(traces[1]),
    }
    return [name for name, holds in claims.items() if not holds]


def _seen(trace: Trace) -> Any:
    """What somebody sees whom no secret reaches: how it ended, what was shown, and all that was asked without secrets."""
    ended, shown, asked = trace
    return ended, shown, [each for each in asked if "secret" not in each[1]]
