"""Making operations: a command from its template, and one function for each other kind.

What a kind is labelled is decided here and nowhere else:

- a command by its program and subcommand (``op:cmd:git:push``), and by every command that it starts;
- what writes a file by its own name and as ``op:output:file``, so that denying output to files covers it; to append is to
  write as well (``op:write:append``), so that denying what is written covers it;
- what a person sees: ``show``; output to a standard stream and the result of a whole program are shown as
  well;
- a Python function by what its author declared; by ``op:call:NAME`` if that is nothing, so that a rule can
  speak of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.operations import leaves
from sluicegate.flow.operations.commands import variables
from sluicegate.flow.operations.commands.command import CommandStage, Filled, define
from sluicegate.flow.operations.commands.command import fill as fill_stage
from sluicegate.flow.operations.commands.programs import Programs
from sluicegate.flow.operations.commands.template import CommandTemplate, parse
from sluicegate.flow.operations.operation import Argument, Channel, Operation, OperationKind, Reveal, Target
from sluicegate.tuples import NamedTuple

WRITE_LEAVES: Final = ("op:write", "op:output:file")
APPEND_LEAVES: Final = ("op:append", "op:write:append", "op:output:file")
_STREAMS: Final = frozenset({"stdout", "stderr"})
_NO_VALUES: Final[Mapping[str, object]] = {}


class CommandDefinition(NamedTuple):
    """A command, defined: read once, to be filled with values as often as it runs."""

    template: CommandTemplate
    stages: tuple[CommandStage, ...]
    labels: tuple[str, ...]
    heads: tuple[tuple[str, tuple[str, ...]], ...]

    def operations(
        self,
        values: Mapping[str, object] = _NO_VALUES,
        *,
        stdin: object = None,
        environment: Mapping[str, object] = _NO_VALUES,
    ) -> tuple[Operation, ...]:
        """The operations of the command, one for each stage; ``stdin`` goes into the first.

        Nothing is revealed here. Raises CommandError if the values are not those that the template has holes
        for, or if an environment variable would decide what runs.
        """
        if values.keys() != set(self.template.holes):
            raise self._other(values)
        extra = tuple(Argument(name, value, Channel.ENVIRONMENT) for name, value in environment.items())
        for name in environment:
            check_variable(name)
        found: list[Operation] = []
        for stage, (name, labels) in zip(self.stages, self.heads, strict=True):
            arguments = tuple([Argument(hole, values[hole], Channel.ARGUMENT) for hole in stage.holes])
            if stdin is not None and not found:
                arguments += (Argument("stdin", stdin, Channel.STDIN),)
            found.append(
                Operation(
                    OperationKind.CMD,
                    name,
                    labels,
                    arguments + extra,
                    (),
                    stage,
                    self.labels,
                    stage.cwd,
                    self.template.text,
                )
            )
        return tuple(found)

    def _other(self, values: Mapping[str, object]) -> CommandError:
        holes = set(self.template.holes)
        missing, more = sorted(holes - values.keys()), sorted(values.keys() - holes)
        what = (
            f"no value for the hole {shown(missing[0])}"
            if missing
            else f"no hole {shown(more[0])} for a value"
        )
        known = ", ".join(sorted(holes)) or "none"
        return CommandError(
            f"the command {shown(self.template.text)} has {what}", hint=f"its holes are: {known}"
        )


def command(text: str, *, programs: Programs, cwd: str, labels: tuple[str, ...] = ()) -> CommandDefinition:
    """Define a command from its template; ``labels`` are those that its author declares (``net:w``,
    ``destructive``).

    Raises CommandError for what is not a command or could be made another one by a value, LabelError for the
    labels.
    """
    template = parse(text)
    stages = define(template, programs=programs, cwd=cwd)
    given = leaves.declared(labels)
    heads = []
    for stage in stages:
        found = dict.fromkeys(leaf for effect in stage.effects for leaf in effect.leaves)
        heads.append((next(iter(found)).removeprefix("op:"), (*found, *given)))
    return CommandDefinition(template, stages, given, tuple(heads))


def fill(operation: Operation, reveal: Reveal) -> Filled:
    """The argument vector of a command's operation. Raises CommandError; no message quotes a value."""
    if operation.stage is None:
        raise CommandError(f"{operation.name} is not a command", hint="only commands are filled")
    contents = {
        each.name: reveal(each.value) for each in operation.arguments if each.channel is Channel.ARGUMENT
    }
    return fill_stage(operation.stage, contents)


