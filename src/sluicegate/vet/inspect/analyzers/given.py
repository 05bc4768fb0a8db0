"""Programs that run, as code, a text that is not in the skill: from the environment, their input, or an argument.

Who installs a skill reads its files, and what such a program runs is in none of them. How bad that is depends on who may
put it there:

1. A variable of the environment: nobody sees it when the program is started, and other programs may have set it.
2. The input: whoever starts the program connects it with something. (What a program of the skill connects it with is
   followed by the flow rules.)
3. An argument, or the name of a module: whoever starts the program chose it, as with any test runner.

A file that the starter names is what interpreters and test runners are for, and nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.programs import CODE, FILE, INPUT, BundlePrograms, Given
from sluicegate.vet.inspect.rule import Match, flow_rule
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

GIVEN_TO_EXEC = flow_rule(
    "given-to-exec",
    "A program runs text that it is given as code",
    Category.DANGEROUS_CODE,
    Severity.HIGH,
    600,
    "What runs is in no file of the skill, so nobody who reads the skill has seen it. Who can set the variable or write the "
    "input decides what is run.",
    "Keep the code in the skill, and let variables and arguments choose among what is there.",
    "LLM05", "ASI05", "CWE-94",
    languages=("shell", "python", "javascript", "typescript"),
)  # fmt: skip
_SCRIPT = lazy(r"(?<![\w.])(?:eval|Function|runIn\w{3,12}|compileFunction|Script|_compile)\s*\(|\bvm\.")
_BY_LANGUAGE = {
    Kind.SHELL: (
        ("eval", "sh"),
        lazy(r"\beval\b|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+){0,8}-\w*c\b|\|\s*(?:ba|z|da|k)?sh\b"),
    ),
    Kind.JAVASCRIPT: (("eval", "Function", "vm"), _SCRIPT),
    Kind.TYPESCRIPT: (("eval", "Function", "vm"), _SCRIPT),
}
"""What stands in every program that can run a text: words, and an expression that is dearer and more exact. Of Python its
analysis has told."""
_NONE = ((), None)
_TAKES = ("environ", "getenv", "argv", "stdin", "input(", "argparse", "process.env")


def given_code(views: tuple[View, ...], programs: BundlePrograms) -> Iterator[Match]:
    """One match for each place of a program where it runs what it is given."""
    for view in views:
        if view.origin or not _may(view, programs):
            continue
        places: dict[int, list[Given]] = {}
        for use in programs.summary(view).uses:
            own = use.kind == "run" and len(use.through) == 1 and use.what != FILE
            if own and use.channel in (CODE, "module"):
                places.setdefault(use.through[0].line, []).append(use)
        for line, uses in sorted(places.items()):
            yield _match(view, line, uses)


def _may(view: View, programs: BundlePrograms) -> bool:
    if view.language is Kind.PYTHON:
        return view.path in programs.running and one_of(_TAKES, view.text)
    words, expression = _BY_LANGUAGE.get(view.language, _NONE)
    if expression is None or not one_of(words, view.text) or expression.search(view.text) is None:
        return False
    return view.language is Kind.SHELL or one_of(_TAKES, view.text)


def _match(view: View, line: int, uses: list[Given]) -> Match:
    severity, confidence, use = max((*_weight(use), use) for use in uses)
    starts = view.line_starts()
    start = starts[min(line, len(starts)) - 1]
    end = view.text.find("\n", start)
    what = {INPUT: "its input"}.get(use.what) or (
        f"the variable {use.what[1:]}" if use.what.startswith("$") else "an argument"
    )
    named = "names a module that it loads" if use.channel == "module" else "is run as code"
    return Match(
        rule=GIVEN_TO_EXEC.id,
        view=view,
        start=start,
        end=end if end != -1 else len(view.text),
        message=f"What {what} holds {named} by {use.target}.",
        severity=severity,
        confidence=confidence,
        adjustments=() if severity is Severity.HIGH else ("whoever starts the program chooses what is run",),
        trace=tuple(f"given={use.what} run={use.target} {use.channel}" for use in uses),
    )


def _weight(use: Given) -> tuple[Severity, int]:
    if use.channel == "module":
        return Severity.LOW, 300
    if use.what.startswith("$"):
        return Severity.HIGH, 600
    return (Severity.MEDIUM, 500 if use.what == INPUT else 400)
