"""The sessions of a user put together: where they are kept, under which settings, and what the ledger is told of them.

A session is the same wherever its agent stands. The settings under which it began hold wherever it goes, and others give it
nothing: a repository that the agent clones and enters could else say whose words count.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.session.session import Session, Sessions
from sluicegate.flow.session.store import Lapsed, Store
from sluicegate.flow.session.under import Under
from sluicegate.record.clock import Clock
from sluicegate.record.home import Home
from sluicegate.record.keys.user_secret import user_secret
from sluicegate.record.ledger import events
from sluicegate.record.ledger.events import Event


def store_of(home: Home, ledger: Path) -> Store:
    """The store of this user; ``ledger`` is told of what is permitted. Raises HomeError and KeyFileError."""
    return Store(home.sessions / "sessions.db", user_secret(home, "permits"), place=str(ledger))


def sessions(
    layers: Layers,
    note: Callable[[Event], object],
    *,
    make_store: Callable[[], Store] | None,
    clock: Clock,
    under: Under | None = None,
    flush: Callable[[Event], object] | None = None,
) -> Sessions:
    """The sessions under these policies; what is never settled, what begins anew, and what comes in without a permit is noted."""

    def lapsed(several: list[Lapsed]) -> None:
        for each in several:
            note(events.Lapse(operation=each.shown, permit=each.name, taint=each.expects))

    def begun_anew(session: Session, labels: Labels) -> None:
        note(events.Reset(session=session.name, by=session.owner, taint=labels.names()))

    def took_in(session: Session, source: str, labels: Labels, before: tuple[str, ...]) -> str | None:
        told = events.Intake(session=session.name, source=source, taint=labels.names(), inputs=before)
        noted = note(told)
        # Before the session takes it in: a kill between the two leaves no labels without their event.
        if flush is not None:
            flush(told)
        return noted if isinstance(noted, str) else "" if noted is None else None

    def in_memory() -> Store:
        return Store(None, os.urandom(32))

    return Sessions(
        make_store or in_memory,
        layers=layers,
        clock=clock,
        lapsed=lapsed,
        begun_anew=begun_anew,
        intake=took_in,
        under=under,
    )