def check_variable(name: str) -> None:
    """Refuse a name that is not an environment variable, or that decides what runs. Raises CommandError."""
    if not name or "=" in name or "\0" in name or not name.isprintable():
        raise CommandError(
            f"{shown(name)} is not a name of an environment variable", hint="write letters, digits and _"
        )
    variables.check(name)


def code(
    kind: OperationKind | str,
    source: object,
    *,
    inputs: Mapping[str, object] = _NO_VALUES,
    labels: tuple[str, ...] = (),
    base: str = "/",
    programs: Programs | None = None,
) -> Operation:
    """Code for an interpreter: kind ``sh``, ``node``, ``js``, ``py`` or ``prose``. Inputs go beside it,
    never into it. With ``programs``, shell code is read when it is known, and policy is asked about every command in
    it (``shell_text``).
    """
    kind = OperationKind(kind)
    if kind not in (
        OperationKind.SH,
        OperationKind.NODE,
        OperationKind.JS,
        OperationKind.PY,
        OperationKind.PROSE,
    ):
        raise CommandError(f"{kind} is not a language", hint="write sh, node, js, py or prose")
    channel = Channel.ENVIRONMENT if kind is OperationKind.SH else Channel.ARGUMENT
    for name in inputs if kind is OperationKind.SH else ():
        check_variable(name)
    arguments = (
        Argument("code", source, Channel.BODY),
        *(Argument(name, value, channel) for name, value in inputs.items()),
    )
    found = _operation(kind, "", (leaves.leaf(kind),), arguments, labels=labels, base=base)
    return found._replace(programs=programs) if kind is OperationKind.SH else found


def show(value: object, *, labels: tuple[str, ...] = ()) -> Operation:
    """Show a value to a person."""
    return _operation(
        OperationKind.SHOW, "", ("op:show",), (Argument("value", value, Channel.BODY),), labels=labels
    )


def log(value: object, *, labels: tuple[str, ...] = ()) -> Operation:
    """Write a value to the log."""
    return _operation(
        OperationKind.LOG, "", ("op:log",), (Argument("value", value, Channel.BODY),), labels=labels
    )


def stream(value: object, *, labels: tuple[str, ...] = ()) -> Operation:
    """Pass a value on piece by piece, as it is made."""
    return _operation(
        OperationKind.STREAM, "", ("op:stream",), (Argument("value", value, Channel.BODY),), labels=labels
    )


def output(value: object, target: object, *, base: str = "/", labels: tuple[str, ...] = ()) -> Operation:
    """Write a value to a file, or to ``stdout`` or ``stderr``, which a person sees."""
    body = Argument("value", value, Channel.BODY)
    if isinstance(target, str) and target in _STREAMS:
        return _operation(
            OperationKind.OUTPUT, target, (leaves.leaf("output", target), "op:show"), (body,), labels=labels
        )
    return _file(
        OperationKind.OUTPUT, ("op:output:file",), target, (body,), mode="w", base=base, labels=labels
    )


def append(value: object, path: object, *, base: str = "/", labels: tuple[str, ...] = ()) -> Operation:
    """Write a value to the end of a file."""
    body = Argument("value", value, Channel.BODY)
    return _file(OperationKind.APPEND, APPEND_LEAVES, path, (body,), mode="w", base=base, labels=labels)


