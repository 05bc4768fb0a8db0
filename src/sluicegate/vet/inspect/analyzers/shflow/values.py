"""What a shell word or stream may hold: facts about where it came from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from sluicegate.known import hosts
from sluicegate.tuples import NamedTuple

MOST = 8
"""Facts of one kind that are kept of one value; more of them say nothing new."""
LONGEST = 2048
"""Characters of a known text that are kept."""
MOST_STEPS = 4
"""Programs of one chain that are told: the first, and the last ones."""


class ProgramStep(NamedTuple):
    """A place of another program of the bundle that hands a value on, or sends what it is given."""

    path: str
    line: int


class Tag(NamedTuple):
    """A fact: ``secret`` (a credential file, the whole environment), ``key`` (one credential that has a proper
    use), ``remote`` (fetched), ``decoded`` (unpacked from an encoding), ``parameter`` (of the function that is
    being read), ``given`` (to the program that is being read). ``what`` names it, in the words of the text, and ``through``
    are the other programs that it came through, where it began first."""

    kind: str
    what: str
    through: tuple[ProgramStep, ...] = ()


class ShellValue(NamedTuple):
    """Facts, and the text as far as it is known (``$name`` for what is not)."""

    tags: frozenset[Tag]
    text: str


NONE: frozenset[Tag] = frozenset()
EMPTY = ShellValue(NONE, "")


def named(text: str, most: int) -> str:
    """A text that names a fact, short, and other for each other text."""
    if len(text) <= most:
        return text
    return f"{text[:most]}...{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def handed_on(tags: Iterable[Tag], step: ProgramStep) -> frozenset[Tag]:
    """The facts of what a program hands on, behind that step."""
    return frozenset(tag._replace(through=along(tag.through, step)) for tag in tags)


def along(through: tuple[ProgramStep, ...], step: ProgramStep) -> tuple[ProgramStep, ...]:
    """One step more."""
    if step in through:
        return through
    return (*through, step) if len(through) < MOST_STEPS else (through[0], *through[2:], step)


def standing_for(tag: Tag, given: frozenset[Tag]) -> frozenset[Tag]:
    """The fact itself; or, where it is one of what a program is given, the facts of that, come the same way."""
    if tag.kind != "given":
        return frozenset({tag})
    found = given
    for step in tag.through:
        found = handed_on(found, step)
    return found


def passed(tags: Iterable[Tag], further: Iterable[ProgramStep] = ()) -> tuple[ProgramStep, ...]:
    """All steps of these facts, each once, in the order in which a value takes them; ``further`` are those behind them."""
    steps = [step for tag in sorted(tags) for step in tag.through]
    return tuple(dict.fromkeys((*steps, *further)))


_UNTRACED = frozenset({"parameter", "listed", "sealed"})


def traced(tags: Iterable[Tag]) -> Iterator[str]:
    """The facts as constants of a trace. A parameter is a name, and its value stands where it is given; which file was read
    says nothing by itself."""
    return (f"{tag.kind}={tag.what}" for tag in tags if tag.kind not in _UNTRACED)


def join(left: frozenset[Tag], right: frozenset[Tag]) -> frozenset[Tag]:
    """Both, at most ``MOST`` of each kind, the same ones whatever the order."""
    if not right or left is right:
        return left
    if not left:
        return right
    both = left | right
    return both if len(both) <= MOST else frozenset(_some_of_each(both))


def _some_of_each(tags: frozenset[Tag]) -> Iterator[Tag]:
    """Of what was fetched the worst hosts first: a few harmless ones must not stand for all."""
    counts: Counter[str] = Counter()
    for tag in sorted(tags, key=_rank):
        counts[tag.kind] += 1
        if counts[tag.kind] <= MOST:
            yield tag


def _rank(tag: Tag) -> tuple[int, Tag]:
    return (-hosts.classify(tag.what) if tag.kind == "remote" else 0, tag)


def descriptor(word: str) -> str:
    """The number of an open file, or the name of the variable that holds it."""
    return word.strip("{}$")
