"""Sets of labels, held as integers; how they join; the labels of a directory."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Final, final

from sluicegate.flow.errors import LabelError
from sluicegate.flow.labels.kernels import trust_survives
from sluicegate.flow.labels.names import ORIGINS, check, shown

MOST_LABELS: Final = 32_768
"""Room for different labels in one process; a set that holds a late one is an integer of 4 KiB."""

MOST_DIRECTORIES: Final = 16_384
"""How much of that room ``directories`` takes at most; the rest stays free for what people write."""

_MOST_KEPT = 8192


class _Interner:
    """Gives every label a bit for as long as the process lives; labels are only added.

    Reading takes no lock: ``bits`` has an entry only after everything else that is known of the label.
    """

    __slots__ = ("bits", "directories", "lock", "names", "origins", "under")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.bits: dict[str, int] = {}
        self.names: list[str] = []
        self.under: dict[str, int] = {}
        self.origins = 0
        self.directories = 0

    def bit(self, name: str) -> int:
        """The bit of a label, made known if it is new. Raises ``LabelError``."""
        known = self.bits.get(name)
        return known if known is not None else self._add(check(name))

    def _add(self, name: str) -> int:
        with self.lock:
            if name in self.bits:
                return self.bits[name]
            if len(self.names) >= MOST_LABELS:
                raise LabelError(
                    f"no room for {shown(name)}: this process has seen {MOST_LABELS} different labels",
                    hint="start a new process; take the labels of directories from labels.directories()",
                )
            bit = 1 << len(self.names)
            segments = name.split(":")
            for count in range(1, len(segments) + 1):
                prefix = ":".join(segments[:count])
                self.under[prefix] = self.under.get(prefix, 0) | bit
            if segments[0] in ORIGINS:
                self.origins |= bit
            self.directories += segments[0] == "dir"
            self.names.append(name)
            self.bits[name] = bit
            return bit


_INTERNER = _Interner()
_TRUSTED = _INTERNER.bit("trusted")
_UNTRUSTED = _INTERNER.bit("untrusted")


@final
class Labels:
    """A set of labels; it never changes, and there is one object for each set.

    Make one with ``Labels.of``. ``mask`` has one bit for each label, with a meaning in this process only;
    pickling keeps the names.
    """

    __slots__ = ("__weakref__", "_names", "_stained", "_vouches", "mask")
    mask: int
    _vouches: bool
    _stained: bool
    _names: tuple[str, ...] | None

    def __init__(self) -> None:
        raise TypeError("make sets of labels with Labels.of(...)")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a set of labels does not change; join it into a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a set of labels does not change")

    @staticmethod
    def of(*names: str) -> Labels:
        """The set of exactly these labels. Raises ``LabelError`` if one is not well formed."""
        mask = 0
        for name in names:
            mask |= _INTERNER.bit(name)
        return _canonical(mask)

    @staticmethod
    def from_mask(mask: int) -> Labels:
        """The set with this ``mask``, put together from masks of this process. Raises ``LabelError``."""
        if mask < 0 or mask >> len(_INTERNER.names):
            raise LabelError("a mask holds a bit that stands for no label of this process")
        return _canonical(mask)

    @staticmethod
    def join_all(sets: Iterable[Labels]) -> Labels:
        """The join of any number of sets; of none, ``EMPTY``."""
        joined = EMPTY
        for each in sets:
            joined = joined.join(each)
        return joined

    def join(self, other: Labels) -> Labels:
        """What a result inherits from both: the union, and ``trusted`` only if nothing takes it away."""
        if self is other:
            return self
        found = _JOINS.get((self, other))
        return found if found is not None else _join(self, other)

    __or__ = join

    def names(self) -> tuple[str, ...]:
        """The labels, sorted."""
        names = self._names
        if names is None:
            names = tuple(names_of(self.mask))
            object.__setattr__(self, "_names", names)
        return names

    def __contains__(self, name: object) -> bool:
        bit = _INTERNER.bits.get(name) if isinstance(name, str) else None
        return bit is not None and bool(self.mask & bit)

    def has(self, prefix: str) -> bool:
        """Whether a label is ``prefix`` or stands under it: ``has("secret")`` holds for ``secret:aws``."""
        if prefix == "*":
            return self.mask != 0
        return bool(self.mask & _INTERNER.under.get(prefix, 0))

    @property
    def untrusted(self) -> bool:
        """Whether the set holds ``untrusted``; beside it, ``trusted`` counts for nothing."""
        return bool(self.mask & _UNTRUSTED)

    @property
    def trusted(self) -> bool:
        """Whether the set holds ``trusted`` and not ``untrusted``."""
        return self._vouches and not self.mask & _UNTRUSTED

    @property
    def conflicted(self) -> bool:
        """Whether trust was claimed for what is untrusted (part 4.3): both are held, and it is untrusted."""
        return self._vouches and bool(self.mask & _UNTRUSTED)

    @property
    def origins(self) -> Labels:
        """Where it came from: ``src:...``, ``dir:...``, ``llm`` and ``influenced``."""
        return _canonical(self.mask & _INTERNER.origins)

    @property
    def declared(self) -> Labels:
        """What was said of it: all but the origins."""
        return _canonical(self.mask & ~_INTERNER.origins)

    @property
    def taint(self) -> Labels:
        """All of it, declared and origins: what policies are asked about."""
        return self

    def __le__(self, other: Labels) -> bool:
        """Whether joining this into ``other`` adds nothing to ``other``."""
        if self is other:
            return True
        found = _JOINS.get((self, other))
        return (found if found is not None else _join(self, other)) is other

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __repr__(self) -> str:
        return f"Labels({', '.join(self.names())})"

    def __copy__(self) -> Labels:
        return self

    def __deepcopy__(self, memo: object) -> Labels:
        return self

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return Labels.of, self.names()


# One process may see any number of sets, so they die when nobody holds them; some, and some joins, are kept.
_SETS: weakref.WeakValueDictionary[int, Labels] = weakref.WeakValueDictionary()
_KEPT: dict[int, Labels] = {}
_JOINS: dict[tuple[Labels, Labels], Labels] = {}


def _canonical(mask: int) -> Labels:
    """The one object for this mask."""
    found = _KEPT.get(mask)
    if found is not None:
        return found
    with _INTERNER.lock:
        found = _SETS.get(mask)
        if found is None:
            found = object.__new__(Labels)
            object.__setattr__(found, "mask", mask)
            object.__setattr__(found, "_vouches", bool(mask & _TRUSTED))
            object.__setattr__(found, "_stained", bool(mask & (_UNTRUSTED | _INTERNER.origins)))
            object.__setattr__(found, "_names", None)
            _SETS[mask] = found
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[mask] = found
        return found


def _join(first: Labels, second: Labels) -> Labels:
    """Join two different sets, and keep the answer."""
    mask = first.mask | second.mask
    if mask & _TRUSTED and not trust_survives(
        first._vouches, first._stained, second._vouches, second._stained
    ):
        mask &= ~_TRUSTED
    joined = _canonical(mask)
    if len(_JOINS) >= _MOST_KEPT:
        _JOINS.clear()
    _JOINS[first, second] = joined
    return joined


def _bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def names_of(mask: int) -> list[str]:
    """The labels of a mask of this process, sorted."""
    known = _INTERNER.names
    return sorted([known[bit] for bit in _bits(mask)])


EMPTY: Final = _canonical(0)
"""No label at all: the author's own words."""

