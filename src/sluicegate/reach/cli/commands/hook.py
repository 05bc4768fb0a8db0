"""``sluicegate hook``: put the gate before the tools of an agent, see whether it stands there, take it away."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.installed import installed, place_of, probe, skipped
from sluicegate.reach.hooks.installing import (
    HOSTS,
    command_of,
    net_of,
    own_files,
    read,
    read_text,
    with_hooks,
    with_net,
    without_hooks,
    without_net,
    written,
)
from sluicegate.reach.hooks.net_record import forget_net, recorded_net, remember_net, was_made
from sluicegate.reach.report.escape import printable
from sluicegate.record.user import home_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HOST = click.Choice(tuple(HOSTS))
_level = (
    click.option("--user", "level", flag_value="user", default="user", help="For all that you do (default)."),
    click.option("--project", "level", flag_value="project", help="For the project in the current folder."),
)


class _HookGroup(click.Group):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None:
            ctx.fail(
                f"There is no host and no command {cmd_name!r}. The hosts are {', '.join(HOSTS)}; a host's own call is"
                " 'sluicegate hook HOST', with its event on standard input."
            )
        return found


@click.group(cls=_HookGroup, short_help="Put the gate before the tools of an agent.")
def hook() -> None:
    """Put the gate before the tools of a coding agent: Claude Code, Codex, Gemini CLI, Copilot CLI, Cursor, OpenCode or OpenClaw.

    Before each call of a tool the agent asks, and what policy refuses does not happen; after it, what came back is known
    by its source. Without a policy of yours, the standard policy 'agent' is in force. The agent's own rules and questions stay
    in force as well. What the agent calls is 'sluicegate hook HOST', with an event on standard input.

    \b
    sluicegate hook install claude
    sluicegate hook status
    sluicegate hook remove claude
    """


def _leveled(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_level):
        command = option(command)
    return command


@hook.command(short_help="Write the hooks into the settings of an agent.")
@click.argument("host", type=_HOST)
@_leveled
@click.option("--yes", is_flag=True, help="Write without asking.")
def install(host: str, level: str, yes: bool) -> None:
    """Write the hooks of HOST into its settings, and try them. What stands there stays; the difference is shown first."""
    path = place_of(host, level)
    about = HOSTS[host]
    wanted: dict[Path, str | None] = {}
    added: list[str] = []
    if about.own:
        wanted.update(own_files(host, path, sys.executable))
    else:
        before, settings = read(path)
        after, added = with_net(with_hooks(settings, host, command_of(sys.executable, host)), host)
        wanted[path] = before if after == settings else written(path, before, settings, after)
    if about.net_file and level == "user":
        wanted[home_directory(os.environ) / about.net_file] = net_of(host)
    new = not path.exists()
    if _change(path, wanted, yes=yes) and (added or new):
        remember_net(path, added, made=new)
    problem = probe(host)
    if problem:
        raise UsageError(
            f"the hook of {host} does not work: {problem}",
            hint="Until it works, nothing stands before the tools of this agent.",
        )
    if problem := skipped(host):
        click.echo(printable(f"{host}: {problem}"), err=True)
    click.echo(f"{host}: it works: a call that policy refuses was refused, and another was not")
    if about.then:
        click.echo(printable(f"{host}: still to do by hand: {about.then}"))
    click.echo(printable(about.cannot), err=True)


@hook.command(short_help="Remove the hooks from the settings of an agent.")
@click.argument("host", type=_HOST)
@_leveled
@click.option("--yes", is_flag=True, help="Write without asking.")
def remove(host: str, level: str, yes: bool) -> None:
    """Take our hooks out of the settings of HOST. Everything else stays."""
    path = place_of(host, level)
    about = HOSTS[host]
    wanted: dict[Path, str | None] = {}
    if about.own:
        wanted.update(dict.fromkeys(own_files(host, path, sys.executable)))
    else:
        before, settings = read(path)
        after = without_net(without_hooks(settings), recorded_net(path))
        wanted[path] = before if after == settings else written(path, before, settings, after)
        if after == about.root and (path.name.startswith("sluicegate") or was_made(path)):
            wanted[path] = None  # it is a file of ours, and nobody else wrote into it
    if about.net_file and level == "user":
        wanted[home_directory(os.environ) / about.net_file] = None
    if _change(path, wanted, yes=yes):
        forget_net(path)
    if about.own and path.is_dir() and not any(path.iterdir()):
        path.rmdir()


@hook.command(short_help="Say where the hooks are installed, and whether they work.")
def status() -> None:
    """Say for each host and each place whether our hooks are there, and try them. Exit code 1 where some are there and do not work."""
    wrong = False
    for host, found in installed().items():
        click.echo(printable(f"{host}: {'; '.join(found.places) if found.places else 'not installed'}"))
        wrong |= found.wrong
        if found.problem:
            click.echo(printable(f"  it does not work: {found.problem}"))
    if wrong:
        raise click.exceptions.Exit(1)


def _change(main: Path, wanted: Mapping[Path, str | None], *, yes: bool) -> bool:
    """Show what changes in files, None for one that is to be gone, and write it when a person or ``--yes`` says so. Whether it did."""
    before = {path: read_text(path) for path in wanted}
    changes = {
        path: after
        for path, after in wanted.items()
        if (path.exists() if after is None else after != before[path])
    }
    if not changes:
        click.echo(printable(f"{main}: nothing to change"))
        return False
    for path, after in changes.items():
        lines = difflib.unified_diff(
            before[path].splitlines(),
            (after or "").splitlines(),
            f"{path} (now)",
            f"{path} (then)",
            lineterm="",
        )
        click.echo("\n".join(map(printable, lines)))
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody is there to ask whether to write this", hint="Say --yes.")
        click.confirm("Write this?", abort=True)
    for path, after in changes.items():
        try:
            _write(path, after)
        except OSError as error:
            raise UsageError(
                f"cannot write {path}: {error.strerror}", hint="What was written before it stays."
            ) from None
        click.echo(printable(f"{path}: {'removed' if after is None else 'written'}"))
    return True


def _write(path: Path, after: str | None) -> None:
    if after is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    real = path.resolve()  # a link stays one
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=real.parent, delete=False) as file:
        file.write(after)
    new = Path(file.name)
    new.chmod(mode)
    new.replace(real)
