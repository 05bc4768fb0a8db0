"""What goes from one program of the bundle to another: secrets handed over and sent by that one, and what it prints."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.credentials import leak
from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, CODE, FILE, INPUT, Given, Summary, named
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis, UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.judging.report import BrokenRule, flow
from sluicegate.vet.inspect.analyzers.pyflow.values import Site, SourceKind
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ProgramStep, Tag, handed_on, join
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms

_USES = (SinkKind.SEND, SinkKind.LOOKUP, SinkKind.CODE, SinkKind.SHELL, SinkKind.IMPORT)
_STARTS = (SinkKind.PROGRAM, SinkKind.SHELL, SinkKind.CODE)
_HEADERS = ("headers", "auth", "cookies")
_TYPED = ("stdin", "input", "getpass")


def summary(analysis: Analysis, view: View) -> Summary:
    """What the Python program of a view does with what it is given, and what it prints."""
    uses: set[Given] = set()
    for hit in analysis.hits.values():
        if hit.sink not in _USES or analysis.views[hit.view].path != view.path:
            continue
        step = ProgramStep(view.path, _line(analysis, hit.view, hit.line))
        if hit.sink in (SinkKind.SEND, SinkKind.LOOKUP):
            target = next(iter(hit.slot("url").texts), "")
            for slot, value in hit.slots.items():
                channel = "header" if slot in _HEADERS else "url" if slot == "url" else "body"
                for what in _taken(analysis, value.mask):
                    uses.add(Given(what, target, channel, "send", (step,)))
        elif "path" not in hit.flags:
            channel = {SinkKind.CODE: CODE, SinkKind.IMPORT: "module"}.get(hit.sink, "")
            for what in _taken(analysis, hit.slot("command").mask):
                uses.add(Given(what, hit.name, channel, "run", (step,)))
    prints: frozenset[Tag] = NONE
    for (number, line), mask in sorted(analysis.printed.items()):
        if analysis.views[number].path == view.path:
            tags = frozenset(
                tag_of(analysis, site) for site in analysis.sites.of(mask, *SourceKind) if _told(site)
            )
            prints = join(prints, handed_on(tags, ProgramStep(view.path, _line(analysis, number, line))))
    return Summary(tuple(sorted(uses)), prints, analysis.crowded)


def _line(analysis: Analysis, view: int, line: int) -> int:
    return analysis.views[view].map_lines(line - 1, line - 1)[0]


def _taken(analysis: Analysis, mask: int) -> Iterator[str]:
    """What a program was given, of all that is in a mask."""
    for site in analysis.sites.of(mask, SourceKind.INPUT):
        yield _what(site.label)


def _what(label: str) -> str:
    if label.startswith("$") or label == FILE:
        return label
    return INPUT if any(word in label for word in _TYPED) else ARGUMENT


_KINDS = {
    SourceKind.CREDENTIAL_FILE: "secret", SourceKind.ENV_ALL: "secret", SourceKind.CLIPBOARD: "secret", SourceKind.ENV_SECRET: "key",
    SourceKind.HOME_FILE: "own", SourceKind.CONVERSATION: "own", SourceKind.SCREEN: "own", SourceKind.NETWORK: "remote",
    SourceKind.DECODED: "decoded", SourceKind.BLOB: "decoded", SourceKind.INPUT: "given",
}  # fmt: skip
"""The facts that stand for data of Python in other programs."""
_WORDED = {
    SourceKind.ENV_ALL: "the environment",
    SourceKind.CLIPBOARD: "the clipboard",
    SourceKind.CONVERSATION: "the conversation",
    SourceKind.SCREEN: "the screen",
    SourceKind.DECODED: "an encoded text",
    SourceKind.BLOB: "an encoded text",
}


def _told(site: Site) -> bool:
    return site.source in _KINDS


def tag_of(analysis: Analysis, site: Site) -> Tag:
    """The fact that stands for a place where data comes in."""
    source = site.source
    what = _WORDED.get(source, site.label)
    if source is SourceKind.INPUT:
        what = _what(site.label)
    elif source is SourceKind.ENV_SECRET:
        what = "$" + site.label
    elif source is SourceKind.NETWORK:
        what = next((host for _, host in hosts.urls(site.label)), "")
        what = site.label if not what else next(word for word in site.label.split() if "://" in word)
    through = analysis.sites.through.get(site) or (
        ProgramStep(analysis.views[site.view].path, _line(analysis, site.view, site.line)),
    )
    return Tag(_KINDS[source], what, through)


def note_files(analysis: Analysis, programs: BundlePrograms) -> None:
    """Tell what is written into which files."""
    for path, mask in analysis.written.items():
        if "*" in path:
            continue
        for site in analysis.sites.of(mask, *SourceKind):
            if site.source in _KINDS and site.source is not SourceKind.INPUT:
                step = ProgramStep(analysis.views[site.view].path, _line(analysis, site.view, site.line))
                programs.note(path, (tag_of(analysis, site),), step, Kind.PYTHON)


def note_code(analysis: Analysis, programs: BundlePrograms) -> None:
    """Tell which programs run text, or load a module, that is not constant."""
    for hit in analysis.hits.values():
        view = analysis.views[hit.view]
        if hit.sink is SinkKind.IMPORT:
            named = hit.slot("command").texts or not ("environ" in view.text or "getenv" in view.text)
        else:
            named = hit.sink is not SinkKind.CODE or bool({"constant", "path"} & set(hit.flags))
        if not named:
            programs.running.add(view.path)


_SOURCES = {
    "secret": SourceKind.CREDENTIAL_FILE, "key": SourceKind.ENV_SECRET, "printed": SourceKind.ENV_SECRET, "own": SourceKind.HOME_FILE,
    "remote": SourceKind.NETWORK, "decoded": SourceKind.DECODED,
}  # fmt: skip
_BY_NAME = {
    "the environment": SourceKind.ENV_ALL, "process.env": SourceKind.ENV_ALL, "the clipboard": SourceKind.CLIPBOARD,
    "the conversation": SourceKind.CONVERSATION, "the screen": SourceKind.SCREEN,
}  # fmt: skip


def mask_of(frame: UnitRun, tags: Iterable[Tag], node: ast.AST) -> int:
    """The taint of what another program of the bundle hands on at a node."""
    mask = 0
    for tag in sorted(tags):
        source = _BY_NAME.get(tag.what) or _SOURCES.get(tag.kind)
        if source is None:
            continue
        label = tag.what.lstrip("$") if source is SourceKind.ENV_SECRET else tag.what
        mask |= frame.site(source, label, node)
        site = Site(source, label, frame.view, getattr(node, "lineno", 1))
        frame.analysis.sites.through.setdefault(site, tag.through)
    return mask


def handed(analysis: Analysis, programs: BundlePrograms) -> Iterator[tuple[Hit, BrokenRule]]:
    """Programs of the bundle that are started with a secret and send what they are given."""
    for key in sorted(analysis.hits, key=lambda k: (k[0], k[1], k[2], k[3].value, k[4])):
        hit = analysis.hits[key]
        if hit.sink not in _STARTS:
            continue
        masks = {ARGUMENT: hit.slot("argv").mask | hit.slot("command").mask, INPUT: hit.slot("given").mask}
        masks |= {f"${name}": value.mask for name, value in hit.slot("environment").parts if name}
        if not any(_secret(analysis, mask) for mask in masks.values()):
            continue
        for view in _started(analysis, hit, programs):
            # This analysis has read all Python for its arguments and its input; only for variables it is read anew.
            known = view.language is Kind.PYTHON and len(masks) == 2
            for given in (summary(analysis, view) if known else programs.summary(view)).uses:
                if given.kind != "send" or given.what not in masks:
                    continue
                problem = _problem(analysis, hit, masks[given.what], view.path, given)
                if problem is not None:
                    yield hit, problem


def _secret(analysis: Analysis, mask: int) -> bool:
    return bool(
        analysis.sites.of(
            mask, SourceKind.CREDENTIAL_FILE, SourceKind.ENV_ALL, SourceKind.ENV_SECRET, SourceKind.CLIPBOARD
        )
    )


def _started(analysis: Analysis, hit: Hit, programs: BundlePrograms) -> Iterator[View]:
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


class _Said(NamedTuple):
    """A severity and confidence; None are those of the rule."""

    severity: Severity | None = None
    confidence: int | None = None


_AS_THE_RULE = _Said()


def _said(analysis: Analysis, found: Iterable[Site], given: Given) -> _Said | None:
    """What is said of credentials that another program sends: the same as where this one does; None where nothing is."""
    target = given.target
    if not hosts.urls(target):
        return _AS_THE_RULE
    name = hosts.host_of(target)
    leaked = leak(
        [site.label for site in found],
        hosts.Host.SUSPECT if hosts.webhook(target) else hosts.classify(target),
        name=name,
        header=given.channel == "header",
        explained=analysis.stated.explains(name),
    )
    if leaked is None:
        return None
    return _AS_THE_RULE if leaked.severity is Severity.CRITICAL else _Said(*leaked)


def _problem(analysis: Analysis, hit: Hit, mask: int, path: str, given: Given) -> BrokenRule | None:
    target, channel = given.target, given.channel
    host = hosts.classify(target) if "://" in target else hosts.Host.UNKNOWN
    if host is hosts.Host.LOCAL:
        return None
    sites = analysis.sites
    rests = (f"program={path}", f"target={target}", f"channel={channel}")
    where = f"{hit.name} (line {hit.line}) -> {path} -> {target or 'another machine'}"
    for rule, source in (
        ("python-credential-to-network", SourceKind.CREDENTIAL_FILE),
        ("python-environment-to-network", SourceKind.ENV_ALL),
        ("python-surveillance-to-network", SourceKind.CLIPBOARD),
    ):
        if not (found := sites.of(mask, source)):
            continue
        said = _said(analysis, found, given) if source is SourceKind.CREDENTIAL_FILE else _AS_THE_RULE
        if said is None:
            return None
        return flow(
            rule,
            sites,
            found,
            where,
            severity=said.severity,
            confidence=said.confidence,
            rests=rests,
            steps=given.through,
        )
    found = sites.of(mask, SourceKind.ENV_SECRET)
    if found and channel != "header" and host is hosts.Host.SUSPECT:
        return flow(
            "python-secret-to-network",
            sites,
            found,
            where,
            severity=Severity.HIGH,
            confidence=700,
            rests=rests,
            steps=given.through,
        )
    return None
