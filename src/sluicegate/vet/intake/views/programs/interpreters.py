"""Programs that a shell script hands to an interpreter: ``python -c``, ``node -e``, ``bash -c``, here-documents,
and PowerShell's ``-EncodedCommand``."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_left
from collections.abc import Iterator

from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product, Span
from sluicegate.vet.intake.views.disguises.runs import lowered
from sluicegate.vet.intake.views.programs.language import guess
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_LANGUAGES = {
    "python": Kind.PYTHON, "python2": Kind.PYTHON, "python3": Kind.PYTHON, "pypy3": Kind.PYTHON, "node": Kind.JAVASCRIPT,
    "nodejs": Kind.JAVASCRIPT, "bun": Kind.JAVASCRIPT, "deno": Kind.TYPESCRIPT, "ruby": Kind.RUBY, "perl": Kind.PERL,
    "php": Kind.PHP, "bash": Kind.SHELL, "sh": Kind.SHELL, "zsh": Kind.SHELL, "dash": Kind.SHELL, "ksh": Kind.SHELL,
    "powershell": Kind.POWERSHELL, "pwsh": Kind.POWERSHELL, "osascript": Kind.APPLESCRIPT, "lua": Kind.LUA, "eval": Kind.SHELL,
    "Rscript": Kind.R, "ssh": Kind.SHELL, "cmd": Kind.BATCH,
}  # fmt: skip
_NAME = (
    r"\b(python(?:[23](?:\.\d{1,2})?)?|pypy3|node|nodejs|bun|deno|ruby|perl|php|lua|Rscript"
    r"|bash|zsh|dash|ksh|sh|powershell|pwsh|osascript)"
)
_INLINE = lazy(
    _NAME
    + r"(?:\.exe)?[\"']?(?:[ \t]++[A-Za-z0-9._/=-]{1,40}+){0,6}?[ \t]++(?:-[A-Za-z]{0,6}[cerEC]|-p|eval|--eval|--print|-[Cc]ommand)"
    r"[ \t]++(?:'([^']*+)'|\"((?:[^\"\\]++|\\.)*+)\"|\$'((?:[^'\\]++|\\.)*+)')",
    re.DOTALL,
)
_FLAG = lazy(r"-(?:[A-Za-z]{0,6}[cerECp]|-print|[Cc]ommand)[ \t]++[$'\"]")
_EVAL = lazy(r"eval[ \t]++[$'\"]")
"""One of the two stands in every inline program; both begin with letters that are quickly looked for."""
_HEREDOC = lazy(
    _NAME + r"(?:[ \t]++(?!<<)[^\s<>|;&\"'`]{1,40}+){0,4}[ \t]*+<<-?[ \t]*+[\"']?(\w{1,40})[\"']?[^\n]*+\n"
)
_WRITTEN = lazy(r"<<-?[ \t]*+[\"']?(\w{1,40})[\"']?[^\n]*+\n(?=[ \t]{0,8}#!)")
"""A here-document that is a program by its first line, and is written into a file."""
_ENCODED = lazy(r"\s[-/](?i:e(?:nc(?:odedcommand)?|c)?)[ \t]++[\"']?([A-Za-z0-9+/]{16,}+={0,2})")
"""The run minds case, so that it is ASCII: without, the long s and the sign of Kelvin would be letters of it."""
_DOUBLE_ESCAPE = lazy(r"\\([\"\\$`])")


def _language(word: str) -> Kind:
    return _LANGUAGES.get(word) or _LANGUAGES.get(word.rstrip("0123456789.")) or Kind.SOURCE


def _inline(view: View) -> Iterator[Derived]:
    for found in _INLINE.finditer(view.text):
        index = 2 if found[2] is not None else 3 if found[3] is not None else 4
        body = found[index]
        if index != 2:
            body = _DOUBLE_ESCAPE.sub(r"\1", body)
        if not body.strip():
            continue
        step = Step(kind="command", detail=f"{found[1]} inline program")
        first, last = view.line_of(found.start(index)), view.line_of(found.end(index))
        where = Aligned(first=first) if body.count("\n") == last - first else Span(first=first, last=last)
        yield Derived(
            text=body, language=_language(found[1]), step=step, where=where, verbatim=body == found[index]
        )


def _word_lines(text: str) -> dict[str, list[int]]:
    """Where each line that is one word starts, in order."""
    found: dict[str, list[int]] = {}
    at = 0
    for line in text.split("\n"):
        if len(line) < 60:
            found.setdefault(line.strip(), []).append(at)
        at += len(line) + 1
    return found


def _heredocs(view: View, pattern: re.Pattern[str], closing: int) -> Iterator[Derived]:
    """The here-documents that a pattern finds, of which one group names the line that ends it."""
    text = view.text
    closers: dict[str, list[int]] | None = None
    at = 0
    while found := pattern.search(text, at):
        start = at = found.end()
        if closers is None:
            closers = _word_lines(text)
        places = closers.get(found[closing], [])
        index = bisect_left(places, start)
        if index == len(places):
            continue
        at = places[index]
        body = text[start : max(start, at - 1)]
        if body.strip():
            written = pattern is _WRITTEN
            step = Step(kind="command", detail=f"{'written' if written else found[1]} here-document")
            language = guess(body) if written else _language(found[1])
            where = Aligned(first=view.line_of(start))
            yield Derived(text=body, language=language, step=step, where=where, verbatim=True)


def _encoded(view: View) -> Iterator[Derived]:
    lower = lowered(view.text)
    if lower.find(b"powershell") == -1 and lower.find(b"pwsh") == -1:  # ``in`` costs an exception first
        return
    for found in _ENCODED.finditer(view.text):
        run = found[1].rstrip("=")
        try:
            data = binascii.a2b_base64(run + "=" * (-len(run) % 4))
        except binascii.Error:
            continue
        text = data[: len(data) & ~1].decode("utf-16-le", "replace")
        if text.isascii() and text.isprintable():
            line = view.line_of(found.start(1))
            step = Step(kind="base64", detail="utf-16")
            yield Derived(text=text, language=Kind.POWERSHELL, step=step, where=Span(first=line, last=line))


def interpreter_views(view: View, limits: Limits) -> Iterator[Product]:
    """Programs inside the commands of the view."""
    text = view.text
    if view.language not in CODE:
        return
    if _FLAG.search(text) or _EVAL.search(text):
        yield from _inline(view)
    if "<<" in text:
        yield from _heredocs(view, _HEREDOC, 2)
        if "\n#!" in text:
            yield from _heredocs(view, _WRITTEN, 1)
    yield from _encoded(view)
