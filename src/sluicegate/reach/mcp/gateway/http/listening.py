"""Listens for clients over HTTP, and makes a core with its servers for each session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import LOOPBACK, HttpAddress
from sluicegate.reach.mcp.gateway.relay import Relay

MakeRelay = Callable[[str, Callable[[bytes], None]], Relay]


async def listen(
    address: HttpAddress, name: str, make: MakeRelay, ended: asyncio.Event, say: Callable[[str], None]
) -> None:
    """Serve until ``ended``. The names of sessions of flow begin with ``name``. Raises UsageError."""
    try:
        from sluicegate.reach.mcp.gateway.http.connection import Connections
        from sluicegate.reach.mcp.gateway.http.front import Front, FrontRules
        from sluicegate.reach.mcp.gateway.http.http_session import HttpSession
    except ModuleNotFoundError as error:
        raise UsageError(
            f"clients over HTTP cannot be served, since {error.name} is not installed",
            hint="pip install 'sluicegate[mcp]'",
        ) from None

    async def made(session: HttpSession) -> Relay:
        relay = make(session.flow, session.send)
        relay.start()
        return relay

    try:
        listening = await asyncio.start_server(
            lambda *both: connections.connected(*both), address.host, address.port
        )
    except OSError as error:
        raise UsageError(f"{address.host}:{address.port} cannot be listened at: {error.strerror}") from None
    port = listening.sockets[0].getsockname()[1]
    hosts = {address.host, *(LOOPBACK if address.host in LOOPBACK else ())}
    named = tuple(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts)
    # Nobody else serves pages at our own address.
    origins = (*address.origins, *(f"http://{each}" for each in named))
    rules = FrontRules(hosts=named, origins=origins, tokens=address.tokens, flow=name)
    front = Front(rules, made)
    connections = Connections(front, say)
    say(f"serving at http://{address.host}:{port}/mcp")
    try:
        await ended.wait()
    finally:
        listening.close()
        await front.close()
