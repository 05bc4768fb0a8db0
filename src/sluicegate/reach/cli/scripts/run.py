"""``sluicegate run``: a script, run under the policy of its project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete

if TYPE_CHECKING:
    from sluicegate.reach.cli.scripts.loading import LoadedScript

_LONGEST = 100_000_000
"""Bytes of standard input that ``@input`` holds at most."""


@click.command(short_help="Run a script: every value labelled, every effect decided.")
@click.argument("file", metavar="FILE", shell_complete=complete.paths)
@click.option(
    "-p",
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help="A standard policy or a file; it narrows those in force. May be repeated.",
)
def run(file: str, policies: tuple[str, ...]) -> int:
    """Run the script FILE under the policy of its project. - is standard input.

    Paths and commands are seen from the folder of the script. What stands on standard input is @input. Exit code 1 when an
    operation was denied or something failed, 2 when the script has errors or cannot be read.
    """
    import gc

    from sluicegate.reach.cli.scripts.loading import checked_script

    gc.disable()
    script = checked_script(file, policies)
    return script if isinstance(script, int) else _run(script)


def _run(script: LoadedScript) -> int:
    import gc

    from sluicegate.reach.cli.scripts.loading import carried_out, opened

    with opened(script, standard_input=_standard_input if script.module.path else str) as (monitor, begin):
        gc.enable()
        _, code = carried_out(monitor, begin)
    return code


def _standard_input() -> str:
    """What stands on standard input; nothing where a person types."""
    import sys

    from sluicegate.reach.errors import UsageError

    if sys.stdin is None or sys.stdin.isatty():
        return ""
    data = sys.stdin.buffer.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise UsageError(f"standard input has more than {_LONGEST} bytes", hint="Give it in a file.")
    return data.decode("utf-8", "replace")
