"""Options of the commands that write reports of a scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from sluicegate.reach.cli import complete

_Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of what is written, and where."""
    return _with(command, _what_is_written())


def telling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of how much is told."""
    return _with(command, _how_much())


def _with(command: Callable[..., Any], options: list[_Option]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def _what_is_written() -> list[_Option]:
    return [
        click.option(
            "-f",
            "--format",
            "formats",
            multiple=True,
            metavar="FORMAT",
            shell_complete=complete.formats,
            help="text (default), concise (a line a finding), json, sarif, markdown, html, github or gitlab, on standard "
            "output.",
        ),
        click.option(
            "-o",
            "--output",
            "outputs",
            multiple=True,
            metavar="[FORMAT:]FILE",
            shell_complete=complete.paths,
            help="Write a report to FILE; the format is named before the colon or told from the suffix. May be repeated.",
        ),
        click.option(
            "--certificate",
            metavar="FILE",
            shell_complete=complete.paths,
            help="Write what the decision rests on to FILE, for others to check without this program.",
        ),
        click.option("--sign", is_flag=True, help="Sign the certificate with your key."),
        click.option(
            "--fail-on",
            metavar="DECISION",
            shell_complete=complete.decisions,
            help="caution (default), do-not-install or never: the mildest decision that is a failure.",
        ),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="Colour in text reports.",
        ),
        click.option(
            "--absolute-paths",
            is_flag=True,
            help="Show the source as an absolute path instead of its own name.",
        ),
        click.option(
            "--rules-url",
            metavar="URL",
            help="Where rules have their pages, for links to them: {id} is replaced, else /rule/ID.html is added.",
        ),
    ]


def _how_much() -> list[_Option]:
    return [
        click.option(
            "--summary", is_flag=True, help="Text report: the decisions alone, a line for each skill."
        ),
        click.option("-v", "--verbose", is_flag=True, help="Text reports: list SAFE skills, too."),
        click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error."),
    ]
