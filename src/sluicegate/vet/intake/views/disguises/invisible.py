"""Text made of characters that are not drawn, made visible.

Tag characters (U+E0020 to U+E007E are ASCII), variation selectors (256 of them: one a byte), runs of
zero-width characters (two of them are the bits), and text stored backwards behind a right-to-left override.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.disguises.plain import as_text
from sluicegate.vet.intake.views.disguises.runs import foreign
from sluicegate.vet.intake.views.programs.language import guess
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_TAGS = lazy("[\U000e0000-\U000e007f]")
_FLAG = lazy("\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f")
_SELECTORS = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}+")
_LONE_SELECTOR = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ZERO_WIDTH = lazy("[\u200b-\u200f\u2060-\u2064\ufeff\u180e\u034f\u3164\u115f\u1160\uffa0\u00ad]")
_OVERRIDE = lazy("[\u202e\u2067]([^\n\u202c\u2069]++)")
_CONTROLS = lazy("[\u202a-\u202e\u2066-\u2069]")
_ANY = lazy(
    "[\U000e0000-\U000e01ef\ufe00-\ufe0f\u200b-\u200f\u202e\u2060-\u2069\ufeff\u180e\u3164\u115f\u1160]"
)
_LEAST_BITS = 24

Line = tuple[int, str]


def _tags(lines: list[Line]) -> Iterator[Line]:
    for number, line in lines:
        if max(line) >= "\U000e0000":
            found = _TAGS.findall(_FLAG.sub("", line))
            text = "".join([chr(ord(c) - 0xE0000) for c in found if 0x20 <= ord(c) - 0xE0000 < 0x7F])
            if text.strip():
                yield number, text


def _byte(selector: str) -> int:
    code = ord(selector)
    return code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16


def _selectors(lines: list[Line]) -> Iterator[Line]:
    for number, line in lines:
        runs = "".join(_SELECTORS.findall(line)) or "".join(_LONE_SELECTOR.findall(line))
        if len(runs) < 4 or len(set(runs)) < 3:
            continue
        text = as_text(bytes(_byte(c) for c in runs))
        if text:
            yield number, text


def _readings(marks: str) -> Iterator[str]:
    """What a run of zero-width characters may spell, two of its characters being the bits."""
    ranked = [c for c, _ in sorted(Counter(marks).items(), key=lambda item: (-item[1], item[0]))][:4]
    for zero in ranked:
        for one in ranked:
            bits = "".join(["0" if c == zero else "1" for c in marks if c in (zero, one)])
            for width in (8, 7, 16) if zero != one else ():
                groups = [bits[i : i + width] for i in range(0, len(bits) - width + 1, width)]
                codes = [int(group, 2) for group in groups]
                data = bytes(codes) if width == 8 else "".join(map(_character, codes)).encode()
                text = as_text(data)
                if text and text.isprintable():
                    yield text


def _character(code: int) -> str:
    return chr(code) if code < 0xD800 else "\0"


def _bits(marks: str) -> str | None:
    """The first reading that gives ASCII text, else the first that gives text."""
    readings = list(_readings(marks))
    return next((text for text in readings if text.isascii()), readings[0] if readings else None)


def _zero_width(lines: list[Line]) -> Iterator[Line]:
    pooled, first = [], -1
    for number, line in lines:
        marks = "".join(_ZERO_WIDTH.findall(line))
        if len(marks) >= _LEAST_BITS:
            text = _bits(marks)
            if text:
                yield number, text
                continue
        if marks:
            first = number if first < 0 else first
            pooled.append(marks)
    together = "".join(pooled)
    if len(pooled) > 1 and len(together) >= 40:
        text = _bits(together)
        if text:
            yield first, text


def _overrides(lines: list[Line]) -> Iterator[Line]:
    for number, line in lines:
        if "\u202e" in line or "\u2067" in line:
            new = _CONTROLS.sub("", _OVERRIDE.sub(lambda m: m[1][::-1], line))
            if any(len(text) > 3 and text.isascii() for text in _OVERRIDE.findall(line)):
                yield number, new


def invisible_views(view: View, limits: Limits) -> Iterator[Product]:
    """One ``invisible`` view for each way of hiding that the text uses."""
    text = view.text
    if text.isascii() or not _ANY.search("".join(foreign(text))):
        return
    lines = [(n, line) for n, line in enumerate(text.split("\n")) if not line.isascii() and _ANY.search(line)]
    for how, found in (
        ("tag characters", list(_tags(lines))),
        ("variation selectors", list(_selectors(lines))),
        ("zero-width bits", list(_zero_width(lines))),
        ("right-to-left override", list(_overrides(lines))),
    ):
        if not found:
            continue
        if len(found) > 1 and sum(len(t) for _, t in found) < 4 * len(found):
            found = [(found[0][0], "".join(t for _, t in found))]
        flat = [(n, t.replace("\n", " ")) for n, t in found]
        body = "\n".join(t for _, t in flat)
        step = Step(kind="invisible", detail=how)
        where = Each(lines=[(n, n) for n, _ in flat])
        yield Derived(text=body, language=guess(body), step=step, where=where)
