"""``sluicegate completion``: the script that makes a shell complete our words."""

from __future__ import annotations

import click


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    bash: sluicegate completion bash > \\
            ~/.local/share/bash-completion/completions/sluicegate
    zsh:  sluicegate completion zsh > "${fpath[1]}/_sluicegate"
    fish: sluicegate completion fish > ~/.config/fish/completions/sluicegate.fish
    """
    from click.shell_completion import get_completion_class

    from sluicegate.reach.cli.group import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    click.echo(kind(cli, {}, "sluicegate", "_SLUICEGATE_COMPLETE").source(), nl=False)
