"""``[queue]`` of the user's own settings: who may rule on skills, and how many must.

It counts in the user's own file alone, whatever else is named, trusted or left out: nothing that comes with a skill or a
project says whose word is enough.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from sluicegate.reach.settings import FILE, SettingsFile, refuse_unknown, settings_file
from sluicegate.record.errors import KeyFileError, NoHomeError
from sluicegate.record.keys.identity import PREFIX, PublicKey, check_identity
from sluicegate.record.user import config_directory
from sluicegate.vet.review.queue.counting import QueueSettings


class QueueSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[queue]``: see ``QueueSettings``."""

    persons: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    who: list[str] | None = None
    override_block: bool = True


def queue_settings(environ: Mapping[str, str]) -> QueueSettings:
    """What the user's own file says of rulings. Raises ConfigError and HomeError."""
    try:
        own = config_directory(environ) / FILE
    except NoHomeError:
        return QueueSettings()
    if not os.path.lexists(own):
        return QueueSettings()
    return of_file(settings_file(Path(own)))


def of_file(read: SettingsFile) -> QueueSettings:
    """What one settings file says of rulings. Raises ConfigError, which names the line."""
    table = read.table.get("queue", {})
    if isinstance(table, dict):
        refuse_unknown(read, table, QueueSection, ("queue",))
    try:
        section = msgspec.convert(table, QueueSection)
    except msgspec.ValidationError as error:
        message, _, at = str(error).rstrip("`").partition(" - at `$.")
        key = ("queue", *([at.partition("[")[0]] if at else []))
        hint = "docs/review.md says what [queue] may hold."
        raise read.wrong(key, f"{'.'.join(key)}: {message.replace(' | null', '')}", hint) from None
    for name in section.who or ():
        try:
            if name.startswith(PREFIX):
                PublicKey.parse(name)
            else:
                check_identity(name)
        except KeyFileError as error:
            raise read.wrong(("queue", "who"), f"queue.who: {error.message}", error.hint) from None
    who = None if section.who is None else tuple(dict.fromkeys(section.who))
    if who is not None and len(who) < section.persons:
        hint = "Name more of them in queue.who, or lower queue.persons."
        said = f"queue.persons is {section.persons}, and queue.who names {len(who)}"
        raise read.wrong(("queue", "who"), f"{said}: nobody could ever approve", hint)
    return QueueSettings(section.persons, who, section.override_block)
