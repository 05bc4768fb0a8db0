"""Names that an operation makes by itself, and what the rest of it reaches by them.

Paths are settled before anything runs. A link that shell text makes (``ln -s ~ h; echo x >> h/.bashrc``), and what it moves elsewhere,
is not there yet, so a name below it is that of a new file. Whatever the other parts name at or below such a name, they name below what
it stands for as well.

What a link holds is seen from where the link lies, and from where the command stands: both count. Links in an archive, in a repository
that is fetched, or made by code, are not known here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from sluicegate.flow.monitor.plan import Asked
from sluicegate.flow.policy.request import UNKNOWN, Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NAMING: Final = frozenset("ln gln link mv gmv".split())
_MOST_LINKS: Final = 400
_DEPTH: Final = 5
_Paths = tuple[tuple[str, str], ...]


def linked(asked: tuple[Asked, ...], cwd: str) -> tuple[Asked, ...]:
    """The questions, with the paths that lie behind names which the operation makes itself. ``cwd``: where it starts."""
    if not any(_makes_names(each.request) for each in asked):
        return asked
    made = [list(dict.fromkeys(_names(each.request, cwd))) for each in asked]
    if sum(map(len, made)) > _MOST_LINKS:
        return tuple(
            Asked(_also(each.request, (("r", UNKNOWN), ("w", UNKNOWN)), ()), each.labels) for each in asked
        )
    return tuple(
        _reaching(each, [pair for other, names in enumerate(made) if other != at for pair in names])
        for at, each in enumerate(asked)
    )


def _makes_names(request: Request) -> bool:
    view = request.command
    return view is not None and (
        view.basename in _NAMING
        or (view.basename in ("cp", "gcp") and not view.flags.isdisjoint(("-s", "--symbolic-link")))
    )


def _names(request: Request, cwd: str) -> Iterator[tuple[str, str]]:
    """Each name that a part of the operation makes, and what it may stand for."""
    if not _makes_names(request):
        return
    sources = [path for mode, path in request.paths if mode == "r" and path]
    goals = [path for mode, path in request.paths if mode == "w" and path and path not in sources]
    for goal in goals:
        for source in sources:
            name = source.rpartition("/")[2]
            for made in (goal, f"{goal}/{name}"):
                yield made, source
                yield made, os.path.normpath(f"{os.path.dirname(made)}/{os.path.relpath(source, cwd)}")  # noqa: PTH120 - text


def _reaching(asked: Asked, names: Sequence[tuple[str, str]]) -> Asked:
    request = asked.request
    paths, whole = tuple(_behind(request.paths, names)), tuple(_behind(request.whole, names))
    if not paths and not whole:
        return asked
    return Asked(_also(request, paths, whole), asked.labels)


def _behind(pairs: _Paths, names: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    seen = set(pairs)
    waiting: Iterable[tuple[str, str]] = pairs
    for _ in range(_DEPTH):
        found = []
        for mode, path in waiting:
            for name, source in names:
                if path and (path == name or path.startswith(f"{name}/")):
                    pair = (mode, os.path.realpath(f"{source}{path[len(name) :]}"))
                    if pair not in seen:
                        seen.add(pair)
                        found.append(pair)
                        yield pair
        waiting = found


def _also(request: Request, paths: _Paths, whole: _Paths) -> Request:
    return request.reaching((*request.paths, *paths), (*request.whole, *whole))
