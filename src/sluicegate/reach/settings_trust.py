"""Which settings of projects their user has read and trusts, and for which content.

A file in the user's own directory holds for each trusted settings file its real path and the digests of all that it
rests on: of itself (of our table, in a ``pyproject.toml``), its baseline, and its YARA rules. Trust ends when any of
these changes. It lies outside of what it speaks of, and nobody else may read or write it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from sluicegate.reach.settings import Settings, SettingsFile
from sluicegate.record import private
from sluicegate.record.errors import RecordError
from sluicegate.record.trusted_settings import (
    MOST,
    STORE,
    VERSION,
    TrustedDocument,
    TrustedEntry,
    lies_within,
    real,
    table_digest,
    text_digest,
)
from sluicegate.record.user import without_tilde
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError

_PIECE = 1 << 20
ABSENT = "absent"
"""In the place of the digest of a file that is named and is not there: when it comes, that is a change."""

Digests: TypeAlias = Mapping[str, str]


class Trusted(NamedTuple):
    """The user trusts these settings as they are."""


class Untrusted(NamedTuple):
    """Nobody has said so. ``changed`` is what is not as it was when somebody did, by its path; empty when nobody did."""

    changed: tuple[str, ...] = ()


Standing: TypeAlias = Trusted | Untrusted


def digests_of(read: SettingsFile, settings: Settings) -> Digests:
    """What trust in a settings file rests on: the digest of each file, by its path. Raises ConfigError."""
    found = {real(read.path): _of_settings(read)}
    for path in (*_named(settings), *_policies(read)):
        found[real(path)] = _of_file(path)
    return found


def standing(read: SettingsFile, settings: Settings, user_directory: Path) -> Standing:
    """Whether these settings are trusted as they are. Raises ConfigError when what is trusted cannot be read."""
    store = user_directory / STORE
    if lies_within(store, read.path):
        return Untrusted()
    trusted = load(user_directory).get(real(read.path))
    if trusted is None:
        return Untrusted()
    changed = changes(trusted, digests_of(read, settings))
    return Untrusted(changed=changed) if changed else Trusted()


def changes(before: Digests, now: Digests) -> tuple[str, ...]:
    """The paths of which something is not as it was."""
    return tuple(sorted(path for path in {*before, *now} if before.get(path) != now.get(path)))


def load(user_directory: Path) -> dict[str, Digests]:
    """All that is trusted: real path of the settings file -> digests. Raises ConfigError."""
    store = user_directory / STORE
    try:
        data = private.read(store, limit=MOST)
        document = msgspec.json.decode(data, type=TrustedDocument)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except PermissionError:
        return {}  # what cannot be looked at says nothing; that settings of the user were not read is said
    except RecordError as error:
        raise ConfigError(error.message, hint=f"Look at it; when it is not yours, remove {store}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _broken(store, str(error)) from None
    if document.version != VERSION:
        raise _broken(store, f"version {document.version} is not known")
    return {entry.file: entry.digests for entry in document.trusted}


def save(user_directory: Path, trusted: Mapping[str, Digests]) -> None:
    """Write all that is trusted, whole, for this user alone. Raises RecordError."""
    user_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    entries = [
        TrustedEntry(file=file, digests=dict(sorted(trusted[file].items()))) for file in sorted(trusted)
    ]
    data = msgspec.json.format(
        msgspec.json.encode(TrustedDocument(version=VERSION, trusted=entries)), indent=2
    )
    private.replace(user_directory / STORE, data + b"\n")


def _broken(store: Path, why: str) -> ConfigError:
    return ConfigError(
        f"{store} is not what sluicegate wrote: {why}",
        hint="Remove it, and trust again what you trust: sluicegate trust DIR.",
    )


def _of_settings(read: SettingsFile) -> str:
    """Of a ``pyproject.toml`` our table alone counts: the rest of it is about something else."""
    return table_digest(read.table) if read.under else text_digest(read.text)


def _named(settings: Settings) -> Iterator[Path]:
    """The files that settings name: the baseline, and every rule file."""
    scan = settings.scan
    if scan.baseline is not None:
        yield Path(scan.baseline)
    for place in map(Path, scan.yara or ()):
        if place.is_dir():
            from sluicegate.vet.inspect.analyzers.patterns import rule_files

            yield from rule_files(place)
        else:
            yield place


def _policies(read: SettingsFile) -> Iterator[Path]:
    """The files of policy that ``[flow]`` names. A standard policy is none."""
    flow = read.table.get("flow")
    names = flow.get("policy") if isinstance(flow, dict) else None
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and (path := read.path.parent / without_tilde(name)).is_file():
            yield path


def _of_file(path: Path) -> str:
    whole = hashlib.sha256()
    try:
        if path.exists() and not path.is_file():  # to open a pipe would wait for who writes it
            raise ConfigError(f"{path} is not a regular file", hint="Settings name files and folders.")
        with path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                whole.update(piece)
    except FileNotFoundError:
        return ABSENT
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", hint="Make it readable.") from None
    return whole.hexdigest()
