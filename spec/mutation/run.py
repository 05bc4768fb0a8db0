"""Mutation tests: change production in one place, and see that something notices.

    python spec/mutation/run.py [FILE...] [--set tokens|special|hand]... [--sample N] [--strict] [--list] [--survivors]

There are three sets of mutants. *Tokens* changes what is there, one token at a time (``operators``). *Special* adds a
special case, mechanically; of each file a sample is taken (``special``). *Hand* is the list in ``special.toml``: defects
that somebody might well write. All of the verdict is changed, and of flow the kernels and the shell of a decision.

A mutant is killed when a golden vector, an exhaustive check, a generated case or a test of the module fails, or when
it does not end; the cheapest is tried first. One that survives must be explained in ``equivalent.toml``; those of
*special* are told and must be explained only with ``--strict``, since many of them change nothing that can be (a list
of five that is cut at eight). An explanation of a mutant that does not exist or is killed is an error too. Each mutant
runs in a process of its own; no file is ever changed.
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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

SPEC = Path(__file__).resolve().parent.parent
ROOT = SPEC.parent
if str(SPEC) not in sys.path:
    sys.path.insert(0, str(SPEC))

from mutation import hand, imports, special  # noqa: E402
from mutation.operators import Mutant, mutants  # noqa: E402

SETS = ("tokens", "special", "hand")
SAMPLE = 60
EXPLAINED = SPEC / "mutation" / "equivalent.toml"
CPU_SECONDS = 60
SECONDS = 600
MEMORY = 4 << 30
KILLED, SURVIVED = 1, 0
MOST_CASES = 150
"""Cases of each generator of flow, at most: half of what a run of ``make verify`` has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A package whose modules are changed; ``prefix`` is what stands before their names here.

    ``modules`` are changed in all sets (of the verdict, all there are), ``by_hand`` only as the list in
    ``special.toml`` says; rooms of the package are looked through too. ``words`` are texts that a special case may be
    about, ``kinds`` the generators of flow that see the package, ``checks`` the exhaustive checks of flow that are run
    (all, when none is named), ``tests`` what may notice last.
    """

    package: str
    prefix: str
    modules: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where the package stands."""
        return (ROOT / "src").joinpath(*self.package.split("."))

    def everything(self) -> list[Path]:
        """All its files but those that make a folder a package, which hold names of others and nothing else."""
        return sorted(path for path in self.folder.rglob("*.py") if path.stem != "__init__")

    def paths(self, *, by_hand: bool = False) -> list[Path]:
        """The files that are changed. Raises ``LookupError`` for a name that is not that of one file."""
        found = self.everything()
        if not (self.modules or self.by_hand):
            return found
        named = (*self.modules, *self.by_hand) if by_hand else self.modules
        chosen = [path for path in found if path.stem in named]
        if sorted(path.stem for path in chosen) != sorted(named):
            raise LookupError(f"{self.package}: of {', '.join(named)} each must be one file")
        return chosen

    def module_of(self, path: Path) -> str:
        """The name under which a file is imported."""
        return ".".join([self.package, *path.relative_to(self.folder).with_suffix("").parts])


