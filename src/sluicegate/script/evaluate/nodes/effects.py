"""What a script puts out: to people, and into files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sluicegate.script.evaluate.contents.texts import json_of, text_of
from sluicegate.script.evaluate.control import apply, settled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes.files import path, plain_if_open
from sluicegate.script.evaluate.outcome import Outcome
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

_STREAMS: Final = ("stdout", "stderr")


def put(run: Run, node: s.PrintStatement, scope: RunScope) -> Outcome:
    """``show``, ``log``, ``stream``"""
    value = apply(run, text_of, run.evaluate(node.value, scope))
    monitor = run.monitor
    settled(run, {"show": monitor.show, "log": monitor.log, "stream": monitor.stream}[node.keyword](value))
    return None


def write(run: Run, node: s.WriteStatement, scope: RunScope) -> Outcome:
    """``output value to target as format``, ``append value to target``"""
    form = node.format or "text"
    if form not in _FORMATS:
        raise ScriptError(
            "bad-option", "there is no such format", hint=f"There are {', '.join(sorted(_FORMATS))}."
        )
    target = _target(run, node.target, scope)
    stream = isinstance(target, str) and target in _STREAMS
    lines = node.keyword == "append" or stream
    if node.keyword == "append" and isinstance(target, str) and target.endswith((".jsonl", ".ndjson")):
        form = "line"
    value = apply(run, partial(_written, form, lines), run.evaluate(node.value, scope))
    if node.keyword == "append" and not stream:
        settled(run, run.monitor.append(target, value))
    else:
        settled(run, run.monitor.output(value, target))
    return None


def _target(run: Run, node: x.Expression, scope: RunScope) -> object:
    if isinstance(node, x.WordExpr):
        return node.word
    if isinstance(node, x.FileExpr):
        return path(run, node, scope)
    return plain_if_open(apply(run, text_of, run.evaluate(node, scope)))


def _written(form: str, line: bool, content: Any) -> str:
    text = _FORMATS[form](content)
    return f"{text}\n" if line and not text.endswith("\n") else text


_FORMATS: Final[dict[str, Callable[[Any], str]]] = {
    "text": text_of,
    "json": partial(json_of, indent=2),
    "line": json_of,
}
