"""``sluicegate scan --certificate`` and ``sluicegate verify --certificate``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.certificates import PURPOSE, Certified, signed, verified, written
from sluicegate.reach.report.escape import json_safe, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sluicegate.record.keys.trust import Trust
    from sluicegate.record.signatures.signatures import Refused
    from sluicegate.record.workspace import Workspace
    from sluicegate.vet.report import Report


def certificate_place(word: str) -> Path:
    """The file of ``--certificate``. Raises OutputError."""
    from sluicegate.reach.cli.destinations import place_of
    from sluicegate.reach.errors import OutputError

    if word == "-":
        raise OutputError(
            "--certificate - is not a file: standard output takes the report",
            hint="Name a file: --certificate scan.cert.json",
        )
    return place_of(word, option="--certificate", example="scan.cert.json")


def check_key(environ: Mapping[str, str], start: Path) -> None:
    """Refuse to sign where a first key would be made in a place that nobody named: it would be lost, and trusted.

    Raises OutputError, and HomeError where there is no such place at all.
    """
    from sluicegate.reach.errors import OutputError
    from sluicegate.record.home import VARIABLE as KEYS
    from sluicegate.record.user import VARIABLE as CONFIG
    from sluicegate.record.workspace import Workspace

    workspace = Workspace.of(environ, start, clock=time.time_ns)
    if (
        any(environ.get(name) for name in ("HOME", "XDG_CONFIG_HOME", KEYS, CONFIG))
        or workspace.keys.stored()
    ):
        return
    raise OutputError(
        f"there is no key to sign with, and HOME is not set: a first key would be made in {workspace.keys.home.keys}",
        hint=f"Set HOME, or {KEYS} to a directory of your own; 'sluicegate keys new' makes a key.",
    )


def write_certificate(report: Report, file: Path, *, sign: bool) -> None:
    """Write the certificate of a report, in a signed envelope if asked. Raises OutputError, and errors of keys."""
    from sluicegate.reach.cli.output import write_file

    data = written(report)
    if sign:
        from sluicegate.reach.cli.ledger.here import told_here

        workspace = told_here()
        first = not workspace.keys.stored()
        data = signed(data, workspace, file)
        if first:
            where = workspace.keys.home.keys
            click.echo(printable(f"A first key was made, in {where}. Keep it to yourself."), err=True)
    write_file(file, data.decode("ascii"), option="--certificate")


def verify_certificate(workspace: Workspace, file: Path, envelope: bytes, *, trust: Trust, form: str) -> int:
    """Say whether a certificate is signed by somebody trusted, and what it says if so. The exit code."""
    result = verified(envelope, trust=trust, now=workspace.clock())
    _record(workspace, file, result)
    if form == "json":
        import json

        click.echo(json_safe(json.dumps(_row(file, result), indent=2, ensure_ascii=False)))
    elif isinstance(result, Certified):
        click.echo(
            printable(f"verified  {file}  ({PURPOSE}, {result.signer}, {result.day}): {result.decision}")
        )
        for name, bundle, decision in result.skills:
            click.echo(printable(f"  {decision}  {name}  {bundle}"))
    else:
        click.echo(printable(f"REFUSED   {file}  {result.reason.value}: {result.detail}"))
    return 0 if isinstance(result, Certified) else 1


def _row(file: Path, result: Certified | Refused) -> dict[str, object]:
    """The answer for programs. Of a refused one nothing that it holds is shown: nobody vouches for it."""
    if not isinstance(result, Certified):
        return {
            "name": str(file),
            "verified": False,
            "reason": result.reason.value,
            "detail": result.detail,
        }
    return {
        "name": str(file),
        "verified": True,
        "signedby": result.signer,
        "key": result.key,
        "hash": result.digest,
        "day": result.day,
        "decision": result.decision,
        "skills": [{"name": n, "bundle": b, "decision": d} for n, b, d in result.skills],
    }


def _record(workspace: Workspace, file: Path, result: Certified | Refused) -> None:
    """Tell the ledger, where the workspace has one. The answer stands also when that fails."""
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger import events
    from sluicegate.record.ledger.ledger import Ledger

    if not workspace.ledger.exists():
        return
    good = result if isinstance(result, Certified) else None
    try:
        with Ledger.open(workspace.ledger, keys=workspace.keys, clock=workspace.clock) as ledger:
            ledger.append(
                events.Verify(
                    var=file.name,
                    purpose=PURPOSE,
                    result=good is not None,
                    reason="" if isinstance(result, Certified) else result.reason.value,
                    hash=good.digest if good else "",
                    by=good.signer if good else "",
                    caller="command-line",
                    within=workspace.within,
                )
            )
    except RecordError as error:
        click.echo(printable(f"sluicegate: not recorded: {error.diagnostics()}", newline=True), err=True)
