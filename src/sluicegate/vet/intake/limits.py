"""Bounds of intake. On bytes and counts, never on time: the same bundle gives the same report anywhere."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import SourceError

MIB = 1 << 20

HIGHEST = 10**15
"""The highest that a limit can be: more than any machine holds, and a number that every reader of files takes."""


class Limits(NamedTuple):
    """How much is read before the rest becomes a gap. All sizes in bytes."""

    file_bytes: int = 32 * MIB
    """One file; a longer one is a gap (its first ``file_bytes`` are still inspected)."""
    total_bytes: int = 256 * MIB
    """All files of one bundle together, unpacked members included."""
    entries: int = 50_000
    """Files of one bundle, members included."""
    directory_depth: int = 64
    archive_depth: int = 4
    """How many archives may stand inside each other."""
    ratio: int = 50
    """Unpacked bytes for each packed byte of one archive, beyond the first MiB."""
    view_bytes: int = 1 * MIB
    """Derived text (decoded, folded, extracted) of one bundle; of a larger one, as much as its own size."""
    view_depth: int = 6
    """How many derivations may follow each other (a string in base64 in a fence is two)."""
    views: int = 4_000
    """Derived views of one artifact."""
    syntax_bytes: int = 1 * MIB
    """Text given to a syntax tree; more is inspected by patterns only, and is a gap."""
    download_bytes: int = 256 * MIB
    """One download or clone."""


def too_large(what: str, limits: Limits) -> SourceError:
    """The error for a download, a clone or a file of which more would have to be held than is allowed."""
    most = limits.download_bytes
    size = f"{most // MIB} MiB" if most >= MIB and most % MIB == 0 else f"{most} bytes"
    return SourceError(
        f"{what} is larger than {size}", hint="Allow more: --limit download-bytes=N (in bytes)."
    )
