"""``sluicegate audit``: is the ledger whole, and what does it say?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.numbers import WholeNumber
from sluicegate.reach.report.escape import json_safe, printable

if TYPE_CHECKING:
    from sluicegate.record.ledger.events import Event
    from sluicegate.record.ledger.query import History, LedgerEntry
    from sluicegate.record.ledger.verifying import Broken, Sound
    from sluicegate.record.workspace import Workspace


_LISTED = 50


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
        "-f",
        "--format",
        "form",
        type=click.Choice(names),
        default="text",
        help="How to answer; text by default.",
    )


def _workspace() -> Workspace:
    from sluicegate.reach.cli.ledger.here import workspace_here

    return workspace_here()


def _history(ledger: str | None, rotated: Sequence[str]) -> History:
    from sluicegate.record.ledger.query import load

    workspace = _workspace()
    path = Path(ledger) if ledger else workspace.ledger
    history = load(path, keys=workspace.keys, rotated=tuple(map(Path, rotated)))
    doubtful = history.skipped or any(not entry.authentic for entry in history.entries.values())
    if doubtful:
        click.echo(
            "sluicegate: this ledger holds lines that this user did not write here, or that are damaged; "
            "'sluicegate audit verify' says which",
            err=True,
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
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.record.ledger.verifying import Sound

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
    from sluicegate.record.ledger.verifying import Broken

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
    from sluicegate.record.ledger.verifying import Broken

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
    """Show what WHAT follows from, back to its origins: a path, @value, the number of an event, or an operation.

    What was decided by a branch on a value shows in the labels, and not in this tree.
    """
    history = _history(ledger, rotated)
    entry = history.find(what, directory=Path.cwd(), root=_workspace().root)
    nodes = history.why(entry)
    if form == "text":
        from sluicegate.reach.cli.ledger.provenance import tree

        click.echo("\n".join(tree(nodes, entry.seq)))
    elif form == "dot":
        from sluicegate.reach.cli.ledger.provenance import dot

        click.echo(dot(nodes))
    else:
        rows = [{**_row(node.entry), "follows": list(node.follows)} for node in nodes.values()]
        _print_json({"of": entry.seq, "events": rows})


@audit.command("history", short_help="List all events about WHAT.")
@click.argument("what", metavar="WHAT")
@_options
@_format("text", "json")
def history(what: str, ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all events about WHAT: a path (also one that is signed), @value, the number of an event, or an operation
    ('post', 'git push', 'op:cmd:git')."""
    root = _workspace().root
    _print(_history(ledger, rotated).about(what, directory=Path.cwd(), root=root), form)


@audit.command("log", short_help="List events, newest last.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Only events of this kind (allow, denial, write...).",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL",
    help="Only events in which this label stands, or one below it.",
)
@click.option(
    "--since", metavar="TIME", help="Only events from this time on: 2026-11-22, or 2026-11-22T10:30 (UTC)."
)
@click.option(
    "--last",
    type=WholeNumber(min=0),
    default=_LISTED,
    metavar="N",
    help=f"The last N of these events; {_LISTED} by default, 0 for all.",
)
@_options
@_format("text", "json")
def log(
    kinds: tuple[str, ...],
    labels: tuple[str, ...],
    since: str | None,
    last: int,
    ledger: str | None,
    rotated: tuple[str, ...],
    form: str,
) -> None:
    """List events, a line each, newest last. 'sluicegate audit history NUMBER' says all of one."""
    _check_kinds(kinds)
    start = _time(since) if since else ""
    history = _history(ledger, rotated)
    found = [
        entry
        for entry in history.entries.values()
        if entry.ts >= start
        and (not kinds or type(entry.event).__name__.lower() in kinds)
        and (not labels or _has_label(entry.event, labels))
    ]
    shown = found[-last:] if last else found
    if form == "json":
        _print_json([_row(entry) for entry in shown])
        return
    from sluicegate.reach.cli.ledger.provenance import lines

    if len(shown) < len(found):
        click.echo(
            f"... {len(found) - len(shown)} earlier events are not shown: --last 0 shows all", err=True
        )
    click.echo("\n".join(lines(shown)) if shown else "the ledger has no such event")


def _check_kinds(kinds: Sequence[str]) -> None:
    from difflib import get_close_matches

    from sluicegate.record.ledger.events import KINDS

    for kind in kinds:
        if kind not in KINDS:
            near = get_close_matches(kind, KINDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(KINDS)}"
            raise click.BadParameter(
                f"there is no kind of event {printable(kind)!r}: {hint}", param_hint="'--kind'"
            )


def _time(text: str) -> str:
    """A time as the ledger spells it, in UTC."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(
            f"{printable(text)!r} is not a time: write 2026-11-22, or 2026-11-22T10:30",
            param_hint="'--since'",
        ) from None
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return found.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _has_label(event: Event, wanted: Sequence[str]) -> bool:
    """Whether one of these labels, or one below it, stands in an event, of a value or of an operation."""
    found = (
        label
        for name in ("labels", "taint", "add", "remove", "operation_labels")
        for label in getattr(event, name, ())
    )
    return any(label == want or label.startswith(f"{want}:") for label in found for want in wanted)


@audit.command("signed", short_help="List all signatures: made, and looked at.")
@_options
@_format("text", "json")
def signed(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all signatures that were made, and those that were looked at."""
    from sluicegate.record.ledger.events import Sign, Verify

    _of_kind(ledger, rotated, form, Sign, Verify)


@audit.command("blessed")
@_options
@_format("text", "json")
def blessed(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all blessings: who made what trusted."""
    from sluicegate.record.ledger.events import Bless

    _of_kind(ledger, rotated, form, Bless)


@audit.command("denied")
@_options
@_format("text", "json")
def denied(ledger: str | None, rotated: tuple[str, ...], form: str) -> None:
    """List all denials: what was refused, by which rule."""
    from sluicegate.record.ledger.events import Denial

    _of_kind(ledger, rotated, form, Denial)


def _of_kind(ledger: str | None, rotated: Sequence[str], form: str, *kinds: type[Event]) -> None:
    _print(_history(ledger, rotated).of_kind(*kinds), form)


def _print(entries: Sequence[LedgerEntry], form: str) -> None:
    from sluicegate.reach.cli.ledger.provenance import listing

    if form == "json":
        _print_json([_row(entry) for entry in entries])
    elif entries:
        click.echo("\n".join(listing(entries)))
    else:
        click.echo("the ledger has no such event")


def _row(entry: LedgerEntry) -> dict[str, object]:
    import msgspec

    event: dict[str, object] = msgspec.to_builtins(entry.event)
    return {"seq": entry.seq, "id": entry.id, "ts": entry.ts, "authentic": entry.authentic, **event}


def _print_json(document: object) -> None:
    import json

    click.echo(json_safe(json.dumps(document, indent=2, ensure_ascii=False)))
