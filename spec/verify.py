"""Check production against its specification: `make verify`. Python only, under a minute.

    python spec/verify.py [--cases N] [--without-crosshair]

Each step is a claim; one that fails says why, the others still run, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import backing
import outcomes
import register
import running
import table
import theorems
import translate
from drt import exhaustive, golden, reached
from drt.campaign import KINDS, campaign, differs, report
from drt.cases import generate
from drt.flow import campaign as flow
from drt.flow import coverage as flow_coverage
from drt.flow import exhaustive as flow_exhaustive
from drt.flow import golden as flow_golden
from drt.properties import broken
from drt.shrink import kept
from sluicegate.reach.cli.commands.spec import parse

SPEC = Path(__file__).resolve().parent
ROOT = SPEC.parent
Step = Callable[[], list[str]]
MOST_COUNTED = 400
"""Cases of each generator of the verdict among which everything occurs."""
PER_SHARE = sum(flow.KINDS.values())


def specification() -> list[str]:
    """Every behaviour is ruled and backed by something that exists, and the pages are current."""
    return table.check()


def registered() -> list[str]:
    """Nothing that was ever ruled, proven or kept is gone."""
    return register.problems()


def backed() -> list[str]:
    """Every test, check, contract and property that backs a behaviour could fail."""
    return backing.problems(parse(table.BEHAVIOURS.read_text(encoding="utf-8")), ROOT)


def translation() -> list[str]:
    """The kernels are in the translatable subset, the proven text is their translation, and they are what runs."""
    return [problem] if (problem := translate.check()) else running.problems()


def proofs() -> list[str]:
    """Every proof file is reached, nothing is admitted, and the record is of these sources."""
    return theorems.problems()


MODELS = {
    ("verdict.py", "envelope.py"): ("vet/verdict",),
    ("flow.py", "grants.py", "capabilities.py", "spelling.py", "settings.py"): (
        "flow/labels",
        "flow/policy",
        "flow/guards",
        "flow/environments",
    ),
    ("scripts.py",): ("script/evaluate",),
}
"""The files of the model, and the rooms of production that each group of them stands for."""


def model() -> list[str]:
    """The model imports nothing of production, and has at most a quarter of its lines."""
    found = []
    for path in sorted((SPEC / "model").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [
                f"{path.name} imports {name}" for name in names if name.split(".")[0] in ("sluicegate", "drt")
            ]
    for files, rooms in MODELS.items():
        lines = sum(_lines(SPEC / "model" / name) for name in files)
        paths = [path for room in rooms for path in (ROOT / "src/sluicegate" / room).rglob("*.py")]
        production = sum(map(_lines, paths))
        if 4 * lines > production:
            found.append(f"{files[0]}: {lines} lines, more than a quarter of production's {production}")
    return found


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def everything_finite() -> list[str]:
    """All that is finite, and all small scopes, one by one."""
    found = []
    for name, check in {**exhaustive.CHECKS, **flow_exhaustive.CHECKS}.items():
        try:
            check()
        except AssertionError as error:
            found.append(f"{name}: {str(error)[:300]}")
    return found


def golden_vectors() -> list[str]:
    """Production answers the golden vectors as the proven functions did."""
    return [*golden.differences(), *flow_golden.differences()]


def kept_failures() -> list[str]:
    """Cases that failed once hold."""
    found = []
    for name, case in kept():
        if differs(case):
            found.append(f"{name}: production differs from the model")
        found += [f"{name}: {one}" for one in broken(case)]
    found += [f"{name}: {one}" for name, case in flow.kept() for one in flow.wrong(case)]
    return found


def generated_cases(cases: int) -> list[str]:
    """Production agrees with the model and keeps its properties on generated cases."""
    failures = campaign(cases)
    return [report(failures)] if failures else []


def everything_is_generated(cases: int, shares: int) -> list[str]:
    """Every member of an enumeration and every field that a decision may depend on occurs among the cases."""
    of_verdict = (generate(kind, number) for kind in KINDS for number in range(min(cases // 2, MOST_COUNTED)))
    return [
        *(f"verdict: {one}" for one in reached.unreached(of_verdict)),
        *(f"flow: {one}" for one in flow_coverage.unreached(flow.generate_all(max(shares, 100)))),
    ]


def generated_flow(shares: int) -> list[str]:
    """Policies, labels, guards, environments and programs: production agrees with the model, on generated cases."""
    failures = flow.campaign(shares)
    return [report(failures)] if failures else []


def contracts() -> list[str]:
    """CrossHair confirms every contract on the kernels, over all paths."""
    if importlib.util.find_spec("crosshair") is None:
        return ["CrossHair is not installed: pip install --group verify"]
    command = [sys.executable, "-m", "crosshair", "check", "--analysis_kind", "PEP316", "--report_all"]
    done = subprocess.run(
        [*command, "--per_condition_timeout", "30", "contracts.py"], cwd=SPEC, capture_output=True, text=True
    )
    text = (SPEC / "contracts.py").read_text(encoding="utf-8")
    stated = sum(isinstance(node, ast.FunctionDef) for node in ast.parse(text).body)
    said = done.stdout.splitlines()
    confirmed = [line for line in said if line.endswith("Confirmed over all paths.")]
    if done.returncode != 0 or len(confirmed) != stated:
        return [
            f"{len(confirmed)} of {stated} contracts confirmed",
            *(line for line in said if line not in confirmed),
        ]
    return []


def named_tests() -> list[str]:
    """Each test that a behaviour names ran and passed, with every parameter."""
    behaviours = parse(table.BEHAVIOURS.read_text(encoding="utf-8"))
    named = sorted({name for one in behaviours for kind, name in one.backing if kind == "tests"})
    return outcomes.problems(named, fewest=register.read().cases)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Check production against its specification.")
    parser.add_argument("--cases", type=int, default=2000, help="generated cases of the verdict")
    parser.add_argument("--shares", type=int, default=100, help="shares of generated cases of flow")
    parser.add_argument(
        "--without-crosshair", action="store_true", help="leave the contracts out, and say so"
    )
    arguments = parser.parse_args()
    with ThreadPoolExecutor(
        max_workers=1
    ) as beside:  # two steps are processes of their own: they run beside the others
        return _verify(arguments, beside)


def _verify(arguments: argparse.Namespace, beside: ThreadPoolExecutor) -> int:
    tests = beside.submit(named_tests)
    confirmed = None if arguments.without_crosshair else beside.submit(contracts)
    steps: list[tuple[str, Step]] = [
        ("the specification is complete", specification),
        ("nothing registered is gone", registered),
        ("every backing could fail", backed),
        ("the kernels are the translated ones", translation),
        ("the proofs are complete and recorded", proofs),
        ("the model is small and stands alone", model),
        ("everything finite is checked", everything_finite),
        ("the golden vectors hold", golden_vectors),
        ("kept failures hold", kept_failures),
        (
            "every member and field is generated",
            lambda: everything_is_generated(arguments.cases, arguments.shares),
        ),
        (f"{arguments.cases} generated cases of the verdict agree", lambda: generated_cases(arguments.cases)),
        (
            f"{arguments.shares * PER_SHARE} generated cases of flow agree",
            lambda: generated_flow(arguments.shares),
        ),
    ]
    steps.append(("the tests that are named pass", tests.result))
    if confirmed is not None:
        steps.append(("the contracts are confirmed", confirmed.result))
    failed = sum(not _passes(name, step) for name, step in steps)
    if arguments.without_crosshair:
        print("left out: the contracts (CrossHair)")
    print(f"{failed} of {len(steps)} failed" if failed else "verified")
    return 1 if failed else 0


def _passes(name: str, step: Step) -> bool:
    started = time.monotonic()
    try:
        found = step()
    except Exception as error:  # noqa: BLE001 - a step that cannot run has failed, and the others still run
        found = [f"{type(error).__name__}: {error}"]
    print(f"{'FAIL' if found else 'ok  '}  {time.monotonic() - started:5.1f} s  {name}", flush=True)
    for line in found[:20]:
        print(f"        {line}")
    return not found


if __name__ == "__main__":
    sys.exit(main())
