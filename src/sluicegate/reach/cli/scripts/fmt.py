"""``sluicegate fmt``: the layout of scripts."""

from __future__ import annotations

import click

from sluicegate.reach.cli import complete


@click.command(short_help="Lay out scripts evenly; what they say stays.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete.paths)
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 when a file would change.")
def fmt(files: tuple[str, ...], check: bool) -> int:
    """Lay out each script FILE evenly, in place: indents, spaces, empty lines. - is standard input, and goes to standard output.

    Text, templates, code and comments stay as they are. A script with an error is left alone, and is exit code 1; so is,
    with --check, one that would change.
    """
    from pathlib import Path

    from sluicegate.reach.cli.output import write_file, write_stdout
    from sluicegate.reach.cli.scripts.files import STANDARD_INPUT, read_script
    from sluicegate.reach.report.escape import printable
    from sluicegate.script.layout import LayoutError, layout
    from sluicegate.script.parse.program import parse

    sources = [(name, read_script(name)) for name in files]
    code = 0
    for name, source in sources:
        try:
            made = layout(parse(source))
        except LayoutError as error:
            click.echo(f"sluicegate: {printable(error.message)}\n{printable(error.hint)}", err=True)
            code = 1
            continue
        if check:
            if made != source.text:
                click.echo(f"{printable(source.name)} would change")
                code = 1
        elif name == STANDARD_INPUT:
            write_stdout(made)
        elif made != source.text:
            write_file(Path(name), made, option="fmt FILE")
            click.echo(f"{printable(name)} laid out")
    return code
