"""``@mx``, and ``.mx`` of a value: labels, and what is known of the run and of the operation that a guard is asked about.

What labels a value has can tell of what it is, so what ``.mx`` says has the labels of the value itself. In a guard it has none:
there labels are what is decided by, as policy decides by them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from sluicegate.flow.environments.configuration.config import source_label
from sluicegate.flow.labels import EMPTY, Labels, head
from sluicegate.flow.values import Labeled, model, pc, structure
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import Value


_PROVENANCE: Final = ("src", "dir")
"""Where values come from: ``taint`` has it, ``labels`` has not."""


def of_value(run: Run, value: Value) -> Value:
    """``@x.mx``"""
    return _facts(run, value.labels, value.labels.names(), value.trail.words)


def _facts(run: Run, labels: Labels, names: tuple[str, ...], sources: tuple[str, ...]) -> Value:
    return Labeled(
        {
            "labels": [name for name in names if head(name) not in _PROVENANCE],
            "taint": list(names),
            "sources": list(sources),
        },
        EMPTY if run.guarding else labels,
    )


def quantified(run: Run, value: Value, word: str) -> Value:
    """``@input.any``, ``@input.all`` in a guard: the labels that any input has, or all of them have, and their texts."""
    parts = list(value) if structure(value) <= pc() and model(value) is list else [value]
    sets = [set(part.labels.names()) for part in parts]
    names = set.union(*sets) if word == "any" else set.intersection(*sets)
    sources = dict.fromkeys(word for part in parts for word in part.trail.words)
    texts = apply(run, lambda *contents: "\n".join(map(text_of, contents)), *parts)
    return Labeled({"mx": _facts(run, value.labels, tuple(sorted(names)), tuple(sources)), "text": texts})


def of_run(run: Run, field: str = "") -> Value:
    """``@mx``, or one field of it: null where it has none here."""
    if not field:
        return Labeled({name: of_run(run, name) for name in (*OF_RUN, *run.context)})
    if field in run.context:
        return run.context[field]
    made = OF_RUN.get(field)
    return Labeled(None) if made is None else made(run)


def _labels(run: Run) -> Value:
    return Labeled([name for name in pc().names() if head(name) not in _PROVENANCE])


def _taint(run: Run) -> Value:
    return Labeled(list(pc().names()))


def _sources(run: Run) -> Value:
    return Labeled([])


def _profile(run: Run) -> Value:
    return Labeled(run.profile or run.monitor.parts.profile)


def _policy(run: Run) -> Value:
    names = [layer.name for layer in run.monitor.parts.layers.layers]
    return Labeled({"name": names[0] if names else "", "layers": names, "activePolicies": names})


def _tools(run: Run) -> Value:
    tools = run.monitor.parts.tools.current()
    allowed = None if tools.allowed is None else sorted(tools.allowed)
    calls = Labeled(list(tools.calls()), tools.labels)
    return Labeled({"calls": calls, "allowed": allowed, "denied": sorted(tools.denied)})


def _env(run: Run) -> Value:
    """Where commands run here, and what its environment tells besides."""
    parts = run.monitor.parts
    here, config = parts.entered.current(), parts.environment
    facts = {
        "provider": config.provider,
        "name": config.name,
        "label": source_label(config),
        "net": str(config.net),
        "tools": None if config.tools is None else sorted(config.tools),
        "mcps": None if config.mcps is None else sorted(config.mcps),
        "auth": None if config.auth is None else sorted(config.auth),
        "session": "" if here is None else here.session.id,
    }
    told = {} if here is None else here.chosen.told
    return Labeled({**told, **facts}, EMPTY if here is None else here.held)


OF_RUN: Final[Mapping[str, Callable[[Run], Value]]] = {
    "labels": _labels,
    "taint": _taint,
    "sources": _sources,
    "profile": _profile,
    "policy": _policy,
    "tools": _tools,
    "env": _env,
}
"""What ``@mx`` says outside of guards; ``Run.context`` has what it says in one."""
