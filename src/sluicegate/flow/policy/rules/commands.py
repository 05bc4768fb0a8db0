"""Commands as patterns name them: other words for the same command.

``npm publ`` is ``npm publish``, ``docker image push`` is ``docker push``, ``python3 -m pip`` is ``pip``, ``python3.11`` is
``python3``. A deny or a danger that names one of them holds for all; an allow is about what is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from sluicegate.flow.policy.request import Token
from sluicegate.patterns import late

_VERSION = late(r"(?:[-.][0-9]+|[0-9]+)\Z")
_PYTHON = late(r"(?:python|pypy)[0-9.]*\Z")
_STAGES = frozenset({"alpha", "beta", "preview"})
Group = tuple[tuple[str, ...], ...]


@cache
def _groups() -> tuple[dict[str, tuple[Group, ...]], frozenset[str]]:
    from sluicegate.flow.policy.rules.options import (
        spelling_table,
    )  # seldom needed where commands are only read

    found = spelling_table()
    subcommands, short = found["subcommands"], found["short"]
    assert isinstance(subcommands, dict) and isinstance(short, list)  # noqa: S101 - a table of ours
    groups = {
        program: tuple(tuple(tuple(each.split()) for each in group) for group in every)
        for program, every in subcommands.items()
    }
    return groups, frozenset(short)


@lru_cache(maxsize=1024)
def _without_version(name: str) -> tuple[str, ...]:
    """``python3`` and ``python`` for ``python3.11``."""
    found: list[str] = []
    while (shorter := _VERSION.sub("", name)) != name and shorter:
        name = shorter
        found.append(name)
    return tuple(found)


@lru_cache(maxsize=1024)
def _known_by_one_name(name: str) -> bool:
    """Whether nothing here is about a program."""
    return not (
        _without_version(name)
        or name.startswith("git-")
        or name in _groups()[0]
        or name in ("uv", "corepack", "gcloud", "cargo")
        or _PYTHON.match(name)
    )


@lru_cache(maxsize=1024)
def usual(program: str, subcommand: str) -> str:
    """The usual word for a subcommand, if it is known by another one."""
    every, _ = _groups()
    groups = _meant(program, (subcommand,)) if program in every else ()
    return " ".join(groups[0][0]) if len(groups) == 1 else subcommand


def same(name: str, words: tuple[Token, ...], flags: frozenset[str]) -> tuple[tuple[Token, ...], ...]:
    """Other ways to write a command, the program first."""
    return () if _known_by_one_name(name) else tuple(_same(name, words, flags))


def _same(name: str, words: tuple[Token, ...], flags: frozenset[str]) -> Iterator[tuple[Token, ...]]:
    for bare in _without_version(name):
        yield (bare, *words)
    if "-m" in flags and words and _PYTHON.match(name):
        yield words
    if name.startswith("git-"):
        inner = (name.removeprefix("git-"), *words)
        yield ("git", *inner)
        yield from _same("git", inner, flags)
    if words and (name, words[0]) in (
        ("uv", "pip"),
        ("corepack", "npm"),
        ("corepack", "yarn"),
        ("corepack", "pnpm"),
    ):
        yield words
    if (
        words
        and isinstance(words[0], str)
        and (words[0] in _STAGES if name == "gcloud" else words[0][:1] == "+")
    ):
        yield (name, *words[1:])
        words = words[1:]
    for group in _meant(name, words) if words and name in _groups()[0] else ():
        length = next((len(each) for each in group if words[: len(each)] == each), 1)
        for each in group:
            yield (name, *each, *words[length:])


def _meant(program: str, words: tuple[Token, ...]) -> tuple[Group, ...]:
    """The groups that the first words stand for: one that has them, else all that they abbreviate."""
    every, short = _groups()
    exact = tuple(group for group in every[program] if any(words[: len(each)] == each for each in group))
    first = words[0]
    if exact or program not in short or not isinstance(first, str):
        return exact
    return tuple(group for group in every[program] if any(each[0].startswith(first) for each in group))
