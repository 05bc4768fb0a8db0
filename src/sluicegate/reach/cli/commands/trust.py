"""``sluicegate trust``: a person trusts the settings of a project, as they are on that day."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from sluicegate.reach.settings import Settings, SettingsFile
    from sluicegate.reach.settings_trust import Digests

_SHOWN = 200
"""Characters of one value that are shown."""


@click.command(short_help="Trust the settings of a project, once you have read them.")
@click.argument("directory", required=False, metavar="DIR", shell_complete=complete.folders)
@click.option("--list", "list_", is_flag=True, help="List what is trusted, and whether it still holds.")
@click.option("--remove", is_flag=True, help="Trust the settings in DIR no longer.")
def trust(directory: str | None, list_: bool, remove: bool) -> None:
    """Trust the settings file in DIR, with the baseline and the YARA rules that it names, as they are now.

    Settings that come with a repository narrow a scan and never weaken it, unless you trust them here, or name the
    file with --config. Policies in a folder inside another project narrow what agents may do there, and give nothing
    unless you trust them here. Trust is kept in your own configuration directory, and ends when any of these files changes.
    It is given by a person at a terminal; a script names the file with --config.

    \b
    sluicegate trust ~/work/skills
    sluicegate trust --list
    sluicegate trust --remove ~/work/skills
    """
    if list_:
        if directory is not None or remove:
            raise click.UsageError("--list stands alone")
        _list()
        return
    if directory is None:
        raise click.UsageError("Name the directory whose settings you trust.")
    if remove:
        _remove(Path(directory))
    else:
        _add(Path(directory))


def _user_directory() -> Path:
    from sluicegate.record.user import config_directory

    return config_directory(os.environ)


def _add(directory: Path) -> None:
    from sluicegate.reach.settings import settings_of
    from sluicegate.reach.settings_trust import digests_of, load, save
    from sluicegate.record.trusted_settings import STORE, lies_within, real

    found = settings_of(directory)
    if found is None:
        raise UsageError(
            f"there are no settings in {directory}",
            hint="It holds neither a sluicegate.toml nor a pyproject.toml with [tool.sluicegate].",
        )
    read, settings = found
    user = _user_directory()
    if lies_within(user / STORE, read.path):
        raise UsageError(
            f"{user} lies inside the project of {read.path}",
            hint="What is trusted is kept outside. Set SLUICEGATE_CONFIG_HOME, or use --config FILE.",
        )
    trusted = load(user)
    digests = digests_of(read, settings)
    if trusted.get(real(read.path)) == digests:
        click.echo(printable(f"{read.path} is trusted already, as it is now."), err=True)
        return
    for line in _told(read, settings, digests):
        click.echo(printable(line), err=True)
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "nothing was trusted: that is for a person at a terminal",
            hint=f"In a script, name the file for each scan: --config {read.path}",
        )
    if not click.confirm("Trust these settings, as they are now?", err=True):
        raise UsageError("nothing was trusted")
    save(user, {**trusted, real(read.path): digests})
    click.echo("Trusted, until any of these files changes.", err=True)


def _told(read: SettingsFile, settings: Settings, digests: Digests) -> Iterator[str]:
    """What a person has to know before trusting: what it asks for beyond narrowing, and which files it rests on."""
    from sluicegate.reach.settings_narrow import Way, rule_of, said

    yield str(read.path)
    for one in said(settings):
        rule = rule_of(one.key)
        value = str(one.value)
        shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."
        why = f"  (without trust: {rule.way}; {rule.why})"
        yield f"  {one.key} = {shown}{'' if rule.way is Way.FEWER else why}"
    if any(read.table.get(table) for table in ("flow", "policy")):
        yield "  [flow] and [policy], with the files below that they name: what they give while agents run"
        yield "  (without trust: they only narrow, where the folder lies in another project)"
    for path, digest in digests.items():
        yield f"  sha256 {digest.removeprefix('table:')[:16]:<16}  {path}"


def _list() -> None:
    from sluicegate.reach.settings_trust import load

    trusted = load(_user_directory())
    if not trusted:
        click.echo("No settings of a project are trusted.")
    for file, digests in sorted(trusted.items()):
        click.echo(printable(f"{_state(Path(file), digests):<9} {file}"))


def _state(file: Path, digests: Digests) -> str:
    """Whether what is trusted is still as it was. Another error than a change is one that a scan would tell."""
    from sluicegate.reach.settings import settings_of
    from sluicegate.reach.settings_trust import digests_of
    from sluicegate.vet.errors import ConfigError

    if not file.is_file():
        return "gone"
    try:
        found = settings_of(file.parent, file.name)
        return "trusted" if found is not None and digests_of(*found) == digests else "changed"
    except ConfigError:
        return "changed"


def _remove(directory: Path) -> None:
    from sluicegate.reach.settings_trust import load, save
    from sluicegate.record.trusted_settings import real

    user = _user_directory()
    trusted = load(user)
    wanted = {real(directory / name) for name in ("sluicegate.toml", "pyproject.toml")}
    if not wanted & trusted.keys():
        raise UsageError(
            f"no settings in {directory} are trusted", hint="'sluicegate trust --list' says what is."
        )
    save(user, {file: digests for file, digests in trusted.items() if file not in wanted})
    click.echo(printable(f"The settings in {directory} are trusted no longer."), err=True)
