"""Judging operations on files: what is written where, and what is destroyed."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.known import places
from sluicegate.vet.inspect.analyzers.pyflow import paths
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.judging.report import BrokenRule, flow, plain
from sluicegate.vet.inspect.analyzers.pyflow.values import PyValue, SourceKind
from sluicegate.vet.inspect.analyzers.shflow.judging.destroys import of_folder
from sluicegate.vet.verdict.types import Severity


def files(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """The rules that an operation on a file breaks."""
    if hit.sink is SinkKind.WRITE:
        yield from _written(analysis, hit)
    elif hit.sink in (SinkKind.DELETE, SinkKind.DELETE_TREE):
        yield from _deleted(hit)


def _written(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    sites = analysis.sites
    path, content = hit.slot("path"), hit.slot("content")
    where = f"(line {hit.line})"
    if "registry" in hit.flags:
        if any("currentversion\\run" in t.lower() for t in path.texts):
            yield plain(
                "python-startup-persistence", f"{hit.name} {where} adds a program that starts at login"
            )
        return
    for text in path.texts:
        if places.startup(text) or places.control(text):
            yield plain("python-startup-persistence", f"{text} is written {where}")
            break
    yield from _agent(path, where)
    own = [t for t in path.texts if _own_code(analysis, t)]
    if own:
        strong = sites.of(content.mask, SourceKind.NETWORK, SourceKind.DECODED, SourceKind.BLOB)
        if strong:
            yield flow(
                "python-self-modification",
                sites,
                strong,
                f"{own[0]} {where}",
                severity=Severity.HIGH,
                confidence=800,
                why="the new content is fetched or decoded",
            )
        else:
            yield plain("python-self-modification", f"{own[0]} of the skill itself is written {where}")
    encrypted = sites.of(content.mask, SourceKind.ENCRYPTED)
    tree = sites.of(content.mask, SourceKind.HOME_FILE, SourceKind.TREE_FILE)
    if encrypted and tree:
        yield flow("python-mass-destruction", sites, tree, f"encrypted and written {where}")


def _agent(path: PyValue, where: str) -> Iterator[BrokenRule]:
    for text in path.texts:
        if not places.instructions(text):
            continue
        outside = paths.in_home(text)
        yield plain(
            "python-agent-memory-write",
            f"{text} is written {where}",
            severity=None if outside else Severity.MEDIUM,
            confidence=None if outside else 550,
            why="" if outside else "inside the folder the skill is used in",
        )
        return


def _own_code(analysis: Analysis, text: str) -> bool:
    """Whether a path, seen from the skill, is code or instructions of the skill: ``./x.py``,
    ``./SKILL.md``."""
    if not text.startswith("./") or "*" in text:
        return False
    name = text[2:]
    return any(view.path == name for view in analysis.views) or name.rpartition("/")[2] == "SKILL.md"


def _deleted(hit: Hit) -> Iterator[BrokenRule]:
    path = hit.slot("path")
    for text in path.texts:
        if paths.everywhere(text) and (hit.sink is SinkKind.DELETE_TREE or "walked" in hit.flags):
            yield plain("python-mass-destruction", f"{hit.name} (line {hit.line}) removes {text}")
            return
    losses = [loss for text in path.texts if hit.sink is SinkKind.DELETE_TREE and (loss := of_folder(text))]
    if losses:
        yield plain(
            "python-mass-destruction",
            f"{hit.name} (line {hit.line}): {losses[0].message}",
            severity=losses[0].severity,
            confidence=losses[0].confidence,
            why="it is one folder, which has a name",
        )
