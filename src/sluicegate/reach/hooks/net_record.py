"""Which rules of a host's own we added to its settings, and which files we made, so that they, and no others, are taken out again.

It lies with what is remembered outside the workspace (``record.home``). Where it is lost, the rules stay: they only deny.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from sluicegate.record import private
from sluicegate.record.home import Home

_MOST: Final = 1_000_000
_MADE: Final = "the file"
"""In the place of a rule: the file itself is ours."""


def _place() -> Path:
    return Home.find(os.environ, workspace=None).ledgers.parent / "hooks.json"


def _known() -> dict[str, list[str]]:
    try:
        found = json.loads(private.read(_place(), limit=_MOST))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def recorded_net(path: Path) -> list[str]:
    """The rules that we added to this file of settings."""
    found = _known().get(str(path.resolve()), [])
    return [rule for rule in found if isinstance(rule, str)] if isinstance(found, list) else []


def was_made(path: Path) -> bool:
    """Whether there was no such file before we wrote it."""
    return _MADE in recorded_net(path)


def remember_net(path: Path, added: list[str], *, made: bool = False) -> None:
    """Keep which rules were added to this file, and whether we ``made`` it."""
    _keep(
        {**_known(), str(path.resolve()): sorted({*recorded_net(path), *added, *([_MADE] if made else [])})}
    )


def forget_net(path: Path) -> None:
    """Forget what was added to this file."""
    known = _known()
    if known.pop(str(path.resolve()), None) is not None:
        _keep(known)


def _keep(known: dict[str, list[str]]) -> None:
    place = _place()
    private.make_directory(place.parent)
    private.replace(place, json.dumps(known, indent=1).encode())
