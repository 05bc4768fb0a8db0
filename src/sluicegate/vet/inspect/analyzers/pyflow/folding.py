"""Folding of texts and paths: what is constant stays, the unknown becomes ``*``."""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import posixpath
import zlib
from collections.abc import Sequence

from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, bounded_texts, join

MAX_FOLD = 1_024
"""Characters of a folded text; longer ones are cut and end in ``*``."""
MAX_JOINED = 64
"""Pieces that are put together before they are cut."""
MAX_PAIRS = 64
"""Ways to put a text of one value beside one of another; of more, those that hold the first of either."""

Texts = tuple[str, ...]


def _cut(text: str) -> str:
    return text if len(text) <= MAX_FOLD else text[: MAX_FOLD - 1] + "*"


def concatenate(a: Texts, b: Texts) -> Texts:
    """All texts of ``a`` followed by all of ``b``."""
    if len(a) <= 1 and len(b) <= 1:
        return (_cut((a[0] if a else "*") + (b[0] if b else "*")),)
    return bounded_texts(dict.fromkeys([_cut(x + y) for x, y in _pairs(a, b)]))


def _pairs(a: Texts, b: Texts) -> list[tuple[str, str]]:
    left, right = a or ("*",), b or ("*",)
    if len(left) * len(right) <= MAX_PAIRS:
        return [(x, y) for x in left for y in right]
    return [*((left[0], y) for y in right), *((x, right[0]) for x in left[1:])]


def pieces(parts: Sequence[Texts]) -> Texts:
    """The texts of an f-string."""
    if len(parts) <= MAX_JOINED and max(map(len, parts), default=0) <= 1:
        # Cut once: a text that is cut after each piece begins and ends as one that is cut at the end.
        return (_cut("".join([part[0] if part else "*" for part in parts])),)
    out: Texts = ("",)
    for part in parts:
        out = concatenate(out, part)
    return out


def join_paths(a: Texts, b: Texts) -> Texts:
    """``a / b`` as paths: an absolute right side wins."""
    return bounded_texts(dict.fromkeys([_cut(join_path(left, right)) for left, right in _pairs(a, b)]))


def join_path(left: str, right: str) -> str:
    """One path after another, with ``.`` and ``..`` worked out where that is certain."""
    if right.startswith(("/", "~")) or not left:
        return right
    joined = left.rstrip("/") + "/" + right if left != "/" else "/" + right
    return normal(joined)


def normal(path: str) -> str:
    """A path without ``.`` and with ``..`` worked out, the leading ``./`` kept."""
    if "\\" in path:
        path = path.replace("\\", "/")
    if "/." not in path and "//" not in path:
        return path
    lead = "./" if path.startswith("./") else ""
    return lead + posixpath.normpath(path).removeprefix("./")


def percent(formats: Texts, values: Sequence[Texts]) -> Texts:
    """``format % values`` with plain conversions."""
    out: list[str] = []
    for template in formats:
        text: list[Texts] = []
        index = at = 0
        while True:
            sign = template.find("%", at)
            if sign == -1 or sign + 1 >= len(template):
                text.append((template[at:],))
                break
            text.append((template[at:sign],))
            if template[sign + 1] == "%":
                text.append(("%",))
                at = sign + 2
                continue
            end = sign + 1
            while end < len(template) and end - sign < 40 and not template[end].isalpha():
                end = template.find(")", end) + 1 or end + 1 if template[end] == "(" else end + 1
            known = values[index] if index < len(values) else ()
            text.append(known)
            index += 1
            at = end + 1
        out += pieces(text)
    return bounded_texts(dict.fromkeys(out))


def brace(formats: Texts, positional: Sequence[Texts], named: dict[str, Texts]) -> Texts:
    """``format.format(...)`` with plain fields."""
    out: list[str] = []
    for template in formats:
        text: list[Texts] = []
        index = at = 0
        while True:
            start = template.find("{", at)
            end = template.find("}", start) if start != -1 else -1
            if start == -1 or end == -1:
                text.append((template[at:],))
                break
            text.append((template[at:start],))
            field = template[start + 1 : end].partition(":")[0].partition("!")[0]
            known: Texts = ()
            if not field or field.isdigit():
                number = int(field[:4]) if field else index
                index += 1
                known = positional[number] if number < len(positional) else ()
            else:
                known = named.get(field, ())
            text.append(known)
            at = end + 1
        out += pieces(text)
    return bounded_texts(dict.fromkeys(out))


def is_reversal(node: ast.Slice) -> bool:
    """Whether a slice is ``[::-1]``."""
    step = node.step
    return (
        node.lower is None
        and node.upper is None
        and isinstance(step, ast.UnaryOp)
        and isinstance(step.op, ast.USub)
        and isinstance(step.operand, ast.Constant)
        and step.operand.value == 1
    )


def pick(base: PyValue, key: PyValue, index: ast.expr) -> PyValue | None:
    """The parts of a container that a subscript may mean; None when it cannot be told."""
    if isinstance(index, ast.Constant) and type(index.value) is int:
        plain = [part for name, part in base.parts if not name]
        if len(plain) == len(base.parts) and -len(plain) <= index.value < len(plain):
            return plain[index.value]
    if key.texts:
        value = NOTHING
        found = False
        for name, part in base.parts:
            if name in key.texts or name == "*":
                value = join(value, part)
                found = True
        return value if found else None
    value = NOTHING
    for _, part in base.parts:
        value = join(value, part)
    return value if value.mask == base.mask else value._replace(mask=base.mask)


def decode(kind: str, text: str) -> str | None:
    """A constant decoded (``base64``, ``base32``, ``base85``, ``hex``, ``rot13``, ``zlib``); None when it
    is not."""
    try:
        raw = text.encode("latin-1")
        if kind == "base64":
            out = base64.b64decode(raw + b"=" * (-len(raw) % 4))
        elif kind == "urlsafe":
            out = base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
        elif kind == "base32":
            out = base64.b32decode(raw)
        elif kind == "base85":
            out = base64.b85decode(raw)
        elif kind == "hex":
            out = bytes.fromhex(text)
        elif kind == "rot13":
            return codecs.encode(text, "rot13")
        elif kind == "zlib":
            out = zlib.decompressobj().decompress(raw, MAX_FOLD)
        else:
            return None
    except (ValueError, binascii.Error, zlib.error, UnicodeError):
        return None
    return out.decode("latin-1") if len(out) <= MAX_FOLD else None
