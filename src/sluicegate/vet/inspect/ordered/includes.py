"""Files that programs in Ruby, Perl, PHP, Lua and R run or load by constants of theirs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from sluicegate.vet.inspect.ordered.calls import MOST, is_inside_command, of_command
from sluicegate.vet.inspect.ordered.commands.runs import NAMED, OTHER, FileRun, is_program, runs
from sluicegate.vet.inspect.ordered.expressions import WINDOW, Variables, inner, value
from sluicegate.vet.inspect.ordered.orders import Order
from sluicegate.vet.inspect.ordered.places import HERE, OF_USERS, UNKNOWN, Base
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_COMMENTS = {Kind.LUA: ("--",), Kind.PHP: ("#", "//", "*", "/*")}
_LOADS = lazy(
    r"(?<![\w$>.:-])(?:require_relative|require_once|include_once|require|include|load|do|dofile|loadfile|package\.loadlib|source|sys\.source|use[ \t]++lib|autoload)"
    r"\b[ \t]*+\(?[ \t]*+(?=[\"'$A-Za-z_(])"
)
"""What loads a program, up to its path."""
_RUNS = lazy(
    r"(?<![\w$>-])(?:system2?|exec|spawn|popen|shell_exec|passthru|proc_open|os\.execute|io\.popen|IO\.popen|Open3\.\w{6,9}|qx|`)"
    r"(?:(?<=`)|[ \t]*+\(?[ \t]*+(?:c\()?(?=[\"'$A-Z_f{]))"
)
"""What runs a command, up to its line."""
_LINE = lazy(r"([^`\n]{1,400})`")
_BRACED = lazy(r"[{(\[|!]([^})\]|!\n]{1,400})[})\]|!]")
_WORDS = lazy(r"\s*+,\s*+([\"'])([^\"'\n]{1,300})\1")
_OWN_FOLDER = lazy(r"^(?:\$\{?FindBin::(?:Real)?Bin\}?|#\{__dir__\}|#\{File\.dirname\(__FILE__\)\})/")
_HOME = lazy(
    r"^(?:#\{Dir\.home\}|\$ENV\{[\"']?HOME[\"']?\}|#\{ENV\[[\"']HOME[\"']\]\}|#\{ENV\.fetch\([\"']HOME[\"']\)\})/"
)
_OUT = ("../", "/", "~/", HERE)
_FETCHED = lazy(r"(?:^|/)(?:vendor|bundle|node_modules|renv)/")
"""Folders that an installer of packages fills."""
_HELD = lazy(r"[#$]\{|\\0|[$@]\w")
"""What a string is filled with that is not known here."""


def of_script(view: View) -> tuple[list[Order], bool]:
    """The orders of a program, and whether it has more calls than are read.

    A program that a text shows stands nowhere yet: what it names from its own folder is the user's.
    """
    shown = bool(view.origin) and view.origin[-1].kind == "fence"
    near = is_inside_command(view) or (not view.origin and OF_USERS.search(view.path) is None)
    text, names, left = view.text, Variables(view.text), MOST
    orders: list[Order] = []
    for pattern, read in ((_LOADS, _loaded), (_RUNS, _run)):
        for found in pattern.finditer(text):
            line = text.rfind("\n", max(0, found.start() - WINDOW), found.start()) + 1
            if (
                text[line : found.start()]
                .removeprefix("<?php")
                .lstrip()
                .startswith(_COMMENTS.get(view.language, ("#",)))
            ):
                continue
            left -= 1
            if left < 0:
                return orders, True
            window = text[found.end() : found.end() + WINDOW]
            for run in read(found[0], window, names, near=near):
                if not (shown and run.path.startswith(HERE)):
                    base = Base.COMMAND if is_program(run) else Base.SKILL
                    orders.append(Order(run.path, view, found.start(), found.end(), base, run.by))
    return orders, False


def _loaded(call: str, window: str, names: Variables, *, near: bool) -> Iterator[FileRun]:
    """The program that a call loads; one behind ``require_relative`` is named from the file in which it stands.

    ``near``: a path that starts nowhere is meant too, from where the program stands or is run.
    """
    given = value(window, 0, names)
    path = _placed(given.text) if given is not None else ""
    if call.startswith("require_relative") and not path.startswith(_OUT):
        path = HERE + path
    elif call.startswith("require_relative") and path.startswith("../"):
        path = HERE + path
    if (
        near
        and not path.startswith(_OUT)
        and path
        and _HELD.search(path) is None
        and _FETCHED.search(path) is None
    ):
        if (path.startswith("./") or NAMED.search(path) or OTHER.search(path)) and UNKNOWN not in inner(path):
            # A path with a folder is looked for among installed packages, too: PHP's include path, Perl's @INC.
            yield FileRun(path, given="/" in path.removeprefix("./") and not path.startswith("./"))
    if path.startswith(_OUT) and UNKNOWN not in inner(path) and _HELD.search(path) is None:
        yield FileRun(path, given=True)


def _run(call: str, window: str, names: Variables, *, near: bool) -> Iterator[FileRun]:
    """The files that a command runs, which stands in one string or in several."""
    pattern = _LINE if call == "`" else _BRACED if call.startswith("qx") else None
    if pattern is not None:
        found = pattern.match(window)
        line = found[1] if found is not None else ""
    else:
        given = value(window, 0, names)
        line = given.text if given is not None else ""
        at = given.end if given is not None else 0
        while (more := _WORDS.match(window, at)) is not None:
            line, at = f"{line} {more[2]}", more.end()
    words = [_placed(word) for word in line.split(" ")]
    if UNKNOWN in inner(line) or any(UNKNOWN in inner(word) for word in words):
        return
    folder = any(word.startswith(HERE) for word in words)
    for run in runs(words) if folder else of_command(" ".join(words)):
        if _HELD.search(run.path) is None:
            yield run


def _placed(path: str) -> str:
    """A path whose beginning is said in the way of the language; steps that cancel each other are taken out."""
    path = _HOME.sub("~/", _OWN_FOLDER.sub(lambda _: HERE, path))
    if path.startswith(HERE) and path != HERE:
        return HERE + posixpath.normpath(inner(path).lstrip("/"))
    return path
