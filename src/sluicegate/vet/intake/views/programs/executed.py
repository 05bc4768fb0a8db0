"""Programs that a program holds as text and runs: ``exec("import os ...")``, ``new Function("return ...")``.

The text is worked out as far as constants go, so that it makes no difference how it was put together.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product, Span
from sluicegate.vet.intake.views.evaluate.constants import learn
from sluicegate.vet.intake.views.evaluate.fold_calls import text_of
from sluicegate.vet.intake.views.evaluate.folding import ConstantFolder
from sluicegate.vet.intake.views.formats.markdown import data_text
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_LEAST = 8  # characters; a shorter text does nothing
_CALLED = lazy(r"(?<![\w.$])([A-Za-z_$][\w$]{0,40}+)\s{0,9}+\(")
_WORD = lazy(r"[A-Za-z_$][\w$]*+")
_ACTS = lazy(r"[(=`;\n]|\w \w")
"""A text without any of these is a name or a number."""
_MOST = 500
"""Calls of one program whose text is worked out."""
_RUNS = {
    True: lazy(
        r"(?<![\w.])(?:builtins\s{0,4}\.\s{0,4})?(exec|eval|compile)\s{0,9}\(|(?<![\w.])runpy\._run_code\("
    ),
    False: lazy(
        r"(?<![\w$])(eval|Function|setTimeout|setInterval|setImmediate|execScript|runInThisContext|runInNewContext"
        r"|runInContext|compileFunction|Script|_compile|import)\s{0,9}\("
    ),
}
_HINTS = {
    True: ("exec", "eval", "compile(", "_run_code("),
    False: (
        "eval", "Function(", "setTimeout(", "setInterval(", "setImmediate(", "execScript(", "runIn", "compileFunction(",
        ".Script(", "_compile(", "data:",
    ),
}  # fmt: skip
_ALIAS = lazy(r"=\s{0,9}(?:exec|eval)\s{0,9}(?=[\n;,#)]|\Z)")
_NAMED = lazy(r"(?<![\w.$])([A-Za-z_$][\w$]{0,40}+)\s{0,9}\Z")
"""What stands before the sign of an alias, which is looked for first, for it is the rare part."""


def _calls(text: str, *, python: bool) -> Iterator[int]:
    """Where the first argument of each call that runs a text begins."""
    for found in _RUNS[python].finditer(text):
        yield found.end()
    names = set()
    for alias in _ALIAS.finditer(text):
        named = _NAMED.search(text, max(0, alias.start() - 60), alias.start())
        if named:
            names.add(named[1])
    for found in _CALLED.finditer(text) if names else ():
        if found[1] in names:
            yield found.end()


def executed_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``program`` view of each text that the program runs as one of its own language."""
    python, text = view.language is Kind.PYTHON, view.text
    if not one_of(_HINTS[python], text):
        return
    if len(text) > limits.syntax_bytes:
        detail = f"programs in the text of a program beyond its first {limits.syntax_bytes} characters were not read"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
        text = text[: limits.syntax_bytes]
    if view.origin and view.origin[-1].kind == "folded":  # its source was looked at
        return
    folder: ConstantFolder | None = None
    for number, at in enumerate(_calls(text, python=python)):
        if number >= _MOST or (folder is not None and folder.effort < 0):
            detail = "more programs in the text of a program than are worked out; the rest was not looked at"
            yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
            return
        if folder is None:
            folder = ConstantFolder(text, python=python)
            learn(folder)
        start = folder.skip(at, True)
        found = folder.expression(start, True)
        program = text_of(found.value) if found else None
        if program is not None and program.startswith("data:"):
            program = data_text(program[5:])
        if found is None or program is None or len(program) < _LEAST or not _ACTS.search(program):
            continue
        first, last = _source(view, folder, start, found.end)
        where = Aligned(first=first) if program.count("\n") == last - first else Span(first=first, last=last)
        yield Derived(text=program, language=view.language, step=Step(kind="program"), where=where)


def _source(view: View, folder: ConstantFolder, start: int, end: int) -> tuple[int, int]:
    """The lines that the text of an argument comes from: those of the names in it too, and of a lone name only those."""
    names = {word for word in _WORD.findall(folder.text, start, end) if word in folder.places}
    places = [folder.places[name] for name in names]
    if folder.text[start:end].strip() not in names:
        places.append((start, end))
    return view.line_of(min(places)[0]), view.line_of(max(last for _, last in places) - 1)
