"""The output formats by name. Each renderer is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, cast

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.report import Report


class Options(NamedTuple):
    """How to show a report. A format ignores what does not concern it.

    ``color``: terminal colours (text, concise). ``width``: columns (text). ``absolute``: absolute paths of this
    machine instead of relative ones. ``links``: links that a terminal can open (text, concise). ``summary``: the
    decisions alone (text). ``verbose``: SAFE skills, too, each on a line (text). ``here``: what to call the folder
    in which the scan was started, where that is what was scanned. ``rules_url``: where rules have their pages, for links
    to them (text, concise, sarif, markdown, html).
    """

    color: bool = False
    width: int = 80
    absolute: bool = False
    links: bool = False
    summary: bool = False
    verbose: bool = False
    here: str = ""
    rules_url: str = ""


class Renderer(Protocol):
    """A module of this package that shows a report."""

    def render(self, report: Report, options: Options) -> str:
        """The whole output. Pure but for ``options.absolute``, and always encodable as UTF-8."""
        ...


MIN_WIDTH = 40
"""Columns below which text output does not get narrower."""

_ROOM = "sluicegate.reach.report"

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "text": f"{_ROOM}.text.report",
        "concise": f"{_ROOM}.concise",
        "json": f"{_ROOM}.json.reports",
        "sarif": f"{_ROOM}.sarif",
        "markdown": f"{_ROOM}.markdown",
        "html": f"{_ROOM}.html.document",
        "github": f"{_ROOM}.github",
        "gitlab": f"{_ROOM}.gitlab",
    }
)
"""Name of a format -> module that renders it."""


def render(
    report: Report,
    format: str,
    *,
    color: bool = False,
    width: int = 80,
    absolute: bool = False,
    links: bool = False,
    summary: bool = False,
    verbose: bool = False,
    here: str = "",
    rules_url: str = "",
) -> str:
    """The report in a format of ``FORMATS``, ending with a line feed. ``Options`` says what the others mean.

    The same report gives the same text. Raises ``ConfigError`` for a format that does not exist, and for what is no
    address of rule pages.
    """
    if format not in FORMATS:
        raise ConfigError(f"There is no output format {format!r}.", hint=f"Formats: {', '.join(FORMATS)}.")
    renderer = cast("Renderer", import_module(FORMATS[format]))
    options = Options(
        color=color,
        width=max(MIN_WIDTH, width),
        absolute=absolute,
        links=links,
        summary=summary,
        verbose=verbose,
        here=here,
        rules_url=_checked(rules_url),
    )
    return renderer.render(report, options)


def _checked(rules_url: str) -> str:
    if not rules_url:
        return ""
    from sluicegate.reach.report.words.references import checked_pages

    return checked_pages(rules_url)
