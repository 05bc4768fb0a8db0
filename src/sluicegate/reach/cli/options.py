"""Options that the commands which scan share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.cli.numbers import WholeNumber
from sluicegate.reach.errors import UsageError


class ScanCommand(click.Command):
    """A command that scans. An option with nothing in it is an error: mostly a variable that is not set."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        left = super().parse_args(ctx, args)
        for parameter in self.params:
            given = ctx.params.get(parameter.name or "")
            values = given if isinstance(given, tuple) else (given,)
            if isinstance(parameter, click.Option) and any(
                isinstance(v, str) and not v.strip() for v in values
            ):
                raise UsageError(
                    f"{parameter.opts[-1]} is given nothing",
                    hint="Give it a value, or leave the option out. A variable that is not set gives nothing.",
                )
        return left


def scan_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command."""
    for option in reversed([*_what_is_looked_for(), *_how_it_runs()]):
        command = option(command)
    return command


_Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def _what_is_looked_for() -> list[_Option]:
    return [
        click.option(
            "--rules",
            "rule_specs",
            multiple=True,
            metavar="SPEC",
            help="Rules to run: ids or globs, comma separated; !GLOB switches off. 'list' lists them.",
        ),
        click.option(
            "--severity",
            "severities",
            multiple=True,
            metavar="RULE=SEVERITY",
            help="Override a rule's severity (low, medium, high, critical). May be repeated.",
        ),
        click.option(
            "--exclude",
            multiple=True,
            metavar="GLOB",
            help="Leave out files; what is left out was not inspected, so the skill is not SAFE. May be repeated.",
        ),
        click.option(
            "--yara",
            multiple=True,
            metavar="DIR",
            shell_complete=complete.folders,
            help="Also run your own YARA rules (*.yar) of this directory. May be repeated.",
        ),
    ]


def _how_it_runs() -> list[_Option]:
    return [
        click.option(
            "--baseline",
            metavar="FILE",
            shell_complete=complete.paths,
            help="Findings that a reviewer has accepted (see 'sluicegate baseline').",
        ),
        click.option(
            "--limit",
            "limits",
            multiple=True,
            metavar="NAME=N",
            help="Change a limit of what is read, such as total-bytes=500MB. May be repeated.",
        ),
        click.option(
            "--online",
            is_flag=True,
            help="Ask osv.dev for known vulnerabilities; sends names and versions of packages.",
        ),
        click.option(
            "-j",
            "--jobs",
            type=WholeNumber(min=1),
            help="Processes for many skills; as many as there are processors by default.",
        ),
        click.option(
            "--config",
            "config_file",
            metavar="FILE",
            shell_complete=complete.paths,
            help="Read settings from FILE alone.",
        ),
        click.option("--no-config", is_flag=True, help="Read no settings file."),
    ]
