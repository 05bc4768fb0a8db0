"""Which settings of projects their user has said to trust: how that is kept, and by which digests.

One file in the user's own directory holds for each trusted settings file its real path and the digests of all that it
rests on. ``reach/settings_trust.py`` writes it, for a person at a terminal; whoever asks about a project reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from sluicegate.record import private
from sluicegate.record.errors import RecordError
from sluicegate.record.work_tree import work_tree

STORE = "trusted-settings.json"
VERSION = 1
MOST = 4 * 1024 * 1024


class TrustedEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One settings file, and the digests of all that it rests on, by real path."""

    file: str
    digests: dict[str, str]


class TrustedDocument(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """All that is trusted."""

    version: int
    trusted: list[TrustedEntry]


def real(path: Path) -> str:
    """The path under which a file is known here, wherever one stands. Its own last part may be a link."""
    return str(path.parent.resolve() / path.name)


def text_digest(text: str) -> str:
    """The digest of a file that is all ours."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def table_digest(table: Mapping[str, object]) -> str:
    """The digest of our table in a file that is about something else as well."""
    import json  # with its patterns it takes longer than most decisions, and few files hold more than our table

    text = json.dumps(table, sort_keys=True, default=str)
    return f"table:{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()}"


def lies_within(store: Path, settings_file: Path) -> bool:
    """Whether the record of trust would lie in the project that it speaks of, where the project could write it."""
    folder = settings_file.parent.resolve()
    return store.resolve().is_relative_to(work_tree(folder) or folder)


def is_trusted(file: Path, digest: str, rests_on: Sequence[Path], user_directory: Path | None) -> bool:
    """Whether the user trusts a settings file with that digest, and every file of policy that it rests on, as they are now.

    What cannot be read trusts nothing.
    """
    if user_directory is None or lies_within(user_directory / STORE, file):
        return False
    try:
        document = msgspec.json.decode(private.read(user_directory / STORE, limit=MOST), type=TrustedDocument)
        digests = next((each.digests for each in document.trusted if each.file == real(file)), None)
        return (
            document.version == VERSION
            and digests is not None
            and digests.get(real(file)) == digest
            and all(
                digests.get(real(path)) == hashlib.sha256(path.read_bytes()).hexdigest() for path in rests_on
            )
        )
    except (OSError, RecordError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
