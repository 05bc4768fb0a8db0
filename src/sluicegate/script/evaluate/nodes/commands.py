"""Commands and code: a command is read once, as the template that it is, and each hole fills one argument.

1. The text of a command becomes a template of ``flow``: what stands there is the author's, and a hole becomes a hole. A value never
   names the program, and never becomes more than one argument.
2. Other code is one text of the author; it gets values beside it (``flow``), and none is put into it.
3. What a command gives is its standard output, without the line end; one that does not end well has failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow.guards import Bypass
from sluicegate.flow.values import asked, pc
from sluicegate.patterns import late
from sluicegate.script.evaluate.callables import SpecialValue
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, settled, within
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.flow.operations import CommandDefinition

_HOLE: Final = late(r"@[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_NOTHING: Final[Mapping[str, Value]] = {}
_LANGUAGES: Final = ("sh", "py", "node", "js")


class CommandOptions(NamedTuple):
    """What stands behind a command: ``with { … }`` and ``using …``."""

    labels: tuple[str, ...] = ()
    stdin: Value | None = None
    auth: tuple[str, ...] = ()
    using: Mapping[str, Value] = _NOTHING
    bypass: Bypass | None = None


def code(run: Run, node: x.CodeExpr, scope: RunScope) -> Value:
    """``cmd { … }``, ``sh (@x) { … }``"""
    return code_with(run, node, scope, CommandOptions())


def code_with(run: Run, node: x.CodeExpr, scope: RunScope, options: CommandOptions) -> Value:
    """A command or code, with options."""
    if node.language == "cmd":
        made = _command(run, node, scope, options)
    elif node.language in _LANGUAGES:
        made = _code(run, node, scope, options)
    else:
        raise ScriptError(
            "not-run",
            f"`{node.language}` is carried out by a model, and no program here is one",
            hint="Ask a model by a command, in a function with the label `llm`: exe llm @ask(p) = run cmd { … }.",
        )
    return settled(run, apply(run, _standard_output, settled(run, made)))


def _standard_output(output: Any) -> str:
    return str(output["stdout"]).removesuffix("\n")


def run_expression(run: Run, node: x.RunExpr, scope: RunScope) -> Value:
    """``run LABELS what``"""
    return run_with(run, node, scope, CommandOptions())


def run_with(run: Run, node: x.RunExpr, scope: RunScope, options: CommandOptions) -> Value:
    """``run`` with options. What it runs is written in the script: a text that comes from elsewhere is never a command."""
    if isinstance(node.what, x.CodeExpr):
        return code_with(run, node.what, scope, options._replace(labels=node.labels))
    value = run.evaluate(node.what, scope)
    if isinstance(node.what, x.NameExpr):
        return _called(run, node.what.name, value)
    return value


def _called(run: Run, name: str, value: Value) -> Value:
    """``run @f``: the function, called. Raises ScriptError for any other value: it would be a command that a value made."""
    from sluicegate.script.evaluate.nodes.calls import call

    def called() -> Value:
        if isinstance(asked(value), SpecialValue):
            return call(run, value, ())
        raise ScriptError("not-run", f"`run @{name}` would make a command of a value",
                          hint="Write the command, and let the value fill an argument: `run cmd { program @x }`.")  # fmt: skip

    return settled(run, within(run, value.labels, called))


def _command(run: Run, node: x.CodeExpr, scope: RunScope, options: CommandOptions) -> Value:
    """A command (1)."""
    holes = {_name(run, part): part for part in node.parts if not isinstance(part, str)}
    values: dict[str, object] = {}
    for name, part in holes.items():
        value = apply(run, text_of, run.evaluate(part, scope))
        values[name] = asked(value) if not value.labels and not pc() else value
    return run.monitor.run(
        _defined(run, node, options.labels),
        values,
        stdin=None if options.stdin is None else apply(run, text_of, options.stdin),
        auth=options.auth,
        using=options.using,
        check=True,
        guards=options.bypass,
    )


def _defined(run: Run, node: x.CodeExpr, labels: tuple[str, ...]) -> CommandDefinition:
    """The command, read the first time that it is needed."""
    place = (id(node), run.monitor.parts.start)
    found = run.commands.get(place)
    if found is None:
        template = _template(
            node.parts, [_name(run, part) for part in node.parts if not isinstance(part, str)]
        )
        found = run.commands[place] = run.monitor.command(template, labels=labels)
    return found


def _name(run: Run, part: x.Expression) -> str:
    """What a hole is called: as it is written, if that is a name."""
    written = run.source.text[part.start : part.end]
    return written[1:] if _HOLE.fullmatch(written) else f"value_{part.start}"


def _template(parts: tuple[str | x.Expression, ...], names: list[str]) -> str:
    """The template of ``flow`` that says the same. Inside of single quotes nothing is a hole there, so a hole ends them."""
    made: list[str] = []
    holes = iter(names)
    quote = ""
    for part in parts:
        if isinstance(part, str):
            text, quote = escaped(part, quote)
            made.append(text)
        else:
            hole = f"{{{next(holes)}}}"
            made.append(f"'\"{hole}\"'" if quote == "'" else hole)
    return "".join(made).strip()


def escaped(text: str, quote: str) -> tuple[str, str]:
    """Text of a command, in which braces and ``@`` are themselves; and the quotes that it ends in."""
    made: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\" and quote != "'":
            made.append(text[at : at + 2])
            at += 2
            continue
        if sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
        made.append(sign * 2 if sign in "{}@" and quote != "'" else sign)
        at += 1
    return "".join(made), quote


def _code(run: Run, node: x.CodeExpr, scope: RunScope, options: CommandOptions) -> Value:
    """Code of another language (2)."""
    inputs: dict[str, Value] = {}
    for each in node.passed:
        if isinstance(each, x.NameExpr):
            inputs[each.name] = run.evaluate(each, scope)
    if not node.passed:
        function = scope.of_function()
        inputs = {name: function.values[name] for name in function.parameters if name in function.values}
    if options.auth or options.using or options.stdin is not None:
        raise ScriptError("not-run", f"credentials and input go to a command, not to `{node.language}`",
                          hint="Run the program with `cmd { … }`.")  # fmt: skip
    source = "".join(part for part in node.parts if isinstance(part, str))
    given = (
        {name: apply(run, text_of, value) for name, value in inputs.items()}
        if node.language == "sh"
        else inputs
    )
    return run.monitor.interpret(
        node.language,
        _wrapped(node.language, source, tuple(inputs)),
        given,
        labels=options.labels,
        check=True,
        guards=options.bypass,
    )


def _wrapped(language: str, source: str, names: tuple[str, ...]) -> str:
    """Code in which its inputs are names, and which prints what it returns."""
    import textwrap

    body = textwrap.dedent(source.strip("\n"))
    if language == "sh":
        return body
    if language == "py":
        return f"import json as _json, sys as _sys\nglobals().update(_json.load(_sys.stdin))\n{body}\n"
    given = ", ".join(names)
    return (
        f"const {{{given}}} = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
        f"Promise.resolve((async () => {{\n{body}\n}})()).then((made) => {{\n"
        "  if (made !== undefined) console.log(typeof made === 'string' ? made : JSON.stringify(made));\n"
        "});\n"
    )
