"""The state of the interpreter: of the whole analysis, and of the run of one unit."""

from __future__ import annotations

import ast
from heapq import heappop, heappush
from typing import TYPE_CHECKING
from zlib import crc32

from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.program import Class, Module, PyModules, PyScope, PyUnit
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PARAMETER_MASK,
    PyValue,
    Site,
    Sites,
    SourceKind,
    bits_of,
    join,
    remap,
)
from sluicegate.vet.intake.views.view import View

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
    from sluicegate.vet.inspect.analyzers.shflow.judging.within import CommandsLeft

MAX_HITS = 2_000
MAX_CAPABILITIES = 2_000
MAX_RUNS = 8
"""Runs of one unit before its result is taken as it stands."""


class Analysis:
    """What all units share. Everything in it only ever grows."""

    def __init__(self, views: tuple[View, ...]) -> None:
        self.views = views
        self.stated = Stated(())
        self.programs: BundlePrograms | None = None
        self.listening = False
        self.printed: dict[tuple[int, int], int] = {}
        """The taint of what is printed, by view and line, where somebody asks for it (``listening``)."""
        self.sites = Sites()
        self.modules = PyModules()
        self.hits: dict[tuple[int, int, int, SinkKind, str], Hit] = {}
        self.capabilities: dict[str, tuple[int, int]] = {}
        self.written: dict[str, int] = {}
        self.left: dict[int, CommandsLeft] = {}
        """What commands leave that a program runs, by view."""
        self.folders: dict[int, dict[int, str]] = {}
        """The folders that programs enter: by view, and by the line from which on they work there."""
        self.logged_to = NOTHING
        """The hosts to which handlers hand what is logged."""
        self.published: set[str] = set()
        self.bodies: list[PyUnit] = []
        self._by_line: dict[tuple[int, int], list[Hit]] = {}
        self._temporary: dict[str, dict[tuple[int, int, int], int]] = {}
        self.units: dict[tuple[int, int], PyUnit] = {}
        self.classes: dict[int, Class] = {}
        self.wave: list[tuple[int, int]] = []
        self.later: dict[int, PyUnit] = {}
        self.waiting: dict[int, PyUnit] = {}
        self.direction = 1
        self.at = -(1 << 60)
        self.serial = 0
        self.crowded = False
        self.steps = 60_000 + sum(len(view.text) for view in views) // 8

    def folder(self, view: int, line: int) -> str:
        """The folder that a program works in at a line, as far as the lines before it tell; empty where they do not."""
        entered = self.folders.get(view)
        before = [each for each in entered if each < line] if entered else []
        return entered[max(before)] if entered and before else ""

    def temporary(self, view: int, node: ast.AST) -> str:
        """A path that nobody chose, told apart from others by the call that makes it: the how manyth of its file, so that
        it has the same name when lines or other files are added."""
        path = self.views[view].path
        known = self._temporary.setdefault(path, {})
        place = (view, getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        return (
            f"/tmp/tmp.{crc32(path.encode('utf-8', 'surrogatepass')):x}.{known.setdefault(place, len(known))}"
        )

    def enqueue(self, unit: PyUnit) -> None:
        """Run a unit (again), unless it waits already: in this wave if its turn is to come, else in the
        next."""
        serial = unit.serial
        if serial in self.waiting or serial in self.later:
            return
        key = serial * self.direction
        if key > self.at:
            self.waiting[serial] = unit
            heappush(self.wave, (key, serial))
        else:
            self.later[serial] = unit

    def next_unit(self) -> PyUnit | None:
        """The next unit to run. Waves go forth and back through the text: helpers mostly stand before their
        callers, so the first way settles results and the second one arguments."""
        if not self.wave:
            self.direction = -self.direction
            self.at = -(1 << 60)
            self.waiting, self.later = self.later, {}
            self.wave = sorted((serial * self.direction, serial) for serial in self.waiting)
        if not self.wave:
            return None
        self.at, serial = heappop(self.wave)
        return self.waiting.pop(serial)

    def next_serial(self) -> int:
        self.serial += 1
        return self.serial

    def pass_over(self, text: str) -> None:
        """Count the units of a text that is not run, for the bound on runs grows with the number of units."""
        self.serial += 1 + text.count("def") + text.count("lambda")

    def asked(self, site: Site) -> list[Hit]:
        """The operations on the line of a source, once all are known: what was asked for, and with what."""
        if not self._by_line:
            for hit in self.hits.values():
                self._by_line.setdefault((hit.view, hit.line), []).append(hit)
        return self._by_line.get((site.view, site.line), [])

    def forget(self) -> None:
        """Break the reference cycles of units, scopes and classes, so that memory is freed without waiting for the
        garbage collector."""
        for unit in (*self.bodies, *self.units.values()):
            for scope in (unit.module.scope, unit.closed):
                if scope is not None:
                    scope.names.clear()
                    scope.readers.clear()
            unit.module.stars.clear()
            unit.incoming.clear()
            unit.callers.clear()
            unit.calls.clear()
            unit.result = NOTHING
        for cls in self.classes.values():
            cls.bases, cls.instance = (), NOTHING
            cls.names.clear()
            cls.attributes.clear()
            cls.readers.clear()

    def publish(self, scope: PyScope, name: str, value: PyValue) -> None:
        """Join a value into a shared name; wake those who read it when it grew."""
        old = scope.names.get(name)
        if old is None:
            scope.names[name] = value
            self.published.add(name)
            if value == NOTHING:
                return
        else:
            new = join(old, value)
            if new is old:
                return
            scope.names[name] = new
        readers = scope.readers.get(name)
        if readers:
            for reader in readers.values():
                self.enqueue(reader)

    def attribute(self, cls: Class, name: str, value: PyValue) -> None:
        """Join a value into an attribute of all instances of a class."""
        old = cls.attributes.get(name, NOTHING)
        new = join(old, value)
        if new is not old or name not in cls.attributes:
            cls.attributes[name] = new
            for reader in cls.readers.get(name, {}).values():
                self.enqueue(reader)


class UnitRun:
    """One run of one unit."""

    __slots__ = (
        "analysis",
        "branch",
        "changes",
        "depth",
        "dropped",
        "env",
        "globals",
        "guard",
        "looping",
        "module",
        "nonlocals",
        "unit",
        "view",
        "withs",
    )

    def __init__(self, analysis: Analysis, unit: PyUnit, view: int) -> None:
        self.analysis = analysis
        self.unit = unit
        self.module: Module = unit.module
        self.view = view
        self.env: dict[str, PyValue] = {}
        self.branch = 0
        self.depth = 0
        self.dropped: ast.expr | None = None
        """The expression whose value nobody takes, of the statement that is run."""
        self.changes = 0
        self.looping = False
        self.withs = 0
        self.guard = unit.guard
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()

    # Taint of parameters -------------------------------------------------------------------------------

    def concrete_mask(self, mask: int) -> int:
        """A mask without parameter bits: each stands for what all callers pass."""
        bits = mask & PARAMETER_MASK
        if not bits:
            return mask
        out = mask & ~PARAMETER_MASK
        incoming = self.unit.incoming
        self.unit.consulted |= bits
        for index in bits_of(bits):
            if index < len(incoming):
                out |= incoming[index].mask
        return out

    def concrete(self, value: PyValue) -> PyValue:
        """A value fit to leave this unit."""
        return remap(value, self.concrete_mask) if value.mask & PARAMETER_MASK else value

    # Names ---------------------------------------------------------------------------------------------

    def assign(self, name: str, value: PyValue) -> None:
        """Give a name a value: replace it on a straight path, join in a branch or loop."""
        if value.mask:
            self.analysis.sites.name(value.mask, name)
        if name in self.globals:
            self.analysis.publish(self.module.scope, name, self.concrete(value))
            return
        env = self.env
        old = env.get(name)
        if old is not None and self.branch:
            new = join(old, value)
            if new is old:
                return
            if new.mask != old.mask:
                self.changes += 1
            value = new
        elif value.mask and old is None:
            self.changes += 1
        env[name] = value
        unit = self.unit
        if unit.is_module:
            self.analysis.publish(self.module.scope, name, value)
        elif unit.closed is not None:
            self.analysis.publish(unit.closed, name, self.concrete(value))
        if name in self.nonlocals and unit.parent is not None:
            self.analysis.publish(unit.parent, name, self.concrete(value))

    def absorb(self, name: str, mask: int) -> None:
        """Taint a name by what was put into the thing it holds."""
        old = self.env.get(name)
        if old is None:
            if self.unit.parent is None or not mask:
                return
            scope: PyScope | None = self.unit.parent
            while scope is not None and name not in scope.names:
                scope = scope.parent
            if scope is not None:
                held = scope.names[name]
                concrete = self.concrete_mask(mask)
                self.analysis.publish(scope, name, held._replace(mask=held.mask | concrete))
            return
        if mask & ~old.mask:
            self.analysis.sites.name(mask, name)
            self.changes += 1
            value = old._replace(mask=old.mask | mask)
            self.env[name] = value
            if self.unit.is_module:
                self.analysis.publish(self.module.scope, name, value)
            elif self.unit.closed is not None:
                self.analysis.publish(self.unit.closed, name, self.concrete(value))

    def lookup(self, name: str) -> PyValue | None:
        """What a name holds: here, in an enclosing function, in the module, in earlier fences; or None."""
        if name not in self.globals:
            value = self.env.get(name)
            if value is not None:
                return value
        unit = self.unit
        scope = self.module.scope if unit.is_module else unit.parent
        while scope is not None:
            readers = scope.readers.get(name)
            if readers is None:
                scope.readers[name] = {unit.serial: unit}
            else:
                readers[unit.serial] = unit
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = None if unit.is_module else scope.parent
        for star in self.module.stars:
            if isinstance(star, Module):
                star.scope.readers.setdefault(name, {})[unit.serial] = unit
                found = star.scope.names.get(name)
                if found is not None:
                    return found
        fallback = self.module.fallback
        if name not in self.analysis.published:
            return None  # one text of many fences asks all before it for each built-in name
        while fallback is not None:
            found = fallback.names.get(name)
            if found is not None:
                return found
            fallback = fallback.parent
        return None

    # Reporting -----------------------------------------------------------------------------------------

    def site(self, source: SourceKind, label: str, node: ast.AST) -> int:
        """The bit of a source at a node."""
        return self.analysis.sites.mask(source, label, self.view, getattr(node, "lineno", 1))

    def hit(self, sink: SinkKind, name: str, node: ast.AST, slots: dict[str, PyValue], *flags: str) -> None:
        """Report an operation; joins with what earlier runs saw at the same place."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        key = (self.view, line, column, sink, name)
        hits = self.analysis.hits
        hit = hits.get(key)
        if hit is None:
            if len(hits) >= MAX_HITS:
                self.analysis.crowded = True
                return
            end_line = getattr(node, "end_lineno", None) or line
            end_column = getattr(node, "end_col_offset", None) or column
            start, end = (line, column), (end_line, end_column)
            hit = Hit(sink, name, view=self.view, start=start, end=end, unit=self.unit.name)
            hits[key] = hit
        hit.guard |= self.concrete_mask(self.guard)
        for flag in flags:
            hit.flags[flag] = None
        for slot, value in slots.items():
            held = hit.slots.get(slot)
            concrete = self.concrete(value)
            hit.slots[slot] = concrete if held is None else join(held, concrete)

    def can(self, capability: str, node: ast.AST) -> None:
        """Note an ability, where it was seen first."""
        table = self.analysis.capabilities
        here = (self.view, getattr(node, "lineno", 1))
        known = table.get(capability)
        if (known is None and len(table) < MAX_CAPABILITIES) or (known is not None and here < known):
            table[capability] = here

    def can_reach(self, value: PyValue, node: ast.AST) -> None:
        """Note the hosts of a value."""
        for text in value.texts or ("*",):
            self.can(capabilities.net(text), node)

    def can_write(self, path: PyValue, node: ast.AST) -> None:
        """Note the files that are written."""
        for text in path.texts or ("*",):
            self.can(capabilities.write(text), node)
