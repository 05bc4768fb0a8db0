"""The abstract value of the interpreter: where it came from, what text it may be, what it may refer to.

Taint is one integer. Bits below ``PARAMETERS`` stand for the parameters of the function being analysed
(so that a function's result is a summary); every bit above stands for one *site*, a place of the source
text where data of one kind comes in. Kinds are found again with the masks of ``Sites``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.candidates import CandidateKind, bounded, kind_of

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.values import ProgramStep

T = TypeVar("T")

PARAMETERS = 24
PARAMETER_MASK = (1 << PARAMETERS) - 1
MAX_SITES = 400
MAX_TEXTS = 6
MAX_REFS = 6
MAX_PARTS = 40
MAX_TEXT = 2_048
MAX_NESTING = 4


class SourceKind(IntEnum):
    """The kinds of data that a rule asks for."""

    CREDENTIAL_FILE = 0
    ENV_SECRET = 1
    ENV_ALL = 2
    HOME_FILE = 3
    TREE_FILE = 4
    CLIPBOARD = 5
    CONVERSATION = 6
    NETWORK = 7
    INPUT = 8
    DECODED = 9
    SCREEN = 10
    KEYS = 11
    DROPPED = 12  # a path whose file was written with fetched or decoded content
    BLOB = 13  # decoded from a constant of this file
    SOCKET = 14
    TIME = 15
    HOST_ID = 16
    GUARD_DATE = 17  # the outcome of comparing the clock with a fixed date
    GUARD_HOST = 18  # the outcome of comparing this machine or user with a fixed name
    GUARD_ANALYSIS = 19  # the outcome of a check for a debugger, sandbox or virtual machine
    ENCRYPTED = 20
    LOOSE_FILE = 21  # a file anyone may have put there: in a folder for temporary files


class Ref:
    """Something a value may be that lives in the bundle: a function, class, instance or module."""

    __slots__ = ()


class PyValue(NamedTuple):
    """An abstract value; immutable.

    ``texts`` are possible texts, ``*`` standing for the unknown; empty means that nothing is known.
    ``refs`` are names of outside things (``os.system``, ``requests.Session()``) or things of the bundle.
    ``parts`` are elements of a list or tuple (key ``""``) or entries of a mapping; ``mask`` covers them.
    """

    mask: int = 0
    texts: tuple[str, ...] = ()
    refs: tuple[str | Ref, ...] = ()
    parts: tuple[tuple[str, PyValue], ...] = ()


NOTHING = PyValue()
make = tuple.__new__
"""``make(Value, (mask, texts, refs, parts))`` is ``PyValue(mask, texts, refs, parts)`` in a third of the time."""


def text_value(text: str) -> PyValue:
    """A value that is this text."""
    return PyValue(0, (text,)) if len(text) <= MAX_TEXT else NOTHING


def tainted(mask: int) -> PyValue:
    """A value of which only the origin is known."""
    return make(PyValue, (mask, (), (), ())) if mask else NOTHING


def merge_texts(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    """Both, without repetition, bounded; ``a`` itself when ``b`` adds nothing."""
    if not b or a == b:
        return a
    if not a:
        return b
    more = [t for t in b if t not in a]
    if not more:
        return a
    both = (*a, *more)
    return both if len(both) <= MAX_TEXTS else _grown(a, bounded_texts(both))


def bounded_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """The first ``MAX_TEXTS``, and of those after them a few that a rule would speak of."""
    return bounded(texts, MAX_TEXTS, lambda text: (kind_of(text),))


def _grown(old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    """What is new, or the very same as before where nothing was added."""
    return old if len(new) == len(old) else new


def _merge_refs(a: tuple[str | Ref, ...], b: tuple[str | Ref, ...]) -> tuple[str | Ref, ...]:
    if not b or a == b or len(a) >= MAX_REFS:
        return a
    if not a:
        return b
    more = [r for r in b if r not in a]
    return (*a, *more)[:MAX_REFS] if more else a


def join(a: PyValue, b: PyValue) -> PyValue:
    """A value that may be either. Gives ``a`` itself when ``b`` adds nothing."""
    if a is b or b is NOTHING:
        return a
    if a is NOTHING:
        return b
    old_mask, old_texts, old_refs, old_parts = a
    mask, texts, refs, parts = b
    mask |= old_mask
    texts = merge_texts(old_texts, texts) if texts else old_texts
    refs = _merge_refs(old_refs, refs) if refs else old_refs
    parts = _merge_parts(old_parts, parts) if parts else old_parts
    if mask == old_mask and texts is old_texts and refs is old_refs and parts is old_parts:
        return a
    return make(PyValue, (mask, texts, refs, parts))


def _merge_parts(
    a: tuple[tuple[str, PyValue], ...], b: tuple[tuple[str, PyValue], ...]
) -> tuple[tuple[str, PyValue], ...]:
    if not b or a is b:
        return a
    if not a:
        return b
    known = {(key, part.mask, part.texts) for key, part in a}
    more = [p for p in b if (p[0], p[1].mask, p[1].texts) not in known]
    if not more:
        return a
    both = (*a, *more)
    return both if len(both) <= MAX_PARTS else _grown(a, bounded(both, MAX_PARTS, _kinds))


def _kinds(part: tuple[str, PyValue]) -> Iterator[CandidateKind]:
    """The kinds of the texts of a part, and of its own parts."""
    key, value = part
    if key:
        yield kind_of(key)
    yield from map(kind_of, value.texts)
    for name, inner in value.parts:
        if name:
            yield kind_of(name)
        yield from map(kind_of, inner.texts)


def bounded_parts(parts: list[tuple[str, PyValue]]) -> tuple[tuple[str, PyValue], ...]:
    """Parts with a bound on their number and nesting, so that no value can grow without end."""
    kept = parts if len(parts) <= MAX_PARTS else bounded(parts, MAX_PARTS, _kinds)
    for _, part in kept:
        if part.parts:
            break
    else:
        return tuple(kept)
    return tuple([(key, _flattened(part, MAX_NESTING - 1)) for key, part in kept])


def _flattened(value: PyValue, depth: int) -> PyValue:
    mask, texts, refs, parts = value
    if not parts:
        return value
    if depth == 0:
        return make(PyValue, (mask, texts, refs, ()))
    for _, part in parts:
        if part.parts:
            break
    else:
        return value
    return make(
        PyValue, (mask, texts, refs, tuple([(key, _flattened(part, depth - 1)) for key, part in parts]))
    )


def remap(value: PyValue, change: Callable[[int], int]) -> PyValue:
    """The value with the parameter bits of its mask, and of its parts, replaced by ``change(bits)``."""
    bits = value.mask & PARAMETER_MASK
    if not bits:
        return value
    mask, texts, refs, parts = value
    if parts:
        parts = tuple([(key, remap(part, change)) for key, part in parts])
    return make(PyValue, ((mask & ~PARAMETER_MASK) | change(bits), texts, refs, parts))


class Site(NamedTuple):
    """A place where data of one kind comes in: what it is in words, and where."""

    source: SourceKind
    label: str
    view: int
    line: int


class Sites:
    """All sites of one analysis, each with its bit, and for each kind the mask of its sites."""

    __slots__ = ("_bits", "_first", "_named", "masks", "table", "through", "via")

    def __init__(self) -> None:
        self.table: list[Site] = []
        self.masks: list[int] = [0] * len(SourceKind)
        self.via: dict[int, str] = {}
        self.through: dict[Site, tuple[ProgramStep, ...]] = {}
        """The other programs of the bundle through which data comes to a site."""
        self._bits: dict[Site, int] = {}
        self._first: dict[SourceKind, int] = {}
        self._named = 0

    def mask(self, source: SourceKind, label: str, view: int, line: int) -> int:
        """The bit of a site. When there are too many, sites of the same kind share the first one's bit."""
        site = Site(source, label, view, line)
        bit = self._bits.get(site)
        if bit is not None:
            return bit
        if len(self.table) >= MAX_SITES and source in self._first:
            return self._first[source]
        bit = 1 << (PARAMETERS + len(self.table))
        self.table.append(site)
        self._bits[site] = bit
        self._first.setdefault(source, bit)
        self.masks[source] |= bit
        return bit

    def of(self, mask: int, *sources: SourceKind) -> list[Site]:
        """The sites of these kinds in a mask, in order of first sight."""
        wanted = 0
        for source in sources:
            wanted |= self.masks[source]
        return [self.table[i] for i in bits_of((mask & wanted) >> PARAMETERS)]

    def name(self, mask: int, variable: str) -> None:
        """Remember the first variable that held data of a site; messages show it."""
        new = mask >> PARAMETERS & ~self._named
        if new:
            self._named |= new
            for index in bits_of(new):
                self.via[index] = variable

    def route(self, site: Site) -> str:
        """The site in words: what, where, and the first variable that held it."""
        variable = self.via.get(self.table.index(site), "")
        steps = self.through.get(site, ())
        where = f"{site.label} (line {site.line})"
        if steps:
            where = f"{site.label} ({', '.join(f'{step.path} line {step.line}' for step in steps)}) -> line {site.line}"
        return f"{where} -> {variable}" if variable else where


def bits_of(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
