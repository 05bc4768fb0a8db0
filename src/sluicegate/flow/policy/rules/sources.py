"""Where values come from, and what a policy makes of that: trust by source, labels by path (part 3.1).

The stance of a taint is decided by ``kernels.stance``; here are the loops over its labels. Of ``src:file`` the
``dir:`` labels tell where the file lay, and each of them is matched with the globs of ``sources``:

- of one directory the most specific glob counts;
- of several the worst: after joining two files nobody can tell which of them lay where. Therefore a trusted
  place inside an untrusted one stays untrusted;
- a glob that trusts has to end in ``**`` to speak of a directory: ``/srv/*`` is not about ``/srv/a/b``;
- where no glob matches, the table's own ``default`` counts;
- it counts as well where ``untrusted`` is held: a file from a place that no glob matches is marked so as it
  enters (``distrusts``), and joining it with one from a trusted place must not open what is closed to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from sluicegate.flow.errors import LabelError
from sluicegate.flow.labels import Labels, directory_of
from sluicegate.flow.labels.names import is_origin
from sluicegate.flow.policy.kernels import TRUSTED, UNCLASSIFIED, UNTRUSTED, class_of, stance, worse
from sluicegate.flow.policy.rules.leaves import chain
from sluicegate.flow.policy.rules.places import Place, path_segments, patterns
from sluicegate.flow.policy.rules.trie import Trie
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.schema import Trust, Words

FILE = "src:file"


def class_named(trust: Trust | None) -> int:
    """The number of a class."""
    return {"trusted": TRUSTED, "untrusted": UNTRUSTED}.get(trust or "", UNCLASSIFIED)


class OriginClass(Struct, frozen=True):
    """What an origin is classified as, and by which entry (no path: by ``defaults.unlabeled``)."""

    origin: str
    found: int
    path: Path


class _Glob(Struct, frozen=True):
    found: int
    literal: int
    deep: bool
    path: Path


class Sources:
    """The ``sources`` of a policy, and ``defaults.unlabeled``."""

    __slots__ = ("_by_label", "_by_place", "default", "places")

    def __init__(
        self, sources: Mapping[str, Trust | Mapping[str, Trust]], unlabeled: Trust | None, place: Place
    ) -> None:
        self.default = class_named(unlabeled)
        self._by_label: dict[str, tuple[int, Path]] = {}
        self._by_place: Trie[_Glob] = Trie()
        self.places = False
        for name, value in sources.items():
            path: Path = ("sources", name)
            if name.startswith("dir:") and isinstance(value, str):
                self._add_place(f"{name[4:]}/**", value, path, place)
            elif isinstance(value, str):
                self._by_label[name] = (class_named(value), path)
            else:
                for glob, trust in value.items():
                    if glob == "default":
                        self._by_label[name] = (class_named(trust), (*path, glob))
                    else:
                        self._add_place(glob, trust, (*path, glob), place)

    def _add_place(self, glob: str, trust: Trust, path: Path, place: Place) -> None:
        self.places = True
        for pattern in patterns(glob, place, follow=trust == "untrusted"):
            literal = next((at for at, part in enumerate(pattern) if not isinstance(part, str)), len(pattern))
            self._by_place.add(pattern, _Glob(class_named(trust), literal, glob.endswith("**"), path))

    def classify(self, names: tuple[str, ...], *, marked: bool) -> tuple[OriginClass, ...]:
        """The class of every origin among the labels; all ``dir:`` labels together are one, the file.

        ``marked``: ``untrusted`` is held, or given by ``data``.
        """
        found: list[OriginClass] = []
        directories: list[str] = []
        has_file = False
        for name in names:
            if name.startswith("dir:"):
                directories.append(name)
            elif name == FILE:
                has_file = True
            elif is_origin(name):
                found.append(self._of(name))
        if has_file or directories:
            found.append(self._of_file(directories, marked=marked))
        return tuple(found)

    def says(self, name: str) -> int:
        """The class that an entry gives to exactly this origin; ``UNCLASSIFIED`` where none does."""
        entry = self._by_label.get(name)
        return UNCLASSIFIED if entry is None else entry[0]

    def _of(self, name: str) -> OriginClass:
        for _, prefix in chain(name):
            entry = self._by_label.get(prefix)
            if entry is not None:
                return OriginClass(name, class_of(entry[0], self.default), entry[1])
        return OriginClass(name, self.default, ())

    def _of_file(self, directories: list[str], *, marked: bool) -> OriginClass:
        """The class of a file that lay in one of these directories."""
        worst: _Glob | None = None
        if self.places:
            for name in directories:
                glob = self.place_of(_path(name), directory=True)
                if glob is not None and (worst is None or glob.found > worst.found):
                    worst = glob
        own = self._of(FILE)
        if worst is None or (marked and own.found > worst.found):
            return own
        return OriginClass(FILE, class_of(worst.found, self.default), worst.path)

    def place_of(self, path: str, *, directory: bool = False) -> _Glob | None:
        """The most specific glob that a path falls under; of two alike, the worse."""
        found = self._by_place.find(path_segments(path), wide=False)
        if directory:
            found = [glob for glob in found if glob.deep or glob.found == UNTRUSTED]
        return max(found, key=lambda glob: (glob.literal, glob.found), default=None)

    def tell_apart(self, folder: str) -> tuple[set[str], list[re.Pattern[str]]]:
        """By which names entries tell apart the files of one directory."""
        return self._by_place.tell_apart(path_segments(folder)) if self.places else (set(), [])

    def distrusts(self, source: str, path: str) -> bool:
        """Whether a value from this source and path is untrusted by an entry about paths.

        Its labels alone may not tell later: a ``dir:`` label says where the file lay, not which it was.
        """
        if not self.places or not source.startswith(FILE) or not path:
            return False
        glob = self.place_of(path)
        return (glob.found if glob is not None else self._of(FILE).found) == UNTRUSTED

    def stance(self, names: tuple[str, ...], *, untrusted: bool, trusted: bool) -> int:
        """Step 3 of a layer's decision."""
        worst = UNCLASSIFIED
        classified = self.classify(names, marked=untrusted)
        for each in classified:
            worst = worse(worst, each.found)
        return stance(untrusted, trusted, bool(classified), worst)


