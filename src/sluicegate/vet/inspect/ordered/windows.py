"""Files that batch files and PowerShell scripts run or load by paths that they put together.

Each line is read for itself: its words, with what is known of variables, then what its command runs. Backslashes are
read as slashes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from sluicegate.vet.inspect.ordered.commands.runs import NAMED, FileRun, base_name, is_program, runs
from sluicegate.vet.inspect.ordered.orders import Order
from sluicegate.vet.inspect.ordered.places import HERE, UNKNOWN, Base
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

MOST = 20_000
"""Lines of one script that are read; a script with more leaves a gap."""
_LONGEST = 2000
"""Characters of one line that are read."""
_WORDS = 64
"""Words of one command that are read."""
_BATCH_WORD = lazy(r"\"([^\"]*+)\"?([^\s\"]*+)|([^\s\"]++)(?:\"([^\"]*+)\"?)?")
_BATCH_BETWEEN = lazy(r"&&?|\|\|?")
_BATCH_COMMENT = lazy(r"\s*+(?:@?rem\b|::)", re.IGNORECASE)
_BATCH_SET = lazy(r"\s*+@?set\s++\"?([A-Za-z_]\w*+)=([^\"]*+)", re.IGNORECASE)
_BATCH_VARIABLE = lazy(r"%(~dp0|~f0|[A-Za-z_]\w*+)%?\\?|!([A-Za-z_]\w*+)!\\?")
_BATCH_KNOWN = {"~dp0": HERE, "~f0": HERE, "userprofile": "~/", "homepath": "~/", "homedrive": "", "cd": ""}
_BEFORE = frozenset({"call", "start", "@", "else", "do", "then"})
_SET = lazy(r"\s*+\$(?:(?:script|global|local):)?(\w++)\s*+=(?!=)\s*+", re.IGNORECASE)
_TOKEN = lazy(r"\"([^\"]*+)\"?|'([^']*+)'?|([&.|;](?=[\s\"'(]))|([()])|([^\s\"'()|;,]++)|(,)|([|;])")
_VARIABLE = lazy(r"\$(?:\{?(env:\w++|\w++)\}?)(?:/|(?=[^\w(.]|$))", re.IGNORECASE)
_OWN_PATH = lazy(
    r"\$PSCommandPath|\$(?:script:)?MyInvocation\.MyCommand\.(?:Path|Definition|Source)", re.IGNORECASE
)
_KNOWN = {"psscriptroot": HERE, "home": "~/", "env:userprofile": "~/", "env:home": "~/"}
_LOADS = frozenset(
    "& . import-module ipmo using-module invoke-expression iex start-process saps start invoke-item ii".split()
)
"""Commands of PowerShell that run or load the file that they are given."""
_READERS = frozenset({"get-content", "gc", "cat", "type"})
_GOES = frozenset({"cd", "chdir", "pushd", "set-location", "sl", "push-location"})


def of_windows(view: View) -> tuple[list[Order], bool]:
    """The orders of a script, and whether it has more lines than are read.

    A script that a text shows stands nowhere yet: what it names from its own folder is the user's.
    """
    reader = _Script(view)
    start = 0
    for number, line in enumerate(view.text.split("\n")):
        if number == MOST:
            return reader.orders, True
        reader.line(line[:_LONGEST].rstrip("\r"), start, start + len(line))
        start += len(line) + 1
    return reader.orders, False


class _Script:
    def __init__(self, view: View) -> None:
        self._view = view
        self._shown = bool(view.origin) and view.origin[-1].kind == "fence"
        self._values: dict[str, str] = {}
        self._folder = ""
        self.orders: list[Order] = []

    def line(self, line: str, start: int, end: int) -> None:
        """Read one line, which stands between two offsets of the view."""
        if self._view.language is Kind.BATCH:
            commands = self._batch(line)
        else:
            commands = self._powershell(line.replace("\\", "/"))
        for words in commands:
            for run in self._command(words):
                self._order(run, start, end)

    def _command(self, words: list[str]) -> list[FileRun]:
        """The files that a command runs, and the folder to which it goes."""
        name = base_name(words[0]) if words else ""
        if name in _GOES:
            given = next((word for word in words[1:] if word.lower() != "/d"), "")
            self._folder = (
                _normal(_below(self._folder, given)) if UNKNOWN not in given.removeprefix(HERE) else UNKNOWN
            )
            return []
        if words and "/" not in words[0] and NAMED.search(words[0]) is not None and self._folder:
            return [FileRun(words[0])]
        return runs(words)

    def _assign(self, name: str, value: str) -> None:
        known = value and len(value) <= _LONGEST and UNKNOWN not in value.removeprefix(HERE)
        self._values[name.lower()] = value if known else UNKNOWN

    def _order(self, run: FileRun, start: int, end: int) -> None:
        path = _normal(_below(self._folder, run.path))
        option = path.startswith("/") and (":" in path or path.count("/") == 1)  # in a line that goes on
        option = option or path.startswith("%")
        if option or UNKNOWN in path.removeprefix(HERE) or (self._shown and path.startswith(HERE)):
            return
        named = "/" in path or NAMED.search(path) is not None
        if named and not path.startswith("//"):
            base = Base.COMMAND if is_program(run) else Base.PROJECT if path.startswith("./") else Base.SKILL
            self.orders.append(Order(path, self._view, start, end, base, run.by))

    # -- batch -----------------------------------------------------------------------------------------------

    def _batch(self, line: str) -> Iterator[list[str]]:
        if _BATCH_COMMENT.match(line) is not None:
            return
        line = _BATCH_VARIABLE.sub(self._of_batch, line)
        assigned = _BATCH_SET.match(line)
        if assigned is not None:
            self._assign(assigned[1], assigned[2].strip().replace("\\", "/"))
            return
        for part in _BATCH_BETWEEN.split(line):
            words = ["".join(filter(None, found.groups())) for found in _BATCH_WORD.finditer(part)][:_WORDS]
            words = [
                word.replace("\\", "/") for word in words if word[:1] != "/"
            ]  # with a slash begin options
            called = False
            while words and words[0].lstrip("@").lower() in _BEFORE:
                starts = words[0].lower() == "start"
                called = True
                words = words[1:]
                while starts and words and (not words[0] or " " in words[0]):
                    words = words[1:]  # a title
            if words and called and NAMED.search(words[0]) is not None and "/" in words[0]:
                yield words[:1]
            elif words:
                yield [words[0].lstrip("@"), *words[1:]]

    def _of_batch(self, found: re.Match[str]) -> str:
        name = (found[1] or found[2]).lower()
        held = self._values.get(name, _BATCH_KNOWN.get(name))
        return (
            UNKNOWN
            if held is None
            else held + ("\\" if held and not held.endswith("/") and found[0].endswith("\\") else "")
        )

    # -- PowerShell ------------------------------------------------------------------------------------------

    def _powershell(self, line: str) -> Iterator[list[str]]:
        if line.lstrip().startswith("#"):
            return
        line = _OWN_PATH.sub(lambda _: f"{HERE}__file__", line)
        assigned = _SET.match(line)
        if assigned is not None:
            given = self._tokens(line[assigned.end() :])
            value = given[0] if len(given) == 1 else _of_call(given)
            self._assign(assigned[1], _normal(value))
            return
        words: list[str] = []
        for word in [*self._tokens(line), "|"]:
            if word in ("|", ";"):
                yield from self._loads(words)
                words = []
            elif len(words) < _WORDS:
                words.append(word)

    def _loads(self, words: list[str]) -> Iterator[list[str]]:
        """A command, or the file alone where it is one that runs what it is given."""
        if words[:2] == ["using", "module"]:
            words = ["using-module", *words[2:]]
        if not words:
            return
        if words[0].lower() not in _LOADS:
            yield words
            return
        rest = [word for word in words[1:] if not word.startswith("-")]
        if rest and base_name(rest[0]) in _READERS:  # iex (Get-Content x -Raw)
            rest = rest[1:]
        if rest and ("/" in rest[0] or NAMED.search(rest[0]) is not None):
            yield rest[:1] if "/" in rest[0] else [f"./{rest[0]}"]
        elif rest:
            yield rest

    def _tokens(self, line: str) -> list[str]:
        """The words of a line; a call in brackets is one, by what it comes to."""
        stack: list[list[str]] = [[]]
        for found in _TOKEN.finditer(line):
            quoted, plain, mark, bracket, word = found[1], found[2], found[3], found[4], found[5]
            if bracket == "(":
                stack.append([])
            elif bracket == ")":
                if len(stack) > 1:
                    inside = stack.pop()
                    value = _of_call(inside)
                    stack[-1].extend([value] if value else inside)
            elif mark or found[7]:
                stack[-1].append(mark or found[7])
            elif plain is not None:
                stack[-1].append(plain)
            elif quoted is not None or word is not None:
                stack[-1].append(_VARIABLE.sub(self._of_powershell, quoted if quoted is not None else word))
        return [word for part in stack for word in part]

    def _of_powershell(self, found: re.Match[str]) -> str:
        name = found[1].lower()
        held = self._values.get(name, _KNOWN.get(name))
        return (
            UNKNOWN
            if held is None
            else held + ("/" if found[0].endswith("/") and not held.endswith("/") else "")
        )


def _of_call(words: list[str]) -> str:
    """The path to which a call comes: ``Join-Path a b``, ``Split-Path -Parent a``, ``Resolve-Path a``; none for others."""
    name = words[0].lower() if words else ""
    rest = [word for word in words[1:] if not word.startswith("-")]
    if not rest:
        return ""
    if name in ("join-path", "[io.path]::combine", "[system.io.path]::combine"):
        return UNKNOWN if any(UNKNOWN in part.removeprefix(HERE) for part in rest) else _joined(rest)
    if name == "split-path":
        return f"{_normal(rest[0]).rstrip('/')}/.." if rest[0] != f"{HERE}__file__" else HERE
    return rest[0] if name in ("resolve-path", "rvpa", "get-item", "gi") else ""


def _joined(parts: list[str]) -> str:
    out = parts[0]
    for part in parts[1:]:
        out = f"{out.rstrip('/') if out != HERE else out}{'' if out == HERE else '/'}{part.lstrip('/')}"
    return out


def _below(folder: str, path: str) -> str:
    if not folder or path.startswith(("/", "~", HERE, UNKNOWN)):
        return path
    return _joined([folder, path])


def _normal(path: str) -> str:
    """A path without steps that cancel each other; ``./`` at its beginning stays."""
    head = HERE if path.startswith(HERE) else ""
    rest = path[len(head) :].lstrip("/") if head else path
    if head and rest:
        return head + posixpath.normpath(rest)
    return path if head or not path.startswith("../") else posixpath.normpath(path)