VERDICT = Room(
    package="sluicegate.vet.verdict",
    prefix="",
    words=("malware", "link", "user"),
    tests=("tests/vet/verdict", "tests/spec/test_globs.py"),
)
ROOMS = (
    VERDICT,
    Room(
        package="sluicegate.flow.policy",
        prefix="policy.",
        modules=("kernels", "layer", "layers", "flows", "sources"),
        words=("secret", "untrusted", "src:mcp", "dir:/srv"),
        kinds=("settings", "ordinary", "hostile"),
        tests=tuple(
            f"tests/flow/policy/test_{name}.py"
            for name in ("layer", "layers", "explain", "refusals", "schema", "tables")
        ),
    ),
    Room(
        package="sluicegate.flow.labels",
        prefix="labels.",
        modules=("kernels",),
        by_hand=("names", "sets", "trust", "chosen"),
        kinds=("ordinary", "hostile", "guards"),
        tests=("tests/flow/test_labels.py",),
    ),
    Room(
        package="sluicegate.flow.guards",
        prefix="guards.",
        by_hand=("change", "round", "filters", "decide"),
        kinds=("guards",),
        tests=("tests/flow/test_guards.py",),
    ),
    Room(
        package="sluicegate.flow.environments",
        prefix="environments.",
        by_hand=("attenuation",),
        kinds=("environments",),
        tests=("tests/flow/environments/test_env_attenuation.py",),
    ),
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


def notices(room: Room, path: Path, source: str) -> bool:
    """Whether anything fails with this source in place of a file. For a process of its own."""
    module = room.module_of(path)
    imports.forget(module)
    sys.meta_path.insert(0, MutatedModule(module, source))
    return _verdict_notices(room) if room is VERDICT else _flow_notices(room)


def soon_noticed(room: Room, path: Path, source: str) -> bool:
    """Whether a golden vector or one of the first cases of the verdict fails with this source. For a process of its own."""
    module = room.module_of(path)
    imports.forget(module)
    sys.meta_path.insert(0, MutatedModule(module, source))
    from drt import golden
    from drt.campaign import KINDS, compare

    return any(golden.differences()) or any(compare(kind, 0, 20) for kind in KINDS)


def _tests_notice(room: Room) -> bool:
    import pytest

    quiet = [
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--hypothesis-seed=0",
        "--hypothesis-profile=all-examples",
    ]
    return pytest.main([*quiet, *room.tests]) != 0


def _verdict_notices(room: Room) -> bool:
    from drt import exhaustive, golden

    if any(golden.differences()) or _tests_notice(room):
        return True
    for check in exhaustive.CHECKS.values():
        check()
    from drt.campaign import KINDS, compare

    return any(compare(kind, 0, 250) for kind in KINDS)


def _flow_notices(room: Room) -> bool:
    from drt.flow import exhaustive, golden
    from drt.flow.campaign import compare

    if "ordinary" in room.kinds and golden.differences():
        return True
    first = [(kind, start, start + 10) for start in (0, 10, 20, 30) for kind in room.kinds]
    if any(compare(*span) for span in first):
        return True
    for name in room.checks or exhaustive.CHECKS:
        exhaustive.CHECKS[name]()
    most = MOST_CASES if "ordinary" in room.kinds else 4 * MOST_CASES  # those of other rooms cost little
    return any(compare(kind, 40, most) for kind in room.kinds) or _tests_notice(room)


def survives(
    room: Room, path: Path, mutant: Mutant, *, notices: Callable[[Room, Path, str], bool] = notices
) -> bool:
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
                code = KILLED if notices(room, path, mutant.source) else SURVIVED
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


Chosen = tuple[Room, Path, Mutant]


def all_mutants(files: Sequence[str], sets: Sequence[str] = SETS, sample: int = SAMPLE) -> list[Chosen]:
    """Every mutant of the named files (``score``, ``policy.kernels``), or of all, with where it stands."""
    found: list[Chosen] = []
    for room in ROOMS:
        paths = [path for path in room.paths() if not files or f"{room.prefix}{path.stem}" in files]
        texts = {path: path.read_text(encoding="utf-8") for path in paths}
        siblings = special.siblings_of([path.read_text(encoding="utf-8") for path in room.everything()])
        for path, source in texts.items():
            name = f"{room.prefix}{path.stem}"
            if "tokens" in sets:
                found += [(room, path, one) for one in mutants(name, source)]
            if "special" in sets:
                every = special.mutants(name, source, words=room.words, siblings=siblings)
                found += [(room, path, one) for one in special.sample(every, sample)]
    return found + (_by_hand(files) if "hand" in sets else [])


def _by_hand(files: Sequence[str]) -> list[Chosen]:
    """The mutants of ``special.toml``. Raises ``hand.WrongEntry`` for one that is about no file that is changed."""
    known = {path: room for room in ROOMS for path in room.paths(by_hand=True)}
    found: list[Chosen] = []
    for entry in hand.entries():
        path = ROOT / "src" / "sluicegate" / entry.file
        if path not in known:
            raise hand.WrongEntry(f"special.toml: {entry.file} is not among the files that are changed")
        name = f"{known[path].prefix}{path.stem}"
        if not files or name in files:
            found.append((known[path], path, hand.mutant(name, entry, path.read_text(encoding="utf-8"))))
    return found


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Mutation tests of the verdict and of flow.")
    parser.add_argument(
        "files", nargs="*", help="modules, such as score or policy.layer; all when none is named"
    )
    parser.add_argument(
        "--set", action="append", choices=SETS, help="only these sets; all when none is named"
    )
    parser.add_argument("--sample", type=int, default=SAMPLE, help="special cases of a file, at most")
    parser.add_argument("--strict", action="store_true", help="a special case that survives is an error too")
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--survivors", action="store_true", help="run only those that are explained")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at a time")
    options = parser.parse_args(arguments)
    known = explained()
    chosen = all_mutants(options.files, options.set or SETS, options.sample)
    names = {mutant.name for _, _, mutant in chosen}
    if options.survivors:
        chosen = [one for one in chosen if one[2].name in known]
    if options.list:
        print("\n".join(mutant.name for _, _, mutant in chosen))
        return 0
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(ROOT / "build" / "hypothesis")
    _load()
    if broken := _unchanged(chosen):
        print(f"{broken} does not pass as it is")
        return 2
    alive = _run(chosen, known, options.workers)
    unexplained = [name for name in alive if name not in known]
    ran = {mutant.name for _, _, mutant in chosen}
    stale = [name for name in known if name in ran and name not in alive]
    everything = not options.files and not options.set and options.sample == SAMPLE
    stale += [name for name in known if name not in names and everything]
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{len(chosen)} mutants, {len(chosen) - len(alive)} killed, {len(alive) - len(unexplained)} explained; "
        f"{spent.ru_utime + spent.ru_stime:.0f} s of CPU"
    )
    for name in stale:
        print(f"EXPLAINED BUT NOT ALIVE  {name}")
    must = unexplained if options.strict else [name for name in unexplained if special.SIGN not in name]
    return 1 if must or stale else 0


def _unchanged(chosen: Sequence[Chosen]) -> str:
    """A file that is taken for a mutant though nothing is changed in it: then no result would mean anything."""
    for room, path in dict.fromkeys((room, path) for room, path, _ in chosen):
        same = Mutant(name=path.stem, source=path.read_text(encoding="utf-8"))
        if not survives(room, path, same):
            return f"{room.prefix}{path.stem}"
    return ""


def _load() -> None:
    """Load once, before the children, what they all need; each forgets what depends on the module it changes."""
    import pytest  # noqa: F401

    import drt.campaign
    import drt.exhaustive
    import drt.flow.exhaustive
    import drt.flow.golden
    import drt.golden  # noqa: F401
    from drt.flow.campaign import compare

    compare("ordinary", 0, 1)  # fills what is kept of tables
    imports.forget("")


def _run(chosen: Sequence[Chosen], known: dict[str, str], workers: int) -> list[str]:
    """The names of those that survive; what is not explained is printed as it is found."""
    alive = []
    with ThreadPoolExecutor(workers) as pool:
        for (_, _, mutant), lives in zip(chosen, pool.map(lambda one: survives(*one), chosen), strict=True):
            if lives:
                alive.append(mutant.name)
                if mutant.name not in known:
                    print(f"SURVIVED  {mutant.name}", flush=True)
    return alive


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
