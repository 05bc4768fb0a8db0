"""What texts and scripts order to run, and what they make first: read from commands, calls and sentences."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluicegate.known import places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.places import (
    HERE,
    HERE_VARIABLE,
    OWN,
    OWN_VARIABLE,
    UNKNOWN,
    Base,
    BundlePaths,
)
from sluicegate.vet.inspect.ordered.runs import SUFFIX, FileRun, base_name, files, runs
from sluicegate.vet.intake.content.suffixes import DATA_SUFFIXES, suffix_of
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom

if TYPE_CHECKING:
    from sluicegate.known.shell.script import Script, ScriptCommand, Word

_FILE_BELOW = lazy(rf"/[\w.-]*{SUFFIX}(?!\w)")
_FILE = lazy(rf"{SUFFIX}(?![\w/-]|\.\w)")
_IN_SCRIPTS = lazy(r"scripts/[\w-]++(?![.])")
GIVEN = lazy(
    r"(?<![\w./-])(?P<by>(?:ba|z|da|k|a|fi)?sh|python[\d.]{0,5}|node|perl|ruby|php|source|\.)[ \t]++(?:-[\w-]++[ \t]++)*+"
    r"[\"']?(?P<path>[\w~${}.-]*+(?:/[\w./-]++|(?<=\.)\w{2,10}(?![\w/]))|[\w-]++\.\w{2,10}(?![\w./]))"
)
"""What an interpreter is given: a path, or a name with a suffix."""
_ABSOLUTE = lazy(r"/(?:opt|home|Users|root|tmp|var|srv|mnt|private|Volumes)/")
_LEAVES = ("~/", "HOME", "XDG_")
_TILDE = lazy(r"~[a-z_][\w-]{0,40}/")
_UPWARDS = lazy(r"\.\.(?![\w.])(?<!\.\.\.)")
_IDLE = frozenset(
    "mkdir ls cat rm rmdir grep rg head tail less chmod chown stat du wc diff tree file vim nano #".split()
)
"""Commands that neither run a file nor make one."""
_SEVERAL = lazy(r"[|;&`<>]|\$\(")
_LISTS = frozenset({"ls", "find", "echo", "printf", "cat"})
_SHOWS = frozenset(
    {
        "cat",
        "tac",
        "head",
        "tail",
        "sed",
        "envsubst",
        "base64",
        "gunzip",
        "zcat",
        "xxd",
        "openssl",
        "tr",
        "rev",
    }
)
"""Commands that print what a file holds, as it is or unpacked."""
_LOADED_FROM = frozenset(
    "PYTHONPATH PYTHONSTARTUP NODE_PATH NODE_OPTIONS RUBYLIB RUBYOPT PERL5LIB PERL5OPT LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV ENV "
    "GIT_EXTERNAL_DIFF GIT_SSH GIT_ASKPASS SSH_ASKPASS".split()
)
"""Variables that name folders or files from which a program loads code."""
_DECLARES = frozenset({"export", "declare", "local", "readonly", "typeset"})
_OF_PATHS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@+-")
_COPIES = frozenset({"cp", "mv", "ln", "install", "rsync"})
_OUTPUTS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "aria2c": ("-o",),
    "gcc": ("-o",),
    "go": ("-o",),
}
_FOLDERS = {"unzip": ("-d",), "tar": ("-C", "--directory"), "bsdtar": ("-C",)}
_WRITTEN = frozenset({">", ">|", "&>", "1>"})
_READ = frozenset({"<", "0<"})
_SUBSTITUTED = lazy(r"dirname|BASH_SOURCE|\$0|realpath|readlink|\bpwd\b")
_BASE_OF_URL = lazy(r"([^/:]+?)(?:\.git)?/?$")
_ARCHIVE = lazy(r"\.(?:zip|tar|t?gz|tgz|bz2|xz|whl|skill)$")
_TAKES_PROGRAM = frozenset(
    {"eval", "source", ".", "sh", "bash", "zsh", "dash", "ksh", "python", "python3", "node", "perl", "ruby"}
)
_RUN_BY_SHELLS = frozenset({"eval", "source", ".", "xargs"})
_PROGRAM = lazy(rf"{SUFFIX}$")
_BY_THEMSELVES = frozenset({"hooks", "mcpServers", "mcp_servers", "mcp-servers", "servers", "lspServers"})
"""Tables of settings whose commands an agent runs by itself."""
STEPS = 400_000
"""Steps of reading commands for one skill; what is beyond is a gap."""


class Order(NamedTuple):
    """A file that the characters from ``start`` to ``end`` of a view order to run.

    ``base`` is what its path starts from. ``by`` is the name of what reads it: of an interpreter; none where the file is
    itself the command, or nobody says.
    """

    path: str
    view: View
    start: int
    end: int
    base: Base
    by: str = ""


class Made(NamedTuple):
    """A file, or a folder with all in it, that a command makes; ``source`` is what it is a copy of, if it is one."""

    path: str
    source: str = ""
    folder: bool = False


def runs_itself(view: View) -> bool:
    """Whether an agent runs the commands of a view by itself, as settings tell it to."""
    return bool(view.origin) and view.origin[-1].detail.partition(".")[0] in _BY_THEMSELVES


def leaves(text: str) -> bool:
    """Whether a path out of the skill may stand in a text."""
    return (
        any(word in text for word in _LEAVES)
        or _UPWARDS.search(text) is not None
        or _TILDE.search(text) is not None
        or _ABSOLUTE.search(text) is not None
    )


def may_run(text: str, places: BundlePaths) -> bool:
    """Whether a text of commands may order a file that the skill does not have; a name without a folder is none."""
    return (
        bool(places.beside)
        or (leaves(text) and not all(map(_idle, text.split("\n"))))
        or any(_may_be_absent(text, found, places) for found in _FILE_BELOW.finditer(text))
        or any(_given_absent(found, places) for found in GIVEN.finditer(text))
        or (
            "scripts/" in text
            and any(_may_be_absent(text, found, places) for found in _IN_SCRIPTS.finditer(text))
        )
    )


def _given_absent(found: re.Match[str], places: BundlePaths) -> bool:
    """Whether the word that an interpreter is given may be a file, of whatever suffix, that the skill does not have."""
    if "/" in found["path"]:
        return _may_miss(found["path"], places)
    return is_data(found["path"]) and not places.known(found["path"])


def is_data(path: str) -> bool:
    """Whether nobody expects a program under a name."""
    return suffix_of(path[path.rfind("/") + 1 :].lower()) in DATA_SUFFIXES


def _idle(line: str) -> bool:
    """Whether a line is one command that runs nothing and makes no file, or stays within the skill."""
    return not leaves(line) or (
        line.split(None, 1)[0] in _IDLE and _SEVERAL.search(line) is None and not line.endswith("\\")
    )


def _may_be_absent(text: str, found: re.Match[str], places: BundlePaths) -> bool:
    """Whether the path of which this is the end is no file of the skill, and may be taken for one."""
    start, least = found.start(), max(0, found.start() - 200)
    while start > least and text[start - 1] in _OF_PATHS:
        start -= 1
    return _may_miss(text[start : found.end()], places)


def _may_miss(path: str, places: BundlePaths) -> bool:
    if places.known(path.lstrip("/")):
        return False
    # Behind a variable or a quote, or from "./", it may start from the skill or the script, whatever its folder.
    return path[0] in "/." or "scripts/" in path or path.rpartition("/")[0] in places.folders


class ShellText:
    """The orders of one shell text, and what its commands make, in order.

    A word without a folder is a path where an interpreter takes one, and elsewhere where it is one of ``names``.
    """

    def __init__(
        self, view: View, places: BundlePaths, *, script: bool, names: frozenset[str] = frozenset()
    ) -> None:
        self._names = names
        self._view = view
        self._places = places
        self._script = script
        self._runs_itself = runs_itself(view)
        self._folder = ""
        self._values: dict[str, str] = {}
        self.orders: list[Order] = []
        self.made: list[Made] = []

    def read(self, text: str, steps: int) -> Script:
        """Read all commands, as far as the steps reach."""
        from sluicegate.known.shell.reader import script_of  # most skills have no such text

        script = script_of(text, steps)
        for command in script.commands:
            self._command(command, script)
        return script

    def _command(self, command: ScriptCommand, script: Script) -> None:
        for name, word in command.assigns:
            self._assign(name, self._text(word), command)
        if command.kind == "group":
            self._group(command, script)
        if not command.words or command.kind == "array":
            return
        words = [
            self._text(command.woven[place]) if place in command.woven else word
            for place, word in enumerate(command.words)
        ]
        name = base_name(words[0])
        shown = [word for word in words[1:] if self._is_path(word)] if name in _SHOWS else []
        for redirect in command.redirects:
            if redirect.operator in _WRITTEN:
                self._make(self._text(redirect.word), shown[0] if shown else "")
        if command.kind == "for":
            self._values[words[0]] = next((word for word in words[1:] if "/" in word), UNKNOWN)
            return
        if name in _DECLARES:
            for declared in words[1:]:
                variable, mark, value = declared.partition("=")
                if mark:
                    self._assign(variable, value, command)
            return
        if name in ("cd", "pushd") and len(words) > 1:
            self._folder = self._under(words[1])
        elif name == "popd":
            self._folder = ""
        else:
            self._makes(name, words)
            for run in runs(words, self._input(command, script)):
                self._order(run.path, command, run.by)
            for path in self._printed(name, words, command, script):
                self._order(path, command, "sh" if name in _RUN_BY_SHELLS else name)
            if words[0] in self._names:  # with "." on PATH, or after a chmod that the reader cannot place
                self._order(words[0], command)

    def _group(self, command: ScriptCommand, script: Script) -> None:
        """Take the files that a group of commands reads, where one in it runs what it was given: ``while read``, ``eval``."""
        given = [self._text(each.word) for each in command.redirects if each.operator in _READ]
        for inner in script.commands if given else ():
            name = base_name(inner.words[0]) if inner.scope == command.body and inner.words else ""
            if name in _TAKES_PROGRAM:
                for path in given:
                    self._order(path, command, "sh" if name in _RUN_BY_SHELLS else name)

    def _is_path(self, word: str) -> bool:
        return word[:1] != "-" and ("/" in word or word in self._names)

    def _assign(self, name: str, value: str, command: ScriptCommand) -> None:
        self._values[name] = value
        if name in _LOADED_FROM:
            for path in re.split(r"[:\s=]", value):
                if "/" in path:
                    self._order(path, command)

    def _printed(self, name: str, words: list[str], command: ScriptCommand, script: Script) -> Iterator[str]:
        """Files that a command runs because another prints what they hold, or their names, into its words."""
        if name == "xargs" and files([*words, "x"]) and 0 <= command.feed < len(script.commands):
            before = script.commands[command.feed]
            if before.words and base_name(before.words[0]) in _LISTS:
                yield from filter(self._is_path, before.words[1:])
        if name not in _TAKES_PROGRAM or any(UNKNOWN not in path for path in files(words)):
            return  # with a file of its own to run, what is printed are its arguments
        scopes = {part.scope for word in command.woven.values() for part in word.pieces if part.kind == "sub"}
        for inner in script.commands if scopes else ():
            if inner.scope in scopes and not inner.words:  # $(< file)
                yield from (self._text(each.word) for each in inner.redirects if each.operator in _READ)
            if inner.scope in scopes and inner.words and base_name(inner.words[0]) in _SHOWS:
                yield from filter(self._is_path, inner.words[1:])

    def _order(self, path: str, command: ScriptCommand, by: str = "") -> None:
        """Take a file that a command runs. A line that is the path of a key and no more shows where keys are."""
        if not path or " " in path.strip() or (len(command.words) == 1 and places.secret(path)):
            return
        base = Base.PROJECT if path.startswith("./") else Base.SKILL
        runner = base_name(command.words[0]) if command.words else ""  # a group has no words
        if by and "/" not in path and is_data(path) and runner not in ("source", "."):
            base = Base.SCRIPT  # no project has its programs called so
        elif self._runs_itself or (self._script and base is Base.PROJECT and not self._folder):
            base = Base.SCRIPT if _PROGRAM.search(path) is not None else Base.SKILL
        self.orders.append(Order(self._under(path), self._view, command.start, command.end, base, by))

    def _input(self, command: ScriptCommand, script: Script) -> list[str]:
        """The files that a command reads as its input, by a redirection or from a ``cat`` in front of it."""
        found = [self._text(r.word) for r in command.redirects if r.operator in _READ]
        if command.feed >= 0 and command.feed < len(script.commands):
            before = script.commands[command.feed]
            if before.words and base_name(before.words[0]) in _SHOWS:
                found += filter(self._is_path, before.words[1:])
        return found

    # -- paths -----------------------------------------------------------------------------------------------

    def _under(self, path: str) -> str:
        """A path as it stands, or below the folder into which the text went before."""
        if not self._folder or path.startswith(("/", "~", OWN, HERE, "$", UNKNOWN)):
            return path
        head = next((mark for mark in (OWN, HERE) if self._folder.startswith(mark)), "")
        inner = posixpath.normpath(posixpath.join(self._folder[len(head) :], path))
        below = (
            head
            or self._folder.startswith(("/", "~"))
            or inner.startswith("../")
            or self._folder in self._places.folders
        )
        return head + inner if below else UNKNOWN

    def _text(self, word: Word) -> str:
        """A word with what is known of its variables."""
        if word.text is not None:
            return word.text
        out = ""
        for part in word.pieces:
            if part.kind == "lit":
                out += part.text.removeprefix("/") if out.endswith("/") and out[:1] == "\0" else part.text
            elif part.kind == "var":
                out += (
                    self._values.get(part.text, UNKNOWN)
                    if out and out[-1] not in "=:"
                    else self._value(part.text)
                )
            else:
                raw = self._view.text[word.start : word.end]
                out += HERE if not out and _SUBSTITUTED.search(raw) is not None else UNKNOWN
        return out

    def _value(self, name: str) -> str:
        """What a variable at the beginning of a path stands for."""
        held = self._values.get(name)
        if held is not None and held != UNKNOWN:
            return held
        if name == "HOME" or (name.startswith("XDG_") and name.endswith("_HOME")):
            return "~"
        if OWN_VARIABLE.fullmatch(name):
            return OWN
        return HERE if self._script and HERE_VARIABLE.fullmatch(name) else UNKNOWN

    # -- what is made ----------------------------------------------------------------------------------------

    def _make(self, path: str, source: str = "", *, folder: bool = False) -> None:
        if path and path != UNKNOWN:
            self.made.append(
                Made(plain(self._under(path)), plain(self._under(source)) if source else "", folder)
            )

    def _makes(self, name: str, words: list[str]) -> None:
        """What a command makes: a copy, a download, a clone, an environment."""
        rest = [word for word in words[1:] if not word.startswith("-")]
        if name in _COPIES and len(rest) > 1:
            into = rest[-1]
            for source in rest[:-1]:
                self._make(into, source)
                self._make(posixpath.join(into, posixpath.basename(source.rstrip("/"))), source)
        elif name == "tee":
            for word in rest:
                self._make(word)
        elif name == "git" and "clone" in rest:
            at = rest.index("clone")
            if len(rest) > at + 2:
                self._make(rest[at + 2], folder=True)
            elif len(rest) > at + 1 and (found := _BASE_OF_URL.search(rest[at + 1])):
                self._make(found[1], folder=True)
        elif "venv" in rest[:2] or name in ("virtualenv", "venv"):
            self._make(rest[-1], folder=True)
        if name == "curl":
            words = [re.sub(r"^-[A-Za-z]+o$", "-o", word) for word in words]  # letters that are options, too
        for table, folder in ((_OUTPUTS, False), (_FOLDERS, True)):
            for flag in table.get(name, ()):
                if flag in words[:-1]:
                    packed = next((word for word in rest if _ARCHIVE.search(word)), "") if folder else ""
                    self._make(words[words.index(flag) + 1], packed, folder=folder)
        if (name in ("curl", "wget")) and rest and ("-O" in words or name == "wget" or "-LO" in words):
            self._make(posixpath.basename(rest[-1]))


def plain(path: str) -> str:
    """A path by which two that are written in different ways are compared."""
    return posixpath.normpath(path) if path else path


# -- programs ------------------------------------------------------------------------------------------------

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
    if not names and _FILE_BELOW.search(text) is None and not leaves(text):
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
    if not every and _FILE_BELOW.search(line) is None and not leaves(line):
        return []
    from sluicegate.known.shell.reader import Reader

    found: list[FileRun] = []
    for command in Reader(line).read().commands[:64]:
        if command.words:
            found += runs(command.words)
    return [run for run in found if "$" not in run.path or run.path.startswith("$HOME")]


# -- sentences -----------------------------------------------------------------------------------------------

_TOKEN = lazy(r"[\w./~$@+{}\\-]*$")
_REST = lazy(r"[\w./@+-]*")
_TOLD = seldom(
    "run execut sourc launch invok start call sh double-click kick ejecut".split(),
    r"(?:^|[\s`*_(>:])(?:re-?)?(?:run|execut|sourc|launch|invok|start|call|bash|sh|load and run|double-click|kick off [^.\n`]{0,24}with|ejecut[ae]|exécute[rz]|führe|start[ez]n?|必须运行|运行|执行)(?:e|es|ed|s|ing|ning)?(?!\w)"
    r"(?:[ \t](?:the|this|our|its|a|an|following|bundled|helper|provided|included|shared|local|setup|install(?:er|ation)?|script|file|program|command|tool"
    r"|hook|at|in|from|with|using|by|first|once|now|then|always|named|called|located|found|also|it|python|script:|file:|command:)){0,8}[ \t:]{0,3}[`\"'*\[(<]{0,3}$",
    re.IGNORECASE,
)
_PROSE_MOST = 400
"""Characters of a line before a path in which the order to run it is looked for."""


_TEXT = lazy(r"\.(?:md|mdc|txt|rst|prompt)$")
_TO_FOLLOW = lazy(r"\b(?:follow|obey|carry out|comply with|act on|do what)\b[^.\n]{0,60}$", re.IGNORECASE)
_THEN_FOLLOW = lazy(
    r"[`\"'*)\]]{0,3},? (?:and|then|and then) (?:follow|obey|carry out|do|apply|execute|act on)\b",
    re.IGNORECASE,
)
_MEMORY = lazy(
    r"(?:skill|claude|agents|gemini|memory|soul|user|identity|readme|contributing)(?:\.local)?\.md$",
    re.IGNORECASE,
)


def _leaving(text: str) -> Iterator[tuple[int, int]]:
    """Where paths out of the skill begin: their first steps."""
    for step in ("../", "~/", "$HOME/"):
        at = text.find(step)
        while at != -1:
            before = text[at - 1 : at]
            if not (before.isalnum() or before in ("_", ".", "/")) or not before:
                yield at, at + len(step)
            at = text.find(step, at + len(step))


def _followed(text: str, begin: int, start: int, end: int, path: str) -> bool:
    """Whether a sentence has the agent follow a text, but for those that an agent loads anyway (its memory, a skill)."""
    if _TEXT.search(path) is None or _MEMORY.search(path) is not None:
        return False
    told = _TO_FOLLOW.search(text[max(begin, start - 100) : start])
    return told is not None or _THEN_FOLLOW.match(text, end) is not None


_MUST = seldom(
    "run cut start launch invok sourc call ausgef lanc".split(),
    r"[`\"'*)\]>]{0,4}(?:[ \t]+(?:script|file|program|helper|installer))?(?:[ \t]+--?[\w=-]+){0,3}[`\"'*)]{0,2}[ \t]+"
    r"(?:(?:must|has to|have to|needs to|need to|should|shall|is to|are to)(?: \w+){0,2}? (?:be (?:\w+ly )?)?(?:run|executed|started|launched|invoked|sourced|called)\b"
    r"|(?:is|are|gets) (?:\w+ )?(?:run|executed|started|launched|invoked)\b(?= (?:first|before(?:hand)?|once|at|by the agent|every|each|on))"
    r"|(?:executable|runnable),? and (?:then )?(?:run|start|execute)\b|(?:(?:muss|müssen)[^.\n]{0,40})?(?:ausgeführt|gestartet) (?:werden|sein)"
    r"|(?:doit|doivent) [^.\n]{0,20}(?:exécut|lanc)|debe[^.\n]{0,20}ejecut)",
    re.IGNORECASE,
)
"""What behind a path says that it is to be run."""
_ASKED = lazy(
    r"\b(?:whether|if|when|ask|never|not|example|in an?|framework|project's|user's|user project)\b[^.\n]*$",
    re.IGNORECASE,
)
"""What in front of a path says that it is a question, a condition, or a file of somebody else's."""


