"""What this process has open: so that a test sees what it left, whatever others of the same process leave or drop meanwhile."""

import os
from contextlib import suppress


def open_descriptors() -> set[tuple[str, str]]:
    """The descriptors of this process, each with what it is of."""
    found = set()
    for each in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # the one that listed them
            found.add((each, os.readlink(f"/proc/self/fd/{each}")))
    return found
