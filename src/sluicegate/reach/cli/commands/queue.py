"""``sluicegate queue``: what waits for a person, and the rulings of persons."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.numbers import WholeNumber
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.vet.report import Report
    from sluicegate.vet.review.queue.queue import Queued, ReviewQueue
    from sluicegate.vet.review.queue.statements import RulingStatement

_IMPORT_LIMIT = 256 << 20
_ATTEMPTS = 3


@click.group(short_help="See what waits for a person, and rule on it.")
def queue() -> None:
    """What waits for a person's ruling: skills that were not SAFE when they were reviewed, or scanned with --queue.

    You approve an item or reject it, and your key signs the ruling. An approval makes CAUTION SAFE; with --override-block it
    makes DO_NOT_INSTALL SAFE, too. It is bound to the content, the findings, the gaps and what reviewers replied: when any of
    them changes, it no longer holds. A rejection is bound to the content alone. Scans and reviews on this machine follow your
    rulings. Name an ITEM by the first digits of its number, or by the skill's name.

    A publisher is flagged when a skill of theirs holds text aimed at reviewers. Their other skills are then CAUTION, until a
    person ends the flag.

    \b
    sluicegate queue list
    sluicegate queue show 4f1c22d0
    sluicegate queue approve 4f1c22d0 --until 2027-06-30
    sluicegate queue flags
    """


def _format_option(command: Callable[..., None]) -> Callable[..., None]:
    option = click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        help="How to answer; 'sluicegate schema queue' describes the JSON.",
    )
    return option(command)


@queue.command("list", short_help="List what waits.")
@click.option("--all", "everything", is_flag=True, help="Also list what is approved or rejected.")
@_format_option
def list_(everything: bool, form: str) -> None:
    """List what waits, the newest first."""
    from sluicegate.reach.report.text.queue_page import queue_page
    from sluicegate.reach.report.words.wording import count
    from sluicegate.reach.ruling_queue import open_queue
    from sluicegate.vet.review.queue.queue import State

    with open_queue(os.environ) as mine:
        every = mine.items()
        refused = mine.counted().refused
    shown = [each for each in every if everything or each.state is State.OPEN]
    if form == "json":
        from sluicegate.reach.queue_json import queue_json

        click.echo(queue_json(items=shown, refused=refused), nl=False)
        return
    click.echo(queue_page(shown, width=_width(), color=False), nl=False)
    ruled = sum(each.state is not State.OPEN for each in every)
    if not shown:
        click.echo("Nothing waits for a person.")
    if ruled and not everything:
        click.echo(f"{count(ruled, 'item')} ruled on: --all lists them, too.", err=True)
    for line in refused:
        click.echo(f"sluicegate: {printable(line)}", err=True)


@queue.command("show", short_help="Show an item.")
@click.argument("item", metavar="ITEM")
@click.option("--all", "everything", is_flag=True, help="All findings and gaps that were kept.")
@_format_option
def show(item: str, everything: bool, form: str) -> None:
    """Show one item: what the skill can do, what was found, what reviewers disagree on. JSON has all that was kept."""
    from sluicegate.reach.report.text.queue_page import item_page
    from sluicegate.reach.ruling_queue import open_queue

    with open_queue(os.environ) as mine:
        found = mine.find(item)
        flagged = mine.flagged_since(found)
    if form == "json":
        from sluicegate.reach.queue_json import queue_json

        click.echo(queue_json(items=[found]), nl=False)
        return
    page = item_page(found, width=_width(), color=False, everything=everything, flagged=flagged)
    click.echo(page, nl=False)


def _ruling_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--reason", metavar="TEXT", help="Why; you are asked for it otherwise."),
        click.option(
            "--until", metavar="YYYY-MM-DD", help="The last day on which it holds; no last day by default."
        ),
        click.option("--as", "identity", metavar="IDENTITY", help="Whose key signs, when you have several."),
    ):
        command = option(command)
    return command


@queue.command("approve", short_help="Approve an item.")
@click.argument("item", metavar="ITEM")
@click.option(
    "--override-block",
    "overrides",
    is_flag=True,
    help="Approve what is DO_NOT_INSTALL, where settings let you.",
)
@_ruling_options
def approve(item: str, overrides: bool, reason: str | None, until: str | None, identity: str | None) -> None:
    """Approve an item at a terminal: this shows what the skill can do, and asks you to type a few letters.

    No option answers for you. A person on another machine signs there; 'sluicegate queue import' reads that ruling.
    """
    _rule(item, approves=True, overrides=overrides, reason=reason, until=until, identity=identity)


@queue.command("reject", short_help="Reject an item.")
@click.argument("item", metavar="ITEM")
@_ruling_options
def reject(item: str, reason: str | None, until: str | None, identity: str | None) -> None:
    """Reject an item, at a terminal. One rejection blocks, whoever else approves, whatever is found in the same content by
    another scan or review; a later approval of your own ends it.
    """
    _rule(item, approves=False, overrides=False, reason=reason, until=until, identity=identity)


@queue.command("flags", short_help="List flagged publishers.")
@click.option("--all", "everything", is_flag=True, help="Also list publishers whose flag was ended.")
@_format_option
def flags(everything: bool, form: str) -> None:
    """List publishers in whose skills a text aimed at reviewers was found, with these skills and who found it."""
    from sluicegate.reach.report.text.queue_page import flags_page
    from sluicegate.reach.ruling_queue import open_queue

    with open_queue(os.environ) as mine:
        every = mine.publishers()
    shown = [each for each in every if everything or not each.ended]
    if form == "json":
        from sluicegate.reach.queue_json import queue_json

        click.echo(queue_json(publishers=shown), nl=False)
        return
    click.echo(flags_page(shown, width=_width(), color=False), nl=False)
    if not shown:
        click.echo("No publisher is flagged.")
    if len(shown) < len(every):
        click.echo(f"{len(every) - len(shown)} ended: --all lists them, too.", err=True)


@queue.command("unflag", short_help="End the flag of a publisher.")
@click.argument("publisher", metavar="PUBLISHER")
@_ruling_options
def unflag(publisher: str, reason: str | None, until: str | None, identity: str | None) -> None:
    """End the flag of a publisher, at a terminal, with a reason, as an approval is given.

    It is bound to the skills for which the publisher is flagged: when a text aimed at reviewers is found in another, the
    flag is back.
    """
    _rule_on_publisher(publisher, approves=True, reason=reason, until=until, identity=identity)


@queue.command("reflag", short_help="Keep a publisher flagged.")
@click.argument("publisher", metavar="PUBLISHER")
@_ruling_options
def reflag(publisher: str, reason: str | None, until: str | None, identity: str | None) -> None:
    """Keep a publisher flagged, at a terminal, even if others end the flag. This replaces an 'unflag' of your own."""
    _rule_on_publisher(publisher, approves=False, reason=reason, until=until, identity=identity)


@queue.command("export", short_help="Write items and rulings to a file.")
@click.argument("items", nargs=-1, metavar="[ITEM...]")
@click.option(
    "-o", "--output", required=True, metavar="FILE", shell_complete=complete.paths, help="The file to write."
)
@click.option("--as", "identity", metavar="IDENTITY", help="Whose key signs, when you have several.")
def export(items: tuple[str, ...], output: str, identity: str | None) -> None:
    """Write items, and the signed rulings on them, to a file for another machine. Without an ITEM: all items, flags and rulings.

    Your key signs what the items show. Whoever imports the file trusts you for that.
    """
    from sluicegate.reach.cli.output import write_file
    from sluicegate.reach.report.words.wording import count
    from sluicegate.reach.ruling_queue import open_queue, signer_of

    with open_queue(os.environ) as mine:
        chosen: Sequence[Queued] = [mine.find(word) for word in items] if items else mine.items()
        publishers = () if items else mine.publishers()
        if not items and mine.is_empty():
            raise UsageError("the queue is empty", hint="There is nothing to export.")
        signer = signer_of(os.environ, identity)
        data = mine.export(chosen, signer) if items else mine.export_all(signer)
    write_file(Path(output), data.decode())
    of_flags = f", and the flags of {count(len(publishers), 'publisher')}" if publishers else ""
    with_rulings = "the rulings on it" if len(chosen) == 1 and items else "the rulings on them"
    told = with_rulings if items else "all rulings"
    click.echo(f"{count(len(chosen), 'item')} exported with {told}{of_flags}.", err=True)


@queue.command("import", short_help="Read items and rulings from a file.")
@click.argument("file", metavar="FILE", shell_complete=complete.paths)
def import_(file: str) -> int:
    """Read the items, flags and rulings of FILE that a trusted signer has signed; exit code 1 when anything is refused."""
    from sluicegate.reach.ruling_queue import open_queue
    from sluicegate.vet.named_files import read_regular

    try:
        data = read_regular(Path(file), _IMPORT_LIMIT + 1)
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error.strerror}", hint="Name a file that 'sluicegate queue export' wrote."
        ) from None
    if len(data) > _IMPORT_LIMIT:
        raise UsageError(
            f"{file} is larger than {_IMPORT_LIMIT >> 20} MiB", hint="Export fewer items at once."
        )
    with open_queue(os.environ) as mine:
        before = set(mine.counted().refused)
        brought = mine.import_from(data)
        idle = [line for line in mine.counted().refused if line not in before]
    for line in (*brought.refused, *idle):
        click.echo(f"sluicegate: {printable(line)}", err=True)
    if brought.refused:
        click.echo("sluicegate: 'sluicegate keys trust' trusts a signer.", err=True)
    of_flags = f", {brought.flags} new flags" if brought.flags else ""
    click.echo(f"{brought.items} new items, {brought.rulings} new rulings{of_flags}.")
    return 1 if brought.refused else 0


@queue.command("prune", short_help="Remove what no decision rests on.")
@click.option(
    "--days",
    type=WholeNumber(1, 36_500),
    default=180,
    show_default=True,
    help="Keep what is newer than this, or was used since.",
)
@click.option("--open", "open_items", is_flag=True, help="Also remove older items on which nobody has ruled.")
@click.option(
    "--certificate",
    "certificates",
    multiple=True,
    metavar="FILE",
    shell_complete=complete.paths,
    help="Keep the answers on which this certificate rests. May be repeated.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
def prune(days: int, open_items: bool, certificates: tuple[str, ...], dry_run: bool) -> None:
    """Remove recorded answers of models on which no item, ruling or named certificate rests, and rulings that the same key has
    replaced.

    A removed answer is asked for again when it is needed. No decision becomes milder. The newest ruling of each key stays, and
    so do flags and, without --open, all items.
    """
    from sluicegate.reach.certificates import dockets_of
    from sluicegate.reach.report.words.wording import count
    from sluicegate.reach.ruling_queue import prune_record

    kept = {docket for name in certificates for docket in dockets_of(Path(name))}
    gone = prune_record(os.environ, days, open_items=open_items, kept=kept, apply=not dry_run)
    parts = [
        count(gone.items, "item"),
        count(gone.rulings, "ruling"),
        f"{count(gone.replies, 'answer')} ({gone.bytes / 1e6:.1f} MB)",
    ]
    did = "would be removed" if dry_run else "removed"
    click.echo(f"{parts[0]}, {parts[1]} and {parts[2]} {did}.")


def _rule(
    word: str, *, approves: bool, overrides: bool, reason: str | None, until: str | None, identity: str | None
) -> None:
    """Show the item to the person at the terminal, ask, sign, tell the ledger, keep: in this order."""
    from sluicegate.reach.cli.ledger.rulings import tell_ruling
    from sluicegate.reach.person import PersonTerminal
    from sluicegate.reach.report.text.queue_page import item_page
    from sluicegate.reach.ruling_queue import open_queue, ruler, signer_of
    from sluicegate.vet.review.queue.queue import day_named, today_of

    last = day_named(until, today_of(time.time_ns))
    with open_queue(os.environ) as mine, PersonTerminal(os.environ) as terminal:
        found = mine.find(word)
        mine.check_rulable(found, signer=ruler(os.environ, identity), approves=approves, overrides=overrides)
        page = item_page(found, width=terminal.width, color=False, flagged=mine.flagged_since(found))
        terminal.show(page + "\n")
        given = _reason(terminal.ask) if reason is None else reason
        did = "Approve" if approves else "Reject"
        held = f", until {until}" if until else ""
        over = ", against DO_NOT_INSTALL" if overrides else ""
        if not terminal.confirm(f"{did} {found.item.name} ({found.item.docket[:8]}){over}{held}: {given}"):
            raise UsageError("nothing was ruled: what was typed does not match")
        # only now the key is asked for, which may be in a keyring that asks the person, too
        statement, envelope = mine.seal(
            found,
            signer_of(os.environ, identity),
            approves=approves,
            reason=given,
            overrides=overrides,
            expires=last,
        )
    tell_ruling(statement, envelope)
    # Opened anew: it may be a first key that signed, and it is trusted since.
    with open_queue(os.environ) as mine:
        mine.keep(statement, envelope)
        _answer(mine, found, statement)


def add_to_queue(report: Report, targets: Sequence[str], *, quiet: bool) -> None:
    """Queue the skills of a report that are not SAFE by themselves, and flag who publishes texts aimed at reviewers.

    Raises VetError and RecordError.
    """
    from sluicegate.reach.cli.ledger.rulings import tell_flags
    from sluicegate.reach.report.words.wording import count
    from sluicegate.reach.ruling_queue import queue_report

    new, every, flagged = queue_report(os.environ, report, targets)
    if every and not quiet:
        known = f", {every - new} of them from before" if every > new else ""
        said = f"{count(every, 'skill')} in the queue for a person{known}: sluicegate queue list"
        click.echo(f"sluicegate: {said}", err=True)
    for publisher in () if quiet else dict.fromkeys(found.publisher for found in flagged):
        said = f"{publisher} is flagged: what else comes from there is CAUTION until a person ends it"
        click.echo(f"sluicegate: {printable(said)}: sluicegate queue flags", err=True)
    if flagged:
        tell_flags(flagged)


def _rule_on_publisher(
    publisher: str, *, approves: bool, reason: str | None, until: str | None, identity: str | None
) -> None:
    """End a flag or let it stand, in the order of ``_rule``."""
    from sluicegate.reach.cli.ledger.rulings import tell_ruling
    from sluicegate.reach.person import PersonTerminal
    from sluicegate.reach.report.text.queue_page import flags_page
    from sluicegate.reach.ruling_queue import open_queue, ruler, signer_of
    from sluicegate.vet.review.queue.queue import day_named, today_of

    last = day_named(until, today_of(time.time_ns))
    with open_queue(os.environ) as mine, PersonTerminal(os.environ) as terminal:
        found = mine.publisher(publisher)
        mine.check_may_rule(found.subject, signer=ruler(os.environ, identity), approves=approves)
        terminal.show(flags_page([found], width=terminal.width, color=False) + "\n")
        given = _reason(terminal.ask) if reason is None else reason
        did = "End the flag" if approves else "Let the flag stand"
        held = f", until {until}" if until else ""
        if not terminal.confirm(f"{did} of {publisher} ({found.docket[:8]}){held}: {given}"):
            raise UsageError("nothing was ruled: what was typed does not match")
        signer = signer_of(os.environ, identity)
        sealed = mine.seal_on_publisher(found, signer, approves=approves, reason=given, expires=last)
    tell_ruling(*sealed, of="publisher")
    with open_queue(os.environ) as mine:  # opened anew, as in _rule
        mine.keep(*sealed)
        now = mine.publisher(publisher)
    click.echo(printable(f"{publisher} is {'no longer flagged' if now.ended else 'flagged'}"))
    if approves and now.approvals < now.needed:
        click.echo(f"{now.approvals} of {now.needed} persons have ended it.", err=True)


def _reason(ask: Callable[[str], str]) -> str:
    for _ in range(_ATTEMPTS):
        given = ask("Why? ")
        if given:
            return given
    raise UsageError(
        "nothing was ruled: no reason was given", hint="Say why, in words that another can check."
    )


def _answer(mine: ReviewQueue, found: Queued, statement: RulingStatement) -> None:
    """Say what the ruling came to."""
    from sluicegate.reach.report.words import wording

    now = mine.find(found.item.docket)
    did = "approved" if statement.approves else "rejected"
    person = mine.person(statement)
    click.echo(printable(f"{did} by {person}: {found.item.name} is {wording.DECISION[now.decision]}"))
    if statement.approves and now.approvals < now.needed:
        click.echo(f"{now.approvals} of {now.needed} persons have approved.", err=True)


def _width() -> int:
    import shutil

    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))
