"""What commands make: copies, downloads, clones, environments, what they unpack. Paths are as they stand in the words."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from sluicegate.vet.inspect.ordered.orders import Made
from sluicegate.vet.inspect.ordered.prefilter import leaves
from sluicegate.vet.lazy import lazy

_RUN_THERE = lazy(
    r"(?:^|/)(?:\.git/hooks|\.?githooks|\.husky|cron\.[a-z]+|autostart|LaunchAgents|LaunchDaemons|init\.d|profile\.d|rc\.local)(?:/|$)"
)
"""Places of which something runs every file: who copies one there has it run."""
_COPIES = frozenset({"cp", "mv", "ln", "install", "rsync"})
_OUTPUTS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "aria2c": ("-o",),
    "go": ("-o",),
    **dict.fromkeys(
        ("gcc", "cc", "clang", "g++", "c++", "clang++", "rustc", "ghc", "nvcc", "gfortran"), ("-o",)
    ),
}
_FOLDERS = {"unzip": ("-d",), "tar": ("-C", "--directory"), "bsdtar": ("-C",)}
_BASE_OF_URL = lazy(r"([^/:]+?)(?:\.git)?/?$")
_ARCHIVE = lazy(r"\.(?:zip|tar|t?gz|tgz|bz2|xz|whl|skill)$")
_UNPACKERS = frozenset({"unzip", "7z", "7za", "unrar"})


def made_by(name: str, words: Sequence[str]) -> Iterator[Made]:
    """The files and folders that a command makes."""
    rest = [word for word in words[1:] if not word.startswith("-")]
    if name in _COPIES and len(rest) > 1:
        into = rest[-1]
        for source in rest[:-1]:
            yield Made(into, source)
            yield Made(posixpath.join(into, posixpath.basename(source.rstrip("/"))), source)
    elif name == "tee":
        yield from map(Made, rest)
    elif name == "git" and "clone" in rest:
        at = rest.index("clone")
        if len(rest) > at + 2:
            yield Made(rest[at + 2], folder=True)
        elif len(rest) > at + 1 and (found := _BASE_OF_URL.search(rest[at + 1])):
            yield Made(found[1], folder=True)
    elif "venv" in rest[:2] or name in ("virtualenv", "venv"):
        yield Made(rest[-1], folder=True)
    if name == "curl":
        words = [re.sub(r"^-[A-Za-z]+o$", "-o", word) for word in words]  # letters that are options, too
    for table, folder in ((_OUTPUTS, False), (_FOLDERS, True)):
        for flag in table.get(name, ()):
            if flag in words[:-1]:
                packed = next((word for word in rest if _ARCHIVE.search(word)), "") if folder else ""
                yield Made(words[words.index(flag) + 1], packed, folder=folder)
    if (name in ("curl", "wget")) and rest and ("-O" in words or name == "wget" or "-LO" in words):
        yield Made(posixpath.basename(rest[-1]))


def fetches(name: str, words: Sequence[str]) -> bool:
    """Whether a command fills a folder with what stands elsewhere: a clone, an archive."""
    return (name == "git" and "clone" in words) or _unpacks(name, words)


def archive_of(name: str, words: Sequence[str]) -> str:
    """The archive out of the skill that a command unpacks where it stands; none for another command."""
    archives = (word for word in words[1:] if _ARCHIVE.search(word) and leaves(word))
    return next(archives, "") if _unpacks(name, words) else ""


def copied_to_run(name: str, words: Sequence[str]) -> Iterator[str]:
    """The files that a command copies, or links, to where something runs every file."""
    rest = [word for word in words[1:] if not word.startswith("-")]
    if name not in _COPIES or len(rest) < 2 or _RUN_THERE.search(rest[-1]) is None:
        return
    for source in rest[:-1]:  # a link leads from where it stands
        linked = name == "ln" and source.startswith("../")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(rest[-1]), source)) if linked else source


def _unpacks(name: str, words: Sequence[str]) -> bool:
    mode = words[1].lstrip("-") if len(words) > 1 else ""
    return name in _UNPACKERS or (name in ("tar", "bsdtar") and ("x" in mode[:6] or "--extract" in words))
