"""Files that programs in Python and JavaScript run or load by constants of theirs."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect
from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.commands.runs import FileRun, is_program, runs
from sluicegate.vet.inspect.ordered.expressions import (
    LITERAL,
    WINDOW,
    Variables,
    arguments,
    closing,
    inner,
    value,
)
from sluicegate.vet.inspect.ordered.orders import Order
from sluicegate.vet.inspect.ordered.places import HERE, OF_USERS, UNKNOWN, Base, BundlePaths
from sluicegate.vet.inspect.ordered.prefilter import (
    ANY_NAME,
    CALLERS,
    FILE_BELOW,
    LOADS_BY_NAME,
    PROGRAM,
    leaves,
    program_may_run,
)
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

MOST = 5000
"""Calls of one program that are read; a program with more leaves a gap."""
_CALL = lazy(
    r"(?:subprocess\.\w{2,14}|os\.(?:system|popen|exec\w{1,3}|spawn\w{1,3}|startfile)|\b(?:check_output|check_call|Popen|execSync|execFileSync|execFile|exec"
    r"|spawnSync|spawn|execa|fork|system|getoutput|run_path|exec_file))\(\s*+"
)
_TAKES_PATH = {"run_path": "python", "fork": "node", "exec_file": "", "startfile": ""}
"""Calls that run a file, and what reads it."""
_TAKES_LINE = frozenset({"exec", "execSync", "system", "popen", "getoutput", "run_path", "fork"})
"""Calls of which the first argument is all that they run."""
_OPTIONS = lazy(r",\s*+(?:[a-z_]\w*+\s*+=(?!=)|\{)")
"""What follows the first argument of a call where that is the whole command."""
_RUNNER = lazy(r"(?:child_?process[\"']?\)?|\bcp)\.$", re.IGNORECASE)
"""What stands before a method where it is not one of a regular expression."""
_REQUIRED = lazy(r"(?:\b(?:require|import)\(|\bfrom[ \t]++(?=[\"'])|(?:^|\n)[ \t]*+import[ \t]++(?=[\"']))")
_TYPES = lazy(r"\b(?:import|export)\s{1,4}type\b[^;\"'`]{1,500}\bfrom\s{1,4}$")
_LOADED = lazy(
    r"\b(?:(?P<content>eval|exec|compile|_compile|runIn\w{1,20}Context)|CDLL|WinDLL|PyDLL|LoadLibrary|ffi\.Library|koffi\.load"
    r"|(?P<folder>sys\.path\.(?:append|insert))|(?P<module>run_module|import_module)"
    r"|(?P<second>spec_from_file_location|SourceFileLoader|load_source|load_dynamic|process\.dlopen)|dlopen)\(\s*+"
)
"""Calls that load code: from what stands in a file, from a file, from the files of a folder. Some take another argument first."""
_OPENS = lazy(
    r"(?:open|(?:pathlib\.)?Path|(?:fs\.)?readFileSync)\(|([A-Za-z_$][\w$]*+)(?:\.read\(\))?\s*+[,)]"
)
"""The argument of a call, where it is what stands in a file."""
_WRITES = lazy(r"(?:\bopen\(|\bwriteFile(?:Sync)?\(|\b([A-Za-z_]\w*+)\.write_(?:text|bytes)\()")
_FOLDER_OF_CALL = lazy(r"\bcwd[ \t]{0,4}[=:][ \t]{0,4}")
_ELSEWHERE = ("..", "/", "~", HERE)
"""How a folder begins that is not the one where the agent works, nor below it."""
_FOLDER_OF_ALL = lazy(r"\b(?:os|process)\.chdir\(\s*+")
_HOME_AS_ALIAS = ('"~', "'~", "`~")
"""How a module begins that is named by an alias; no loader takes it for the home folder."""
_COMMENT = 5000
"""Characters before a line in which the beginning of the comment is looked for in which it stands."""
_INSIDE = (" inline program", " here-document")
"""How the steps are called by which a program is taken out of a command."""
_KEY = lazy(r"[\"']((?:\.\.?/)[^\"'\n]{1,300})[\"']:")


_OF_SYSTEM = lazy(
    r"^lib[\w+-]{1,40}\.(?:so|dylib)$|^(?:kernel32|user32|advapi32|ntdll|shell32|shlwapi|ole32|oleaut32|gdi32|ws2_32|psapi|winmm|crypt32|bcrypt|msvcrt"
    r"|ucrtbase|dwmapi|setupapi|wintrust|netapi32|iphlpapi|dbghelp|comctl32|comdlg32|version|secur32|wininet|winhttp|powrprof|userenv|wtsapi32|uxtheme|shcore)\.dll$",
    re.IGNORECASE,
)
"""Libraries that a loader looks for where those of the machine are."""
_CODE = lazy(r"\.(?:py|pyw|so|dylib|dll|pyd|js|mjs|cjs|node)$")
_RELATIVE_IMPORT = lazy(
    r"(?m)^[ \t]*+from[ \t]++(?P<dots>\.{1,8})(?P<module>[\w.]*+)[ \t]++import[ \t]++(?P<names>\([^()]{1,2000}\)|[^\n#;(]{1,500})"
)


def of_imports(view: View, places: BundlePaths) -> Iterator[Order]:
    """Modules beside a program in Python that it imports by their place, and that the skill does not have.

    A name that is imported from a folder with an ``__init__.py`` may be any name in that.
    """
    if OF_USERS.search(view.path) is not None:
        return
    for found in _RELATIVE_IMPORT.finditer(view.text) if "from ." in view.text else ():
        up = "../" * (len(found["dots"]) - 1)
        module = found["module"].replace(".", "/")
        folder = posixpath.normpath(posixpath.join(view.path.rpartition("/")[0], up, module)).removeprefix(
            "./"
        )
        if module:
            wanted = [] if _is_module(folder, places) else [f"{up}{module}.py"]
        elif places.known(posixpath.join(folder, "__init__.py")):
            wanted = []
        else:
            names = (name.split()[0] for name in found["names"].strip("() \n").split(",") if name.split())
            wanted = [
                f"{up}{name}.py"
                for name in names
                if name.isidentifier()
                and not _is_module(posixpath.normpath(posixpath.join(folder, name)), places)
            ]
        for path in wanted:
            yield Order(path, view, found.start(), found.end(), Base.SCRIPT, "python")


def _is_module(path: str, places: BundlePaths) -> bool:
    """Whether the skill has a module of Python under a path without suffix: a file, or a folder."""
    return path in places.folders or any(
        places.known(path + suffix) for suffix in (".py", ".pyi", ".pyx", ".so")
    )


def is_inside_command(view: View) -> bool:
    """Whether a program stands in the command that runs it: ``python -c``, or behind ``<<``. A sentence or file holds that."""
    return (
        bool(view.origin) and view.origin[-1].kind == "command" and view.origin[-1].detail.endswith(_INSIDE)
    )


class ProgramText:
    """The orders of one program in Python or JavaScript: what it starts or loads by constants.

    With ``names``, a text that may hold one of these is read, whatever its paths look like. A program that a text shows
    stands nowhere yet: what it names from its own folder is the user's.
    """

    def __init__(self, view: View, names: frozenset[str] = frozenset()) -> None:
        self._view = view
        self._every = bool(names)
        self._left = MOST
        self.orders: list[Order] = []
        if not (names or program_may_run(view.text) or one_of(LOADS_BY_NAME, view.text)):
            return
        self._held = Variables(view.text)
        shown = bool(view.origin) and view.origin[-1].kind == "fence"
        self._stands = (
            not view.origin
        )  # a file of the skill: what it loads by a bare name is to stand beside it
        self._inside = is_inside_command(view)
        found = [
            order
            for order in self._ordered()
            if not (shown and (order.path.startswith(HERE) or order.base is Base.MODULE))
        ]
        written = self._written() if found else set()
        self.orders = [order for order in found if order.path not in written]

    @property
    def partial(self) -> bool:
        """Whether there were more calls than are read."""
        return self._left < 0

    def _ordered(self) -> Iterator[Order]:
        if one_of(CALLERS, self._view.text):
            yield from self._started()
        yield from self._loaded()
        if self._view.language is not Kind.PYTHON:
            yield from self._required()

    def _order(self, path: str, call: re.Match[str], base: Base = Base.SKILL, by: str = "") -> Order:
        return Order(path, self._view, call.start(), call.end(), base, by)

    def _calls(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The calls of a kind, but for those in comments, as far as the bound reaches."""
        text = self._view.text
        for found in pattern.finditer(text):
            if _commented(text, found.start(), python=self._view.language is Kind.PYTHON):
                continue
            self._left -= 1
            if self._left < 0:
                return
            yield found

    def _arguments(self, call: re.Match[str]) -> list[str]:
        return arguments(self._view.text[call.end() : call.end() + WINDOW], 0, self._held)[0]

    # -- what is started -------------------------------------------------------------------------------------

    def _started(self) -> Iterator[Order]:
        text = self._view.text
        moves = list(self._calls(_FOLDER_OF_ALL)) if "chdir(" in text else []
        moved = [each.end() for each in moves]
        for found in self._calls(_CALL):
            window = text[found.end() : found.end() + WINDOW]
            if found[0].startswith("exec(") and _is_search(text, found, window):
                continue
            folder = self._folder(window)
            if not folder and (before := bisect(moved, found.start())):
                folder = next(iter(self._arguments(moves[before - 1])), "")
            unknown = UNKNOWN in inner(folder)  # where it runs, such a file may be
            folder = folder if folder.startswith(_ELSEWHERE) and UNKNOWN not in inner(folder) else ""
            given = found[0].startswith("run_path")
            for run in self._of_call(found[0], window, every=self._every or bool(folder)):
                near = given and self._stands and not folder and "/" not in run.path
                base = Base.COMMAND if is_program(run) and not unknown else Base.SKILL
                base = Base.SCRIPT if near and _CODE.search(run.path) is not None else base
                yield self._order(_below(folder, run.path), found, base, run.by)

    def _folder(self, window: str) -> str:
        """The folder in which a call says that it starts its program."""
        end = closing(window, 0) if "cwd" in window else 0
        found = _FOLDER_OF_CALL.search(window, 0, end)
        given = value(window, found.end(), self._held) if found is not None else None
        return "" if given is None else given.text

    def _of_call(self, call: str, window: str, *, every: bool) -> list[FileRun]:
        """The files among the constants of a call."""
        first = value(window, 0, self._held)
        name = call.rstrip("( \n\t").rpartition(".")[2]
        known = first is not None and UNKNOWN not in first.text.replace(HERE, "")
        if first is not None and known and (name in _TAKES_LINE or not self._several(window, first.end)):
            if name in _TAKES_PATH:
                return [FileRun(first.text, _TAKES_PATH[name])]
            return runs(first.text.split()) if HERE in first.text else of_command(first.text, every=every)
        if not known and not window.startswith(("[", "sys.executable", "(")):
            return []
        words = self._words(window)
        if len(words) == 1 and " " in words[0]:
            return of_command(words[0], every=every)
        return [run for run in runs(words) if run.path and UNKNOWN not in inner(run.path)] if words else []

    def _several(self, window: str, end: int) -> bool:
        """Whether words follow the first: more arguments that are not options of the call."""
        rest = window[end : end + 80].lstrip()
        return rest.startswith(",") and _OPTIONS.match(rest) is None

    def _words(self, window: str) -> list[str]:
        """The words of a call, up to the end of its list."""
        words: list[str] = []
        at = 0
        while at < len(window) and len(words) < 16:
            char = window[at]
            if char in "])":
                break
            given = value(window, at, self._held) if char.isalpha() or char in "_$\"'`" else None
            if given is None:
                at += 1
                continue
            words.append(given.text)
            if given.text == UNKNOWN and window[given.end - 1 : given.end] == ")":
                break  # what a call gives may be any number of words
            at = given.end
        return words

    # -- what is loaded --------------------------------------------------------------------------------------

    def _loaded(self) -> Iterator[Order]:
        for found in self._calls(_LOADED):
            if found["content"] and not self._of_file(found.end()):
                continue
            given = self._arguments(found)
            place = 1 if found["second"] or found[0].startswith("sys.path.insert") else 0
            path = given[place] if len(given) > place else ""
            outside = path.startswith(("../", "~", "/", HERE)) or not found["folder"]
            if UNKNOWN in inner(path) or not outside:
                continue
            if found["module"]:
                if "." in path.strip("."):
                    yield self._order(path.replace(".", "/"), found)
            elif self._inside and not path.startswith(_ELSEWHERE) and _CODE.search(path) is not None:
                if _OF_SYSTEM.search(path) is not None:
                    continue
                yield self._order(path, found, Base.COMMAND)  # from where the command is run
            elif "/" in path and not (path.startswith("./") and self._stands):
                yield self._order(path, found)
            elif self._stands and _CODE.search(path) is not None and _OF_SYSTEM.search(path) is None:
                yield self._order(path, found, Base.SCRIPT)

    def _of_file(self, at: int) -> bool:
        """Whether the argument that begins here is what stands in a file."""
        found = _OPENS.match(self._view.text, at, at + WINDOW)
        return found is not None and (found[1] is None or self._held.read(found[1]))

    def _required(self) -> Iterator[Order]:
        """Modules that a program of JavaScript loads by their path."""
        text = self._view.text
        packed: set[str] | None = None
        for found in self._calls(_REQUIRED):
            window = text[found.end() : found.end() + WINDOW]
            given = value(window, 0, self._held)
            if given is None or _TYPES.search(text, max(0, found.start() - WINDOW), found.end()) is not None:
                continue
            path = given.text.removeprefix("file://")
            if path.startswith(("./", "../", HERE)):
                if packed is None:
                    packed = {key[1] for key in _KEY.finditer(text)}
                if path not in packed:  # what a bundler packed, it has
                    yield self._order(path, found, Base.MODULE)
            elif path.startswith(("/", "~")) and not window.lstrip().startswith(_HOME_AS_ALIAS):
                yield self._order(path, found)

    def _written(self) -> set[str]:
        """The files that a program writes by paths that it puts together."""
        found = set[str]()
        for call in self._calls(_WRITES):
            if call[1]:
                found.add(self._held.get(call[1]))
                continue
            given = self._arguments(call)
            if given and (call[0] != "open(" or (len(given) > 1 and given[1][:1] in ("w", "a", "x"))):
                found.add(given[0])
        return found - {UNKNOWN}


