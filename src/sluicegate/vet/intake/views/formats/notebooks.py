"""The cells of a Jupyter notebook as views of their own language, with lines of the JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.configs.document import ConfigScalar
from sluicegate.vet.intake.views.configs.structured import read_document
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.programs.language import named
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_MAGIC = lazy(r"%%(?:script[ \t]++)?([A-Za-z0-9_]{1,20}+)")
_BANG = lazy(r"[ \t]*+(?:[\w, ]{1,60}=[ \t]*+)?(?:!|%sx |%system |%pip |%conda )")


@dataclass(slots=True)
class _Cell:
    kind: str = "code"
    source: list[ConfigScalar] = field(default_factory=list)
    outputs: list[ConfigScalar] = field(default_factory=list)


def _cells(entries: tuple[ConfigScalar, ...]) -> tuple[dict[int, _Cell], Kind]:
    cells: dict[int, _Cell] = {}
    language = Kind.PYTHON
    for entry in entries:
        path = entry.path
        if (path[-1:] == ("name",) and "language_info" in path[:2]) or (
            path[-1:] == ("language",) and "kernelspec" in path
        ):
            language = named(str(entry.value)) or language
        if path[:1] == ("worksheets",):  # notebook format 3
            path = path[2:]
        if len(path) < 3 or path[0] != "cells" or not isinstance(path[1], int):
            continue
        cell = cells.setdefault(path[1], _Cell())
        if path[2] == "cell_type":
            cell.kind = str(entry.value)
        elif path[2] in ("source", "input") and isinstance(entry.value, str):
            cell.source.append(entry)
        elif path[2] == "outputs" and isinstance(entry.value, str):
            cell.outputs.append(entry)
    return cells, language


def _text(parts: list[ConfigScalar]) -> tuple[str, list[tuple[int, int]]]:
    """The parts joined as Jupyter joins them, and for each line the JSON line (0-based)."""
    text = "".join([str(part.value) for part in parts])
    lines: list[tuple[int, int]] = []
    before = "\n"
    for part in parts:
        value = str(part.value)
        at = (part.first - 1, part.last - 1)
        if lines:
            start = lines.pop()
            lines.append(at if before.endswith("\n") else (start[0], at[1]))
        else:
            lines.append(at)
        lines.extend([at] * value.count("\n"))
        before = value or before
    return text, lines


def _cell_views(number: int, cell: _Cell, kernel: Kind) -> Iterator[Derived]:
    text, lines = _text(cell.source)
    if text.strip():
        step = Step(kind="cell", detail=f"{number} {cell.kind[:20]}")
        if cell.kind != "code":
            language = Kind.MARKDOWN if cell.kind in ("markdown", "heading") else Kind.TEXT
            yield Derived(text=text, language=language, step=step, where=Each(lines=lines))
            return
        magic = _MAGIC.match(text)
        language = (named(magic[1]) or kernel) if magic else kernel
        body, shell, shell_lines = [], [], []
        for line, where in zip(text.split("\n"), lines, strict=False):
            bang = _BANG.match(line) if language is not Kind.SHELL else None
            if bang:
                command = line[bang.end() :]
                shell.append(f"{bang[0].strip().lstrip('%')} {command}" if "%pip" in bang[0] else command)
                shell_lines.append(where)
            body.append("# " + line if bang or line.startswith("%") else line)
        yield Derived(text="\n".join(body), language=language, step=step, where=Each(lines=lines))
        if shell:
            step = Step(kind="cell", detail=f"{number} shell")
            yield Derived(
                text="\n".join(shell), language=Kind.SHELL, step=step, where=Each(lines=shell_lines)
            )


def notebook_views(view: View, limits: Limits) -> Iterator[Product]:
    """A view for each cell, for its shell lines, and for the text of its outputs."""
    document = read_document(view.text, Kind.NOTEBOOK)
    if document.error.startswith(("more", "nested")):
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=f"notebook: {document.error}")
    cells, kernel = _cells(document.entries)
    for number, cell in sorted(cells.items()):
        yield from _cell_views(number, cell, kernel)
        outputs = [
            o
            for o in cell.outputs
            if not any("image/" in str(p) for p in o.path) and o.path[-1] != "output_type"
        ]
        text, lines = _text([_ended(o) for o in outputs])
        if text.strip():
            step = Step(kind="cell", detail=f"{number} output")
            yield Derived(text=text.rstrip("\n"), language=Kind.TEXT, step=step, where=Each(lines=lines))


def _ended(entry: ConfigScalar) -> ConfigScalar:
    value = str(entry.value)
    if value.endswith("\n"):
        return entry
    return ConfigScalar(path=entry.path, value=value + "\n", first=entry.first, last=entry.last)
