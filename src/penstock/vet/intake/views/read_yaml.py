"""YAML read from libyaml's events: iterative, bounded, aliases named and never followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.vet.intake.views.document import DEPTH_MOST, ENTRIES_MOST, Document, Entry, Scalar
from penstock.vet.lazy import lazy

if TYPE_CHECKING:
    import yaml

_OPENING = lazy(r"[\[{]")
_STEEP = lazy(r"(?m)^(?=[ \t]*+[-?:])[ \t?:-]{240}")
_BOOLS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_INTEGER = lazy(r"[-+]?\d{1,18}\Z")
_FLOAT = lazy(r"[-+]?\d{1,18}\.\d{1,18}\Z")
_CONTROL = lazy(r"[^\t\n\r\x20-\x7e]")
"""What ``_UNPRINTABLE`` is among ASCII; it compiles in a hundredth of the time."""
_UNPRINTABLE = lazy("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FLAT = lazy(
    r"([A-Za-z_][A-Za-z0-9_-]*): {1,8}(?:([A-Za-z0-9](?:[\x20-\x7e]*[\x21-\x7e])?)|"
    r"\"([\x20\x21\x23-\x5b\x5d-\x7e]*)\"|'([\x20-\x26\x28-\x7e]*)') *"
)
"""A line of the flat block mapping that most front matters are: a plain key, and a scalar in ASCII that is plain,
or in quotes and holds neither its quote nor, in double quotes, a backslash."""
_EVENTS_MOST = ENTRIES_MOST
_BYTES_MOST = 1 << 20
_FLAT_MOST = 200


def _too_deep(text: str) -> bool:
    """Whether libyaml could be led deeper than it should be: flow brackets or a very steep line."""
    if len(_OPENING.findall(text)) > DEPTH_MOST:
        depth = 0
        for found in re.finditer(r"[\[\]{}]", text):
            depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
            if depth > DEPTH_MOST:
                return True
    return _STEEP.search(text) is not None


def _flat(text: str) -> Document | None:
    """The document when every line is ``key: scalar``, as libyaml would read it; else None.

    Loading libyaml costs more than reading most skills whole. What means more than it says to YAML (an escape,
    a colon or comment inside a plain scalar, an indented line, anything beyond ASCII) is left to libyaml.
    """
    entries: list[Entry] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        found = _FLAT.fullmatch(line)
        if found is None or len(entries) == _FLAT_MOST:
            return None
        key, plain, double, single = found.groups()
        value: Scalar = double if plain is None and single is None else single
        if plain is not None:
            if ": " in plain or " #" in plain or plain.endswith(":"):
                return None
            value = _plain(plain)
        entries.append(Entry(path=(str(_plain(key)),), value=value, first=number, last=number))
    return Document(entries=tuple(entries)) if entries else None


def _scalar(event: yaml.ScalarEvent) -> Scalar:
    text = str(event.value)
    return text if event.style else _plain(text)


def _plain(text: str) -> Scalar:
    """A plain scalar by the words of YAML 1.1 that people use."""
    lower = text.lower()
    if lower in _BOOLS:
        return _BOOLS[lower]
    if lower in ("", "~", "null"):
        return None
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text


class _Walk:
    """The stack of containers: for a mapping the current key and whether a key is awaited next."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
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
            self.entries.append(Entry(path=tuple(self.path), value=value, first=first, last=max(first, last)))
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


def read_yaml(text: str) -> Document:
    """The scalars of all documents of a YAML text. Of a broken one, what stands before the break."""
    if len(text) > _BYTES_MOST:
        return Document(entries=(), error=f"longer than {_BYTES_MOST} characters")
    if _too_deep(text):
        return Document(entries=(), error=f"nested deeper than {DEPTH_MOST}")
    flat = _flat(text)
    if flat is not None:
        return flat
    import yaml

    unprintable = _CONTROL if text.isascii() else _UNPRINTABLE
    walk, error, seen = _Walk(), "", 0
    try:
        for event in yaml.parse(unprintable.sub("\ufffd", text), Loader=yaml.CSafeLoader):
            seen += 1
            if seen > _EVENTS_MOST:
                error = f"more than {_EVENTS_MOST} events"
                break
            opened, closed = event.start_mark, event.end_mark
            first = opened.line + 1 if opened else 1
            last = closed.line + 1 if closed else first
            if isinstance(event, yaml.ScalarEvent):
                if closed and closed.column == 0 and last > first:
                    last -= 1
                walk.add(_scalar(event), first, last)
            elif isinstance(event, yaml.AliasEvent):
                walk.add(f"*{event.anchor}", first, last)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                if len(walk.path) >= DEPTH_MOST:
                    error = f"nested deeper than {DEPTH_MOST}"
                    break
                walk.open(isinstance(event, yaml.MappingStartEvent))
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                walk.close()
    except yaml.YAMLError as broken:
        error = str(getattr(broken, "problem", "")) or "not YAML"
    return Document(entries=tuple(walk.entries), error=error)
