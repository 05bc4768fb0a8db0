"""Millions of differential cases: `make verify-deep`. Stop it at any time; started again, it goes on.

    python spec/deep.py [--cases N] [--oracle PROGRAM] [--mutation] [--restart]

Case numbers go on from build/deep/next. A failing case is shrunk and kept in spec/drt/failures or
spec/drt/flow/failures, where every `make verify` runs it again. For every 20 cases of the verdict, one is run of
flow. With oracles (`make prove` leaves them in build/prove, where they are looked for), every case is also run
against the proven functions. Before all that, the translator is compared with Python on generated modules, other ones
each time. ``--mutation`` then runs the mutation tests.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import fuzz_translator
from drt.campaign import campaign, report
from drt.flow import campaign as flow

SPEC = Path(__file__).resolve().parent
ROOT = SPEC.parent
STATE = ROOT / "build" / "deep" / "next"
STEP = 20000


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Run millions of differential cases.")
    parser.add_argument("--cases", type=int, default=2_000_000, help="how many are a run")
    parser.add_argument("--oracle", type=Path, default=ROOT / "build" / "prove" / "oracle.exe")
    parser.add_argument("--programs", type=int, default=1000, help="modules for the translator")
    parser.add_argument("--mutation", action="store_true", help="run the mutation tests afterwards")
    parser.add_argument("--restart", action="store_true", help="begin at case 0 again")
    arguments = parser.parse_args()
    oracle = arguments.oracle if arguments.oracle.is_file() else None
    beside = arguments.oracle.with_name("flow.exe")
    flow_oracle = beside if beside.is_file() else None
    shares = STEP // (20 * sum(flow.KINDS.values()))
    print(
        f"against the model{' and the oracle' if oracle else '; no oracle, run make prove for one'}",
        flush=True,
    )
    STATE.parent.mkdir(parents=True, exist_ok=True)
    done = 0 if arguments.restart or not STATE.is_file() else int(STATE.read_text(encoding="utf-8"))
    if found := fuzz_translator.report(arguments.programs, seed=done):
        print("\n\n".join(found[:5]))
        return 1
    goal = (done // arguments.cases + 1) * arguments.cases
    started, first = time.monotonic(), done
    while done < goal:
        failures = campaign(STEP, first=done // 2, oracle=oracle, properties=False)
        failures += flow.campaign(shares, first=done // STEP * shares, oracle=flow_oracle)
        if failures:
            print(report(failures))
            return 1
        done += STEP
        STATE.write_text(str(done), encoding="utf-8")
        speed = (done - first) / (time.monotonic() - started)
        print(f"{done} of {goal} cases agree, {speed:.0f} a second", flush=True)
    if arguments.mutation:
        from mutation.run import main as mutate

        return mutate([])
    return 0


if __name__ == "__main__":
    sys.exit(main())
