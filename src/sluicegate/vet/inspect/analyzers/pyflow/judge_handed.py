"""What is handed to another program of the bundle, and sent by that one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers import known
from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, INPUT, Given, named
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity

from .frame import Analysis
from .hits import Hit, Sink
from .report import Problem, flow
from .values import Source

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import Programs

_STARTS = (Sink.PROGRAM, Sink.SHELL, Sink.CODE)
_HEADERS = ("headers", "auth", "cookies")
_TYPED = ("stdin", "input", "getpass")


def given(analysis: Analysis, view: View) -> set[Given]:
    """What the Python program of a view sends of its arguments and of its input."""
    found: set[Given] = set()
    for hit in analysis.hits.values():
        if hit.sink not in (Sink.SEND, Sink.LOOKUP) or analysis.views[hit.view].path != view.path:
            continue
        target = next(iter(hit.slot("url").texts), "")
        for slot, value in hit.slots.items():
            channel = "header" if slot in _HEADERS else "url" if slot == "url" else "body"
            for site in analysis.sites.of(value.mask, Source.INPUT):
                what = INPUT if any(word in site.label for word in _TYPED) else ARGUMENT
                found.add(Given(what, target, channel))
    return found


def handed(analysis: Analysis, programs: Programs) -> Iterator[tuple[Hit, Problem]]:
    """Programs of the bundle that are started with a secret and send what they are given."""
    for key in sorted(analysis.hits, key=lambda k: (k[0], k[1], k[2], k[3].value, k[4])):
        hit = analysis.hits[key]
        if hit.sink not in _STARTS:
            continue
        masks = {ARGUMENT: hit.slot("argv").mask | hit.slot("command").mask, INPUT: hit.slot("given").mask}
        if not any(_secret(analysis, mask) for mask in masks.values()):
            continue
        for view in _started(analysis, hit, programs):
            for what, target, channel in programs.sends(view):
                problem = _problem(analysis, hit, masks[what], view.path, target, channel)
                if problem is not None:
                    yield hit, problem


def _secret(analysis: Analysis, mask: int) -> bool:
    return bool(
        analysis.sites.of(mask, Source.CREDENTIAL_FILE, Source.ENV_ALL, Source.ENV_SECRET, Source.CLIPBOARD)
    )


def _started(analysis: Analysis, hit: Hit, programs: Programs) -> Iterator[View]:
    """The programs of the bundle that the words of a command name."""
    starter = analysis.views[hit.view].path
    argv = [text for _, part in hit.slot("argv").parts for text in part.texts]
    words = [*argv, *(word for text in hit.slot("command").texts for word in named(text))]
    seen: set[str] = set()
    for word in words[:32]:
        view = programs.find(word, starter)
        if view is not None and view.path != starter and view.path not in seen:
            seen.add(view.path)
            yield view


def _problem(analysis: Analysis, hit: Hit, mask: int, path: str, target: str, channel: str) -> Problem | None:
    host = known.classify_url(target) if "://" in target else known.Host.UNKNOWN
    if host is known.Host.LOCAL:
        return None
    sites = analysis.sites
    rests = (f"program={path}", f"target={target}", f"channel={channel}")
    where = f"{hit.name} (line {hit.line}) -> {path} -> {target or 'another machine'}"
    for rule, source in (
        ("python-credential-to-network", Source.CREDENTIAL_FILE),
        ("python-environment-to-network", Source.ENV_ALL),
        ("python-surveillance-to-network", Source.CLIPBOARD),
    ):
        if found := sites.of(mask, source):
            return flow(rule, sites, found, where, rests=rests)
    found = sites.of(mask, Source.ENV_SECRET)
    if found and channel != "header" and host is known.Host.SUSPECT:
        return flow(
            "python-secret-to-network",
            sites,
            found,
            where,
            severity=Severity.HIGH,
            confidence=700,
            rests=rests,
        )
    return None
