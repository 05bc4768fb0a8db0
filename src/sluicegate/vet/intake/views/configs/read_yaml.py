"""YAML read from libyaml's events: iterative, bounded, aliases named and never followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sluicegate.vet.intake.views.configs.document import DEPTH_MOST, ENTRIES_MOST, ConfigDocument, Scalar
from sluicegate.vet.intake.views.configs.yaml_lines import ContainerStack, plain_scalar, read_lines
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    import yaml

_OPENING = lazy(r"[\[{]")
_STEEP = lazy(r"(?m)^(?=[ \t]*+[-?:])[ \t?:-]{240}")
_CONTROL = lazy(r"[^\t\n\r\x20-\x7e]")
"""What ``_UNPRINTABLE`` is among ASCII; it compiles in a hundredth of the time."""
_UNPRINTABLE = lazy("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EVENTS_MOST = ENTRIES_MOST
_BYTES_MOST = 1 << 20


def _too_deep(text: str) -> bool:
    """Whether libyaml could be led deeper than it should be: flow brackets or a very steep line."""
    if len(_OPENING.findall(text)) > DEPTH_MOST:
        depth = 0
        for found in re.finditer(r"[\[\]{}]", text):
            depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
            if depth > DEPTH_MOST:
                return True
    return _STEEP.search(text) is not None


def _scalar(event: yaml.ScalarEvent) -> Scalar:
    text = str(event.value)
    return text if event.style else plain_scalar(text)


def read_yaml(text: str) -> ConfigDocument:
    """The scalars of all documents of a YAML text. Of a broken one, what stands before the break."""
    if len(text) > _BYTES_MOST:
        return ConfigDocument(entries=(), error=f"longer than {_BYTES_MOST} characters")
    if _too_deep(text):
        return ConfigDocument(entries=(), error=f"nested deeper than {DEPTH_MOST}")
    quick = read_lines(text)
    return _read_events(text) if quick is None else quick


def _read_events(text: str) -> ConfigDocument:
    import yaml

    unprintable = _CONTROL if text.isascii() else _UNPRINTABLE
    walk, error, seen = ContainerStack(), "", 0
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
    return ConfigDocument(entries=tuple(walk.entries), error=error)
