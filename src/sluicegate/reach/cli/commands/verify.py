"""``sluicegate verify``: is this what somebody trusted has signed? Anything but a plain yes is exit code 1 or 2."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.commands.sign import FOLDER_PURPOSE, PURPOSE
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import json_safe, printable
from sluicegate.record.signatures.verify_variables import NAMES, SIGNATURES

if TYPE_CHECKING:
    from sluicegate.record.keys.trust import Trust
    from sluicegate.record.signatures.signatures import Refused, Verified
    from sluicegate.record.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was asked, and how it ended."""

    name: str
    purpose: str
    result: Verified | Refused


@click.command(short_help="Verify what was signed; exit code 1 when anything fails.")
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete.paths)
@click.option(
    "--purpose", metavar="WORD", help="What it must be signed for; as with sluicegate sign by default."
)
@click.option("--name", metavar="NAME", help="The name it must be signed under; its path by default.")
@click.option(
    "--signature",
    metavar="FILE",
    shell_complete=complete.paths,
    help="The signature in FILE, and not one of this workspace.",
)
@click.option(
    "--trust",
    "trust_file",
    metavar="FILE",
    shell_complete=complete.paths,
    help="Trust whom FILE names, and nobody else.",
)
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=complete.paths,
    help="Verify the signature of a certificate that 'sluicegate scan --certificate --sign' wrote.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to answer."
)
def verify(
    paths: tuple[str, ...],
    purpose: str | None,
    name: str | None,
    signature: str | None,
    trust_file: str | None,
    certificate: str | None,
    form: str,
) -> int:
    """Verify that each PATH is what somebody you trust has signed; @NAME verifies a stored template.

    Without a PATH, everything that is signed in this workspace. Exit code 0 when all of it verifies, 1 when
    anything is changed, missing, untrusted, or nothing is signed at all, 2 when it could not be looked at.

    Where SLUICEGATE_VERIFY_VARS is set, exactly the templates that it names are verified, and the answer is JSON.
    Nothing on the command line can change which templates these are.
    SLUICEGATE_VERIFY_SIGNATURES carries the signatures to where this workspace cannot be seen, such as a sandbox.
    """
    from sluicegate.reach.cli.ledger.here import told_here
    from sluicegate.record.keys import trust

    asked = os.environ.get(NAMES)
    if asked is not None:
        if paths or purpose or name or signature or trust_file or certificate:
            raise UsageError(
                f"{NAMES} says what is verified", hint="Run sluicegate verify without anything else."
            )
        return _answer_variables(_variables(_names(asked)))
    workspace = told_here()
    if (name or signature) and len(paths) != 1:
        raise UsageError("--name and --signature go with exactly one PATH")
    trusted = trust.load(Path(trust_file), named=True) if trust_file else workspace.keys.trust()
    if certificate is not None:
        if paths or purpose or name or signature:
            raise UsageError("--certificate goes with --trust and --format, and with nothing else")
        from sluicegate.reach.cli.commands.certificate import verify_certificate

        file = Path(certificate)
        return verify_certificate(workspace, file, _read(file), trust=trusted, form=form)
    envelope = _read(Path(signature)) if signature else None
    if paths:
        answers = [
            _path(workspace, path, purpose=purpose, name=name, envelope=envelope, trusted=trusted)
            for path in paths
        ]
    else:
        answers = _all(workspace, purpose, trusted)
    if envelope is None:
        answers = _remembering(workspace, answers, purpose=purpose, every=not paths)
    _record(workspace, answers, caller="command-line")
    return _answer(answers, form)


def _names(asked: str) -> list[str]:
    names = [word.strip().removeprefix("@") for word in asked.split(",")]
    if not all(names):
        raise UsageError(f"{NAMES} names nothing, or has an empty name in it")
    return [f"@{name}" for name in names]


def _variables(names: Sequence[str]) -> list[Answer]:
    """Verify stored templates: with the signatures that came with the question, else with those of the workspace."""
    from sluicegate.reach.cli.ledger.here import told_here
    from sluicegate.record.signatures.carried import unpack
    from sluicegate.record.signatures.shelf import Shelf

    def answers(look: Callable[..., Verified | Refused]) -> list[Answer]:
        now = time.time_ns()
        return [
            Answer(name=name, purpose=PURPOSE, result=look(None, purpose=PURPOSE, name=name, now=now))
            for name in names
        ]

    given = os.environ.get(SIGNATURES)
    if given is not None:
        return answers(unpack(given).verify)
    workspace = told_here()
    found = answers(partial(Shelf(workspace.root).verify, trust=workspace.keys.trust()))
    _record(workspace, found, caller=NAMES)
    return found


