"""What is known of programs, as text (``spec.py`` says how to read it). To make a program known, add a block."""

from __future__ import annotations

from typing import Final

from sluicegate.known.commands.tables import (
    containers,
    files,
    git,
    interpreters,
    keys,
    network,
    packages,
    text,
    wrappers,
)

TEXT: Final = "\n\n".join(
    module.TEXT.strip("\n")
    for module in (wrappers, interpreters, packages, files, text, git, network, keys, containers)
)
