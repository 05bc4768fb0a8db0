"""What is mounted where, as the kernel tells (``proc_pid_mountinfo(5)``)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class MountEntry(NamedTuple):
    """A mounted file system: where, its device, and of which kind it is (``ext4``)."""

    path: str
    device: int
    kind: str


def mounts() -> list[MountEntry]:
    """All that are mounted; none where nobody tells."""
    try:
        told = Path("/proc/self/mountinfo").read_bytes()
    except OSError:
        return []
    found: list[MountEntry] = []
    for line in told.splitlines():
        mount, _, kind = line.partition(b" - ")
        fields = mount.split(b" ")
        major, _, minor = fields[2].partition(b":")
        path = fields[4]
        if b"\\" in path:
            path = path.decode("unicode_escape").encode("latin-1")
        device = os.makedev(int(major), int(minor))
        found.append(
            MountEntry(os.fsdecode(path), device, kind.partition(b" ")[0].decode("ascii", "replace"))
        )
    return found
