"""What is said about the settings of a scan: in its report, and to whoever started it.

What changes a decision is said in both, whether or not the scan is to be quiet. Paths are untrusted text: nothing here
is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.reach.settings import FoundSettings, Unheard
    from sluicegate.reach.settings_files import Search

_NAMED = 12


def in_report(search: Search, start: Path) -> tuple[str, ...]:
    """The notes of a report: what was not applied and why. No path of this machine above ``start`` is shown."""
    found = search.found
    said = ["The user's own settings could not be looked for."] if search.unread else []
    for unheard in found.unheard if found is not None else ():
        said.append(f"{_shown(unheard.path, start)} {_why(unheard, start)}{_not_applied(unheard)}.")
    for path in found.ignored if found is not None else ():
        said.append(f"{_shown(path, start)} lies inside what is scanned and was not read.")
    return tuple(said)


def to_user(search: Search, start: Path, *, quiet: bool) -> Iterator[str]:
    """The same for standard error, a line each, with the way forward; unless ``quiet``, also which files are in force."""
    if search.unread:
        yield f"your own settings were not read: {search.unread}. With --no-config none are looked for."
    found = search.found
    if found is None:
        return
    for path in found.files:
        if not quiet or (not found.named and _decides(found)):
            yield f"settings from {path}"
    for unheard in found.unheard:
        yield f"{unheard.path} {_why(unheard, start)}{_not_applied(unheard)}."
        yield (
            f"settings that nobody trusts narrow a scan and never weaken it. When you have read "
            f"{'what changed' if unheard.changed else 'it'}: sluicegate trust {unheard.path.parent}, "
            f"or name it for one scan: --config {unheard.path}"
        )
    for path in found.ignored:
        yield f"{path} lies inside what is scanned and is not read (--config names a file explicitly)"


def _decides(found: FoundSettings) -> bool:
    """Whether anything in force has to do with a decision: the number of processes has not."""
    from sluicegate.reach.settings_narrow import said

    return bool(found.least) or any(one.key != "scan.jobs" for one in said(found.settings))


def _why(unheard: Unheard, start: Path) -> str:
    if not unheard.changed:
        return "is not trusted"
    changed = ", ".join(_shown(Path(path), start) for path in unheard.changed[:_NAMED])
    more = f" and {len(unheard.changed) - _NAMED} more" if len(unheard.changed) > _NAMED else ""
    return f"is no longer trusted: since then, {changed}{more} changed"


def _not_applied(unheard: Unheard) -> str:
    if not unheard.refused:
        return ""
    keys = ", ".join(unheard.refused[:_NAMED])
    more = f" and {len(unheard.refused) - _NAMED} more" if len(unheard.refused) > _NAMED else ""
    return f"; not applied: {keys}{more}"


def _shown(path: Path, start: Path) -> str:
    """A path as a report may show it: below where the scan was started, or else by its name alone."""
    return path.relative_to(start).as_posix() if path.is_relative_to(start) else path.name
