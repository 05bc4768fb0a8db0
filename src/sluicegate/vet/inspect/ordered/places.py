"""Where the path of an ordered file leads: into the skill, out of it, to what every machine has, or nowhere yet."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property

from sluicegate.vet.inspect.ordered.commands.runs import NAMED, OTHER
from sluicegate.vet.intake.bundle import ANYTHING
from sluicegate.vet.intake.content.suffixes import DATA_SUFFIXES, suffix_of
from sluicegate.vet.lazy import lazy

OWN = "\0own/"
"""Stands for the folder of the skill in a path whose beginning says that it is meant."""
HERE = "\0here/"
"""Stands for the folder of the file in which the path stands."""
UNKNOWN = "\0"
"""Stands for a part of a path that is not known."""

_OWN_NAME = (
    r"(?:(?:CLAUDE_|CODEX_|GEMINI_|OPENCLAW_|CURSOR_)?(?:SKILLS?|PLUGIN|EXTENSION)_?(?:DIR|ROOT|PATH|HOME|BASE|FOLDER|DIRECTORY)?"
    r"|base_?dir|extension_?path)"
)
OWN_VARIABLE = lazy(_OWN_NAME, re.IGNORECASE)
HERE_VARIABLE = lazy(
    r"(?:SCRIPT|THIS|SELF|MY|SRC|SOURCE|CURRENT|PARENT|HERE)?_?(?:DIR|PATH|DIRECTORY|FOLDER|ROOT|HERE)|BASH_SOURCE|0|SCRIPTPATH|HERE"
)
_BRACED = lazy(rf"^(?:\{{\{{?\s?{_OWN_NAME}\s?\}}?\}}|<{_OWN_NAME.replace('_?', '[-_ ]?')}>)/", re.IGNORECASE)
_HOME = lazy(
    r"^(?:\$\{?HOME\}?|\$\{?XDG_\w{2,20}_HOME\}?|%USERPROFILE%|\$env:USERPROFILE|\$\{env:HOME\})(?=/)"
)
_ABSOLUTE_HOME = lazy(r"^/(?:home|Users)/[^/]+/|^/(?:root|var/root)/")
_PLACEHOLDER = lazy(
    r"[<>{}\[\]*?|\x00]|\.\.\.|\u2026|%[A-Za-z]|(?:^|/)(?:path|caminho|ruta|chemin|pfad)(?:[-_/ ]?(?:to|para|a|vers|zu))?/|^/absolute/"
    r"|(?:^|/)(?:your|my|some|the)[-_](?:[\w-]{0,24}[-_])?(?:project|repo|app|dir|folder|path|script|file|workspace|code)s?(?:/|\.|$)"
    r"|(?:^|/)(?:your|my)[-_][\w-]{1,40}\.\w{1,4}$|(?:^|/)(?:script|file|foo|bar|example|demo|sample|xxx+)(?:_?name)?\.\w{1,4}$",
    re.IGNORECASE,
)
_UNFILLED = lazy(
    r"[<>{}\[\]|\x00]|\.\.\.|\u2026|(?:^|/)(?:path|caminho|ruta|chemin|pfad)/(?:to|para|a|vers|zu)/|^/absolute/path"
)
"""A placeholder, in a path that leaves the skill: there no name of a folder is taken for one."""
_TOOLS = lazy(
    r"^~/(?:\.(?:bash|zsh|profile|zprofile|login|kshrc|cshrc|config/fish/)[\w.]*$"
    r"|(?:\.[\w-]{2,24}|(?:mini|ana|micro)?(?:conda|forge|mamba)\d?|emsdk|vcpkg|google-cloud-sdk|esp/[\w.-]{1,40})/(?:[\w.@-]{1,60}/){0,6}?"
    r"(?:env(?:\.fish)?|nvm\.sh|asdf\.(?:sh|fish)|[\w-]{1,20}-init\.sh|rvm|gvm|conda\.sh|export\.sh|emsdk_env\.sh|activate(?:\.\w+)?|bash_completion|path\.\w+\.inc)$"
    r"|(?:\.local|go|\.(?:cargo|rustup|nvm|sdkman|pyenv|rbenv|rvm|asdf|deno|bun|volta|rye|ghcup|opam|nix-profile|poetry|goenv|jenv|mise|dotnet|krew"
    r"|linuxbrew|juliaup|foundry|nodenv|fnm|ollama|elan|pixi|pulumi|fly|modular))/(?:[\w.@-]{1,60}/){0,6}?s?bin/[\w.+-]+$"
    r"|bin/[\w.+-]+$|Applications/|Library/Android/)"
)
_MADE = lazy(
    r"(?:^|/)(?:\.?v?env\w{0,20}|node_modules|site-packages|dist|build|out|target|\.next|_build|\.tox|\.direnv)/"
)
"""Folders that a tool fills; what is in them comes from packages or from the sources beside."""
_SYSTEM = lazy(
    r"^/(?:bin|sbin|usr|lib\d{0,2}|etc|dev|proc|sys|System|Library|Applications|nix|snap|run|opt/(?:homebrew|local|conda|miniconda\d?|intel|rocm|ros|pyenv)"
    r"|Program Files[^/]*|mnt/c|c|[A-Za-z]:|C:)(?:/|$)"
)
_CONTAINER = lazy(
    r"^/(?:app|workspace|workdir|code|src|github|data|content|kaggle|docker-entrypoint[\w.-]*|entrypoint[\w.-]*|init[\w.-]*)(?:/|$)"
)
_INSTALLED = lazy(
    r"^~/\.([\w-]{1,40})/bin/\1$|^/opt/[^/]+/s?bin/[\w+-]+$|/\.?v?env\w{0,20}/(?:bin|Scripts)/(?:activate\w{0,12}|python[\d.]*|pip\d?)$|^(?:\.\./)+node_modules/"
)
_SKILLS = lazy(r"(?:^|/)skills?/(?:[\w.-]+/){0,1}?([\w.@-]+)/(.+)$")
_OF_SKILL = lazy(r"(?:^|/)scripts/")
OF_USERS = lazy(
    r"(?:^|/)(?:assets|templates?|examples?|references?|boilerplates?|starters?|fixtures|snippets|samples?|tests?|__tests__)/"
    r"|[._-](?:test|spec|stories|template|example|config)\.\w+$"
)
"""Programs that a skill gives to the user's project, where the rest of it stands."""
_GENERATED = lazy(r"generated|\.gen\b|_pb\b|\+types|\$types")
_MODULES = (
    "", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".d.ts", ".json", ".node", ".vue", ".svelte", ".wasm",
    "/index.js", "/index.mjs", "/index.cjs", "/index.jsx", "/index.ts", "/index.tsx", "/index.json", "/package.json",
)  # fmt: skip
"""What loaders of JavaScript put behind the name of a module."""
_NATIVE = frozenset({".node", ".wasm", ".so", ".dylib", ".dll"})
"""Suffixes of modules that are machine code."""
_ENDINGS = (".js", ".ts", ".mjs", ".cjs", ".py", ".rb", ".lua", "/index.js", "/index.ts", "/__main__.py")
"""What interpreters put behind the name of a module."""


