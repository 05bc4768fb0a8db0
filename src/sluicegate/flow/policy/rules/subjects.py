"""What of a request capabilities speak about: its command, its files, its hosts, or the operation itself.

One request has several subjects (``curl -o out URL`` is a command, a file and a host), and each is judged:
any of them can be denied, and all of those that are gated have to be allowed.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from sluicegate.flow.policy.request import UNKNOWN, CommandView, Request, RequestHole, Token
from sluicegate.flow.policy.rules.commands import same
from sluicegate.flow.policy.rules.options import table
from sluicegate.flow.policy.rules.places import path_segments
from sluicegate.flow.policy.text.vocabulary import CATEGORIES, GATED, INTERPRETERS
from sluicegate.tuples import NamedTuple


class RequestSubject(Struct, frozen=True):
    """One thing to judge.

    ``tokens`` are what patterns are matched with; None when it is not known. ``mode`` is that of a file. With
    ``gated`` an allow list has to allow it even if it does not mention the category. ``guessed``: it is only
    supposed that there is such a host, so a deny of one host is not about it, but a deny of all is.
    """

    category: str
    tokens: tuple[Token, ...] | None = ()
    mode: str = ""
    gated: bool = True
    guessed: bool = False


class CommandSubject(Struct, frozen=True):
    """A command as lists look at it.

    ``by_words`` is each name it goes by with its words, and other ways to write the same, for denies; ``by_arguments`` its name with
    all its arguments as they are written, for allows, and None if the name is not to be trusted. ``categories`` are those
    that it is by another door: ``bash`` is ``sh``, and so is what says so among its labels.
    """

    view: CommandView
    by_words: tuple[tuple[Token, ...], ...]
    by_arguments: tuple[Token, ...] | None
    holes: tuple[RequestHole, ...]
    categories: tuple[str, ...]


class Subjects(NamedTuple):
    """Everything of a request that is judged; ``command`` is what the subject ``cmd`` is about, ``whole`` are the
    directories that it reaches with everything below."""

    all: tuple[RequestSubject, ...]
    command: CommandSubject | None = None
    whole: tuple[RequestSubject, ...] = ()


_LANGUAGES = frozenset({*INTERPRETERS, "interpreter"})


class _Programs(Struct, frozen=True, kw_only=True):
    names: dict[str, str]
    globs: tuple[tuple[re.Pattern[str], str], ...]
    subcommands: dict[str, frozenset[str]]


@cache
def _programs() -> _Programs:
    names: dict[str, str] = {}
    globs: list[tuple[re.Pattern[str], str]] = []
    found = table("programs.toml")
    rest = found.pop("subcommands")
    assert isinstance(rest, dict)  # noqa: S101 - a table of ours
    for category, programs in found.items():
        assert isinstance(programs, list)  # noqa: S101
        for name in programs:
            if "*" in name:
                globs.append((re.compile(name.replace(".", "\\.").replace("*", ".*")), category))
            else:
                names[name] = category
    subcommands = {program: frozenset(words) for program, words in rest["network"].items()}
    return _Programs(names=names, globs=tuple(globs), subcommands=subcommands)


@lru_cache(maxsize=4096)
def category_of(program: str) -> str:
    """The category that a program belongs to by its name, or nothing."""
    programs = _programs()
    found = programs.names.get(program, "")
    if found:
        return found
    return next((category for pattern, category in programs.globs if pattern.fullmatch(program)), "")


def _command(view: CommandView, leaves: tuple[str, ...]) -> CommandSubject:
    """A command with its names: the one it was asked for by, and that of the real file."""
    basename, real = view.basename, view.program.rpartition("/")[2]
    names = (basename,) if not real or real == basename else (basename, real)
    by_words: tuple[tuple[Token, ...], ...] = tuple([(name, *view.words) for name in names])
    for name in names:
        by_words += same(name, view.words, view.flags)
    return CommandSubject(
        view,
        by_words,
        (basename, *view.arguments) if view.trusted_name else None,
        tuple([each for each in view.arguments if type(each) is not str]),  # type: ignore[misc]
        _other_categories(by_words, leaves),
    )


_FIRST = frozenset({"remote", "submodule", "subtree", "image"})


def _other_categories(commands: tuple[tuple[Token, ...], ...], leaves: tuple[str, ...]) -> tuple[str, ...]:
    found = [category for leaf in leaves if (category := _category_of_leaf(leaf))]
    every = _programs().subcommands
    for command in commands:
        name = command[0]
        if not isinstance(name, str):
            continue
        category = category_of(name)
        if category:
            found.append(category)
            continue
        subcommands = every.get(name)
        if subcommands and len(command) > 1 and _about(subcommands, command):
            found.append("network")
    return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)


def _about(subcommands: frozenset[str], command: tuple[Token, ...]) -> bool:
    """Whether a command is one of these subcommands of its program, or could be."""
    first = command[1]
    if not isinstance(first, str) or first in subcommands or "*" in subcommands:
        return True
    if first not in _FIRST or len(command) < 3:
        return False
    second = command[2]
    return not isinstance(second, str) or f"{first} {second}" in subcommands


def _category_of_leaf(leaf: str) -> str:
    """The language whose code a command runs, by one of its labels; or nothing."""
    if not leaf.startswith("op:"):
        return ""
    language = leaf[3:].partition(":")[0]
    return language if language in _LANGUAGES else ""


def subjects(request: Request) -> Subjects:
    """Every subject of a request.

    1. A command is judged as itself, by its program, words and options.
    2. Files and hosts are judged as such. For a command they are gated only by a list that mentions them: a
       command that is allowed may do its work.
    3. A read, a write or a fetch without a known file or host has one that is not known.
    4. A program that is about the network, without a known host, has one that is not known.
    5. Everything else is judged by its kind and the rest of its own label.
    """
    kind, paths, hosts = request.kind, request.paths, request.hosts
    if request.command is not None:
        found_whole = tuple(_places(request.whole, (), gated=False)) if request.whole else ()
        return _of_command(_command(request.command, request.leaves), paths, hosts)._replace(
            whole=found_whole
        )
    found: list[RequestSubject] = []
    if kind in ("read", "write", "fetch"):  # 3
        if kind == "fetch":
            hosts = hosts or (UNKNOWN,)
        else:
            paths = paths or (("w" if kind == "write" else "r", UNKNOWN),)
    else:  # 5
        category, tokens = _own(kind, request.leaves)
        found.append(RequestSubject(category, tokens, gated=category in GATED or category not in CATEGORIES))
    found += _places(paths, hosts, gated=kind not in INTERPRETERS)  # 2
    return Subjects(tuple(found))


def _own(kind: str, leaves: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The category of an operation and what its own label says after it: ``mcp`` and ``github``, ``list_issues``."""
    for leaf in leaves:
        parts = leaf.split(":")
        if parts[0] == "op" and len(parts) > 1 and (parts[1] == kind or kind not in CATEGORIES):
            return parts[1], tuple(parts[2:])
    return kind, ()


def _of_command(
    command: CommandSubject, paths: tuple[tuple[str, str], ...], hosts: tuple[str, ...]
) -> Subjects:
    found = [_COMMAND]  # 1
    if paths or hosts:
        found += _places(paths, hosts, gated=False)  # 2
    if not hosts and "network" in command.categories:  # 4
        found.append(_SOME_HOST if category_of(command.view.basename) == "network" else _GUESSED_HOST)
    return Subjects(tuple(found), command)


_COMMAND = RequestSubject("cmd")
_SOME_HOST = RequestSubject("network", None, gated=False)
_GUESSED_HOST = RequestSubject("network", None, gated=False, guessed=True)


def _places(
    paths: tuple[tuple[str, str], ...], hosts: tuple[str, ...], *, gated: bool
) -> list[RequestSubject]:
    found = [RequestSubject("fs", path_segments(path) if path else None, mode, gated) for mode, path in paths]
    found += [RequestSubject("network", host_tokens(host), gated=gated) for host in hosts]
    return found


def host_tokens(host: str) -> tuple[str, ...] | None:
    """The parts of a host name, the last one first; None when it is not known."""
    return tuple(reversed(host.split("."))) if host else None
