"""What is known of programs, as text (``spec.py`` says how to read it). To make a program known, add a block."""


def blocks() -> str:
    """All blocks. Whoever asks about programs of the network alone imports that module alone."""
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

    modules = (wrappers, interpreters, packages, files, text, git, network, keys, containers)
    return "\n\n".join(module.TEXT.strip("\n") for module in modules)
