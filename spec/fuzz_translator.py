"""Compare the translator with Python on generated modules: what it accepts must mean the same in both.

    python spec/fuzz_translator.py [--programs N] [--seed N]

Modules are generated in the grammar that the translator accepts, with constants, kernels and parameters named
from one small pool in which names shadow each other and the built-in ones, and with headers that make Python read
a text differently. What the translator accepts is compiled by Coq, computed on boundary, negative and large inputs,
and compared with Python running the same bytes. Any difference is a failure, and the module is shown.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import translate

POOL = (
    "f",
    "g",
    "h",
    "x",
    "y",
    "z",
    "N",
    "M",
    "SCALE",
    "min",
    "max",
    "int",
    "bool",
    "tuple",
    "Z",
    "true",
    "negb",
)
PLAIN = POOL[:9]
NUMBERS = (0, 1, 2, 3, 5, 7, 10, 40000, 10**18, 2**64 + 1)
INPUTS = (0, 1, -1, 2, -2, 3, 7, -7, 500, -40001, 2**31, -(2**63) - 1, 10**30, -(10**30))
HEADERS = (
    *([b""] * 12),
    b"# -*- coding: utf-8 -*-\n",
    b"# -*- coding: latin-1 -*-\n",
    b"# -*- coding: unicode_escape -*-\n",
    b"# -*- coding: utf-7 -*-\n",
    b"\xef\xbb\xbf",
    b"\x0c",
    b"from __future__ import annotations as max\n",
    b"from __future__ import annotations\n",
)
COMMENTS = (
    b"",
    b"",
    b"  # words\n",
    b"    # \\x0a    return 7\n",
    b"    # +AAo-    return 7\n",
    b"    #\x0c\n",
)
BATCH = 40
EACH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What a generated kernel takes and gives."""

    name: str
    takes: tuple[str, ...]
    gives: str


