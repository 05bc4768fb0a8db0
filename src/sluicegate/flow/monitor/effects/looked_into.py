"""Of the files below a directory, those that a command looks into, by their names.

A policy says by paths what is in files (``"path:**/.env" = "secret"``). That flows into a command which reads what is in them:

1. A command that tells names alone (``ls``, ``find``) has what policy says of the directory, that is of a name that no rule tells
   apart, and not what it says of the content of each file.
2. ``grep -r`` reads those files alone that ``--include`` or ``--exclude`` leaves, ``rg`` no hidden ones, and none that the repository
   ignores (``known.ignored_files``). With an option that could say otherwise, all are read.
3. Every other command reads all.

What is known of files because it was written there counts for all of them: who made a file may have chosen its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fnmatch import fnmatchcase
from typing import Final

from sluicegate.flow.policy.request import CommandView, Request
from sluicegate.known.commands.readers import LISTERS
from sluicegate.known.ignored_files import ignored_names

LookedInto = Callable[[str, Collection[str]], Collection[str]]
"""Of a directory, by its real path, and the names of files in it: those that are looked into."""

ANY_NAME: Final = "-"
"""A name that no rule tells apart from others: what policy says of it, it says of the directory."""

_GREPS: Final = frozenset({"grep", "egrep", "fgrep"})
_ALSO_HIDDEN: Final = frozenset({"-.", "--hidden"})
_UNLIKE: Final = frozenset(
    "-u --unrestricted -g --glob --iglob -f --file --ignore-file --pre --no-ignore --no-ignore-vcs --no-config".split()
)


def looked_into(request: Request) -> LookedInto | None:
    """What a request looks into of the directories that it reads; None: everything (3)."""
    command = request.command
    if command is None or not command.trusted_name or not command.words_known or request.unread:
        return None
    if command.basename in LISTERS:  # 1
        return _no_content
    if command.basename in _GREPS:  # 2
        return _of_names(command)
    if command.basename == "rg" and command.flags.isdisjoint(_UNLIKE):
        return _not_ignored if not command.flags.isdisjoint(_ALSO_HIDDEN) else _not_hidden
    return None


def looks_into_all(request: Request) -> bool:
    """Whether a request shows contents of a directory, and not its names alone (1)."""
    return looked_into(request) is not _no_content


def together(several: Iterable[LookedInto | None]) -> LookedInto | None:
    """What all of them look into."""
    found = list(dict.fromkeys(several))
    parts = [each for each in found if each is not None]
    if len(parts) != len(found):
        return None
    if len(parts) == 1:
        return parts[0]
    return lambda folder, names: {name for each in parts for name in each(folder, names)}


def _no_content(folder: str, names: Collection[str]) -> Collection[str]:
    return (ANY_NAME,)


def _of_names(command: CommandView) -> LookedInto | None:
    """What ``--include`` and ``--exclude`` leave; of both together, the last that fits would count."""
    found: dict[str, list[str]] = {"--include": [], "--exclude": []}
    arguments = command.arguments
    for at, word in enumerate(arguments):
        if not isinstance(word, str):
            return None
        name, equals, value = word.partition("=")
        if name in found:
            given = value if equals else arguments[at + 1] if at + 1 < len(arguments) else None
            if not isinstance(given, str):
                return None
            found[name].append(given)
        elif word.startswith("--inc"):  # short for it
            return None
    included, excluded = found["--include"], found["--exclude"]
    if bool(included) is bool(excluded):
        return None
    return lambda folder, names: [
        name
        for name in names
        if any(fnmatchcase(name, each) for each in included or excluded) is bool(included)
    ]


def _not_hidden(folder: str, names: Collection[str]) -> Collection[str]:
    return [name for name in _not_ignored(folder, names) if not name.startswith(".")]


def _not_ignored(folder: str, names: Collection[str]) -> Collection[str]:
    ignored = ignored_names(folder)
    return [name for name in names if not any(fnmatchcase(name, pattern) for pattern in ignored)]
