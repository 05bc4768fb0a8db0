"""What constant folding may call: functions and methods that only rearrange or decode text."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable
from urllib.parse import unquote

from sluicegate.vet.intake.views.disguises.plain import inflate
from sluicegate.vet.lazy import lazy

Value = str | bytes | int | list["Value"] | None

LIST_MOST = 100_000
SIZE_MOST = 256 * 1024
"""Characters of one folded value; a longer one is not folded."""

_PERCENT = lazy(r"%%|%[sdr]")
_BRACES = lazy(r"\{\{|\}\}|\{(\d{0,3})\}|[{}]")


def small(value: Value) -> bool:
    """Whether a value is within the bound."""
    return not isinstance(value, (str, bytes, list)) or len(value) <= SIZE_MOST


def add(parts: list[Value], *, python: bool) -> Value:
    """The sum of the parts: concatenation of one type (in JavaScript numbers join as text)."""
    texts = [p for p in parts if isinstance(p, str)]
    if not texts and all(isinstance(p, int) for p in parts):
        return sum(p for p in parts if isinstance(p, int))
    if not python and len(texts) < len(parts):
        parts = [str(p) if isinstance(p, int) else p for p in parts]
        texts = [p for p in parts if isinstance(p, str)]
    if len(texts) == len(parts):
        return "".join(texts) if sum(map(len, texts)) <= SIZE_MOST else None
    datas = [p for p in parts if isinstance(p, bytes)]
    if len(datas) == len(parts):
        return b"".join(datas) if sum(map(len, datas)) <= SIZE_MOST else None
    return None


def cut(value: str | bytes | list[Value], part: re.Match[str]) -> Value:
    """An index or a slice."""
    start, colon, stop, _, step = part.groups()
    if not colon:
        if not start or not -len(value) <= int(start) < len(value):
            return None
        return value[int(start)]
    if step in ("0", "-"):
        return None
    try:
        return value[slice(*(int(n) if n else None for n in (start, stop, step)))]
    except ValueError:
        return None


def percent(template: str, values: list[Value]) -> str | None:
    """``template % values`` for plain ``%s`` and ``%d``."""
    rest = iter(values)
    texts = [str(v) for v in values if isinstance(v, (str, int))]
    holes = [h for h in _PERCENT.findall(template) if h != "%%"]
    if len(texts) != len(values) or len(holes) != len(texts) or template.count("%") > SIZE_MOST // 4:
        return None
    if sum(map(len, texts)) + len(template) > SIZE_MOST:
        return None
    return _PERCENT.sub(lambda m: "%" if m[0] == "%%" else str(next(rest)), template)


def _format(template: str, values: list[Value]) -> str | None:
    index = 0
    out, last, size = [], 0, len(template)
    for hole in _BRACES.finditer(template):
        out.append(template[last : hole.start()])
        last = hole.end()
        if hole[0] in ("{{", "}}"):
            out.append(hole[0][0])
            continue
        if hole[1] is None:
            return None
        at = int(hole[1]) if hole[1] else index
        index += 1
        value = values[at] if at < len(values) else None
        if not isinstance(value, (str, int)):
            return None
        size += len(str(value))
        if size > SIZE_MOST:
            return None
        out.append(str(value))
    return "".join([*out, template[last:]])


def spell(codes: list[Value] | bytes, operation: str, key: int) -> str | None:
    """Characters by their codes, each changed by ``+``, ``-`` or ``^`` with ``key``."""
    out = []
    for code in codes:
        if not isinstance(code, int):
            return None
        number = code ^ key if operation == "^" else code + key if operation == "+" else code - key
        if not 0 <= number < 0x110000 or 0xD800 <= number < 0xE000:
            return None
        out.append(chr(number))
    return "".join(out)


def _data(value: Value) -> bytes | None:
    if isinstance(value, str):
        return value.encode("latin-1", "replace")
    return value if isinstance(value, bytes) else None


def _unbase64(value: Value) -> bytes | None:
    data = _data(value)
    if data is None:
        return None
    data = data.translate(bytes.maketrans(b"-_", b"+/"), b"=\n\r \t")
    try:
        return binascii.a2b_base64(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return None


def _decoded(decode: Callable[[bytes], bytes]) -> Callable[[Value], Value]:
    def run(value: Value) -> Value:
        data = _data(value)
        try:
            return decode(data) if data is not None else None
        except (ValueError, binascii.Error, OverflowError):
            return None

    return run


def _unhex(value: Value) -> Value:
    data = _data(value)
    try:
        return bytes.fromhex(data.decode("ascii", "replace")) if data is not None else None
    except ValueError:
        return None


def _bytes(value: Value) -> Value:
    if isinstance(value, list):
        codes = [c for c in value if isinstance(c, int) and 0 <= c < 256]
        return bytes(codes) if len(codes) == len(value) else None
    return _data(value)


def _inflated(value: Value) -> Value:
    return inflate(value, SIZE_MOST) if isinstance(value, bytes) else None


def _unquoted(value: Value) -> Value:
    return unquote(value, errors="replace") if isinstance(value, str) else None


def _reversed(value: Value) -> Value:
    return value[::-1] if isinstance(value, (str, bytes, list)) else None


_ONE: dict[str, Callable[[Value], Value]] = {
    "b64decode": _unbase64, "urlsafe_b64decode": _unbase64, "standard_b64decode": _unbase64, "decodebytes": _unbase64,
    "a2b_base64": _unbase64, "atob": lambda v: text_of(_unbase64(v)),
    "b32decode": _decoded(base64.b32decode), "b85decode": _decoded(base64.b85decode), "a85decode": _decoded(base64.a85decode),
    "b16decode": _unhex, "fromhex": _unhex, "unhexlify": _unhex, "a2b_hex": _unhex,
    "decompress": _inflated, "bytes": _bytes, "bytearray": _bytes, "reversed": _reversed,
    "unquote": _unquoted, "unescape": _unquoted, "decodeURIComponent": _unquoted, "decodeURI": _unquoted,
    "str": lambda v: str(v) if isinstance(v, (str, int)) else None, "String": lambda v: str(v) if isinstance(v, (str, int)) else None,
    "list": lambda v: list(v) if isinstance(v, (str, bytes)) else v,
}  # fmt: skip
CALLS = frozenset(_ONE) | {"chr", "fromCharCode", "fromCodePoint", "from", "decode", "join", "maketrans"}
"""Last words of the names that can be called."""


def text_of(value: Value) -> str | None:
    """Bytes as text (UTF-8, else latin-1)."""
    if not isinstance(value, bytes):
        return value if isinstance(value, str) else None
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def call(name: str, arguments: list[Value]) -> Value:
    """The value of a call; ``None`` for one that is not understood."""
    last = name.rsplit(".", 1)[-1]
    if not arguments:
        return None
    if last == "maketrans" and len(arguments) == 2:
        return arguments  # what ``translate`` makes of the two
    if last in ("chr", "fromCharCode", "fromCodePoint"):
        return spell(arguments[0] if isinstance(arguments[0], list) else arguments, "", 0)
    if name == "codecs.decode" and len(arguments) > 1:
        return _by_codec(arguments[0], arguments[1])
    if name == "Buffer.from":
        return _by_codec(arguments[0], arguments[1] if len(arguments) > 1 else "utf8")
    if last in _ONE and (
        len(arguments) == 1 or last in ("bytes", "str", "bytearray", "decompress", "b64decode")
    ):
        result = _ONE[last](arguments[0])
        return result if small(result) else None
    return None


def _by_codec(value: Value, codec: Value) -> Value:
    if isinstance(value, list):
        return _bytes(value)
    name = str(codec).lower().replace("-", "").replace("_", "")
    if name in ("rot13", "rot"):
        return codecs.encode(value, "rot13") if isinstance(value, str) else None
    if name in ("base64", "base64url"):
        return _unbase64(value)
    if name in ("hex", "hexcodec"):
        return _unhex(value)
    if name in ("utf8", "ascii", "latin1", "binary"):
        return value if isinstance(value, bytes) else _data(value)
    return None


def _joined(separator: str, items: Value) -> Value:
    values = items if isinstance(items, list) else list(items) if isinstance(items, str) else None
    if values is None or not all(isinstance(v, (str, int)) for v in values):
        return None
    texts = [str(v) for v in values]
    if sum(map(len, texts)) + len(separator) * len(texts) > SIZE_MOST:
        return None
    return separator.join(texts)


def method(name: str, value: Value, arguments: list[Value]) -> Value:
    """The value of a method call on a constant; ``None`` for one that is not understood."""
    one = arguments[0] if arguments else None
    if isinstance(value, list):
        if name == "join":
            return _joined(one if isinstance(one, str) else ",", value)
        return value[::-1] if name in ("reverse", "toReversed") else None
    if name == "decode" and isinstance(value, bytes):
        return _by_codec(text_of(value), one) if str(one).startswith("rot") else text_of(value)
    if name == "toString":
        return text_of(value)
    if not isinstance(value, str):
        return None
    return _text_method(name, value, arguments)


def _translated(value: str, before: Value, after: Value) -> str | None:
    if isinstance(before, str) and isinstance(after, str) and len(before) == len(after):
        return value.translate(str.maketrans(before, after))
    return None


def _text_method(name: str, value: str, arguments: list[Value]) -> Value:
    one = arguments[0] if arguments else None
    two = arguments[1] if len(arguments) > 1 else None
    if name == "join":
        return _joined(value, one)
    if name in ("replace", "replaceAll") and isinstance(one, str) and isinstance(two, str):
        grown = len(value) + value.count(one) * len(two)
        return value.replace(one, two) if grown <= SIZE_MOST else None
    if name == "format":
        return _format(value, arguments)
    if name == "encode":
        return value.encode("utf-8", "replace")
    if name == "translate" and isinstance(one, list) and len(one) == 2:
        return _translated(value, one[0], one[1])
    if name == "split" and isinstance(one, str):
        pieces: list[Value] = []
        pieces.extend(value.split(one) if one else value)
        return pieces
    if name == "concat" and all(isinstance(a, str) for a in arguments):
        return add([value, *arguments], python=False)
    if name in ("strip", "trim", "lower", "upper", "toLowerCase", "toUpperCase") and not arguments:
        return (
            value.strip() if name in ("strip", "trim") else value.lower() if "ower" in name else value.upper()
        )
    return None
