"""``sluicegate gateway``: stand before MCP servers, and let people see and approve what servers say of their tools."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sluicegate.flow.monitor import Monitor
    from sluicegate.reach.mcp.gateway.configuration import Configuration, HttpAddress, ServerLaunch
    from sluicegate.reach.mcp.gateway.pins import Pins, Waiting

STANDARD = "agent"
"""The policy of ours that is in force where the user has written none."""


class _GatewayGroup(click.Group):
    """Whatever is not a command of ours starts the gateway."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in {*self.commands, "-h", "--help"}:
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_GatewayGroup, short_help="Stand between an agent and its MCP servers.")
def gateway() -> None:
    """Stand between an agent and its MCP servers: policy decides on each call before it is made, and each result carries labels of
    where it came from.

    The agent starts this in place of the server. What a server says of its tools is pinned on first use; a later change is
    stopped until you approve it. Without a policy of your own, the standard policy 'agent' is in force.

    \b
    sluicegate gateway -- npx server-filesystem .
    sluicegate gateway --config mcp.json --profile review
    sluicegate gateway pins
    sluicegate gateway approve NAME
    """


@gateway.command(short_help="Start the gateway: 'gateway -- SERVER' is short for this.")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    help="The servers of this file, in the form of mcp.json.",
)
@click.option("--profile", default="", help="A profile of that file.")
@click.option(
    "--name", default="", help="The name of the server in policies, when it is started by a command."
)
@click.option(
    "--session",
    default="",
    help="The session to decide in; a new one by default. Over HTTP, a prefix for the names of sessions.",
)
@click.option("--http", "address", default="", metavar="HOST:PORT", help="Serve clients over HTTP, at /mcp.")
@click.option("--origin", "origins", multiple=True, help="A web origin whose pages may ask over HTTP.")
@click.option("--confirm", is_flag=True, help="Where policy refuses a call, have the client ask its user.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def serve(
    file: Path | None, profile: str, name: str, session: str, address: str, origins: tuple[str, ...],
    confirm: bool, command: tuple[str, ...],
) -> None:  # fmt: skip
    """Serve, over standard input and output, or over HTTP."""
    from sluicegate.reach.mcp.gateway import configuration

    if (file is None) == (not command):
        raise UsageError(
            "name either the command that starts a server, or a file of servers",
            hint="Write: sluicegate gateway -- SERVER ARGS..., or sluicegate gateway --config mcp.json",
        )
    if file is None:
        if profile:
            raise UsageError("--profile goes with --config", hint="Name the file that has the profile.")
        found = configuration.of_command(command, name, os.environ)
    else:
        if name:
            raise UsageError("--name is for one server; in a file each has its own")
        found = configuration.of_file(file, profile, os.environ)
    own = session or f"gateway-{secrets.token_hex(8)}"
    _serve(
        found, own, confirm=confirm or found.confirm, address=_address(address, origins) if address else None
    )


def _address(text: str, origins: tuple[str, ...]) -> HttpAddress:
    """Where clients are served over HTTP. Raises UsageError."""
    from sluicegate.reach.mcp.gateway.configuration import http_address

    return http_address(text, origins, os.environ)


def _serve(found: Configuration, session: str, *, confirm: bool, address: HttpAddress | None) -> None:
    import asyncio
    import gc

    from sluicegate.flow.monitor.assembly import open_here
    from sluicegate.reach.mcp.gateway.confirmation import Confirmations
    from sluicegate.reach.mcp.gateway.core import Gateway
    from sluicegate.reach.mcp.gateway.judge import Judge
    from sluicegate.reach.mcp.gateway.judged import CallLimits
    from sluicegate.reach.mcp.gateway.relay import Relay, StdioClient, on_signals, say

    pins = _pins()
    with open_here(program="gateway", session=session, cwd=Path.cwd(), standard=STANDARD) as monitor:
        launches = {name: each.told() for name, each in found.servers.items()}
        limits = CallLimits(found.rules.limits)

        def relay(name: str, send: Callable[[bytes], None]) -> Relay:
            judge = Judge(monitor, monitor.session(name), pins, launches, say)
            asking = Confirmations(name, secrets.token_bytes(32)) if confirm else None
            core = Gateway(found.servers, found.rules, asking, limits)
            return Relay(
                core,
                judge,
                found.servers,
                lambda each: _environment(monitor, each),
                send,
                monitor.parts.scrubber.bytes,
            )

        async def serve() -> None:
            gc.freeze()  # what is loaded stays; to walk through it takes longer than a call
            if address is None:
                client = StdioClient()
                on_signals(client.ended.set)
                await client.serve(relay(session, client.send))
            else:
                from sluicegate.reach.mcp.gateway.http.listening import listen

                ended = asyncio.Event()
                on_signals(ended.set)
                await listen(address, session, relay, ended, say)

        asyncio.run(serve())
    pins.close()


