"""Modules: scripts that a script imports, found and read before anything runs.

1. A module is a file: ``./m.mld`` beside the script, ``@base/m.mld`` in the project; or a standard policy, under our name or the
   specification's; or a name that the lock of the project has (``module_lock``). Nothing is fetched.
2. What is imported has to be exported, which is told before anything runs. Without an ``export`` all names of a module are.
3. A policy comes into force where it is imported: whole, in parts, or without some. It is a layer that only narrows.
4. Guards of a module hold from the beginning, as those of the script; it is imported for them, too.
5. Each file is read once more through the monitor, which policy decides about; and what runs is what was read then. Labels of the
   file, other than where it lies, are those of all that the module defines (``program``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from sluicegate.errors import SluicegateError
from sluicegate.flow.errors import FlowError
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.load import STANDARD, standard
from sluicegate.flow.policy.text.selection import select
from sluicegate.flow.policy.text.vocabulary import nearest
from sluicegate.patterns import late
from sluicegate.script.evaluate import policies
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.evaluate.module_lock import LOCK, ModuleLock, read_lock
from sluicegate.script.parse.program import ParsedScript
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import nodes_in

MOST: Final = 200
_WORD: Final = late(r"[A-Za-z0-9_][A-Za-z0-9_-]*", re.ASCII)
_OURS: Final = ("@mlld/", "@sluicegate/")
_PARTS: Final = (
    "allow",
    "deny",
    "danger",
    "capabilities",
    "defaults",
    "sources",
    "data",
    "operations",
    "labels",
    "limits",
    "env",
)
"""What is imported of a policy, where it is not the policy itself."""

Read = Callable[[SourceText], ParsedScript]


class ScriptModule(Struct, frozen=True, kw_only=True):
    """A script with all that it imports. ``path`` is its file, empty where it has none. ``imports`` has, for each import of a
    script, the module; ``policies`` for each import of a standard policy, that; ``providers`` the modules that environments in it name
    as their provider, with what each is called."""

    script: ParsedScript
    path: str
    imports: dict[int, ScriptModule] = field(default_factory=dict)
    providers: dict[str, tuple[str, ScriptModule]] = field(default_factory=dict)
    policies: dict[int, Document] = field(default_factory=dict)

    @property
    def exported(self) -> frozenset[str]:
        """The names that others may import (2)."""
        listed = [each for each in self.script.tree.statements if isinstance(each, s.ExportStatement)]
        if listed:
            return frozenset(name.path[0] for each in listed for name in each.names)
        return frozenset(_defined(self.script))

    def providing(self) -> Iterator[tuple[str, str, ScriptModule]]:
        """The modules that are providers: as the script writes them, what they are called, and what they are."""
        for written, (name, module) in self.providers.items():
            yield written, name, module

    def importing(self) -> Iterator[tuple[s.ImportStatement, ScriptModule]]:
        """Its imports of scripts, in their order."""
        for node in self.script.tree.statements:
            if isinstance(node, s.ImportStatement) and id(node) in self.imports:
                yield node, self.imports[id(node)]


class ModuleReader:
    """Reads the modules of one script. ``open_file`` gives the text of a file, ``check`` the script in it; both may raise."""

    def __init__(self, *, root: Path, open_file: Callable[[str], SourceText], check: Read) -> None:
        self.root, self.open_file, self.check = root, open_file, check
        self.known: dict[str, ScriptModule] = {}
        self.open: list[str] = []
        self._lock: ModuleLock | None = None

    def load(self, script: ParsedScript, *, path: str, folder: Path) -> ScriptModule:
        """A script with its modules. Raises FlowError with its place."""
        module = ScriptModule(script=script, path=path)
        for node in script.tree.statements:
            if isinstance(node, s.ImportStatement):
                try:
                    self.imported(module, node, folder)
                except FlowError as error:
                    placed(error, script.source, node)
                    raise
        for entry, name in _providers(script):
            try:
                file = self.file(name, folder)
                module.providers[name] = (self.provider_name(file), self.read(file))
            except FlowError as error:
                placed(error, script.source, entry)
                raise
        return module

    def provider_name(self, file: Path) -> str:
        """What a provider is called that is a module: by its path in the project. Raises ScriptError."""
        try:
            words = file.with_suffix("").relative_to(self.root.resolve()).parts
        except ValueError:
            words = ()
        if not words or not all(_WORD.fullmatch(word) for word in words):
            raise ScriptError("no-module", "a provider is a module of the project, whose path has letters, digits, `-` and `_`",
                              hint="Put it into a folder of the project.")  # fmt: skip
        return ".".join(("script", *words))

    def imported(self, module: ScriptModule, node: s.ImportStatement, folder: Path) -> None:
        """One import."""
        if node.server:
            return
        if node.kind == "tools":
            raise ScriptError("no-module", "tools come from a server, and nothing is fetched",
                              hint='Write: import tools from mcp "command" as @t')  # fmt: skip
        name = node.module.removesuffix(".mld")
        if name.startswith(_OURS):
            module.policies[id(node)] = _standard(name.partition("/")[2])
            return
        file = self.file(node.module, folder)
        found = self.read(file)
        module.imports[id(node)] = found
        _check_names(node, found)

    def file(self, name: str, folder: Path) -> Path:
        """The file that a module is (1)."""
        if name.startswith(("@base/", "@root/")):
            return (self.root / name[6:]).resolve()
        if name.startswith("@"):
            return self.lock().file(name, self.root)
        if "://" in name:
            raise ScriptError("no-module", "a module is a file, or a standard policy; nothing is fetched",
                              hint="Put it beside the script, and import `./name.mld`.")  # fmt: skip
        return (folder / name).resolve()

    def read(self, file: Path) -> ScriptModule:
        """The module in a file, once."""
        path = str(file)
        if path in self.open:
            raise ScriptError(
                "import-circle",
                "modules import each other in a circle",
                hint="Move what both need into a third.",
            )
        if path not in self.known:
            if len(self.known) >= MOST:
                raise ScriptError("import-circle", f"a script imports more than {MOST} modules")
            self.open.append(path)
            source = self.opened(path)
            self.lock().compare(file, source, self.root)
            script = self.check(source)
            self.known[path] = self.load(script, path=path, folder=file.parent)
            self.open.pop()
        return self.known[path]

    def lock(self) -> ModuleLock:
        """The lock of the project; an empty one where there is none. Raises ScriptError."""
        if self._lock is None:
            file = self.root / LOCK
            self._lock = read_lock(self.opened(str(file))) if os.path.lexists(file) else ModuleLock()
        return self._lock

    def opened(self, path: str) -> SourceText:
        """The text of a file. Raises ScriptError where it cannot be read."""
        try:
            return self.open_file(path)
        except OSError as error:
            raise ScriptError("no-module", f"the module cannot be read: {error.strerror}") from None
        except FlowError:
            raise
        except SluicegateError as error:
            raise ScriptError("no-module", error.message, hint=error.hint) from None


def _providers(script: ParsedScript) -> Iterator[tuple[x.EntryNode, str]]:
    """Where a script writes ``provider: "./m.mld"``."""
    for node in nodes_in(script.tree):
        if isinstance(node, x.EntryNode) and node.key == "provider":
            written = node.value.value if isinstance(node.value, x.LiteralExpr) else node.value
            if isinstance(written, x.TemplateExpr) and all(isinstance(part, str) for part in written.parts):
                written = "".join(part for part in written.parts if isinstance(part, str))
            if isinstance(written, str) and written.endswith(".mld"):
                yield node, written


def _standard(name: str) -> Document:
    if name not in STANDARD:
        raise ScriptError(
            "no-module", "there is no standard policy of this name", hint=nearest(name, STANDARD)
        )
    return standard(name)


def _defined(script: ParsedScript) -> list[str]:
    found: list[str] = []
    for node in script.tree.statements:
        if isinstance(node, (s.VarStatement, s.ExeStatement, s.PolicyStatement, s.GuardStatement)):
            found.append(node.name)
        elif isinstance(node, s.ImportStatement):
            found += [each.alias or each.path[-1] for each in node.names]
            found += [node.alias] if node.alias else []
    return [name for name in found if name]


def _check_names(node: s.ImportStatement, module: ScriptModule) -> None:
    """Whether a module exports what is imported (2)."""
    for name in node.names:
        called = name.path[0]
        if called in _PARTS and called not in module.exported:
            continue
        if called not in module.exported:
            raise ScriptError(
                "not-exported",
                f"the module does not export `@{called}`",
                hint=nearest(called, tuple(module.exported)),
            )


def documents(module: ScriptModule) -> tuple[Document, ...]:
    """The policies that hold for a script: its own, and those that it imports (3)."""
    found: dict[str, Document] = {}
    for document in _documents(module, set()):
        found.setdefault(f"{document.file}:{document.name}", document)
    return tuple(found.values())


def _documents(module: ScriptModule, seen: set[str]) -> Iterator[Document]:
    imported: set[str] = set()
    for node in module.script.tree.statements:
        if not isinstance(node, s.ImportStatement):
            continue
        try:
            if id(node) in module.policies:
                imported |= _names(node)
                yield _part(node, module.policies[id(node)])
            elif id(node) in module.imports:
                yield from _of_module(node, module.imports[id(node)], imported)
        except FlowError as error:
            placed(error, module.script.source, node)
            raise
    yield from policies.documents(module.script, imported)


def _names(node: s.ImportStatement) -> set[str]:
    return {name.alias or name.path[-1] for name in node.names} | ({node.alias} if node.alias else set())


def _of_module(node: s.ImportStatement, module: ScriptModule, imported: set[str]) -> Iterator[Document]:
    """The policies of a module that an import names, or parts of all that it has."""
    own = {document.name.removeprefix("@"): document for document in documents(module)}
    parts = tuple(
        ".".join(name.path) for name in node.names if name.path[0] in _PARTS and name.path[0] not in own
    )
    names = [name for name in node.names if name.path[0] in own]
    for name in names:
        imported.add(name.alias or name.path[0])
    wanted = list(own) if parts or (node.kind == "policy" and not names) else [name.path[0] for name in names]
    if node.kind == "policy" or parts or names:
        for each in wanted:
            yield replace(_part(node, own[each], parts), narrows=True)


def _part(node: s.ImportStatement, document: Document, parts: tuple[str, ...] = ()) -> Document:
    """The policy, whole, in parts, or without some."""
    only = parts or tuple(".".join(name.path) for name in node.names if name.path[0] in _PARTS)
    left = tuple(".".join(name.path) for name in node.excepted)
    return select(document, only=only, leave_out=left) if only or left else document
