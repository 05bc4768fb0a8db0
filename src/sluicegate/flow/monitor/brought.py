"""What a command brings to the places of the state without naming them: by what it unpacks, copies, patches or checks out.

In a sandbox nothing of it can be written. Without one, a command that writes whatever there is below a directory around such a place is
looked into, as far as what it brings is known before it runs:

1. An archive, a patch, a list of names or a directory that it reads may hold no path by the name of a place (``.sluicegate``,
   ``sluicegate.toml``, a policy file). One that cannot be read, or is too large, may hold anything; so may standard input.
2. Of git, the revisions that it names, and the one that is checked out: nothing of the state may be in them but signatures, which are
   made to be committed and are verified, and a file that is protected has to be there as it is now, or to be changed by neither side of a
   merge.

What is fetched first (``git pull``), and what code does, nobody can say before. Without a sandbox that stays open
(``docs/environments.md``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from sluicegate.flow.policy.request import CommandView

_UNPACKING: Final = frozenset(
    "tar gtar bsdtar unzip cabextract unrar unar 7z 7za 7zr cpio bsdcpio pax jar patch cp gcp rsync scp install".split()
)
_PYTHON: Final = frozenset({"tarfile", "zipfile"})
_WRITTEN_BACK: Final = frozenset("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma unlzma".split())
_OF_TREES: Final = frozenset(
    "checkout switch restore reset merge pull rebase cherry-pick revert read-tree checkout-index stash bisect".split()
)
_OF_PATCHES: Final = frozenset({"apply", "am"})
_MOST_NAMES, _MOST_BYTES, _CHUNK = 200_000, 256 * 2**20, 1 << 20
_SECONDS: Final = 10
_SIGNATURES: Final = "sec/sigs"
"""Where signatures lie below the state: what it tells git not to ignore (``record.signatures.shelf``)."""


def brought(
    places: Sequence[Path],
    view: CommandView,
    reads: Iterable[str],
    writes: Iterable[str],
    *,
    cwd: str,
) -> Path | None:
    """The place that a command may write over. ``reads`` and ``writes`` are the real paths that it uses so."""
    words = [word for word in view.arguments if isinstance(word, str)]
    command = next((word for word in view.words if isinstance(word, str)), "")
    if view.basename == "git":
        if command in _OF_TREES:
            known = len(words) == len(view.arguments)
            return _Git(view, cwd).brings([*places], command, words if known else None)
        if command not in _OF_PATCHES:
            return None
    elif view.basename in _WRITTEN_BACK:
        if not {"-r", "--recursive"} & view.flags:
            return None
        return next(
            (place for folder in map(Path, reads) for place in places if folder in place.parents), None
        )
    elif view.basename not in _UNPACKING and not (
        view.basename.startswith("python") and "-m" in words and _PYTHON.intersection(words)
    ):
        return None
    elif view.basename in ("tar", "gtar", "bsdtar") and not {"-x", "--extract", "--get"} & view.flags:
        return None
    around = {cwd, *writes} if view.basename == "jar" else {*writes}
    inside = [
        place for place in places if any(not folder or Path(folder) in place.parents for folder in around)
    ]
    if not inside:
        return None
    given = [path for path in dict.fromkeys(reads) if path not in around or Path(path).is_file()]
    if not given or not all(given):
        return inside[0]
    names = frozenset(place.name.casefold() for place in inside)
    return next((inside[0] for path in given if _holds(path, names)), None)


def _holds(path: str, names: frozenset[str]) -> bool:
    """Whether an archive, a text or a directory may hold one of these names as a part of a path (1)."""
    if Path(path).is_dir():
        if Path(path).name.casefold() in names:
            return True
        left = _MOST_NAMES
        for _, folders, files in os.walk(path):
            left -= len(folders) + len(files)
            if left < 0 or not names.isdisjoint(map(str.casefold, (*folders, *files))):
                return True
        return False
    try:
        return Path(path).name.casefold() in names or _in_archive(path, names)
    except (OSError, EOFError, ValueError, RuntimeError, ArithmeticError, LookupError):
        return True


def _in_archive(path: str, names: frozenset[str]) -> bool:
    """The same of a file: the names in its bytes, unpacked where it is compressed as a whole."""
    import bz2
    import gzip
    import lzma
    import zlib

    with open(path, "rb") as file:  # noqa: PTH123 - the real path
        head = file.read(6)
    readers: dict[bytes, Callable[[], Any]] = {
        b"\x1f\x8b": partial(gzip.open, path, "rb"),
        b"BZh": partial(bz2.open, path, "rb"),
        b"\xfd7zXZ\0": partial(lzma.open, path, "rb"),
    }
    if head.startswith(
        (b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!", b"MSCF", b"\x1f\x9d", b"\x04\x22\x4d\x18")
    ):
        return True  # what is in it is not to be seen here
    reader: Callable[[], Any] = next(
        (one for sign, one in readers.items() if head.startswith(sign)), partial(open, path, "rb")
    )
    wanted = [name.encode("utf-8", "surrogateescape") for name in names]
    longest = max(map(len, wanted))
    left, before = _MOST_BYTES, b""
    try:
        with reader() as content:
            while chunk := bytes(content.read(_CHUNK)):
                left -= len(chunk)
                text = (before + chunk).lower()
                if left < 0 or any(name in text for name in wanted):
                    return True
                before = text[-longest:]
    except (lzma.LZMAError, zlib.error):
        return True
    return False


def _meant(words: Sequence[str], folder: str, place: Path) -> bool:
    """Whether the paths behind ``--``, if there are any, may lead to a place."""
    paths = words[words.index("--") + 1 :] if "--" in words else ()
    if not paths or any(char in path for path in paths for char in ":*?["):
        return True
    meant = (Path(os.path.realpath(os.path.join(folder, path))) for path in paths)  # noqa: PTH118 - text
    return any(one == place or one in place.parents for one in meant)


class _Git:
    """What git would check out over the places (2), asked of the git that is about to run."""

    def __init__(self, view: CommandView, cwd: str) -> None:
        self.program, self.trusted, self.cwd = view.program, view.trusted_name, cwd

    def brings(self, places: Sequence[Path], command: str, words: Sequence[str] | None) -> Path | None:
        """The first place that would be written over. ``words`` is None where some are not known."""
        folder = self._folder(words or ())
        top = self._asked(folder, "rev-parse", "--show-toplevel") if self.trusted else None
        inside = [
            place for place in places if Path(folder) in place.parents or (top and Path(top) in place.parents)
        ]
        if not inside:
            return None
        if not self.trusted or words is None:
            return inside[0]
        if not top:
            return None  # no repository: git changes nothing
        texts = (word if word[:1] != "-" else word.partition("=")[2] for word in words)
        named = [text for text in texts if text and text[0] != "-" and text != command]
        trees = [one for word in named for one in self._sides(top, command, word)]
        if not trees and command not in ("merge", "pull", "cherry-pick", "revert", "rebase", "bisect"):
            trees = [("HEAD", "")]
        untracked = command == "stash" and any(
            word.startswith("--incl") or (word.startswith("-") and not word.startswith("--") and "u" in word)
            for word in words
        )
        for place in inside:
            if not place.is_relative_to(top) or not _meant(words, folder, place):
                continue
            path = place.relative_to(top).as_posix()
            if place.is_dir():
                if any(self._brings_state(top, place, path, tree) for tree, _ in trees):
                    return place
                continue
            now = self._now(top, place)
            for tree, base in trees:
                entry = self._entry(top, tree, path)
                if entry == now or (entry == "" and self._entry(top, "HEAD", path) == "" and not untracked):
                    continue
                if base and entry == self._entry(top, base, path):
                    continue
                return place
        return None

    def _folder(self, words: Sequence[str]) -> str:
        """Where git goes first: ``-C``, ``--work-tree``."""
        folder = self.cwd
        for at, word in enumerate(words[:-1]):
            if word == "-C":
                folder = os.path.join(folder, words[at + 1])  # noqa: PTH118 - text
        return os.path.realpath(folder)

    def _sides(self, top: str, command: str, word: str) -> Iterator[tuple[str, str]]:
        """The tree that a word names, and what it is a change of, where a change is what is taken from it."""
        if command == "stash" and not word.startswith("stash"):
            return
        tree = self._asked(top, "rev-parse", "-q", "--verify", f"{word}^{{tree}}")
        if not tree:
            return
        base = ""
        if command in ("merge", "pull"):
            base = self._asked(top, "merge-base", "HEAD", word) or ""
        elif command in ("cherry-pick", "revert", "stash"):
            base = self._asked(top, "rev-parse", "-q", "--verify", f"{word}^1") or ""
        yield tree, base

    def _brings_state(self, top: str, place: Path, path: str, tree: str) -> bool:
        """Whether a tree holds anything below a directory of the state but signatures, and the list of what git ignores there as it is."""
        lines = (self._asked(top, "ls-tree", "-r", "-z", tree, "--", path) or "").split("\0")
        for line in filter(None, lines):
            what, _, name = line.partition("\t")
            kind = what.split()[:1] == ["100644"]
            if kind and name.startswith(f"{path}/{_SIGNATURES}/"):
                continue
            if (
                kind
                and name == f"{path}/.gitignore"
                and " ".join(what.split()[1:]) == self._now(top, place / ".gitignore")
            ):
                continue
            return True
        return False

    def _entry(self, top: str, tree: str, path: str) -> str:
        """What a tree holds at a path: the kind and the number of it; nothing where it holds nothing."""
        line = self._asked(top, "ls-tree", tree, "--", path) or ""
        return " ".join(line.partition("\t")[0].split()[1:])

    def _now(self, top: str, place: Path) -> str:
        """The same of the file that stands there; of none, what no tree holds."""
        if not place.is_file():
            return "?"
        number = self._asked(top, "hash-object", "--", str(place))
        return f"blob {number}" if number else "?"

    def _asked(self, folder: str, *words: str) -> str | None:
        """The answer of git; None where it has none. It runs nothing that the repository names, and reaches no host."""
        import subprocess  # few commands come to this

        environ = {
            "PATH": "/usr/bin:/bin",
            "HOME": os.environ.get("HOME", "/"),
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }
        plain = ("-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "--no-pager")
        try:
            found = subprocess.run(  # noqa: S603 - an argument vector of ours
                [self.program, *plain, *words],
                cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError):
            return None
        return found.stdout.decode("utf-8", "surrogateescape").strip() if found.returncode == 0 else None
