"""All views of a bundle: the raw texts, and whatever can be derived from them, within bounds.

1. Every artifact that is text gives its raw view, in order of artifact.
2. The derived views follow, artifact by artifact, breadth first: what is plain comes before what is nested.
3. A derived text with the same language and lines as one already there is not made again.
4. Depth and number are bounded for each artifact, size and effort for the bundle; what is cut is a gap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import cast

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Artifact, Bundle
from sluicegate.vet.intake.content.encoding import decode_text, text_by_bytes
from sluicegate.vet.intake.formats import FORMATS, TEXTUAL, Format, FormatRole, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Family, Product, Span, place
from sluicegate.vet.intake.views.disguises.controls import control_views
from sluicegate.vet.intake.views.disguises.encodings import encoding_views
from sluicegate.vet.intake.views.disguises.escapes import escape_views, turned_views
from sluicegate.vet.intake.views.disguises.leetspeak import leetspeak_views
from sluicegate.vet.intake.views.disguises.setapart import setapart_views
from sluicegate.vet.intake.views.disguises.spaced import may_be_spaced
from sluicegate.vet.intake.views.late import late
from sluicegate.vet.intake.views.names import name_views
from sluicegate.vet.intake.views.view import Step, View, around, called
from sluicegate.vet.verdict.types import Gap, GapReason


def _late(name: str) -> Family:
    """A family whose module is imported when it is first needed (``late.late``)."""

    def family(view: View, limits: Limits) -> Iterable[Product]:
        return cast("Family", late(name))(view, limits)

    return family


_unicode, _invisible = _late("disguises.unicode:unicode_views"), _late("disguises.invisible:invisible_views")
_marks, _accents = _late("disguises.marks:marks_views"), _late("disguises.marks:accent_views")


def unicode_views(view: View, limits: Limits) -> Iterable[Product]:
    """``normalised`` and ``invisible`` views; plain ASCII without spaced letters has none."""
    if view.text.isascii() and not may_be_spaced(view.text):
        return ()
    return chain(
        _unicode(view, limits), _invisible(view, limits), _marks(view, limits), _accents(view, limits)
    )


_CHARACTERS: tuple[Family, ...] = (
    control_views,
    unicode_views,
    encoding_views,
    escape_views,
    turned_views,
    leetspeak_views,
    setapart_views,
)
"""Families that look at characters alone, whatever the language."""
_LEAST = 6  # characters; a shorter text has no parts
_ONCE = frozenset({"normalised", "rot13", "reversed", "folded", "spliced", "front-matter"})
"""Steps that are not taken twice in a row."""
_TOLD = frozenset({"inline", "line", "cell"})
"""Commands that a text shows or tells; others stand where something runs them."""
_KEPT = 16_384
"""Characters of derived text that are kept for an artifact (no more than it has bytes), whatever those before it took."""
_KEPT_EFFORT = 4 * 512
"""The same for effort: a few short texts."""
_TOO_MUCH = "more derived text than the bound on one skill allows; the rest was not inspected"


BY_BYTES = Step(kind="encoding", detail="bytes")
"""The step from a file in a wide encoding to what a program reads that knows of none."""


class Views(NamedTuple):
    """The views of a bundle, raw ones first in order of artifact, and what was not derived."""

    views: tuple[View, ...]
    gaps: tuple[Gap, ...]


_LATE = {name: _late(name) for row in FORMATS for name in (*row.views, *row.file_views)}
_RECIPES = _late("programs.recipes:recipe_views")
_INTERPRETERS = _late("programs.interpreters:interpreter_views")


def _structure(row: Format, names: tuple[str, ...]) -> tuple[Family, ...]:
    """The families that a format names; a program without any is looked at for what it hands to interpreters, a text for
    recipes."""
    if names:
        return tuple(_LATE[name] for name in names)
    return (_INTERPRETERS,) if row.role is FormatRole.CODE else (_RECIPES,)


_STRUCTURE = {row.kind: _structure(row, row.views) for row in FORMATS}
"""Families that read the structure of a language."""
_FILE = {row.kind: _structure(row, row.file_views) for row in FORMATS if row.file_views}
"""What stands in the place of these for a file as it is."""


def _families(view: View) -> tuple[Family, ...]:
    """The families that read the structure of the view's language."""
    if view.language in _FILE and called(view):
        return _FILE[view.language]
    return _STRUCTURE[view.language]


