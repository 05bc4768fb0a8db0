"""Providers that are modules of scripts: ``@create``, ``@execute``, ``@release``, and perhaps ``@snapshot``.

1. Each of these is a function of the script: a call of it is an operation, and so is all that it does. It runs in the environment
   around the one that it provides, and has no more than that has.
2. What is handed to it has the labels of what went into the command. Credentials are values with the label ``secret``: it can give them
   on (``using @command.secrets.NAME as NAME``), and cannot show them.
3. What it gives back has its labels, and so have the output and the end of the command. A result that is none is a command that
   failed.
4. ``@release`` runs however the block ends, also where nothing is left of the script's budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import (
    AllowedHosts,
    EnvironmentConfig,
    Roots,
)
from sluicegate.flow.environments.providers.provider import Capabilities, EnvironmentSession
from sluicegate.flow.environments.run.command import Command, Completed, Stage
from sluicegate.flow.errors import EnvironmentFailure
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled, LabeledFailure, asked, branch
from sluicegate.script.evaluate.callables import Function
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import calls
from sluicegate.script.evaluate.scope import Value

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run

NEEDED: Final = ("create", "execute", "release")
_SNAPSHOT: Final = "snapshot"
_SECRET: Final = Labels.of("secret")
_CORE: Final = frozenset({"provider", "auth", "taint", "tools", "mcps"})
_FAILED: Final = 125
"""The exit code of a command of which a provider gives no result."""


class ProviderModule:
    """A module that is a provider. ``name`` is what labels and policy call it."""

    __slots__ = ("module", "name")

    def __init__(self, name: str, module: Run) -> None:
        self.name, self.module = name, module

    def provider(self, run: Run, said: Mapping[str, Any]) -> ScriptProvider:
        """The provider, for an environment that says so. The module is carried out first. Raises ScriptError."""
        from sluicegate.script.evaluate.program import ready

        labels = ready(self.module)
        functions: dict[str, Function] = {}
        for each in (*NEEDED, _SNAPSHOT):
            found = self.module.functions.get(each, ())
            if found and each in self.module.exported:
                functions[each] = found[0]
        missing = [f"@{each}" for each in NEEDED if each not in functions]
        if missing:
            raise ScriptError("not-exported", f"a provider exports {', '.join(f'@{each}' for each in NEEDED)}",
                              hint=f"This module does not export {', '.join(missing)}.")  # fmt: skip
        kind = SnapshottingScriptProvider if _SNAPSHOT in functions else ScriptProvider
        return kind(run, self.name, functions, said, labels)


class ScriptProvider:
    """One environment's provider, written in the language."""

    def __init__(
        self, run: Run, name: str, functions: Mapping[str, Function], said: Mapping[str, Any], labels: Labels
    ) -> None:
        """``labels`` are those of all that the module defines."""
        self.name, self._run, self._functions, self._said = name, run, functions, said
        self._labels = labels
        self._handles: dict[str, Value] = {}

    @property
    def capabilities(self) -> Capabilities:
        """What it can do. What it runs is confined by the environment around it, and by nothing that it says."""
        return Capabilities(isolates=False, snapshots=_SNAPSHOT in self._functions)

    def create(self, config: EnvironmentConfig) -> EnvironmentSession:
        """``@create(opts)``"""
        value = self._call("create", Labeled(_options(config, self._said)))
        content = _content(value)
        name = content.get("envName") if isinstance(content, dict) else None
        if not isinstance(name, str) or not name:
            raise EnvironmentFailure(
                "the provider made no environment", hint="@create gives { envName, created }"
            )
        handle: Value = Labeled(name, value.labels)
        self._labels |= value.labels
        self._handles[name] = handle
        return EnvironmentSession(provider=self, id=name, config=config, labels=self._labels)

    def derive(self, session: EnvironmentSession, config: EnvironmentConfig) -> EnvironmentSession:
        """The same, of which the monitor grants less."""
        return replace(session, config=config, created=False)

    def execute(
        self, session: EnvironmentSession, command: Command, *, cancel: int | None = None
    ) -> Completed:
        """``@execute(envName, command)``, for one stage after another."""
        given, codes, errors = command.stdin, [], bytearray()
        labels = self._labels
        for stage in command.stages:
            value = self._call("execute", self._handles[session.id], _command(session, stage, given, labels))
            labels |= value.labels
            done = _result(value)
            given = done.stdout
            codes.append(done.codes[0])
            errors += done.stderr
        return Completed(stdout=given or b"", stderr=bytes(errors), codes=tuple(codes), labels=labels)

    def release(self, session: EnvironmentSession) -> None:
        """``@release(envName)``, once."""
        handle = self._handles.pop(session.id, None)
        if handle is not None:
            with self._run.budget.at_the_end():  # 4
                self._call("release", handle)

    def _call(self, name: str, *given: Value) -> Value:
        """A call of one of its functions (1)."""
        with self._run.monitor.parts.entered.serving(self):
            return calls.call(self._run, Labeled(self._functions[name]), given)


