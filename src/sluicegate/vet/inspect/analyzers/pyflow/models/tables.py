"""What functions outside the bundle do: tables of models by name, and by method for unknown objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache

from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.names import MAX_KEPT, canonical, disguised
from sluicegate.vet.inspect.analyzers.pyflow.program import Class, Instance
from sluicegate.vet.inspect.analyzers.pyflow.values import (
    NOTHING,
    PyValue,
    bounded_parts,
    join,
    tainted,
)
from sluicegate.vet.lazy import seldom

Model = Callable[[UnitRun, EvaluatedCall, str], PyValue]

TABLE: dict[str, Model] = {}
"""Models by normal name."""
METHODS: dict[str, Model] = {}
"""Models by method name, for objects of which nothing else is known."""
PREFIXES: list[tuple[str, Model]] = []
OBJECTS: dict[str, Model] = {}
"""Models of objects whose every member is the same call, by the name of what makes them."""
QUIET: set[Model] = set()
"""Models that report nothing and read nothing, unless they are given what one that is not quiet made."""
STORING: set[Model] = set()
"""Models that are quiet but for the data that they keep in a file."""

FOLDER_VARIABLES = {
    "HOME": "~",
    "USERPROFILE": "~",
    "APPDATA": "~/AppData/Roaming",
    "LOCALAPPDATA": "~/AppData/Local",
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_DATA_HOME": "~/.local/share",
    "OPENCLAW_HOME": "~/.openclaw",
    "TMPDIR": "/tmp",
    "TEMP": "/tmp",
    "TMP": "/tmp",
}
_SANDBOXES = (
    "vmware virtualbox vbox qemu sandboxie cuckoo wireshark tracerpid hypervisor procmon x64dbg".split()
)
SANDBOX = seldom(_SANDBOXES, "|".join(_SANDBOXES))


def model(*names: str) -> Callable[[Model], Model]:
    """Register a model under normal names."""

    def register(function: Model) -> Model:
        for name in names:
            TABLE[name] = function
        return function

    return register


def method_model(*names: str) -> Callable[[Model], Model]:
    """Register a model for methods of unknown objects."""

    def register(function: Model) -> Model:
        for name in names:
            METHODS[name] = function
        return function

    return register


def quiet(function: Model) -> Model:
    """Mark a model as one that reports nothing (see ``silent``). It may mark data, for that alone is not a report."""
    QUIET.add(function)
    return function


def storing(function: Model) -> Model:
    """Mark a model as one that reports nothing but may keep marked data in a file."""
    STORING.add(function)
    return function


@quiet
def nothing(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Nothing of note comes out, whatever goes in. ``calls.called`` does not even ask it."""
    return NOTHING


def external(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """The result of calling an outside function, and what it does."""
    name, found = resolve(name)
    return found(frame, call, name) if found is not None else default(call, name)


def resolve(name: str) -> tuple[str, Model | None]:
    """The normal form of a name, and its model."""
    return _resolve(name) if len(name) <= MAX_KEPT else _resolve.__wrapped__(name)


@lru_cache(maxsize=4_096)
def _resolve(name: str) -> tuple[str, Model | None]:
    # All models are registered before the first call.
    name = canonical(name)
    found = TABLE.get(name)
    if found is not None:
        return name, found
    owner = OBJECTS.get(name.partition("().")[0]) if OBJECTS else None
    if owner is not None:
        return name, owner
    head, dot, last = name.rpartition(".")
    if dot and (head.endswith("()") or head in ("sys.stdin", "os.environ", "walk", "paths", "long-constant")):
        by_method = METHODS.get(last)
        if by_method is not None:
            return name, by_method
    return name, next((by_prefix for prefix, by_prefix in PREFIXES if name.startswith(prefix)), None)


def method(frame: UnitRun, call: EvaluatedCall) -> PyValue:
    """The result of a call of something unknown."""
    found = METHODS.get(call.name) if isinstance(call.node.func, ast.Attribute) else None
    if found is not None:
        return found(frame, call, call.name)
    return tainted(call.mask | call.receiver.mask | call.callee.mask)


def default(call: EvaluatedCall, name: str) -> PyValue:
    """An outside function without a model: everything that goes in may come out."""
    return made(call.mask | call.receiver.mask, name)


def made(mask: int, name: str) -> PyValue:
    """What calling an outside name gives: this taint, and the reference where some model knows it."""
    ref = name + "()"
    return PyValue(mask, (), (ref,)) if ref in (_MADE or _made()) else tainted(mask)


def _made() -> set[str]:
    """Results that some model knows the methods of."""
    for name in TABLE:
        at = name.find("()")
        while at != -1:
            _MADE.add(name[: at + 2])
            at = name.find("()", at + 2)
    _MADE.update(
        ("socket.socket()", "urllib.request.Request()", "paramiko.SSHClient()", "tempfile.mkstemp()")
    )
    return _MADE


_MADE: set[str] = set()


def item_of(value: PyValue) -> PyValue:
    """What iterating over a value gives, where no frame matters."""
    joined = NOTHING
    for key, part in value.parts:
        joined = join(joined, part if not key else PyValue(part.mask))
    if not value.parts:
        return value
    return joined if joined.mask == value.mask else joined._replace(mask=value.mask)


_WRAPPING = (ast.Subscript, ast.Call, ast.Await)
_CHAINED = (ast.Attribute, ast.Subscript)


def absorb(frame: UnitRun, target: ast.expr, key: str, value: PyValue) -> None:
    """Put a value into what an expression denotes: a variable, an attribute of ``self``, or the root of a
    chain."""
    while isinstance(target, _WRAPPING):
        target = target.func if isinstance(target, ast.Call) else target.value
    if isinstance(target, ast.Attribute):
        if isinstance(target.value, ast.Name):
            base = frame.lookup(target.value.id) or NOTHING
            for ref in base.refs:
                if isinstance(ref, Instance | Class):
                    cls = ref.cls if isinstance(ref, Instance) else ref
                    _into_attribute(frame, cls, target.attr, key, frame.concrete(value))
                    return
        while isinstance(target, _CHAINED):
            target = target.value
    if not isinstance(target, ast.Name):
        return
    old = frame.env.get(target.id)
    if old is None or not (value.texts or value.parts or value.refs or key):
        frame.absorb(target.id, value.mask)
        return
    entry = (key, value)
    parts = bounded_parts([*[part for part in old.parts if part != entry], entry])
    if parts != old.parts:
        frame.env[target.id] = old._replace(parts=parts if len(old.parts) < len(parts) else old.parts)
    frame.absorb(target.id, value.mask)


def _into_attribute(frame: UnitRun, cls: Class, name: str, key: str, value: PyValue) -> None:
    if value.mask or value.texts or value.refs:
        parts = ((key, value),) if value.texts or key else ()
        frame.analysis.attribute(cls, name, PyValue(value.mask, (), (), parts))


def note_disguise(frame: UnitRun, name: str, node: ast.AST) -> None:
    """A module or function found by text through ``globals()``."""
    disguised(frame, name, node, "globals")
