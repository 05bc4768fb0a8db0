"""Files that programs in Python and JavaScript run or load by constants of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.places import UNKNOWN, Base
from sluicegate.vet.inspect.ordered.reading import FILE_BELOW, Order, leaves
from sluicegate.vet.inspect.ordered.runs import FileRun, runs
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_CALL = lazy(
    r"(?:subprocess\.\w{2,14}|os\.(?:system|popen|exec\w{1,3}|spawn\w{1,3}|startfile)|\b(?:check_output|check_call|Popen|execSync|execFileSync|execFile|exec"
    r"|spawnSync|spawn|execa|fork|system|getoutput|run_path|exec_file))\(\s*"
)
_CALLERS = (
    "subprocess",
    "os.",
    "exec",
    "spawn",
    "system",
    "Popen",
    "check_",
    "fork(",
    "getoutput",
    "run_path",
)
"""One of them stands in every call."""
_LITERAL = lazy(r"""[rbfuRBFU]{0,2}("(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){0,400}'|`[^`]{0,400}`)""")
_LIST_END = lazy(r"[\])\n]{1,2}\s*[,)]|\)\s*$", re.MULTILINE)
_TAKES_PATH = {"run_path": "python", "fork": "node", "exec_file": "", "startfile": ""}
"""Calls that run a file, and what reads it."""
_REQUIRED = lazy(
    r"""(?:\b(?:require|import)\(\s*|\bfrom\s+|\bimport\s+|__DIR__\s*\.\s*|\b(?:load|require_relative|dofile)\s*\(?\s*)["']((?:\./)?\.\./[^"'\n]{1,300})["']"""
)
_OPENED = lazy(
    r"""\b(?:exec|eval|compile)\(\s*(?:open|Path|readFileSync|fs\.readFileSync)\(\s*["']([^"'\n]{1,300})["']"""
)
_WINDOW = 600
"""Characters behind the beginning of a call in which its constants are looked for."""


def of_program(view: View, names: frozenset[str] = frozenset()) -> Iterator[Order]:
    """Files that a program in Python or JavaScript starts by constants, and those above the skill that it loads.

    With ``names``, a text that may hold one of these is read, whatever its paths look like.
    """
    text = view.text
    if not names and FILE_BELOW.search(text) is None and not leaves(text):
        return
    for found in _CALL.finditer(text) if one_of(_CALLERS, text) else ():
        window = text[found.end() : found.end() + _WINDOW]
        for run in _called(found[0], window, every=bool(names)):
            yield Order(run.path, view, found.start(), found.end(), Base.SKILL, run.by)
    for pattern, hints in ((_REQUIRED, ("../",)), (_OPENED, ("open(", "Path(", "readFileSync("))):
        for found in pattern.finditer(text) if one_of(hints, text) else ():
            yield Order(found[1], view, found.start(), found.end(), Base.SKILL)


def _called(call: str, window: str, *, every: bool = False) -> list[FileRun]:
    """The files among the constants of a call."""
    first = _LITERAL.match(window)
    name = call.rstrip("( \n\t").rpartition(".")[2]
    if first is not None and not window[first.end() :].lstrip().startswith(","):
        body = first[1][1:-1]
        return [FileRun(body, _TAKES_PATH[name])] if name in _TAKES_PATH else of_command(body, every=every)
    if first is None and not window.startswith(("[", "sys.executable", "(")):
        return []
    words: list[str] = []
    at = 0
    while at < len(window) and len(words) < 16:
        char = window[at]
        literal = _LITERAL.match(window, at)
        if literal is not None:
            words.append(UNKNOWN if "f" in literal[0][:2].lower() and "{" in literal[0] else literal[1][1:-1])
            at = literal.end()
        elif char in "])\n" and char != "\n":
            if not window[at + 1 : at + 2].strip(", "):
                break
            break
        elif window.startswith("sys.executable", at):
            words.append("python")
            at += 14
        elif window.startswith("process.execPath", at):
            words.append("node")
            at += 16
        elif char.isalpha() or char == "_":
            stop = at
            while stop < len(window) and (window[stop].isalnum() or window[stop] in "_."):
                stop += 1
            words.append(UNKNOWN)
            if window[stop : stop + 1] == "(":
                break
            at = stop
        else:
            at += 1
    if len(words) == 1 and " " in words[0]:
        return of_command(words[0], every=every)
    return [run for run in runs(words) if run.path and UNKNOWN not in run.path] if words else []


def of_command(line: str, *, every: bool = False) -> list[FileRun]:
    """The files that one command line runs; ``every``: also where no path in it looks like that of a program."""
    if not every and FILE_BELOW.search(line) is None and not leaves(line):
        return []
    from sluicegate.known.shell.reader import Reader

    found: list[FileRun] = []
    for command in Reader(line).read().commands[:64]:
        if command.words:
            found += runs(command.words)
    return [run for run in found if "$" not in run.path or run.path.startswith("$HOME")]
