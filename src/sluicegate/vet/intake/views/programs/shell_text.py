"""Shell text that a program in another language hands to a shell: the argument of ``sh -c`` in a list of words, or of a call that
starts a shell by itself (``system``, ``:os.cmd``, ``execShellCmd``, a command in backticks)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Product, Span
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_STRING = (
    r"(?:r#\"((?:[^\"]|\"(?!#)){4,4000}?)\"#|\"((?:[^\"\\\n]|\\.){4,4000})\"|'((?:[^'\\\n]|\\.){4,4000})')"
)
_LISTED = lazy(
    r"[\"'](?:/usr)?(?:/bin/)?(?:ba|z|da|k)?sh[\"'][^\"'`;]{0,80}[\"']-[a-z]{0,3}c[\"'][^\"'`;]{0,40}"
    + _STRING,
    re.DOTALL,
)
"""A shell, its option and the text, as words of a list or of calls."""
_CALLED = lazy(
    r"(?:\b(?:system|shell|os\.execute|io\.popen|popen|execShellCmd|execCmd(?:Ex)?|gorge(?:Ex)?|callCommand|executeShell|Sys\.command|shell_exec|passthru)|:os\.cmd)"
    r"[ \t]{0,4}\(?[ \t]{0,4}(?:~c)?" + _STRING
)
_QUOTED = lazy(r"\b(?:run|read|readchomp|pipeline|success|open)\(`([^`\n]{4,2000})`")
"""Julia's commands."""
_SHELLS = ('sh"', "sh'")
_CALLS = (
    "system", "shell", "os.execute", "popen", "execCmd", "execShellCmd", "gorge", "callCommand", "Sys.command", "passthru", ":os.cmd",
)  # fmt: skip
_ESCAPED = lazy(r"\\([\"'\\$`])")
_MOST = 200
"""Commands of one program that are read."""


def shell_text_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``command`` view of each shell text in a program."""
    text = view.text[: limits.syntax_bytes]
    patterns = []
    if any(word in text for word in _SHELLS):
        patterns.append(_LISTED)
    if any(word in text for word in _CALLS):
        patterns.append(_CALLED)
    if view.language is Kind.SOURCE and "(`" in text:
        patterns.append(_QUOTED)
    number = 0
    for pattern in patterns:
        for found in pattern.finditer(text):
            at = next(group for group in range(1, (found.lastindex or 1) + 1) if found[group] is not None)
            body = _ESCAPED.sub(r"\1", found[at])
            if number == _MOST or " " not in body.strip():
                continue
            number += 1
            first, last = view.line_of(found.start(at)), view.line_of(found.end(at))
            yield Derived(
                text=body, language=Kind.SHELL, step=Step(kind="command", detail="shell text of a program"),
                where=Span(first=first, last=last), verbatim=body == found[at],
            )  # fmt: skip
