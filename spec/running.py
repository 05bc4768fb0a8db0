"""Whether the kernels that run are those that are translated.

``translate.py`` reads a file; Python runs what its import finds. These are the same unless something stands in
between: a package or a compiled module of the same name, or code that replaces a kernel when it is imported.
So each module is imported, and each of its names is compared with what its source gives.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import FunctionType, ModuleType

import translate


def problems() -> list[str]:
    """What runs otherwise than its source says; empty when nothing does."""
    found = []
    for source in translate.MODULES.values():
        name = source.removeprefix("src/").removesuffix(".py").replace("/", ".")
        path = translate.ROOT / source
        found += [f"{name}: {one}" for one in differences(importlib.import_module(name), path)]
    return found


def differences(module: ModuleType, path: Path) -> list[str]:
    """How a module that was imported differs from the source at this path."""
    if module.__file__ is None or Path(module.__file__).resolve() != path.resolve():
        return [f"Python imports {module.__file__} and not {path}"]
    expected: dict[str, object] = {}
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), expected)
    names = {name for name in (*expected, *vars(module)) if not name.startswith("__")}
    return [
        f"{name} is not what its source says"
        for name in sorted(names)
        if _meaning(expected.get(name)) != _meaning(vars(module).get(name))
    ]


def _meaning(value: object) -> object:
    """What decides how a kernel or a constant behaves, as something that can be compared."""
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__, value.__kwdefaults__, value.__closure__
    return type(value), value
