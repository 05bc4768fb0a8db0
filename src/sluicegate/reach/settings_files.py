"""Whether there is any settings file at all: asked on every scan, so kept light.

``settings`` (schema and decoding) is imported only when one was found.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.record.errors import NoHomeError
from sluicegate.record.user import VARIABLE, config_directory
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.reach.settings import FoundSettings

_NAMES = ("sluicegate.toml", "pyproject.toml")
_SPELL_LETTERS = (b"\\u", b"\\U", b"\\x")
"""The escapes by which TOML writes any character. Others, and the ``\\.`` of patterns, stand in the file of many a project."""


class Search(NamedTuple):
    """What was found: settings, if any file says anything, and why the user's own could not be looked for or are not read."""

    found: FoundSettings | None = None
    unread: str = ""


def find_settings(*, targets: tuple[str, ...], explicit: str | None, none: bool) -> Search:
    """The settings in force for a scan of ``targets``.

    A user without a home directory, or whose own may not be entered, has no settings there, and that is said; and so has one whose
    home directory is the workspace or lies in it or in what is scanned, as it is set up in some CI systems: whoever wrote what is judged
    wrote those. A directory that ``SLUICEGATE_CONFIG_HOME`` names is the user's wherever it lies. Raises
    ConfigError (see ``settings.find``, and where a directory above cannot be entered), HomeError (see
    ``config_directory``) and UsageError when both kinds of ``--config`` are given.
    """
    if explicit is not None and none:
        from sluicegate.reach.errors import UsageError

        raise UsageError("--config and --no-config exclude each other")
    if none:
        return Search()
    start = Path.cwd()
    try:
        user, unread = (None, "") if explicit is not None else _user_directory()
        if user is not None and _is_brought(user, targets):
            user, unread = None, f"{user} lies inside the workspace or what is scanned"
        theirs = user is not None and (user / _NAMES[0]).is_file()
        if explicit is None and not theirs and not _any_above(start):
            return Search(unread=unread)
    except OSError as error:  # a directory that may not be entered, a name too long
        from sluicegate.vet.errors import ConfigError

        raise ConfigError(
            f"cannot look for settings at {error.filename}: {error.strerror}",
            hint="Make the directory readable, or pass --no-config.",
        ) from None
    from sluicegate.reach.settings import find

    found = find(
        start=start,
        user_directory=user,
        targets=tuple(Path(t).resolve() for t in targets if t != "-" and "://" not in t),
        explicit=Path(explicit) if explicit is not None else None,
    )
    told = found.files or found.ignored or found.unheard
    return Search(found=found if told else None, unread=unread)


def _is_brought(user: Path, targets: tuple[str, ...]) -> bool:
    """Whether a directory that is the user's by the home directory alone may have come with what is judged."""
    if os.environ.get(VARIABLE) or not os.path.lexists(user):
        return False
    from sluicegate.reach.ruling_queue import lies_within

    return lies_within(user, os.environ, targets)


def _user_directory() -> tuple[Path | None, str]:
    """The user's own directory; None where it cannot be looked into, and why."""
    try:
        directory = config_directory(os.environ)
    except NoHomeError as error:
        return None, error.message
    try:
        os.stat(directory / _NAMES[0])  # noqa: PTH116 - Path.is_file() keeps silent about it in some versions
    except (FileNotFoundError, NotADirectoryError):
        return directory, ""
    except PermissionError as error:
        return None, f"{directory}: {error.strerror}"
    return directory, ""


def _may_speak_of_us(shared: Path) -> bool:
    """Whether a ``pyproject.toml`` could have a table of ours: it holds the name, or what can spell a letter of it."""
    try:
        if not stat.S_ISREG(os.stat(shared).st_mode):  # noqa: PTH116 - Path.is_file() hides why it cannot tell
            return False
        text = shared.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # that it cannot be read is told by who reads it
    return any(part in text for part in (b"sluicegate", *_SPELL_LETTERS))


def _any_above(start: Path) -> bool:
    for directory in (start, *start.parents):
        if (directory / _NAMES[0]).is_file() or _may_speak_of_us(directory / _NAMES[1]):
            return True
        if (directory / ".git").exists():
            return False
    return False
