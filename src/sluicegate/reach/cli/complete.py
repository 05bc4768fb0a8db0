"""What a shell offers for a word of ours: files, folders, formats, decisions, rules, schemas.

Used by the scripts of ``sluicegate completion`` alone; nothing here runs in a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def paths(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, by the shell itself."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders, by the shell itself."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def formats(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The formats of a report."""
    from sluicegate.reach.report.formats import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


def decisions(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """What ``--fail-on`` knows."""
    from sluicegate.reach.exit_codes import GATE

    return [name for name in GATE if name.startswith(incomplete)]


def rule_ids(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The shipped rules."""
    from sluicegate.vet.inspect.catalogue import rules

    return [name for name in rules() if name.startswith(incomplete)]


def schemas(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The published schemas."""
    from sluicegate.reach.schemas import SCHEMAS

    return [name for name in SCHEMAS if name.startswith(incomplete)]