class _Room:
    """What may still be derived from a bundle. All artifacts share one budget, so many small ones get no more than a large one.

    For each artifact yet to come something is kept, so that none can be hidden behind those that come before it.
    """

    def __init__(self, artifacts: Sequence[Artifact], limits: Limits) -> None:
        size = max(limits.view_bytes, sum(len(artifact.data) for artifact in artifacts))
        self._kept = sum(min(len(artifact.data), _KEPT) for artifact in artifacts)
        self._to_come = len(artifacts)
        self._text = size
        self._effort = 2 * size + limits.views * 1024 + self._to_come * _KEPT_EFFORT

    def enter(self, artifact: Artifact) -> None:
        """The derivation of this artifact begins: what was kept for it may be used."""
        self._kept -= min(len(artifact.data), _KEPT)
        self._to_come -= 1

    @property
    def text(self) -> int:
        """How many characters may still be derived."""
        return self._text - self._kept

    def made(self, text: str) -> None:
        """This text was derived, and is a view."""
        self._text -= len(text)

    def tried(self, text: str) -> None:
        """This text was derived, whether it is a view or was there already."""
        self._effort -= len(text) + 512

    @property
    def spent(self) -> bool:
        """Whether so much was derived in vain that no more should be."""
        return self._effort < 2 * self._kept + self._to_come * _KEPT_EFFORT


class _Worklist:
    """The derivation of one artifact."""

    def __init__(self, artifact: Artifact, limits: Limits, room: _Room) -> None:
        self.artifact = artifact
        self.limits = limits
        self.room = room
        room.enter(artifact)
        self.made: list[View] = []
        self.gaps: list[Gap] = []
        self.seen: set[tuple[Kind, str, int, int, str]] = set()
        self.queue: deque[tuple[View, bool]] = deque()
        self.full = False

    def cut(self, what: str) -> None:
        gap = Gap(path=self.artifact.path, reason=GapReason.VIEW_LIMIT, detail=what)
        if gap not in self.gaps:
            self.gaps.append(gap)

    def begin(self, view: View) -> None:
        """Begin with a view that is itself the first step, if there is room for it."""
        if len(view.text) > self.room.text:
            self.cut(_TOO_MUCH)
            return
        self.room.made(view.text)
        self.made.append(view)
        self.start(view)

    def start(self, view: View) -> None:
        """Begin with a view that is there already."""
        self.seen.add(_key(view.language, view.text, view.lines, view.span, view.origin))
        self.queue.append((view, False))

    def run(self) -> None:
        while self.queue and not self.full:
            view, verbatim = self.queue.popleft()
            children = self._structure(view)
            if not verbatim and not self.full:
                self._characters(view, children)

    def _structure(self, view: View) -> list[tuple[int, int, View]]:
        """Derive by structure; the verbatim parts with their lines in the parent, in order."""
        parts: list[tuple[int, int, View]] = []
        if len(view.text) < _LEAST:
            return parts
        for product in self._products(_families(view), view):
            child = self._add(view, product)
            if child is not None and product.verbatim:
                first, last = _extent(product)
                parts.append((first, last, child))
            if self.full:
                return parts
        parts.sort(key=lambda part: (part[0], -part[1]))
        return parts

    def _characters(self, view: View, parts: list[tuple[int, int, View]]) -> None:
        starts = [part[0] for part in parts]
        for product in self._products(_CHARACTERS, view):
            parent = view
            first, last = _extent(product)
            index = bisect_right(starts, first) - 1
            if index >= 0 and parts[index][1] >= last and product.step.kind != "normalised":
                parent = parts[index][2]
            self._add(view, product, ancestry=parent.origin)
            if self.full:
                return

    def _products(self, families: tuple[Family, ...], view: View) -> Iterable[Derived]:
        last = view.origin[-1].kind if view.origin else ""
        once = last if last in _ONCE else None
        for family in families:
            for product in family(view, self.limits):
                if isinstance(product, Gap):
                    if product not in self.gaps:
                        self.gaps.append(product)
                elif product.step.kind != once:
                    yield product

    def _add(self, parent: View, product: Derived, ancestry: tuple[Step, ...] | None = None) -> View | None:
        """Make the view if it is new and there is room."""
        text = product.text
        self.room.tried(text)
        if not text or text.isspace() or (text == parent.text and product.language is parent.language):
            return None
        origin = (*(parent.origin if ancestry is None else ancestry), product.step)
        if len(origin) > self.limits.view_depth:
            self.cut(f"derived texts more than {self.limits.view_depth} steps deep were not inspected")
            return None
        lines, span = place(parent, product.where, text)
        key = _key(product.language, text, lines, span, origin)
        if key in self.seen:
            self.full = self.room.spent
            if self.full:
                self.cut("too much derived text repeats itself; the rest was not derived")
            return None
        if len(self.made) >= self.limits.views:
            self.cut(f"more than {self.limits.views} derived texts; the rest were not inspected")
            self.full = True
            return None
        if len(text) > self.room.text or self.room.spent:
            self.cut(_TOO_MUCH)
            self.full = self.room.text < 4096 or self.room.spent
            return None
        view = View(
            artifact=self.artifact,
            text=text,
            language=product.language,
            origin=origin,
            lines=lines,
            span=span,
        )
        self.room.made(text)
        self.seen.add(key)
        self.made.append(view)
        self.queue.append((view, product.verbatim))
        return view


