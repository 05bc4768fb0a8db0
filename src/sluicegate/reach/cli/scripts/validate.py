"""``sluicegate validate``: what is wrong with a script, without running it."""

from __future__ import annotations

import click

from sluicegate.reach.cli import complete


@click.command(short_help="Check scripts; exit code 1 when something is wrong.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete.paths)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    help="How to print it.",
)
@click.option("--strict", is_flag=True, help="Exit code 1 for warnings, too.")
def validate(files: tuple[str, ...], form: str, strict: bool) -> int:
    """Check each script FILE without running it: how it is written, its names, guards that never fire. - is standard input.

    Exit code 1 when there is an error, 2 when a file cannot be read. Warnings alone are exit code 0, or 1 with --strict.
    """
    from sluicegate.reach.cli.output import write_stdout
    from sluicegate.reach.cli.scripts.files import read_script
    from sluicegate.reach.report.script_checks import FORMS, CheckedScript
    from sluicegate.script.diagnostics import ERROR
    from sluicegate.script.parse.program import parse
    from sluicegate.script.resolve.resolve import resolve

    sources = [read_script(name) for name in files]
    checked = []
    for source in sources:
        script = parse(source)
        found = sorted((*script.errors, *resolve(script)), key=lambda each: each.start)
        checked.append(CheckedScript(script=script, found=tuple(found)))
    write_stdout(FORMS[form](checked))
    return int(any(strict or each.severity == ERROR for one in checked for each in one.found))
