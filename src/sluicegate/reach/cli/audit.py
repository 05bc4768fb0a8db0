"""``sluicegate audit``: is the ledger whole, and what does it say?"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.report.escape import json_safe, printable

if TYPE_CHECKING:
    from sluicegate.record.events import Event
    from sluicegate.record.query import Entry, History
    from sluicegate.record.verifying import Broken, Sound
    from sluicegate.record.workspace import Workspace


@click.group(short_help="Check the ledger, and ask it why.")
def audit() -> None:
    """Check the ledger of this workspace, and ask it why something is as it is.

    The ledger is .sluicegate/sec/audit.jsonl in the workspace, or what SLUICEGATE_AUDIT_LOG names. Files that were
    rotated away are found beside it (also compressed with gzip), or named with --rotated.
    """


def _options(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say which ledger is asked."""
    for option in (
        click.option(
            "--rotated",
            multiple=True,
            metavar="FILE",
            shell_complete=complete.paths,
            help="A file of it that was moved away.",
        ),
        click.option(
            "--ledger",
            metavar="FILE",
            shell_complete=complete.paths,
            help="Another ledger than that of the workspace.",
        ),
    ):
        command = option(command)
    return command


def _format(*names: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    return click.option(
        "--format", "form", type=click.Choice(names), default="text", help="How to answer; text by default."
    )


def _workspace() -> Workspace:
    from sluicegate.record.workspace import Workspace

    return Workspace.of(os.environ, Path.cwd(), clock=time.time_ns)


def _history(ledger: str | None, rotated: Sequence[str]) -> History:
    from sluicegate.record.query import load

    workspace = _workspace()
    path = Path(ledger) if ledger else workspace.ledger
    history = load(path, keys=workspace.keys, rotated=tuple(map(Path, rotated)))
    doubtful = history.skipped or any(not entry.authentic for entry in history.entries.values())
    if doubtful:
        click.echo(
            "sluicegate: this ledger holds what was not written from here: sluicegate audit verify", err=True
        )
    return history


@audit.command("verify", short_help="Check every line of the ledger, and its chain.")
@_options
@click.option(
    "--allow-missing-start", is_flag=True, help="Accept that the oldest rotated files have been deleted."
)
@_format("text", "json")
def verify(ledger: str | None, rotated: tuple[str, ...], allow_missing_start: bool, form: str) -> int:
    """Check every line of the ledger, its chain, its authenticity, its checkpoints and its end.

    Exit code 0 when it is whole, 1 when anything is wrong, 2 when it could not be read.
    """
    from sluicegate.record.ledger import Ledger
    from sluicegate.record.verifying import Sound

    workspace = _workspace()
    found = Ledger.verify(
        Path(ledger) if ledger else workspace.ledger,
        keys=workspace.keys,
        rotated=tuple(map(Path, rotated)),
        allow_missing_start=allow_missing_start,
    )
    if form == "json":
        _print_json(_verified_row(found))
    else:
        for line in _verified_lines(found):
            click.echo(printable(line))
    return 0 if isinstance(found, Sound) else 1


def _verified_lines(found: Sound | Broken) -> Iterable[str]:
    from sluicegate.record.verifying import Broken

    facts = found.facts
    if isinstance(found, Broken):
        yield "BROKEN: this ledger is not what was written"
        for one in found.breaks:
            where = f"{one.file}, row {one.row}" if one.row else str(one.file)
            yield f"  {where}: {one.detail} [{one.fault}]"
        if found.more:
            yield f"  and {found.more} more"
    else:
        yield "sound: every line is there and as it was written"
    yield f"  lines {facts.first} to {facts.last} in {len(facts.files)} file{'s' * (len(facts.files) != 1)}"
    yield f"  signed through line {facts.signed}" if facts.signed else "  no checkpoint by somebody trusted"
    if facts.remembered:
        yield f"  remembered outside the workspace through line {facts.remembered}"
    else:
        yield "  not remembered on this machine"
    for note in facts.notes:
        yield f"  note: {note}"


def _verified_row(found: Sound | Broken) -> dict[str, object]:
    from sluicegate.record.verifying import Broken

    facts = found.facts
    breaks = found.breaks if isinstance(found, Broken) else ()
    return {
        "sound": not breaks,
        "breaks": [
            {"fault": str(one.fault), "file": str(one.file), "row": one.row, "detail": one.detail}
            for one in breaks
        ],
        "more": found.more if isinstance(found, Broken) else 0,
        "ledger": facts.ledger,
        "first": facts.first,
        "last": facts.last,
        "signed": facts.signed,
        "remembered": facts.remembered,
        "files": [str(file) for file in facts.files],
        "notes": list(facts.notes),
    }


@audit.command("why", short_help="Show what WHAT follows from.")
@click.argument("what", metavar="WHAT")
@_options
@_format("text", "json", "dot")
def why(what: str, ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """Show what WHAT follows from: a path, @value, or the number of an event, back to its origins."""
    history = _history(ledger, rotated)
    entry = history.find(what, directory=Path.cwd())
    nodes = history.why(entry)
    if form == "text":
        from sluicegate.reach.cli.provenance import tree

        click.echo("\n".join(tree(nodes, entry.seq)))
    elif form == "dot":
        from sluicegate.reach.cli.provenance import dot

        click.echo(dot(nodes))
    else:
        rows = [{**_row(node.entry), "follows": list(node.follows)} for node in nodes.values()]
        _print_json({"of": entry.seq, "events": rows})


@audit.command("history", short_help="List all events about WHAT.")
@click.argument("what", metavar="WHAT")
@_options
@_format("text", "json")
def history(what: str, ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all events about WHAT: a path, @value, or the number of an event."""
    _print(_history(ledger, rotated).about(what, directory=Path.cwd()), form)


@audit.command("signed", short_help="List all signatures: made, and looked at.")
@_options
@_format("text", "json")
def signed(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all signatures that were made, and those that were looked at."""
    from sluicegate.record.events import Sign, Verify

    _of_kind(ledger, rotated, form, Sign, Verify)


@audit.command("blessed")
@_options
@_format("text", "json")
def blessed(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all blessings: who made what trusted."""
    from sluicegate.record.events import Bless

    _of_kind(ledger, rotated, form, Bless)


@audit.command("denied")
@_options
@_format("text", "json")
def denied(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all denials: what was refused, by which rule."""
    from sluicegate.record.events import Denial

    _of_kind(ledger, rotated, form, Denial)


def _of_kind(ledger: str | None, rotated: Sequence[str], form: str, *kinds: type[Event]) -> None:
    _print(_history(ledger, rotated).of_kind(*kinds), form)


def _print(entries: Sequence[Entry], form: str) -> None:
    from sluicegate.reach.cli.provenance import listing

    if form == "json":
        _print_json([_row(entry) for entry in entries])
    elif entries:
        click.echo("\n".join(listing(entries)))
    else:
        click.echo("none")


def _row(entry: Entry) -> dict[str, object]:
    import msgspec

    event: dict[str, object] = msgspec.to_builtins(entry.event)
    return {"seq": entry.seq, "id": entry.id, "ts": entry.ts, "authentic": entry.authentic, **event}


def _print_json(document: object) -> None:
    import json

    click.echo(json_safe(json.dumps(document, indent=2, ensure_ascii=False)))
