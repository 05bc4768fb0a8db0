"""The JavaScript files of a bundle as modules: which one a specifier means, and what its names stand for.

A module is called ``MODULE`` and its number, what it exports has a dot and a name behind that. A name is followed through imports, re-exports and
``module.exports`` to where it is made, or to the outside thing it stands for. Nothing is run, and no folder
outside the bundle is looked at.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sluicegate.vet.intake.views.view import View

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.jsflow.names import Names

MODULE = "\0"
"""Begins the name of a module of the bundle; no name of the language does."""
SUFFIXES = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json")
_TYPED = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
"""What a specifier ending so may mean in TypeScript, which names the file that it will be compiled to."""
HOPS = 12
"""Steps in which a name is followed from module to module."""
MOST = 256
"""Modules of one bundle that are told apart."""
SETTINGS = 65_536
"""Characters of a JSON file that is read as a module, and of a package.json."""
_VALUES = 512


class JsModules:
    """The modules of one bundle. ``programs`` are filled in as their texts are read."""

    def __init__(self, views: Iterable[View]) -> None:
        self.views: Mapping[str, View] = {view.path: view for view in views if not view.origin}
        self.programs: list[Names | None] = []
        self.paths: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, path: str) -> int:
        """The number of the module at a path of the bundle, or -1 where there are too many."""
        known = self._numbers.get(path)
        if known is None:
            if len(self.paths) >= MOST:
                return -1
            known = self._numbers[path] = len(self.paths)
            self.paths.append(path)
            self.programs.append(None)
        return known

    def reference(self, specifier: str, importer: str) -> str:
        """The name of what a specifier means: of a file of the bundle, or of an outside module."""
        path = self._find(specifier, importer)
        number = -1 if path is None else self.number(path)
        return specifier.replace(MODULE, "").removeprefix("node:") if number == -1 else f"{MODULE}{number}"

    def program(self, module: str) -> Names | None:
        """The text of a module by its name, where it is one and has been read."""
        number = module.removeprefix(MODULE)
        return self.programs[int(number)] if number.isdecimal() and int(number) < len(self.programs) else None

    def follow(self, name: str, program: Names) -> tuple[Names, str]:
        """The program in which a name is made, and its name there; an outside name comes back as it is."""
        for _ in range(HOPS):
            if name.startswith(MODULE):
                module, _, rest = name.partition(".")
                found = self.program(module)
                if found is None:
                    return program, name
                program = found
                name = next((n for n in _exported(rest) if program.makes(n)), "")
                if not name:
                    star = next((s for s in program.stars if self._offers(s, rest, program)), "")
                    if not star:
                        return program, rest
                    name = f"{star}.{rest}"
                    continue
            stands = program.stands_for(name)
            if stands == name:
                return program, name
            name = stands
        return program, name

    def _offers(self, star: str, rest: str, importer: Names) -> bool:
        found = self.program(star)
        return found is not None and found is not importer and any(found.makes(n) for n in _exported(rest))

    def _find(self, specifier: str, importer: str) -> str | None:
        """1. the file, 2. with a suffix, 3. what TypeScript means, 4. the main file or index of a folder."""
        if not specifier.startswith((".", "/")):
            return None
        folder = posixpath.dirname(importer)
        for base in (folder, "") if specifier.startswith("/") else (folder,):
            path = posixpath.normpath(posixpath.join(base, specifier.lstrip("/"))).removeprefix("./")
            stem, suffix = posixpath.splitext(path)
            names = [path, *(path + s for s in SUFFIXES), *(stem + s for s in _TYPED.get(suffix, ()))]
            names += [f"{path}/{main}" for main in self._main(path)]
            names += [posixpath.join(path, "index") + s for s in SUFFIXES]
            found = next(
                (name.removeprefix("./") for name in names if name.removeprefix("./") in self.views), None
            )
            if found is not None:
                return found
        return None

    def _main(self, folder: str) -> list[str]:
        view = self.views.get(posixpath.join(folder, "package.json").removeprefix("./"))
        main = constants(view).get("main", "") if view is not None else ""
        return [posixpath.normpath(main), *(posixpath.normpath(main) + s for s in SUFFIXES)] if main else []


def constants(view: View) -> dict[str, str]:
    """The texts of a JSON file by dotted name, bounded; none where it is not JSON."""
    if len(view.text) > SETTINGS:
        return {}
    try:
        top = json.loads(view.text)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}
    todo: list[tuple[str, object]] = [("", top)]
    while todo and len(found) < _VALUES:
        name, value = todo.pop()
        if isinstance(value, str):
            found[name] = value
        elif isinstance(value, dict):
            todo += [(f"{name}.{key}" if name else str(key), held) for key, held in value.items()][:_VALUES]
    return found


def _exported(rest: str) -> tuple[str, ...]:
    """What a module may call, inside, the thing that others call ``rest``; empty for all of the module."""
    if not rest:
        return ("module.exports", "exports", "default")
    if rest == "default" or rest.startswith("default."):
        inner = rest[len("default") :]
        return (rest, f"module.exports{inner}", f"exports{inner}")
    return (f"module.exports.{rest}", f"exports.{rest}", rest, f"default.{rest}")
