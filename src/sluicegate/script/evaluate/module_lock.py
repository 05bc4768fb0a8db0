"""The lock of modules: which file a name stands for, and what has to be in it.

``sluicegate.modules.toml`` in the project's root:

    [modules."@mira/greetings"]
    file = "vendor/greetings.mld"
    sha256 = "9f86d081884c7d65…"

1. A module that is imported by a name is the file that the lock names, inside of the project. A name that is not in it is
   no module: nothing is fetched.
2. Whatever way a file is imported that the lock names: its content has to be what the lock says.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.source import SourceText

LOCK: Final = "sluicegate.modules.toml"
_HOW: Final = f"Put its file into the project, look at it, and name it with its sha256sum in {LOCK}."


class LockedModule(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a module, seen from the project's root, and the digest of its content."""

    file: Annotated[str, Meta(min_length=1, max_length=1000)]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class ModuleLock(Struct, frozen=True, forbid_unknown_fields=True):
    """All modules that have a name."""

    modules: dict[str, LockedModule] = {}

    def file(self, name: str, root: Path) -> Path:
        """The file of a name (1). Raises ScriptError."""
        locked = self.modules.get(name)
        if locked is None:
            raise ScriptError(
                "no-module", f"no module of this name is in {LOCK}; nothing is fetched", hint=_HOW
            )
        found = (root / locked.file).resolve()
        if not found.is_relative_to(root.resolve()):
            raise ScriptError("no-module", f"{LOCK} names a file outside of the project", hint=_HOW)
        return found

    def compare(self, file: Path, source: SourceText, root: Path) -> None:
        """Whether a file is what the lock says of it (2). Raises ScriptError."""
        digest = hashlib.sha256(source.text.encode()).hexdigest()
        for locked in self.modules.values():
            if (root / locked.file).resolve() == file and locked.sha256 != digest:
                raise ScriptError(
                    "module-changed",
                    f"the module is not what {LOCK} says: its sha256 is {digest}",
                    hint="See what has changed. If the change is meant, write this digest into the lock.",
                )


def read_lock(source: SourceText) -> ModuleLock:
    """The lock in a text. Raises ScriptError."""
    try:
        return msgspec.convert(tomllib.loads(source.text), ModuleLock)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ScriptError("bad-lock", f"{LOCK} cannot be read: {error}") from None
