"""What a command changed, and the labels that its files get.

A command can see what it changes, and what it leaves as it was; so a file keeps the labels it had, and gets those of
the command besides. Which files it changed is found by listing the places where it may write after it, and comparing
with what was there before (``effects``); where that is not known, or they are too many, any file of the place may be
one (``remember_place``).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from sluicegate.flow.environments.changes.effects import (
    Listing,
    changed_files,
    snapshot_roots,
    usable_again,
)
from sluicegate.flow.environments.changes.stillness import Stillness, Turn, serves
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.effects.files import (
    FileWriter,
    is_unknown,
    remember_file,
    remember_name,
    remember_place,
)
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Ready
from sluicegate.tuples import NamedTuple

_MOST_CHANGED = 5_000
"""Files of one command that are remembered one by one."""


class Before(NamedTuple):
    """What was there before the command: a listing (None where nobody asks); of the paths that it names to write, those
    that were not, and those of which something was unknown; and by what it can be told afterwards that nothing happened."""

    listing: Listing | None
    missing: frozenset[str]
    unknown: frozenset[str]
    turn: Turn | None


def before(parts: Parts, config: EnvironmentConfig, ready: Ready) -> Before:
    """To be called before the command runs."""
    missing = frozenset(path for path in ready.paths("w") if not os.path.lexists(path))
    unknown = frozenset(path for path in ready.paths("w") if is_unknown(parts, path))
    kept = parts.listings.get(_place(config))
    listing = kept.again() if kept is not None else None
    turn = _stillness(parts, config, listing) if listing is not None else None
    return Before(listing or _listing(parts, config), missing, unknown, turn)


def remember(parts: Parts, config: EnvironmentConfig, was: Before, ready: Ready, labels: Labels) -> None:
    """Give the files that were changed the labels of what changed them: those found, and those that were named."""
    taint, writer = ready.taint | labels, FileWriter.of(ready)
    found = set(ready.paths("w"))
    still = parts.stillness.get(_place(config))
    if still is not None and still.nothing_happened(was.turn):
        after = was.listing
    else:
        after = _listing(parts, config)
        _keep(parts, config, after)
    created: set[str] = set()
    spread: set[str] = set()
    if was.listing is not None and after is not None and after is not was.listing:
        changes = changed_files(was.listing, after)
        created.update(changes.created)
        changed = {*changes.created, *changes.modified}
        spread.update(changes.incomplete)
        if len(changed) > _MOST_CHANGED:
            spread.update(after.roots)
        else:
            found |= changed
    for place in sorted(spread):
        remember_place(parts, place, taint, writer)
    for place in sorted(_unlisted(ready.paths("w"), was.missing, after)) if config.roots is None else ():
        remember_place(parts, place, taint, writer, ready.early)
    for path in sorted(found):
        if parts.protected.holds(path):
            continue
        # What the command knows can stand in the names that it gave, and not in those that were there.
        named = ready.taint if path in created else ready.early
        if Path(path).is_symlink() or Path(path).is_dir():
            if path in created or path in was.missing:
                remember_name(parts, path, taint, writer, named)
        else:
            new = path in created or path in was.missing
            before_it: Literal["new", "there", "unknown"]
            before_it = "unknown" if path in was.unknown else "new" if new else "there"
            remember_file(parts, path, taint, writer, named, before_it)


def _listing(parts: Parts, config: EnvironmentConfig) -> Listing | None:
    """The files that the command may change, before or after it: those of its roots; where it is not confined, those
    of the places in which every file should be known. None where there are none, or nobody asks."""
    if parts.files is None or (config.roots is not None and not config.roots.write):
        return None
    if config.roots is None and not parts.files.tracked:
        return None
    return snapshot_roots(config, places=parts.files.tracked, without=parts.protected.places)


def _place(config: EnvironmentConfig) -> tuple[str, ...]:
    """What is listed for a command, as a key."""
    return () if config.roots is None else tuple(sorted(root.host for root in config.roots.write))


def _stillness(parts: Parts, config: EnvironmentConfig, listing: Listing) -> Turn | None:
    """By what it can be told after the command that nothing happened; None where nothing can."""
    if not serves(config):
        return None
    place = _place(config)
    if place not in parts.stillness:
        parts.stillness.clear()  # one at a time: watches are not without number
        parts.stillness[place] = Stillness(
            listing.roots, (str(path.resolve()) for path in parts.protected.places)
        )
    return parts.stillness[place].begin()


def _keep(parts: Parts, config: EnvironmentConfig, after: Listing | None) -> None:
    """Keep the listing for the next command, which then needs none before it; the last one alone, for they are large."""
    parts.listings.clear()
    if after is not None and usable_again(after):
        parts.listings[_place(config)] = after


def _unlisted(named: tuple[str, ...], missing: frozenset[str], after: Listing | None) -> set[str]:
    """The places outside of what was listed in which files may be new: directories that the command names to write
    into, and those in which it names what was not there and is not now (``split FILE out/part-``)."""
    listed = after.roots if after is not None else frozenset()
    places = {path for path in named if os.path.isdir(path)}  # noqa: PTH112 - text
    places |= {os.path.dirname(path) for path in missing if not os.path.lexists(path)}  # noqa: PTH120
    return {
        place for place in places if not any(place == root or place.startswith(f"{root}/") for root in listed)
    }
