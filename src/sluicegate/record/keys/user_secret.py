"""A secret of this user's, for what leaves a process of ours and comes back: who has it not cannot make or change that."""

from __future__ import annotations

import os
from collections.abc import Callable

from sluicegate.record import private
from sluicegate.record.errors import KeyFileError
from sluicegate.record.home import Home

_BYTES = 32


def user_secret(home: Home, name: str, *, random: Callable[[int], bytes] = os.urandom) -> bytes:
    """The 32 bytes of the secret ``name``, made when they are wanted first; they lie beside the keys, outside the workspace.

    Raises HomeError and KeyFileError for a place or file that is not this user's alone.
    """
    private.make_directory(home.keys)
    path = home.keys / f"{name}.secret"
    try:
        data = private.read(path, limit=_BYTES)
    except FileNotFoundError:
        private.create(path, random(_BYTES))  # of two makers one wins, and both read what is there
        data = private.read(path, limit=_BYTES)
    if len(data) != _BYTES:
        raise KeyFileError(
            f"{path} is damaged", hint="Move it aside: permits that are out then do not settle any more."
        )
    return data