def _is_search(text: str, call: re.Match[str], window: str) -> bool:
    """Whether a call of ``exec`` is the method of a regular expression."""
    at = call.start()
    if text[at - 1 : at] != "." or LITERAL.match(window) is not None:
        return False
    return _RUNNER.search(text, max(0, at - 40), at) is None


def _commented(text: str, at: int, *, python: bool) -> bool:
    """Whether a place stands in a comment that begins its line."""
    line = text.rfind("\n", max(0, at - WINDOW), at) + 1
    if not line and at > WINDOW:
        return False
    head = text[line:at].lstrip()
    if python or head.startswith("//"):
        return head.startswith("#" if python else "//")
    if head.startswith("*") and text.rfind("/*", max(0, line - _COMMENT), line) <= text.rfind(
        "*/", max(0, line - _COMMENT), line
    ):
        return False
    return head.startswith(("/*", "*")) and "*/" not in head


def _below(folder: str, path: str) -> str:
    """A path as it stands, or below the folder in which it is started."""
    if not folder or path.startswith(("/", "~", HERE)):
        return path
    head = HERE if folder.startswith(HERE) else ""
    return head + posixpath.normpath(posixpath.join(inner(folder), path))


def of_command(line: str, *, every: bool = False) -> list[FileRun]:
    """The files that one command line runs; ``every``: also where no path in it looks like that of a program."""
    looks = FILE_BELOW.search(line) or PROGRAM.search(line) or ANY_NAME.search(line)
    if not every and looks is None and not leaves(line):
        return []
    from sluicegate.known.shell.reader import Reader

    found: list[FileRun] = []
    for command in Reader(line).read().commands[:64]:
        if command.words:
            found += runs(command.words)
    return [run for run in found if "$" not in run.path or run.path.startswith("$HOME")]
