"""Options of commands as patterns name them: in any order, cluster and spelling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from sluicegate.flow.policy.request import RequestHole
from sluicegate.flow.policy.shipped import shipped


class RequiredOption(Struct, frozen=True):
    """One option that has to be given: its spellings, and with all the abbreviations that programs accept."""

    spellings: frozenset[str]
    abbreviated: frozenset[str]


Required = tuple[RequiredOption, ...]
"""Options that have to be given, every one of them."""


def table(name: str) -> dict[str, object]:
    """A table of ours that is shipped beside the code."""
    import tomllib

    return tomllib.loads(shipped(name))


@cache
def spelling_table() -> Mapping[str, object]:
    """The table of other words for the same command, read once for all who ask."""
    return MappingProxyType(table("spellings.toml"))


@cache
def _spellings() -> tuple[frozenset[str], dict[tuple[str, str], frozenset[str]]]:
    found = spelling_table()
    whole, same = found["whole"], found["same"]
    assert isinstance(whole, list) and isinstance(same, dict)  # noqa: S101 - a table of ours
    groups = {
        (program, spelling): frozenset(group)
        for program, all_groups in same.items()
        for group in all_groups
        for spelling in group
    }
    return frozenset(whole), groups


@cache
def _exact() -> dict[str, frozenset[str]]:
    found = spelling_table()["exact"]
    assert isinstance(found, dict)  # noqa: S101 - a table of ours
    return {name: frozenset(options) for name, options in found.items()}


def required(program: str, elements: tuple[str, ...], *, subcommand: str = "") -> Required:
    """What the options in a pattern ask for: every one of them, each in any of its spellings."""
    whole, groups = _spellings()
    singles: list[str] = []
    for element in elements:
        cluster = element[1:]
        if element.startswith("--") or len(cluster) < 2 or not cluster.isalpha() or program in whole:
            singles.append(element)
        else:
            singles += [f"-{letter}" for letter in cluster]
    exact = _exact().get(f"{program} {subcommand}", frozenset())
    return tuple(_option(groups.get((program, single), frozenset({single})), exact) for single in singles)


def _option(spellings: frozenset[str], exact: frozenset[str]) -> RequiredOption:
    short = {
        each[:length] for each in spellings if each.startswith("--") for length in range(3, len(each) + 1)
    }
    return RequiredOption(spellings, spellings | (short - exact))


def given(wanted: Required, flags: frozenset[str], holes: tuple[RequestHole, ...], *, wide: bool) -> bool:
    """Whether a command with these flags and unknown arguments gives all the options.

    If ``wide``, an argument that is not known counts as any option it could be, and an abbreviation
    (``--recurs``) as any option it may stand for.
    """
    for option in wanted:
        if not wide:
            if option.spellings.isdisjoint(flags):
                return False
        elif option.abbreviated.isdisjoint(flags) and not any(
            hole.could_be(each) for hole in holes for each in option.abbreviated
        ):
            return False
    return True


def covers(opt_in: Required, danger: Required) -> bool:
    """Whether an opt-in that names options is about a danger that depends on options: it names those too."""
    return not opt_in or all(
        any(not one.spellings.isdisjoint(other.spellings) for other in opt_in) for one in danger
    )