@dataclass(slots=True)
class Writer:
    """Writes one module; knows what it has defined."""

    rng: random.Random
    pool: Sequence[str]
    constants: list[str] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)

    def module(self) -> bytes:
        """A whole module."""
        out = [self.rng.choice(HEADERS)]
        for _ in range(self.rng.randint(0, 3)):
            name = self.rng.choice(self.pool)
            self.constants.append(name)
            out.append(f"{name} = {self.number()}\n".encode())
        for _ in range(self.rng.randint(1, 3)):
            out.append(self.kernel())
        if self.rng.random() < 0.1:
            out.append(f"{self.rng.choice(self.pool)} = {self.number()}\n".encode())
        return b"".join(out)

    def kernel(self) -> bytes:
        """One kernel, and its place among those that later ones may call."""
        rng = self.rng
        name, count = rng.choice(self.pool), rng.randint(0, 3)
        names = [rng.choice(self.pool) for _ in range(count)]
        kinds = [rng.choice(("int", "int", "bool")) for _ in names]
        gives = rng.choice(("int", "int", "bool", "tuple[int, int]", "tuple[int, int, int]"))
        scope = dict(zip(names, kinds, strict=True))
        taken = ", ".join(f"{one}: {kind}" for one, kind in zip(names, kinds, strict=True))
        lines = [f"def {name}({taken}) -> {gives}:\n".encode(), rng.choice(COMMENTS)]
        for _ in range(rng.randint(0, 2)):
            condition, value = self.truth(scope, 2), self.value(gives, scope, 2)
            lines.append(f"    if {condition}:\n        return {value}\n".encode())
        lines.append(f"    return {self.value(gives, scope, 3)}\n".encode())
        self.kernels.append(Kernel(name=name, takes=tuple(kinds), gives=gives))
        return b"".join(lines)

    def value(self, kind: str, scope: dict[str, str], depth: int) -> str:
        """An expression of any kind."""
        if kind == "int":
            return self.whole(scope, depth)
        if kind == "bool":
            return self.truth(scope, depth)
        return f"({', '.join(self.whole(scope, depth - 1) for _ in range(kind.count('int')))})"

    def number(self) -> str:
        """A number that is written in one of the ways that Python knows."""
        number = self.rng.choice(NUMBERS)
        return self.rng.choice((str(number), str(number), hex(number), f"{number:_}"))

    def whole(self, scope: dict[str, str], depth: int) -> str:
        """An expression that is a number."""
        rng = self.rng
        leaves = [one for one, kind in scope.items() if kind == "int"] + self.constants
        if depth <= 0 or rng.random() < 0.15:
            return rng.choice(leaves) if leaves and rng.random() < 0.8 else self.number()
        one, other = self.whole(scope, depth - 1), self.whole(scope, depth - 1)
        forms: list[Callable[[], str]] = [
            lambda: f"({one} {rng.choice('+-*')} {other})",
            lambda: f"-{one}",
            lambda: f"{rng.choice(('min', 'max'))}({one}, {other})",
            lambda: f"({one} if {self.truth(scope, depth - 1)} else {other})",
        ]
        if self.constants:
            forms.append(lambda: f"({one} // {rng.choice(self.constants)})")
        if calls := [kernel for kernel in self.kernels if kernel.gives == "int"]:
            forms.append(lambda: self.call(rng.choice(calls), scope, depth))
        return rng.choice(forms)()

    def truth(self, scope: dict[str, str], depth: int) -> str:
        """An expression that is a truth value."""
        rng = self.rng
        leaves = [one for one, kind in scope.items() if kind == "bool"] + ["True", "False"]
        if depth <= 0 or rng.random() < 0.15:
            return rng.choice(leaves)
        forms: list[Callable[[], str]] = [
            lambda: (
                f"({self.whole(scope, depth - 1)} {rng.choice(('<', '<=', '>', '>=', '=='))} "
                f"{self.whole(scope, depth - 1)})"
            ),
            lambda: (
                f"({self.truth(scope, depth - 1)} {rng.choice(('and', 'or'))} {self.truth(scope, depth - 1)})"
            ),
            lambda: f"(not {self.truth(scope, depth - 1)})",
        ]
        if calls := [kernel for kernel in self.kernels if kernel.gives == "bool"]:
            forms.append(lambda: self.call(rng.choice(calls), scope, depth))
        return rng.choice(forms)()

    def call(self, kernel: Kernel, scope: dict[str, str], depth: int) -> str:
        """A call of a kernel above."""
        return f"{kernel.name}({', '.join(self.value(kind, scope, depth - 1) for kind in kernel.takes)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A module that the translator accepts, its translation, and calls of its kernels with Python's answers."""

    source: bytes
    coq: str
    calls: tuple[str, ...]
    answers: tuple[str, ...]


def program(seed: int) -> Program | None:
    """The generated module of this number, if the translator accepts it."""
    rng = random.Random(seed)
    writer = Writer(rng, PLAIN if rng.random() < 0.8 else POOL)
    source = writer.module()
    try:
        text = translate.translate(source, f"module {seed}")
    except translate.OutsideSubset:
        return None
    room: dict[str, Callable[..., object]] = {}
    calls, answers = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, f"module {seed}", "exec", dont_inherit=True), room)
    for kernel in writer.kernels:
        for _ in range(EACH):
            given = [rng.choice(INPUTS) if kind == "int" else rng.random() < 0.5 for kind in kernel.takes]
            calls.append(_coq_call(kernel, given))
            answers.append(_python_answer(room[kernel.name], given))
    return Program(source=source, coq=text, calls=tuple(calls), answers=tuple(answers))


