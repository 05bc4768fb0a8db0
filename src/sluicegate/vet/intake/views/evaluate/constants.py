"""Programs with their constant expressions worked out: ``"cu" + "rl"`` becomes ``"curl"``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product
from sluicegate.vet.intake.views.evaluate.fold_calls import CALLS, SIZE_MOST, Value, text_of
from sluicegate.vet.intake.views.evaluate.folding import EFFORT_MOST, ConstantFolder, Folded
from sluicegate.vet.intake.views.evaluate.literals import PYTHON_ALONE, SCRIPT_ALONE, quote
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_LEAST = 4  # characters; a shorter folded text says nothing
_NAMES_MOST = 2_000

_HINTS = {
    "f\"": (" f\"", "(f\""), "f'": (" f'", "(f'"), "${": ("${",),
    "+": (" + ", "\"+", "+\"", "'+", "+'", "` +", "\")+", "')+"),
    "+=": ("+= '", "+= \"", "+='", "+=\""), "%": ("\" %", "' %", "\"%", "'%"), "[::": ("[::",), "chr(": ("chr(",),
    ".join(": (".join(",), "bytes(": ("bytes(",), ".translate(": (".translate(",), ".format(": (".format(",),
    ".re": (".replace", ".reverse("), ".concat(": (".concat(",),
    "deco": ("64decode", "85decode", "32decode", ".decode(", "decodeURI", "decompress"), "hex": ("fromhex", "unhexlify"),
    "Code": ("harCode", "CodePoint"), "atob(": ("atob(",), "Buffer.from": ("Buffer.from",), "unescape(": ("unescape(",),
}  # fmt: skip
"""What a program has that builds text from pieces, by a part of it that few programs have and that is sought first."""
_ADJACENT = lazy(r"[\"']\s{1,80}+[rbuRBU]?[\"'](?=[A-Za-z0-9])")
_PYTHON_MARKS = lazy(
    r"(?:[^\w\"'#(\[.]++|#[^\n]*+|\.(?:[A-Za-z_]\w*+(?![\"'])[(\[]?+)?+|\d\w*+|"
    r"[A-Za-z_]\w*+(?![\"'])(?!\s{0,40}+[(.+%\[]))*+(?:"
    rf"(?P<alone>{PYTHON_ALONE})|"
    r"(?P<string>[rRbBuUfF]{0,2}(?:\"\"\"(?:[^\"\\]++|\\.|\"(?!\"\"))*+(?:\"\"\")?|"
    r"'''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?|\"(?:[^\"\\\n]++|\\.)*+\"?|'(?:[^'\\\n]++|\\.)*+'?))|"
    r"(?P<word>[^\W\d]\w*+)[(\[]?+|(?P<open>[(\[])|\Z)",
    re.DOTALL,
)
_SCRIPT_MARKS = lazy(
    r"(?:[^\w$\"'`/(\[.]++|\.(?:[A-Za-z_]\w*+(?!\$)[(\[]?+)?+|\d\w*+|"
    r"/(?![/*])|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+|"
    r"[A-Za-z_$][\w$]*+(?!\s{0,40}+[(.+%\[]))*+(?:"
    rf"(?P<alone>{SCRIPT_ALONE})|"
    r"(?P<string>`(?:[^`\\]++|\\.)*+`?|\"(?:[^\"\\\n]++|\\.)*+\"?|'(?:[^'\\\n]++|\\.)*+'?)|"
    r"(?P<word>[^\W\d]\w*+|\$\w*+)[(\[]?+|(?P<open>[(\[])|\Z)",
    re.DOTALL,
)
"""Where an expression may start. The end counts too: a search never begins again.