class SnapshottingScriptProvider(ScriptProvider):
    """One that takes snapshots."""

    def snapshot(self, session: EnvironmentSession, name: str) -> str:
        """``@snapshot(envName, name)``"""
        value = self._call(_SNAPSHOT, self._handles[session.id], Labeled(name))
        self._labels |= value.labels
        content = _content(value)
        if not isinstance(content, str) or not content:
            raise EnvironmentFailure(
                "the provider took no snapshot", hint="@snapshot gives a reference, a text"
            )
        return content


def _content(value: Value) -> Any:
    """What a function gave, inside of a branch on it. Raises LabeledFailure."""
    with branch(value.labels):
        return asked(value)


def _result(value: Value) -> Completed:
    """What ``@execute`` gave (3)."""
    with branch(value.labels):
        try:
            content = asked(value)
        except LabeledFailure:
            content = None
    if not isinstance(content, dict):
        return Completed(stdout=b"", stderr=b"", codes=(_FAILED,))
    out, errors, code = content.get("stdout", ""), content.get("stderr", ""), content.get("exitCode", 0)
    if not (isinstance(out, str) and isinstance(errors, str) and type(code) is int and 0 <= code <= 255):
        return Completed(stdout=b"", stderr=b"", codes=(_FAILED,))
    return Completed(
        stdout=out.encode("utf-8", "surrogateescape"),
        stderr=errors.encode("utf-8", "surrogateescape"),
        codes=(code,),
    )


def _command(session: EnvironmentSession, stage: Stage, stdin: bytes | None, labels: Labels) -> Value:
    """``{ argv, cwd, vars, secrets, stdin }`` (2)"""
    made: dict[str, object] = {
        "argv": list(stage.argv),
        "cwd": stage.cwd or session.config.cwd,
        "vars": dict(stage.vars),
        "secrets": {
            name: Labeled(secret.decode("utf-8", "surrogateescape"), _SECRET)
            for name, secret in stage.secrets.items()
        },
        "stdin": None if stdin is None else stdin.decode("utf-8", "surrogateescape"),
    }
    return Labeled(made, labels)


def _options(config: EnvironmentConfig, said: Mapping[str, Any]) -> dict[str, object]:
    """What ``@create`` is told: what the environment grants, and all that is the provider's own."""
    roots = config.roots or Roots()
    net: object = (
        {"allow": sorted(config.net.hosts)} if isinstance(config.net, AllowedHosts) else str(config.net)
    )
    limits = {
        name: getattr(config.limits, name)
        for name in ("mem", "cpu", "time", "processes")
        if getattr(config.limits, name) is not None
    }
    return {
        **{key: value for key, value in said.items() if key not in _CORE},
        "fs": {
            "read": [f"{root.host}:{root.inside}" for root in roots.read],
            "write": [f"{root.host}:{root.inside}" for root in roots.write],
        },
        "net": net,
        "limits": limits,
        **({"from": config.snapshot} if config.snapshot else {}),
    }
