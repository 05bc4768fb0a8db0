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
from sluicegate.vet.review.queue.counting import PinnedKey, QueueSettings
from sluicegate.vet.verdict.ruling import identity


class QueueSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[queue]``: see ``QueueSettings``."""

    persons: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    who: list[str] | None = None
    override_block: bool = True
    keys: dict[str, str | list[str]] | None = None


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
    who = _who(section, read)
    pinned = _pinned(section, read)
    if pinned is not None and who is not None:
        said = "queue.who and queue.keys both say whose rulings count"
        hint = "Pin the keys of these persons in [queue.keys], and take queue.who out."
        raise read.wrong(("queue", "who"), said, hint)
    settings = QueueSettings(section.persons, who, section.override_block, pinned)
    _check_persons(settings, read)
    return settings


def _who(section: QueueSection, read: SettingsFile) -> tuple[str, ...] | None:
    for name in section.who or ():
        try:
            if name.startswith(PREFIX):
                PublicKey.parse(name)
            else:
                check_identity(name)
        except KeyFileError as error:
            raise read.wrong(("queue", "who"), f"queue.who: {error.message}", error.hint) from None
    return None if section.who is None else tuple(dict.fromkeys(section.who))


def _pinned(section: QueueSection, read: SettingsFile) -> tuple[PinnedKey, ...] | None:
    """The keys of each person. A key that is pinned twice, or a person of two spellings, is an error: it would count twice."""
    if section.keys is None:
        return None
    pinned: dict[str, str] = {}
    called: dict[str, str] = {}
    for person, keys in section.keys.items():
        try:
            found = [str(PublicKey.parse(key)) for key in ([keys] if isinstance(keys, str) else keys)]
            same = called.setdefault(identity(check_identity(person)), person)
        except KeyFileError as error:
            raise read.wrong(("queue", "keys", person), f"queue.keys: {error.message}", error.hint) from None
        if same != person:
            raise read.wrong(
                ("queue", "keys", person),
                f"queue.keys: {same} and {person} are one person",
                "Name each person once, with a list of all their keys.",
            )
        if not found:
            raise read.wrong(
                ("queue", "keys", person),
                f"queue.keys: no key of {person} is named",
                f'{person} = "ed25519:…"; sluicegate keys export -f line shows a key.',
            )
        for key in found:
            if key in pinned:
                raise read.wrong(
                    ("queue", "keys", person),
                    f"queue.keys: {key} is pinned for {pinned[key]} already",
                    "One key is one person's, and stands once.",
                )
            pinned[key] = person
    return tuple(PinnedKey(key, person) for key, person in pinned.items())


def _check_persons(settings: QueueSettings, read: SettingsFile) -> None:
    """Refuse a rule of several persons that cannot tell persons apart, or that nobody could meet."""
    needed, persons = settings.persons, settings.pinned_persons
    if needed > 1 and settings.pinned is None:
        raise read.wrong(
            ("queue", "persons"),
            f"queue.persons is {needed}, and no keys are pinned: two keys of one person would pass for two persons",
            'Pin the keys of each person: [queue.keys] with lines such as "mira@example.org" = "ed25519:…" '
            "(sluicegate keys export -f line shows a key).",
        )
    if settings.pinned is not None and len(persons) < needed:
        raise read.wrong(
            ("queue", "keys"),
            f"queue.persons is {needed}, and queue.keys names {len(persons)}: nobody could ever approve",
            "Pin the keys of more persons, or lower queue.persons.",
        )
    if settings.who is not None and not settings.who:
        raise read.wrong(
            ("queue", "who"), "queue.who names nobody: nobody could ever approve", "Name somebody in it."
        )
