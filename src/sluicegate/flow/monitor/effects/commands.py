"""Running commands and code: opaque, so what comes out has the labels of everything that they could see.

1. Before anything is asked, the labels of the files that the arguments name to be read are joined (``procedure``).
2. Whether the environment may be used, and the credentials, is settled after policy and guards have spoken.
3. What is known to write nothing (``grep``, ``ls``, ``sh -c 'cd src && grep -rn x | head'``) is given nothing to write in the
   sandbox. So nothing has to be looked at after it.
4. The child starts with an environment that is empty but for what is granted: variables of the configuration that
   policy permits, values the program gave, credentials.
5. The result has the labels of the environment, of what went in, and of the credentials. So have the files that were
   changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import PurePath
from typing import Any, TypeVar

from msgspec.structs import replace

from sluicegate.flow import operations as ops
from sluicegate.flow.credentials import check_variable
from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.changes.watched import tells_all
from sluicegate.flow.environments.configuration.attenuation import attenuate
from sluicegate.flow.environments.configuration.config import (
    LOCAL,
    EnvironmentConfig,
    NoNetwork,
    Roots,
    output_labels,
    source_label,
)
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable
from sluicegate.flow.environments.providers.provider import EnvironmentSession
from sluicegate.flow.environments.providers.sandbox import shows
from sluicegate.flow.environments.run.command import Command, Completed, Stage
from sluicegate.flow.environments.use import (
    derived,
    environment,
    environment_async,
    execute,
    execute_async,
)
from sluicegate.flow.errors import CommandError, CredentialError, FlowError
from sluicegate.flow.instructions import own_folders, told
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import shown
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects import using as credentials
from sluicegate.flow.monitor.effects.changes import Before, before, remember, rest
from sluicegate.flow.monitor.effects.entered import ChosenEnvironment
from sluicegate.flow.monitor.effects.entering import decided, providers_of
from sluicegate.flow.monitor.effects.output import Manner, Output
from sluicegate.flow.monitor.effects.reading import only_reads
from sluicegate.flow.monitor.effects.using import Using
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.steps.settle import Failed, OperationFailed, OperationRefused
from sluicegate.flow.operations import Channel, Operation, OperationKind
from sluicegate.flow.policy.request import Request
from sluicegate.flow.values import labels_of, pc
from sluicegate.record.errors import RecordError, SigningError
from sluicegate.record.signatures.verify_variables import NAMES, SIGNATURES

T = TypeVar("T")

_INTERPRETERS: Mapping[str, tuple[str, ...]] = {
    OperationKind.SH: ("sh", "-c"),
    OperationKind.PY: ("python3", "-c"),
    OperationKind.NODE: ("node", "-e"),
    OperationKind.JS: ("node", "-e"),
}

_OBJECTS_MOVED: Mapping[str, str] = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.createObject",
    "GIT_CONFIG_VALUE_0": "rename",
}

_OFFLINE = (
    "sluicegate: a command names a host, and commands have no network here. "
    'env.net = "host" in the project\'s own policy gives it to them; or fetch as an operation of its own.\n'
)


def run_plan(
    parts: Parts, command: ops.CommandDefinition, values: Mapping[str, object], *, stdin: object,
    environment: Mapping[str, object], using: Using, manner: Manner, plan: Plan,
) -> Plan:  # fmt: skip
    """A command with its values; ``plan`` has what is not the command's: word, guards, again."""
    for name in environment:
        try:
            check_variable(name)
        except CredentialError as error:
            raise CommandError(error.message, hint=error.hint) from None
    given = {**environment, **using.values}
    operations = command.operations(values, stdin=stdin, environment=given)
    return _plan(
        parts, operations, using, manner, plan, word=f"cmd:{operations[0].name.removeprefix('cmd:')}"
    )


def code_plan(
    parts: Parts, kind: str, source: object, inputs: Mapping[str, object], *, labels: tuple[str, ...],
    manner: Manner, plan: Plan,
) -> Plan:  # fmt: skip
    """Code for an interpreter. Inputs of shell code are environment variables, those of others JSON on standard input.

    Whoever wrote shell code, policy is asked about every command in it, as it is about ``sh -c`` in a command.
    """
    if kind not in _INTERPRETERS:
        raise CommandError(f"{shown(kind)} is not run here", hint="write sh, py, node or js")
    operation = ops.code(
        kind, source, inputs=inputs, labels=labels, base=parts.start, programs=parts.programs
    )
    return _plan(parts, (operation,), Using(), manner, plan, word=str(operation.kind))


