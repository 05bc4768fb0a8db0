"""The user's queue, opened: for commands, and for whatever else shows it to a person."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.record.errors import NoHomeError
from sluicegate.record.user import named_directory, state_directory
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.record.clock import Clock
    from sluicegate.record.keys.keys import Keys, Signer
    from sluicegate.vet.report import Report
    from sluicegate.vet.review.queue.queue import ForScan, ReviewQueue
    from sluicegate.vet.review.queue.store import StoredFlag

_VARIABLE = "SLUICEGATE_KEYS_HOME"
_FILE = "queue.sqlite"


@contextmanager
def open_queue(
    environ: Mapping[str, str], *, clock: Clock = time.time_ns, by_settings: bool = True
) -> Iterator[ReviewQueue]:
    """The queue of this user; made where there is none. Without ``by_settings``, nothing is said of who may rule. Raises VetError
    and RecordError.
    """
    from sluicegate.reach.settings_queue import queue_settings
    from sluicegate.record.home import Home
    from sluicegate.record.keys.keys import Keys
    from sluicegate.vet.review.queue.counting import QueueSettings, TrustedSigners
    from sluicegate.vet.review.queue.queue import ReviewQueue, today_of
    from sluicegate.vet.review.queue.store import FILE, QueueStore

    home = Home.find(environ, workspace=None)
    keys = Keys(home, clock=clock)
    settings = queue_settings(environ) if by_settings else QueueSettings()
    own = frozenset(key.public.id for key in keys.stored())
    with QueueStore(home.reviews / FILE) as store:
        trusted = TrustedSigners(keys.trust(), own)
        yield ReviewQueue(store, trusted, settings=settings, clock=clock, today=today_of(clock))


def signer_of(environ: Mapping[str, str], identity: str | None, *, clock: Clock = time.time_ns) -> Signer:
    """The key of this user that signs, as for ``sluicegate sign``. Raises RecordError."""
    return _keys(environ, clock).signer(identity)


def ruler(environ: Mapping[str, str], identity: str | None, *, clock: Clock = time.time_ns) -> str:
    """Under which name ``signer_of`` would sign; no private key is read, and none is made. Raises RecordError."""
    return _keys(environ, clock).name_of_signer(identity)


def _keys(environ: Mapping[str, str], clock: Clock) -> Keys:
    from sluicegate.record.home import Home
    from sluicegate.record.keys.keys import Keys
    from sluicegate.record.marks import find_workspace

    return Keys(Home.find(environ, workspace=find_workspace(environ, Path())), clock=clock)


def queue_place(environ: Mapping[str, str]) -> Path | None:
    """Where the queue is or would be; None for a user without a home. Light: every scan asks. Raises HomeError."""
    try:
        named = named_directory(environ, _VARIABLE)
        return (named or state_directory(environ, _VARIABLE)) / "reviews" / _FILE
    except NoHomeError:
        return None


def for_scan(environ: Mapping[str, str], targets: Sequence[str]) -> tuple[ForScan | None, tuple[str, ...]]:
    """The rulings and flags that a scan of ``targets`` goes by, and what a reader has to know; None where there are none.

    Of a queue that lies in the workspace or in what is scanned rejections and flags alone count: whoever wrote that could
    have written the keys beside it. The same holds where the settings that say who may rule lie there, and they end no
    rejection. Raises VetError and RecordError for a queue that cannot be read: without it neither would count; and HomeError
    where the keys or the trust file lie there and the queue does not: they would void the rejections in it.
    """
    place = queue_place(environ)
    if place is None or not os.path.lexists(place):
        return None, ()
    from sluicegate.vet.review.queue.store import QueueStore

    with QueueStore(
        place
    ) as store:  # the readers of signatures, settings and keys are as large again as half a scan
        if not store.bears_on_scans():
            return None, ()
    brought = any(lies_within(each, environ, targets) for each in _settings_of(environ))
    inside = lies_within(place, environ, targets)
    if not inside:
        _require_own_trust(environ, targets)
    inside = inside or brought
    with open_queue(environ, by_settings=not brought) as queue:
        known = queue.for_scan(approvals=not inside)
    notes = [f"{line[0].upper()}{line[1:]}." for line in known.refused]
    if inside and known.approvals_left_out:
        notes.append(
            "The queue of rulings, or the settings that say who may rule, lie inside the workspace or what is scanned: no approval "
            "was counted."
        )
    return known, tuple(notes)


class QueuedReport(NamedTuple):
    """What became of a report in the queue: new items, all items of the report, and for what publishers are flagged since."""

    new: int
    every: int
    flagged: tuple[StoredFlag, ...]


def queue_report(environ: Mapping[str, str], report: Report, targets: Sequence[str]) -> QueuedReport:
    """Let what is not SAFE by itself wait for a person, and flag who publishes texts aimed at reviewers."""
    from sluicegate.vet.review.queue.items import item_of

    source = ""  # of several, each root begins with the name of its own
    if len(targets) == 1:
        source = str(Path(report.source).resolve()) if Path(targets[0]).exists() else report.source
    items = [item for skill in report.skills if (item := item_of(source, skill)) is not None]
    if not items:  # nor was anything aimed at reviewers
        return QueuedReport(0, 0, ())
    with open_queue(environ) as queue:
        return QueuedReport(queue.add(items), len(items), queue.flag(report))


class PrunedRecord(NamedTuple):
    """How many items, rulings and recorded replies were taken out, and the bytes of the replies."""

    items: int
    rulings: int
    replies: int
    bytes: int


def prune_record(
    environ: Mapping[str, str],
    days: int,
    *,
    open_items: bool,
    kept: Collection[str],
    apply: bool,
    clock: Clock = time.time_ns,
) -> PrunedRecord:
    """Take out of the queue and of the recorded answers what nothing rests on, and nothing newer than so many days.

    1. Of the queue: what was replaced, and if asked for what nobody ruled on.
    2. Of the answers: what no item, no ruling and no docket in ``kept`` rests on. Meanwhile nobody adds a ruling.

    Each is whole or not done at all, and in this order: whatever ends it in between, nothing is gone that is needed.
    Without ``apply`` nothing is done. Raises VetError and RecordError.
    """
    from sluicegate.record.clock import SECOND
    from sluicegate.record.home import Home
    from sluicegate.vet.review.panel.store import FILE, PrunedReplies, ReplyStore
    from sluicegate.vet.review.queue.pruning import Prunable

    now = clock() // SECOND
    before = max(0, now - days * 86_400)
    replies = PrunedReplies(0, 0)
    place = Home.find(environ, workspace=None).reviews / FILE
    with open_queue(environ, clock=clock) as queue:
        found = queue.prunable(before, open_items=open_items)
        if apply:
            queue.prune(found)  # 1
        if os.path.lexists(place):
            with ReplyStore(place) as store:
                with queue.live(without=Prunable() if apply else found) as live:  # 2
                    replies = store.prune(live | set(kept), before=before, now=now, apply=apply)
                if apply and replies.replies:
                    store.shrink()
    return PrunedRecord(len(found.items), len(found.rulings), *replies)


def _settings_of(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The settings file of this user, where there is one."""
    from sluicegate.record.user import config_directory

    try:
        own = config_directory(environ) / "sluicegate.toml"
    except NoHomeError:
        return ()
    return (own,) if os.path.lexists(own) else ()


