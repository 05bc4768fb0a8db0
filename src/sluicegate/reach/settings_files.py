"""Whether there is any settings file at all: asked on every scan, so kept light.

``settings`` (schema and decoding) is imported only when one was found.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.record.user import config_directory

if TYPE_CHECKING:
    from sluicegate.reach.settings import Found

_NAMES = ("sluicegate.toml", "pyproject.toml")


def find_settings(*, targets: tuple[str, ...], explicit: str | None, none: bool) -> Found | None:
    """The settings in force for a scan of ``targets``, or None when no file says anything.

    Raises ConfigError (see ``settings.find``, and where a directory cannot be entered), HomeError (see
    ``config_directory``) and UsageError when both kinds of ``--config`` are given.
    """
    if explicit is not None and none:
        from sluicegate.reach.errors import UsageError

        raise UsageError("--config and --no-config exclude each other")
    if none:
        return None
    user = config_directory(os.environ)
    start = Path.cwd()
    try:
        if explicit is None and not (user / _NAMES[0]).is_file() and not _any_above(start):
            return None
    except OSError as error:  # a directory that may not be entered, a name too long
        from sluicegate.vet.errors import ConfigError

        raise ConfigError(
            f"cannot look for settings at {error.filename}: {error.strerror}",
            hint="Make the directory readable, set SLUICEGATE_CONFIG_HOME, or pass --no-config.",
        ) from None
    from sluicegate.reach.settings import find

    found = find(
        start=start,
        user_directory=user,
        targets=tuple(Path(t).resolve() for t in targets if t != "-" and "://" not in t),
        explicit=Path(explicit) if explicit is not None else None,
    )
    return found if found.files or found.ignored else None


def _may_speak_of_us(shared: Path) -> bool:
    """Whether a ``pyproject.toml`` could have a table of ours: it holds the name, or a key with an escape."""
    try:
        text = shared.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False
    except OSError:
        return True  # that it cannot be read is told by who reads it
    return b"sluicegate" in text or b"\\" in text


def _any_above(start: Path) -> bool:
    for directory in (start, *start.parents):
        if (directory / _NAMES[0]).is_file() or _may_speak_of_us(directory / _NAMES[1]):
            return True
        if (directory / ".git").exists():
            return False
    return False