def write(value: object, path: object, *, base: str = "/", labels: tuple[str, ...] = ()) -> Operation:
    """Make a value the content of a file."""
    body = Argument("value", value, Channel.BODY)
    return _file(OperationKind.WRITE, WRITE_LEAVES, path, (body,), mode="w", base=base, labels=labels)


def read(path: object, *, base: str = "/", labels: tuple[str, ...] = ()) -> Operation:
    """Read a file."""
    return _file(OperationKind.READ, ("op:read",), path, (), mode="r", base=base, labels=labels)


def fetch(
    url: object,
    *,
    method: str = "GET",
    headers: Mapping[str, object] = _NO_VALUES,
    body: object = None,
    labels: tuple[str, ...] = (),
) -> Operation:
    """Fetch an address, or send to it."""
    arguments = [Argument("url", url, Channel.NAME)]
    arguments += (Argument(name, value, Channel.ARGUMENT) for name, value in headers.items())
    if body is not None:
        arguments.append(Argument("body", body, Channel.BODY))
    name = method.upper()
    return _operation(
        OperationKind.FETCH,
        name,
        (leaves.leaf("fetch", name.lower()),),
        tuple(arguments),
        (Target("url", "url"),),
        labels=labels,
    )


def mcp(
    server: str, tool: str, arguments: Mapping[str, object] = _NO_VALUES, *, labels: tuple[str, ...] = ()
) -> Operation:
    """Call a tool of an MCP server."""
    given = tuple([Argument(name, value, Channel.ARGUMENT) for name, value in arguments.items()])
    return _operation(
        OperationKind.MCP, f"{server}:{tool}", (leaves.leaf("mcp", server, tool),), given, labels=labels
    )


def call(
    name: str, arguments: Mapping[str, object] = _NO_VALUES, *, labels: tuple[str, ...] = ()
) -> Operation:
    """Call a Python function. What it does inside are operations of their own."""
    given = tuple(Argument(key, value, Channel.ARGUMENT) for key, value in arguments.items())
    return _operation(
        OperationKind.CALL, name, () if labels else (leaves.leaf("call", name),), given, labels=labels
    )


def return_(value: object, *, shown: bool = False, labels: tuple[str, ...] = ()) -> Operation:
    """Give a value back to whoever started the program; ``shown`` if a person sees it."""
    found = ("op:return", "op:show", "op:output:stdout") if shown else ("op:return",)
    return _operation(
        OperationKind.RETURN, "", found, (Argument("value", value, Channel.BODY),), labels=labels
    )


def sign(name: str, value: object, *, labels: tuple[str, ...] = ()) -> Operation:
    """Sign a value under a name."""
    return _operation(
        OperationKind.SIGN,
        name,
        (leaves.leaf("sign", name),),
        (Argument("value", value, Channel.BODY),),
        labels=labels,
    )


def install(
    name: str, source: object, path: object, *, base: str = "/", labels: tuple[str, ...] = ()
) -> Operation:
    """Put a skill in place. Always ``privileged``."""
    given = (Argument("source", source, Channel.NAME),)
    return _file(
        OperationKind.INSTALL,
        (leaves.leaf("install", name), "privileged"),
        path,
        given,
        mode="w",
        base=base,
        labels=labels,
    )._replace(name=name)


def _file(
    kind: OperationKind,
    found: tuple[str, ...],
    path: object,
    more: tuple[Argument, ...],
    *,
    mode: str,
    base: str,
    labels: tuple[str, ...],
) -> Operation:
    arguments = (Argument("path", path, Channel.NAME), *more)
    return _operation(kind, "", found, arguments, (Target(mode, "path"),), labels=labels, base=base)


def _operation(
    kind: OperationKind,
    name: str,
    found: tuple[str, ...],
    arguments: tuple[Argument, ...],
    targets: tuple[Target, ...] = (),
    *,
    labels: tuple[str, ...] = (),
    base: str = "/",
) -> Operation:
    given = leaves.declared(labels) if labels else ()
    return Operation(
        kind, name, tuple(dict.fromkeys((*found, *given))), arguments, targets, None, given, base
    )