_DUE_HINTS = (
    " run",
    "execut",
    "launch",
    "start",
    "invok",
    "ausgef",
    "gestartet",
    "doit ",
    "debe",
    "bundled",
    "shipped",
    "included",
    "next to this",
)
_OURS = lazy(
    r"\b(?:bundled|included|shipped|that comes with|of this skill|this skill's|next to this file|beside this file|in this folder|in the skill)\b",
    re.IGNORECASE,
)
"""What says that a file is the skill's."""
_OF_PROJECTS = frozenset(
    "manage.py setup.py conftest.py main.py app.py jest.config.js index.js server.js build.sh test.sh gradlew mvnw configure.ac index.ts main.go main.ts".split()
)
"""Names that files of every project have."""


def _due(text: str, begin: int, start: int, end: int) -> bool:
    """Whether the words behind a path say that it is to be run, and those in front of it do not take that back."""
    line = text.find("\n", end)
    behind = text[end : len(text) if line == -1 else line]  # what says so stands on the same line
    return _MUST.match(behind) is not None and _ASKED.search(text, begin, start) is None


def of_prose(view: View, places: BundlePaths) -> Iterator[Order]:
    """Files that a sentence orders to run by naming them: a verb, few words, and the path; and texts to follow."""
    text = view.text
    bare = bool(places.beside) or one_of(_DUE_HINTS, text)
    ends = [found.span() for found in (_FILE if bare else _FILE_BELOW).finditer(text)]
    ends += _leaving(text)
    if "scripts/" in text:
        ends += [found.span() for found in _IN_SCRIPTS.finditer(text)]
    for first, last in ends:
        begin = max(text.rfind("\n", 0, first) + 1, first - _PROSE_MOST)
        head = _TOKEN.search(text, begin, first)
        start = head.start() if head is not None else first
        rest = _REST.match(text, last)
        end = rest.end() if rest is not None else last
        path = text[start:end].rstrip(".").replace("${HOME}", "~").replace("$HOME", "~")
        before = text[begin:start]
        if before.endswith("]("):  # [a name](the path)
            opened = before.rfind("[")
            before = before[:opened] if opened != -1 else before
        leaves_it = path.startswith(("../", "~/"))
        told, due = _TOLD.search(before) is not None, _due(text, begin, start, end)
        ours = due or (told and _OURS.search(text, max(begin, start - 120), end + 60) is not None)
        if ours and ("://" in before[-12:] or path in _OF_PROJECTS):
            ours = due = False
        if "/" not in path and not (ours or places.beside):
            continue
        if told or due or (leaves_it and _followed(text, begin, start, end, path)):
            base = Base.SCRIPT if ours else Base.PROJECT if path.startswith("./") else Base.SKILL
            yield Order(path, view, start, end, base)
