"""``sluicegate lsp``: the language server of scripts."""

from __future__ import annotations

from importlib.util import find_spec

import click

from sluicegate.reach.errors import UsageError


@click.command(short_help="Serve editors: remarks, meanings and completion for scripts.")
def lsp() -> None:
    """Serve one editor over standard input and output, by the language server protocol: remarks on scripts as they are written, labels and
    definitions of names, completion of names, labels and keys of policies.

    It reads what the editor opens and nothing else, and runs nothing.

    Needs the extra: pip install 'sluicegate[lsp]'.
    """
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise UsageError(
            "'sluicegate lsp' needs the library pygls, which is not installed",
            hint="Install it: pip install 'sluicegate[lsp]'",
        )
    from sluicegate.reach.lsp.server import serve

    serve()
