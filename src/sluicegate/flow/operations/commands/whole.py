"""Commands that reach everything below a directory, and not only what they name.

Unpacking an archive, checking out a branch, copying or deleting a tree: which files that touches stands in an archive,
a repository or on the disk, and not among the arguments. So a deny of something below such a directory holds for the
directory (``policy/capabilities.py``). An allow is asked about what is named, as for every command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sluicegate.flow.operations.commands.words import literal

if TYPE_CHECKING:
    from sluicegate.flow.operations.commands.reading import CommandReading, Use

TREE: Final = "t"
"""The mode of a use that is about all files of the repository around a directory."""

_ALWAYS: Final = {
    **dict.fromkeys(("unzip", "cabextract", "unrar", "unar", "patch", "bsdcpio", "pax"), "w"),
    **dict.fromkeys(("rg", "ag", "ack"), "r"),
    **dict.fromkeys(("mv", "docker", "podman", "nerdctl", "7z", "7za", "7zr", "rclone"), "rw"),
}
_RECURSIVE: Final = frozenset({"-r", "-R", "--recursive"})
_WITH: Final = {
    **dict.fromkeys(("cp", "rsync"), (_RECURSIVE | {"-a", "--archive"}, "rw")),
    "scp": (_RECURSIVE, "rw"),
    **dict.fromkeys(
        ("rm", "chmod", "chown", "chgrp", "chcon", "setfacl", "chattr", "shred"), (_RECURSIVE, "w")
    ),
    **dict.fromkeys(
        ("grep", "egrep", "fgrep", "zgrep"), (_RECURSIVE | {"--dereference-recursive", "--directories"}, "r")
    ),
    "diff": (_RECURSIVE, "r"),
    "zip": (_RECURSIVE | {"--recurse-paths"}, "r"),
    "find": (frozenset({"-delete"}), "w"),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), (frozenset({"-x", "--extract", "--get"}), "w")),
}
_MADE: Final = frozenset({"clone", "worktree", "submodule"})
_NAMED: Final = _MADE | {"checkout", "restore", "rm", "mv", "clean", "checkout-index", "apply", "am"}
"""Subcommands of git that change what is below the directories they name."""

_WORK_TREE: Final = {
    **dict.fromkeys(("checkout", "switch", "restore", "clean", "merge", "pull", "rebase", "cherry-pick")),
    **dict.fromkeys(("revert", "checkout-index", "bisect")),
    "reset": frozenset({"--hard", "--merge", "--keep"}),
}
"""Subcommands that change the files of the whole repository where they name no file; some only with an option."""

_NEW_BRANCH: Final = frozenset({"-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create"})
_STASHED: Final = ("list", "show", "drop", "clear", "create", "store")


def reached(reading: CommandReading) -> tuple[Use, ...]:
    """The uses of a command that are about everything below what they name."""
    name = reading.spec.name.partition(" ")[0] if reading.spec is not None else ""
    if name == "git":
        return _git(reading)
    modes = _ALWAYS.get(name, "")
    if name in _WITH and reading.flags & _WITH[name][0]:
        modes = _WITH[name][1]
    elif name in ("tar", "gtar", "bsdtar") and not reading.flags & {"-t", "--list"}:
        modes = "r"
    return _of(reading, modes)


def _of(reading: CommandReading, modes: str) -> tuple[Use, ...]:
    """Those uses that read or write; a directory that is only gone into is none of them."""
    gone = {word for use in reading.uses for word in use.chdirs}
    kinds = ("r", "p") * ("r" in modes) + ("w", "q", "n", "i", "I") * ("w" in modes)
    return tuple([use for use in reading.uses if use.mode in kinds and use.word not in gone])


def _git(reading: CommandReading) -> tuple[Use, ...]:
    from sluicegate.flow.operations.commands.reading import Use

    command = reading.subcommands[0] if reading.subcommands else ""
    if command == "grep":
        return (*_of(reading, "r"), Use("r", literal("."), reading.scene.chdirs))
    found = _of(reading, "w") if command in _NAMED else ()
    if command == "clean" and reading.operands:
        return tuple([Use("w", word, reading.scene.chdirs) for word in reading.operands])
    if command in _MADE:  # where nothing is named, a directory of a new name is made here
        found = tuple([use for use in found if use.word is not None and use.word.text != "."])
    if command in _MADE or (found and command not in _WORK_TREE):
        return found
    words = [word.text for word in reading.operands]
    if command == "stash":
        changes = not words or words[0] not in _STASHED
    else:
        needed = _WORK_TREE.get(command)
        changes = command in _WORK_TREE and (needed is None or bool(reading.flags & needed))
    if command in ("checkout", "switch") and reading.flags & _NEW_BRANCH:
        changes = len(words) > (command == "switch")  # from somewhere else than where it stands
    if not changes:
        return found
    return (*found, Use(TREE, literal("."), reading.scene.chdirs))
