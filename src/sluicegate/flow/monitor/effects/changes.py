"""What a command changed, and the labels that its files get.

A command can see what it changes, and what it leaves as it was; so a file keeps the labels it had, and gets those of
the command besides. Which files it changed is found by watching the places where it may write (``watched``), or where
that does not go by listing them before and after it (``effects``); where it is not known, or they are too many, any
file of the place may be one (``remember_place``).
"""

from __future__ import annotations

import os
from typing import Literal

from sluicegate.flow.environments.changes.effects import (
    Changes,
    Listing,
    changed_files,
    snapshot_roots,
    usable_again,
)
from sluicegate.flow.environments.changes.turn import Turn
from sluicegate.flow.environments.changes.watched import Watched
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.effects.files import (
    FileWriter,
    is_name_alone,
    is_unknown,
    remember_file,
    remember_name,
    remember_place,
)
from sluicegate.flow.monitor.effects.reading import kept_elsewhere
from sluicegate.flow.monitor.effects.watching import watched_for
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Ready
from sluicegate.tuples import NamedTuple

_MOST_CHANGED = 5_000
"""Files of one command that are remembered one by one."""


class Before(NamedTuple):
    """What was there before the command: what was watched from then on, or a listing (neither where nobody asks); of the paths
    that it names to write, those that were not, and those of which something was unknown."""

    watched: Watched | None
    turn: Turn | None
    listing: Listing | None
    missing: frozenset[str]
    unknown: frozenset[str]


def before(parts: Parts, config: EnvironmentConfig, ready: Ready) -> Before:
    """To be called before the command runs."""
    missing = frozenset(path for path in ready.paths("w") if not os.path.lexists(path))
    unknown = frozenset(path for path in ready.paths("w") if is_unknown(parts, path))
    watched = watched_for(parts, config)
    turn = watched.begin() if watched is not None else None
    listing = None
    if watched is not None and turn is None:
        kept = parts.listings.get(watched.roots)
        listing = (kept.again() if kept is not None else None) or _listing(parts, config)
    return Before(watched, turn, listing, missing, unknown)


def rest(parts: Parts, ready: Ready) -> None:
    """To be called before a command that cannot write: what it opens says nothing, and may be more than the kernel keeps."""
    if any(request.whole for request in ready.requests):
        for watched in list(parts.watched.values()):
            watched.rest()


def remember(
    parts: Parts, config: EnvironmentConfig, was: Before, ready: Ready, labels: Labels, *, links: bool
) -> None:
    """Give the files that were changed the labels of what changed them: those found, and those that were named. ``links`` is
    whether it may have made a hard link."""
    taint, writer = ready.taint | labels, FileWriter.of(ready)
    for place in dict.fromkeys(place for each in ready.requests for place in kept_elsewhere(each)):
        remember_name(parts, place, taint, writer, Labels.of())
    found = set(ready.paths("w"))
    roots = was.watched.roots if was.watched is not None else frozenset()
    changes = _changes(parts, config, was, links)
    created: set[str] = set()
    spread: set[str] = set()
    if changes is not None:
        created.update(changes.created)
        changed = {*changes.created, *changes.modified}
        spread.update(changes.incomplete)
        if len(changed) > _MOST_CHANGED:
            spread.update(roots)
        else:
            found |= changed
    for place in sorted(spread):
        remember_place(parts, place, taint, writer)
    for place in sorted(_unlisted(ready.paths("w"), was.missing, roots)) if config.roots is None else ():
        remember_place(parts, place, taint, writer, ready.early)
    for path in sorted(found):
        if parts.protected.holds(path):
            continue
        # What the command knows can stand in the names that it gave, and not in those that were there.
        named = ready.taint if path in created else ready.early
        if is_name_alone(path):
            if path in created or path in was.missing:
                remember_name(parts, path, taint, writer, named)
        else:
            new = path in created or path in was.missing
            before_it: Literal["new", "there", "unknown"]
            before_it = "unknown" if path in was.unknown else "new" if new else "there"
            remember_file(parts, path, taint, writer, named, before_it)


def _changes(parts: Parts, config: EnvironmentConfig, was: Before, links: bool) -> Changes | None:
    """What the command changed; None where nobody asks."""
    if was.watched is not None and was.turn is not None:
        return was.watched.changes(was.turn, links=links)
    if was.listing is None:
        return None
    after = _listing(parts, config)
    parts.listings.clear()  # the last one alone, for they are large
    if usable_again(after):
        parts.listings[after.roots] = after  # the next command needs none before it
    return changed_files(was.listing, after)


def _listing(parts: Parts, config: EnvironmentConfig) -> Listing:
    places = parts.files.tracked if parts.files is not None else ()
    return snapshot_roots(config, places=places, without=parts.protected.places)


def _unlisted(named: tuple[str, ...], missing: frozenset[str], listed: frozenset[str]) -> set[str]:
    """The places outside of what was listed in which files may be new: directories that the command names to write
    into, and those in which it names what was not there and is not now (``split FILE out/part-``)."""
    places = {path for path in named if os.path.isdir(path)}  # noqa: PTH112 - text
    places |= {os.path.dirname(path) for path in missing if not os.path.lexists(path)}  # noqa: PTH120
    return {
        place for place in places if not any(place == root or place.startswith(f"{root}/") for root in listed)
    }
