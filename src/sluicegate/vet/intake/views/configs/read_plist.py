"""Property lists (XML) read without an XML parser: keys, strings and arrays by their tags, with lines."""

from __future__ import annotations

from sluicegate.vet.intake.views.configs.document import (
    DEPTH_MOST,
    ENTRIES_MOST,
    ConfigDocument,
    ConfigScalar,
    Scalar,
)
from sluicegate.vet.intake.views.disguises.escapes import entities
from sluicegate.vet.lazy import lazy

_TAG = lazy(r"<(/?)(dict|array|key|string|integer|real|true|false|data|date)\b([^<>]*+)>")


def read_plist(text: str) -> ConfigDocument:
    """The scalars of a property list; a text that starts with ``bplist`` is refused."""
    if text.startswith("bplist"):
        return ConfigDocument(entries=(), error="a binary property list")
    entries: list[ConfigScalar] = []
    path: list[str | int] = []
    line, counted, error = 1, 0, ""
    at = 0
    while found := _TAG.search(text, at):
        at = found.end()
        if len(entries) >= ENTRIES_MOST:
            error = f"more than {ENTRIES_MOST} entries"
            break
        line += text.count("\n", counted, found.start())
        counted = found.start()
        closing, name, rest = found[1], found[2], found[3]
        if name in ("dict", "array"):
            if rest.endswith("/"):
                continue
            if closing:
                if path:
                    path.pop()
                _advance(path)
            elif len(path) >= DEPTH_MOST:
                error = f"nested deeper than {DEPTH_MOST}"
                break
            else:
                path.append("" if name == "dict" else 0)
        elif not closing:
            value: Scalar = name == "true" if name in ("true", "false") else ""
            if not rest.endswith("/"):
                end = text.find("<", at)
                end = len(text) if end == -1 else end
                value = entities(text[at:end]).strip()
                at = end
            if name == "key":
                if path:
                    path[-1] = str(value)
                continue
            last = line + text.count("\n", counted, at)
            entries.append(ConfigScalar(path=tuple(path), value=value, first=line, last=last))
            _advance(path)
    return ConfigDocument(entries=tuple(entries), error=error)


def _advance(path: list[str | int]) -> None:
    if path and isinstance(path[-1], int):
        path[-1] += 1
