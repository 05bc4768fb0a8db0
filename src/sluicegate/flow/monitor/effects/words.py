"""Showing, logging, giving back, revealing: where a content comes to people, or back to the program."""

from __future__ import annotations

from functools import partial
from typing import Any

from sluicegate.flow import operations as ops
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.parts import Parts, PersonOutput
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.steps.settle import Failed, OperationFailed
from sluicegate.flow.operations import Channel, Operation

REVEAL = "op:call:reveal"
_USER = Labels.of("src:user")
_LONGEST = 1_000_000


def show_plan(parts: Parts, value: object, *, end: str, labels: tuple[str, ...]) -> Plan:
    """Showing a value to a person."""
    return _plan(ops.show(value, labels=labels), partial(_put, parts, False, end), "show")


def log_plan(parts: Parts, value: object, *, labels: tuple[str, ...] = (), quiet: bool = False) -> Plan:
    """Writing a value to the log; ``quiet``: a refusal is not itself told in the log."""
    return _plan(
        ops.log(value, labels=labels), partial(_put, parts, True, "" if quiet else "\n"), "log", quiet=quiet
    )


def stream_plan(parts: Parts, value: object, *, labels: tuple[str, ...]) -> Plan:
    """Passing a piece on to a person as it is made."""
    return _plan(ops.stream(value, labels=labels), partial(_put, parts, False, ""), "stream")


def output_plan(parts: Parts, value: object, target: str, *, labels: tuple[str, ...]) -> Plan:
    """Putting a value out on a standard stream."""
    operation = ops.output(value, target, base=str(parts.cwd), labels=labels)
    return _plan(operation, partial(_put, parts, target == "stderr", ""), "output")


def ask_plan(parts: Parts, prompt: object, *, labels: tuple[str, ...], var: str) -> Plan:
    """Asking a person: the prompt is shown, and what they type comes from ``src:user``."""
    plan = _plan(ops.show(prompt, labels=labels), partial(_ask, parts), "user:ask")
    return plan._replace(entry=_USER | parts.layers.entry_labels("src:user"), var=var)


def return_plan(value: object, *, shown: bool, labels: tuple[str, ...]) -> Plan:
    """Giving a value back to whoever started the program."""
    return _plan(ops.return_(value, shown=shown, labels=labels), _give, "return")


def reveal_plan(value: object, *, to: tuple[str, ...]) -> Plan:
    """Giving a content to the program itself, for an operation with these labels that it will do by itself."""
    operation = ops.call("reveal", {"value": value}, labels=(REVEAL, *to))
    return _plan(operation, _open, "reveal")


def text_of(content: Any) -> str:
    """A content as text for people: text as it is, plain data as JSON, the rest as Python prints it."""
    if isinstance(content, str):
        return content
    if isinstance(content, (bytes, bytearray)):
        return bytes(content).decode("utf-8", "replace")
    if isinstance(content, (dict, list, tuple)):
        import json

        try:
            return json.dumps(content, ensure_ascii=False)
        except (TypeError, ValueError):
            return str(content)
    return str(content)


class Terminal:
    """A text stream; on a terminal, what steers one is shown as ``?``.

    The rooms above give the monitor a writer that shows escapes. This one is for programs without.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str, /) -> object:
        """Write it and flush. Raises ``OperationFailed`` where there is no stream (a program without a terminal)."""
        if self._stream is None:
            raise OperationFailed("there is no stream to write to: it was closed before the program began")
        if self._stream.isatty():
            text = "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)
        written = self._stream.write(text)
        self._stream.flush()
        return written


class Keyboard:
    """What a person types on a standard input."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readline(self, limit: int, /) -> str:
        """One line of it; empty where there is no input."""
        return "" if self._stream is None else str(self._stream.readline(limit))


def _plan(operation: Operation, effect: Any, word: str, *, quiet: bool = False) -> Plan:
    return Plan(
        operations=(operation,), inputs=inputs_of((operation,)), effect=effect, word=word, quiet=quiet
    )


def _put(parts: Parts, log: bool, end: str, ready: Ready) -> Procedure[Came]:
    text = parts.scrubber.text(text_of(ready.content(Channel.BODY, "value"))) + end
    writer: PersonOutput = parts.log() if log else parts.screen()
    yield Do(partial(writer.write, text))
    return Came(None)


def _ask(parts: Parts, ready: Ready) -> Procedure[Came]:
    text = parts.scrubber.text(text_of(ready.content(Channel.BODY, "value")))
    yield Do(partial(parts.screen().write, text))
    line: str = yield Do(lambda: parts.keyboard().readline(_LONGEST), blocking=True)
    wrong = (
        OperationFailed("nobody answers: the input has ended", hint="run it where a person can type")
        if not line
        else OperationFailed(f"an answer has at most {_LONGEST - 1} characters", hint="give it in a file")
        if len(line) >= _LONGEST and not line.endswith("\n")
        else None
    )
    if wrong is not None:
        raise Failed(wrong, ready.early)
    return Came(line.removesuffix("\n").removesuffix("\r"))


def _give(ready: Ready) -> Procedure[Came]:
    yield from ()
    return Came(ready.content(Channel.BODY, "value"))


def _open(ready: Ready) -> Procedure[Came]:
    yield from ()
    return Came(ready.content(Channel.ARGUMENT, "value"))