A comment and an attribute (``.name``) start none, nor does a bracket right behind a word: they are passed over.
"""
_ASSIGNED = lazy(r"[\n;][ \t]*+([A-Za-z_]\w{0,60}+)[ \t]*+(?::[ \t]*+[\w\[\]]{1,40}+[ \t]*+)?=(?!=)[ \t]*+")
_SCRIPT_ASSIGNED = lazy(
    r"(?:\n|;|,|\{|const(?<!\wconst)|let(?<!\wlet)|var(?<!\wvar))[ \t]*+(?:(?:const|let|var)[ \t]++)?"
    r"([A-Za-z_$][\w$]{0,60}+)[ \t]*+(?::[ \t]*+\w{1,40}+[ \t]*+)?=(?![=>])[ \t]*+"
)
"""Each begins with characters that stand for themselves, so that a search runs from one of them to the next."""
_CHANGE = lazy(r"=(?<=[-+*/|]=)")
_CHANGED = lazy(r"([A-Za-z_$][\w$]{0,60})[ \t]{0,8}\Z")
_GROWTH_MOST = 4_000
"""Pieces of which names are built in one program; more are not put together."""
_LOOPED = lazy(r"for(?<!\wfor)[ \t(]++(?:const[ \t]++|let[ \t]++|var[ \t]++)?([A-Za-z_$][\w$]{0,60}+)")


def _changed(text: str) -> dict[str, list[int]]:
    """Names in front of ``+=`` and its like, with the places behind each operator, which is looked for first, for it
    is the rare part. A name that is changed by another operator than ``+=`` has the place 0 among them."""
    names: dict[str, list[int]] = {}
    for operator in _CHANGE.finditer(text):
        start = operator.end() - 2
        name = _CHANGED.search(text, max(0, start - 70), start)
        if name:
            names.setdefault(name[1], []).append(operator.end() if text[start] == "+" else 0)
    return names


def _ends(text: str, at: int) -> bool:
    """Whether what is assigned ends here."""
    rest = text[at : at + 3].lstrip(" \t\r")
    return not rest or rest[0] in "\n;#,})/"


def _built(folder: ConstantFolder, first: Value, places: list[int]) -> str | None:
    """The text of a name that begins as ``first`` and is only ever added constants to, in the order of the program."""
    if not isinstance(first, str) or 0 in places:
        return None
    parts = [first]
    for place in places:
        piece = folder.expression(folder.skip(place, False))
        if piece is None or not isinstance(piece.value, str) or not _ends(folder.text, piece.end):
            return None
        parts.append(piece.value)
    return "".join(parts) if sum(map(len, parts)) <= SIZE_MOST else None


def learn(folder: ConstantFolder) -> None:
    """Fill ``known`` with the names that are assigned once, a constant, and changed by adding constants at most."""
    text = folder.text
    pattern = _ASSIGNED if folder.python else _SCRIPT_ASSIGNED
    # A line break in front, so that the first line begins as every other; ends are one too far by it.
    places = list(pattern.finditer("\n" + text))
    times = Counter(found[1] for found in places)
    changed = _changed(text)
    looped = {found[1] for found in _LOOPED.finditer(text)}
    room = _GROWTH_MOST
    for found in places:
        name = found[1]
        if times[name] != 1 or name in looped or len(folder.known) >= _NAMES_MOST:
            continue
        if folder.effort < EFFORT_MOST // 2:
            break
        value = folder.expression(found.end() - 1)
        if value is None:
            continue
        if not _ends(text, value.end):
            continue
        folder.places[name] = (found.end() - 1, max([value.end, *changed.get(name, ())]))
        if name not in changed:
            folder.known[name] = value.value
        elif (room := room - len(changed[name])) >= 0:
            whole = _built(folder, value.value, changed[name])
            if whole is not None:
                folder.known[name] = whole
                folder.built.add(name)
    folder.forget()


_CALLED = ("_", "$", ")", "]")


def _hinted(text: str) -> bool:
    for part, hints in _HINTS.items():  # any() with a generator takes twice the time
        if part in text and one_of(hints, text):
            return True
    return _ADJACENT.search(text) is not None


_MODULES = frozenset(
    "base64 codecs binascii zlib gzip bz2 lzma bytes bytearray String Buffer window globalThis urllib str".split()
)


def _replacement(folder: ConstantFolder, at: int, found: Folded) -> str | None:
    """The literal that stands for the expression, with as many line breaks; ``None`` to leave it."""
    text = text_of(found.value)
    if text is None or len(text) < _LEAST or found.work == 0:
        return None
    source = folder.text[at : found.end]
    literal = ("b" if isinstance(found.value, bytes) else "") + quote(text)
    if literal == source:
        return None
    breaks = source.count("\n")
    if breaks:
        literal += (" \\\n" if "\\\n" in source and folder.python else "\n") * breaks
    return literal


def fold(text: str, *, python: bool) -> str | None:
    """``text`` with constant expressions worked out, lines kept; ``None`` when there was nothing to do."""
    return fold_with(ConstantFolder(text, python=python))


def fold_with(folder: ConstantFolder) -> str | None:
    """As ``fold``; afterwards ``folder.effort`` tells whether all of the text was looked at."""
    text, python = folder.text, folder.python
    learn(folder)
    marks = _PYTHON_MARKS if python else _SCRIPT_MARKS
    starters = CALLS | _MODULES | folder.known.keys()
    pieces: list[str] = []
    last = at = 0
    for mark in marks.finditer(text):
        kind = mark.lastgroup
        if not kind or (kind == "word" and mark[kind] not in starters):
            continue
        start = mark.start(kind)
        if start < at:
            continue
        if folder.effort < 0:
            break
        if kind == "alone":  # looked at, and there is nothing to work out
            folder.effort -= 1
            at = mark.end(kind)
            continue
        before = text[start - 1 : start]
        if (kind == "word" and before == ".") or (kind == "open" and (before.isalnum() or before in _CALLED)):
            continue
        found = folder.expression(start)
        literal = _replacement(folder, start, found) if found else None
        if found and literal is not None:
            pieces += (text[last:start], literal)
            last = at = found.end
        elif found and kind != "open":
            at = max(at, found.end)
    return "".join([*pieces, text[last:]]) if pieces else None


def constant_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``folded`` view of a Python, JavaScript or TypeScript program that builds text from pieces."""
    python = view.language is Kind.PYTHON
    if (not python and view.language not in (Kind.JAVASCRIPT, Kind.TYPESCRIPT)) or not _hinted(view.text):
        return
    if len(view.text) > limits.syntax_bytes:
        detail = f"constants beyond the first {limits.syntax_bytes} characters of a program were not folded"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
    text = view.text[: limits.syntax_bytes]
    folder = ConstantFolder(text, python=python)
    folded = fold_with(folder)
    if folder.effort < 0:
        detail = f"more than {EFFORT_MOST} constants in one program; the rest was not folded"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
    if folded is not None and folded != text:
        yield Derived(text=folded, language=view.language, step=Step(kind="folded"), where=Aligned())
