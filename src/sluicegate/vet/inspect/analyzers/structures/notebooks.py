"""Notebooks: what runs before anyone has read it, and what is kept out of sight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    MEDIUM,
    BundleFacts,
    Config,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.configs.document import ConfigScalar, Path
from sluicegate.vet.intake.views.configs.structured import read_document
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

NOTEBOOK = rule(
    "notebook-runs-itself", "A notebook runs or hides code before anyone has read it", Category.REMOTE_CODE, MEDIUM, 600,
    why="A saved output can hold a script that runs when the notebook is opened, a cell can be marked to run on opening, and a cell "
    "that is folded away is run with all the others by whoever presses 'run all'.",
    fix="Clear the outputs, unfold every cell and read it, then run the cells one by one.",
    references=("ASI05", "LLM05", "CWE-79", "CWE-506"),
)  # fmt: skip

_SCRIPT = lazy(
    r"<script\b|\bon(?:error|load|mouseover|toggle)[ ]?=|javascript:|<iframe[^>]{0,200}\bsrc(?:doc)?[ ]?=",
    re.IGNORECASE,
)
_KERNEL = lazy(
    r"\b(?:Jupyter|IPython)\.notebook\.(?:kernel\.execute|execute_cell|execute_all_cells)|\bkernel\.execute\(|requestExecute\(",
    re.IGNORECASE,
)
_ACTS = lazy(
    r"\b(?:fetch|XMLHttpRequest|sendBeacon|WebSocket|importScripts)\b|\beval\(|new Function\(|\batob\(|document\.cookie|localStorage|fromCharCode"
    r"|window\.location[ ]?=|createElement\([\"']script|\.src[ ]?=[ ]?[\"'`]https?:",
    re.IGNORECASE,
)
_LIBRARIES = lazy(
    r"plotly|bokeh|vega|altair|ipywidgets|require\.(?:config|undef)|mathjax|d3js|holoviews|folium|leaflet|pyvis|datatables|mermaid|widget-view",
    re.IGNORECASE,
)
"""Outputs of libraries that draw; what they load is told by other rules where it comes from elsewhere."""
_MARKUP = frozenset(
    {"application/javascript", "text/html", "image/svg+xml", "text/markdown", "application/ecmascript"}
)
_AT_OPENING = frozenset({"init_cell", "run_on_load", "runOnLoad", "autorun", "auto_run", "execute_on_open"})
_HIDDEN = frozenset({"source_hidden", "hide_input", "hide_cell", "collapsed", "inputHidden"})
_HIDING_TAGS = frozenset(
    {"hide-input", "hide-cell", "remove-input", "remove-cell", "remove_input", "remove_cell"}
)


class _Cell:
    """What is asked of one cell."""

    def __init__(self) -> None:
        self.source: list[ConfigScalar] = []
        self.code = False
        self.opening: ConfigScalar | None = None
        self.hidden: ConfigScalar | None = None


@structure_rule(NOTEBOOK)
def notebooks(facts: BundleFacts) -> Iterator[Match]:
    """1. outputs with scripts; 2. cells that run on opening; 3. cells that are folded away and reach out."""
    for view in facts.raw:
        if view.language is not Kind.NOTEBOOK:
            continue
        config = Config(
            view, read_document(view.text, Kind.NOTEBOOK), quoted=False
        )  # read already, for its cells
        cells: dict[Path, _Cell] = {}
        for entry in config.document.entries:
            place = entry.path[:2]
            if place[:1] != ("cells",) or len(entry.path) < 3:
                continue
            if "outputs" in entry.path or "attachments" in entry.path:  # 1
                found = _output(config, entry)
                if found is not None:
                    yield found
                continue
            _note(cells.setdefault(place, _Cell()), entry)
        for cell in cells.values():
            yield from _cell(config, cell)


def _output(config: Config, entry: ConfigScalar) -> Match | None:
    kind = next((part for part in reversed(entry.path) if isinstance(part, str) and "/" in part), "")
    text = entry.value
    if kind not in _MARKUP or not isinstance(text, str):
        return None
    script = "script" in kind or _SCRIPT.search(text) is not None
    kernel = _KERNEL.search(text)
    if kernel is not None and script:
        return _found(
            config,
            entry,
            kernel[0],
            "an output runs code in the kernel as soon as it is shown",
            CRITICAL,
            800,
        )
    acts = _ACTS.search(text)
    if script and acts is not None and _LIBRARIES.search(text) is None:
        return _found(config, entry, acts[0], "an output holds a script that reaches out", HIGH, 650)
    return None


def _note(cell: _Cell, entry: ConfigScalar) -> None:
    if entry.key in ("source", "input"):
        cell.source.append(entry)
    elif entry.key == "cell_type":
        cell.code = entry.value == "code"
    elif entry.key in _AT_OPENING and entry.value is True:
        cell.opening = entry
    elif (entry.key in _HIDDEN and entry.value is True) or (entry.key == "tags" and entry.value in _HIDING_TAGS) or (
        entry.key == "cellView" and entry.value == "form"
    ):  # fmt: skip
        cell.hidden = entry


def _cell(config: Config, cell: _Cell) -> Iterator[Match]:
    if not cell.code or not cell.source or (cell.opening is None and cell.hidden is None):
        return
    text = "".join(str(part.value) for part in cell.source)
    weight = weigh(text.replace("!", ""))
    first, last = cell.source[0], cell.source[-1]
    if cell.opening is not None:  # 2
        severity, confidence = (HIGH, 750) if weight >= Weight.LOUD else (MEDIUM, 500)
        why = "a cell runs when the notebook is opened"
    elif weight >= Weight.LOUD:  # 3
        severity, confidence = (HIGH, 700) if weight is Weight.HARM else (MEDIUM, 550)
        why = "a cell that is folded away reaches the network, a credential or an encoding"
    else:
        return
    yield config.match(
        NOTEBOOK.id, first.first, last.last, evidence=text[:300], trace=(f"command={text}",), message=f"{NOTEBOOK.why} Here: {why}.",
        severity=severity, confidence=confidence, adjustments=weighed(NOTEBOOK, severity, confidence, why),
    )  # fmt: skip


def _found(
    config: Config, entry: ConfigScalar, evidence: str, why: str, severity: Severity, confidence: int
) -> Match:
    return config.match(
        NOTEBOOK.id, entry.first, entry.last, evidence=evidence, message=f"{NOTEBOOK.why} Here: {why}.",
        severity=severity, confidence=confidence, adjustments=(why,),
    )  # fmt: skip
