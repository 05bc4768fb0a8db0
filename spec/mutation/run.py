"""Mutation tests: change production in one place, and see that something notices.

    python spec/mutation/run.py [FILE...] [--list] [--survivors]

All of the verdict is changed, and of flow the kernels. A mutant is killed when a golden vector, an exhaustive check, a
generated case or (of the verdict) a test fails, or when it does not end. One that survives must be explained in ``equivalent.toml``; an explanation of a mutant that does not exist or is killed
is an error too. Each mutant runs in a process of its own; no file is ever changed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

SPEC = Path(__file__).resolve().parent.parent
ROOT = SPEC.parent
if str(SPEC) not in sys.path:
    sys.path.insert(0, str(SPEC))

from mutation.operators import Mutant, mutants  # noqa: E402

EXPLAINED = SPEC / "mutation" / "equivalent.toml"
CPU_SECONDS = 25
SECONDS = 600
MEMORY = 4 << 30
KILLED, SURVIVED = 1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A package whose modules are changed; ``prefix`` is what stands before their names here."""

    package: str
    prefix: str
    modules: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ("__init__", "types")

    def paths(self) -> list[Path]:
        """The files that are changed: those named, or all but those left out."""
        found = sorted((ROOT / "src").joinpath(*self.package.split(".")).glob("*.py"))
        return [
            path
            for path in found
            if (path.stem in self.modules if self.modules else path.stem not in self.left_out)
        ]


VERDICT = Room(package="sluicegate.vet.verdict", prefix="")
ROOMS = (
    VERDICT,
    Room(package="sluicegate.flow.policy", prefix="policy.", modules=("kernels",)),
    Room(package="sluicegate.flow.labels", prefix="labels.", modules=("kernels",)),
)


class MutatedModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module a changed source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Only for the one module."""
        del path, target
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source as the module."""
        exec(compile(self.source, self.name, "exec"), module.__dict__)


def notices(room: Room, module: str, source: str) -> bool:
    """Whether anything fails with this source in place of a module. For a process of its own."""
    for name in [name for name in sys.modules if name.startswith(("sluicegate", "drt", "model"))]:
        del sys.modules[name]
    sys.meta_path.insert(0, MutatedModule(f"{room.package}.{module}", source))
    return _verdict_notices() if room is VERDICT else _flow_notices()


def _verdict_notices() -> bool:
    from drt import exhaustive, golden

    if golden.differences():
        return True
    import pytest

    tests = ["tests/vet/verdict", "tests/spec/test_globs.py"]
    if (
        pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", *tests])
        != 0
    ):
        return True
    for check in exhaustive.CHECKS.values():
        check()
    from drt.campaign import KINDS, compare

    return any(compare(kind, 0, 250) for kind in KINDS)


def _flow_notices() -> bool:
    from drt.flow import exhaustive, golden

    for check in exhaustive.CHECKS.values():
        check()
    if golden.differences():
        return True
    from drt.flow.campaign import KINDS, compare

    return any(compare(kind, 0, 40) for kind in KINDS)


def survives(room: Room, module: str, mutant: Mutant) -> bool:
    """Whether nothing notices a mutant; decided in a child process with limits of time and memory."""
    child = os.fork()
    if child == 0:
        os.setpgrp()
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        code = KILLED
        with open(os.devnull, "w") as silence:  # noqa: PTH123
            os.dup2(silence.fileno(), 1)
            os.dup2(silence.fileno(), 2)
            with contextlib.suppress(BaseException):
                code = KILLED if notices(room, module, mutant.source) else SURVIVED
        os._exit(code)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == SURVIVED
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def explained() -> dict[str, str]:
    """Mutants that nothing can notice, each with why."""
    if not EXPLAINED.is_file():
        return {}
    return {
        row["mutant"]: row["why"]
        for row in tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["equivalent"]
    }


def all_mutants(files: Sequence[str]) -> list[tuple[Room, str, Mutant]]:
    """Every mutant of the named files (``score``, ``policy.kernels``), or of all, with where it stands."""
    return [
        (room, path.stem, mutant)
        for room in ROOMS
        for path in room.paths()
        if not files or f"{room.prefix}{path.stem}" in files
        for mutant in mutants(f"{room.prefix}{path.stem}", path.read_text(encoding="utf-8"))
    ]


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Mutation tests of the verdict and of flow.")
    parser.add_argument(
        "files", nargs="*", help="modules, such as score or policy.kernels; all when none is named"
    )
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--survivors", action="store_true", help="run only those that are explained")
    options = parser.parse_args(arguments)
    known = explained()
    chosen = all_mutants(options.files)
    names = {mutant.name for _, _, mutant in chosen}
    if options.survivors:
        chosen = [one for one in chosen if one[2].name in known]
    if options.list:
        print("\n".join(mutant.name for _, _, mutant in chosen))
        return 0
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(ROOT / "build" / "hypothesis")
    import pytest  # noqa: F401 - loaded once, before the children

    alive = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (_, _, mutant), lives in zip(chosen, pool.map(lambda one: survives(*one), chosen), strict=True):
            if lives:
                alive.append(mutant.name)
                if mutant.name not in known:
                    print(f"SURVIVED  {mutant.name}", flush=True)
    unexplained = [name for name in alive if name not in known]
    ran = {mutant.name for _, _, mutant in chosen}
    stale = [name for name in known if name in ran and name not in alive]
    stale += [name for name in known if name not in names and not options.files]
    print(
        f"{len(chosen)} mutants, {len(chosen) - len(alive)} killed, {len(alive) - len(unexplained)} explained"
    )
    for name in stale:
        print(f"EXPLAINED BUT NOT ALIVE  {name}")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
