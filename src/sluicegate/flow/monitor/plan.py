"""One operation on its way through the monitor: what goes in, what is asked, what would be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from sluicegate.flow.denial import Denial
from sluicegate.flow.guards import Bypass, OperationView
from sluicegate.flow.labels import EMPTY, NO_TRAIL, Labels, Trail, coming_from, covers, events_of, head
from sluicegate.flow.monitor.drive import Procedure
from sluicegate.flow.monitor.opening import carries, content, unseal
from sluicegate.flow.operations import Channel, Filled, Operation, OperationKind, fill, sketch, to_requests
from sluicegate.flow.policy.request import Request
from sluicegate.flow.values import Labeled, combine, labels_of, pc
from sluicegate.tuples import NamedTuple

Key = tuple[Channel, str]
_LASTING = frozenset(
    {
        OperationKind.SHOW,
        OperationKind.LOG,
        OperationKind.STREAM,
        OperationKind.READ,
        OperationKind.CALL,
        OperationKind.RETURN,
        OperationKind.SIGN,
    }
)
CODE = frozenset(
    {OperationKind.SH, OperationKind.NODE, OperationKind.JS, OperationKind.PY, OperationKind.PROSE}
)
"""Kinds whose body is code; what it names is looked at before it runs."""

_NOTHING: Mapping[Key, object] = MappingProxyType({})
_RISKS = frozenset({"exfil", "destructive", "privileged"})


class Came(NamedTuple):
    """What an effect gave: its content, and the labels it has besides those of what went in.

    ``event`` is the event that tells of it, where another than the permission does.
    """

    content: object
    labels: Labels = EMPTY
    event: str = ""


class Asked(NamedTuple):
    """One question for policy: may values with these labels flow into this?"""

    request: Request
    labels: Labels


class Ready(NamedTuple):
    """An operation that is permitted, as it will happen: its argument vectors, and what policy was asked.

    ``taint`` is everything that goes in. ``early`` is what an error tells of that comes before any content was touched.
    ``event`` is the permission's, where it is recorded.
    """

    plan: Plan
    filled: tuple[Filled, ...]
    requests: tuple[Request, ...]
    taint: Labels
    early: Labels
    event: str = ""

    def content(self, channel: Channel, name: str) -> Any:
        """The content of one input. Raises ``LabeledFailure`` if it failed."""
        return content(self.plan.inputs[channel, name], self.taint)

    def contents(self, channel: Channel) -> dict[str, Any]:
        """The contents of all inputs of a channel, by name."""
        return {name: self.content(way, name) for way, name in self.plan.inputs if way is channel}

    def paths(self, mode: str) -> tuple[str, ...]:
        """The real paths that the operation reads (``r``) or writes (``w``), as far as they are known."""
        found = (path for request in self.requests for way, path in request.paths if way == mode and path)
        return tuple(dict.fromkeys(found))


Effect = Callable[[Ready], Procedure[Came]]
Check = Callable[["Plan", tuple[Request, ...]], Denial | None]
Again = Callable[[object, dict[str, object]], Mapping[str, object] | None]


def no_effect(ready: Ready) -> Procedure[Came]:
    """Nothing: the operation is its decision."""
    yield from ()
    return Came(None)


class Plan(NamedTuple):
    """An operation (of a pipeline: its stages, in order) and what surrounds it.

    ``inputs`` are the values that go in, by channel and name. ``beside`` are labels of what the effect can see
    besides them: what a function captured, files that a command names, credentials. ``entry`` are the labels that
    results get for where they come from; in a pipeline every stage's output has them. ``sealed`` are inputs that
    travel as credentials do. ``asks_always`` is what policy is asked where that does not depend on values.
    ``check`` is what else has to be permitted (the environment, credentials). ``seen`` is what guards decided by,
    ``added`` and ``environments`` what they gave. ``within`` are the labels of the operations around it, which
    policy is asked about as well. ``events`` are those that it follows from besides those of its inputs: what
    was captured, the files that a command names, the operation whose body it stands in. ``word`` is for the
    trail, ``tool`` the name under which the call is counted, ``known`` are the inputs that the user or a trusted
    source has said, in a session. ``approved`` are the rules over which a person has approved it
    (``session.approvals``). ``again`` asks for other inputs, ``repeatable`` says that doing it once more does
    no harm. ``quiet``: a refusal is neither raised nor told.
    """

    operations: tuple[Operation, ...]
    effect: Effect = no_effect
    inputs: Mapping[Key, object] = _NOTHING
    word: str = ""
    tool: str = ""
    function: str = ""
    var: str = ""
    beside: Labels = EMPTY
    entry: Labels = EMPTY
    seen: Labels = EMPTY
    sealed: frozenset[Key] = frozenset()
    added: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    environments: tuple[object, ...] = ()
    bypass: Bypass | None = None
    asks_always: Request | None = None
    check: Check | None = None
    again: Again | None = None
    repeatable: bool = False
    known: frozenset[str] | None = None
    approved: frozenset[str] = frozenset()
    quiet: bool = False

    @property
    def ruled(self) -> str:
        """The name by which policy rules its arguments: that of a tool or a function, or the kind."""
        first = self.operations[0]
        return first.name if first.kind in (OperationKind.MCP, OperationKind.CALL) else str(first.kind)

    @property
    def operation(self) -> Operation:
        """The operation; of a pipeline the last stage."""
        return self.operations[-1]

    @property
    def leaves(self) -> tuple[str, ...]:
        """The labels of all that is done."""
        if len(self.operations) == 1 and not self.added:
            return self.operations[0].leaves
        own = (leaf for each in self.operations for leaf in each.leaves)
        return tuple(dict.fromkeys((*own, *self.added)))

    @property
    def shown(self) -> str:
        """The operation in one line, without values.

        What an operation's author writes into it is shown; but inside a branch, and in the body of an operation, a
        plain value may be part of a labelled one.
        """
        around = pc()
        if not around:
            return " | ".join([each.describe() for each in self.operations])
        return " | ".join([_hidden(each, around).describe() for each in self.operations])

    @property
    def also(self) -> tuple[str, ...]:
        """Labels that every part of the operation is asked about with, besides its own."""
        return (*self.added, *self.within) if self.within else self.added

    @property
    def model(self) -> bool:
        """Whether a model makes the result."""
        return _is_model(self.leaves)

    @property
    def lasting(self) -> bool:
        """Whether what it does outlives this process, so that its event has to as well."""
        return _is_lasting(self.operations[0].kind, (*self.leaves, *self.within))

    @property
    def trail(self) -> Trail:
        """What the values went through, and this operation."""
        found = self._trail_so_far()
        return found.add(self.word) if self.word else found

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of the events that this operation follows from."""
        return events_of(self._trail_so_far())

    def _trail_so_far(self) -> Trail:
        found = NO_TRAIL
        for value in self.inputs.values():
            if isinstance(value, Labeled):
                if value.trail is not NO_TRAIL:
                    found |= value.trail
            elif carries(value):
                found |= Labeled(value).trail
        return coming_from(found, *events_of(found), *self.events) if self.events else found

    def labels(self) -> Labels:
        """Everything that goes in: the inputs, what is seen besides, and the branches."""
        found = pc() | self.beside | self.seen
        for value in self.inputs.values():
            found |= value.labels if isinstance(value, Labeled) else labels_of(value)
        return found

    def shaping(self) -> Labels:
        """The labels of the inputs whose content is looked at to decide: arguments of commands, code, paths, hosts.

        A refusal tells of these, besides of the branches. The labels of all other inputs take part in the
        decision, and their contents do not.
        """
        found = EMPTY
        if self.asks_always is not None:
            return found
        for each in self.operations:
            names = {target.argument for target in each.targets}
            channel = (
                Channel.ARGUMENT if each.stage is not None else Channel.BODY if each.kind in CODE else None
            )
            for argument in each.arguments:
                code = argument.channel is Channel.STDIN and each.stage is not None and each.stage.fed
                if argument.name in names or argument.channel is channel or code:
                    found |= labels_of(self.inputs[argument.channel, argument.name])
        return found

    def with_inputs(self, inputs: Mapping[Key, object]) -> Plan:
        """The same with other values in place of its own."""
        every = {**self.inputs, **inputs}
        operations = tuple(
            each._replace(
                arguments=tuple(
                    argument._replace(value=every[argument.channel, argument.name])
                    for argument in each.arguments
                )
            )
            for each in self.operations
        )
        return self._replace(inputs=every, operations=operations)

    def fill(self) -> tuple[Filled, ...]:
        """The argument vectors of a command, with its values. Raises ``CommandError``, ``LabeledFailure``."""
        return tuple(fill(each, unseal) for each in self.operations if each.stage is not None)

    def asks(self, filled: tuple[Filled, ...]) -> tuple[Asked, ...]:
        """What policy is asked, every one of which it has to permit. Raises ``CommandError``.

        Into a stage of a pipeline flows what goes into it, and what comes out of the stage before.
        """
        if self.asks_always is not None and not self.also:
            return (Asked(self.asks_always, self.labels()),)
        return self._ask(
            lambda place, each: to_requests(each, filled=filled[place] if filled else None, reveal=unseal)
        )

    def sketches(self) -> tuple[Asked, ...]:
        """The same before any content is known, where what the operation is labelled does not depend on contents.

        What policy refuses here by labels, it refuses whatever the contents are. Raises ``CommandError``.
        """
        fixed = all(
            each.stage is None
            or not (each.stage.options or any(effect.open_words for effect in each.stage.effects))
            for each in self.operations
        )
        return self._ask(lambda _, each: sketch(each)) if fixed else ()

    def _ask(self, requests: Callable[[int, Operation], tuple[Request, ...]]) -> tuple[Asked, ...]:
        found: list[Asked] = []
        around = pc() | self.beside | self.seen
        before = EMPTY
        for place, each in enumerate(self.operations):
            labels = around | before
            for argument in each.arguments:
                key = (argument.channel, argument.name)
                if key not in self.sealed:
                    labels |= labels_of(self.inputs[key])
            for request in requests(place, each):
                found.append(Asked(_with(request, self.also), labels))
            before = labels | self.entry
        return tuple(found)

    def view(self, labels: tuple[str, ...]) -> OperationView:
        """The operation as guards see it; ``labels`` are all that it has, risks included."""
        first = self.operations[0]
        command = first.stage is not None
        values = self.values()
        return OperationView(
            kind=str(first.kind),
            name=first.name,
            labels=labels,
            shown=self.shown,
            function=self.function,
            command=self._spelled(values) if command else None,
            arguments=values,
            spell=self._spelled if command else None,
        )

    def values(self) -> tuple[Labeled[Any], ...]:
        """The inputs as labelled values, in their order."""
        return tuple(
            value if isinstance(value, Labeled) else Labeled(value) for value in self.inputs.values()
        )

    def _spelled(self, values: tuple[Labeled[object], ...]) -> Labeled[str]:
        """The command as one text, labelled by what fills it."""
        from shlex import join

        plan = self.with_inputs(dict(zip(self.inputs, values, strict=False)))

        def spell(*_: object) -> str:
            return " | ".join(join(each.argv) for each in plan.fill())

        return combine(spell, *(value for (way, _), value in plan.inputs.items() if way is Channel.ARGUMENT))


@lru_cache(maxsize=4096)
def _is_model(leaves: tuple[str, ...]) -> bool:
    return any(covers("llm", leaf) for leaf in leaves)


@lru_cache(maxsize=4096)
def _is_lasting(kind: OperationKind, leaves: tuple[str, ...]) -> bool:
    return kind not in _LASTING or any(head(leaf) in _RISKS for leaf in leaves)


def _hidden(operation: Operation, around: Labels) -> Operation:
    """The operation with labels in place of all of its values."""
    arguments = tuple([each._replace(value=labels_of(each.value) | around) for each in operation.arguments])
    return operation._replace(arguments=arguments)


def _with(request: Request, added: tuple[str, ...]) -> Request:
    """The request with labels that guards gave to the operation, and those of the operations around it."""
    if not added:
        return request
    return request.labelled(*added)


def inputs_of(operations: tuple[Operation, ...]) -> dict[Key, object]:
    """All values that go into operations, each once."""
    return {
        (argument.channel, argument.name): argument.value
        for each in operations
        for argument in each.arguments
    }