def _key(
    language: Kind,
    text: str,
    lines: Sequence[tuple[int, int]],
    span: tuple[int, int] | None,
    origin: tuple[Step, ...],
) -> tuple[Kind, str, int, int, str]:
    """What a view has in common with one that is the same.

    A command that an agent runs by itself is never the same as one that the text shows or tells: the lines of a hook
    read like commands in lines, too, and nobody would be told that they are a hook.
    """
    if span is None:
        breaks = text.count("\n")
        span = around(lines[: breaks + 1]) if lines else (1, breaks + 1)
    last = origin[-1] if origin else None
    by_itself = last is not None and (
        last.kind == "bang-command" or (last.kind == "command" and last.detail not in _TOLD)
    )
    return language, text, *span, str(last) if by_itself else ""


def _extent(product: Derived) -> tuple[int, int]:
    """The lines of the parent (0-based, inclusive) that a derived text comes from."""
    where = product.where
    if isinstance(where, Span):
        return where
    if isinstance(where, Aligned):
        return where.first, where.first + product.text.count("\n")
    return around(where.lines) if where.lines else (0, 0)


def _pdf(artifact: Artifact, work: _Worklist, limits: Limits) -> None:
    from sluicegate.vet.intake.views.formats.pdf.pdf import pdf_views

    for item in pdf_views(artifact, limits):
        if isinstance(item, Gap):
            work.gaps.append(item)
        else:
            work.begin(item)


def derive_views(bundle: Bundle, limits: Limits) -> Views:
    """The views of all artifacts of the bundle. Never raises for anything that the bundle holds."""
    raw: list[View] = []
    derived: list[View] = []
    gaps: list[Gap] = []
    room = _Room(bundle.artifacts, limits)
    names: set[str] = set()
    for artifact in bundle.artifacts:
        work = _Worklist(artifact, limits, room)
        for named in name_views(artifact, names):
            work.begin(named)
        if artifact.kind is Kind.PDF:
            _pdf(artifact, work, limits)
        elif artifact.kind in TEXTUAL:
            view = View(artifact=artifact, text=decode_text(artifact.data), language=artifact.kind)
            raw.append(view)
            work.start(view)
            if other := text_by_bytes(artifact.data):
                work.begin(View(artifact=artifact, text=other, language=artifact.kind, origin=(BY_BYTES,)))
            if artifact.data.startswith(b"bplist"):
                gaps.append(Gap(path=artifact.path, reason=GapReason.OPAQUE, detail="a binary property list"))
        work.run()
        derived.extend(work.made)
        gaps.extend(work.gaps)
    return Views(views=(*raw, *derived), gaps=tuple(gaps))


def derive_further(views: Views, begun: Sequence[View], limits: Limits) -> Views:
    """The views of a bundle with further first steps of its files, and all that these give."""
    room = _Room([view.artifact for view in begun], limits)
    derived: list[View] = []
    gaps: list[Gap] = []
    for view in begun:
        work = _Worklist(view.artifact, limits, room)
        work.begin(view)
        work.run()
        derived.extend(work.made)
        gaps.extend(work.gaps)
    return Views(views=(*views.views, *derived), gaps=(*views.gaps, *gaps))
