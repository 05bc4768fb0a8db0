"""The user's own directory for sluicegate: settings and policies of the user, keys and trust.

In a module of its own, and light, because every scan asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.record.errors import NoHomeError

VARIABLE = "SLUICEGATE_CONFIG_HOME"
_ANDROID = ("ANDROID_DATA", "ANDROID_ROOT")
"""Variables by which directories on Linux are others than those below ``~``."""


def named_directory(environ: Mapping[str, str], variable: str) -> Path | None:
    """The directory that a variable names, if it is set. Raises HomeError when that is not an absolute path."""
    named = environ.get(variable)
    if not named:
        return None
    if not Path(named).is_absolute():
        from sluicegate.record.errors import HomeError

        raise HomeError(
            f"{variable} is not an absolute path: {named}", hint="Name it from the root, or unset it."
        )
    return Path(named)


def config_directory(environ: Mapping[str, str]) -> Path:
    """The directory that ``SLUICEGATE_CONFIG_HOME`` names, else the one that the system has for this.

    Raises HomeError when the variable is not an absolute path: it would be another directory, and other policies,
    from each directory one stands in; and NoHomeError where this user has no home directory.
    """
    named = named_directory(environ, VARIABLE)
    if named is not None:
        return named
    home = _plain_home(environ, "XDG_CONFIG_HOME")
    if home is not None:
        return home / ".config" / "sluicegate"
    from platformdirs import user_config_path

    try:
        return user_config_path("sluicegate")
    except RuntimeError:  # no HOME, and no entry in the table of users: as in many containers
        raise no_home(VARIABLE) from None


def state_directory(environ: Mapping[str, str], variable: str) -> Path:
    """The directory that the system has for what is remembered. Raises NoHomeError, which names ``variable``."""
    home = _plain_home(environ, "XDG_STATE_HOME")
    if home is not None:
        return home / ".local" / "state" / "sluicegate"
    from platformdirs import user_state_path

    try:
        return user_state_path("sluicegate")
    except RuntimeError:
        raise no_home(variable) from None


def _plain_home(environ: Mapping[str, str], variable: str) -> Path | None:
    """The home directory, where ``platformdirs`` would look below it alone; its import is 4 % of a small scan."""
    home = environ.get("HOME", "")
    if (
        sys.platform != "linux"
        or not home.startswith("/")
        or any(each in environ for each in (variable, *_ANDROID))
    ):
        return None
    return Path(home)


def home_directory(environ: Mapping[str, str]) -> Path:
    """The user's home directory: ``HOME``, else that of the account. Raises HomeError when ``HOME`` is not an absolute path, and
    NoHomeError where there is neither."""
    if environ.get("HOME") == "":  # the standard library would take the root
        raise no_home()
    return named_directory(environ, "HOME") or without_tilde("~")


def without_tilde(name: str) -> Path:
    """The path that a name means, where it may begin with ``~`` or ``~user``. Raises NoHomeError where that is nobody's."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        user = name.partition("/")[0]
        if user == "~":
            raise no_home() from None
        from sluicegate.record.errors import NoHomeError

        raise NoHomeError(
            f"{user} is not a home directory: this machine has no such user", hint="Write the whole path."
        ) from None


def no_home(variable: str = "") -> NoHomeError:
    """The error where this user has no home directory; ``variable`` may name another place."""
    from sluicegate.record.errors import NoHomeError

    return NoHomeError(
        "this user has no home directory: HOME is not set, and the table of users has no entry",
        hint=f"Set HOME, or {variable} to a directory of your own."
        if variable
        else "Set HOME to a directory of your own.",
    )