class Base(Enum):
    """What a relative path starts from: the script that has it, the skill, or the place where the agent works.

    A module is loaded from the folder of its program, by a name of which the suffix may be left out. A command is said to
    run a program, wherever that stands.
    """

    MODULE = "module"
    SCRIPT = "script"
    COMMAND = "command"
    SKILL = "skill"
    PROJECT = "project"


class Where(Enum):
    """What is to be said of a path: nothing, or why it is not part of the skill."""

    FINE = "fine"
    MISSING = "missing"
    BESIDE = "beside"
    OUTSIDE = "outside"


class BundlePaths:
    """The paths of one bundle. ``own``: the names under which the skill's folder may be known, in lower case;
    ``beside``: what was not read beside a single file."""

    def __init__(
        self, paths: Iterable[str], own: Iterable[str], beside: frozenset[str] = frozenset()
    ) -> None:
        self._paths = frozenset(paths)
        self.beside = beside
        self.started: frozenset[str] = frozenset()
        """Files of the skill that it has run: what they load is not a user's, wherever they stand."""
        self._own = frozenset(own) - {""}
        self._by_name: dict[str, list[str]] = {}
        self._folders: set[str] = set()
        for path in self._paths:
            self._by_name.setdefault(path[path.rfind("/") + 1 :], []).append(path)
            at = path.rfind("/")
            while at > 0:
                if path[:at] in self._folders:
                    break
                self._folders.add(path[:at])
                at = path.rfind("/", 0, at)

    @property
    def folders(self) -> frozenset[str] | set[str]:
        """The folders of the skill."""
        return self._folders

    def has_named(self, name: str) -> bool:
        """Whether the skill has a file of this name, wherever it stands."""
        return name in self._by_name

    @cached_property
    def packages(self) -> frozenset[str]:
        """The names of folders of the skill that hold modules of Python."""
        folders = (path.rpartition("/")[0] for path in self._paths if path.endswith(".py"))
        return frozenset(folder.rpartition("/")[2] for folder in folders if folder)

    def has_folder(self, name: str) -> bool:
        """Whether the skill has a folder of this name, wherever it stands."""
        return any(folder.rpartition("/")[2] == name for folder in self._folders)

    def ends(self, path: str) -> bool:
        """Whether the path of a file of the skill ends so; ``path`` begins with a slash."""
        return any(each.endswith(path) for each in self._by_name.get(path[path.rfind("/") + 1 :], ()))

    def of_scripts(self, folder: str) -> bool:
        """Whether a folder is one of the skill's, or is called as skills call that of their programs."""
        folder = posixpath.normpath(folder)
        return folder in self._folders or folder.rpartition("/")[2] == "scripts"

    def known(self, path: str) -> bool:
        """Whether the skill has a file of just this path."""
        return posixpath.normpath(path) in self._paths

    def found(self, path: str, starter: str, base: Base) -> str:
        """The file of the skill to which a path of a text or script leads; none if there is no such file."""
        rest = posixpath.normpath(path.replace(OWN, "").replace(HERE, ""))
        for each in (posixpath.normpath(posixpath.join(starter.rpartition("/")[0], rest)), rest):
            if base is Base.MODULE:
                names = _names_of_module(each.partition("?")[0])
                if (name := next((name for name in names if name in self._paths), "")) != "":
                    return name
            elif each in self._paths:
                return each
        same = self._by_name.get(rest[rest.rfind("/") + 1 :], ())
        return next((each for each in same if rest.endswith("/" + each)), "")

    def where(self, path: str, starter: str, base: Base) -> Where:
        """Where a path of the text or script ``starter`` leads.

        1. A beginning that stands for the skill's folder, or for that of the script, is read as that.
        2. The home folder, an absolute path, or steps upwards out of the skill: OUTSIDE, unless it is what a machine
           has anyway (a system folder, the place of an installed tool) or the folder of this very skill.
        3. A path inside: FINE when the skill has such a file. Else MISSING where it was said that it is the skill's own
           (1, 2, or it starts from a script of the skill), where it stands in a folder that the skill has, or in one
           called ``scripts``, as skills call theirs, or where a command runs it. Any other is taken for a file of the
           user's project, unless the skill has its folder. BESIDE where a single file was named, and this stands beside it.
        """
        plain = path.strip("\"'")
        plain = _BRACED.sub(OWN, plain)
        plain = _HOME.sub("~", plain)
        # 1
        for mark in (OWN, HERE):
            if plain.startswith(mark):
                rest = plain[len(mark) :]
                return (
                    self._module(rest, starter)
                    if base is Base.MODULE
                    else self._inside(rest, starter, Base.SCRIPT)
                )
        if _UNFILLED.search(plain) or "://" in plain or plain.startswith("-") or not plain.strip("./~"):
            return Where.FINE
        if not plain.strip("/.~*?"):
            return Where.FINE
        plain = _ABSOLUTE_HOME.sub("~/", plain)
        # 2
        mine = _SKILLS.search(plain)
        if mine is not None and mine[1].lower() in self._own:
            return self._inside(mine[2], starter, Base.SCRIPT)
        if plain.startswith(("~", "/")):
            return Where.FINE if mine is None and _of_machine(plain) else Where.OUTSIDE
        # 3
        if base is Base.MODULE:
            return self._module(plain, starter)
        return self._inside(plain, starter, base)

    def _inside(self, rest: str, starter: str, base: Base) -> Where:
        rest = posixpath.normpath(rest)
        if UNKNOWN in rest or rest in (".", "/"):
            return Where.FINE
        folder = starter.rpartition("/")[0]
        from_folder = posixpath.normpath(posixpath.join(folder, rest))
        if from_folder.startswith("../") and rest.startswith("../"):
            return Where.FINE if _INSTALLED.search(rest) else Where.OUTSIDE
        if from_folder == "." or self._has(rest, from_folder):
            return Where.FINE
        if rest in self.beside or (
            ANYTHING in self.beside and (NAMED.search(rest) or OTHER.search(rest)) is not None
        ):
            return Where.BESIDE
        sure = base is Base.SCRIPT
        if _MADE.search(rest) or (not sure and _PLACEHOLDER.search(rest)):
            return Where.FINE
        inner = rest.rpartition("/")[0]
        known = inner and (
            inner in self._folders
            or (from_folder.rpartition("/")[0] in self._folders and from_folder != rest)
        )
        called_so = base is Base.SKILL and _OF_SKILL.search(rest) is not None
        # Whatever it starts from, it is not here; but a page of this name elsewhere in the skill is a link that broke.
        above = rest.startswith("../") and (
            NAMED.search(rest) is not None or not self._by_name.get(posixpath.basename(rest))
        )
        run = base is Base.COMMAND
        return Where.MISSING if sure or run or known or called_so or above else Where.FINE

    def _module(self, rest: str, starter: str) -> Where:
        """Where a module leads that is loaded from the folder of its program."""
        path = posixpath.normpath(posixpath.join(starter.rpartition("/")[0], rest.partition("?")[0]))
        of_users = starter not in self.started and OF_USERS.search(starter) is not None
        if path.startswith("../"):
            return Where.FINE if of_users or _INSTALLED.search(rest) else Where.OUTSIDE
        if any(name in self._paths for name in _names_of_module(path)):
            return Where.FINE
        suffix = posixpath.splitext(path)[1]
        data = suffix and suffix not in _NATIVE and NAMED.search(path) is None
        if data or of_users or _MADE.search(path) or _GENERATED.search(path):
            return Where.FINE
        return Where.BESIDE if path in self.beside else Where.MISSING

    def _has(self, rest: str, from_folder: str) -> bool:
        """Whether the skill has the file, by its path from here or from the top, or by the end of it."""
        if (
            rest in self._paths
            or from_folder in self._paths
            or rest in self._folders
            or from_folder in self._folders
        ):
            return True
        name = rest[rest.rfind("/") + 1 :]
        same = self._by_name.get(name, ())
        if any(path.endswith("/" + rest) or rest.endswith("/" + path) for path in same):
            return True
        if ("/" not in rest and same) or NAMED.search(name) is not None:
            return bool(same) and "/" not in rest
        return any(f"{path}{ending}" in self._paths for path in (rest, from_folder) for ending in _ENDINGS)