def _plan(
    parts: Parts, operations: tuple[Operation, ...], using: Using, manner: Manner, plan: Plan, *, word: str
) -> Plan:
    config = parts.environment
    source = source_label(config)
    entry = Labels.of(*output_labels(config)) | parts.layers.entry_labels(source)
    here = parts.entered.current()
    if here is not None:
        using = _with_credentials(using, here.chosen.credentials, len(operations))
        entry |= here.held
    entry |= using.labels() | credentials.granted_labels(parts, config)
    for value in using.values.values():
        entry |= labels_of(value)
    return plan._replace(
        operations=operations,
        inputs=inputs_of(operations),
        entry=entry,
        sealed=frozenset((Channel.ENVIRONMENT, name) for name in using.values),
        check=partial(_check, parts, using),
        effect=partial(_run, parts, using, manner),
        word=word,
    )


def _with_credentials(using: Using, names: tuple[str, ...], stages: int) -> Using:
    """What a command is given, with the credentials that its environment gives to each. Raises ``CommandError``."""
    if names and stages > 1:
        raise CommandError(
            "the environment gives a credential to each command, and this pipeline has several",
            hint="run the programs one after another: the output of one is the standard input of the next",
        )
    return replace(using, auth=tuple(dict.fromkeys((*using.auth, *names)))) if names else using


def _check(parts: Parts, using: Using, plan: Plan, requests: tuple[Request, ...]) -> Denial | None:
    """Whether the environment may be used, and the credentials (2). Raises ``FlowError``."""
    chosen = _chosen(parts, plan)
    if isinstance(chosen, Denial):
        return chosen
    found = credentials.lookup(parts, using, chosen.config)
    if isinstance(found, Denial) or not using.values:
        return found if isinstance(found, Denial) else None
    labels = Labels.join_all((pc(), *(labels_of(value) for value in using.values.values())))
    asked = credentials.question(parts, requests, labels)
    answer = parts.layers.authorize(asked.request, asked.labels)
    return answer if isinstance(answer, Denial) else None


def _run(parts: Parts, using: Using, manner: Manner, ready: Ready) -> Procedure[Came]:
    early = ready.early
    chosen = _chosen(parts, ready.plan)
    if isinstance(chosen, Denial):
        raise OperationRefused(chosen, early)
    config = chosen.config
    text = ready.plan.operation.kind is OperationKind.SH
    if tells_all(config) and only_reads(config, ready.requests, shell_text=text):  # 3
        config = _read_only(config)
        rest(parts, ready)
    found = credentials.lookup(parts, using, config)
    if isinstance(found, Denial):
        raise OperationRefused(found, early)
    if (
        isinstance(config.net, NoNetwork)
        and not (early | pc())
        and any(each.hosts for each in ready.requests)
    ):
        parts.say_once(_OFFLINE)
    told_to = yield from _early(partial(_told, parts, config, ready, told()), early)
    command = _command(parts, using, config, ready, early, told_to)
    secrets = yield from _early(lambda: credentials.fetch(parts, found), early)  # 4
    if secrets:
        stages = list(command.stages)
        stages[using.stage] = replace(stages[using.stage], secrets={**stages[using.stage].secrets, **secrets})
        command = replace(command, stages=tuple(stages))
    seen: Before = yield Do(partial(before, parts, config, ready), blocking=True)
    here = parts.entered.current()
    if here is not None:
        here.took_in(ready.taint | ready.plan.entry)
    chosen = replace(chosen, config=config)
    execution = Do(
        partial(_execute, parts, chosen, command),
        blocking=True,
        awaited=partial(_execute_async, parts, chosen, command),
    )
    labels = Labels.of(*output_labels(config)) | parts.layers.entry_labels(source_label(config))
    if here is not None:
        labels |= here.held
    noting = partial(remember, parts, config, seen, ready, labels | ready.plan.entry)
    try:
        completed: Completed = yield from _made(execution, early)
    except Failed:
        raise
    except BaseException:  # cancelled, or its end is not known: it may have written all the same
        with suppress(OSError, FlowError, RecordError):
            noting(links=True)
        raise
    yield Do(partial(noting, links=completed.links), blocking=True)  # 5
    return _came(parts, completed, manner, early, labels | completed.labels)


