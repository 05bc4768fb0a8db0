"""Environments by their names: a module and its servers, in a folder of the user's configuration.

    ~/.config/sluicegate/environments/NAME/index.mld     exports @spawn, @shell, @mcpConfig
    ~/.config/sluicegate/environments/NAME/mcp.json      servers that @mcpConfig may name

They lie outside of every project: what runs in one cannot write into them. A name is a name, and never a path.
"""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from sluicegate.patterns import late
from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import ServerEntry

MODULE: Final = "index.mld"
SERVERS: Final = "mcp.json"
_NAME: Final = late(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)
_MOST: Final = 4_000_000


class NamedEnvironment(Struct, frozen=True, kw_only=True):
    """The text of a module, and servers by their names."""

    module: str
    servers: dict[str, ServerEntry] = field(default_factory=dict)

    def files(self) -> dict[str, str]:
        """What is written, by the names of the files."""
        entries: dict[str, Any] = {name: entry_of(each) for name, each in self.servers.items()}
        text = msgspec.json.format(msgspec.json.encode({"mcpServers": entries}), indent=2).decode()
        return {MODULE: self.module, SERVERS: f"{text}\n"}


def entry_of(server: ServerEntry) -> dict[str, Any]:
    """A server as ``mcp.json`` has it, without what it does not say."""
    found = msgspec.to_builtins(server)
    empty = msgspec.to_builtins(ServerEntry())
    return {key: value for key, value in found.items() if value != empty[key]}


class NamedEnvironments:
    """The environments of a user. ``folder`` is that of the user's configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "environments"

    def names(self) -> list[str]:
        """Their names, in order."""
        if not self.folder.is_dir():
            return []
        return sorted(each.name for each in self.folder.iterdir() if (each / MODULE).is_file())

    def place(self, name: str) -> Path:
        """The folder of one. Raises UsageError for what is not a name."""
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot be the name of an environment",
                hint="A name has letters, digits, '-' and '_', at most 64.",
            )
        return self.folder / name

    def module(self, name: str) -> Path:
        """The module of one that is there. Raises UsageError."""
        found = self.place(name) / MODULE
        if not found.is_file():
            known = ", ".join(self.names()) or "none"
            raise UsageError(f"there is no environment {name!r}", hint=f"There are: {known}.")
        return found

    def read(self, name: str) -> NamedEnvironment:
        """One that is there. Raises UsageError."""
        module = self.module(name)
        return NamedEnvironment(module=_text(module), servers=servers_in(module.parent / SERVERS))

    def difference(self, name: str, new: NamedEnvironment) -> list[str]:
        """What would be other if this were written, line by line."""
        lines: list[str] = []
        for file, text in new.files().items():
            path = self.place(name) / file
            before = _text(path).splitlines() if path.is_file() else []
            lines += difflib.unified_diff(
                before, text.splitlines(), f"{file} now", f"{file} then", lineterm="", n=3
            )
        return lines

    def write(self, name: str, new: NamedEnvironment) -> None:
        """Write one, each file whole."""
        place = self.place(name)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file, text in new.files().items():
            descriptor, made = tempfile.mkstemp(dir=place, prefix=".new-")
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(text)
            Path(made).replace(place / file)


def servers_in(path: Path) -> dict[str, ServerEntry]:
    """The servers of a file; none where there is none. Raises UsageError."""
    if not path.is_file():
        return {}
    try:
        found = msgspec.json.decode(_text(path), type=dict[str, dict[str, ServerEntry]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{path} is not a list of MCP servers: {error}") from None
    return found.get("mcpServers", {})


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > _MOST:
        raise UsageError(f"{path} has more than {_MOST} bytes")
    return data.decode("utf-8", "replace")