def _names_of_module(path: str) -> Iterator[str]:
    """The names under which loaders of JavaScript look for a module. TypeScript names what a file becomes: ``x.js``."""
    stem, suffix = posixpath.splitext(path)
    for name in (path, stem) if suffix in (".js", ".mjs", ".cjs", ".jsx") else (path,):
        for ending in _MODULES:
            yield name + ending


def _of_machine(path: str) -> bool:
    """Whether a path outside names what a machine has anyway."""
    return any(what.search(path) is not None for what in (_TOOLS, _SYSTEM, _CONTAINER, _INSTALLED))


_WINDOWS = lazy(
    r"(?<![\w\\/])(?:\.{1,2}|~|%\w{2,20}%|\$env:\w{2,20}|[A-Za-z]:|[\w-][\w.-]{0,40})\\(?:[\w.-]{1,80}\\){0,8}"
    r"[\w.-]{1,80}\.(?:ps1|psm1|bat|cmd|exe|vbs|sh|py|js|mjs|ts|rb|pl|md|txt)\b",
    re.IGNORECASE,
)


def slashed(text: str) -> str:
    """A text with the paths of Windows in it written with slashes; each character stays where it was."""
    return _WINDOWS.sub(lambda found: found[0].replace("\\", "/"), text) if "\\" in text else text


def is_data(path: str) -> bool:
    """Whether nobody expects a program under a name."""
    return suffix_of(path[path.rfind("/") + 1 :].lower()) in DATA_SUFFIXES
