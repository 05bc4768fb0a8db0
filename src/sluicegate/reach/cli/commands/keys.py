"""``sluicegate keys``: your keys, and whose signatures you trust."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import json_safe, printable
from sluicegate.reach.report.text.columns import pad

if TYPE_CHECKING:
    from sluicegate.record.keys.keys import Keys, StoredKey
    from sluicegate.record.keys.trust import TrustedKey

_IMPORT_LIMIT = 1 << 20


@click.group(short_help="List the keys and signers, and whom to trust.")
def keys() -> None:
    """Your keys, and whose signatures you trust.

    Private keys are files of mode 0600 in your own configuration directory, or in the system keyring; never in a
    workspace. SLUICEGATE_KEYS_HOME names another directory. A key is named by the first 8 or more digits of its id.
    """


def _keys() -> Keys:
    from sluicegate.record.home import Home
    from sluicegate.record.keys.keys import Keys
    from sluicegate.record.marks import find_workspace

    home = Home.find(os.environ, workspace=find_workspace(os.environ, Path.cwd()))
    return Keys(home, clock=time.time_ns)


@keys.command("list")
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to answer."
)
def list_(form: str) -> None:
    """List your keys and all trusted signers."""
    mine = _keys()
    own = {key.public.id: key for key in mine.stored()}
    trusted = mine.trust().keys
    rows = [
        _row(trusted.get(id), own.get(id), id) for id in [*trusted, *(id for id in own if id not in trusted)]
    ]
    if form == "json":
        import json

        click.echo(json_safe(json.dumps(rows, indent=2, ensure_ascii=False)))
        return
    if not rows:
        click.echo("no keys yet: the first is made when something is signed, or with sluicegate keys new")
        return
    columns = ("id", "signer", "state", "kept")
    table = [columns, *((row["id"][:16], row["signer"], row["state"], row["kept"]) for row in rows)]
    widths = [max(len(printable(row[at])) for row in table) for at in range(len(columns))]
    for row in table:
        click.echo(
            "  ".join(pad(printable(cell), width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _row(entry: TrustedKey | None, own: StoredKey | None, id: str) -> dict[str, str]:
    signer = entry.identity if entry is not None else own.identity if own is not None else ""
    kept = "not yours" if own is None else "system keyring" if own.in_keyring else "file"
    return {"id": id, "signer": signer, "state": _state(entry), "kept": kept}


def _state(entry: TrustedKey | None) -> str:
    from sluicegate.record.clock import stamp_second

    if entry is None:
        return "not trusted"
    if entry.revoked is not None:
        return f"revoked {stamp_second(entry.revoked)}"
    if entry.not_after is not None:
        return f"trusted until {stamp_second(entry.not_after)}"
    return "trusted"


@keys.command("new")
@click.argument("identity", required=False)
@click.option("--keyring", is_flag=True, help="Keep it in the system keyring and not in a file.")
def new(identity: str | None, keyring: bool) -> None:
    """Make a key for IDENTITY (you@machine by default), and trust it."""
    made = _keys().new(identity, in_keyring=keyring)
    click.echo(printable(f"made key {made.public.id[:16]} for {made.identity} in {_where(made)}"))


@keys.command("rotate", short_help="Replace your keys of IDENTITY by a new one.")
@click.argument("identity", required=False)
def rotate(identity: str | None) -> None:
    """Replace your keys of IDENTITY by a new one; what they have signed until now stays verified."""
    made = _keys().rotate(identity)
    click.echo(printable(f"made key {made.public.id[:16]} for {made.identity} in {_where(made)}"))
    click.echo("Older keys of that signer sign nothing any more. Pass the new one on: sluicegate keys export")


def _where(key: StoredKey) -> str:
    return "the system keyring" if key.in_keyring else str(key.path)


@keys.command("show")
@click.argument("key", metavar="KEY")
def show(key: str) -> None:
    """Show all that is known of one key."""
    from sluicegate.record.clock import stamp_second

    mine = _keys()
    entry = mine.trust().find(key)
    own = next((one for one in mine.stored() if one.public == entry.key), None)
    rows = [
        ("signer", entry.identity),
        ("id", entry.key.id),
        ("public key", str(entry.key)),
        ("state", _state(entry)),
        ("trusted since", stamp_second(entry.added) if entry.added is not None else "not said"),
        ("private key", _where(own) if own is not None else "not yours"),
        ("note", entry.note or "none"),
    ]
    for name, value in rows:
        click.echo(f"{name:<14} {printable(value)}")


@keys.command("trust", short_help="Trust the signers in FILE.")
@click.argument("file", metavar="FILE", shell_complete=complete.paths)
@click.option("--identity", metavar="NAME", help="Whose key it is, where the file does not say.")
def trust(file: str, identity: str | None) -> None:
    """Trust the signers in FILE ('-' is standard input): what sluicegate keys export wrote, a line, or PEM.

    Compare the id with its owner before you do, by another way than the one the file came.
    """
    from sluicegate.record.keys.trust import parse_public

    added = _keys().add_trusted(parse_public(_read(file), identity=identity))
    for entry in added:
        click.echo(printable(f"{entry.identity}: key {entry.key.id} is {_state(entry)}"))


def _read(file: str) -> bytes:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(_IMPORT_LIMIT + 1)
        else:
            with Path(file).open("rb") as handle:
                data = handle.read(_IMPORT_LIMIT + 1)
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error.strerror}", hint="Check the spelling of the path."
        ) from None
    if len(data) > _IMPORT_LIMIT:
        raise UsageError(
            f"{file} is too large for a list of keys", hint="Name what 'sluicegate keys export' wrote."
        )
    return data


@keys.command("revoke", short_help="Let no signature of KEY count any more.")
@click.argument("key", metavar="KEY")
@click.option("--note", default="", help="Why.")
def revoke(key: str, note: str) -> None:
    """Let no signature of KEY count any more, whenever it says that it was made."""
    entry = _keys().revoke(key, note=note)
    click.echo(printable(f"{entry.identity}: key {entry.key.id[:16]} is {_state(entry)}"))
    click.echo("Tell those who trust it: sluicegate keys export " + entry.key.id[:16])


@keys.command("export", short_help="Print public keys, to be trusted by others.")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["toml", "pem", "line"]),
    default="toml",
    help="A trust file with ends and revocations, or bare public keys.",
)
def export(keys: tuple[str, ...], form: str) -> None:
    """Print public keys, to be trusted by others: each KEY, or all of your own."""
    from sluicegate.record.keys.trust import dump_entry

    mine = _keys()
    trusted = mine.trust()
    if keys:
        entries = [trusted.find(key) for key in keys]
    else:
        own = {key.public.id for key in mine.stored()}
        entries = [entry for id, entry in trusted.keys.items() if id in own]
    if not entries:
        raise UsageError("you have no key to export", hint="Make one: sluicegate keys new")
    for entry in entries:
        if form == "toml":
            click.echo(dump_entry(entry))
        else:
            click.echo(entry.key.to_pem() if form == "pem" else str(entry.key))
