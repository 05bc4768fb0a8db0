"""Whole numbers among the words of a command."""

from __future__ import annotations

from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number from ``min`` on, up to ``max`` if there is one."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or an error that says what is taken."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            most = f" to {self.max}" if self.max is not None else " on"
            self.fail(f"it takes a whole number from {self.min}{most}, not {str(value)!r}", param, ctx)
