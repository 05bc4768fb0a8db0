"""What production certifies of a case, asked of ``check.py``, which shares no code with it."""

from __future__ import annotations

import check
from drt.sides import BUNDLE, Run
from sluicegate.vet.verdict.certificate import certified, document, encode


def unbelieved(run: Run) -> str:
    """What the checker has against the certificate of a case without reviewers and after rulings; empty when it says yes.

    A confidence beyond 0 and 1000 has no place in a certificate; inspection gives none, and such a case is not asked about.
    """
    verdicts = {"alone": run.alone, "ruled": run.ruled}
    weights = [
        f.confidence
        for v in verdicts.values()
        for f in (*v.findings, *v.listed, *(s.finding for s in v.suppressed))
    ]
    if not all(0 <= weight <= 1000 for weight in weights):
        return ""
    skills = [certified(verdict, name=name, bundle=BUNDLE) for name, verdict in verdicts.items()]
    answer, why = check.check(encode(document(skills, tool="1")))
    return "" if answer == "yes" else f"the checker of certificates says {answer}: {why}"
