"""Help texts: how they are laid out on a narrow terminal, and ``sluicegate help``."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

import click

_LEAST = 30
"""Columns that a help text has on the narrowest terminal; click alone would take 50."""
_NARROW = 60
"""Columns below which what an option does stands below its name, and not beside it."""
_LONG = 12
"""Columns of names that still leave room beside them."""
_BELOW = 4
"""Columns by which it is indented there."""


class NarrowFormatter(click.HelpFormatter):
    """Keeps within a narrow terminal, and puts explanations below long names where there is no room beside them."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None:
            columns = min(shutil.get_terminal_size().columns, max_width or 80)
            width = max(columns - 2, _LEAST)
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Names and their explanations."""
        rows = list(rows)
        if self.width < _NARROW and max((len(name) for name, _ in rows), default=0) > _LONG:
            col_max = _BELOW
        super().write_dl(rows, col_max, col_spacing)


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND...]")
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Explain COMMAND, or list all commands."""
    parent = ctx.find_root()
    command = parent.command
    for word in words:
        found = command.get_command(parent, word) if isinstance(command, click.Group) else None
        if found is None:
            raise click.UsageError(f"There is no command {word!r} in {parent.command_path!r}.", ctx=parent)
        parent = click.Context(found, info_name=word, parent=parent)
        command = found
    click.echo(command.get_help(parent))