def _coq_call(kernel: Kernel, given: Sequence[int]) -> str:
    """The call as a list of integers in Coq."""
    words = [str(one).lower() if isinstance(one, bool) else f"({one})" for one in given]
    call = f"({kernel.name} {' '.join(words)})"
    if kernel.gives == "int":
        return f"[{call}]"
    if kernel.gives == "bool":
        return f"[if {call} then 1 else 0]"
    names = ["u", "v", "w"][: kernel.gives.count("int")]
    return f"(let '({', '.join(names)}) := {call} in [{'; '.join(names)}])"


def _python_answer(function: Callable[..., object], given: Sequence[int]) -> str:
    """What Python answers, as integers."""
    try:
        said = function(*given)
    except Exception as error:  # noqa: BLE001 - whatever a kernel raises, Coq has no such answer
        return f"{type(error).__name__}"
    return " ".join(str(int(one)) for one in (said if isinstance(said, tuple) else (said,)))


def ask_coq(programs: Sequence[Program]) -> list[list[str] | str]:
    """For each program Coq's answers, or what coqc says against it."""
    parts = ["From Coq Require Import ZArith List.\nSet Printing Width 100000.\nSet Printing Depth 100000.\n"]
    for number, one in enumerate(programs):
        # The answers stand outside the module of the program, since its names may be those of the answers.
        answers = "; ".join(one.calls)
        parts.append(
            f"Module P{number}.\n{one.coq}Import ListNotations.\n"
            f"Definition answers__ : list (list Z) := [{answers}].\nEnd P{number}.\n"
            f"Import ListNotations.\nOpen Scope Z_scope.\nEval vm_compute in P{number}.answers__.\n"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Batch.v"
        path.write_text("".join(parts), encoding="utf-8")
        done = subprocess.run(["coqc", "-q", str(path)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        if len(programs) == 1:
            return [done.stderr.strip()[-600:]]
        middle = len(programs) // 2
        return ask_coq(programs[:middle]) + ask_coq(programs[middle:])
    lists = re.findall(r"^     = (.*)$", done.stdout, re.MULTILINE)
    return [
        [" ".join(re.findall(r"-?\d+", row)) for row in re.findall(r"\[([^][]+)\]", text[1:])]
        for text in lists
    ]


def compared(programs: Sequence[Program]) -> list[str]:
    """The programs on which Coq and Python differ, each as a text for people."""
    found = []
    for one, said in zip(programs, ask_coq(programs), strict=True):
        if isinstance(said, str):
            found.append(f"coqc refuses what the translator accepts: {said}\n{one.source.decode('latin-1')}")
            continue
        for call, python, coq in zip(one.calls, one.answers, said, strict=True):
            if python != coq:
                found.append(
                    f"{call}: Python says {python}, Coq says {coq}\n{one.source.decode('latin-1')}\n{one.coq}"
                )
                break
    return found


def fuzz(programs: int, seed: int) -> tuple[int, int, list[str]]:
    """How many modules were generated and how many evaluations agree, and every difference."""
    accepted: list[Program] = []
    number = seed
    while len(accepted) < programs:
        one = program(number)
        number += 1
        if one is not None:
            accepted.append(one)
    batches = [accepted[at : at + BATCH] for at in range(0, len(accepted), BATCH)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = [problem for batch in pool.map(compared, batches) for problem in batch]
    return number - seed, sum(len(one.calls) for one in accepted), found


def report(programs: int, seed: int) -> list[str]:
    """Run it, say what was done, and return the differences; nothing where Coq is missing, and a line that says so."""
    if shutil.which("coqc") is None:
        print("left out: the translator against Python (coqc is missing)", flush=True)
        return []
    generated, evaluations, found = fuzz(programs, seed)
    print(
        f"the translator accepts {programs} of {generated} generated modules (seed {seed}); "
        f"{evaluations} evaluations, {len(found)} modules differ",
        flush=True,
    )
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare the translator with Python on generated modules.")
    parser.add_argument("--programs", type=int, default=600, help="how many accepted modules to compare")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first module")
    arguments = parser.parse_args()
    found = report(arguments.programs, arguments.seed)
    print("\n\n".join(found[:5]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