def _path(
    workspace: Workspace,
    word: str,
    *,
    purpose: str | None,
    name: str | None,
    envelope: bytes | None,
    trusted: Trust,
) -> Answer:
    """Verify one word of the command line: ``@name`` of a value, or a path."""
    from sluicegate.record.signatures.signatures import verify as verify_bytes
    from sluicegate.record.signatures.subjects import verify_path

    now, is_value, path = workspace.clock(), word.startswith("@"), Path(word)
    called = name or (word if is_value else workspace.name_of(path))
    goal = purpose or (FOLDER_PURPOSE if path.is_dir() and not is_value else PURPOSE)
    kept = _kept(workspace, goal, called) if envelope is None else envelope
    if not isinstance(kept, bytes):
        result: Verified | Refused = kept
    elif is_value:
        result = verify_bytes(kept, subject=None, purpose=goal, name=called, trust=trusted, now=now)
    else:
        result = verify_path(kept, path, purpose=goal, name=called, trust=trusted, now=now)
    return Answer(name=called, purpose=goal, result=result)


def _kept(workspace: Workspace, purpose: str, name: str) -> bytes | Refused:
    """The signature that the workspace keeps; ``Refused`` where it keeps none, or none that can be read."""
    from sluicegate.record.errors import SigningError
    from sluicegate.record.signatures.shelf import Shelf
    from sluicegate.record.signatures.signatures import Reason, Refused

    try:
        kept = Shelf(workspace.root).get(purpose, name)
    except SigningError as error:
        return Refused(reason=Reason.UNREADABLE, detail=error.message)
    if kept is None:
        return Refused(reason=Reason.MISSING, detail=f"not signed for {purpose} in this workspace")
    return kept


def _all(workspace: Workspace, purpose: str | None, trusted: Trust) -> list[Answer]:
    """Everything on the shelf: what it says is signed, and what is at that place now."""
    from sluicegate.record.signatures.shelf import Shelf, file_name
    from sluicegate.record.signatures.signatures import Reason, Refused, open_envelope

    answers = []
    for file, envelope in Shelf(workspace.root).all():
        opened = open_envelope(envelope, trust=trusted, now=workspace.clock())
        if isinstance(opened, Refused):
            answers.append(Answer(name=file, purpose=purpose or "", result=opened))
            continue
        said = opened.statement
        if purpose is not None and said.purpose != purpose:
            continue
        if file != file_name(said.purpose, said.name):
            stray = Refused(reason=Reason.WRONG_NAME, detail=f"kept as {file}, which is not its name")
            answers.append(Answer(name=said.name, purpose=said.purpose, result=stray))
            continue
        word = said.name if said.name.startswith("@") else str(workspace.root / said.name)
        answers.append(
            _path(workspace, word, purpose=said.purpose, name=said.name, envelope=envelope, trusted=trusted)
        )
    return answers


def _remembering(
    workspace: Workspace, answers: Sequence[Answer], *, purpose: str | None, every: bool
) -> list[Answer]:
    """The answers with what the ledger remembers: a signature that is not the last, and with ``every`` those that are gone.

    Nothing is remembered where there is no ledger.
    """
    from sluicegate.reach.certificates import PURPOSE as CERTIFICATE
    from sluicegate.reach.cli.ledger.here import ledgers_here
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger.query import load
    from sluicegate.record.ledger.remembered import remembered
    from sluicegate.record.signatures.signatures import Reason, Refused, Verified
    from sluicegate.record.workspace import seen_from

    if not workspace.ledger.exists():
        _gone(workspace, every=every)
    places = [place for place in ledgers_here(workspace) if place.exists()]
    try:
        known = remembered(
            (load(place, keys=workspace.keys), seen_from(place, workspace.root)) for place in places
        )
    except RecordError as error:
        told = f"sluicegate: nobody can say whether a signature is gone or old: {error.diagnostics()}"
        click.echo(printable(told, newline=True), err=True)
        return list(answers)
    found = []
    for answer in answers:
        last = known.pop((answer.purpose, answer.name), None)
        if last is not None and isinstance(answer.result, Verified):
            if answer.result.statement.digest in last.earlier:
                detail = f"signed again at {last.ts} with another content: this one is older"
                answer = Answer(
                    name=answer.name,
                    purpose=answer.purpose,
                    result=Refused(reason=Reason.OUTDATED, detail=detail),
                )
        found.append(answer)
    if not every:
        return found
    for (goal, name), last in known.items():
        if goal == CERTIFICATE or (purpose is not None and goal != purpose):
            continue
        detail = (
            f"signed at {last.ts}, and its signature is gone; sign it again, or withdraw it (sign --withdraw)"
        )
        found.append(Answer(name=name, purpose=goal, result=Refused(reason=Reason.MISSING, detail=detail)))
    return found


