"""``sluicegate sign``: say with a key that a file, a template or a folder is what its signer meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import json_safe, printable

if TYPE_CHECKING:
    from sluicegate.record.ledger.events import Sign, Withdraw
    from sluicegate.record.signatures.signatures import Signed, SignedSubject
    from sluicegate.record.workspace import Workspace

PURPOSE = "instruction"
FOLDER_PURPOSE = "folder"


@click.command(short_help="Sign a file, a template or a folder.")
@click.argument("path", metavar="PATH", shell_complete=complete.paths)
@click.option(
    "--purpose",
    metavar="WORD",
    help=f"What the signature is good for: '{PURPOSE}' by default, '{FOLDER_PURPOSE}' of a folder.",
)
@click.option(
    "--name", metavar="NAME", help="The name it is signed under; its path in the workspace by default."
)
@click.option("--as", "identity", metavar="IDENTITY", help="Whose key signs, when you have several.")
@click.option(
    "--template", is_flag=True, help="Sign the text with its placeholders, and keep it with the signature."
)
@click.option(
    "--folder", is_flag=True, help="Sign everything in the folder PATH (what is done with a folder anyway)."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete.paths,
    help="Also write the signature to FILE, to pass it on.",
)
@click.option("--withdraw", is_flag=True, help="Take the signature back: from now on nobody expects one.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to answer."
)
def sign(
    path: str,
    purpose: str | None,
    name: str | None,
    identity: str | None,
    template: bool,
    folder: bool,
    output: str | None,
    withdraw: bool,
    form: str,
) -> None:
    """Sign PATH with your key. A first key is made when you have none.

    The signature covers the purpose, the name, the content, you and the time; it is kept under .sluicegate/sec/sigs/
    in the workspace. Of a folder every file, link and directory is signed.

    \b
    sluicegate sign prompts/audit.att --template
    sluicegate sign prompts/audit.att --withdraw
    sluicegate sign skills/release --output release.sig.json
    """
    from sluicegate.reach.cli.ledger.here import told_here

    workspace = told_here()
    target = Path(path)
    if withdraw:
        if template or output:
            raise UsageError("--withdraw goes with --purpose, --name and --folder alone")
        goal = purpose or (FOLDER_PURPOSE if folder or target.is_dir() else PURPOSE)
        _withdraw(workspace, goal, name or workspace.name_of(target), identity=identity)
        return
    subject = _subject(target, template=template, folder=folder)
    first = not workspace.keys.stored()
    signed = _signed(
        workspace,
        subject,
        purpose=purpose or (FOLDER_PURPOSE if subject.kind == "folder" else PURPOSE),
        name=name or workspace.name_of(target),
        identity=identity,
    )
    if output is not None:
        from sluicegate.reach.cli.output import write_file

        write_file(Path(output), signed.envelope.decode())
    if first:
        where = workspace.keys.home.keys
        click.echo(
            printable(
                f"A first key was made for {signed.statement.signer}, in {where}. Keep it to yourself."
            ),
            err=True,
        )
    _answer(signed, form)


def _subject(path: Path, *, template: bool, folder: bool) -> SignedSubject:
    from sluicegate.record.signatures.subjects import subject_at

    if template and folder:
        raise UsageError("--template and --folder exclude each other")
    if path.is_dir():
        if template:
            raise UsageError(f"{path} is a folder, not a template", hint="Leave --template away.")
        return subject_at(path, "folder")
    if folder:
        raise UsageError(f"{path} is not a folder", hint="Leave --folder away.")
    return subject_at(path, "template" if template else "bytes")


def _signed(
    workspace: Workspace, subject: SignedSubject, *, purpose: str, name: str, identity: str | None
) -> Signed:
    """Sign, record it, and keep it: in this order, so that no signature is kept that the ledger knows nothing of."""
    from sluicegate.record.signatures import signatures
    from sluicegate.record.signatures.shelf import Shelf

    signer = workspace.keys.signer(identity)
    signed = signatures.sign(subject, purpose=purpose, name=name, signer=signer, now=workspace.clock())
    _record(workspace, signed.event(workspace.within))
    Shelf(workspace.root).put(signed)
    return signed


def _record(workspace: Workspace, event: Sign | Withdraw) -> None:
    """Append one event to the ledger, and wait until it is on the disk."""
    from sluicegate.record.ledger.ledger import Ledger

    with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
        ledger.append(event)
        ledger.flush(durable=True)


def _withdraw(workspace: Workspace, purpose: str, name: str, *, identity: str | None) -> None:
    """Tell the ledger, then take the signature away. What is signed need not be there any more."""
    from sluicegate.record.ledger import events
    from sluicegate.record.signatures.shelf import Shelf

    signer = workspace.keys.signer(identity)
    _record(
        workspace, events.Withdraw(var=name, purpose=purpose, by=signer.identity, within=workspace.within)
    )
    there = Shelf(workspace.root).remove(purpose, name)
    rest = "" if there else "; there was no signature of it here"
    click.echo(printable(f"withdrawn: {name} ({purpose}){rest}"))


def _answer(signed: Signed, form: str) -> None:
    said = signed.statement
    if form == "json":
        import json

        row = {
            "name": said.name,
            "purpose": said.purpose,
            "kind": said.kind,
            "hash": said.digest,
            "signedby": said.signer,
            "signedat": said.time,
            "key": said.key,
        }
        click.echo(json_safe(json.dumps(row, indent=2, ensure_ascii=False)))
        return
    count = f", {len(said.manifest)} entries" if said.manifest is not None else ""
    click.echo(
        printable(
            f"signed {said.name} ({said.kind}{count}) for {said.purpose} as {said.signer}, key {said.key[:16]}"
        )
    )