def _chosen(parts: Parts, plan: Plan) -> ChosenEnvironment | Denial:
    """What the command runs in. A guard may choose it, but not where its paths are seen from."""
    chosen = decided(parts, plan.environments)
    judged = plan.operation.stage is not None or plan.operation.programs is not None
    if judged and not isinstance(chosen, Denial) and parts.start_in(chosen.config) != parts.start:
        return _elsewhere(plan)
    return chosen


def _read_only(config: EnvironmentConfig) -> EnvironmentConfig:
    """The same environment, in which nothing can be written but what is gone with it."""
    roots = config.roots
    return config if roots is None else replace(config, roots=Roots(read=(*roots.read, *roots.write)))


def _elsewhere(plan: Plan) -> Denial:
    return Denial(
        code=Code.ENV_ATTENUATION_DENIED,
        operation=plan.shown,
        blocked_by="Environment",
        rule="cwd: commands start where their paths were judged from",
        reason="A guard asks for an environment in which the paths of the command would mean other files",
        operation_labels=plan.leaves,
        suggestions=("Leave 'cwd' out, and show the folder in which commands start",),
    )


def _told(parts: Parts, config: EnvironmentConfig, ready: Ready, names: tuple[str, ...]) -> dict[str, str]:
    """What a model that runs there is told to verify, in variables. Raises ``FlowError`` where it could not."""
    if not names or parts.instructions is None:
        return {}
    hidden = [str(folder) for folder in own_folders() if not shows(config, str(folder))]
    if ready.plan.model and hidden:
        raise OperationFailed(
            "the model is told to verify its instructions, and the environment does not show it Sluicegate",
            hint=f"let it read {', '.join(hidden)}, or leave out defaults.autoverify",
        )
    try:
        return {NAMES: ",".join(names), SIGNATURES: parts.instructions.carried(names)}
    except SigningError as error:
        raise OperationFailed(error.message, hint=error.hint) from None


def _command(
    parts: Parts,
    using: Using,
    config: EnvironmentConfig,
    ready: Ready,
    early: Labels,
    told_to: dict[str, str],
) -> Command:
    """The command as the environment takes it, without credentials."""
    contents = ready.contents(Channel.ENVIRONMENT)
    values = credentials.values_of({name: contents[name] for name in using.values})
    variables = {name: _text(value) for name, value in contents.items() if name not in using.values}
    variables.update(told_to)
    if ready.filled:
        stages = [
            Stage(
                argv=each.argv,
                executable=each.program.real,
                cwd=_cwd(parts, config),
                vars=_for_git(config, each.program.real, variables),
            )
            for each in ready.filled
        ]
        stdin = (
            ready.content(Channel.STDIN, "stdin") if (Channel.STDIN, "stdin") in ready.plan.inputs else None
        )
    else:
        stages, stdin = _code(parts, config, ready, variables, early)
    secrets = credentials.seal(parts, values)
    stages[using.stage] = replace(stages[using.stage], secrets=secrets)
    return Command(stages=tuple(stages), stdin=None if stdin is None else _bytes(stdin))


def _for_git(config: EnvironmentConfig, program: str, variables: dict[str, str]) -> dict[str, str]:
    """The variables of a program; in the sandbox git is asked to move its objects into place, unless its settings are given.

    By itself it makes a hard link and removes the other name, in a folder that is often new. After that the time of every file
    has to be looked at (``changes.watched``, 4).
    """
    given = _OBJECTS_MOVED.keys() & (variables.keys() | config.vars)
    if not tells_all(config) or PurePath(program).name != "git" or given:
        return variables
    return {**_OBJECTS_MOVED, **variables}