_NOTHING: dict[str, Path] = {}


class Data:
    """The ``data`` of a policy: labels that values take from the place they are read from."""

    __slots__ = ("_by_place",)

    def __init__(self, data: Mapping[str, Words], place: Place) -> None:
        self._by_place: Trie[tuple[tuple[str, ...], Path]] = Trie()
        for key, words in data.items():
            named = (words,) if isinstance(words, str) else tuple(words)
            for pattern in patterns(key.removeprefix("path:"), place, follow=True):
                self._by_place.add(pattern, (named, ("data", key)))

    @property
    def places(self) -> bool:
        """Whether there are any."""
        return bool(self._by_place.size)

    def labels(self, path: str) -> dict[str, Path]:
        """The labels that a value read from this path takes, each with the entry that says so."""
        if not self._by_place.size:
            return {}
        found = self._by_place.find(path_segments(path), wide=False)
        return {label: where for named, where in found for label in named}

    def tell_apart(self, folder: str) -> tuple[set[str], list[re.Pattern[str]]]:
        """By which names entries tell apart the files of one directory."""
        return self._by_place.tell_apart(path_segments(folder)) if self._by_place.size else (set(), [])

    def of_directories(self, labels: Labels) -> dict[str, Path]:
        """The labels that follow from the ``dir:`` labels among these."""
        if not self._by_place.size:
            return _NOTHING
        found: dict[str, Path] = {}
        for name in labels.names():
            if name.startswith("dir:"):
                found.update(self.labels(_path(name)))
        return found


def _path(name: str) -> str:
    """The directory of a ``dir:`` label; one that is not a path of a directory is taken for the root."""
    try:
        return directory_of(name)
    except LabelError:
        return ""
