"""YAML of which every line says by itself what it is, read as libyaml reads it and without loading it.

Loading libyaml costs more than reading most skills whole, and nearly all front matter is block mappings and lists
of plain or quoted scalars that end on the line they begin on. Whatever means more than it says to YAML (an escape,
a colon or comment inside a plain scalar, a scalar of several lines, an anchor, a tag) is left to libyaml.
"""

from __future__ import annotations

from sluicegate.vet.intake.views.configs.document import DEPTH_MOST, ConfigDocument, ConfigScalar, Scalar
from sluicegate.vet.lazy import lazy

_BOOLS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_INTEGER = lazy(r"[-+]?\d{1,18}\Z")
_FLOAT = lazy(r"[-+]?\d{1,18}\.\d{1,18}\Z")
_KEY = lazy(r"([A-Za-z0-9_][A-Za-z0-9_./-]{0,99}):(?: +|\Z)")
"""A plain key. One of more than 1024 characters is none to libyaml."""
_QUOTED = r"\"((?:[^\"\\]++|\\[\"\\/nt])*+)\"|'([^']*+)'"
_ESCAPE = lazy(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_VALUE = lazy(rf"([^\s?:,\[\]{{}}#&*!|>'\"%@`-].*)|(?:{_QUOTED}) *")
_TOKEN = lazy(rf" {{0,9}}(?:([\[\]{{}},:])|([A-Za-z0-9_][A-Za-z0-9_./ -]*+)|{_QUOTED})")
"""One token in brackets. The alphabet of plain scalars is narrow, for there more characters mean something."""
_IN_BRACKETS = "[{sq"
"""What may be a value there: a bracket, a scalar that is plain, one in quotes."""
_FLOW_KEY_MOST = 200
_LENGTH_MOST = 16_384
"""Characters; a text of so few cannot hold more entries than a reading takes."""


def plain_scalar(text: str) -> Scalar:
    """A plain scalar by the words of YAML 1.1 that people use."""
    lower = text.lower()
    if lower in _BOOLS:
        return _BOOLS[lower]
    if lower in ("", "~", "null"):
        return None
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text


class ContainerStack:
    """The stack of containers: for a mapping the current key and whether a key is awaited next."""

    def __init__(self) -> None:
        self.entries: list[ConfigScalar] = []
        self.path: list[str | int] = []
        self.awaits: list[bool | None] = []  # None for a sequence

    def key(self, value: str) -> bool:
        """Take ``value`` as a key if one is awaited."""
        if self.awaits and self.awaits[-1]:
            self.path[-1] = value
            self.awaits[-1] = False
            return True
        return False

    def done(self) -> None:
        """A value was completed."""
        if not self.awaits:
            return
        if self.awaits[-1] is None:
            last = self.path[-1]
            self.path[-1] = last + 1 if isinstance(last, int) else 0
        else:
            self.awaits[-1] = True

    def add(self, value: Scalar, first: int, last: int) -> None:
        if not self.key(str(value)):
            self.entries.append(
                ConfigScalar(path=tuple(self.path), value=value, first=first, last=max(first, last))
            )
            self.done()

    def open(self, mapping: bool) -> None:
        if self.awaits and self.awaits[-1]:
            self.key("?")
        self.path.append("" if mapping else 0)
        self.awaits.append(True if mapping else None)

    def close(self) -> None:
        if self.path:
            self.path.pop()
            self.awaits.pop()
            self.done()


class _Unlike(Exception):
    """The text has a line that does not say by itself what it is."""


class _Lines:
    """One reading: the indents of the open containers, and the line of a key or list mark that awaits its value."""

    def __init__(self) -> None:
        self.walk = ContainerStack()
        self.indents = [-1]
        self.pending = 1

    def line(self, number: int, line: str) -> None:
        body = line.lstrip(" ")
        if not body or body[0] == "#":
            return
        indent = len(line) - len(body)
        item = body.startswith("- ")
        self._settle(indent, item)
        if item:
            rest = body[2:].lstrip(" ")
            if _KEY.match(rest) is None:
                self._value(number, rest)
                return
            indent, body = len(line) - len(rest), rest
            self._open(indent, mapping=True)
        found = _KEY.match(body)
        if found is None:
            raise _Unlike
        self.walk.key(str(plain_scalar(found[1])))
        rest = body[found.end() :]
        if rest:
            self._value(number, rest)
        else:
            self.pending = number

    def _settle(self, indent: int, item: bool) -> None:
        """Open or close containers until one of the kind of this line, and of its indent, is innermost."""
        inner = self.indents[-1]
        if self.pending:
            # A list under a key may stand as far left as the key.
            if indent > inner or (item and indent == inner and self.walk.awaits[-1] is not None):
                self._open(indent, mapping=not item)
                self.pending = 0
                return
            self.null()
        elif indent > inner:
            raise _Unlike  # the scalar before goes on
        while indent < self.indents[-1] or (
            not item and indent == self.indents[-1] == self.indents[-2] and self.walk.awaits[-1] is None
        ):
            self.indents.pop()
            self.walk.close()
        if indent != self.indents[-1] or item != (self.walk.awaits[-1] is None):
            raise _Unlike

    def _open(self, indent: int, mapping: bool) -> None:
        if len(self.indents) > DEPTH_MOST - 2:
            raise _Unlike
        self.walk.open(mapping)
        self.indents.append(indent)

    def null(self) -> None:
        """Give a key that awaits its value none."""
        if self.pending:
            self.walk.add(None, self.pending, self.pending)
            self.pending = 0

    def _value(self, number: int, text: str) -> None:
        found = _VALUE.fullmatch(text)
        if found is None:
            self._brackets(number, text.rstrip(" "))
            return
        plain, double, single = found.groups()
        value: Scalar = _quoted(double, single)
        if plain is not None:
            plain = plain.rstrip(" ")
            if ": " in plain or " #" in plain or plain[-1] == ":":
                raise _Unlike
            value = plain_scalar(plain)
        self.walk.add(value, number, number)

    def _brackets(self, number: int, text: str) -> None:
        """Lists and mappings in brackets on one line, as JSON writes them: each key in quotes, no comma too many."""
        at, allowed, closers = 0, "[{", [""]
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise _Unlike
            at = found.end()
            mark, plain, double, single = found.groups()
            kind = mark or ("q" if plain is None else "s")
            if kind not in allowed:
                raise _Unlike
            if kind in "[{":
                if len(self.walk.path) > DEPTH_MOST - 2:
                    raise _Unlike
                self.walk.open(kind == "{")
                closers.append("]" if kind == "[" else "}")
                allowed = _IN_BRACKETS + "]" if kind == "[" else "q}"
            elif kind in "]}":
                self.walk.close()
                closers.pop()
                allowed = "," + closers[-1] if closers[-1] else ""
            elif kind in ",:":
                allowed = "q" if kind == "," and closers[-1] == "}" else _IN_BRACKETS
            else:
                key = self.walk.awaits[-1]
                if key and at - found.start() > _FLOW_KEY_MOST:
                    raise _Unlike
                value = _quoted(double, single) if plain is None else plain_scalar(plain.rstrip(" "))
                self.walk.add(value, number, number)
                allowed = ":" if key else "," + closers[-1]
        if allowed:
            raise _Unlike


def _quoted(double: str | None, single: str | None) -> str | None:
    """The value of a scalar in quotes of the one kind or the other."""
    if double is None or "\\" not in double:
        return single if double is None else double
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), double)


def read_lines(text: str) -> ConfigDocument | None:
    """The document as libyaml would read it; None when it has to."""
    if len(text) > _LENGTH_MOST:
        return None
    # A line break of Windows is one break to libyaml, and so is half of one at the end of a front matter. It does
    # not print any other control character, nor the line breaks beyond ASCII, and those are left to it.
    lines = text.replace("\r\n", "\n").removesuffix("\r").split("\n")
    if not "".join(lines).isprintable():
        return None
    reading = _Lines()
    try:
        for number, line in enumerate(lines, start=1):
            reading.line(number, line)
    except _Unlike:
        return None
    if not reading.walk.path:
        return None
    reading.null()
    return ConfigDocument(entries=tuple(reading.walk.entries))
