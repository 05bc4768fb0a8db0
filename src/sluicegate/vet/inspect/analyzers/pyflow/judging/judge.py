"""From operations to matches: which rule each breaks, how bad it is here, and the path of the data."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.known import hosts, names
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers.credentials import leak
from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging import (
    files as judge_files,
)
from sluicegate.vet.inspect.analyzers.pyflow.judging import (
    handed as judge_handed,
)
from sluicegate.vet.inspect.analyzers.pyflow.judging import (
    run as judge_run,
)
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.judging.hosts import HostClass
from sluicegate.vet.inspect.analyzers.pyflow.judging.report import BrokenRule, Judgement, flow, plain
from sluicegate.vet.inspect.analyzers.pyflow.judging.secrets import destination, misuse
from sluicegate.vet.inspect.analyzers.pyflow.values import Site, SourceKind
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.verdict.types import Severity

SENDING = (SinkKind.SEND, SinkKind.LOOKUP)


def matches(analysis: Analysis, programs: BundlePrograms) -> list[Match]:
    """All matches, in order of view, place and rule; one for a rule and place."""
    found: dict[tuple[int, int, int, str], Match] = {}

    def add(hit: Hit, problem: BrokenRule) -> None:
        key = (hit.view, hit.line, hit.column, problem.rule)
        match, known = Judgement(analysis, hit).match(problem), found.get(key)
        found[key] = match if known is None else known._replace(
            trace=(*known.trace, *match.trace), places=tuple(dict.fromkeys((*known.places, *match.places))),
            files=tuple(dict.fromkeys((*known.files, *match.files))),
        )  # fmt: skip

    for key in sorted(analysis.hits, key=lambda k: (k[0], k[1], k[2], k[3].value, k[4])):
        hit = analysis.hits[key]
        for problem in _problems(analysis, hit):
            add(hit, problem)
    for problem_hit, problem in (*judge_run.across(analysis), *judge_handed.handed(analysis, programs)):
        add(problem_hit, problem)
    return [found[key] for key in sorted(found)]


def _problems(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    if hit.sink in SENDING:
        yield from _sending(analysis, hit)
    yield from judge_run.running(analysis, hit)
    yield from judge_files.files(analysis, hit)
    if hit.sink is SinkKind.COLLECT:
        yield from _collecting(analysis, hit)
    if hit.sink is SinkKind.TLS:
        yield plain("python-tls-off", f"{hit.name} switches certificate checks off")


def _collecting(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    found = analysis.sites.of(hit.slot("content").mask, SourceKind.ENV_SECRET)
    owned = [s for s in found if names.owner_words(s.label) is not None]
    if len({s.label.partition("_")[0] for s in owned}) >= 2:
        yield flow("python-secrets-collected", analysis.sites, owned, f"{hit.name} (line {hit.line})")


def _total(hit: Hit) -> int:
    """The taint of all that a request carries."""
    mask = 0
    for slot, value in hit.slots.items():
        if slot not in ("headers", "auth", "cookies"):
            mask |= value.mask
    return mask


def _sending(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    host, kind, _ = destination(hit)
    local = kind is HostClass.LOCAL
    mask = _total(hit)
    headers = hit.slot("headers").mask | hit.slot("cookies").mask
    sites = analysis.sites
    named = "a host that is not written out" if host == "*" else f"host {host}"
    where = f"{hit.name} (line {hit.line}, {named})"
    lookup = hit.sink is SinkKind.LOOKUP
    files = sites.of(mask | headers, SourceKind.CREDENTIAL_FILE)
    if files and (
        problem := _credential(
            analysis, hit, files, where, header=not sites.of(mask, SourceKind.CREDENTIAL_FILE)
        )
    ):
        yield problem
    everything = sites.of(mask | headers, SourceKind.ENV_ALL)
    if everything and not local:
        yield flow("python-environment-to-network", sites, everything, where)
    if lookup:
        secret = sites.of(mask, SourceKind.ENV_SECRET)
        if secret:
            yield flow(
                "python-secret-to-network",
                sites,
                secret,
                f"name lookup by {where}",
                severity=Severity.CRITICAL,
                confidence=900,
                why="a secret inside a looked-up name leaves through DNS",
            )
    elif (wrong := misuse(analysis, hit)) is not None:
        severity = None if wrong.high else Severity.MEDIUM
        yield flow(
            "python-secret-to-network",
            sites,
            list(wrong.sites),
            f"{where}: {wrong.why}",
            confidence=wrong.confidence,
            severity=severity,
            why="" if wrong.high else "the host is computed, or a gateway may be meant",
        )
    if local:
        return
    yield from _collected(analysis, mask, where, (host, kind))


def _credential(
    analysis: Analysis, hit: Hit, found: list[Site], where: str, *, header: bool
) -> BrokenRule | None:
    """Files of credentials are sent, in a header alone or not."""
    name, kind, _ = destination(hit)
    explained = kind is HostClass.ORDINARY and analysis.stated.explains(name)
    said = leak(
        [site.label for site in found], _class(hit, kind), name=name, header=header, explained=explained
    )
    if said is None:
        return None
    rule = "python-credential-to-network"
    if said.severity is Severity.CRITICAL:
        return flow(rule, analysis.sites, found, where)
    return flow(
        rule,
        analysis.sites,
        found,
        where,
        severity=said.severity,
        confidence=said.confidence,
        why="what API clients read for their own key"
        if header or explained
        else "a file of the project, to a host that nothing explains",
    )


def _class(hit: Hit, kind: HostClass) -> Host:
    """The class of the worst host that a request may go to."""
    if kind is HostClass.LOCAL:
        return Host.LOCAL
    if kind is HostClass.COMPUTED:
        return Host.UNKNOWN
    if kind is not HostClass.ORDINARY:
        return Host.SUSPECT
    return max(map(hosts.classify, hit.slot("url").texts), default=Host.UNKNOWN)


def _collected(
    analysis: Analysis, mask: int, where: str, place: tuple[str, HostClass]
) -> Iterator[BrokenRule]:
    sites = analysis.sites
    host, kind = place
    watched = sites.of(mask, SourceKind.SCREEN, SourceKind.KEYS, SourceKind.CLIPBOARD)
    if watched:
        loud = sites.of(mask, SourceKind.KEYS) or kind in (HostClass.DROP, HostClass.ADDRESS)
        yield flow(
            "python-surveillance-to-network",
            sites,
            watched,
            where,
            severity=None if loud else Severity.HIGH,
            confidence=None if loud else 600,
            why="" if loud else "one picture or one clipboard may be what the skill is for",
        )
    said = sites.of(mask, SourceKind.CONVERSATION)
    if said:
        yield flow("python-conversation-to-network", sites, said, where)
    home = sites.of(mask, SourceKind.HOME_FILE)
    if home:
        yield flow("python-files-to-network", sites, home, where)
    elif kind in (HostClass.DROP, HostClass.ADDRESS) and (tree := sites.of(mask, SourceKind.TREE_FILE)):
        yield flow("python-files-to-network", sites, tree, where)
    elif tree := sites.of(mask, SourceKind.TREE_FILE):
        strange = kind is HostClass.ORDINARY and not analysis.stated.explains(host)
        yield flow(
            "python-files-to-network",
            sites,
            tree,
            where,
            severity=Severity.MEDIUM,
            confidence=550 if strange else 450,
            why="a folder, to a host that nothing explains"
            if strange
            else "a folder the skill is pointed at",
        )
