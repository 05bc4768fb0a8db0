"""Whether a command runs code of the skill itself: a file by its path, or what a program reads by itself.

1. A program of the skill is named somewhere in the command, or a file of it is run, whatever it is called.
2. A program runs what a file beside it says (``make``, ``npm test``, ``cargo run``), and the skill has such a file, or the
   command names one of the skill's for it (``make -f notes.txt``).
3. An interpreter is given a module, a folder or a line of code that loads one of the skill.
4. A program that starts another is as good as that: ``uv run pytest``, ``python -m pytest``, ``npx jest``.

Which folder the command starts in is not known here, so a file counts wherever it stands in the skill.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from sluicegate.known.commands.own_files import OWN_FILES, OwnFiles
from sluicegate.vet.inspect.analyzers.structures.command_lines import CommandLine, read_line
from sluicegate.vet.inspect.analyzers.structures.facts import CONFIGURATION, BundleFacts, base_name
from sluicegate.vet.inspect.analyzers.structures.recipes import (
    ALWAYS,
    CONFIGURED,
    INTERPRETERS,
    LOADED,
    PACKAGES,
    RUNNERS,
    scripts_asked,
)
from sluicegate.vet.inspect.fingerprints.implied import imported
from sluicegate.vet.inspect.ordered.commands.runs import NAMED
from sluicegate.vet.inspect.ordered.options import named_in
from sluicegate.vet.inspect.ordered.places import HERE, OWN, UNKNOWN, BundlePaths
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

FILE = "a file of the skill"
RECIPE = "what a file of the skill says"

_WORD = lazy(r"[\w./${}@+-]++")
_NAME = lazy(r"[\w.@+-]++")
_SAME = 100
"""Files of one name that are compared with a path; where there are more, it is taken for one of them."""
_DEEPEST = 3
"""Programs that start another one, one within the other, that are followed."""
_STARTS = 6
"""Words behind such a program at which the other one may stand."""
_TABLES = frozenset({"scripts", "tasks", "commands"})
_CODE = frozenset("-c -e -p -pe -ne -r --eval --print".split())
"""Options of interpreters behind which code stands."""
_WITH_VALUE = frozenset(
    "-W -X -I -C -Q --require --import --loader --env-file --conditions --preload".split()
)
_SUBCOMMANDS = frozenset({"run", "task", "test", "eval"})
_BESIDE = ("package.json", "index.js", "index.mjs", "index.cjs", "index.ts", "__main__.py")
"""Files that an interpreter or ``npx`` runs where it is given the folder they stand in."""
_SCRIPTED = ("pyproject.toml", "pixi.toml", "pipfile", "deno.json", "deno.jsonc", "composer.json")


_LINTERS = frozenset("eslint prettier stylelint markdownlint markdownlint-cli2 commitlint oxlint".split())
_STARTS_TOOLS = frozenset("npx bunx pnpx pnpm yarn exec dlx --no-install -y --yes".split())
_SETTINGS = lazy(
    r"(?:^|/)(?:(?:eslint|prettier|stylelint|commitlint)\.config\.[cm]?[jt]s|\.(?:eslintrc|prettierrc|stylelintrc|markdownlint|commitlintrc)\.[cm]?js)$"
)
_ACTS = lazy(
    r"\b(?:child_process|execSync|exec|spawn|fork|eval|Function|fetch|https?|net|dns|fs|vm|worker_threads|process\.(?:env|binding|dlopen))\b"
    r"|(?:require|import)\s{0,2}\(\s{0,2}(?![\"'])|[\"']\.{1,2}/|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|atob|Buffer"
)
"""What settings that only name rules do not have: a start, a request, a file of the skill, letters in codes."""


class OwnCode:
    """The code of one skill, for asking which commands run it."""

    def __init__(self, facts: BundleFacts) -> None:
        self._facts = facts
        self._scripts: dict[str, frozenset[str] | None] = {}
        self._found: dict[str, bool] = {}

    def read(self, view: View, text: str) -> CommandLine:
        """What the commands of ``text``, a line that stands in ``view``, do."""
        return read_line(view, text, self._paths)

    @cached_property
    def _paths(self) -> BundlePaths:
        return BundlePaths(self._facts.artifacts, (), self._facts.bundle.beside)

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The paths of the skill's files, by their names in lower case."""
        found: dict[str, list[str]] = {}
        for path in self._facts.artifacts:
            found.setdefault(base_name(path).lower(), []).append(path)
        return found

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        """The same of its folders."""
        found: dict[str, list[str]] = {}
        for folder in self._paths.folders:
            found.setdefault(base_name(folder).lower(), []).append(folder)
        return found

    @cached_property
    def _stems(self) -> set[str]:
        """Names under which a line of code may load a program of the skill: its own without suffix, or its folder's."""
        programs = [path.lower() for path in self._facts.artifacts if NAMED.search(path)]
        names = {base_name(path).partition(".")[0] for path in programs}
        return (names | {base_name(posixpath.dirname(path)) for path in programs}) - {""}

    def named(self, text: str) -> bool:
        """Whether a text names a program of the skill."""
        words = (base_name(word).strip("{}.").lower() for word in _WORD.findall(text))
        return any(word in self._files and NAMED.search(word) is not None for word in words)

    def mentioned(self, text: str) -> bool:
        """Whether a text holds the name of any file of the skill."""
        return any(word.lower() in self._files for word in _NAME.findall(text))

    def run_by(self, line: CommandLine) -> str:
        """What of the skill a command line runs, in words; nothing if nothing."""
        # 1
        if self.named(line.text) or any(map(self._has, line.ordered)):
            return FILE
        if any(name.lower() in self._files for name, _ in named_in(line.text)):
            return RECIPE
        # 2, 3, 4
        return RECIPE if any(self._recipe(words, _DEEPEST) for words in line.commands) else ""

    def only_settings(self, line: CommandLine) -> bool:
        """Whether all that a line runs of the skill are the settings of a linter, which name rules and start nothing."""
        linters = (
            next((word for word in words if base_name(word) not in _STARTS_TOOLS), "")
            for words in line.commands
        )
        if not line.commands or not all(base_name(word) in _LINTERS for word in linters):
            return False
        words = (base_name(word).strip("{}.").lower() for word in _WORD.findall(line.text))
        named = {
            path for word in words for path in self._files.get(word, ()) if NAMED.search(word) is not None
        }
        settings = {path for path in self._facts.artifacts if _SETTINGS.search(path) is not None}
        texts = [view.text for view in self._facts.raw if view.path in settings]
        return named <= settings and bool(texts) and not any(map(_ACTS.search, texts))

    def _has(self, path: str) -> bool:
        """Whether a path names a file or folder of the skill, from wherever it starts."""
        plain = path.replace(OWN, "").replace(HERE, "").replace(UNKNOWN, "")
        plain = posixpath.normpath(plain).strip("/") if plain.strip("./~") else ""
        if not plain:
            return False
        name = base_name(plain).lower()
        same = [*self._files.get(name, [])[: _SAME + 1], *self._folders.get(name, [])[: _SAME + 1]]
        return len(same) > _SAME or any(
            held == plain or held.endswith("/" + plain) or plain.endswith("/" + held) for held in same
        )

    def _recipe(self, words: Sequence[str], depth: int) -> bool:
        """Whether the command of these words runs what a file of the skill says; ``depth``: how many more it may start."""
        name = _program(words)
        if not name or not depth:
            return False
        rest = words[1:]
        tool, kind = OWN_FILES.get(name), INTERPRETERS.get(name.rstrip("0123456789."))
        if self._configured(name) or (
            tool is not None and tool.runs is not None and self._reads(tool, tool.runs, rest)
        ):
            return True
        if name in PACKAGES and self._asks_script(name, rest):
            return True
        if kind is not None and self._interprets(kind, rest, depth):
            return True
        return name in RUNNERS and (
            any(map(self._here, [word for word in rest if not word.startswith("-")][:1]))
            or self._in_table(rest)
            or any(self._recipe(inner, depth - 1) for inner in _inner(rest))
        )

    def _reads(self, tool: OwnFiles, runs: Sequence[str], rest: Sequence[str]) -> bool:
        """Whether a program is told to run something, and the skill has the file that says what."""
        words = [word for word in rest if not word.startswith(("-", "+"))]
        if (words and words[0] in tool.idle) or list(rest) in (["--version"], ["--help"]):
            return False
        if any(map(self._has, _values(rest))):
            return True
        return (not tool.when or not tool.when.isdisjoint(words)) and any(map(self._is, runs))

    def _is(self, name: str) -> bool:
        """Whether the skill has a file of this name; a star stands for anything at its beginning or end."""
        if name not in self._found:
            before, star, after = name.partition("*")
            self._found[name] = (
                any(each.startswith(before) and each.endswith(after) for each in self._files)
                if star
                else name in self._files
            )
        return self._found[name]

    def _configured(self, name: str) -> bool:
        """Whether the skill has the settings of a program that are code: ``jest.config.js``, ``.mocharc.cjs``."""
        return any(form.format(name) in self._files for form in CONFIGURED) or any(
            each in self._files for each in LOADED.get(name, ())
        )

    def _asks_script(self, name: str, rest: Sequence[str]) -> bool:
        """Whether a package manager is told to run a script of a package.json of the skill."""
        if any(each in self._files for each in ALWAYS.get(name, ())):
            return True
        return self._holds("package.json", scripts_asked(name, rest))

    def _in_table(self, rest: Sequence[str]) -> bool:
        """Whether one of these words is a script that a project file of the skill defines."""
        return any(self._holds(file, set(rest)) for file in _SCRIPTED)

    def _holds(self, file: str, asked: set[str]) -> bool:
        """Whether a file of this name has one of these scripts; one that is not read may have any."""
        if file not in self._files:
            return False
        if file not in self._scripts:
            self._scripts[file] = self._names_in(set(self._files[file]))
        held = self._scripts[file]
        return held is None or not held.isdisjoint(asked)

    def _names_in(self, paths: set[str]) -> frozenset[str] | None:
        """The names of the scripts in some project files; None where one cannot be read."""
        found: set[str] = set()
        for view in self._facts.raw:
            if view.path not in paths:
                continue
            config = self._facts.config(view) if view.language in CONFIGURATION else None
            if config is None or config.document.error:
                return None
            for entry in config.document.entries:
                keys = [part for part in entry.path if isinstance(part, str)]
                found.update(key for table, key in pairwise(keys) if table in _TABLES)
        return frozenset(found)

    def _interprets(self, kind: Kind, rest: Sequence[str], depth: int) -> bool:
        """Whether an interpreter is given a module, a folder or a line of code that loads code of the skill."""
        at = 0
        while at < len(rest):
            word, behind = rest[at], list(rest[at + 1 :])
            if kind is Kind.PYTHON and word.startswith("-m"):
                given = [word[2:], *behind] if len(word) > 2 else behind
                return bool(given) and (self._module(given[0]) or self._recipe(_as_command(given), depth - 1))
            if word in _CODE:
                return not self._stems.isdisjoint(imported(" ".join(behind[:1]), kind))
            if word == "--run":
                return self._holds("package.json", set(behind[:1]))
            if not word.startswith("-"):
                return (
                    self._here(word)
                    or self._has(word)
                    or (
                        word in _SUBCOMMANDS
                        and (self._in_table(behind) or self._interprets(kind, behind, depth))
                    )
                )
            if word in _WITH_VALUE:
                if any(map(self._has, behind[:1])):
                    return True
                at += 1
            at += 1
        return False

    def _here(self, word: str) -> bool:
        """Whether a word is the folder where the command starts, and the skill has what is run there."""
        return word in (".", "./", "..") and any(map(self._is, _BESIDE))

    def _module(self, module: str) -> bool:
        path = module.replace(".", "/")
        return self._has(path + ".py") or self._has(path)


def _program(words: Sequence[str]) -> str:
    """The name of the program of a command. ``docker compose`` is one of its own."""
    name = base_name(words[0]).lower().removesuffix(".exe").removesuffix(".cmd") if words else ""
    if name in ("docker", "podman", "nerdctl") and "compose" in words:
        return "docker-compose"
    return name


def _as_command(words: Sequence[str]) -> Sequence[str]:
    """The words of a command that a module of Python stands for."""
    return ["pyproject-build", *words[1:]] if words[0] == "build" else words


def _values(rest: Sequence[str]) -> Iterator[str]:
    """What may be a path among the arguments of a program: words, and what is glued to an option."""
    for word in rest:
        yield word.partition("=")[2] if word.startswith("-") else word
        if len(word) > 2 and word[0] == "-" and word[1] != "-":
            yield word[2:]


def _inner(rest: Sequence[str]) -> Iterator[Sequence[str]]:
    """The commands that may begin among the arguments of a program that starts another."""
    for at in [at for at, word in enumerate(rest) if not word.startswith("-")][:_STARTS]:
        yield rest[at:]
