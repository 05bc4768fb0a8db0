"""How the launcher and the guardian get into a process: as code objects in memory, by descriptor.

The child is this same interpreter with nothing imported but its standard library. Inside the sandbox no file of
Sluicegate can be seen, and outside none is looked for: no path of the user's decides what runs before the walls.
"""

from __future__ import annotations

import functools
import importlib.util
import marshal
import os
import sys
from importlib.abc import InspectLoader
from pathlib import Path

_HOME = "sluicegate.flow.environments.launch"

_BOOT = """
import marshal, sys
module_type = type(sys)
entry, parts, *lines = sys.argv[1:]
with open(int(parts), "rb") as file:
    modules = marshal.load(file)
sys.modules["__future__"] = module_type("__future__")  # each module asks for annotations: they are in its code already
sys.modules["__future__"].annotations = None
for name in ("sluicegate", "sluicegate.flow", "sluicegate.flow.environments", "sluicegate.flow.environments.launch"):
    sys.modules[name] = module_type(name)
    sys.modules[name].__path__ = []
for name, code in modules:
    module = sys.modules["sluicegate.flow.environments.launch." + name] = module_type(name)
    setattr(sys.modules["sluicegate.flow.environments.launch"], name, module)
    exec(code, module.__dict__)
sys.modules["sluicegate.flow.environments.launch." + entry].main(*map(int, lines))
"""

INSIDE = ("libc", "landlock", "launcher")
GUARDED = ("libc", "landlock", "launcher", "tree", "guardian")
"""The modules that are carried, in the order in which they import each other; the last one is where it starts."""


def interpreter() -> tuple[str, str]:
    """The interpreter without a virtual environment, and the folder that holds its standard library.

    Both are resolved: a part that is a link elsewhere would be missing inside the sandbox.
    """
    program = os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)
    return program, os.path.realpath(sys.base_prefix)


def starting(modules: tuple[str, ...], parts: int, request: int, control: int, status: int) -> list[str]:
    """The argument vector that runs the last of ``modules``; the numbers are descriptors it will inherit."""
    program, _ = interpreter()
    lines = [str(number) for number in (parts, request, control, status)]
    return [program, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, modules[-1], *lines]


@functools.cache
def code_of(modules: tuple[str, ...]) -> bytes:
    """The modules as code objects, for the same interpreter; from the byte code that is kept beside them."""
    found = []
    for name in modules:
        spec = importlib.util.find_spec(f"{_HOME}.{name}")
        loader = None if spec is None else spec.loader
        code = loader.get_code(f"{_HOME}.{name}") if isinstance(loader, InspectLoader) else None
        if code is None:
            text = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
            code = compile(text, f"{name}.py", "exec")
        found.append((name, code))
    return marshal.dumps(found)


def in_memory(name: str, content: bytes) -> int:
    """A descriptor, inherited by no child that is not given it, of a nameless file that holds ``content``."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC)
    write(descriptor, content)
    return descriptor


def write(descriptor: int, content: bytes) -> None:
    """Put all of ``content`` into a file from its beginning on, where it is left."""
    left, at = memoryview(content), 0
    while at < len(left):
        at += os.pwrite(descriptor, left[at:], at)
