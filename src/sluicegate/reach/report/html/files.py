"""The table of files in the HTML report."""

from __future__ import annotations

from sluicegate.reach.report.escape import unbroken
from sluicegate.reach.report.html.markup import Markup, el
from sluicegate.vet.report import FileSummary, SkillReport

_OPEN = 12
"""A longer table of files starts folded."""


def files(skill: SkillReport, anchor: str, part: str) -> Markup | None:
    """Every artifact that was read, folded when there are many."""
    if not skill.files:
        return None
    heads = el(
        "tr", el("th", "Path", scope="col"), (el("th", h, scope="col") for h in ("Kind", "Size", "SHA-256"))
    )
    return el(
        "details",
        el("summary", el(part, "Files ", class_="part"), el("span", f"{len(skill.files):,}", class_="many")),
        el(
            "table",
            el("thead", heads),
            el("tbody", (_file(file) for file in sorted(skill.files, key=lambda f: f.path))),
        ),
        class_="fold files",
        id=f"{anchor}-files",
        open=len(skill.files) <= _OPEN,
    )


def _file(file: FileSummary) -> Markup:
    runs = (
        el("span", "runs", class_="runs", title="program text, compiled code, or an execute bit")
        if file.executable
        else None
    )
    return el(
        "tr",
        el("td", el("span", unbroken(file.path), class_="path"), runs),
        el("td", file.kind.value),
        el("td", _size(file.size), class_="size"),
        el("td", el("code", file.sha256[:12], title=file.sha256)),
    )


def _size(size: int) -> str:
    """Bytes as people read them: ``312 B``, ``5.1 KB``, ``2.0 MB``."""
    if size < 1_000:
        return f"{size} B"
    unit, scale = ("KB", 1_000) if size < 1_000_000 else ("MB", 1_000_000)
    tenths = (size * 10 + scale // 2) // scale
    return f"{tenths // 10}.{tenths % 10} {unit}"
