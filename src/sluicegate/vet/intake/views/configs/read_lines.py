"""TOML and INI read statement by statement, with lines; tolerant, linear, never recursive."""

from __future__ import annotations

import re

from sluicegate.vet.intake.views.configs.document import (
    DEPTH_MOST,
    ENTRIES_MOST,
    ConfigDocument,
    ConfigScalar,
    Path,
    Scalar,
)
from sluicegate.vet.lazy import lazy

_TOKEN = lazy(
    r'[ \t\r]*+(?:(?P<m>"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5})?|\'\'\'(?:[^\']++|\'(?!\'\'))*+(?:\'{3,5})?)|'
    r'(?P<s>"(?:[^"\\\n]++|\\.)*+"?|\'[^\'\n]*+\'?)|(?P<p>[\[\]{}=,.\n])|(?P<k>#[^\n]*+)|'
    r"(?P<w>[^\s\[\]{}=,.#\"']++(?:\.[^\s\[\]{}=,#\"']++)?))",
    re.DOTALL,
)
_ESCAPE = lazy(r'\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(["\\nrtbf])|\s++)')
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\"}
_NUMBER = lazy(r"[+-]?\d[\d_]{0,17}+\Z")
_FLOAT = lazy(r"[+-]?\d[\d_]{0,17}+\.\d{1,17}+\Z")
_INI_SECTION = lazy(r"[ \t]*+\[([^\]\n]{1,200}+)\]")


def _escape(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code:
        number = int(code, 16)
        return chr(number) if number < 0xD800 or 0xE000 <= number <= 0x10FFFF else "\ufffd"
    return _SIMPLE[found[3]] if found[3] else ""


def _string(token: str) -> str:
    quote = token[0]
    size = 3 if token.startswith(quote * 3) and len(token) >= 3 else 1
    body = token[size:]
    if body.endswith(quote * size):
        body = body[:-size]
    if size == 3:
        body = body.removeprefix("\n")
    return _ESCAPE.sub(_escape, body) if quote == '"' and "\\" in body else body


def _bare(token: str) -> Scalar:
    if token in ("true", "false"):
        return token == "true"
    if _NUMBER.match(token):
        return int(token.replace("_", ""))
    return float(token.replace("_", "")) if _FLOAT.match(token) else token


class _Toml:
    """One reading: the table in force, the stack of open arrays and inline tables, and the current key."""

    def __init__(self) -> None:
        self.entries: list[ConfigScalar] = []
        self.table: list[str | int] = []
        self.counts: dict[Path, int] = {}
        self.stack: list[tuple[str, int, int]] = []  # bracket, next index, length of the path outside
        self.path: list[str | int] = []
        self.keys: list[str] = []
        self.value = False
        self.error = ""

    def fail(self, why: str) -> None:
        self.error = self.error or why

    def scalar(self, value: Scalar, first: int, last: int) -> None:
        self.entries.append(ConfigScalar(path=tuple(self.path), value=value, first=first, last=last))

    def open(self, mark: str) -> bool:
        if len(self.stack) >= DEPTH_MOST:
            self.fail(f"nested deeper than {DEPTH_MOST}")
            return False
        self.stack.append((mark, 0, len(self.path)))
        if mark == "[":
            self.path.append(0)
        else:
            self.value, self.keys = False, []
        return True

    def close(self, mark: str) -> None:
        if not self.stack or (self.stack[-1][0] == "[") != (mark == "]"):
            self.fail("brackets do not match")
            return
        _, _, size = self.stack.pop()
        del self.path[size:]
        self.value = True

    def comma(self) -> None:
        if not self.stack:
            self.fail("a comma where none belongs")
            return
        mark, index, size = self.stack.pop()
        del self.path[size:]
        self.stack.append((mark, index + 1, size))
        if mark == "[":
            self.path.append(index + 1)
        else:
            self.value, self.keys = False, []

    def equals(self) -> None:
        base: list[str | int] = self.path if self.stack else self.table
        path: list[str | int] = [*base, *self.keys]
        self.path = path[:DEPTH_MOST]
        self.value, self.keys = True, []

    def end_of_line(self) -> None:
        if not self.stack:
            if self.keys:
                self.fail("a key without a value")
            self.value, self.keys = False, []

    def header(self, line: str) -> None:
        """A table header: ``[a.b]`` or ``[[a.b]]``."""
        inner = line.strip().strip("[]").strip()
        keys: list[str | int] = []
        keys.extend([k.strip().strip("\"'") for k in inner.split(".", DEPTH_MOST)][:DEPTH_MOST])
        if line.lstrip().startswith("[["):
            name = tuple(keys)
            self.counts[name] = self.counts.get(name, -1) + 1
            keys.append(self.counts[name])
        self.table, self.value, self.keys = keys, False, []


def _step(toml: _Toml, kind: str, token: str, first: int, last: int) -> bool:
    """Take one token; ``False`` ends the reading."""
    if kind != "p":
        text = _string(token) if kind != "w" else token
        if toml.value:
            toml.scalar(_bare(token) if kind == "w" else text, first, last)
        elif len(toml.keys) < DEPTH_MOST:
            toml.keys.extend(text.split(".") if kind == "w" else [text])
    elif token == "\n":
        toml.end_of_line()
    elif token in "[{" and toml.value:
        return toml.open(token)
    elif token in "]}":
        toml.close(token)
    elif token == ",":
        toml.comma()
    elif token == "=" and not toml.value:
        toml.equals()
    return True


def read_toml(text: str) -> ConfigDocument:
    """The scalars of a TOML text, of a broken one as far as it makes sense."""
    toml = _Toml()
    at, line, seen, fresh = 0, 1, 0, True
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            break
        kind = found.lastgroup or "p"
        token = found[kind]
        at = found.end()
        seen += 1
        if seen > 4 * ENTRIES_MOST:
            toml.fail(f"more than {ENTRIES_MOST} entries")
            break
        if kind == "k":
            continue
        if fresh and token == "[" and not toml.stack:
            end = text.find("\n", at)
            at = len(text) if end == -1 else end
            toml.header(text[found.start(kind) : at].split("#")[0])
            continue
        last = line + token.count("\n")
        if not _step(toml, kind, token, line, last):
            break
        line = last
        fresh = token == "\n"
    return ConfigDocument(entries=tuple(toml.entries), error=toml.error)


def read_ini(text: str) -> ConfigDocument:
    """The values of an INI, systemd or desktop file; indented lines continue the value before them."""
    entries: list[ConfigScalar] = []
    section = key = ""
    for number, line in enumerate(text.split("\n"), 1):
        if len(entries) >= ENTRIES_MOST:
            return ConfigDocument(entries=tuple(entries), error=f"more than {ENTRIES_MOST} entries")
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        header = _INI_SECTION.match(line)
        if header:
            section, key = header[1], ""
        elif line[0] in " \t" and key:
            entries.append(ConfigScalar(path=(section, key), value=bare, first=number, last=number))
        else:
            name, mark, value = bare.partition("=")
            if not mark:
                name, mark, value = bare.partition(":")
            key = name.strip()
            if value.strip():
                entries.append(
                    ConfigScalar(path=(section, key), value=value.strip(), first=number, last=number)
                )
    return ConfigDocument(entries=tuple(entries))
