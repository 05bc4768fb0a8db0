"""Servers of a script that are not loaded before it asks for one: most scripts have none, and the start counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.reach.mcp.gateway.pins import Pins
    from sluicegate.reach.mcp.scripts.servers import ScriptToolServers
    from sluicegate.script.evaluate.tools import ServerStart, ToolServer


class ScriptServers:
    """As ``servers.ScriptToolServers``."""

    def __init__(self, monitor: Monitor, pins: Callable[[], Pins]) -> None:
        self._monitor, self._pins = monitor, pins
        self._servers: ScriptToolServers | None = None

    def open(self, start: ServerStart) -> ToolServer:
        """Start a server. Raises FlowError."""
        if self._servers is None:
            from sluicegate.reach.mcp.scripts.servers import ScriptToolServers

            self._servers = ScriptToolServers(self._monitor, self._pins)
        return self._servers.open(start)

    def close(self) -> None:
        """End all servers."""
        if self._servers is not None:
            self._servers.close()


def pins_here(folder: Path) -> Pins:
    """The pins of this user, asked for from a folder. Raises PinError."""
    import os

    from sluicegate.reach.mcp.gateway.pins import Pins

    return Pins.here(os.environ, folder)
