"""Prove everything: compile the theorems, hold the gates, extract the oracle, and test production against it.

    spec/prove.sh [--record] [--cases N]

1. The committed translations of the kernels are those of the production sources.
2. Every file compiles, and the sources keep the rules of ``theorems.py``.
3. Every theorem is closed: it rests on no axiom. Every statement, and each definition that one uses, is the recorded
   one, and Coq derives False from the hypotheses of none.
4. The oracles, of the verdict and of flow, are extracted and built, and answer the golden vectors as committed.
5. Production agrees with the oracles on generated cases and on all small globs.

``--record`` writes ``proven.toml``, the golden vectors and their line in ``register.toml`` instead of comparing
them. Writes only to build/prove otherwise.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import product
from pathlib import Path

import hypotheses
import register
import statements
import theorems
import translate
from drt import golden
from drt.campaign import CHUNK, KINDS, compare_with_oracle
from drt.flow import campaign as flow
from drt.flow import golden as flow_golden
from drt.oracle import ask, encode_glob, glob_of_production

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "prove"


class NotProven(Exception):
    """A step failed; the message says which and why."""


def run(*command: str) -> str:
    """The output of a command in the build folder. Raises NotProven with what it said."""
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotProven(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def compile_all() -> None:
    """Compile every file, in order, in a fresh folder."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(theorems.COQ, BUILD)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for wave in theorems.in_waves():
            list(pool.map(coqc, wave))


def coqc(module: str) -> str:
    """What Coq says when it compiles one module, such as ``Thm/Score``."""
    return run("coqc", "-q", "-R", ".", "Sluicegate", f"{module}.v")


