"""Errors of the record: what went wrong with keys, signatures or the ledger, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.errors import SluicegateError


class RecordError(SluicegateError):
    """Something could not be recorded, signed or looked up."""

    code = "record-error"


class HomeError(RecordError):
    """The directory of the keys is missing, unsafe, or inside the workspace."""

    code = "key-home"


class NoHomeError(HomeError):
    """This user has no home directory, and no variable names another place."""

    code = "no-home"


class KeyFileError(RecordError):
    """A key does not exist, is not well formed, or may be read by others."""

    code = "key"


class KeyringRefused(RecordError):
    """The system keyring would not keep a secret secret, or is not there."""

    code = "keyring-refused"


class TrustError(RecordError):
    """The trust file is not well formed, or others may write it."""

    code = "trust-file"


class SigningError(RecordError):
    """Something cannot be signed as it stands."""

    code = "signing"


class LedgerError(RecordError):
    """The ledger cannot be opened, read or written."""

    code = "ledger"


class LedgerBusy(LedgerError):
    """Another process has held the lock of the ledger for too long."""

    code = "ledger-busy"


class MemoryGone(LedgerError):
    """What was remembered of the ledger was deleted while it was open."""

    code = "ledger-memory-gone"


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for an unknown word: the nearest known one, or all of them."""
    import difflib  # wanted only where something is wrong already

    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(names)}."
