"""Templates that are signed: ``sign @x``, ``verify @x``, and what ``defaults.autosign`` asks for.

A ``var`` of the script itself whose value is a template, or a file that is one, has a name to be signed under: that of the script
and its own, ``audit.criteria``. So has an ``exe`` whose body is one. What is signed are the words of the author, with the holes in it;
what fills them is data. Before a model is asked, ``flow`` verifies every template that went into what it is asked.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow import operations as ops
from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.control import apply, settled
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.evaluate.nodes.files import with_parameters, words_of_file
from sluicegate.script.evaluate.outcome import Outcome
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

if TYPE_CHECKING:
    from sluicegate.flow.instructions import Instructions, Template
    from sluicegate.script.evaluate.callables import Function

_QUOTES: Final = ("`", "::", ":::")


def is_template(node: object) -> bool:
    """Whether an expression is a template that may be signed; text in quotes is none."""
    return isinstance(node, x.TemplateFileExpr) or (
        isinstance(node, x.TemplateExpr) and node.quote in _QUOTES
    )


def of_variable(run: Run, node: s.VarStatement, scope: RunScope, value: Value) -> Value:
    """The value of a ``var`` of the script itself, which remembers the template that it is made of, if it is one."""
    if scope is not run.scope or not is_template(node.value):
        return value
    words = value if isinstance(node.value, x.TemplateFileExpr) else _words(run, node.value, scope)
    return _remembering(run, node.name, words, node.labels, value)


def of_function(function: Function, scope: RunScope) -> Value:
    """What the body of a function gives: where it is a template, it remembers that, as the value of a ``var`` does.

    The words of a file are read once: what is verified is what was filled.
    """
    run, body = function.run, function.body
    if isinstance(body, x.TemplateFileExpr):
        try:
            words = words_of_file(run, body, scope)
            return _remembering(run, function.name, words, (), with_parameters(run, words, scope))
        except FlowError as error:
            placed(error, run.source, body)
            raise
    value = run.evaluate(body, scope)
    return (
        _remembering(run, function.name, _words(run, body, scope), (), value) if is_template(body) else value
    )


def _remembering(run: Run, name: str, words: Value, labels: tuple[str, ...], value: Value) -> Value:
    template = _template(run, name, words, labels)
    return value if template is None else template.made(value)


def _template(run: Run, name: str, words: Value, labels: tuple[str, ...]) -> Template | None:
    """The template of a name, with the words of its author. None where nobody signs, or policy does not let the words be looked
    at: what may not be looked at is not signed, and is data. Raises FlowError where the name has other words already."""
    if run.monitor.parts.instructions is None:
        return None
    try:
        escaped = apply(run, _escaped, words)
        found = run.monitor.template(
            f"{_script(run)}.{name}", run.monitor.labelled(escaped, *labels) if labels else escaped
        )
    except Denied:
        return None
    run.templates[name] = found
    return found


def _words(run: Run, node: Any, scope: RunScope) -> Value:
    """The words of a template that stands in the script, with its holes as they are written."""
    words = (part if isinstance(part, str) else run.source.text[part.start : part.end] for part in node.parts)
    return Labeled("".join(words))


def _script(run: Run) -> str:
    """What the script is called in names of templates: its file, and that of a module with the folder that it lies in."""
    path = PurePath(run.path)
    parts = (path.stem,) if run.number == 0 else (path.parent.name, path.stem)
    written = ".".join(part for part in parts if part) or "script"
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "_.-") else "_" for char in written)
    return plain if plain[0].isalpha() or plain[0] == "_" else f"_{plain}"


def _escaped(content: Any) -> str:
    return str(content).replace("{", "{{").replace("}", "}}")


def _known(run: Run, name: str) -> tuple[Template, Instructions]:
    instructions = run.monitor.parts.instructions
    for function in run.functions.get(name, ()):
        body = function.body
        if function.run is run and isinstance(body, x.TemplateFileExpr):
            _template(run, name, words_of_file(run, body, function.scope), ())
        elif function.run is run and is_template(body):
            _template(run, name, _words(run, body, function.scope), ())
    template = run.templates.get(name)
    if template is None or instructions is None:
        raise ScriptError(
            "not-signed",
            f"`@{name}` is not a template that can be signed",
            hint='Templates are `var @x = template "file"`, and those between backticks or `::`, outside of functions; '
            "and functions whose body is one.",
        )
    return template, instructions


def sign(run: Run, node: s.SignStatement, scope: RunScope) -> Outcome:
    """``sign @x by "signer" with sha256``"""
    template, instructions = _known(run, node.name)
    if node.method not in ("", "sha256"):
        raise ScriptError(
            "bad-option", "templates are signed over their sha256", hint="Write `with sha256`, or nothing."
        )
    by = "" if node.signer is None else str(asked(run.evaluate(node.signer, scope)))
    operation = ops.sign(template.name, Labeled(template.text, template.labels))

    def signed(ready: Ready) -> Procedure[Came]:
        yield Do(lambda: instructions.sign(template, by=by), blocking=True)
        return Came(None)

    plan = Plan(operations=(operation,), inputs=inputs_of((operation,)), effect=signed, word="sign")
    settled(run, run.monitor.perform(plan))
    return None


def verify(run: Run, node: x.VerifyExpr, scope: RunScope) -> Value:
    """``verify @x``: whether it is signed as it stands, by whom, or why not."""
    from sluicegate.record.signatures.signatures import Verified

    if not isinstance(node.value, x.NameExpr):
        raise ScriptError("not-signed", "`verify` takes the name of a template: `verify @x`")
    template, instructions = _known(run, node.value.name)
    found = instructions.verify(template)
    if isinstance(found, Verified):
        said = found.statement
        facts = {
            "verified": True,
            "name": said.name,
            "signedBy": said.signer,
            "hash": said.digest,
            "reason": "",
        }
    else:
        facts = {
            "verified": False,
            "name": f"@{template.name}",
            "signedBy": "",
            "hash": "",
            "reason": str(found.reason),
        }
    return Labeled(facts, template.labels)