_DISTRUSTED: Final = Labels.of("untrusted")


def directories(directory: str) -> Labels:
    """The labels of a directory and of all above it, the root left out: ``dir:/tmp``, ``dir:/tmp/uploads``.

    ``directory`` is absolute, with links and ``..`` resolved by the caller. What a label may not hold stands
    percent-encoded (``directory_of`` gives the path back). Once there is no room for further directories,
    one that was not seen before is known by those above it that were, and is ``untrusted``: what policies
    and guards name was seen when they were read, and nothing becomes more trusted for want of room.

    Raises ``LabelError`` for a path that is not absolute or not resolved.
    """
    parts = directory.split("/")
    if not directory.startswith("/") or any(part in (".", "..") for part in parts):
        raise LabelError(
            "the labels of a directory need an absolute path without . and ..", hint="resolve the path first"
        )
    labels, path, missing = EMPTY, "", False
    for part in parts:
        if not part:
            continue
        path = f"{path}/{_encoded(part)}"
        name = f"dir:{path}"
        if name in _INTERNER.bits or _INTERNER.directories < MOST_DIRECTORIES:
            labels |= Labels.of(name)
        else:
            missing = True
    return labels | _DISTRUSTED if missing else labels


def directory_of(label: str) -> str:
    """The path that a ``dir:`` label stands for. Raises ``LabelError`` if the label is another."""
    kind, _, path = label.partition(":")
    if kind != "dir" or not path.startswith("/"):
        raise LabelError(f"{shown(label)} is not the label of a directory")
    from urllib.parse import unquote_to_bytes

    return os.fsdecode(unquote_to_bytes(path))


def _encoded(part: str) -> str:
    """One part of a path, with ``%``, ``:``, blanks and what does not print as ``%XX``."""
    if part.isprintable() and not any(char in part for char in "% :"):
        return part
    return "".join(
        char if char.isprintable() and char not in "% :" else "".join(f"%{byte:02X}" for byte in _bytes(char))
        for char in part
    )


def _bytes(char: str) -> bytes:
    try:
        return os.fsencode(char)
    except UnicodeEncodeError:
        raise LabelError("a path holds a character that no file name has") from None
