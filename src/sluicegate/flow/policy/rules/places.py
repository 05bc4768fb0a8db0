"""Globs of paths as patterns over real paths, wherever the project and the home directory are.

Requests come with real paths: links and ``..`` are resolved before policy is asked. A pattern is written by a
person, who may name a place by way of a link. The two kinds of list need opposite care:

- a deny has to hold for the place as written *and* for where its literal beginning leads to, whichever of two ways an
  accented letter is written in (one character, or a letter and its accent);
- an allow must not widen because somebody put a link into a place that is allowed. Only what no program may
  change is followed: the project's directory and the home directory themselves, and the first directory of an
  absolute path (``/tmp`` is a link on some systems).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import lru_cache
from unicodedata import normalize

from msgspec import Struct

from sluicegate.flow.policy.rules.trie import REST, Segment, segment


def real_path(path: str) -> str:
    """The path with every link on it resolved, whether or not all of it exists."""
    return os.path.realpath(path)


class RealPaths:
    """``real_path`` for several paths at one moment: what many of them have in common is looked at once, and nothing below what is
    not there."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, bool]] = {
            "/": ("/", True)
        }  # the real path, and whether it is there

    def __call__(self, path: str) -> str:
        plain = path[:1] == "/" and not any(part in ("", ".", "..") for part in path.split("/")[1:])
        return self._real(path)[0] if plain else real_path(path)

    def _real(self, path: str) -> tuple[str, bool]:
        found = self._found.get(path)
        if found is None:
            above, _, name = path.rpartition("/")
            folder, there = self._real(above or "/")
            place = f"{folder.rstrip('/')}/{name}"
            kind = _kind(place) if there else None
            found = (real_path(place), True) if kind == stat.S_IFLNK else (place, kind is not None)
            self._found[path] = found
        return found


def _kind(path: str) -> int | None:
    """What kind of file stands at a path, by its own bits; None where nothing can be seen."""
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except OSError:
        return None


class Place(Struct, frozen=True, kw_only=True):
    """Where relative globs, ``@base`` and ``~`` lead; ``resolve`` follows links."""

    base: str
    home: str
    resolve: Callable[[str], str] = real_path


def path_segments(path: str) -> tuple[str, ...]:
    """The segments of an absolute path."""
    return tuple(part for part in path.split("/") if part)


def literal_parts(glob: str) -> list[str]:
    """The parts of a glob before its first wildcard."""
    parts: list[str] = []
    for part in glob.split("/"):
        if "*" in part or "?" in part:
            break
        parts.append(part)
    return parts


def patterns(glob: str, place: Place, *, follow: bool) -> list[tuple[Segment, ...]]:
    """The patterns of a glob: one, or two if a link is on the way; ``follow`` follows all of them (a deny)."""
    written = _absolute(glob, place)
    found = {written}
    anchored = _absolute(glob, _anchored(place))
    first, slash, rest = anchored.lstrip("/").partition("/")
    if first and "*" not in first and "?" not in first:
        found.add(place.resolve(f"/{first}").rstrip("/") + slash + rest)
    if follow:
        literal = literal_parts(written)
        rest_parts = written.split("/")[len(literal) :]
        found.add("/".join([place.resolve("/".join(literal) or "/").rstrip("/"), *rest_parts]))
        found |= {normalize(form, text) for text in found if not text.isascii() for form in ("NFC", "NFD")}
    return [_segments(text) for text in sorted(found)]


def exact_path(text: str, place: Place, *, follow: bool) -> str:
    """A path as written, made absolute; with ``follow`` its real path."""
    path = _absolute(text, place)
    return place.resolve(path) if follow else path


def typical(glob: str, place: Place, name: str) -> tuple[str, ...]:
    """The segments of a real path that a glob is about, with ``name`` in the place of its wildcards."""
    path = _absolute(glob, _anchored(place))
    return tuple(
        part.replace("**", "*").replace("*", name).replace("?", name[:1]) for part in path_segments(path)
    )


@lru_cache(maxsize=64)
def _anchored(place: Place) -> Place:
    return Place(base=place.resolve(place.base), home=place.resolve(place.home), resolve=place.resolve)


def _absolute(glob: str, place: Place) -> str:
    """The glob from the root on, without ``.`` and ``..``."""
    head, _, rest = glob.partition("/")
    if head == "~":
        text = f"{place.home}/{rest}"
    elif head in ("@base", "@root"):
        text = f"{place.base}/{rest}"
    elif head == "**" or not head:
        text = f"/{glob}"
    else:
        text = f"{place.base}/{glob}"
    parts: list[str] = []
    for part in text.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/" + "/".join(parts)


def _segments(glob: str) -> tuple[Segment, ...]:
    return tuple(REST if part == "**" else segment(part) for part in glob.split("/") if part)