def _gone(workspace: Workspace, *, every: bool) -> None:
    """Say that a ledger which this user has written is no longer there; raise RecordError where all is asked about."""
    from sluicegate.record.directories import real_path
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger import memory

    place = memory.place_of(workspace.keys.home, real_path(workspace.ledger.parent) / workspace.ledger.name)
    if memory.load(place) is None or memory.recall(place).seq == 0:
        return
    error = RecordError(
        f"the ledger {workspace.ledger} is gone, so nobody can say whether a signature is gone or old",
        hint="Put it back, or see with 'sluicegate audit verify' what it held.",
    )
    if every:
        raise error
    click.echo(printable(f"sluicegate: {error.diagnostics()}", newline=True), err=True)


def _read(path: Path) -> bytes:
    from sluicegate.record.signatures.dsse import LIMIT
    from sluicegate.vet.named_files import read_regular

    try:
        return read_regular(path, LIMIT + 1)
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}",
            hint="Check the spelling of the path and its permissions.",
        ) from None


def _record(workspace: Workspace, answers: Sequence[Answer], *, caller: str) -> None:
    """Tell the ledger, where the workspace has one. The answer stands also when that fails."""
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger import events
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.record.signatures.signatures import Verified

    if not workspace.ledger.exists():
        return
    try:
        with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
            for answer in answers:
                said = answer.result.statement if isinstance(answer.result, Verified) else None
                ledger.append(
                    events.Verify(
                        var=answer.name,
                        purpose=answer.purpose,
                        result=said is not None,
                        reason="" if isinstance(answer.result, Verified) else answer.result.reason.value,
                        hash=said.digest if said else "",
                        by=said.signer if said else "",
                        caller=caller,
                        within=workspace.within,
                    )
                )
    except RecordError as error:
        click.echo(printable(f"sluicegate: not recorded: {error.diagnostics()}", newline=True), err=True)


def _answer_variables(answers: Sequence[Answer]) -> int:
    """The answer for programs: one object, or a list where several were asked for."""
    rows = [_row(answer) for answer in answers]
    _print_json(rows[0] if len(rows) == 1 else rows)
    return 0 if all(row["verified"] for row in rows) else 1


def _row(answer: Answer) -> dict[str, object]:
    """One answer for programs. Of a refused signature nothing that it holds is shown: nobody vouches for it."""
    from sluicegate.record.signatures.signatures import Verified

    said = answer.result.statement if isinstance(answer.result, Verified) else None
    row: dict[str, object] = {
        "name": answer.name,
        "purpose": answer.purpose,
        "verified": said is not None,
        "template": said.template if said else None,
        "hash": said.digest if said else None,
        "signedby": said.signer if said else None,
        "signedat": said.time if said else None,
    }
    if not isinstance(answer.result, Verified):
        row["reason"], row["detail"] = answer.result.reason.value, answer.result.detail
    return row


def _answer(answers: Sequence[Answer], form: str) -> int:
    rows = [_row(answer) for answer in answers]
    good = bool(rows) and all(row["verified"] for row in rows)
    if form == "json":
        _print_json({"verified": good, "results": rows})
    elif not rows:
        click.echo("nothing is signed here")
    else:
        for answer, row in zip(answers, rows, strict=True):
            click.echo(printable(_line(answer, row)))
    return 0 if good else 1


def _line(answer: Answer, row: dict[str, object]) -> str:
    if row["verified"]:
        return f"verified  {answer.name}  ({answer.purpose}, {row['signedby']}, {row['signedat']})"
    return f"REFUSED   {answer.name}  {row['reason']}: {row['detail']}"


def _print_json(document: object) -> None:
    import json

    click.echo(json_safe(json.dumps(document, indent=2, ensure_ascii=False)))