def check_assumptions() -> int:
    """Every theorem is closed under the global context; returns how many there are.

    All are asked about at once, as one tuple, since what they share is then followed once.
    """
    names = [f"{one.module.replace('/', '.')}.{one.name}" for one in theorems.theorems()]
    modules = sorted({name.rsplit(".", 1)[0] for name in names})
    lines = [f"From Sluicegate Require {module}." for module in modules]
    lines += [
        f"Definition everything := ({', '.join('@' + name for name in names)}).",
        "Print Assumptions everything.",
    ]
    (BUILD / "Assumptions.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = coqc("Assumptions").strip()
    if said != "Closed under the global context":
        raise NotProven(f"a theorem rests on something unproven:\n{said}")
    return len(names)


def ask_coq(name: str, text: str) -> str:
    """What Coq says to a file of this name and content. Raises NotProven."""
    (BUILD / f"{name}.v").write_text(text, encoding="utf-8")
    return coqc(name)


def check_hypotheses() -> None:
    """No theorem has hypotheses that Coq derives False from."""
    contexts = statements.contexts()
    names = {module: [one.name for one in theorems.theorems() if one.module == module] for module in contexts}
    found = hypotheses.answered(ask_coq("Hypotheses", hypotheses.question(contexts, names)))
    if found:
        raise NotProven(f"hypotheses that cannot hold, so that these say nothing: {', '.join(found)}")


def check_statements(version: str, now: Mapping[str, str], *, record: bool) -> str:
    """The statements are those recorded; what was done, for people. Raises NotProven with a diff."""
    last = theorems.read_record()
    if last is None:
        return f"{len(now)} statements, none recorded before"
    other = theorems.minor(version) != theorems.minor(last.coq)
    names = [name for name in now if now[name].split() != last.statements.get(name, "").split()]
    if other and names and not record and list(now) == list(last.statements):
        # Another version may print the same statement otherwise; so it is asked whether it accepts the recorded one.
        statements.still_proven(last.statements, names, ask_coq)
        return f"{len(names)} statements are printed otherwise than by Coq {last.coq}, and mean the same"
    return _as_recorded("statements", last.statements, now, record=record)


def check_definitions(version: str, now: Mapping[str, str], *, record: bool) -> str:
    """What the statements use means what is recorded; what was done, for people. Raises NotProven with a diff.

    Another version of Coq prints otherwise. There the sources are those recorded, or ``theorems.problems`` says so.
    """
    last = theorems.read_record()
    if last is None or theorems.minor(version) != theorems.minor(last.coq):
        return f"{len(now)} definitions, printed by another version of Coq than those recorded"
    return _as_recorded("definitions that they use", last.definitions, now, record=record)


def _as_recorded(what: str, before: Mapping[str, str], now: Mapping[str, str], *, record: bool) -> str:
    changed = statements.changes(before, now)
    if not changed:
        return f"{len(now)} {what} are as recorded"
    if record:
        print(f"{what} that differ from those recorded before:", *changed, sep="\n")
        return f"{len(now)} {what} are recorded anew"
    told = f"{what} have changed; if that is meant, record them: sh spec/prove.sh --record"
    raise NotProven("\n".join([told, *changed]))


def build_oracle(extracted: str, main: str, program: str) -> Path:
    """An oracle, compiled from what was extracted and a main program."""
    shutil.copy(BUILD / "oracle" / f"{main}.ml", BUILD / f"{main}.ml")
    if shutil.which("ocamlfind"):
        compiler: tuple[str, ...] = ("ocamlfind", "ocamlopt")
    elif shutil.which("ocamlopt"):
        compiler = ("ocamlopt",)
    else:
        raise NotProven("ocamlopt is missing: install OCaml ('apt install ocaml')")
    run(*compiler, "-w", "-a", f"{extracted}.mli", f"{extracted}.ml", f"{main}.ml", "-o", program)
    return BUILD / program


def check_globs(oracle: Path) -> int:
    """All patterns of up to 4 characters against all texts of up to 4, by the oracle; returns how many."""
    texts = ["".join(text) for size in range(5) for text in product("ab/", repeat=size)]
    patterns = ["".join(one) for size in range(5) for one in product("a/*?", repeat=size)]
    pairs = [(pattern, text) for pattern in patterns for text in texts]
    answers = ask(oracle, [encode_glob(*pair) for pair in pairs])
    wrong = [pair for pair, said in zip(pairs, answers, strict=True) if said != glob_of_production(*pair)]
    if wrong:
        raise NotProven(f"production's globs differ from the proven ones: {wrong[:5]}")
    return len(pairs)


def check_cases(oracle: Path, cases: int) -> int:
    """Production against the oracle on generated cases; returns how many."""
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [
            pool.submit(compare_with_oracle, str(oracle), kind, start, min(start + CHUNK, cases // 2))
            for kind in KINDS
            for start in range(0, cases // 2, CHUNK)
        ]
        failures = [failure for job in jobs for failure in job.result()]
    if failures:
        raise NotProven(f"production differs from the oracle: {failures[:5]}")
    return cases


def check_flow(oracle: Path, cases: int) -> int:
    """Production's layers and labels against the oracle of flow on generated cases; returns how many."""
    kinds = ("ordinary", "hostile")
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [
            pool.submit(flow.compare_with_oracle, str(oracle), kind, start, min(start + 250, cases // 2))
            for kind in kinds
            for start in range(0, cases // 2, 250)
        ]
        failures = [failure for job in jobs for failure in job.result()]
    if failures:
        raise NotProven(f"production differs from the oracle: {failures[:5]}")
    return cases


def prove(*, record: bool, cases: int) -> None:
    """All steps, each with a line. Raises NotProven, and what an oracle raises that does not answer."""
    started = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - started:6.1f} s  {line}", flush=True)

    # 1
    if problem := translate.check():
        raise NotProven(problem)
    say("the kernels are translated as they stand")
    # 2
    compile_all()
    version = run("coqc", "--version").split("version ")[1].split()[0]
    say(f"{len(theorems.sources())} files compile with Coq {version}")
    # 3
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        closed, possible = pool.submit(check_assumptions), pool.submit(check_hypotheses)
        now = statements.printed(ask_coq)
        count = closed.result()
        possible.result()
    say(f"{count} theorems are closed under the global context, and of none Coq contradicts the hypotheses")
    meant = statements.meanings(ask_coq, now)
    say(check_statements(version, now, record=record))
    say(check_definitions(version, meant, record=record))
    if record:
        theorems.RECORD.write_text(theorems.record(version, now, meant), encoding="utf-8")
    if found := theorems.problems():
        raise NotProven("\n".join(found))
    # 4
    oracle = build_oracle("proven", "main", "oracle.exe")
    flow_oracle = build_oracle("flow", "flow_main", "flow.exe")
    if record:
        golden.write(oracle)
        flow_golden.write(flow_oracle)
        register.write_golden()
    if found := register.golden_problems():
        raise NotProven("\n".join(found))
    if found := [*golden.differences_from_oracle(oracle), *flow_golden.differences_from_oracle(flow_oracle)]:
        raise NotProven("\n".join(found))
    say(f"the oracles answer {len(golden.read()) + len(flow_golden.read())} golden vectors as committed")
    # 5
    say(f"production agrees with the oracle on all {check_globs(oracle)} small globs")
    say(f"production agrees with the oracle on {check_cases(oracle, cases)} cases of the verdict")
    say(f"production agrees with the oracle on {check_flow(flow_oracle, cases // 10)} cases of flow")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Prove everything.")
    parser.add_argument("--record", action="store_true", help="write proven.toml and the golden vectors")
    parser.add_argument("--cases", type=int, default=10000, help="differential cases against the oracle")
    arguments = parser.parse_args()
    try:
        prove(record=arguments.record, cases=arguments.cases)
    except (NotProven, OSError, RuntimeError, subprocess.SubprocessError, ValueError) as problem:
        print(f"NOT PROVEN\n{problem}", file=sys.stderr)
        return 1
    print("proven")
    return 0


if __name__ == "__main__":
    sys.exit(main())