def _code(
    parts: Parts, config: EnvironmentConfig, ready: Ready, variables: dict[str, str], early: Labels
) -> tuple[list[Stage], object]:
    """The interpreter with its code, and the inputs that go beside it."""
    operation = ready.plan.operation
    first, option = _INTERPRETERS[operation.kind]
    source = ready.content(Channel.BODY, "code")
    if not isinstance(source, str):
        raise OperationFailed("code is text")
    try:
        program = parts.programs.find(first, cwd=str(parts.cwd))
    except FlowError as error:
        raise Failed(error, early) from None
    stdin = None
    if operation.kind is not OperationKind.SH:
        stdin = json.dumps(ready.contents(Channel.ARGUMENT))
    stage = Stage(
        argv=(first, option, source), executable=program.real, cwd=_cwd(parts, config), vars=variables
    )
    return [stage], stdin


def _cwd(parts: Parts, config: EnvironmentConfig) -> str:
    """Where the command starts: locally, where paths are seen from; elsewhere the configuration says it."""
    return str(parts.cwd) if config.provider == LOCAL else ""


def _early(action: Callable[[], T], early: Labels) -> Procedure[T]:
    """Something that touches no content of the program; its error tells of none (``settle``, 3)."""
    failed: FlowError
    try:
        given: T = yield Do(action, blocking=True)
    except FlowError as error:
        failed = error
    else:
        return given
    raise Failed(failed, early)


def _made(step: Do, early: Labels) -> Procedure[Completed]:
    """The command, run. That its environment cannot be made tells of no content (``settle``, 3)."""
    failed: FlowError
    try:
        completed: Completed = yield step
    except (EnvironmentConfigError, ProviderUnavailable) as error:
        failed = error
    else:
        return completed
    raise Failed(failed, early)


def _execute(parts: Parts, chosen: ChosenEnvironment, command: Command) -> Completed:
    with ExitStack() as stack:
        session = _session(parts, chosen, stack)
        if session is None:
            session = stack.enter_context(environment(_own(chosen), providers_of(parts, chosen)))
        return execute(session, command)


async def _execute_async(parts: Parts, chosen: ChosenEnvironment, command: Command) -> Completed:
    with ExitStack() as stack:
        session = _session(parts, chosen, stack)
        if session is not None:
            return await execute_async(session, command)
        async with environment_async(_own(chosen), providers_of(parts, chosen)) as session:
            return await execute_async(session, command)


def _own(chosen: ChosenEnvironment) -> EnvironmentConfig:
    """One for this command alone, unless it is kept: then others find it by its name."""
    return chosen.config if chosen.keeps else replace(chosen.config, names=())


def _session(parts: Parts, chosen: ChosenEnvironment, stack: ExitStack) -> EnvironmentSession | None:
    """The session that the running code stands in, as narrow as the command has it; None where it runs in another."""
    here = parts.entered.current()
    if here is None or here.chosen.provider is not chosen.provider:
        return None
    config = replace(chosen.config, names=())
    if here.session.config == config:
        return here.session
    if isinstance(attenuate(here.session.config, config), Denial):  # another one, which a guard asks for
        return None
    return stack.enter_context(derived(here.session, config))


def _came(parts: Parts, completed: Completed, manner: Manner, early: Labels, labels: Labels) -> Came:
    """What came of it. How it ended tells of all that came out. Raises ``Failed`` with ``check``."""
    failed: FlowError
    try:
        return Came(_output(parts, completed, manner), labels)
    except OperationFailed as error:
        if completed.labels <= early:
            raise
        failed = error
    raise Failed(failed, labels | pc())


def _output(parts: Parts, completed: Completed, manner: Manner) -> Output:
    """What comes out, without registered values. Raises ``OperationFailed`` with ``check``."""
    stdout, stderr = parts.scrubber.bytes(completed.stdout), parts.scrubber.bytes(completed.stderr)
    found = Output(
        stdout=stdout if manner.binary else stdout.decode("utf-8", "replace"),
        stderr=stderr if manner.binary else stderr.decode("utf-8", "replace"),
        code=completed.codes[-1] if completed.codes else 0,
        codes=completed.codes,
        killed=str(completed.killed_for) if completed.killed_for is not None else "",
        complete=not (completed.stdout_truncated or completed.stderr_truncated),
    )
    if manner.check and not found.ok:
        why = f"ended by its limit of {found.killed}" if found.killed else f"exit code {found.code}"
        raise OperationFailed(
            f"the command did not end well: {why}", hint="see its stderr: run it without check"
        )
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _bytes(value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    return json.dumps(value, ensure_ascii=False).encode()
