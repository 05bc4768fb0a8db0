"""Modules that a program loads while it runs: plugins, generated code. What they give comes from ``src:dynamic``.

1. The file is read as every file is; its text has the labels of what was written there, and of where it lies.
2. Policy is asked whether Python may run (``op:py``) with these labels. Then it does, as the body of ``op:call:load``.
3. Its functions become operations, whose results come from ``src:dynamic`` and have the labels of the text; so has
   everything else in it.

It runs in this process, which is not a sandbox: code of strangers belongs into an environment (``interpret``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, Final

from sluicegate.flow import operations as ops
from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.drive import Do, Procedure, run
from sluicegate.flow.monitor.effects.functions import declare, wrapped
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.procedure import perform
from sluicegate.flow.operations import Channel
from sluicegate.flow.policy.request import Request
from sluicegate.flow.values import Labeled

SOURCE: Final = "src:dynamic"
_CARRIED: Final = "__sluicegate_from__"


class LoadedModule:
    """What a module that was loaded gives, by its names; those that begin with ``_`` stay inside."""

    def __init__(self, parts: Parts, name: str, names: dict[str, Any], labels: Labels) -> None:
        self._parts, self._name, self._names = parts, name, names
        self._labels = labels | Labels.of(SOURCE) | parts.layers.entry_labels(SOURCE)
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"the module {self._name} gives no {name!r}")
        if name not in self._made:
            self._made[name] = self._given(name, self._names[name])
        return self._made[name]

    def __dir__(self) -> list[str]:
        return sorted(name for name in self._names if not name.startswith("_"))

    def __repr__(self) -> str:
        return f"LoadedModule({self._name})"

    def _given(self, name: str, thing: Any) -> Any:
        """A function as an operation that carries the labels of the module; anything else as a labelled value."""
        if not callable(thing):
            return Labeled(thing, self._labels)
        function = thing if isinstance(thing, FunctionType) else _called(thing)
        setattr(
            function, _CARRIED, Labeled(None, self._labels)
        )  # what a function has captured goes in as well
        declared = declare(
            function,
            labels=(),
            name=f"{self._name}.{name}",
            source=SOURCE,
            again=None,
            repeatable=None,
            guards=None,
        )
        return wrapped(function, declared, lambda: self._parts)


def _called(thing: Callable[..., Any]) -> Callable[..., Any]:
    """A class, or another thing that can be called, as a function."""

    @functools.wraps(thing, updated=())
    def call(*arguments: Any, **named: Any) -> Any:
        return thing(*arguments, **named)

    return call


def load(parts: Parts, source: Labeled[Any], name: str) -> LoadedModule:
    """Run the text of a module, and give what is in it. Raises ``Denied``, and ``LabeledFailure`` if it fails."""
    made = run(perform(parts, load_plan(parts, source, name)))
    module: ModuleType = unseal(made)
    return LoadedModule(parts, name, vars(module), made.labels)


def load_plan(parts: Parts, source: Labeled[Any], name: str) -> Plan:
    """Running the text of a module."""
    operation = ops.call("load", {"source": source}, labels=("op:call:load",))
    return Plan(
        operations=(operation,),
        inputs=inputs_of((operation,)),
        effect=partial(_run, name),
        check=partial(_code, parts, name),
        word=f"load:{name}",
        function="load",
    )


def _code(parts: Parts, name: str, plan: Plan, requests: tuple[Request, ...]) -> Denial | None:
    """Whether Python may run with these labels."""
    asked = Request(kind="py", leaves=("op:py", *plan.also), shown=f"py {name}")
    answer = parts.layers.authorize(asked, plan.labels())
    return answer if isinstance(answer, Denial) else None


def _run(name: str, ready: Ready) -> Procedure[Came]:
    text = ready.content(Channel.ARGUMENT, "source")
    module = ModuleType(name)

    def executed() -> None:
        exec(compile(text, f"<{name}>", "exec"), vars(module))  # noqa: S102 - permitted as code is

    yield Do(executed)
    return Came(module)
