"""The nouns of intake: what a skill is once it is bytes, before anything has looked for harm."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.formats import ARCHIVES, CODE, COMPILED, CONFIG, MEDIA, PROSE, TEXTUAL, Kind
from sluicegate.vet.verdict.types import Gap

__all__ = [
    "ANYTHING", "ARCHIVES", "CODE", "COMPILED", "CONFIG", "MEDIA", "PROSE", "TEXTUAL",
    "Anomaly", "AnomalyKind", "Artifact", "Bundle", "Kind",
]  # fmt: skip


class Artifact(NamedTuple):
    """One file of a bundle.

    ``path`` is relative, posix, valid UTF-8 text, unique in the bundle; bytes of a name that are not UTF-8
    stand as ``\\xNN``. A member of an archive is ``outer.zip!/inner``. ``mode`` is the permission bits
    (0 where the source has none). ``kind`` is what the content is, whatever the name says.
    """

    path: str
    data: bytes
    mode: int
    kind: Kind

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def executable(self) -> bool:
        """Whether a finding here weighs more: program text, compiled code, or an execute bit."""
        return (
            self.kind in CODE or self.kind in COMPILED or bool(self.mode & 0o111 and self.kind not in MEDIA)
        )


class AnomalyKind(StrEnum):
    """A surprise met while reading. Each becomes a finding of the rule ``intake-<value>``."""

    LINK = "link"  # a symbolic link that stays inside the bundle
    LINK_OUTSIDE = "link-outside"  # a symbolic or hard link whose target is absolute or outside the bundle
    SPECIAL_FILE = "special-file"  # device, FIFO, socket
    PATH_TRAVERSAL = "path-traversal"  # absolute name, drive letter, or '..' in a member name
    DUPLICATE_NAME = "duplicate-name"
    CASE_COLLISION = "case-collision"
    UNDECODABLE_NAME = "undecodable-name"  # not UTF-8
    DECEPTIVE_NAME = "deceptive-name"  # control, bidirectional or invisible characters in a name
    ENCRYPTED = "encrypted-member"
    POLYGLOT = "polyglot"  # two formats in one file (an archive hung on a picture)
    TRAILING_DATA = "trailing-data"  # bytes after the end of a picture, font or recording
    KIND_MISMATCH = "kind-mismatch"  # content, shebang and name disagree
    ARCHIVE_BOMB = "archive-bomb"
    DAMAGED_ARCHIVE = "damaged-archive"
    HIDDEN_EXECUTABLE = "hidden-executable"  # a program in an office file or behind a dotted name


class Anomaly(NamedTuple):
    """A surprise, where it was met, and the facts in words (untrusted text inside)."""

    path: str
    kind: AnomalyKind
    detail: str


ANYTHING = "*"
"""Stands for all paths, where there are too many to be listed."""


class Bundle(NamedTuple):
    """One skill as bytes: artifacts in order of path, and the gaps. Made once, never changed, never executed.

    ``name`` is a display name (the folder's or archive's own name, never an absolute path). ``root`` is the
    path of the skill inside its source (``""`` when the source is the skill). ``beside`` are the paths that stood
    beside a single file that was named to be read, and were not read; ``ANYTHING`` among them: there were too many.
    """

    name: str
    root: str
    artifacts: tuple[Artifact, ...]
    gaps: tuple[Gap, ...]
    anomalies: tuple[Anomaly, ...]
    beside: frozenset[str] = frozenset()

    @property
    def digest(self) -> str:
        """SHA-256 over (path, execute bit, content digest) of every artifact and over the gaps' paths."""
        return self.digest_of([artifact.digest for artifact in self.artifacts])

    def digest_of(self, digests: Sequence[str]) -> str:
        """``digest``, for who has the digests of the artifacts already, in their order."""
        h = hashlib.sha256()
        for a, digest in zip(self.artifacts, digests, strict=True):
            h.update(f"{a.path}\0{'x' if a.mode & 0o111 else '-'}\0{digest}\n".encode())
        for g in self.gaps:
            h.update(f"gap\0{g.path}\0{g.reason}\n".encode())
        return h.hexdigest()
