"""Templates that are signed: ``sign @x``, ``verify @x``, and what ``defaults.autosign`` asks for.

A ``var`` of the script itself whose value is a template, or a file that is one, has a name to be signed under: that of the script
and its own, ``audit.criteria``. What is signed are the words of the author, with the holes in it; what fills them is data. Before a model
is asked, ``flow`` verifies every template that went into what it is asked.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow import operations as ops
from sluicegate.flow.denial import Denied
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, settled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes.literals import is_open
from sluicegate.script.evaluate.outcome import Outcome
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

if TYPE_CHECKING:
    from sluicegate.flow.instructions import Instructions, Template

_QUOTES: Final = ("`", "::", ":::")


def is_template(node: x.Expression) -> bool:
    """Whether an expression is a template that may be signed; text in quotes is none."""
    return isinstance(node, x.TemplateFileExpr) or (
        isinstance(node, x.TemplateExpr) and node.quote in _QUOTES
    )


def of_variable(run: Run, node: s.VarStatement, scope: RunScope, value: Value) -> Value:
    """The value of a ``var`` of the script itself, which remembers the template that it is made of, if it is one."""
    if scope is not run.scope or run.monitor.parts.instructions is None or not is_template(node.value):
        return value
    try:
        template, values = _template(run, node, scope, value)
    except Denied:  # what may not be looked at is not signed, and is data
        return value
    run.templates[node.name] = template
    filled: Labeled[str] = template.fill(**values)
    return Labeled(filled, value.labels, value.trail | filled.trail)


def _template(
    run: Run, node: s.VarStatement, scope: RunScope, value: Value
) -> tuple[Template, dict[str, Value]]:
    """The template, and what fills its holes."""
    name = f"{_script(run)}.{node.name}"
    if isinstance(node.value, x.TemplateFileExpr):
        return run.monitor.template(name, apply(run, _escaped, value)), {}
    assert isinstance(node.value, x.TemplateExpr)  # noqa: S101 - is_template has seen to that
    words: list[str] = []
    values: dict[str, Value] = {}
    for part in node.value.parts:
        if isinstance(part, str):
            words.append(_escaped(part))
        elif is_open(run, part, scope):
            words.append(_escaped(run.source.text[part.start : part.end]))
        else:
            hole = f"hole_{len(values) + 1}"
            values[hole] = apply(run, text_of, run.evaluate(part, scope))
            words.append(f"{{{hole}}}")
    declared = (
        Labeled("".join(words)) if not node.labels else run.monitor.labelled("".join(words), *node.labels)
    )
    return run.monitor.template(name, declared), values


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
    template, instructions = run.templates.get(name), run.monitor.parts.instructions
    if template is None or instructions is None:
        raise ScriptError(
            "not-signed",
            f"`@{name}` is not a template that can be signed",
            hint='Templates are `var @x = template "file"`, and those between backticks or `::`, outside of functions.',
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
