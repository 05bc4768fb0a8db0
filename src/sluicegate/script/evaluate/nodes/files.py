"""Files that a script reads: whole, a section of one, or as a template."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sluicegate.flow.values import Labeled, asked, pc
from sluicegate.patterns import late
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, settled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import globs
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_HEADING: Final = late(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_HOLE: Final = late(r"(?<![\w\\])@([A-Za-z_]\w*)")


def file(run: Run, node: x.FileExpr, scope: RunScope) -> Value:
    """``<path>``, ``<path # section>``; of a path with ``*`` or ``?``, all files that it fits."""
    read = partial(_read, run, node.section)
    return globs.matching(run, node, scope, read) if globs.is_glob(node) else read(path(run, node, scope))


def _read(run: Run, section: str, where: object) -> Value:
    text = settled(run, run.monitor.read(where))
    return apply(run, partial(_section, section), text) if section else text


def path(run: Run, node: x.FileExpr, scope: RunScope) -> object:
    """The path between ``<`` and ``>``."""
    if globs.is_glob(node):
        raise ScriptError(
            "bad-argument", "a file that is written has one name, and this is a pattern of names"
        )
    values = [Labeled(part) if isinstance(part, str) else run.evaluate(part, scope) for part in node.path]
    return plain_if_open(apply(run, lambda *parts: "".join(map(text_of, parts)).strip(), *values))


def plain_if_open(value: Value) -> object:
    """A path as denials can name it, where nothing in it is labelled."""
    return asked(value) if not value.labels and not pc() else value


def _section(called: str, text: Any) -> str:
    """The text under a heading of Markdown, with it, up to the next one of its level."""
    lines = str(text).splitlines()
    wanted = called.strip().lstrip("#").strip().casefold()
    found: list[str] = []
    level = 0
    for line in lines:
        heading = _HEADING.match(line)
        if level and heading is not None and len(heading[1]) <= level:
            break
        if not level and heading is not None and heading[2].casefold() == wanted:
            level = len(heading[1])
        if level:
            found.append(line)
    if not level:
        raise ScriptError("no-section", "a file has no section of this name")
    return "\n".join(found).strip()


def template_file(run: Run, node: x.TemplateFileExpr, scope: RunScope) -> Value:
    """``template "file"``: its text, with the parameters of the function around it in its holes; other holes stay."""
    return with_parameters(run, words_of_file(run, node, scope), scope)


def with_parameters(run: Run, text: Value, scope: RunScope) -> Value:
    """The words of a template with the parameters of the function around it in its holes."""
    function = scope.of_function()
    names = tuple(name for name in function.parameters if name in function.values)
    return apply(run, partial(_filled, run, names), text, *(function.values[name] for name in names))


def words_of_file(run: Run, node: x.TemplateFileExpr, scope: RunScope) -> Value:
    """The words of a template that is a file, as they stand there."""
    return settled(run, run.monitor.read(plain_if_open(run.evaluate(node.path, scope))))


def _filled(run: Run, names: tuple[str, ...], text: Any, *contents: Any) -> str:
    values = dict(zip(names, map(text_of, contents), strict=True))
    made: list[str] = []
    at = size = 0
    for found in _HOLE.finditer(str(text)):
        if found[1] in values:
            made += (text[at : found.start()], values[found[1]])
            size += len(made[-1]) + len(made[-2])
            run.budget.making(size)
            at = found.end()
    return "".join(made) + str(text)[at:]
