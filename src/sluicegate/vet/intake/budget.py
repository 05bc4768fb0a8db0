"""Budgets of reading: one for a bundle, and one allowance for each archive in it."""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import AnomalyKind
from sluicegate.vet.intake.limits import MIB, Limits
from sluicegate.vet.verdict.types import GapReason

CHUNK = 1 << 16


class Note(NamedTuple):
    """Something met while reading that is a surprise (``anomaly``), not inspected (``gap``), or both."""

    detail: str
    anomaly: AnomalyKind | None = None
    gap: GapReason | None = None


def cut_at(most: int) -> Note:
    """What is said of a file of which only the beginning was read."""
    return Note(gap=GapReason.TOO_LARGE, detail=f"only its first {most} bytes are inspected")


def beginning(data: bytes, most: int) -> tuple[bytes, tuple[Note, ...]]:
    """At most the first ``most`` bytes, and what is said where that is not all."""
    return (data, ()) if len(data) <= most else (data[:most], (cut_at(most),))


class Member(NamedTuple):
    """One thing found in an archive. ``name`` is relative and safe; empty for the archive as a whole.

    ``data`` is None when it was not read (``notes`` say why). ``link`` is the target of a symbolic link.
    """

    name: str
    data: bytes | None = None
    mode: int = 0
    link: str | None = None
    notes: tuple[Note, ...] = ()


class Budget:
    """Counts down what one bundle may still hold. ``bytes`` are kept; ``work`` is unpacked, kept or not.

    ``full``: something was left out because the bundle holds too much.
    """

    __slots__ = ("bytes", "entries", "full", "work")

    def __init__(self, limits: Limits) -> None:
        self.bytes = limits.total_bytes
        self.entries = limits.entries
        self.work = 2 * limits.total_bytes
        self.full = False

    def refusal(self) -> Note | None:
        """Why no further file can be taken; None while one can."""
        if self.entries <= 0:
            self.full = True
            return Note(gap=GapReason.TOO_MANY, detail="more files than one bundle may hold")
        if self.bytes <= 0:
            self.full = True
            return Note(gap=GapReason.TOO_LARGE, detail="more bytes than one bundle may hold")
        return None


class Allowance:
    """What may be unpacked from one archive of ``packed`` bytes."""

    __slots__ = ("budget", "file_bytes", "ratio")

    def __init__(self, budget: Budget, limits: Limits, packed: int) -> None:
        self.budget = budget
        self.file_bytes = limits.file_bytes
        self.ratio = MIB + limits.ratio * packed

    def left(self) -> int:
        """Bytes that may still be unpacked from this archive."""
        return max(0, min(self.ratio, self.budget.work))

    def spend(self, count: int) -> None:
        """Unpacked ``count`` bytes."""
        self.ratio -= count
        self.budget.work -= count

    def exhausted(self) -> Note:
        """Why nothing more may be unpacked from this archive (call it when ``left`` is 0)."""
        if self.ratio <= 0:
            detail = "unpacks to far more than its size allows"
            return Note(anomaly=AnomalyKind.ARCHIVE_BOMB, gap=GapReason.RATIO, detail=detail)
        return Note(gap=GapReason.TOO_LARGE, detail="more bytes to unpack than one bundle may hold")

    def take(self, pull: Callable[[int], bytes], size: int | None = None) -> tuple[bytes, Note | None]:
        """Read one file of at most ``size`` bytes (None: to its end), and why not all of it was read.

        ``pull(n)`` gives 1 to n bytes, or none at the end.
        """
        want = self.file_bytes if size is None else min(size, self.file_bytes)
        cap = min(want, self.left(), self.budget.bytes)
        parts: list[bytes] = []
        have = 0
        while have < cap:
            part = pull(min(CHUNK, cap - have))
            if not part:
                return b"".join(parts), None
            parts.append(part)
            have += len(part)
            self.spend(len(part))
        data = b"".join(parts)
        if size is not None and have >= size:
            return data, None
        if size is None and not self._more(pull):
            return data, None
        return data, self._cut(cap)

    def _more(self, pull: Callable[[int], bytes]) -> bool:
        """Whether there is another byte; it is lost by asking."""
        return bool(pull(1))

    def _cut(self, cap: int) -> Note:
        if cap == self.file_bytes:
            return cut_at(cap)
        if self.left() <= 0:
            return self.exhausted()
        return Note(gap=GapReason.TOO_LARGE, detail="more bytes than one bundle may hold")
