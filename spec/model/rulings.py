"""The reference model of counting rulings: whose each is, which stand, and whether they make a CAUTION SAFE.

Imports nothing of ours.
"""

from __future__ import annotations

CAUTION, SAFE, DO_NOT_INSTALL = "CAUTION", "SAFE", "DO_NOT_INSTALL"


def whose(ruling, pins):
    """The person of a ruling, or None where it counts for nobody. ``pins``: from keys to persons; None: no keys are pinned."""
    return ruling["signer"] if pins is None else pins.get(ruling["key"])


def decided(rulings, docket, needed, pins, own, revoked):
    """What a CAUTION is after these rulings, all on its content. ``own``: the keys of this machine.

    Each ruling has a ``key``, the ``signer`` for whom that key is trusted, a ``docket``, whether it ``approves``, and a ``time``.
    """
    counting = [r for r in rulings if r["key"] not in revoked and whose(r, pins) is not None]
    approvals = []
    for person in sorted({whose(r, pins) for r in counting}):
        theirs = [r for r in counting if whose(r, pins) == person]
        theirs.sort(
            key=lambda r: (r["time"], not r["approves"])
        )  # of two at one time, the rejection is the newer
        if not theirs[-1]["approves"]:
            return DO_NOT_INSTALL
        rejected = [at for at, r in enumerate(theirs) if not r["approves"]]
        since = theirs[max(rejected, default=-1) + 1 :]
        last = [r for r in since if r["docket"] == docket][-1:]
        approvals += [r for r in last if pins is not None or r["key"] in own]
    if needed > 1:  # keys that one hand may hold are one person
        held = [r for r in approvals if r["key"] in own]
        count = len(approvals) - len(held) + min(1, len(held))
    else:
        count = len(approvals)
    return SAFE if count >= needed else CAUTION
