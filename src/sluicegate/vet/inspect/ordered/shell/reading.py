"""What shell text orders to run, and what its commands make first."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from sluicegate.known import places
from sluicegate.vet.inspect.ordered.commands.given import folder_of
from sluicegate.vet.inspect.ordered.commands.interpreters import SHELLS
from sluicegate.vet.inspect.ordered.commands.runs import (
    OTHER,
    SUFFIX,
    FileRun,
    base_name,
    behind_wrappers,
    files,
    is_program,
    of_line,
    runs,
)
from sluicegate.vet.inspect.ordered.orders import Made, Order, plain
from sluicegate.vet.inspect.ordered.places import (
    UNKNOWN,
    Base,
    BundlePaths,
    is_data,
)
from sluicegate.vet.inspect.ordered.shell.making import archive_of, copied_to_run, fetches, made_by
from sluicegate.vet.inspect.ordered.shell.values import INPUTS, ShellValues
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.known.shell.script import Script, ScriptCommand

_BRACES = lazy(r"^([^{}\s]*)\{([^{}\s]*,[^{}\s]*)\}([^{}\s]*)$")
_PIPED = 8
"""Commands of one pipeline, or of a group in it, of which the input is looked at."""
_LISTS = frozenset({"ls", "find", "echo", "printf", "cat"})
_SHOWS = frozenset(
    "cat tac head tail sed envsubst m4 base64 gunzip zcat bzcat xzcat zstdcat xxd openssl gpg tr rev grep awk cut sort uniq jq yq dd".split()
)
"""Commands that print what a file holds, as it is or unpacked."""
_LOADED_FROM = frozenset(
    "PYTHONPATH PYTHONSTARTUP NODE_PATH NODE_OPTIONS RUBYLIB RUBYOPT PERL5LIB PERL5OPT LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV "
    "GIT_EXTERNAL_DIFF GIT_SSH GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_TEMPLATE_DIR RUSTC_WRAPPER "
    "RUSTC CC CXX LESSKEYIN_SYSTEM npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL PYTHONHOME FLASK_APP TCLLIBPATH LUA_INIT".split()
)
"""Variables that name folders or files from which a program loads code."""
_PRELOADS = frozenset({"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"})
"""Those among them that name machine code which is loaded into every program."""
_RUN_LATER = frozenset(
    "GIT_SSH_COMMAND PROMPT_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER EDITOR VISUAL PAGER BROWSER MANPAGER LESSOPEN LESSCLOSE FZF_DEFAULT_COMMAND GIT_PROXY_COMMAND RSYNC_RSH CVS_RSH".split()
)
"""Variables that hold a command which another one runs."""
_MOVED = frozenset({"env", "sudo"})
"""Wrappers that may go to another folder first."""
_LETTER = lazy(r"^-[A-Za-z](?=[./~])")
"""The option to which a path is glued: ``RUBYOPT=-r../x``."""
_DECLARES = frozenset({"export", "declare", "local", "readonly", "typeset"})
_WRITES_TO = frozenset({"-o", "--out", "--output", "--outfile", "--output-file"})
_BUILDERS = frozenset(
    "make gmake cmake ninja meson go cargo gcc cc clang g++ c++ clang++ rustc ghc nvcc gfortran swift swiftc zig dotnet bazel".split()
)
"""Commands that make programs for the machine, of whatever name."""
_WRITTEN = frozenset({">", ">|"})
_ANY_WORD = lazy(r"\w[^\n]*")
_DOTTED = lazy(r"[\w-][\w.-]*\.[A-Za-z]\w{0,4}")
"""A word that is surely the name of a file, whatever the command."""
_HERE = frozenset({"<<", "<<-", "<<<"})
_RELATIVE = lazy(r"(?:\./)?[\w-][\w.-]*/|\./|[\w-]+\.\w{1,5}$")
_TAKES_PROGRAM = frozenset(
    {"eval", "source", ".", "sh", "bash", "zsh", "dash", "ksh", "python", "python3", "node", "perl", "ruby"}
)
_RUN_BY_SHELLS = frozenset({"eval", "source", ".", "xargs"})
_PROGRAM = lazy(rf"{SUFFIX}$")
_BY_THEMSELVES = frozenset({"hooks", "mcpServers", "mcp_servers", "mcp-servers", "servers", "lspServers"})
"""Tables of settings whose commands an agent runs by itself."""
_LONGEST = 8192
"""Characters of a text that a shell is given, of which the commands are read."""
STEPS = 400_000
"""Steps of reading commands for one skill; what is beyond is a gap."""


def runs_itself(view: View) -> bool:
    """Whether an agent runs the commands of a view by itself, as settings tell it to."""
    return bool(view.origin) and view.origin[-1].detail.partition(".")[0] in _BY_THEMSELVES


class ShellText:
    """The orders of one shell text, and what its commands make, in order.

    A word without a folder is a path where an interpreter takes one, and elsewhere where it is one of ``names``.
    ``asked``: the text is a recipe of the skill that it has run, so that its paths start from the file of the recipe.
    ``recipe``: the text is one; that of another than ``asked`` is none that the agent is to run.
    """

    def __init__(
        self,
        view: View,
        places: BundlePaths,
        *,
        script: bool,
        names: frozenset[str] = frozenset(),
        asked: bool = False,
        recipe: bool = False,
    ) -> None:
        self._names = names
        self._view = view
        self._places = places
        self._script = script
        self._runs_itself = asked or runs_itself(view)
        self._values = ShellValues(view.text, places, script=script)
        self._unpacked = ""
        self._recipe = recipe and not asked
        self._built = False
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
            self._assign(name, self._values.word(word), command)
        if command.kind == "group":
            self._group(command, script)
        if not command.words or command.kind == "array":
            return
        words = self._values.words(command)
        name = base_name(words[0])
        shown = list(self._shown(words))
        for redirect in command.redirects:
            if redirect.operator in _WRITTEN:
                self._make(Made(self._values.word(redirect.word), shown[0] if shown else ""))
        if command.kind == "for":
            self._values.loop(words[0], words[1:])
            return
        if self._is_settled(name, words, command):
            return
        words = self._values.unaliased(words)
        if not words:
            return
        name = base_name(words[0])
        if name in ("cd", "pushd") and len(words) > 1:
            self._values.folder = self._values.under(words[1])
        elif name == "popd":
            self._values.folder = ""
        else:
            self._makes(name, words, command)
            self._runs(name, words, command, script)

    def _is_settled(self, name: str, words: list[str], command: ScriptCommand) -> bool:
        """Take a command of the shell that sets something for those behind it; whether it was one."""
        if name == "set" and "--" in words:
            self._values.set_parameters(words[words.index("--") + 1 :])
        elif name in _DECLARES:
            for declared in words[1:]:
                variable, mark, value = declared.partition("=")
                if mark:
                    self._assign(variable, value, command)
        elif name == "alias":
            for declared in words[1:]:
                variable, _, value = declared.partition("=")
                self._values.alias(variable, value)
                for run in of_line(value):
                    if not run.path.startswith(("~", "/")):  # a name for what the user has
                        self._order(run.path, command, run.by)
        elif name == "exec" and len(words) == 1:
            self._opens(command)
        else:
            return False
        return True

    def _runs(self, name: str, words: list[str], command: ScriptCommand, script: Script) -> None:
        """Take what a command runs."""
        self._built = self._built or words[0] in _BUILDERS
        words = [each for word in words for each in _unbraced(word)]
        before, found = self._values.folder, False
        if name == "env":
            for word in words[1:]:
                variable, mark, value = word.partition("=")
                if not mark and word[:1] != "-":
                    break
                self._assign(variable, value, command)
        if name in _MOVED:
            self._values.folder = self._values.under(given) if (given := _moved_to(words)) else before
        found_by = runs(words, self._input(command, script))
        if base_name(next(iter(behind_wrappers(words)), "")) in SHELLS:
            found_by += self._given(command, script)
        for run in found_by:
            if run.module:
                self._module(run, command)
                continue
            base = Base.SKILL if self._is_users(run, words) else Base.COMMAND
            self._order(folder_of(run.path) or run.path, command, run.by, base)
            found = found or self._places.found(run.path, self._view.path, Base.SKILL) != ""
            if self._unpacked and _RELATIVE.match(run.path) and not self._places.known(run.path):
                # nothing says what the archive holds: it may be this
                self.orders.append(Order(self._unpacked, self._view, command.start, command.end, Base.SKILL))
        self._values.folder = before
        if found:  # a program of the skill, which was read, writes what it is told to
            for option, given in pairwise(words):
                if option in _WRITES_TO and _PROGRAM.search(given) is not None:
                    self._make(Made(given))
        for path in self._printed(name, words, command, script):
            self._order(path, command, "sh" if name in _RUN_BY_SHELLS else name)
        if words[0] in self._names:  # with "." on PATH, or after a chmod that the reader cannot place
            self._order(words[0], command)

    def _module(self, run: FileRun, command: ScriptCommand) -> None:
        """Take a module of Python that is run by its name: one in a folder, or from the folder where it is looked for."""
        set_to = next((word for name, word in command.assigns if name == "PYTHONPATH"), None)
        value = self._values.word(set_to) if set_to is not None else self._values.variable("PYTHONPATH")
        folder = next((part for part in value.split(":") if part.strip("./") and UNKNOWN not in part), "")
        if folder or self._values.folder or "/" in run.path:
            path = posixpath.join(folder, run.path) if folder else run.path
            path = self._values.under(path)
            self.orders.append(
                Order(path, self._view, command.start, command.end, Base.SKILL, run.by, module=run.path)
            )

    def _is_users(self, run: FileRun, words: list[str]) -> bool:
        """Whether a path that a command runs is taken for one of the user's project, or for no program."""
        if self._recipe:
            return True
        if self._built and not run.by and "." not in posixpath.basename(run.path):
            return True
        return not is_program(run, words)

    def _opens(self, command: ScriptCommand) -> None:
        """Keep what ``exec`` opens under its numbers. What it opens as input, the shell goes on to read commands from."""
        for redirect in command.redirects:
            if redirect.operator in INPUTS:
                path = self._values.word(redirect.word)
                self._values.open(redirect.descriptor, path)
                if redirect.descriptor in ("", "0"):
                    self._order(path, command, "sh")

    def _group(self, command: ScriptCommand, script: Script) -> None:
        """Take the files that a group of commands reads, where one in it runs what it was given: ``while read``, ``eval``."""
        given = self._values.inputs(command)
        for inner in script.commands if given else ():
            name = base_name(inner.words[0]) if inner.scope == command.body and inner.words else ""
            if name in _TAKES_PROGRAM:
                for path in given:
                    self._order(path, command, "sh" if name in _RUN_BY_SHELLS else name)

    def _is_path(self, word: str) -> bool:
        return word[:1] not in ("-", "+") and (
            "/" in word or word in self._names or _PROGRAM.search(word) is not None
        )

    def _shown(self, words: list[str]) -> Iterator[str]:
        """The files that a command prints; of ``cat`` every word is one, of ``curl`` what it takes from this machine."""
        name = base_name(words[0])
        if name in ("curl", "wget"):
            yield from (word[5:].replace("//", "", 1) for word in words[1:] if word.startswith("file:"))
        elif name in _SHOWS:
            any_name = _ANY_WORD if name in ("cat", "tac") else _DOTTED
            yield from (word for word in words[1:] if self._is_path(word) or any_name.fullmatch(word))

    def _assign(self, name: str, value: str, command: ScriptCommand) -> None:
        self._values.assign(name, value)
        if name in _RUN_LATER:
            for run in runs(value.lstrip("|- ").split()):
                self._order(run.path, command, run.by)
        if name in _LOADED_FROM:
            for path in re.split(r"[:\s=]", value):
                if "/" in path or _PROGRAM.search(path) is not None:
                    loaded = name in _PRELOADS and OTHER.search(path) is not None
                    base = Base.COMMAND if loaded or _PROGRAM.search(path) is not None else Base.SKILL
                    self._order(_LETTER.sub("", path), command, base=base)

    def _printed(self, name: str, words: list[str], command: ScriptCommand, script: Script) -> Iterator[str]:
        """Files that a command runs because another prints what they hold, or their names, into its words."""
        if name == "xargs" and files([*words, "x"]) and 0 <= command.feed < len(script.commands):
            before = script.commands[command.feed]
            if before.words and base_name(before.words[0]) in _LISTS:
                yield from filter(self._is_path, before.words[1:])
        if name not in _TAKES_PROGRAM or any(UNKNOWN not in path for path in files(words)):
            return  # with a file of its own to run, what is printed are its arguments
        given = (
            *command.woven.values(),
            *(each.word for each in command.redirects if each.operator in _HERE),
        )
        scopes = {part.scope for word in given for part in word.pieces if part.kind == "sub"}
        for inner in script.commands if scopes else ():
            if inner.scope in scopes and not inner.words:  # $(< file)
                yield from self._values.inputs(inner)
            if inner.scope in scopes and inner.words:
                yield from self._shown(inner.words)

    def _order(self, path: str, command: ScriptCommand, by: str = "", base: Base = Base.COMMAND) -> None:
        """Take a file that a command runs. A line that is the path of a key and no more shows where keys are."""
        if not path or " " in path.strip() or (len(command.words) == 1 and places.secret(path)):
            return
        here = path.startswith("./")
        runner = base_name(command.words[0]) if command.words else ""  # a group has no words
        if by and "/" not in path and is_data(path) and runner not in ("source", "."):
            base = Base.SCRIPT  # no project has its programs called so
        elif self._runs_itself or (self._script and here and not self._values.folder):
            base = Base.SCRIPT if _PROGRAM.search(path) is not None else base
        elif here and base is Base.SKILL:
            base = Base.PROJECT
        self.orders.append(Order(self._values.under(path), self._view, command.start, command.end, base, by))

    def _input(self, command: ScriptCommand, script: Script) -> list[str]:
        """The files that a command reads as its input: by a redirection, or from what prints them in front of it."""
        found: list[str] = []
        for _ in range(_PIPED):
            found += self._values.inputs(command)
            if not 0 <= command.feed < len(script.commands):
                break
            command = script.commands[command.feed]
            printing = [command]
            if command.kind == "group":
                outputs = script.scopes[command.body].outputs[:_PIPED]
                printing = [script.commands[place] for place in outputs]
            for each in printing:
                if each.words:
                    found += self._shown(self._values.words(each))
        return found

    def _given(self, command: ScriptCommand, script: Script) -> Iterator[FileRun]:
        """The files that commands run which a shell is given as its input: by a here-document, or by ``echo``."""
        from sluicegate.known.shell.reader import script_of

        before = script.commands[command.feed] if 0 <= command.feed < len(script.commands) else command
        texts = [
            each.word.text or ""
            for by in (command, before)
            for each in by.redirects
            if each.operator in _HERE
        ]
        if before is not command and before.words and before.words[0] in ("echo", "printf"):
            texts += [word.replace("\\n", "\n") for word in self._values.words(before)[1:] if " " in word]
        for text in texts[:_PIPED]:
            for each in script_of(text[:_LONGEST], _LONGEST).commands:
                if each.words:
                    yield from runs(each.words)

    def _makes(self, name: str, words: list[str], command: ScriptCommand) -> None:
        """Take what a command makes, and what it puts where it will be run."""
        self._values.fetched = self._values.fetched or fetches(name, words)
        if archive := archive_of(name, words):
            self._unpacked = self._values.under(archive)
        for made in made_by(name, words):
            self._make(made)
        for source in copied_to_run(name, words):
            if self._is_path(source):
                self._order(source, command)

    def _make(self, made: Made) -> None:
        if made.path and made.path != UNKNOWN:
            source = plain(self._values.under(made.source)) if made.source else ""
            self.made.append(Made(plain(self._values.under(made.path)), source, made.folder))


def _unbraced(word: str) -> list[str]:
    """The words to which one with braces comes: ``{a,b}/x``."""
    found = _BRACES.match(word) if "{" in word and "," in word else None
    return (
        [word]
        if found is None
        else [
            f"{found[1]}{each}{found[3]}" for each in found[2].split(",")[:16] if found[1] or each or found[3]
        ]
    )


def _moved_to(words: list[str]) -> str:
    """The folder to which a wrapper goes before it runs its command."""
    for place, word in enumerate(words[1:8], 1):
        if word in ("-C", "-D", "--chdir"):
            return words[place + 1] if place + 1 < len(words) else ""
        if word.startswith("--chdir="):
            return word[8:]
    return ""