def _environment(monitor: Monitor, launch: ServerLaunch) -> Mapping[str, str]:
    """What a server is given: its variables, or headers, and the credentials that policy gives it, by the sealed path."""
    if not launch.auth:
        return {} if launch.url else launch.environment
    from sluicegate.flow.denial import Denial, Denied
    from sluicegate.flow.monitor import UNCONFINED
    from sluicegate.flow.monitor.effects import using

    found = using.lookup(monitor.parts, using.Using(auth=launch.auth), UNCONFINED)
    if isinstance(found, Denial):
        raise Denied(found)
    given = using.fetch(monitor.parts, found)
    if launch.url:
        (value,) = given.values()
        return {"authorization": f"Bearer {os.fsdecode(value)}"}
    return {**launch.environment, **{name: os.fsdecode(value) for name, value in given.items()}}


def _pins() -> Pins:
    from sluicegate.reach.mcp.gateway.pins import Pins

    return Pins.here(os.environ, Path.cwd())


@gateway.command(short_help="List what is pinned, and what waits for you.")
def pins() -> None:
    """List what is pinned of each server, and what waits for you. Exit code 1 where something waits."""
    kept = _pins()
    for one in kept.pinned():
        click.echo(printable(f"{one.server}  {one.kind}  {one.name}  {one.digest[:16]}"))
    waiting = kept.waiting()
    for each in waiting:
        click.echo(printable(f"{each.server}  {each.kind}  {each.name}  stopped: {each.why}"))
    if waiting:
        raise click.exceptions.Exit(1)


@gateway.command(short_help="Look at what was stopped, and approve it.")
@click.argument("server")
@click.argument("names", nargs=-1)
def approve(server: str, names: tuple[str, ...]) -> None:
    """Show what SERVER says that is not pinned, or only NAMES of it, and pin what you approve. Only a person at a terminal can."""
    from sluicegate.reach.person import PersonTerminal

    kept = _pins()
    waiting = [each for each in kept.waiting(server) if not names or each.name in names]
    if not waiting:
        raise UsageError(
            f"nothing of {server} waits{' under these names' if names else ''}",
            hint="'sluicegate gateway pins' lists what waits.",
        )
    with PersonTerminal(os.environ) as terminal:
        for each in waiting:
            terminal.show("\n".join([*_shown(each), ""]))
            if not terminal.confirm(f"Use {each.kind} {each.name} of {server} as shown?", to="pin it"):
                click.echo(printable(f"{each.name}: left stopped"))
            elif kept.approve(each):
                click.echo(printable(f"{each.name}: pinned"))
            else:
                click.echo(printable(f"{each.name}: it has changed again, and is left stopped"))


def _shown(each: Waiting) -> list[str]:
    lines = [f"{each.server}: {each.kind} {each.name}", f"Stopped: {each.why}"]
    lines += each.difference() if each.before else each.content.splitlines()
    return [printable(line) for line in lines]


@gateway.command(short_help="Remove the pins of a server.")
@click.argument("server")
def forget(server: str) -> None:
    """Remove all pins of SERVER: what it says on its next use is pinned anew. Only a person at a terminal can do this."""
    from sluicegate.reach.person import PersonTerminal

    kept = _pins()
    with PersonTerminal(os.environ) as terminal:
        if not terminal.confirm(f"Believe whatever {server} says next?", to="remove its pins"):
            raise UsageError("nothing was removed: the pins are as they were")
    click.echo(printable(f"{server}: {kept.forget(server)} pins removed"))