def _require_own_trust(environ: Mapping[str, str], targets: Sequence[str]) -> None:
    from sluicegate.record.errors import HomeError
    from sluicegate.record.home import Home

    home = Home.find(environ, workspace=None)
    for each in (home.trust, home.keys):
        if lies_within(each, environ, targets):
            raise HomeError(
                f"{each} lies inside the workspace or what is scanned, and says whose rulings count",
                hint=f"Set SLUICEGATE_CONFIG_HOME to a directory outside, or {_VARIABLE} for the queue as well.",
            )


def lies_within(place: Path, environ: Mapping[str, str], targets: Sequence[str]) -> bool:
    """Whether a file of the user, or a folder or link on the way to it, lies in the workspace or in what is scanned.

    The Git checkout around the current directory is judged as well: a file in a folder of it marks a smaller workspace, and a
    submodule of it is one.
    """
    from sluicegate.record.marks import find_workspace
    from sluicegate.record.work_tree import checkout

    workspace = find_workspace(environ, Path())
    judged = [Path(target).resolve() for target in targets if target != "-" and "://" not in target]
    judged += [each for each in (workspace, checkout(Path().resolve())) if each is not None]
    way = {each.resolve() for each in (place, *place.parents)}
    return any(step.is_relative_to(each) for each in judged for step in way)
