"""The things of a bundle that values may refer to: modules, classes, functions, and their scopes."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable

from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PARAMETER_MASK,
    PARAMETERS,
    PyValue,
    Ref,
    remap,
)
from sluicegate.vet.intake.views.view import View

MAX_BASES = 12

Parameters = tuple[tuple[str, ...], int, int, int]
"""The names in order, where ``*`` and ``**`` stand (-1: nowhere), and where those for keywords alone begin."""
NO_PARAMETERS: Parameters = ((), -1, -1, 0)


class PyScope:
    """Names that outlive one run of a function: of a module, or of a function that holds other functions.

    ``names`` join everything ever assigned; ``readers`` are the units to run again when one grows.
    """

    __slots__ = ("names", "parent", "readers")

    def __init__(self, parent: PyScope | None) -> None:
        self.parent = parent
        self.names: dict[str, PyValue] = {}
        self.readers: dict[str, dict[int, PyUnit]] = {}


class PyUnit(Ref):
    """A body that is run by the interpreter: of a module or of a function.

    ``serial`` orders units. ``incoming`` joins what all callers pass, parameter for parameter. ``guard``
    joins the guards under which it is called. ``calls`` has what the units that call it were given, by the
    place of the call, the caller and the taints of the arguments; ``callers`` run again whenever the result
    grows. ``consulted`` has the parameters whose taint was asked for
    in a run: when only another's taint grows, no new run is needed. ``runs`` bounds the fixpoint.
    """

    __slots__ = (
        "body", "callers", "calls", "closed", "consulted", "double_star", "guard", "incoming", "is_module",
        "keyword_only", "lambda_body", "module", "name", "owner", "parameters", "parent", "result", "runs", "serial",
        "star", "static", "view",
    )  # fmt: skip

    def __init__(
        self, name: str, body: list[ast.stmt], parameters: Parameters, *, serial: int, module: Module,
        parent: PyScope | None, view: int, is_module: bool = False,
    ) -> None:  # fmt: skip
        self.name, self.body, self.module, self.parent = name, body, module, parent
        self.serial, self.view, self.is_module = serial, view, is_module
        self.parameters, self.star, self.double_star, self.keyword_only = parameters
        self.owner: Class | None = None
        self.static = False
        self.incoming = [NOTHING] * len(self.parameters)
        self.result = NOTHING
        self.callers: dict[int, PyUnit] = {}
        self.calls: dict[tuple[int, int, tuple[int, ...]], tuple[PyUnit, PyValue]] = {}
        self.closed: PyScope | None = None
        self.guard = self.runs = self.consulted = 0
        self.lambda_body: ast.expr | None = None

    def given(self, masks: tuple[int, ...]) -> PyValue:
        """The result for arguments of these taints."""
        if not self.result.mask & PARAMETER_MASK:
            return self.result

        def substitute(bits: int) -> int:
            out = 0
            for index, mask in enumerate(masks):
                if bits >> index & 1:
                    out |= mask
            return out

        return remap(self.result, substitute)

    def misled(self) -> list[PyUnit]:
        """The units whose runs took something for the result that it is no longer.

        Parts are not compared: to do so may take longer than a run.
        """
        found = list(self.callers.values())
        parts = self.result.parts
        for (_, _, masks), (caller, given) in self.calls.items():
            if parts or self.given(masks) != given:
                found.append(caller)
        return found


class Class(Ref):
    """A class of the bundle. ``names`` are its own; ``attributes`` join those of all its instances."""

    __slots__ = ("attributes", "bases", "fields", "instance", "name", "names", "readers")

    def __init__(self, name: str, fields: tuple[str, ...]) -> None:
        self.name, self.fields = name, fields
        self.bases: tuple[PyValue, ...] = ()
        self.names: dict[str, PyValue] = {}
        self.attributes: dict[str, PyValue] = {}
        self.readers: dict[str, dict[int, PyUnit]] = {}
        self.instance = NOTHING

    def lineage(self) -> Iterable[Class]:
        """The class and those of its bases that are in the bundle, nearest first, bounded."""
        if not self.bases:
            return (self,)
        seen: list[Class] = []
        todo = [self]
        while todo and len(seen) < MAX_BASES:
            here = todo.pop(0)
            if here in seen:
                continue
            seen.append(here)
            todo += [ref for base in here.bases for ref in base.refs if isinstance(ref, Class)]
        return seen

    def outside(self) -> tuple[str, ...]:
        """Names of outside classes that it is built on."""
        return tuple(r for c in self.lineage() for base in c.bases for r in base.refs if isinstance(r, str))


class Instance(Ref):
    """Any instance of a class of the bundle."""

    __slots__ = ("cls",)

    def __init__(self, cls: Class) -> None:
        self.cls = cls


class BoundMethod(Ref):
    """A method together with what it is called on."""

    __slots__ = ("receiver", "unit")

    def __init__(self, unit: PyUnit, receiver: PyValue) -> None:
        self.unit, self.receiver = unit, receiver

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundMethod) and other.unit is self.unit

    def __hash__(self) -> int:
        return self.unit.serial


class Module(Ref):
    """One Python text, or all cells of one notebook."""

    __slots__ = ("fallback", "path", "scope", "stars", "views")

    def __init__(self, path: str, views: list[int], fallback: PyScope | None) -> None:
        self.path, self.views, self.fallback = path, views, fallback
        self.scope = PyScope(None)
        self.stars: list[Module | str] = []

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)


def parameters_of(args: ast.arguments) -> Parameters:
    """The parameters of a function; ``*`` and ``**`` come last."""
    names = [a.arg for a in args.posonlyargs] + [a.arg for a in args.args]
    keyword_only = len(names)
    names += [a.arg for a in args.kwonlyargs]
    star = double = -1
    if args.vararg is not None:
        star = len(names)
        names.append(args.vararg.arg)
    if args.kwarg is not None:
        double = len(names)
        names.append(args.kwarg.arg)
    return (
        tuple(names[:PARAMETERS]),
        star if star < PARAMETERS else -1,
        double if double < PARAMETERS else -1,
        keyword_only,
    )


class PyModules:
    """Which module of the bundle an import means: sibling files first, then any file whose path ends so."""

    __slots__ = ("_by_path", "_by_tail", "_words")

    def __init__(self) -> None:
        self._by_path: dict[str, Module] = {}
        self._by_tail: dict[str, list[Module]] = {}
        self._words: set[str] = set()

    def add(self, module: Module) -> None:
        """Make a file known under its path and under each tail of its dotted name."""
        stem = module.path.removesuffix(".py").removesuffix(".pyw").removesuffix("/__init__")
        self._by_path.setdefault(stem, module)
        self._words.add(posixpath.basename(stem).rpartition(".")[2])
        parts = stem.replace("!/", "/").split("/")
        for start in range(max(0, len(parts) - 6), len(parts)):
            self._by_tail.setdefault(".".join(parts[start:]), []).append(module)

    def find(self, dotted: str, level: int, importer: Module) -> Module | None:
        """The module an import statement names, or None when it is not in the bundle."""
        if level:
            folder = importer.folder
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            target = posixpath.join(folder, dotted.replace(".", "/")) if dotted else folder
            return self._by_path.get(target.strip("/")) if target else None
        if dotted.rpartition(".")[2] not in self._words:
            return None  # the path of a file, and each tail of its dotted name, end in its last word
        sibling = self._by_path.get(posixpath.join(importer.folder, dotted.replace(".", "/")))
        if sibling is not None:
            return sibling
        candidates = self._by_tail.get(dotted, [])
        return candidates[0] if candidates else None


def is_notebook_cell(view: View) -> bool:
    """Whether the text is a cell, which shares its names with the other cells of the notebook."""
    return any(step.kind == "cell" for step in view.origin)
