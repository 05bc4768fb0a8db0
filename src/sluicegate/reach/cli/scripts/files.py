"""Scripts that a command is given: read from files or standard input, within a bound."""

from __future__ import annotations

import sys
from pathlib import Path

from sluicegate.reach.errors import UsageError
from sluicegate.script.scan.scanner import LONGEST
from sluicegate.script.source import SourceText

_BYTES = 4 * LONGEST
STANDARD_INPUT = "-"


def read_script(name: str) -> SourceText:
    """The script in a file; ``-`` is standard input. Raises UsageError where it cannot be read."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(_BYTES + 1)
        else:
            with Path(name).open("rb") as handle:
                data = handle.read(_BYTES + 1)
    except IsADirectoryError:
        raise UsageError(f"{name} is a folder", hint="Name the scripts in it: *.mld.") from None
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}", hint="Name a script.") from None
    if len(data) > _BYTES:
        raise UsageError(f"{name} is longer than {LONGEST} characters", hint="Split it into modules.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8: byte {error.start}", hint="Save it as UTF-8.") from None
    return SourceText(text, "standard input" if name == STANDARD_INPUT else name)
